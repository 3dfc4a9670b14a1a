"""Lists as a whole, from blocks in reading order."""

import pytest

from docparse_fast.document import Box, Category, Region
from docparse_fast.drafting.blocks.drafted_block import DraftedBlock
from docparse_fast.drafting.blocks.rules import with_nesting
from docparse_fast.drafting.lines import Line
from docparse_fast.drafting.measures import Measures


def item(x: float, y: float, height: float = 10.0) -> DraftedBlock:
    return DraftedBlock(Region(Box(x, y, 300, y + height), Category.LIST_ITEM))


def test_items_that_begin_farther_right_are_deeper():
    items = [item(60, 100), item(80, 120), item(80, 140), item(60, 160)]
    found = with_nesting(items, Measures(body=10.0, height=800.0))
    assert [block.region.level for block in found] == [0, 1, 1, 0]


def test_items_of_the_next_column_are_no_deeper():
    """Languages in three columns of two: the second column's were items of the first one's last."""
    columns = [item(x, y, 13.0) for x in (60, 160) for y in (100, 111)]
    found = with_nesting(columns, Measures(body=10.0, height=800.0))
    assert [block.region.level for block in found] == [0, 0, 0, 0]


@pytest.mark.parametrize(
    ("left", "last", "level"), [(74, Category.LIST_ITEM, 1), (60, Category.LIST_ITEM, 0), (74, Category.TEXT, 0)]
)
def test_a_paragraph_in_line_with_an_items_words_above_the_next_item_is_within_the_item(left, last, level):
    """It ended the list, and the next items were another."""

    def block(x, y, text, category):
        words = ((Box(x, y, x + 8, y + 10), text.split()[0]), (Box(x + 14, y, 300, y + 10), "and more"))
        line = Line(Box(x, y, 300, y + 10), text, 10, "text-layer", words=words)
        return DraftedBlock(Region(line.box, category), [line])

    made = [block(60, 100, "1. Deck", Category.LIST_ITEM), block(left, 114, "It was dry.", Category.TEXT)]
    found = with_nesting([*made, block(60, 128, "2. Drains", last)], Measures(body=10.0, height=800.0))
    assert found[1].region.level == level
