"""How fast a model folder writes pages, with and without drafts, on this CPU. Knows the engine and the drafter.

    python scripts/training/nano/speeds.py docparse_fast/data/nano --pages 12 --json out.json

Seconds are CPU seconds of decoding alone: looking at the page (prefill) and drafting are left out of `speedup_*`. Every
way of decoding runs on the same page in turn, several times, and a page counts with the median. Drafts are what the
embedded drafter read on that very image. All answers must be those of the model's own generate(), token for token
(tau 1, fp32).
"""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from typing import Any

import numpy as np
import torch
from held_out import Examined, pages
from pages import Sample, padded
from PIL import Image

from docparse_fast.bench.engine.generate import Baseline, chain, hf_generate, prompt_lookup
from docparse_fast.drafting.scans.embedded import EmbeddedDrafter
from docparse_fast.speculative.candidates import TokenDraft
from docparse_fast.speculative.decoding import Speculation, spec_decode
from docparse_fast.speculative.growing_answer import Decoded, Row
from docparse_fast.speculative.metrics import average_acceptance_length, tokens_per_step
from docparse_fast.targets.decoder.vlm import View, VisionLanguageTarget
from docparse_fast.targets.dialects.nano import NANO
from docparse_fast.timing import Timer

ROUNDS = 3
LONGEST = 1200  # tokens; no page of this domain comes near
SAMPLES = Path(__file__).parents[3] / "samples" / "nano"


@dataclass(frozen=True, slots=True)
class Run:
    tokens: tuple[int, ...]
    seconds: float


class Racer:
    """One model, every way of decoding."""

    def __init__(self, folder: Path) -> None:
        self.examined = Examined(folder)
        self.target = VisionLanguageTarget(self.examined.model, slots=1)
        self.drafter = EmbeddedDrafter(threads=1)

    def generate(self, sample: Sample, way: Callable[..., Baseline] = hf_generate, **how: object) -> Run:
        ends = frozenset({self.examined.tokens.end})
        written = way(self.examined.model, self.examined.inputs(sample), LONGEST, eos=ends, **how)
        return Run(written.tokens, written.decode_seconds)

    def decode(self, sample: Sample, drafts: list[TokenDraft], grammar: list[list[int]]) -> tuple[Run, Decoded]:
        timer = Timer(clock=time.process_time)
        row = Row(View(self.examined.inputs(sample)), list(drafts), grammar, max_tokens=LONGEST)
        decoded = next(iter(spec_decode(self.target, [row], Speculation(tau=1.0), timer)))
        return Run(decoded.tokens, timer.seconds["decode"]), decoded

    def drafts(self, sample: Sample) -> tuple[list[TokenDraft], list[list[int]]]:
        regions = self.drafter.regions(self.drafter.read(Image.fromarray(sample.image)))
        height, width = sample.image.shape
        encode = self.examined.tokens.encode
        phrases = NANO.phrase_page(regions, (width, height))
        drafts = [TokenDraft(encode(phrase.text)[0], phrase.regions[0]) for phrase in phrases]
        return drafts, [encode(text)[0] for text in NANO.grammar(regions, (width, height))]

    def page(self, sample: Sample, rounds: int) -> dict[str, Any]:
        began = time.process_time()
        drafts, grammar = self.drafts(sample)
        drafting = time.process_time() - began
        last: list[Decoded] = []

        def speculative() -> Run:
            run, decoded = self.decode(sample, drafts, grammar)
            last[:] = [decoded]
            return run

        ways: dict[str, Callable[[], Run]] = {
            "generate": lambda: self.generate(sample),
            "prompt_lookup": lambda: self.generate(sample, prompt_lookup),
            "chain": lambda: self.generate(sample, chain, drafts=drafts),
            "plain": lambda: self.decode(sample, [], [])[0],
            "speculative": speculative,
        }
        runs: dict[str, list[Run]] = {name: [] for name in ways}
        for _ in range(rounds):
            for name, way in ways.items():
                runs[name].append(way())
        seconds = {name: median(run.seconds for run in some) for name, some in runs.items()}
        truth = runs["generate"][0].tokens
        return {
            "tokens": len(truth),
            "seconds": seconds,
            "drafting_seconds": drafting,
            "identical": all(run.tokens == truth for name in ("plain", "speculative") for run in runs[name]),
            "average_acceptance_length": average_acceptance_length(last),
            "tokens_per_step": tokens_per_step(last),
        }


def summary(records: list[dict[str, Any]]) -> dict[str, Any]:
    """Sums over pages: long pages count for more, as they do for whoever waits."""

    def total(way: str) -> float:
        return float(sum(record["seconds"][way] for record in records))

    against_plain = [record["seconds"]["plain"] / record["seconds"]["speculative"] for record in records]
    return {
        "identical_pages": sum(record["identical"] for record in records),
        "raced_pages": len(records),
        "speedup_vs_generate": total("generate") / total("speculative"),
        "speedup_vs_prompt_lookup": total("prompt_lookup") / total("speculative"),
        "speedup_vs_chain": total("chain") / total("speculative"),
        "speedup_vs_plain": total("plain") / total("speculative"),
        "worst_page_vs_plain": min(against_plain),
        "tokens_per_step": sum(r["tokens"] for r in records) / sum(r["tokens"] / r["tokens_per_step"] for r in records),
        "paper_speedup": total("plain") / (total("speculative") + sum(r["drafting_seconds"] for r in records)),
    }


def shipped_samples() -> list[Sample]:
    found = []
    for file in sorted(SAMPLES.glob("*.png")):
        text = file.with_suffix(".md").read_text().rstrip("\n")
        image = padded(np.asarray(Image.open(file).convert("L")))
        found.append(Sample(image, text, [-1] * len(text), [], "page", False))
    return found


def race(folder: Path, count: int, rounds: int = ROUNDS) -> dict[str, Any]:
    """The shipped samples, and `count` of the held-out pages."""
    racer = Racer(folder)
    samples = shipped_samples() + [sample for _, sample in pages(count)]
    records = []
    for number, sample in enumerate(samples, 1):
        records.append(racer.page(sample, rounds))
        part = summary(records)
        speeds = f"x{part['speedup_vs_generate']:.2f} generate, x{part['speedup_vs_plain']:.2f} plain"
        steps = f"{part['tokens_per_step']:.1f} tokens a step"
        print(f"{number} of {len(samples)}: {part['identical_pages']} identical, {speeds}, {steps}", flush=True)
    return {"summary": summary(records), "pages": records, "settings": {"rounds": rounds, "torch": torch.__version__}}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--pages", type=int, default=200, help="of the held-out pages, beside the samples")
    parser.add_argument("--rounds", type=int, default=ROUNDS)
    parser.add_argument("--json", type=Path)
    arguments = parser.parse_args()
    torch.set_num_threads(1)
    result = race(arguments.folder, arguments.pages, arguments.rounds)
    print(json.dumps(result["summary"], indent=2))
    if arguments.json:
        arguments.json.write_text(json.dumps(result, indent=2) + "\n")


if __name__ == "__main__":
    main()
