"""Measures the proofreader: which of the words that it doubts are wrong, and which wrong ones it finds.

    python scripts/training/nano/proofreading.py --pages 40 --json proofreading.json

Pages that nano's training never saw: their truth with letters spoilt in known places; what the embedded drafter reads
on them; and what it reads on a copy with fewer pixels. A word is wrong if it is not among the truth's, letter by
letter; the order of blocks is not asked.
"""

from __future__ import annotations

import argparse
import json
import random
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from difflib import SequenceMatcher
from pathlib import Path

import torch
from held_out import pages
from pages import Sample
from PIL import Image

from docparse_fast.bench.spoiling import downscaled, misread
from docparse_fast.document import (
    Block,
    Box,
    Category,
    Draft,
    Page,
    PageDraft,
    PageSource,
    ParsedPage,
    Region,
    block_of,
)
from docparse_fast.drafting import Drafter, open_drafter
from docparse_fast.options import DraftOptions
from docparse_fast.proofreading.judged_words import words_in
from docparse_fast.proofreading.proofreader import Proofreader
from docparse_fast.targets import open_target
from docparse_fast.verification.failures import Device

CUT, LONGEST_CUT = 0.4, 3  # the share of blocks whose last words are cut off, and how many at most
DOUBTFUL = 0.1  # the command's own limit
LIMITS = (0.01, 0.03, 0.1, 0.3, 0.5, 0.7, 0.9)


@dataclass(frozen=True, slots=True)
class Scored:
    share: float  # rho
    wrong: bool


def converted(sample: Sample, blocks: Sequence[Block]) -> ParsedPage:
    height, width = sample.image.shape
    return ParsedPage(1, width, height, blocks=tuple(blocks))


def spoilt(sample: Sample, truth: Sequence[Block], level: float, seed: int) -> ParsedPage:
    """The truth with a share of its letters misread, dropped or doubled."""
    height, width = sample.image.shape
    regions = tuple(
        Region(Box(0, n, width, height), block.category, (Draft(block.text, "truth"),), block.level)
        for n, block in enumerate(truth)
    )
    draft = misread(PageDraft(1, width, height, regions), level, seed)
    return converted(sample, [block_of(region) for region in draft.regions])


@dataclass(frozen=True, slots=True)
class End:
    """A block's end, and whether its last words were cut off."""

    share: float
    cut: bool


def ends(proofreader: Proofreader, sample: Sample, image: Image.Image, truth: Sequence[Block], seed: int) -> list[End]:
    """The ends of a page's blocks, where some that are no tables lost one to three words."""
    chance, blocks, cut = random.Random(seed), [], set()
    for n, block in enumerate(truth):
        words = block.text.split(" ")
        if block.category is not Category.TABLE and len(words) > LONGEST_CUT + 1 and chance.random() < CUT:
            cut.add(n)
            words = words[: -chance.randint(1, LONGEST_CUT)]
        blocks.append(replace(block, text=" ".join(words)))
    judged = proofreader.judged(converted(sample, blocks), image)
    return [End(found.more.share if found.more else 1.0, n in cut) for n, found in judged.items()]


def drafted(drafter: Drafter, sample: Sample, image: Image.Image) -> ParsedPage:
    draft = drafter.draft(Page(1, *image.size, 72.0, PageSource(lambda: image, lambda: None)))
    return converted(sample, [block_of(region) for region in draft.regions])


def scored(proofreader: Proofreader, page: ParsedPage, image: Image.Image, truth: Sequence[Block]) -> Iterator[Scored]:
    """The page's words that were judged; right are those that stand in the truth, if need be in another order."""
    judged = proofreader.judged(page, image)
    found = [word for n in sorted(judged) for word in judged[n].words if word is not None]
    right = [word.text for block in truth for word in words_in(block.text)]
    matcher = SequenceMatcher(None, [word.text for word in found], right, autojunk=False)
    runs = matcher.get_matching_blocks()
    matched = {place for at, _, size in runs for place in range(at, at + size)}
    elsewhere = Counter(right) - Counter(found[place].text for place in matched)
    for place, word in enumerate(found):
        is_moved = place not in matched and elsewhere[word.text] > 0
        elsewhere[word.text] -= is_moved
        yield Scored(word.share, place not in matched and not is_moved)


def area(words: Sequence[Scored]) -> float:
    """Under the ROC curve: how often a wrong word has a smaller share than a right one."""
    ranked = sorted(words, key=lambda word: word.share)
    wrong = sum(word.wrong for word in words)
    places = sum(place for place, word in enumerate(ranked) if word.wrong)
    return 1 - (places - wrong * (wrong - 1) / 2) / max(1, wrong * (len(words) - wrong))


def at_limits(words: Sequence[Scored]) -> list[dict[str, float]]:
    wrong = sum(word.wrong for word in words)
    rows = []
    for limit in LIMITS:
        doubted = [word for word in words if word.share < limit]
        hits = sum(word.wrong for word in doubted)
        rows.append(
            {
                "below": limit,
                "doubted": len(doubted),
                "precision": hits / max(1, len(doubted)),
                "recall": hits / max(1, wrong),
                "right_words_doubted": (len(doubted) - hits) / max(1, len(words) - wrong),
            }
        )
    return rows


def of_ends(found: Sequence[End]) -> dict[str, int]:
    named = [end for end in found if end.share < DOUBTFUL]
    right = sum(end.cut for end in named)
    return {"blocks": len(found), "cut": sum(end.cut for end in found), "named": len(named), "of them cut": right}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--pages", type=int, default=40)
    parser.add_argument("--levels", type=float, nargs="*", default=[0.01, 0.03, 0.1])
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--json", type=Path)
    arguments = parser.parse_args()
    torch.set_num_threads(1)
    target = open_target("nano", device="cpu", dtype="float32")
    proofreader = Proofreader(target, 1.0, Device())
    drafter = open_drafter(DraftOptions(drafter="embedded"))
    sets: dict[str, list[Scored]] = {}
    cut: list[End] = []
    for number, (_, sample) in enumerate(pages(arguments.pages)):
        image = Image.fromarray(sample.image).convert("RGB")
        truth = target.dialect.parse(sample.text, image.size).blocks
        forms = {
            name: drafted(drafter, sample, downscaled(image, lost))
            for name, lost in {"read by the embedded drafter": 0.0, "read on a copy of half the size": 0.5}.items()
        }
        forms |= {
            f"{level:g} of letters spoilt": spoilt(sample, truth, level, arguments.seed + number)
            for level in arguments.levels
        }
        cut += ends(proofreader, sample, image, truth, arguments.seed + number)
        for name, page in forms.items():
            sets.setdefault(name, []).extend(scored(proofreader, page, image, truth))
    report = {
        name: {
            "words": len(words),
            "wrong": sum(word.wrong for word in words),
            "area": area(words),
            "limits": at_limits(words),
        }
        for name, words in sets.items()
    }
    report |= {"ends of blocks": of_ends(cut)}
    print(table(report))
    if arguments.json:
        arguments.json.write_text(json.dumps(report, indent=1) + "\n")


def table(report: dict[str, dict]) -> str:
    lines = []
    for name, found in report.items():
        if "limits" not in found:
            lines.append(f"{name}: {found}")
            continue
        lines.append(f"{name}: {found['words']} words, {found['wrong']} wrong, area under ROC {found['area']:.3f}")
        lines.append(f"{'rho below':>10}{'doubted':>9}{'precision':>11}{'recall':>8}{'right words doubted':>21}")
        lines += [
            f"{row['below']:>10g}{row['doubted']:>9}{row['precision']:>11.2f}{row['recall']:>8.2f}{row['right_words_doubted']:>21.3f}"
            for row in found["limits"]
        ]
    return "\n".join(lines)


if __name__ == "__main__":
    main()
