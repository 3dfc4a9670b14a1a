"""What the pipeline's drafts and a smaller model save a target: each alone, and both in one tree. Knows no training.

    python scripts/nano/voices.py PAGES --target deep --draft-model mini --first 0 --count 4 --json out.json

Ways take turns on each page, at tau 1; seconds are CPU seconds of decoding, the model's look at the page included. All
answers must be alike.
"""

from __future__ import annotations

import argparse
import json
import time
from collections import Counter
from pathlib import Path
from statistics import median
from typing import Any

import torch

from docparse_fast.bench.datasets import load
from docparse_fast.bench.reproduction.subjects import subjects
from docparse_fast.bench.spoiling import misread
from docparse_fast.drafted import DraftedPage
from docparse_fast.drafting import open_drafter
from docparse_fast.options import DraftOptions, SpeculationOptions
from docparse_fast.speculative.decoding import Speculation, spec_decode
from docparse_fast.speculative.writing import Decoded, Row
from docparse_fast.targets import open_target
from docparse_fast.targets.drafting_model import SmallerModel
from docparse_fast.timing import Timer
from docparse_fast.verification.page import verify_page

LONGEST, SURE = 20, 0.4  # of the model alone, as in `bench run`
OCR, MODEL, BOTH, PLAIN = "OCR", "model", "both", "plain"


class Voices:
    def __init__(self, target: str, draft: str, dtype: str) -> None:
        self.target = open_target(target, device="cpu", dtype=dtype)
        self.smaller = SmallerModel(self.target, open_target(draft, device="cpu", dtype=dtype, repetition_penalty=1.0))

    def decode(self, way: str, job: DraftedPage) -> tuple[Decoded, float]:
        timer = Timer(clock=time.process_time)
        self.target.smaller = self.smaller if way == BOTH else None
        if way in (OCR, BOTH):
            decoded = verify_page(job, {}, self.target, SpeculationOptions(tau=1.0), timer).decoded
        else:
            model = self.smaller.alone(job.image, longest=LONGEST, sure=SURE) if way == MODEL else None
            row = Row(self.target.page_view(job.image), drafting=model)
            decoded = next(iter(spec_decode(self.target.decoder, [row], Speculation(1.0), timer)))
        return decoded, timer.seconds["decode"]

    def page(self, job: DraftedPage, ways: list[str], rounds: int) -> dict[str, Any]:
        runs: dict[str, list[tuple[Decoded, float]]] = {way: [] for way in ways}
        for turn in range(rounds):
            for way in ways[turn % len(ways) :] + ways[: turn % len(ways)]:
                runs[way].append(self.decode(way, job))
        answers = {decoded.tokens for found in runs.values() for decoded, _ in found}
        return {
            "same": len(answers) == 1,
            "tokens": len(answers.pop()),
            **{way: _figures([one for one, _ in found], [took for _, took in found]) for way, found in runs.items()},
        }


def _figures(rows: list[Decoded], seconds: list[float]) -> dict[str, Any]:
    row = rows[0]
    return {
        "passes": len(row.steps),
        "seconds": round(median(seconds), 3),
        "accepted": {str(kind): count for kind, count in row.accepted.items()},
        "proposals": row.model.proposals if row.model else 0,
        "drafted": row.model.tokens if row.model else 0,
        "steady": len({(each.tokens, each.steps) for each in rows}) == 1,
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("pages", type=Path)
    parser.add_argument("--target", required=True)
    parser.add_argument("--draft-model", required=True)
    parser.add_argument("--dtype", default="float32")
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--count", type=int, default=4)
    parser.add_argument("--rounds", type=int, default=1)
    parser.add_argument("--ways", default=f"{OCR},{MODEL},{BOTH}")
    parser.add_argument("--misread", type=float, default=0.0, help="share of the drafts' letters that are spoilt")
    parser.add_argument("--json", type=Path)
    arguments = parser.parse_args()
    torch.set_num_threads(1)
    voices = Voices(arguments.target, arguments.draft_model, arguments.dtype)
    print("costs", voices.smaller.costs(160_000), flush=True)
    drafter = open_drafter(DraftOptions("embedded", ocr="always"))
    ways, total, pages = arguments.ways.split(","), Counter[str](), []
    chosen = list(subjects(load(arguments.pages)))[arguments.first : arguments.first + arguments.count]
    for subject in chosen:
        draft = misread(drafter.draft(subject.page), arguments.misread)
        found = voices.page(DraftedPage(draft.number, draft, picture=subject.page.image), ways, arguments.rounds)
        pages.append({"name": subject.name, **found})
        total += Counter({f"{way} passes": found[way]["passes"] for way in ways})
        total += Counter({f"{way} ms": round(1000 * found[way]["seconds"]) for way in ways})
        print(json.dumps(pages[-1]), flush=True)
    print(dict(total))
    if arguments.json:
        arguments.json.write_text(json.dumps(pages, indent=1) + "\n")


if __name__ == "__main__":
    main()
