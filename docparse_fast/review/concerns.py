"""Which pages and blocks of parsed documents a reader should look at first. Knows documents; knows no server."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from docparse_fast.document import FURNITURE, Block, ParsedPage
from docparse_fast.proofreading.proofreader import DoubtfulWord

DOUBTFUL = 0.85  # expected share of right words, below which a block needs a look
NAMED = 6  # doubtful words of a block
STRUCTURAL = frozenset(
    {"doubtful_structure", "doubtful_table", "ragged_table", "torn_row", "torn_sentence", "odd_cell", "broken_sum"}
)  # kinds of doubts
WORST = {"failed": 2, "partial": 1}  # a page's status; the others come after their doubts


@dataclass(frozen=True, slots=True)
class Concern:
    """Why a page or one of its blocks needs a look."""

    why: str
    block: int | None = None  # its place on the page, from 0


def concerns_of(page: ParsedPage, words: Sequence[DoubtfulWord] = ()) -> list[Concern]:
    """What to look at on a page: nothing on most pages. `words`: those that a target doubts.

    >>> from docparse_fast.document import Category
    >>> concerns_of(ParsedPage(1, blocks=(Block(Category.TEXT, "rn or m?", confidence=0.5),)))
    [Concern(why='about 50 of 100 words are right', block=0)]
    """
    found = [Concern(f"{page.status}: {page.error.message}")] if page.error is not None else []
    found += [Concern(doubt.message, doubt.block) for doubt in page.evidence.doubts]
    found += _doubted(words)
    named = {concern.block for concern in found}
    found += [Concern(_share(block), n) for n, block in _doubtful(page) if n not in named]
    return sorted(dict.fromkeys(found), key=lambda concern: -1 if concern.block is None else concern.block)


def urgency(page: ParsedPage, doubted: int = 0) -> tuple[int, bool, bool, float]:
    """Pages with more of it come first: failed ones, those with doubtful rows or order, other doubts, wrong words.

    `doubted`: words that a target doubts, which are likelier wrong than what the drafter was unsure of.
    """
    kinds = {doubt.kind for doubt in page.evidence.doubts}
    return WORST.get(page.status, 0), bool(kinds & STRUCTURAL), bool(kinds), max(_wrong_words(page), doubted)


def _doubtful(page: ParsedPage) -> Iterator[tuple[int, Block]]:
    for n, block in enumerate(page.blocks):
        if block.confidence is not None and block.confidence < DOUBTFUL and block.category not in FURNITURE:
            yield n, block


def _doubted(words: Sequence[DoubtfulWord]) -> Iterator[Concern]:
    for block in dict.fromkeys(word.block for word in words):
        found = [_told(word) for word in words if word.block == block]
        more = f", and {len(found) - NAMED} more" if len(found) > NAMED else ""
        yield Concern(f"the target doubts {', '.join(found[:NAMED])}{more}", block)


def _told(word: DoubtfulWord) -> str:
    if not word.word:
        return f"that it ends here ({word.instead}...?)"
    return f"“{word.word}” ({word.instead}...?)" if word.instead else f"“{word.word}”"


def _share(block: Block) -> str:
    return f"about {100 * (block.confidence or 0):.0f} of 100 words are right"


def _wrong_words(page: ParsedPage) -> float:
    return sum(
        (1 - (1 if block.confidence is None else block.confidence)) * len(block.text.split()) for block in page.blocks
    )
