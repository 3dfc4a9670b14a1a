"""Lists as a whole, from regions in reading order."""

from docparse_fast.document import Box, Category, Draft, Region
from docparse_fast.drafting.blocks.drafted_block import DraftedBlock
from docparse_fast.drafting.blocks.lists import figures_before_lists, with_nesting, without_bullets_of_figures
from docparse_fast.drafting.lines import Line
from docparse_fast.drafting.measures import Measures

PAGE = Measures(body=10.0, height=800.0)


def item(x: float, y: float) -> DraftedBlock:
    return DraftedBlock(Region(Box(x, y, 300, y + 10), Category.LIST_ITEM))


def figure(x0: float, x1: float) -> DraftedBlock:
    return DraftedBlock(Region(Box(x0, 100, x1, 160), Category.FIGURE))


ITEMS = [item(60, 100), item(80, 120), item(80, 140), item(60, 160)]


def test_a_figure_beside_a_list_stands_before_it_and_the_items_keep_their_depth():
    """A slide's list lost the depth of all items below the middle of its picture."""
    beside = figure(400, 500)
    found = figures_before_lists([*ITEMS[:2], beside, *ITEMS[2:]], PAGE)
    assert found[0] is beside
    assert [block.region.level for block in with_nesting(found, PAGE)[1:]] == [0, 1, 1, 0]


def test_a_figure_below_an_item_stays_there():
    made = [ITEMS[0], figure(60, 300), ITEMS[1]]
    assert figures_before_lists(made, PAGE) == made


def test_a_bullet_whose_item_is_a_picture_says_nothing():
    line = Line(Box(60, 150, 63, 160), "•", 10, "text-layer")
    bullet = DraftedBlock(Region(line.box, Category.TEXT, (Draft("•", "text-layer"),)), [line])
    assert without_bullets_of_figures([bullet, figure(80, 300)], PAGE) == [figure(80, 300)]
    alone = [bullet, figure(200, 300)]
    assert without_bullets_of_figures(alone, PAGE) == alone
