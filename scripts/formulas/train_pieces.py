"""Trains the classifier of pieces of ink that reads formulas on scans: data/models/formula_symbols.onnx.

    python scripts/formulas/train_pieces.py make PAGES samples-1.npz --patches 900 --seed 1
    python scripts/formulas/train_pieces.py train samples-*.npz RUN --epochs 4
    python scripts/formulas/train_pieces.py export RUN formula_symbols.onnx

PAGES is a folder of train_pages.py. A piece is labelled with the symbol that it is the largest piece of; other pieces
of the symbol are PART, a piece of several symbols is TOUCHING, ink that is no symbol NOISE. Training goes on
where it was.
"""

from __future__ import annotations

import argparse
import json
import time
from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import nn
from torch.nn import functional as F  # noqa: N812
from train_glyphs import STYLES
from train_patches import Book, Known, Patches

from docparse_fast.document import Box
from docparse_fast.drafting.formulas.components import SIZE, Ink, stacked

PART, TOUCHING, RULE, NOISE = "part", "touching", "rule", "noise"
OTHERS = (PART, TOUCHING, RULE, NOISE)
HELD = 0.55  # of a piece's box in a symbol's, to belong to it
BATCH = 256
RATE = 2e-3
RARE = (0.7, 0.7, 4.0, 3.0, 3.0, 3.0)  # what a style counts: bold and the others are rare


# ------------------------------------------------------------------------------------------------ samples


def labelled(
    image: Any, known: list[Known], rules: list[list[float]], classes: int
) -> list[tuple[Any, int, int, float, float]]:
    """Pieces with class, style (-1: none), and baseline and size relative to the box (nan: not told by this piece)."""
    pieces = Ink(image).pieces
    owners: dict[int, list[int]] = {}
    made: dict[int, tuple[int, int, float, float]] = {}
    nan = float("nan")
    of_piece, of_symbol = _overlaps([symbol.box for symbol in known], [piece.box for piece in pieces])
    explained = (of_piece > HELD) & (of_symbol > 0.2)
    for n, piece in enumerate(pieces):
        mine = np.flatnonzero(of_piece[:, n] > HELD).tolist()
        inside = [m for m in np.flatnonzero(of_symbol[:, n] > HELD).tolist() if m not in mine]
        inside = [m for m in inside if not explained[m].any()]  # what a root spans stands by itself
        within = [m for m in mine if of_symbol[m, n] > 0.2]
        if any(_along(rule, piece.box) for rule in rules):
            # the top of a root often hangs on its sign
            roots = [m for m in inside if known[m].box.height > 0.8 * piece.box.height]
            made[n] = (classes + OTHERS.index(RULE), -1, nan, nan) if not roots else _of(known[roots[0]], piece.box)
        elif len(inside) > 1 or (inside and mine):
            made[n] = (classes + OTHERS.index(TOUCHING), -1, nan, nan)
        elif inside or mine:
            best = inside[0] if inside else min(within or mine, key=lambda m: known[m].box.area)
            owners.setdefault(best, []).append(n)
        else:
            made[n] = (classes + OTHERS.index(NOISE), -1, nan, nan)
    for m, members in owners.items():
        main = max(members, key=lambda n: (round(pieces[n].box.area / 12), -pieces[n].box.y0))
        for n in members:
            whole = Box.around(pieces[k].box for k in members)
            made[n] = _of(known[m], whole) if n == main else (classes + OTHERS.index(PART), -1, nan, nan)
    return [(pieces[n], *made[n]) for n in sorted(made)]


def _of(symbol: Known, box: Box) -> tuple[int, int, float, float]:
    return symbol.kind, symbol.style, (symbol.baseline - box.y0) / box.height, symbol.size / box.height


def _overlaps(symbols: list[Box], pieces: list[Box]) -> tuple[Any, Any]:
    """The share of each piece that lies in each symbol's box, and the share of each symbol's that lies in a piece's."""
    a = np.array([(b.x0 - 1, b.y0 - 1, b.x1 + 1, b.y1 + 1) for b in symbols]).reshape(-1, 1, 4)
    b = np.array([(b.x0, b.y0, b.x1, b.y1) for b in pieces]).reshape(1, -1, 4)
    sides = np.minimum(a[..., 2:], b[..., 2:]) - np.maximum(a[..., :2], b[..., :2])
    common = np.clip(sides, 0, None).prod(-1)
    area = [np.maximum((box[..., 2:] - box[..., :2]).prod(-1), 1) for box in (b, a)]
    return common / area[0], common / area[1]


def _along(rule: list[float], box: Box) -> bool:
    x0, y0, x1, y1 = rule
    level = box.y0 - 2 <= (y0 + y1) / 2 <= box.y1 + 2
    common = min(x1, box.x1) - max(x0, box.x0)
    return (
        level and common > 0.7 * max(box.width, 8) and box.width > 2 * box.height and common > 0.5 * min(x1 - x0, 500)
    )


def make(pages: Path, out: Path, count: int, seed: int) -> None:
    book = Book(pages, json.loads((pages / "classes").read_text()) if (pages / "classes").exists() else None)
    (pages / "classes").write_text(json.dumps(book.classes, ensure_ascii=False))
    patches = Patches(book, seed)
    looks, measures, kinds, told = [], [], [], []
    for index in range(count):
        found = labelled(*patches.patch(index), len(book.classes))
        if not found:
            continue
        two = stacked([piece for piece, *_ in found])
        looks.append(two[0])
        measures.append(two[1])
        kinds += [(kind, style) for _, kind, style, _, _ in found]
        told += [(base, size) for *_, base, size in found]
    np.savez(
        out, looks=np.concatenate(looks), measures=np.concatenate(measures), kinds=np.array(kinds, np.int16),
        told=np.array(told, np.float32), names=np.array([*book.classes, *OTHERS]),
    )  # fmt: skip
    counted = Counter(kind for kind, _ in kinds)
    print(len(kinds), "pieces", {name: counted[len(book.classes) + n] for n, name in enumerate(OTHERS)})


# ----------------------------------------------------------------------------------------------- training


class Classifier(nn.Module):
    """A piece's symbol and style, and where the baseline runs and how large the type is, in heights of the piece."""

    def __init__(self, classes: int) -> None:
        super().__init__()
        self.layers = nn.Sequential(
            nn.PixelUnshuffle(4),
            *_layer(32, 64, 1),
            *_layer(64, 96, 2),
            nn.Flatten(),
            nn.Linear(96 * 16, 256),
            nn.ReLU(),
        )
        self.measures = nn.Linear(2, 32)
        self.kind = nn.Linear(256 + 32, classes + len(STYLES))
        self.place = nn.Linear(256 + 32, 2)

    def forward(self, looks: torch.Tensor, measures: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        seen = torch.cat([self.layers(looks / 255.0), F.relu(self.measures(measures))], 1)
        return self.kind(seen), self.place(seen)


def _layer(inside: int, outside: int, stride: int) -> list[nn.Module]:
    return [nn.Conv2d(inside, outside, 3, stride, 1, bias=False), nn.BatchNorm2d(outside), nn.ReLU()]


def train(files: list[Path], run: Path, epochs: int, seed: int) -> None:
    torch.manual_seed(seed)
    torch.set_num_threads(1)
    run.mkdir(parents=True, exist_ok=True)
    read = [np.load(file) for file in files]
    names = [str(name) for name in read[0]["names"]]
    looks, measures, kinds, told = (
        torch.from_numpy(np.concatenate([one[key] for one in read])) for key in ("looks", "measures", "kinds", "told")
    )
    kinds = kinds.long()
    network = Classifier(len(names)).to(memory_format=torch.channels_last)
    optimizer = torch.optim.AdamW(network.parameters(), lr=RATE, weight_decay=0.01)
    state = run / "pieces.pt"
    epoch = 0
    if state.exists():
        saved = torch.load(state, weights_only=True)
        network.load_state_dict(saved["network"])
        optimizer.load_state_dict(saved["optimizer"])
        epoch = saved["epoch"]
    held = torch.arange(len(looks)) % 50 == 0
    steps = int((~held).sum()) // BATCH
    for number in range(epoch, epochs):
        shuffled = torch.nonzero(~held).squeeze(1)[
            torch.randperm(int((~held).sum()), generator=torch.Generator().manual_seed(number))
        ]
        total, clock = 0.0, time.process_time()
        for step in range(steps):
            part = shuffled[step * BATCH : (step + 1) * BATCH]
            at = (number + step / steps) / epochs
            for group in optimizer.param_groups:
                group["lr"] = RATE * min(1.0, (number * steps + step + 1) / 100) * (1 - at) + 1e-5
            loss = _loss(network, looks[part], measures[part], kinds[part], told[part], len(names))
            optimizer.zero_grad(set_to_none=True)
            loss.backward()
            optimizer.step()
            total += float(loss.detach())
        torch.save(
            {
                "network": network.state_dict(),
                "optimizer": optimizer.state_dict(),
                "epoch": number + 1,
                "names": "\n".join(names),
            },
            state,
        )
        right = _right(network, looks[held], measures[held], kinds[held], len(names))
        print(number + 1, f"loss {total / steps:.3f} right {right:.4f} {time.process_time() - clock:.1f} s", flush=True)


def _loss(network: Classifier, looks: Any, measures: Any, kinds: Any, told: Any, count: int) -> torch.Tensor:
    with torch.autocast("cpu", torch.bfloat16):
        said, placed = network(
            looks.float().contiguous(memory_format=torch.channels_last), measures + 0.03 * torch.randn_like(measures)
        )
    said, placed = said.float(), placed.float()
    lettered, measured = kinds[:, 1] >= 0, ~torch.isnan(told[:, 0])
    wanted = torch.stack([told[measured, 0].clamp(-3, 4), told[measured, 1].clamp(0.05, 12).log()], 1)
    return (
        F.cross_entropy(said[:, :count], kinds[:, 0], label_smoothing=0.02)
        + 0.5 * F.cross_entropy(said[lettered][:, count:], kinds[lettered, 1], weight=torch.tensor(RARE))
        + F.smooth_l1_loss(placed[measured], wanted, beta=0.1)
    )


def _right(network: Classifier, looks: Any, measures: Any, kinds: Any, count: int) -> float:
    network.eval()
    with torch.no_grad():
        said, _ = network(looks.float(), measures)
    network.train()
    return float((said[:, :count].argmax(1) == kinds[:, 0]).float().mean())


class Exported(nn.Module):
    def __init__(self, network: Classifier, count: int) -> None:
        super().__init__()
        self.network, self.count = network, count

    def forward(self, looks: torch.Tensor, measures: torch.Tensor) -> tuple[torch.Tensor, ...]:
        said, placed = self.network(looks.float(), measures)
        return torch.softmax(said[:, : self.count], 1), torch.softmax(said[:, self.count :], 1), placed


def export(run: Path, out: Path) -> None:
    import onnx

    saved = torch.load(run / "pieces.pt", weights_only=True)
    names = saved["names"].split("\n")
    network = Classifier(len(names))
    network.load_state_dict(saved["network"])
    given = torch.zeros(2, 2, 32, 32, dtype=torch.uint8), torch.zeros(2, 2)
    ports = ["looks", "measures", "symbols", "styles", "places"]
    torch.onnx.export(
        Exported(network, len(names)).eval(), given, str(out), input_names=ports[:2], output_names=ports[2:],
        dynamic_axes={port: {0: "pieces"} for port in ports}, opset_version=17, dynamo=False,
    )  # fmt: skip
    model = onnx.load(str(out))
    for key, value in (("symbols", "\n".join(names)), ("styles", " ".join(STYLES)), ("size", str(SIZE))):
        entry = model.metadata_props.add()
        entry.key, entry.value = key, value
    onnx.save(model, str(out))
    print(out, out.stat().st_size, "bytes")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(dest="command", required=True)
    one = commands.add_parser("make")
    one.add_argument("pages", type=Path)
    one.add_argument("out", type=Path)
    one.add_argument("--patches", type=int, default=900)
    one.add_argument("--seed", type=int, default=1)
    two = commands.add_parser("train")
    two.add_argument("files", nargs="+", type=Path)
    two.add_argument("run", type=Path)
    two.add_argument("--epochs", type=int, default=4)
    two.add_argument("--seed", type=int, default=1)
    three = commands.add_parser("export")
    three.add_argument("run", type=Path)
    three.add_argument("out", type=Path)
    asked = parser.parse_args()
    if asked.command == "make":
        make(asked.pages, asked.out, asked.patches, asked.seed)
    elif asked.command == "train":
        train(asked.files, asked.run, asked.epochs, asked.seed)
    else:
        export(asked.run, asked.out)


if __name__ == "__main__":
    main()
