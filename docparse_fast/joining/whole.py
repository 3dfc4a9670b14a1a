"""The pass over a whole document: one step after the other, each of which changes a few blocks."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from docparse_fast.document import HEADINGS, OutlineEntry, ParsedDocument, ParsedPage
from docparse_fast.joining.bookmarked import with_bookmarked_headings
from docparse_fast.joining.contents import with_contents
from docparse_fast.joining.continuing import with_continuations
from docparse_fast.joining.counted_headings import with_counted_headings
from docparse_fast.joining.levels import with_levels
from docparse_fast.joining.running_heads import with_running_heads
from docparse_fast.joining.table_rests import with_doubted_rests, with_table_rests
from docparse_fast.text.marks import unmarked
from docparse_fast.text.markup import as_read


def whole(document: ParsedDocument, bookmarks: Sequence[OutlineEntry] = ()) -> ParsedDocument:
    """The document with its outline, heading levels that agree over all pages, and marks on what goes on.

    >>> whole(ParsedDocument("a.pdf", "", (ParsedPage(1, status="blank"),))).outline
    ()
    """
    if document.options.get("no_join"):
        doubted = tuple(with_doubted_rests(document.pages))
        return document if doubted == document.pages else replace(document, pages=doubted)
    pages = with_running_heads(document.pages)
    pages = with_table_rests(pages)
    pages = with_contents(pages, bookmarks)
    pages = with_bookmarked_headings(pages, bookmarks)
    pages = with_counted_headings(pages)
    pages = with_levels(pages, bookmarks)
    pages = with_continuations(pages)
    return replace(document, pages=tuple(pages), outline=tuple(outline_of(pages)))


def revised(before: ParsedDocument, after: ParsedDocument) -> list[ParsedPage]:
    """The pages that the pass has changed: their files are written again."""
    return [new for old, new in zip(before.pages, after.pages, strict=True) if new.blocks != old.blocks]


def outline_of(pages: Sequence[ParsedPage]) -> list[OutlineEntry]:
    return [
        OutlineEntry(block.level, as_read(unmarked(" ".join(block.text.split()))), page.number)
        for page in pages
        for block in page.blocks
        if block.category in HEADINGS
    ]
