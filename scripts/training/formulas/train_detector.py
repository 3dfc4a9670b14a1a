"""Trains the detector of symbols that reads formulas on scans: data/models/formula_symbols.onnx.

    python scripts/training/formulas/train_detector.py train PAGES RUN --seconds 5000
    python scripts/training/formulas/train_detector.py export RUN formula_symbols.onnx

PAGES is a folder of train_pages.py. Patches are made while it trains, in a process of their own, and looked at about
twice. It goes on where it was; its rate falls to nothing as the seconds are spent.
"""

from __future__ import annotations

import argparse
import json
import math
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import nn
from torch.nn import functional as F  # noqa: N812
from torch.utils.data import DataLoader, IterableDataset
from train_glyphs import STYLES
from train_patches import HEIGHT, WIDTH, Book, Known, Patches

from docparse_fast.drafting.formulas.detection import CELL, SIZE, contrasted

BATCH = 4  # patches of a step
KEPT = 400  # patches that may be looked at again
RATE = 1.5e-3
WARM = 200  # steps
AVERAGED = 0.998  # of the weights' running mean that stays, at each step
BALANCED = 0.5  # how far classes are taken for equally frequent: 0 not at all, 1 wholly
SEEN = 20.0  # times that a class counts as seen before the first step
RARE = (0.7, 0.7, 4.0, 3.0, 3.0, 3.0)  # what a style counts: bold and the others are rare
SPREAD = 0.6  # cells: how far around a symbol's middle is nearly right
LIKELY = 0.03  # from which chance on the reader looks at a cell
PLACE = 6  # numbers that tell where a symbol is
SAVED = 100  # steps between two savings


class Detector(nn.Module):
    """Where symbols have their middles and rules run, by cells; and what a symbol at a cell is, and its box."""

    def __init__(self, classes: int) -> None:
        super().__init__()
        self.classes = classes
        self.fine = nn.Sequential(_conv(1, 24, 2), _conv(24, 48, 2), _Block(48))
        self.middle = nn.Sequential(_conv(48, 96, 2), _Block(96), _Block(96))
        self.coarse = nn.Sequential(_conv(96, 160, 2), _Block(160), _Block(160), _Block(160))
        self.from_coarse = _conv(160, 96, 1, 1)
        self.merged = _conv(96, 96, 1)
        self.from_middle = _conv(96, 64, 1, 1)
        self.from_fine = _conv(48, 64, 1, 1)
        self.cells = _conv(64, 64, 1)
        self.marks = nn.Conv2d(64, 2, 1)
        nn.init.constant_(self.marks.bias, -3.0)  # type: ignore[arg-type]
        self.symbol = nn.Sequential(nn.Linear(64 + 96 + 160, 320), nn.ReLU())
        self.said = nn.Linear(320, classes + len(STYLES) + PLACE)

    def features(self, image: torch.Tensor) -> tuple[torch.Tensor, ...]:
        fine = self.fine(image)
        middle = self.middle(fine)
        coarse = self.coarse(middle)
        middle = self.merged(middle + _doubled(self.from_coarse(coarse)))
        cells = self.cells(self.from_fine(fine) + _doubled(self.from_middle(middle)))
        return self.marks(cells), cells, middle, coarse

    def at(self, levels: tuple[torch.Tensor, ...], where: torch.Tensor) -> torch.Tensor:
        """What is said of cells: `where` has rows of image, row and column."""
        image, row, column = where.unbind(1)
        seen = [level[image, :, row >> n, column >> n] for n, level in enumerate(levels)]
        said: torch.Tensor = self.said(self.symbol(torch.cat(seen, 1)))
        return said


class _Block(nn.Module):
    def __init__(self, width: int) -> None:
        super().__init__()
        self.layers = nn.Sequential(_conv(width, width, 1), nn.Conv2d(width, width, 3, 1, 1, bias=False))
        self.norm = nn.BatchNorm2d(width)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return F.relu(x + self.norm(self.layers(x)))


def _conv(inside: int, outside: int, stride: int, side: int = 3) -> nn.Module:
    conv = nn.Conv2d(inside, outside, side, stride, side // 2, bias=False)
    return nn.Sequential(conv, nn.BatchNorm2d(outside), nn.ReLU())


def _doubled(x: torch.Tensor) -> torch.Tensor:
    return F.interpolate(x, scale_factor=2.0, mode="nearest")


@dataclass
class Sample:
    image: torch.Tensor  # (1, height, width), as the reader sees it
    marks: torch.Tensor  # (2, rows, columns): how near a symbol's middle, and whether on a rule
    cells: torch.Tensor  # (symbols, 2): row and column
    kinds: torch.Tensor  # (symbols, 2): class, style (-1: none)
    places: torch.Tensor  # (symbols, 6), see `_place`


def sample(patches: Patches, number: int) -> Sample:
    image, known, rules = patches.patch(number)
    rows, columns = HEIGHT // CELL, WIDTH // CELL
    marks = np.zeros((2, rows, columns), np.float32)
    across, down = np.meshgrid(np.arange(columns), np.arange(rows))
    for x0, y0, x1, y1 in rules:
        x, y = across * CELL + CELL / 2, down * CELL + CELL / 2
        tilted = y0 + (y1 - y0) * np.clip((x - x0) / max(x1 - x0, 1), 0, 1)
        marks[1] = np.maximum(marks[1], (np.abs(y - tilted) <= CELL / 2 + 1) & (x >= x0) & (x <= x1))
    cells, kinds, places = [], [], []
    for symbol in known:
        x, y = symbol.box.center
        row, column = int(y // CELL), int(x // CELL)
        if not (0 <= row < rows and 0 <= column < columns):
            continue
        far = ((across + 0.5 - x / CELL) ** 2 + (down + 0.5 - y / CELL) ** 2)[
            max(0, row - 3) : row + 4, max(0, column - 3) : column + 4
        ]
        field = marks[0, max(0, row - 3) : row + 4, max(0, column - 3) : column + 4]
        np.maximum(field, np.exp(-far / (2 * SPREAD**2)), out=field)
        for down_by, across_by in ((0, 0), (-1, 0), (1, 0), (0, -1), (0, 1)):
            r, c = row + down_by, column + across_by
            if 0 <= r < rows and 0 <= c < columns:
                cells.append((r, c))
                kinds.append((symbol.kind, symbol.style))
                places.append(_place(symbol, (c + 0.5) * CELL, (r + 0.5) * CELL))
    for r, c in cells[::5]:
        marks[0, r, c] = 1.0
    own = {cell: n for n, cell in enumerate(cells) if n % 5 == 0}
    kept = [n for n, cell in enumerate(cells) if own.get(cell, n) == n]
    whole = (torch.tensor(np.array(each, kind).reshape(-1, n)) for each, kind, n in
             ((cells, np.int64, 2), (kinds, np.int64, 2), (places, np.float32, PLACE)))  # fmt: skip
    return Sample(torch.from_numpy(contrasted(image))[None], torch.from_numpy(marks), *(each[kept] for each in whole))


def _place(symbol: Known, x: float, y: float) -> tuple[float, ...]:
    """From a cell's middle to the symbol's, in cells, and to its baseline, in type sizes; logarithms of width, height
    and the type's size, in type sizes."""
    middle, box = symbol.box.center, symbol.box
    sizes = (math.log(max(side, 1.0) / SIZE) for side in (box.width, box.height, symbol.size))
    return (middle[0] - x) / CELL, (middle[1] - y) / CELL, (symbol.baseline - y) / SIZE, *sizes


class Stream(IterableDataset[Sample]):
    def __init__(self, patches: Patches, first: int) -> None:
        self.patches, self.first = patches, first

    def __iter__(self) -> Iterator[Sample]:
        number = self.first
        while True:
            yield sample(self.patches, number)
            number += 1


class Training:
    """A network being trained, and all that it takes to go on."""

    def __init__(self, names: list[str], run: Path, seconds: float) -> None:
        self.names, self.seconds = names, seconds
        self.state = run / "detector.pt"
        self.network = Detector(len(names)).to(memory_format=torch.channels_last)
        self.mean = {key: value.clone() for key, value in self.network.state_dict().items()}
        self.optimizer = torch.optim.AdamW(self.network.parameters(), lr=RATE, weight_decay=0.02)
        self.counts = torch.full((len(names),), SEEN)
        self.steps, self.patches, self.spent = 0, 0, 0.0
        if self.state.exists():
            saved = torch.load(self.state, weights_only=True)
            self.network.load_state_dict(saved["network"])
            self.optimizer.load_state_dict(saved["optimizer"])
            self.mean, self.counts = saved["mean"], saved["counts"]
            self.steps, self.patches, self.spent = saved["steps"], saved["patches"], saved["spent"]

    def save(self) -> None:
        saved = {
            "network": self.network.state_dict(), "optimizer": self.optimizer.state_dict(), "mean": self.mean,
            "counts": self.counts, "steps": self.steps, "patches": self.patches, "spent": self.spent,
            "names": "\n".join(self.names),
        }  # fmt: skip
        torch.save(saved, self.state.with_suffix(".new"))
        self.state.with_suffix(".new").replace(self.state)

    def step(self, samples: list[Sample]) -> list[float]:
        self.steps += 1
        left = max(0.0, 1 - self.spent / self.seconds)
        for group in self.optimizer.param_groups:
            group["lr"] = RATE * min(1.0, self.steps / WARM) * left + 1e-5
        losses, right = self._losses(samples)
        self.optimizer.zero_grad(set_to_none=True)
        torch.stack(losses).sum().backward()
        nn.utils.clip_grad_norm_(self.network.parameters(), 5.0)
        self.optimizer.step()
        share = min(AVERAGED, 1 - 1 / self.steps)
        for key, value in self.network.state_dict().items():
            if value.is_floating_point():
                self.mean[key].lerp_(value, 1 - share)
            else:
                self.mean[key].copy_(value)
        return [float(loss.detach()) for loss in losses] + [right]

    def _losses(self, samples: list[Sample]) -> tuple[list[torch.Tensor], float]:
        image = torch.stack([one.image for one in samples]).contiguous(memory_format=torch.channels_last)
        where = torch.cat([F.pad(one.cells, (1, 0), value=n) for n, one in enumerate(samples)])
        kinds, places = (torch.cat([getattr(one, name) for one in samples]) for name in ("kinds", "places"))
        self.counts += torch.bincount(kinds[:, 0], minlength=len(self.names)) / 5
        often = BALANCED * (self.counts / self.counts.sum()).log()
        with torch.autocast("cpu", torch.bfloat16):
            marks, *levels = self.network.features(image)
            said = self.network.at(tuple(levels), where)
        marks, said = marks.float(), said.float()
        count = len(self.names)
        wanted = torch.stack([one.marks for one in samples])
        lettered = kinds[:, 1] >= 0
        styles = said[lettered][:, count : count + len(STYLES)]
        right = float((said[:, :count].argmax(1) == kinds[:, 0]).float().mean())
        return [
            _found_loss(marks[:, 0], wanted[:, 0]),
            2 * F.binary_cross_entropy_with_logits(marks[:, 1], wanted[:, 1]),
            F.cross_entropy(said[:, :count] + often, kinds[:, 0], label_smoothing=0.02),
            0.5 * F.cross_entropy(styles, kinds[lettered, 1], weight=torch.tensor(RARE)),
            F.smooth_l1_loss(said[:, -PLACE:], places, beta=0.1),
        ], right


def _found_loss(marks: torch.Tensor, wanted: torch.Tensor) -> torch.Tensor:
    """A focal loss: what is nearly a symbol's middle counts little (as CenterNet has it)."""
    chance = torch.sigmoid(marks).clamp(1e-5, 1 - 1e-5)
    middle = wanted == 1
    found = ((1 - chance) ** 2 * chance.log())[middle].sum()
    empty = ((1 - wanted) ** 4 * chance**2 * (1 - chance).log())[~middle].sum()
    return -(found + empty) / middle.sum().clamp(min=1)


def train(pages: Path, run: Path, seconds: float, seed: int) -> None:
    torch.manual_seed(seed)
    torch.set_num_threads(1)
    run.mkdir(parents=True, exist_ok=True)
    book = Book(pages, json.loads((pages / "classes").read_text()) if (pages / "classes").exists() else None)
    (pages / "classes").write_text(json.dumps(book.classes, ensure_ascii=False))
    training = Training(book.classes, run, seconds)
    stream = Stream(Patches(book, seed), training.patches)
    loader = iter(DataLoader(stream, batch_size=None, num_workers=1, prefetch_factor=16))
    noise = np.random.default_rng((seed, training.steps))
    kept: list[Sample] = []
    told: list[list[float]] = []
    while training.spent < seconds:
        clock = time.process_time()
        new = [next(loader) for _ in range(BATCH // 2)]
        training.patches += len(new)
        again = [kept[int(noise.integers(len(kept)))] for _ in range(BATCH - len(new))] if kept else []
        told.append(training.step([*new, *again]))
        kept = [*kept, *new][-KEPT:]
        training.spent += time.process_time() - clock
        if training.steps % SAVED == 0:
            training.save()
            means = " ".join(f"{value:.3f}" for value in np.mean(told, 0))
            print(training.steps, f"spent {training.spent:.0f} losses, right: {means}", flush=True)
            told = []
    training.save()


class Exported(nn.Module):
    """Of one image: the cells with symbols, what is said of each, and the field of rules."""

    def __init__(self, network: Detector) -> None:
        super().__init__()
        self.network = network

    def forward(self, image: torch.Tensor) -> tuple[torch.Tensor, ...]:
        marks, *levels = self.network.features(image)
        chances = torch.sigmoid(marks)[0]
        cells = torch.nonzero(chances[0] > LIKELY)
        said = self.network.at(tuple(levels), F.pad(cells, (1, 0)))
        kinds, styles, places = said.split([self.network.classes, len(STYLES), PLACE], 1)
        found = chances[0][cells[:, 0], cells[:, 1]]
        return cells, found, torch.softmax(kinds, 1), torch.softmax(styles, 1), places, chances[1]


def export(run: Path, out: Path) -> None:
    import onnx

    saved = torch.load(run / "detector.pt", weights_only=True)
    names = saved["names"].split("\n")
    network = Detector(len(names))
    network.load_state_dict(saved["mean"])
    outputs = ["cells", "chances", "kinds", "styles", "places", "rules"]
    axes = {name: {0: "symbols"} for name in outputs[:-1]}
    torch.onnx.export(
        Exported(network).eval(), (torch.rand(1, 1, 64, 96),), str(out), input_names=["image"], output_names=outputs,
        dynamic_axes={**axes, "image": {2: "height", 3: "width"}, "rules": {0: "rows", 1: "columns"}},
        opset_version=17, dynamo=False,
    )  # fmt: skip
    model = onnx.load(str(out))
    _halve(model)
    for key, value in (("symbols", "\n".join(names)), ("styles", " ".join(STYLES))):
        entry = model.metadata_props.add()
        entry.key, entry.value = key, value
    onnx.save(model, str(out))
    print(out, out.stat().st_size, "bytes")


def _halve(model: Any) -> None:
    """Stores weights in 16 bits; the runtime makes 32 of them as it opens the model."""
    from onnx import TensorProto, helper, numpy_helper

    for weights in list(model.graph.initializer):
        if weights.data_type == TensorProto.FLOAT and np.prod(weights.dims) > 1000:
            stored = numpy_helper.from_array(numpy_helper.to_array(weights).astype(np.float16), f"{weights.name}_16")
            model.graph.initializer.remove(weights)
            model.graph.initializer.append(stored)
            model.graph.node.insert(0, helper.make_node("Cast", [stored.name], [weights.name], to=TensorProto.FLOAT))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(dest="command", required=True)
    one = commands.add_parser("train")
    one.add_argument("pages", type=Path)
    one.add_argument("run", type=Path)
    one.add_argument("--seconds", type=float, default=5000, help="of the processor, in all")
    one.add_argument("--seed", type=int, default=1)
    two = commands.add_parser("export")
    two.add_argument("run", type=Path)
    two.add_argument("out", type=Path)
    asked = parser.parse_args()
    if asked.command == "train":
        train(asked.pages, asked.run, asked.seconds, asked.seed)
    else:
        export(asked.run, asked.out)


if __name__ == "__main__":
    main()
