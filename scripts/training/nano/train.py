"""Trains the reader on pages made as it goes. Knows optimisers, two processes and a plan; nothing of what a page is.

    python scripts/training/nano/train.py scripts/training/nano/plan.json --out checkpoints/nano

Two processes with one thread each share the weights; each sums the gradients of the batches it takes, and both step
together once enough was read. Progress is counted in core-seconds (of both processes), so that a run that is paused, or
that shares its cores, learns by the same schedule. Ctrl-C or SIGTERM saves; the same command goes on. The plan is read
again at every checkpoint, so that its end can follow what the machine has to give. `--start` begins from nano's folder.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import signal
import time
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

os.environ.setdefault("OMP_NUM_THREADS", "1")

import torch
import torch.multiprocessing as mp
from pages import Kind, Press, Sample, press
from reader import Batch, Lesson, Reader, configuration, lesson, take_weights
from tokens import Tokens
from torch import Tensor

RANKS = 2
KINDS: tuple[Kind, ...] = ("line", "region", "block", "page")
BATCH_GFLOPS = 45.0  # of one forward and backward pass: about one page
BATCHES_A_STEP = 4  # by both processes together: whoever has a core takes the next
POOL = 6  # batches drawn at once, so that lessons of one length go together
CLIP = 1.0


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


# ------------------------------------------------------------------------------------------------- two processes


@dataclass
class Shared:
    """What both processes see."""

    reader: Reader
    gradients: Tensor  # (ranks, parameters)
    tally: Tensor  # (ranks, 4): core-seconds, samples, text tokens, tokens of this step
    taken: Any  # batches of this step
    barrier: Any
    stop: Any

    @staticmethod
    def of(reader: Reader, context: Any) -> Shared:
        reader.share_memory()
        size = sum(p.numel() for p in reader.parameters())
        gradients = torch.zeros(RANKS, size).share_memory_()
        tally = torch.zeros(RANKS, 4, dtype=torch.float64).share_memory_()
        return Shared(reader, gradients, tally, context.Value("i", 0), context.Barrier(RANKS), context.Value("i", 0))


def is_matrix(name: str, parameter: Tensor) -> bool:
    """Muon is for the hidden layers' matrices; tables and read-outs keep AdamW."""
    return parameter.ndim == 2 and not any(part in name for part in ("embed", "lm_head", "letters"))


def owners(reader: Reader) -> list[int]:
    """Which process updates which parameter, so that both have as much to do."""
    work = [0.0] * RANKS
    owner: dict[str, int] = {}
    named = sorted(reader.named_parameters(), key=lambda item: -item[1].numel())
    for name, p in named:
        cost = p.numel() * 10.0
        if is_matrix(name, p):
            cost += 30.0 * min(p.shape) * p.numel()
        owner[name] = work.index(min(work))
        work[owner[name]] += cost
    return [owner[name] for name, _ in reader.named_parameters()]


class Worker:
    """One process: reads its own batches, updates its own share of the weights."""

    def __init__(self, rank: int, shared: Shared, plan: Plan, out: Path, tokens: Tokens) -> None:
        torch.set_num_threads(1)
        self.rank, self.shared, self.plan, self.out = rank, shared, plan, out
        self.started = float(shared.tally[:, 0].sum())
        self.tally = shared.tally[rank]
        seed = plan.seed * 1_000_003 + int(shared.tally[:, 1].sum()) * RANKS + rank
        self.random = random.Random(seed)
        self.reading = Reading(seed, tokens)
        self.queue: list[Batch] = []
        named = list(shared.reader.named_parameters())
        self.parameters = [p for _, p in named]
        self.mine = [i for i, owner in enumerate(owners(shared.reader)) if owner == rank and named[i][1].requires_grad]
        self._share_gradients()
        matrices = [p for i, (name, p) in enumerate(named) if i in self.mine and is_matrix(name, p)]
        others = [p for i, (name, p) in enumerate(named) if i in self.mine and not is_matrix(name, p)]
        self.optimisers = [
            torch.optim.Muon(matrices, lr=0.0, weight_decay=0.01, momentum=0.95, adjust_lr_fn="match_rms_adamw"),
            torch.optim.AdamW(others, lr=0.0, betas=(0.9, 0.98), weight_decay=0.0),
        ]
        self.figures: defaultdict[str, list[float]] = defaultdict(list)
        self.clock = time.process_time()

    def _share_gradients(self) -> None:
        """Gradients live in shared memory, one row a process; an owner adds the other's to its own."""
        start = 0
        self.ours: list[Tensor] = []
        self.theirs: list[Tensor] = []
        for p in self.parameters:
            part = slice(start, start + p.numel())
            p.grad = self.shared.gradients[self.rank, part].view_as(p)
            self.ours.append(p.grad)
            self.theirs.append(self.shared.gradients[1 - self.rank, part].view_as(p))
            start += p.numel()

    @property
    def core_seconds(self) -> float:
        return float(self.shared.tally[:, 0].sum())

    def step(self) -> None:
        """Read, wait for the other, update one's own share, wait again."""
        shared = self.shared
        shared.gradients[self.rank].zero_()
        self.tally[3] = 0
        shared.barrier.wait()
        while self._takes_another():
            self._read()
        now = time.process_time()
        self.tally[0] += now - self.clock
        self.clock = now
        shared.barrier.wait()
        rate = self.plan.rate(self.core_seconds, self.core_seconds - self.started)
        self._update(rate)
        shared.taken.value = 0
        shared.barrier.wait()

    def _takes_another(self) -> bool:
        with self.shared.taken.get_lock():
            self.shared.taken.value += 1
            return bool(self.shared.taken.value <= BATCHES_A_STEP)

    def _read(self) -> None:
        stage = self.plan.stage(self.core_seconds)
        if not self.queue:
            self.queue = self.reading.batches(stage)
        batch = self.queue.pop()
        big = max(batch.cells) > 300
        see = not stage.write or not big or self.random.random() < stage.see
        with torch.autocast("cpu", torch.bfloat16):
            lessened = self.shared.reader(batch, see=see, write=stage.write)
        weight = max(1, lessened.tokens)
        (lessened.loss * weight).backward()
        self.tally[1] += len(batch.cells)
        self.tally[2] += lessened.tokens
        self.tally[3] += weight
        for name, value in lessened.figures.items():
            self.figures[name].append(value)
        self.figures["right"].append(lessened.right / weight)

    def _update(self, rate: float) -> None:
        weight = float(self.shared.tally[:, 3].sum())
        for i in self.mine:
            self.ours[i].add_(self.theirs[i]).div_(weight)
        torch.nn.utils.clip_grad_norm_([self.parameters[i] for i in self.mine], CLIP)
        for optimiser in self.optimisers:
            for group in optimiser.param_groups:
                group["lr"] = rate
            optimiser.step()

    # ------------------------------------------------------------------------------------------- on disk

    def save(self) -> None:
        """Both processes, at the same step."""
        _write(self.out / f"optimiser-{self.rank}.pt", [o.state_dict() for o in self.optimisers])
        if self.rank == 0:
            state = {"reader": self.shared.reader.state_dict(), "tally": self.shared.tally.clone()}
            _write(self.out / "last.pt", state)
        self.shared.barrier.wait()

    def resume(self) -> None:
        file = self.out / f"optimiser-{self.rank}.pt"
        if file.exists():
            self.started = -1e9  # nothing to warm up
            for optimiser, state in zip(self.optimisers, torch.load(file, weights_only=True), strict=True):
                optimiser.load_state_dict(state)

    def record(self, **more: object) -> None:
        """One line of the log, from rank 0."""
        sums = self.shared.tally.sum(0).tolist()
        line = {
            "core_seconds": round(sums[0], 1),
            "samples": int(sums[1]),
            "text_tokens": int(sums[2]),
            "rate": self.plan.rate(sums[0], sums[0] - self.started),
            **{name: round(sum(values) / len(values), 4) for name, values in self.figures.items()},
            **more,
        }
        self.figures.clear()
        with (self.out / "log.jsonl").open("a") as log:
            log.write(json.dumps(line) + "\n")


def _write(file: Path, state: object) -> None:
    torch.save(state, file.with_suffix(".part"))
    file.with_suffix(".part").replace(file)


class Examination:
    """How well held-out samples are read with the truth so far in view: quick, so that the curve can be drawn often."""

    def __init__(self, rank: int, tokens: Tokens) -> None:
        self.press: Press = press(9_000_001 + rank, held_out=True, rare=0.4)
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


def work(rank: int, shared: Shared, plan: Path, out: Path, tokens: Tokens, every: float) -> None:
    worker = Worker(rank, shared, Plan.read(plan), out, tokens)
    worker.resume()
    examination = Examination(rank, tokens)
    began, logged, saved = time.time(), 0.0, worker.core_seconds
    shared.reader.train()
    while True:
        worker.step()
        if rank == 0 and time.time() - logged > 30:
            worker.record(seconds=round(time.time() - began), clock=time.strftime("%H:%M:%S"))
            logged = time.time()
        # both see the same numbers here: nobody reads between the step's last barrier and the next one's first
        done, due = worker.core_seconds >= worker.plan.end, worker.core_seconds - saved > every
        stop = bool(shared.stop.value)
        shared.barrier.wait()
        if due or done or stop:
            saved = worker.core_seconds
            shared.barrier.wait()
            worker.save()
            worker.plan = Plan.read(plan)
            marks = examination.take(shared.reader)
            if rank == 0:
                worker.record(seconds=round(time.time() - began), clock=time.strftime("%H:%M:%S"), **marks)
        if done or stop:
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
    torch.set_num_threads(1)
    reader = Reader(configuration(tokens))
    context = mp.get_context("fork")
    tally = None
    if (out / "last.pt").exists():
        state = torch.load(out / "last.pt", weights_only=True)
        reader.load_state_dict(state["reader"])
        tally = state["tally"]
    elif arguments.start:
        take_weights(reader, arguments.start, tokens)
    shared = Shared.of(reader, context)
    if tally is not None:
        shared.tally.copy_(tally)
    workers = [
        context.Process(target=work, args=(rank, shared, arguments.plan, out, tokens, arguments.every))
        for rank in range(RANKS)
    ]
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    for worker in workers:
        worker.start()

    def stop(_number: int, _frame: object) -> None:
        shared.stop.value = 1

    signal.signal(signal.SIGTERM, stop)
    signal.signal(signal.SIGINT, stop)
    for worker in workers:
        worker.join()


if __name__ == "__main__":
    main()
