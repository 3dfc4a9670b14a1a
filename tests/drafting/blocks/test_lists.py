"""Lists as a whole, from blocks in reading order."""

from docparse_fast.document import Box, Category, Region
from docparse_fast.drafting.blocks.drafted_block import DraftedBlock
from docparse_fast.drafting.blocks.rules import with_nesting
from docparse_fast.drafting.measures import Measures


def item(x: float, y: float) -> DraftedBlock:
    return DraftedBlock(Region(Box(x, y, 300, y + 10), Category.LIST_ITEM))


def test_items_that_begin_farther_right_are_deeper():
    items = [item(60, 100), item(80, 120), item(80, 140), item(60, 160)]
    found = with_nesting(items, Measures(body=10.0, height=800.0))
    assert [block.region.level for block in found] == [0, 1, 1, 0]
