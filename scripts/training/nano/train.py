"""Trains the reader on pages made as it goes. Knows optimisers and a plan; nothing of what a page is.

    python scripts/training/nano/train.py scripts/training/nano/plan.json --out checkpoints/nano

Progress is counted in core-seconds (of all threads), so that a run that is paused, or that shares its cores, learns by
the same schedule. Ctrl-C or SIGTERM saves; the same command goes on. The plan is read again at every checkpoint, so
that its end can follow what the machine has to give. `--start` begins from nano's folder.
"""

from __future__ import annotations

import argparse
import json
import random
import signal
import time
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import torch
from pages import Kind, Press, Sample, press
from reader import Batch, Lesson, Reader, configuration, lesson, take_weights
from tokens import Tokens
from torch import Tensor

KINDS: tuple[Kind, ...] = ("line", "region", "block", "page")
BATCH_GFLOPS = 45.0  # of one forward and backward pass: about one page
BATCHES_A_STEP = 4
POOL = 6  # batches drawn at once, so that lessons of one length go together
CLIP = 1.0
LOGGED = 30.0  # seconds between two lines of the log


# ------------------------------------------------------------------------------------------------- the plan


@dataclass(frozen=True, slots=True)
class Stage:
    """What is read for how long. `mix` weighs the samples of KINDS; `see`: how often big batches train the eyes."""

    core_seconds: float
    mix: tuple[float, ...]
    see: float = 1.0
    write: bool = True  # False: the eyes alone


@dataclass(frozen=True, slots=True)
class Plan:
    stages: tuple[Stage, ...]
    learning_rate: float
    warm_core_seconds: float
    decay_core_seconds: float
    seed: int

    @staticmethod
    def read(file: Path) -> Plan:
        plan = json.loads(file.read_text())
        stages = tuple(Stage(**{**stage, "mix": tuple(stage["mix"])}) for stage in plan.pop("stages"))
        return Plan(stages, **plan)

    @property
    def end(self) -> float:
        return sum(stage.core_seconds for stage in self.stages)

    def stage(self, core_seconds: float) -> Stage:
        for stage in self.stages:
            if core_seconds < stage.core_seconds:
                return stage
            core_seconds -= stage.core_seconds
        return self.stages[-1]

    def rate(self, core_seconds: float, since_start: float) -> float:
        """Warm up whenever the optimiser is fresh, hold, then fall to zero in a straight line."""
        warm = min(1.0, (since_start + 1) / self.warm_core_seconds)
        left = max(0.0, self.end - core_seconds) / self.decay_core_seconds
        return self.learning_rate * min(warm, 1.0, left + 0.002)


# ------------------------------------------------------------------------------------------------- lessons


class Reading:
    """An endless supply of lessons in batches of like length."""

    def __init__(self, seed: int, tokens: Tokens) -> None:
        self.press = press(seed)
        self.random = random.Random(seed)
        self.tokens = tokens

    def samples(self, kind: Kind) -> list[Sample]:
        if kind == "region":
            return self.press.regions()
        return [{"line": self.press.line, "block": self.press.block, "page": self.press.page}[kind]()]

    def batches(self, stage: Stage) -> list[Batch]:
        pool: list[Lesson] = []
        while sum(x.cost for x in pool) < BATCH_GFLOPS * POOL:
            # a region comes with three others of its page
            weights = [share / 4 if kind == "region" else share for kind, share in zip(KINDS, stage.mix, strict=True)]
            kind = self.random.choices(KINDS, weights)[0]
            pool += [lesson(sample, self.tokens) for sample in self.samples(kind)]
        pool.sort(key=lambda x: x.cells + len(x.answer))
        groups = list(_grouped(pool))
        self.random.shuffle(groups)
        return [Batch.of(group, self.tokens) for group in groups]


def _grouped(lessons: Sequence[Lesson]) -> Iterator[list[Lesson]]:
    group: list[Lesson] = []
    for x in lessons:
        if group and sum(y.cost for y in group) + x.cost > BATCH_GFLOPS:
            yield group
            group = []
        group.append(x)
    if group:
        yield group


# ------------------------------------------------------------------------------------------------- the training


def is_matrix(name: str, parameter: Tensor) -> bool:
    """Muon is for the hidden layers' matrices; tables and read-outs keep AdamW."""
    return parameter.ndim == 2 and not any(part in name for part in ("embed", "lm_head", "letters"))


@dataclass
class Spent:
    """So far, in all runs."""

    core_seconds: float = 0.0
    samples: int = 0
    text_tokens: int = 0


class Training:
    """Reads batches and steps, from where the last checkpoint stopped."""

    def __init__(self, reader: Reader, plan: Plan, out: Path, tokens: Tokens) -> None:
        self.reader, self.plan, self.out = reader, plan, out
        named = [(name, p) for name, p in reader.named_parameters() if p.requires_grad]
        self.parameters = [p for _, p in named]
        matrices = [p for name, p in named if is_matrix(name, p)]
        others = [p for name, p in named if not is_matrix(name, p)]
        self.optimisers = [
            torch.optim.Muon(matrices, lr=0.0, weight_decay=0.01, momentum=0.95, adjust_lr_fn="match_rms_adamw"),
            torch.optim.AdamW(others, lr=0.0, betas=(0.9, 0.98), weight_decay=0.0),
        ]
        self.spent = Spent()
        self.warmed = 0.0  # core-seconds at which the optimisers were fresh
        if self.checkpoint.exists():
            self._resume()
        seed = plan.seed * 1_000_003 + self.spent.samples
        self.random = random.Random(seed)
        self.reading = Reading(seed, tokens)
        self.queue: list[Batch] = []
        self.figures: defaultdict[str, list[float]] = defaultdict(list)
        self.began, self.clock = time.time(), time.process_time()

    @property
    def checkpoint(self) -> Path:
        return self.out / "last.pt"

    @property
    def rate(self) -> float:
        return self.plan.rate(self.spent.core_seconds, self.spent.core_seconds - self.warmed)

    def step(self) -> None:
        weight = sum(self._read() for _ in range(BATCHES_A_STEP))
        now = time.process_time()
        self.spent.core_seconds += now - self.clock
        self.clock = now
        for p in self.parameters:
            if p.grad is not None:
                p.grad.div_(weight)
        torch.nn.utils.clip_grad_norm_(self.parameters, CLIP)
        for optimiser in self.optimisers:
            for group in optimiser.param_groups:
                group["lr"] = self.rate
            optimiser.step()
            optimiser.zero_grad()

    def _read(self) -> int:
        """A batch, whose gradients are added; returns what it counts."""
        stage = self.plan.stage(self.spent.core_seconds)
        if not self.queue:
            self.queue = self.reading.batches(stage)
        batch = self.queue.pop()
        big = max(batch.cells) > 300
        see = not stage.write or not big or self.random.random() < stage.see
        with torch.autocast("cpu", torch.bfloat16):
            lessened = self.reader(batch, see=see, write=stage.write)
        weight = max(1, lessened.tokens)
        (lessened.loss * weight).backward()
        self.spent.samples += len(batch.cells)
        self.spent.text_tokens += lessened.tokens
        for name, value in lessened.figures.items():
            self.figures[name].append(value)
        self.figures["right"].append(lessened.right / weight)
        return weight

    # ------------------------------------------------------------------------------------------- on disk

    def save(self) -> None:
        part = self.checkpoint.with_suffix(".part")
        state: dict[str, Any] = {"reader": self.reader.state_dict(), "spent": asdict(self.spent)}
        torch.save(state | {"optimisers": [o.state_dict() for o in self.optimisers]}, part)
        part.replace(self.checkpoint)

    def _resume(self) -> None:
        state = torch.load(self.checkpoint, weights_only=True)
        self.reader.load_state_dict(state["reader"])
        self.spent, self.warmed = Spent(**state["spent"]), -1e9  # nothing to warm up
        for optimiser, stored in zip(self.optimisers, state["optimisers"], strict=True):
            optimiser.load_state_dict(stored)

    def record(self, **more: object) -> None:
        """One line of the log."""
        line = {
            **asdict(self.spent),
            "rate": self.rate,
            **{name: round(sum(values) / len(values), 4) for name, values in self.figures.items()},
            "seconds": round(time.time() - self.began),
            "clock": time.strftime("%H:%M:%S"),
            **more,
        }
        self.figures.clear()
        with (self.out / "log.jsonl").open("a") as log:
            log.write(json.dumps(line) + "\n")


class Examination:
    """How well held-out samples are read with the truth so far in view: quick, so that the curve can be drawn often."""

    def __init__(self, tokens: Tokens) -> None:
        self.press: Press = press(9_000_001, held_out=True, rare=0.4)
        samples = {"region": [s for _ in range(8) for s in self.press.regions()]}
        samples["page"] = [self.press.page() for _ in range(8)]
        lessons = {kind: [lesson(s, tokens) for s in some] for kind, some in samples.items()}
        self.batches = {kind: [Batch.of(group, tokens) for group in _grouped(some)] for kind, some in lessons.items()}

    @torch.no_grad()
    def take(self, reader: Reader) -> dict[str, object]:
        reader.eval()
        result: dict[str, object] = {}
        with torch.autocast("cpu", torch.bfloat16):
            for kind, batches in self.batches.items():
                marks = [reader(batch) for batch in batches]
                tokens = sum(m.tokens for m in marks)
                result[f"held_out_{kind}_right"] = round(sum(m.right for m in marks) / tokens, 4)
                result[f"held_out_{kind}_exact"] = sum(m.exact for m in marks)
        reader.train()
        return result


def train(training: Training, examination: Examination, plan: Path, every: float) -> None:
    stopped: list[int] = []
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda number, _: stopped.append(number))
    logged, saved = 0.0, training.spent.core_seconds
    training.reader.train()
    while True:
        training.step()
        if time.time() - logged > LOGGED:
            training.record()
            logged = time.time()
        ended = bool(stopped) or training.spent.core_seconds >= training.plan.end
        if ended or training.spent.core_seconds - saved > every:
            saved = training.spent.core_seconds
            training.save()
            training.plan = Plan.read(plan)
            training.record(**examination.take(training.reader))
        if ended:
            return


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("plan", type=Path, help="a JSON file: stages, learning rate, seed")
    parser.add_argument(
        "--out", type=Path, required=True, help="folder with tokenizer.json; checkpoints and log go there"
    )
    parser.add_argument("--start", type=Path, help="begin from this model folder (where OUT has no checkpoint)")
    parser.add_argument("--every", type=float, default=500.0, help="core-seconds between checkpoints")
    arguments = parser.parse_args()
    plan, out = Plan.read(arguments.plan), arguments.out
    tokens = Tokens(out / "tokenizer.json")
    torch.manual_seed(plan.seed)
    reader = Reader(configuration(tokens))
    if arguments.start and not (out / "last.pt").exists():
        take_weights(reader, arguments.start, tokens)
    train(Training(reader, plan, out, tokens), Examination(tokens), arguments.plan, arguments.every)


if __name__ == "__main__":
    main()
