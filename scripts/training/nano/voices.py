"""What drafts, a smaller model and a store of n-grams save a target: each alone, and together in one tree.

    python scripts/training/nano/voices.py PAGES --target nano-deep --draft-model mini --ways OCR,model,OCR+model+store
    python scripts/training/nano/voices.py PAGES --target nano --draft-model mini --gpu --misread 0.3

Ways take turns on each page, at tau 1, and all answers must be alike. Seconds are CPU seconds of decoding, the model's
look at the page included. With `--gpu` costs are assumed, of a GPU and a model a twentieth of its size: passes and
what they would cost are what counts. Beside drafts the store tells the model alone, as in the product.
"""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from statistics import median
from typing import Any

import torch
from PIL import Image

from docparse_fast.bench.datasets import load
from docparse_fast.bench.replay.stored import GPU_LIKE
from docparse_fast.bench.reproduction.subjects import subjects
from docparse_fast.bench.spoiling import misread
from docparse_fast.drafted import DraftedPage
from docparse_fast.drafting import open_drafter
from docparse_fast.options import DraftOptions, SpeculationOptions
from docparse_fast.speculative.decoding import Speculation, spec_decode
from docparse_fast.speculative.drafting import DraftingCosts
from docparse_fast.speculative.growing_answer import Decoded, Row
from docparse_fast.speculative.token_store import TokenStore
from docparse_fast.targets import open_target
from docparse_fast.targets.decoder.vlm import VisionLanguageTarget
from docparse_fast.targets.drafting_model import SmallerModel
from docparse_fast.timing import Timer
from docparse_fast.verification.page import verify_page

OCR, MODEL, STORE, PLAIN = "OCR", "model", "store", "plain"
GPU_COSTS = DraftingCosts(reading=3.0, token=0.05, further=0.00025)


@dataclass(frozen=True, slots=True)
class Run:
    decoded: Decoded
    seconds: float
    cost: float  # in plain passes of the target


class AtGpuCosts(SmallerModel):
    def costs(self, pixels: int) -> DraftingCosts:
        return GPU_COSTS


class KeepingStore:
    """A target whose rows keep the given store, or none."""

    def __init__(self, target: Any, store: TokenStore | None) -> None:
        self._target, self._store = target, store

    def __getattr__(self, name: str) -> Any:
        return getattr(self._target, name)

    def decode_rows(self, rows: Iterable[Row], speculation: Speculation, timer: Timer) -> Iterator[Decoded]:
        return self._target.decode_rows([replace(row, store=self._store) for row in rows], speculation, timer)


class Voices:
    def __init__(self, target: str, draft: str, dtype: str, *, gpu: bool) -> None:
        self.target: Any = open_target(target, device="cpu", dtype=dtype)
        smaller = open_target(draft, device="cpu", dtype=dtype, repetition_penalty=1.0)
        if gpu:
            decoder = self.target.decoder
            self.target.decoder = VisionLanguageTarget(decoder.network, slots=1, eos=decoder.eos, costs=GPU_LIKE)
        self.smaller = (AtGpuCosts if gpu else SmallerModel)(self.target, smaller)

    def run(self, way: str, job: DraftedPage) -> Run:
        voices, timer = set(way.split("+")), Timer(clock=time.process_time)
        store = TokenStore(to_target=OCR not in voices) if STORE in voices else None
        self.target.smaller = self.smaller if MODEL in voices else None
        if OCR in voices:
            target: Any = KeepingStore(self.target, store)
            decoded = verify_page(job, {}, target, SpeculationOptions(tau=1.0), timer).decoded
        else:
            model = self.smaller.of_page(job.image) if MODEL in voices else None
            row = Row(self.target.page_view(job.image), drafting=model, store=store)
            decoded = next(iter(spec_decode(self.target.decoder, [row], Speculation(1.0), timer)))
        if decoded.model and decoded.model.failure:
            raise RuntimeError(decoded.model.failure)
        return Run(decoded, timer.seconds["decode"], self._cost(decoded, job.image))

    def _cost(self, decoded: Decoded, image: Image.Image) -> float:
        passes = sum(self.target.decoder.costs.cost(1, step.nodes) for step in decoded.steps)
        if not decoded.model or not decoded.model.passes:
            return passes
        costs = self.smaller.costs(image.width * image.height)
        return passes + costs.reading + decoded.model.passes * costs.token

    def page(self, job: DraftedPage, ways: list[str], rounds: int) -> dict[str, Any]:
        runs: dict[str, list[Run]] = {way: [] for way in ways}
        for turn in range(rounds):
            for way in ways[turn % len(ways) :] + ways[: turn % len(ways)]:
                runs[way].append(self.run(way, job))
        answers = {run.decoded.tokens for found in runs.values() for run in found}
        same, tokens = len(answers) == 1, len(answers.pop())
        return {"same": same, "tokens": tokens, **{way: _figures(found) for way, found in runs.items()}}


def _figures(runs: list[Run]) -> dict[str, Any]:
    decoded = runs[0].decoded
    return {
        "passes": len(decoded.steps),
        "seconds": round(median(run.seconds for run in runs), 3),
        "cost": round(runs[0].cost, 2),
        "model passes": decoded.model.passes if decoded.model else 0,
        "drafted": decoded.model.tokens if decoded.model else 0,
        "steady": len({(run.decoded.tokens, run.decoded.steps) for run in runs}) == 1,
    }


def _summary(pages: list[dict[str, Any]], ways: list[str]) -> Iterator[str]:
    """Sums, and each way beside the first one: of all pages, and of the worst."""
    for way in ways:
        first, costs = [page[ways[0]]["cost"] for page in pages], [page[way]["cost"] for page in pages]
        sums = {name: sum(page[way][name] for page in pages) for name in ("passes", "model passes", "seconds")}
        worst = min(one / other for one, other in zip(first, costs, strict=True))
        speed = sum(page["tokens"] - 1 for page in pages) / sum(costs)
        figures = ", ".join(f"{name} {value:.0f}" for name, value in sums.items())
        yield f"{way}: {figures}, {speed:.2f}x by costs; to {ways[0]} {sum(first) / sum(costs):.3f}, worst {worst:.3f}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("pages", type=Path)
    parser.add_argument("--target", required=True)
    parser.add_argument("--draft-model", required=True)
    parser.add_argument("--dtype", default="float32")
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--count", type=int, default=4)
    parser.add_argument("--rounds", type=int, default=1)
    parser.add_argument("--ways", default="OCR,store,model,model+store,OCR+store,OCR+model,OCR+model+store")
    parser.add_argument("--misread", type=float, default=0.0, help="share of the drafts' letters that are spoilt")
    parser.add_argument("--gpu", action="store_true", help="at a GPU's costs: count passes, not seconds")
    parser.add_argument("--json", type=Path)
    arguments = parser.parse_args()
    torch.set_num_threads(1)
    voices = Voices(arguments.target, arguments.draft_model, arguments.dtype, gpu=arguments.gpu)
    print("costs", voices.smaller.costs(160_000), flush=True)
    drafter = open_drafter(DraftOptions("embedded", ocr="always"))
    ways, pages = arguments.ways.split(","), []
    for subject in list(subjects(load(arguments.pages)))[arguments.first : arguments.first + arguments.count]:
        draft = misread(drafter.draft(subject.page), arguments.misread)
        found = voices.page(DraftedPage(draft.number, draft, picture=subject.page.image), ways, arguments.rounds)
        pages.append({"name": subject.name, **found})
        print(json.dumps(pages[-1]), flush=True)
    print("answers alike:", sum(page["same"] for page in pages), "of", len(pages))
    print("\n".join(_summary(pages, ways)))
    if arguments.json:
        arguments.json.write_text(json.dumps(pages, indent=1) + "\n")


if __name__ == "__main__":
    main()
