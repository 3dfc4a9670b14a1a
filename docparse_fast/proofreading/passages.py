"""A converted page as its target would have written it. Knows blocks and dialects; asks no model."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from docparse_fast.document import EDITED, Block, Box, Category, Draft, ParsedPage, Region
from docparse_fast.verification.target import DocumentTarget


@dataclass(frozen=True, slots=True)
class AnswerPiece:
    """A piece of the answer, and the blocks that it is made of, by their places on the page."""

    tokens: tuple[int, ...]
    blocks: tuple[int, ...]


def page_passages(page: ParsedPage, target: DocumentTarget) -> list[AnswerPiece]:
    """The page's whole answer, piece by piece."""
    told = list(_regions(page))
    found: dict[tuple[int, ...], AnswerPiece] = {}
    for phrase in target.dialect.phrase_page([region for _, region in told], (page.width, page.height)):
        blocks = tuple(told[n][0] for n in phrase.regions)
        found.setdefault(
            blocks, AnswerPiece(target.encode(phrase.text), blocks)
        )  # its first reading is the one that shows
    return list(found.values())


def block_passages(page: ParsedPage, target: DocumentTarget) -> Iterator[tuple[AnswerPiece, Region]]:
    """Each block with a place as the answer to a crop of it."""
    for number, region in _regions(page):
        if page.blocks[number].box is not None and target.dialect.region_prompt(region.category) is not None:
            text = target.dialect.phrase_region(region, region.printed(region.drafts[0]))
            yield AnswerPiece((*target.encode(text), target.end), (number,)), region


def _regions(page: ParsedPage) -> Iterator[tuple[int, Region]]:
    whole = Box(0, 0, page.width, page.height)
    for number, block in enumerate(page.blocks):
        if block.text.strip() and block.category is not Category.FIGURE:
            yield number, _region(block, whole)


def _region(block: Block, whole: Box) -> Region:
    draft = Draft(block.text, _writer(block.sources))
    return Region(block.box or whole, block.category, (draft,), block.level, block.type_size)


def _writer(sources: Sequence[str]) -> str:
    """Who wrote the text as it stands: a target stands behind the drafters that it read with."""
    return next((source for source in reversed(sources) if source != EDITED), "")
