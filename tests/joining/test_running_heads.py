"""Heads and feet that count the pages, told over the whole document."""

from __future__ import annotations

from dataclasses import replace

import pytest

from docparse_fast.document import SUPPOSED, Block, Box, Category, ParsedDocument, ParsedPage
from docparse_fast.joining import whole


def block(text: str, category: Category = Category.TEXT, *, y: float = 400.0) -> Block:
    return Block(category, text, Box(60, y - 10, 540, y + 10))


def book(*heads: tuple[str, Category]) -> ParsedDocument:
    """Pages of text below these heads."""
    made = [
        ParsedPage(n, 600, 800, 72.0, blocks=(block(text, category, y=105), block("A page's own text.")))
        for n, (text, category) in enumerate(heads, 1)
    ]
    return ParsedDocument("a.pdf", "", tuple(made))


KNOWN = [
    (f"{n} {head}", Category.PAGE_HEADER) for n, head in enumerate(("FILES", "2. NAMES", "FILES", "2.3. ENDS"), 11)
]


@pytest.mark.parametrize("head", ["15 *A CHAPTER OF ONE PAGE*", "3.1. A LONG TITLE THAT TOUCHES ITS NUMBER15"])
def test_a_head_that_counts_its_page_as_others_do_is_no_text(head):
    found = whole(book(*KNOWN, (head, Category.TEXT)))
    assert found.pages[4].blocks[0].category is Category.PAGE_HEADER


def test_roman_numbers_count_pages_too():
    known = [(f"{number} CONTENTS", Category.PAGE_HEADER) for number in ("ii", "iii", "iv")]
    found = whole(book(("i", Category.PAGE_HEADER), *known, ("Notation v", Category.TEXT)))
    assert found.pages[4].blocks[0].category is Category.PAGE_HEADER


@pytest.mark.parametrize("head", ["16 letters are few", "Nothing but words", "1.5 A section"])
def test_a_number_that_counts_no_page_stays_in_the_text(head):
    found = whole(book(*KNOWN, (head, Category.TEXT)))
    assert found.pages[4].blocks[0].category is Category.TEXT


def test_what_may_be_a_head_is_one_where_another_page_has_one_at_its_height():
    first, second = (replace(block(text, y=60), because=SUPPOSED) for text in ("A. Writer", "On Gulls"))
    alone = ParsedDocument("a.pdf", "", (ParsedPage(1, 600, 800, 72.0, blocks=(first, block("Text."))),))
    both = replace(alone, pages=(*alone.pages, ParsedPage(2, 600, 800, 72.0, blocks=(second, block("Text.")))))
    assert whole(alone).pages[0].blocks[0].category is Category.TEXT
    assert [page.blocks[0].category for page in whole(both).pages] == 2 * [Category.PAGE_HEADER]
