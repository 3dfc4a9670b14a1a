"""What goes on in the next column or over a page's end stands where it began.

A page's own file has its columns joined, `document.md` its pages too.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from docparse_fast.document import Block, Category, ParsedDocument, ParsedPage, PartOfBlock
from docparse_fast.joining.continued_tables import one_table
from docparse_fast.joining.notes import with_linked_notes
from docparse_fast.joining.places import BlockAt, with_blocks
from docparse_fast.text.joined_text import joined


def flowing(document: ParsedDocument) -> ParsedDocument:
    """The same pages, with each continuing block at the end of the block that it continues, and empty in its own place.

    >>> one = Block(Category.TEXT, "a long sen-", goes_on=True)
    >>> other = Block(Category.TEXT, "tence ends.", continues=True)
    >>> pages = ParsedPage(1, blocks=(one,)), ParsedPage(2, blocks=(other,))
    >>> [page.blocks[0].text for page in flowing(ParsedDocument("a.pdf", "", pages)).pages]
    ['a long sentence ends.', '']
    """
    pages = _flowing(with_linked_notes(document.pages))
    closed = {
        (n, m): replace(block, goes_on=False)
        for n, page in enumerate(pages)
        for m, block in enumerate(page.blocks)
        if block.goes_on
    }
    return replace(document, pages=tuple(with_blocks(pages, closed)))


def flowing_page(page: ParsedPage) -> ParsedPage:
    """The page with its columns joined; what other pages begin or end keeps its mark."""
    return _flowing([page])[0]


def _flowing(pages: Sequence[ParsedPage]) -> list[ParsedPage]:
    changed: dict[BlockAt, Block] = {}
    parts: dict[BlockAt, list[BlockAt]] = {}  # of what goes on, by the place where it begins
    open_at: BlockAt | None = None
    for n, page in enumerate(pages):
        for m, block in enumerate(page.blocks):
            if block.continues and open_at is not None:
                parts[open_at].append((n, m))
                changed[n, m] = replace(block, text="", goes_on=False, continues=False)
                open_at = open_at if block.goes_on else None
            elif block.goes_on:
                open_at = (n, m)
                parts[n, m] = [(n, m)]
    changed |= {place: _together(pages, places) for place, places in parts.items()}
    return with_blocks(pages, changed)


def _together(pages: Sequence[ParsedPage], places: Sequence[BlockAt]) -> Block:
    parts = tuple(PartOfBlock(pages[n].number, m, pages[n].blocks[m]) for n, m in places)
    first, last = parts[0].block, parts[-1].block
    if first is last:
        return first
    texts = [part.block.text for part in parts]
    text = one_table(texts) if first.category is Category.TABLE else joined(texts)
    return replace(first, text=text, goes_on=last.goes_on, parts=parts)
