"""Trains the classifier of pieces of ink that reads formulas on scans: data/models/formula_symbols.onnx.

    python scripts/formulas/train_pieces.py train PAGES RUN --seconds 3000
    python scripts/formulas/train_pieces.py export RUN formula_symbols.onnx

PAGES is a folder of train_pages.py. Samples are made while it trains: every round makes new ones and looks at them, and
at as many of the rounds before. It goes on where it was; its rate falls to nothing as the CPU seconds are spent.
"""

from __future__ import annotations

import argparse
import json
import time
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import nn
from torch.nn import functional as F  # noqa: N812
from train_glyphs import STYLES
from train_patches import Book, Patches
from train_samples import OTHERS, Samples, sampled

from docparse_fast.drafting.formulas.components import SIZE

BATCH = 256
RATE = 2e-3
WARM = 100  # steps
PATCHES = 200  # of a round
KEPT = 8  # rounds whose samples are looked at again
AGAIN = 1.25  # of them, for each new one
AVERAGED = 0.998  # of the weights' running mean that stays, at each step
BALANCED = 0.5  # how far classes are taken for equally frequent: 0 not at all, 1 wholly
SEEN = 20.0  # times that a class counts as seen before the first round
RARE = (0.7, 0.7, 4.0, 3.0, 3.0, 3.0)  # what a style counts: bold and the others are rare


class Classifier(nn.Module):
    """A piece's symbol and style, and where the baseline runs and how large the type is, in heights of the piece."""

    def __init__(self, classes: int) -> None:
        super().__init__()
        self.layers = nn.Sequential(
            nn.PixelUnshuffle(4),
            *_layer(48, 96, 1),
            *_layer(96, 128, 2),
            *_layer(128, 128, 1),
            nn.Flatten(),
            nn.Linear(128 * 16, 320),
            nn.ReLU(),
        )
        self.measures = nn.Linear(2, 32)
        self.kind = nn.Linear(320 + 32, classes + len(STYLES))
        self.place = nn.Linear(320 + 32, 2)

    def forward(self, looks: torch.Tensor, measures: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        seen = torch.cat([self.layers(looks / 255.0), F.relu(self.measures(measures))], 1)
        return self.kind(seen), self.place(seen)


def _layer(inside: int, outside: int, stride: int) -> list[nn.Module]:
    return [nn.Conv2d(inside, outside, 3, stride, 1, bias=False), nn.BatchNorm2d(outside), nn.ReLU()]


class Training:
    """A network being trained, and all that it takes to go on."""

    def __init__(self, names: list[str], run: Path, seconds: float) -> None:
        self.names, self.seconds = names, seconds
        self.state = run / "pieces.pt"
        self.network = Classifier(len(names)).to(memory_format=torch.channels_last)
        self.mean = {key: value.clone() for key, value in self.network.state_dict().items()}
        self.optimizer = torch.optim.AdamW(self.network.parameters(), lr=RATE, weight_decay=0.01)
        self.counts = torch.full((len(names),), SEEN)
        self.rounds, self.steps, self.spent = 0, 0, 0.0
        if self.state.exists():
            self._load(torch.load(self.state, weights_only=True))

    def _load(self, saved: dict[str, Any]) -> None:
        self.network.load_state_dict(saved["network"])
        self.optimizer.load_state_dict(saved["optimizer"])
        self.mean, self.counts = saved["mean"], saved.get("counts", self.counts)
        self.rounds, self.steps, self.spent = saved["rounds"], saved["steps"], saved["spent"]

    def save(self) -> None:
        saved = {
            "network": self.network.state_dict(), "optimizer": self.optimizer.state_dict(), "mean": self.mean,
            "counts": self.counts, "rounds": self.rounds, "steps": self.steps, "spent": self.spent,
            "names": "\n".join(self.names),
        }  # fmt: skip
        torch.save(saved, self.state.with_suffix(".new"))
        self.state.with_suffix(".new").replace(self.state)

    def count(self, samples: Samples) -> None:
        self.counts += torch.bincount(torch.from_numpy(samples.kinds[:, 0]), minlength=len(self.names))

    def step(self, samples: Samples, part: Any) -> float:
        self.steps += 1
        for group in self.optimizer.param_groups:
            left = max(0.0, 1 - self.spent / self.seconds)
            group["lr"] = RATE * min(1.0, self.steps / WARM) * left + 1e-5
        chosen = (
            torch.from_numpy(each[part]) for each in (samples.looks, samples.measures, samples.kinds, samples.told)
        )
        often = BALANCED * (self.counts / self.counts.sum()).log()
        loss = _loss(self.network, *chosen, often)
        self.optimizer.zero_grad(set_to_none=True)
        loss.backward()
        self.optimizer.step()
        share = min(AVERAGED, 1 - 1 / self.steps)
        for key, value in self.network.state_dict().items():
            mean = self.mean[key]
            if mean.is_floating_point():
                mean.lerp_(value, 1 - share)
            else:
                mean.copy_(value)
        return float(loss.detach())

    def right(self, samples: Samples) -> float:
        tested = Classifier(len(self.names))
        tested.load_state_dict(self.mean)
        with torch.no_grad():
            said, _ = tested.eval()(torch.from_numpy(samples.looks).float(), torch.from_numpy(samples.measures))
        return float((said[:, : len(self.names)].argmax(1).numpy() == samples.kinds[:, 0]).mean())


def train(pages: Path, run: Path, seconds: float, seed: int) -> None:
    torch.manual_seed(seed)
    torch.set_num_threads(1)
    run.mkdir(parents=True, exist_ok=True)
    book = Book(pages, json.loads((pages / "classes").read_text()) if (pages / "classes").exists() else None)
    (pages / "classes").write_text(json.dumps(book.classes, ensure_ascii=False))
    training = Training([*book.classes, *OTHERS], run, seconds)
    patches = Patches(book, seed)
    kept: list[Samples] = []
    while training.spent < seconds:
        clock = time.process_time()
        first = training.rounds * PATCHES
        new = sampled(patches, range(first, first + PATCHES))
        making = time.process_time() - clock
        right = training.right(new)  # before it learns from them
        training.count(new)
        loss = _round(training, [new, *kept], np.random.default_rng((seed, training.rounds)))
        kept = [new, *kept][:KEPT]
        training.rounds += 1
        training.spent += time.process_time() - clock
        training.save()
        print(
            f"{training.rounds} spent {training.spent:.0f} ({making:.0f}) pieces {len(new.looks)} loss {loss:.3f} "
            f"right before {right:.4f}", flush=True,
        )  # fmt: skip


def _round(training: Training, kept: list[Samples], noise: np.random.Generator) -> float:
    """One look at the newest samples, and at some of those before; the mean loss."""
    chosen = [(0, n) for n in range(len(kept[0].looks))]
    if len(kept) > 1:
        again = noise.integers(1, len(kept), round(AGAIN * len(chosen))).tolist()
        chosen += [(which, int(noise.integers(len(kept[which].looks)))) for which in again]
    order = noise.permutation(len(chosen))
    losses = []
    for start in range(0, len(order) - BATCH + 1, BATCH):
        part = [chosen[n] for n in order[start : start + BATCH]]
        losses.append(training.step(_gathered(kept, part), slice(None)))
    return float(np.mean(losses))


def _gathered(kept: list[Samples], part: list[tuple[int, int]]) -> Samples:
    return Samples(
        *(
            np.stack([getattr(kept[which], name)[n] for which, n in part])
            for name in ("looks", "measures", "kinds", "told")
        )
    )


def _loss(network: Classifier, looks: Any, measures: Any, kinds: Any, told: Any, often: torch.Tensor) -> torch.Tensor:
    """What is rare in training is not as rare in print: the network learns what speaks for a class beside `often`."""
    count = len(often)
    with torch.autocast("cpu", torch.bfloat16):
        said, placed = network(
            looks.float().contiguous(memory_format=torch.channels_last), measures + 0.03 * torch.randn_like(measures)
        )
    said, placed = said.float(), placed.float()
    lettered, measured = kinds[:, 1] >= 0, ~torch.isnan(told[:, 0])
    wanted = torch.stack([told[measured, 0].clamp(-3, 4), told[measured, 1].clamp(0.05, 12).log()], 1)
    return (
        F.cross_entropy(said[:, :count] + often, kinds[:, 0], label_smoothing=0.02)
        + 0.5 * F.cross_entropy(said[lettered][:, count:], kinds[lettered, 1], weight=torch.tensor(RARE))
        + F.smooth_l1_loss(placed[measured], wanted, beta=0.1)
    )


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
    network.load_state_dict(saved["mean"])
    given = torch.zeros(2, 3, 32, 32, dtype=torch.uint8), torch.zeros(2, 2)
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
    one = commands.add_parser("train")
    one.add_argument("pages", type=Path)
    one.add_argument("run", type=Path)
    one.add_argument("--seconds", type=float, default=3000, help="of the processor, in all")
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
