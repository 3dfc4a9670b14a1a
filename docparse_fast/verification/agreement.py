"""Compares draft and answer word by word: finds corrections, omissions and additions. Knows words only."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher

from docparse_fast.document import Block, Category, Region
from docparse_fast.evidence import Correction, Invention, Omission
from docparse_fast.text.words import words

FEWEST = 3  # words in a row: a shorter stretch that only one side has is not reported
SUPPORT = 0.3  # of a block's words that a region must share to be the same piece of text


@dataclass(frozen=True, slots=True)
class Comparison:
    region_of: tuple[int | None, ...]  # for each block, its region
    corrections: tuple[Correction, ...]
    omissions: tuple[Omission, ...]
    inventions: tuple[Invention, ...]
    agreed: float  # part of the draft's words that the target wrote too; 1 if nothing was drafted


def compare(regions: Sequence[Region], blocks: Sequence[Block], likely: Sequence[int | None]) -> Comparison:
    """`likely[i]` is the region whose draft block i was accepted from, if there is one."""
    drafted = [words(region.text) if region.category is not Category.FIGURE else [] for region in regions]
    written = [words(block.text) if block.category is not Category.FIGURE else [] for block in blocks]
    region_of = tuple(
        _region(block, written[n], drafted, likely[n]) if written[n] else None for n, block in enumerate(blocks)
    )
    anywhere = Counter(word for block in written for word in block)
    supported = Counter(word for region in drafted for word in region)
    corrections: list[Correction] = []
    omissions: list[Omission] = []
    inventions: list[Invention] = []
    for n, region in enumerate(regions):
        members = [b for b, of in enumerate(region_of) if of == n]
        theirs = [word for b in members for word in written[b]]
        for mine, other in _differences(drafted[n], theirs):
            if mine and other and members:
                corrections.append(Correction(" ".join(mine), " ".join(other), region.box))
            elif len(mine) >= FEWEST and not _covers(anywhere, mine):
                omissions.append(Omission(" ".join(mine), region.box))
            elif len(other) >= FEWEST and not _covers(supported, other):
                inventions.append(Invention(members[0], " ".join(other)))
    for b, of in enumerate(region_of):
        if of is None and len(written[b]) >= FEWEST and not _covers(supported, written[b]):
            inventions.append(Invention(b, " ".join(written[b])))
    total = sum(supported.values())
    agreed = sum((supported & anywhere).values()) / total if total else 1.0
    return Comparison(region_of, tuple(corrections), tuple(omissions), tuple(inventions), agreed)


def rest_of(drafted: str, written: str) -> str:
    """The part of the draft after what was written; the last word written may be incomplete.

    >>> rest_of("The qiuck brown fox jumps.", "The quick brown f")
    'fox jumps.'
    """
    mine, theirs = drafted.split(), written.split()
    blocks = SequenceMatcher(None, mine, theirs[:-1], autojunk=False).get_matching_blocks()
    last = blocks[-2] if len(blocks) > 1 else None  # only the end marker follows it
    # each of the answer's words after the match replaces one word of the draft
    at = len(theirs) - 1 if last is None else last.a + len(theirs) - 1 - last.b
    rest = mine[at:]
    return " ".join(rest[1:] if rest[:1] == theirs[-1:] else rest)


def _region(block: Block, written: list[str], drafted: Sequence[list[str]], likely: int | None) -> int | None:
    if likely is not None:
        return likely
    mine = Counter(written)
    shares = [sum((mine & Counter(region)).values()) / len(written) for region in drafted]
    best = max(range(len(drafted)), key=shares.__getitem__, default=None)
    return best if best is not None and shares[best] >= SUPPORT else None


def _differences(mine: list[str], theirs: list[str]) -> list[tuple[list[str], list[str]]]:
    matcher = SequenceMatcher(None, mine, theirs, autojunk=False)
    return [(mine[a:b], theirs[c:d]) for tag, a, b, c, d in matcher.get_opcodes() if tag != "equal"]


def _covers(bag: Counter[str], wanted: list[str]) -> bool:
    """Whether nearly all of these words are somewhere else."""
    return sum((bag & Counter(wanted)).values()) >= 0.8 * len(wanted)
