"""Headings that only their numbers tell, on scans above all."""

from __future__ import annotations

from docparse_fast.document import Block, Category, ParsedPage
from docparse_fast.joining.counted_headings import with_counted_headings

HEAD, TEXT, ITEM = Category.SECTION_HEADER, Category.TEXT, Category.LIST_ITEM
WORDS = (TEXT, "The owners of the boats met in the hall behind the harbour.")


def headings(*blocks: tuple[Category, str]) -> list[str]:
    pages = [ParsedPage(1, 600, 800, 72.0, blocks=tuple(Block(kind, text) for kind, text in blocks))]
    (page,) = with_counted_headings(pages)
    return [block.text for block in page.blocks if block.category in (HEAD, Category.TITLE)]


def paper(*blocks: tuple[Category, str]) -> list[str]:
    """Between the second and the fourth section of four."""
    ends = [(HEAD, f"{number}. SECTION {number}") for number in ("I", "II", "IV")]
    return headings(
        ends[0], WORDS, (HEAD, "A. Boats"), WORDS, (HEAD, "B. Nets"), WORDS, ends[1], WORDS, *blocks, ends[2]
    )


def test_a_section_between_two_others_is_headed():
    assert "III. RESULTS" in paper((TEXT, "**III. RESULTS**"), WORDS)


def test_parts_are_counted_from_each_section_on():
    found = paper((ITEM, "- A. Prices"), WORDS, (TEXT, "B. Catches"), WORDS)
    assert found[4:6] == ["A. Prices", "B. Catches"]


def test_items_one_below_the_other_are_a_list():
    assert len(paper((ITEM, "- A. Prices"), (ITEM, "- B. Catches"), WORDS)) == 5


def test_a_sentence_and_a_number_out_of_turn_head_nothing():
    assert len(paper((TEXT, "III. Here the results are told."), WORDS, (TEXT, "VI. RESULTS"), WORDS)) == 5


def test_a_step_behind_others_is_no_section_though_it_counts_the_next():
    """Steps with words below each, in the third section."""
    steps = [each for n in (1, 2, 3, 4) for each in ((ITEM, f"{n}. Haul the net"), WORDS)]
    sections = [each for n in (1, 2, 3) for each in ((HEAD, f"{n} Section"), WORDS)]
    assert len(headings(*sections, *steps)) == 3


def test_numbers_in_a_way_in_which_no_headings_are_numbered_say_nothing():
    assert headings((HEAD, "Boats"), WORDS, (TEXT, "1.1 Nets"), WORDS, (TEXT, "1.2 Oars"), WORDS) == ["Boats"]
