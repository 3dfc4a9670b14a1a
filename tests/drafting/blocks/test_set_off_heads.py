"""Headings in the size of the text, told by their place and their letters."""

import pytest

from docparse_fast.document import Box, Category, Draft, Region
from docparse_fast.drafting.blocks.drafted_block import DraftedBlock
from docparse_fast.drafting.blocks.set_off_heads import with_set_off
from docparse_fast.drafting.lines import Line
from docparse_fast.drafting.measures import Measures

COLUMN = (100.0, 400.0)


def block(plain, y, *, x0=None, rows=1, text="", italic=False, category=Category.TEXT):
    width = min(5.0 * len(plain), COLUMN[1] - COLUMN[0])
    left = (sum(COLUMN) - width) / 2 if x0 is None else x0
    boxes = [Box(left, y + 12 * n, left + width, y + 12 * n + 10) for n in range(rows)]
    lines = [Line(box, text or plain, 10, "text-layer", italic=italic, plain=plain) for box in boxes]
    return DraftedBlock(Region(Box.around(boxes), category, (Draft(text or plain, "text-layer"),)), lines)


def prose(y):
    return block("Words that fill a line of their column from end to end, as prose does it.", y, x0=COLUMN[0], rows=4)


def heads(*blocks):
    found = with_set_off(blocks, Measures(body=10.0, height=800.0))
    return [block.region.text for block in found if block.category is Category.SECTION_HEADER]


@pytest.mark.parametrize("text", ["I. INTRODUCTION", "2. Related work", "ACKNOWLEDGMENTS"])
def test_a_line_in_the_middle_that_is_numbered_or_in_capitals_is_a_heading(text):
    assert heads(prose(40), block(text, 100), prose(120)) == [text]


def test_an_item_that_is_slanted_and_stands_alone_is_a_heading():
    item = block(
        "A. Multiline equations", 100, x0=COLUMN[0], text="A. *Multiline equations*", category=Category.LIST_ITEM
    )
    assert heads(prose(40), item, prose(120)) == ["A. Multiline equations"]


def test_a_slanted_line_above_text_is_a_heading():
    line = block("Samples and tubes", 100, x0=COLUMN[0], text="*Samples and tubes*", italic=True)
    assert heads(prose(40), line, prose(120)) == ["Samples and tubes"]


def test_a_line_in_capitals_at_the_left_above_text_is_a_heading():
    assert heads(prose(40), block("SOME EXAMPLES", 100, x0=COLUMN[0]), prose(120)) == ["SOME EXAMPLES"]


def test_a_heading_may_stand_above_another():
    lower = block("A. Setup", 120, x0=COLUMN[0], text="A. *Setup*")
    assert heads(prose(40), block("III. METHODS", 100), lower, prose(140)) == ["III. METHODS", "A. Setup"]


def test_names_dates_and_sentences_in_the_middle_are_none():
    assert heads(prose(40), block("Jo Okafor, 2026", 100), prose(120)) == []
    assert heads(prose(40), block("THE END.", 100), prose(120)) == []
    assert heads(prose(40), block("University of Porto", 100, italic=True), prose(120)) == []


def test_a_line_that_no_text_follows_is_none():
    assert heads(prose(40), block("I. INTRODUCTION", 100), block("Words", 120)) == []


def test_a_line_close_below_text_is_none():
    assert heads(prose(40), block("*as they said*", 88, x0=COLUMN[0], italic=True), prose(110)) == []
