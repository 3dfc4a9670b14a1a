"""Trains mini on nano's choices. Knows the optimiser, the schedule and what is on disk.

    python scripts/training/nano/distil.py checkpoints/lessons NANO --out checkpoints/mini --core-seconds 250
    python scripts/training/nano/distil.py checkpoints/lessons NANO --out checkpoints/mini --export FOLDER

One process with one thread. Progress is counted in its core-seconds; a run that was stopped goes on from the last save.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import shutil
import time
from collections import defaultdict
from collections.abc import Mapping, Sequence
from pathlib import Path

os.environ.setdefault("OMP_NUM_THREADS", "1")

import torch
from lessons import Seen, read
from mini import SIGHTS, Mini, Shown
from tokens import Tokens
from train import is_matrix
from transformers import GenerationConfig

SEED = 1
RATE, WARM = 1e-3, 10.0  # learning rate, core-seconds until it is reached
SHARES = {"M": 0.35, "T": 0.10, "C": 0.40, "P": 0.15}
REGIONS = 0.2  # of the batches; the rest are of pages
TOKENS_A_BATCH = 2500  # cells and text together
EXAMINED = 10  # lessons of each kind that are never trained on
SAVE_EVERY = 25.0  # core-seconds
CLIP = 1.0


class Course:
    """The model, its optimisers and how far they have come."""

    def __init__(self, tokens: Tokens, nano: Path, core_seconds: float, shares: Mapping[str, float] = SHARES) -> None:
        torch.manual_seed(SEED)
        self.mini = Mini(tokens, nano)
        self.shares = shares
        self.tokens, self.nano, self.end = tokens, nano, core_seconds
        self.spent, self.batches = 0.0, 0
        learnt = self.mini.learnt()
        matrices = [one for name, one in learnt.items() if is_matrix(name, one)]
        others = [one for name, one in learnt.items() if not is_matrix(name, one)]
        self.optimisers = [
            torch.optim.Muon(matrices, lr=0.0, weight_decay=0.01, momentum=0.95, adjust_lr_fn="match_rms_adamw"),
            torch.optim.AdamW(others, lr=0.0, betas=(0.9, 0.98), weight_decay=0.0),
        ]

    def run(self, pages: Sequence[Seen], regions: Sequence[Seen], out: Path) -> None:
        clock, saved = time.process_time(), self.spent
        figures: defaultdict[str, list[float]] = defaultdict(list)
        while self.spent < self.end:
            for name, value in self.step(pages[EXAMINED:], regions[EXAMINED:]).items():
                figures[name].append(value)
            now = time.process_time()
            self.spent, clock = self.spent + now - clock, now
            if self.spent - saved > SAVE_EVERY or self.spent >= self.end:
                saved = self.spent
                self.save(out)
                line = {name: round(sum(values) / len(values), 3) for name, values in figures.items()}
                figures.clear()
                self.record(out, {**line, **self.examine(pages[:EXAMINED], regions[:EXAMINED])})

    def step(self, pages: Sequence[Seen], regions: Sequence[Seen]) -> dict[str, float]:
        chance = random.Random(SEED * 1_000_003 + self.batches)
        kind = regions if chance.random() < REGIONS else pages
        sight = chance.choices(list(self.shares), list(self.shares.values()))[0]
        shown = Shown.of(self._drawn(kind, chance), sight, self.tokens, chance)
        with torch.autocast("cpu", torch.bfloat16):
            lessened = self.mini(shown)
        lessened.loss.backward()
        rate = RATE * min(1.0, (self.spent + 1) / WARM, 1.0 - self.spent / self.end + 0.002)
        self.descend(rate)
        self.batches += 1
        return {**lessened.figures, f"right_{sight}": lessened.right / lessened.tokens}

    def descend(self, rate: float) -> None:
        torch.nn.utils.clip_grad_norm_(list(self.mini.learnt().values()), CLIP)
        for optimiser in self.optimisers:
            for group in optimiser.param_groups:
                group["lr"] = rate
            optimiser.step()
            optimiser.zero_grad()

    def _drawn(self, lessons: Sequence[Seen], chance: random.Random) -> list[Seen]:
        """Neighbours in length, as many as fill a batch."""
        ordered = sorted(lessons, key=_length)
        first = chance.randrange(len(ordered))
        count = max(1, TOKENS_A_BATCH // _length(ordered[first]))
        return ordered[max(0, first - count) : first] or ordered[:1]

    @torch.no_grad()
    def examine(self, pages: Sequence[Seen], regions: Sequence[Seen]) -> dict[str, float]:
        """The share of nano's choices that mini makes too, on lessons kept apart."""
        found = {}
        for kind, lessons in (("page", pages), ("region", regions)):
            for sight in SIGHTS:
                marks = [self.mini(Shown.of([one], sight, self.tokens, random.Random(SEED))) for one in lessons]
                right, count = sum(mark.right for mark in marks), sum(mark.tokens for mark in marks)
                found[f"{kind}_{sight}"] = round(right / count, 4)
        return found

    # ------------------------------------------------------------------------------------------- on disk

    def save(self, out: Path) -> None:
        state = {
            "mini": self.mini.state_dict(),
            "optimisers": [one.state_dict() for one in self.optimisers],
            "spent": self.spent,
            "batches": self.batches,
        }
        torch.save(state, out / "last.part")
        (out / "last.part").replace(out / "last.pt")

    def resume(self, out: Path) -> None:
        if (out / "last.pt").exists():
            state = torch.load(out / "last.pt", weights_only=True)
            self.mini.load_state_dict(state["mini"])
            self.spent, self.batches = state["spent"], state["batches"]
            for optimiser, one in zip(self.optimisers, state["optimisers"], strict=True):
                optimiser.load_state_dict(one)

    def record(self, out: Path, figures: dict[str, float]) -> None:
        line = {"core_seconds": round(self.spent, 1), "batches": self.batches, **figures}
        with (out / "log.jsonl").open("a") as log:
            log.write(json.dumps(line) + "\n")

    def export(self, folder: Path) -> None:
        """A model folder that the ordinary loading code reads."""
        folder.mkdir(parents=True, exist_ok=True)
        model = self.mini.model
        ends = [self.tokens.end, self.tokens.special("<|endoftext|>")]
        model.generation_config = GenerationConfig(
            do_sample=False, eos_token_id=ends, pad_token_id=self.tokens.special("<|endoftext|>")
        )
        model.config.docparse_fast_target = "nano"  # its dialect and its prompt
        model.to(torch.float16).save_pretrained(folder)
        for name in ("tokenizer.json", "tokenizer_config.json", "preprocessor_config.json"):
            shutil.copy(self.nano / name, folder)


def _length(one: Seen) -> int:
    return one.features.shape[1] + len(one.answer)


def main(kind: type[Course] = Course) -> None:
    """The command line, for another way of training as well."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("lessons", type=Path, help="lessons.py's OUT")
    parser.add_argument("nano", type=Path, help="the model folder whose eyes mini has")
    parser.add_argument("--out", type=Path, required=True, help="the checkpoint and the log go there")
    parser.add_argument("--core-seconds", type=float, default=250.0)
    parser.add_argument("--only", choices=SIGHTS, help="show lessons in this way alone")
    parser.add_argument("--export", type=Path, help="train nothing; write the checkpoint as a model folder")
    arguments = parser.parse_args()
    torch.set_num_threads(1)
    arguments.out.mkdir(parents=True, exist_ok=True)
    tokens, shares = Tokens(arguments.nano / "tokenizer.json"), {arguments.only: 1.0} if arguments.only else SHARES
    course = kind(tokens, arguments.nano, arguments.core_seconds, shares)
    course.resume(arguments.out)
    if arguments.export:
        course.export(arguments.export)
    else:
        course.run(read(arguments.lessons, "page"), read(arguments.lessons, "region"), arguments.out)


if __name__ == "__main__":
    main()
