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


def supposed(*heads: str) -> list[Category]:
    """What becomes of the first lines of these pages, which may be furniture."""
    heads_and_text = [(replace(block(head, y=60), because=SUPPOSED), block("Text.")) for head in heads]
    pages = (ParsedPage(n, 600, 800, 72.0, blocks=blocks) for n, blocks in enumerate(heads_and_text, 1))
    return [page.blocks[0].category for page in whole(ParsedDocument("a.pdf", "", tuple(pages))).pages]


@pytest.mark.parametrize("form", ["Bill 2026-{}", "W-{}", "No. {}, paid"])
def test_a_number_of_each_page_s_own_that_counts_none_stays(form):
    """Four labels and three invoices in one file lost their codes and numbers."""
    assert supposed(*(form.format(number) for number in (118, 131, 144))) == 3 * [Category.TEXT]
    assert set(supposed(*(f"Report {number}" for number in (118, 119, 120)))) == {Category.PAGE_HEADER}


def test_the_sender_of_letters_in_one_file_is_read_once():
    assert supposed(*3 * ["Weir & Co, 12 Mill Lane, Hexham NE46 1AA"]) == [Category.TEXT, *2 * [Category.PAGE_HEADER]]
    assert supposed(*3 * ["Report 3, May 2026"]) == 3 * [Category.PAGE_HEADER]


def test_of_a_head_in_two_pieces_both_are_none_of_the_text():
    firm, statement = (
        Block(Category.TEXT, text, Box(x, 40, x + 100, 52)) for text, x in (("Weir Bank", 60), ("Statement 7", 400))
    )
    pages = [ParsedPage(n, 600, 800, 72.0, blocks=(firm, statement, block(f"Booking {n}"))) for n in (1, 2)]
    found = whole(ParsedDocument("a.pdf", "", tuple(pages)))
    told = [[each.category for each in page.blocks] for page in found.pages]
    assert told == [[Category.PAGE_HEADER, Category.PAGE_HEADER, Category.TEXT]] * 2


def test_a_title_that_may_be_a_head_is_one_where_other_pages_repeat_it_alone():
    def told(*titles: str) -> set[Category]:
        pages = book(*((title, Category.TITLE) for title in titles)).pages
        pages = tuple(
            replace(
                page, blocks=(replace(page.blocks[0], because=SUPPOSED, box=Box(60, 40, 540, 60)), *page.blocks[1:])
            )
            for page in pages
        )
        return {page.blocks[0].category for page in whole(ParsedDocument("a.pdf", "", pages)).pages}

    assert told("Mill news", "Mill news", "Mill news") == {Category.PAGE_HEADER}
    assert Category.PAGE_HEADER not in told("Fares", "Repairs", "Thanks")


def exam(*numbers: str, first: Category = Category.TEXT) -> list[Category]:
    """What becomes of the heads of pages that bear these numbers."""
    heads = [block("Networks, 21 July", Category.PAGE_HEADER, y=40), block("Write clearly.", first)]
    feet = [[block(number, Category.PAGE_NUMBER, y=780)] if number else [] for number in numbers]
    pages = (ParsedPage(n, 600, 800, 72.0, blocks=(*heads, *foot)) for n, foot in enumerate(feet, 1))
    return [page.blocks[0].category for page in whole(ParsedDocument("a.pdf", "", tuple(pages))).pages]


def test_the_head_of_page_one_is_text_where_nothing_else_names_the_document():
    """An examination's subject and date were left out on every page."""
    rest = [Category.PAGE_HEADER]
    assert exam("1", "2") == exam("", "Page 2 of 2") == [Category.TEXT, *rest]
    assert exam("") == [Category.TEXT]
    assert exam("7", "8") == exam("", "") == exam("1", "2", first=Category.SECTION_HEADER) == 2 * rest


@pytest.mark.parametrize(
    ("names", "kind"), [(("A. Writer", "On Gulls"), Category.PAGE_HEADER), (("One", "Two"), Category.TITLE)]
)
def test_what_says_the_same_beside_the_numbers_of_two_pages_is_a_head_in_any_type(names, kind):
    """A journal's large heads, its author's name on each second page, were headings amid a sentence."""
    heads = [names[0], names[1], *(names if kind is Category.PAGE_HEADER else ("Three", "Four"))]
    made = [
        ParsedPage(n, 600, 800, 72.0, blocks=(number, block(head, Category.TITLE, y=40), block("A page's own text.")))
        for n, head in enumerate(heads, 2)
        for number in [Block(Category.PAGE_NUMBER, str(n), Box(20, 30, 30, 50))]
    ]
    found = whole(ParsedDocument("a.pdf", "", tuple(made)))
    assert {page.blocks[1].category in (kind, Category.SECTION_HEADER) for page in found.pages} == {True}
