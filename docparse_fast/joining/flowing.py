"""The document as it reads: what goes on over a page's end stands where it began. For document.md alone."""

from __future__ import annotations

from dataclasses import replace

from docparse_fast.document import Block, Category, ParsedDocument
from docparse_fast.drafting.blocks.joined_text import joined
from docparse_fast.joining.notes import with_linked_notes
from docparse_fast.joining.places import BlockAt, with_blocks
from docparse_fast.joining.tables import one_table


def flowing(document: ParsedDocument) -> ParsedDocument:
    """The same pages, with each continuing block at the end of the block that it continues, and empty in its own place.

    >>> from docparse_fast.document import ParsedPage
    >>> one = Block(Category.TEXT, "a long sen-", goes_on=True)
    >>> other = Block(Category.TEXT, "tence ends.", continues=True)
    >>> pages = ParsedPage(1, blocks=(one,)), ParsedPage(2, blocks=(other,))
    >>> [page.blocks[0].text for page in flowing(ParsedDocument("a.pdf", "", pages)).pages]
    ['a long sentence ends.', '']
    """
    changed: dict[BlockAt, Block] = {}
    open_at: BlockAt | None = None
    pages = with_linked_notes(document.pages)
    for n, page in enumerate(pages):
        for m, block in enumerate(page.blocks):
            if block.continues and open_at is not None:
                changed[open_at] = replace(changed[open_at], text=_together(changed[open_at], block))
                changed[n, m] = replace(block, text="", goes_on=False, continues=False)
            elif block.goes_on:
                open_at = (n, m)
                changed[n, m] = replace(block, goes_on=False)
    return replace(document, pages=tuple(with_blocks(pages, changed)))


def _together(before: Block, after: Block) -> str:
    if before.category is Category.TABLE:
        return one_table(before.text, after.text)
    return joined([before.text, after.text])
