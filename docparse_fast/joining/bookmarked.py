"""Headings that a page took for text, though the file's bookmarks name them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from docparse_fast.document import HEADINGS, Block, Category, OutlineEntry, ParsedPage
from docparse_fast.joining.places import blocks_of, compared, said, with_blocks
from docparse_fast.text.marks import unmarked

SHORTEST = 3  # letters and digits: a shorter title may stand anywhere on its page


def with_bookmarked_headings(pages: Sequence[ParsedPage], bookmarks: Sequence[OutlineEntry]) -> list[ParsedPage]:
    """The pages, their blocks that say no more than a bookmark of the same page does as headings.

    >>> page = ParsedPage(4, blocks=(Block(Category.TEXT, "*2.1 Fonts*"), Block(Category.TEXT, "Fonts are set.")))
    >>> [block.text for block in with_bookmarked_headings([page], [OutlineEntry(1, "2.1 Fonts", 4)])[0].blocks]
    ['2.1 Fonts', 'Fonts are set.']
    """
    named = {(entry.page, compared(entry.title)) for entry in bookmarks}
    named = {(page, title) for page, title in named if len(title) >= SHORTEST}
    named -= {(pages[n].number, said(block)) for (n, _), block in blocks_of(pages, _is_heading)}
    found = {
        (n, m): replace(block, category=Category.SECTION_HEADER, text=unmarked(block.text))
        for (n, m), block in blocks_of(pages, _may_be_heading)
        if (pages[n].number, said(block)) in named
    }
    return with_blocks(pages, found)


def _may_be_heading(block: Block) -> bool:
    """Text, or an item by its number; what a target wrote stays what the target called it."""
    is_numbered = block.category is Category.LIST_ITEM and block.text[:1].isdigit()
    return (block.category is Category.TEXT or is_numbered) and not block.spans


def _is_heading(block: Block) -> bool:
    return block.category in HEADINGS
