"""Which pages and blocks of parsed documents a reader should look at first. Knows documents; knows no server."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from docparse_fast.document import FURNITURE, Block, ParsedPage

DOUBTFUL = 0.85  # expected share of right words, below which a block needs a look
WORST = {"failed": 2, "partial": 1}  # a page's status; the others come after their doubts


@dataclass(frozen=True, slots=True)
class Concern:
    """Why a page or one of its blocks needs a look."""

    why: str
    block: int | None = None  # its place on the page, from 0


def concerns_of(page: ParsedPage) -> list[Concern]:
    """What to look at on a page: nothing on most pages.

    >>> from docparse_fast.document import Category
    >>> concerns_of(ParsedPage(1, blocks=(Block(Category.TEXT, "rn or m?", confidence=0.5),)))
    [Concern(why='about 50 of 100 words are right', block=0)]
    """
    found = [Concern(f"{page.status}: {page.error.message}")] if page.error is not None else []
    found += [Concern(doubt.message, doubt.block) for doubt in page.evidence.doubts]
    named = {concern.block for concern in found}
    found += [Concern(_share(block), n) for n, block in _doubtful(page) if n not in named]
    return sorted(dict.fromkeys(found), key=lambda concern: -1 if concern.block is None else concern.block)


def urgency(page: ParsedPage) -> tuple[int, bool, float]:
    """Pages with more of it come first: failed ones, then those with doubts, then those with more wrong words."""
    return WORST.get(page.status, 0), bool(page.evidence.doubts), _wrong_words(page)


def _doubtful(page: ParsedPage) -> Iterator[tuple[int, Block]]:
    for n, block in enumerate(page.blocks):
        if block.confidence is not None and block.confidence < DOUBTFUL and block.category not in FURNITURE:
            yield n, block


def _share(block: Block) -> str:
    return f"about {100 * (block.confidence or 0):.0f} of 100 words are right"


def _wrong_words(page: ParsedPage) -> float:
    return sum(
        (1 - (1 if block.confidence is None else block.confidence)) * len(block.text.split()) for block in page.blocks
    )
