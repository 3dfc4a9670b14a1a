"""Sheets of columns, and tables that look like one."""

from docparse_fast.document import Box
from docparse_fast.drafting.blocks.strips import strip_edges


def rows(columns, count, step=14.0, top=100.0):
    return [Box(x, top + n * step, x + width, top + n * step + 10) for n in range(count) for x, width in columns]


def test_rows_that_go_on_across_the_white_are_one_tables():
    """A statement's dates and texts, and its amounts and balances: two halves that begin at equal distances."""
    statement = rows([(0, 50), (60, 120), (250, 50), (310, 60)], 15)
    assert strip_edges(statement, 10.0, []) == []


def test_columns_whose_rows_stand_at_levels_of_their_own_are_a_sheet():
    card = rows([(0, 50), (60, 120)], 15) + rows([(250, 50), (310, 120)], 12, step=17.0, top=103.0)
    assert len(strip_edges(card, 10.0, [])) == 1
