"""Examines a trained model on pages and regions it never saw. Knows the model folder and the generator; trains nothing.

    python scripts/training/nano/evaluate.py docparse_fast/data/nano --json out.json

200 pages, as many of each subject, and 1,000 regions; the held-out typeface is examined by itself, beside them. Answers
are greedy. How fast it decodes, `docparse-fast bench run PAGES --target FOLDER --baselines hf-generate,chain` says.
"""

from __future__ import annotations

import argparse
import json
import re
import time
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import lexicon
import torch
from held_out import RARE, SEEDS, Examined, pages, regions
from pages import HELD_OUT_FONT, Sample
from rapidfuzz.distance import Levenshtein


@dataclass(frozen=True, slots=True)
class Answer:
    group: str
    worn: bool
    truth: str
    text: str
    errors: int


# -------------------------------------------------------------------------------------------------- scores


def edits(a: str, b: str) -> int:
    """Levenshtein's distance, letter by letter."""
    return int(Levenshtein.distance(a, b))


def examine(examined: Examined, samples: Sequence[tuple[str, Sample]], name: str) -> list[Answer]:
    answers = []
    began = time.process_time()
    for number, (group, sample) in enumerate(samples, 1):
        text = examined.read(sample)
        answers.append(Answer(group, sample.worn, sample.text, text, edits(text, sample.text)))
        if number % 50 == 0:
            spent = time.process_time() - began
            print(f"{name}: {number} of {len(samples)}, {spent:.0f} core-seconds, CER {cer(answers):.2%}", flush=True)
    return answers


def cer(answers: Iterable[Answer]) -> float:
    """Edits over letters of truth, all answers together."""
    answers = list(answers)
    return sum(a.errors for a in answers) / sum(len(a.truth) for a in answers)


def scores(answers: Sequence[Answer]) -> dict[str, object]:
    groups: defaultdict[str, list[Answer]] = defaultdict(list)
    for answer in answers:
        groups[answer.group].append(answer)
        groups["worn" if answer.worn else "clean"].append(answer)
    return {
        "count": len(answers),
        "letters": sum(len(a.truth) for a in answers),
        "cer": cer(answers),
        "median_cer": sorted(a.errors / len(a.truth) for a in answers)[len(answers) // 2],
        "without_error": sum(a.errors == 0 for a in answers),
        "by_kind": {
            name: {"count": len(some), "cer": cer(some), "without_error": sum(a.errors == 0 for a in some)}
            for name, some in sorted(groups.items())
        },
    }


def swapped(answers: Sequence[Answer]) -> float:
    """The error against another page's truth: the prompt says nothing, so this is what reciting could earn.

    Capped at one a page, or long answers to short pages would flatter it.
    """
    others = [*answers[1:], answers[0]]
    rates = [min(1.0, edits(b.text, a.truth) / len(a.truth)) for a, b in zip(answers, others, strict=True)]
    return sum(rates) / len(rates)


def unseen_words(answers: Sequence[Answer]) -> dict[str, float]:
    """How much of the text is words that training could not have shown."""
    known = lexicon.load(False)
    seen = {w.lower() for w in [*known.words, *known.names, *known.chain.words]}
    words = [w.lower() for a in answers for w in re.findall(r"[A-Za-z]{2,}", re.sub(r"</?\w+>", " ", a.truth))]
    return {
        "of_running_words": sum(w not in seen for w in words) / len(words),
        "of_different_words": sum(w not in seen for w in set(words)) / len(set(words)),
    }


# ------------------------------------------------------------------------------------------------ the report


def report(examined: Examined, page_count: int, region_count: int) -> dict[str, Any]:
    page_answers = examine(examined, pages(page_count), "pages")
    region_answers = examine(examined, regions(region_count), "regions")
    font_pages = examine(examined, pages(max(4, page_count // 5), HELD_OUT_FONT), "pages in the held-out font")
    font_regions = examine(examined, regions(max(4, region_count // 5), HELD_OUT_FONT), "regions in the held-out font")
    return {
        "summary": {
            "page_cer": cer(page_answers),
            "region_cer": cer(region_answers),
            "pages": len(page_answers),
            "regions": len(region_answers),
            "image_swapped_cer": swapped(page_answers),
            "unseen_words": unseen_words(page_answers),
            "held_out_font_page_cer": cer(font_pages),
            "held_out_font_region_cer": cer(font_regions),
        },
        "pages": scores(page_answers),
        "regions": scores(region_answers),
        "held_out_font": {"font": HELD_OUT_FONT, "pages": scores(font_pages), "regions": scores(font_regions)},
        "settings": {"seeds": SEEDS, "rare": RARE, "torch": torch.__version__},
    }


def table(result: dict[str, Any]) -> str:
    lines = [f"{'':28}{'count':>7}{'CER':>9}{'no error':>10}"]
    font = result["held_out_font"]
    sets = {"pages": result["pages"], "regions": result["regions"]}
    sets |= {f"{font['font']} pages": font["pages"], f"{font['font']} regions": font["regions"]}
    for name, part in sets.items():
        for kind, row in {name: part, **{f"  {k}": v for k, v in part["by_kind"].items()}}.items():
            lines.append(f"{kind:28}{row['count']:>7}{row['cer']:>9.2%}{row['without_error']:>10}")
    summary = result["summary"]
    lines.append(f"image swapped for another page's: {summary['image_swapped_cer']:.0%} of letters wrong")
    lines.append(f"running words never trained on: {summary['unseen_words']['of_running_words']:.0%}")
    return "\n".join(lines)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=Path, help="a model folder, such as docparse_fast/data/nano")
    parser.add_argument("--json", type=Path, help="write everything there")
    parser.add_argument("--pages", type=int, default=200)
    parser.add_argument("--regions", type=int, default=1000)
    arguments = parser.parse_args()
    torch.set_num_threads(1)
    result = report(Examined(arguments.folder), arguments.pages, arguments.regions)
    print(table(result))
    if arguments.json:
        arguments.json.write_text(json.dumps(result, indent=2) + "\n")


if __name__ == "__main__":
    main()
