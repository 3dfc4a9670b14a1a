"""Levels of headings that other headings beside them tell."""

from __future__ import annotations

from docparse_fast.document import Block, Box, Category, OutlineEntry, ParsedDocument, ParsedPage
from docparse_fast.joining import whole


def page(number: int, *titles: str) -> ParsedPage:
    heads = [
        Block(Category.SECTION_HEADER, title, Box(60, 90 + 40 * n, 540, 110 + 40 * n), level=2, type_size=20 - 2 * n)
        for n, title in enumerate(titles)
    ]
    return ParsedPage(number, 600, 800, 72.0, blocks=tuple(heads))


def test_a_chapters_number_on_a_line_of_its_own_is_as_high_as_its_title_below_a_part():
    bookmarks = [
        OutlineEntry(1, "I Rivers", 1),
        OutlineEntry(1, "II Seas", 9),
        OutlineEntry(2, "Of brooks", 2),
        OutlineEntry(3, "Where they rise", 2),
    ]
    found = whole(
        ParsedDocument("a.pdf", "", (page(1, "I Rivers"), page(2, "Kapitel 1", "Of brooks", "1.1 Where they rise"))),
        bookmarks,
    )
    assert [(entry.title, entry.level) for entry in found.outline][1:3] == [("Kapitel 1", 3), ("Of brooks", 3)]


def test_a_number_before_words_in_smaller_type_than_the_sections_parts_makes_them_no_section():
    sized = [
        ("2 Rivers", 17),
        ("2.1 Brooks", 14),
        ("2.2 Falls", 14),
        ("2.3 Mouths", 14),
        ("Aside", 11),
        ("2 of them are short", 11),
    ]
    heads = [
        Block(Category.SECTION_HEADER, text, Box(60, 90 + 40 * n, 540, 110 + 40 * n), level=2, type_size=size)
        for n, (text, size) in enumerate(sized)
    ]
    found = whole(ParsedDocument("a.pdf", "", (ParsedPage(1, 600, 800, 72.0, blocks=tuple(heads)),)))
    assert [entry.level for entry in found.outline] == [2, 3, 3, 3, 4, 4]


def test_what_a_document_begins_with_right_above_its_first_heading_is_its_title_in_any_type():
    """Groff's titles are bold words in the text's own type, as the names of parts are."""

    def levels(*kinds: Category) -> list[int]:
        boxes = [Box(60, 90 + 40 * n, 540, 110 + 40 * n) for n in range(len(kinds))]
        blocks = tuple(Block(kind, f"Brooks {n}", boxes[n], level=2, type_size=20) for n, kind in enumerate(kinds))
        found = whole(ParsedDocument("a.pdf", "", (ParsedPage(1, 600, 800, 72.0, blocks=blocks),)))
        return [entry.level for entry in found.outline]

    head, text = Category.SECTION_HEADER, Category.TEXT
    assert levels(Category.PAGE_HEADER, head, head, text, head) == [1, 2, 2]
    assert levels(head, text, head) == levels(text, head, head)[:2] == [2, 2]


def test_headings_in_capitals_stand_above_others_of_their_size():
    """A journal's sections and their parts, in bold type of one size, were all of one level."""
    titles = ("On Clay", "METHODS", "Plots", "RESULTS", "Yields", "Losses", "DISCUSSION")
    heads = [
        Block(
            Category.SECTION_HEADER,
            title,
            Box(60, 90 + 40 * n, 540, 110 + 40 * n),
            level=2 if n else 1,
            type_size=10 if n else 17,
        )
        for n, title in enumerate(titles)
    ]
    found = whole(ParsedDocument("a.pdf", "", (ParsedPage(1, 600, 800, 72.0, blocks=tuple(heads)),)))
    assert [entry.level for entry in found.outline] == [1, 2, 3, 2, 3, 3, 2]
