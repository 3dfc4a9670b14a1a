"""Sheets of columns, and tables that look like one."""

from docparse_fast.document import Box
from docparse_fast.drafting.blocks.strips import parted_at, strip_edges


def rows(columns, count, step=14.0, top=100.0):
    return [Box(x, top + n * step, x + width, top + n * step + 10) for n in range(count) for x, width in columns]


def test_rows_that_go_on_across_the_white_are_one_tables():
    """A statement's dates and texts, and its amounts and balances: two halves that begin at equal distances."""
    statement = rows([(0, 50), (60, 120), (250, 50), (310, 60)], 15)
    assert strip_edges(statement, 10.0, []) == []


def test_columns_whose_rows_stand_at_levels_of_their_own_are_a_sheet():
    card = rows([(0, 50), (60, 120)], 15) + rows([(250, 50), (310, 120)], 12, step=17.0, top=103.0)
    assert len(strip_edges(card, 10.0, [])) == 1


SIZE, PITCH = 10, 300


def cell(x, row, width):
    return Box(x, 14 * row, x + width, 14 * row + SIZE)


def column(left, rows=12, first=0.0):
    """Names at the left; what they name in line or, where it is long, at the right edge. Rows begin at `first`."""
    found = []
    for n in range(rows):
        y = first + n
        found.append(cell(left, y, 60 + 5 * (n % 4)))
        found.append(cell(left + 110, y, 140) if n % 5 == 4 else cell(left + 150, y, 40))
    return found


def test_columns_of_rows_that_begin_at_equal_distances_make_a_sheet():
    lines = [*column(0), *column(PITCH, first=0.4), *column(2 * PITCH, first=0.8)]
    edges = strip_edges(lines, SIZE)
    assert [len(strip) for strip in parted_at(edges, lines)] == [24, 24, 24]


def test_rules_under_every_row_make_one_table_of_what_looks_like_two_columns():
    lines = [*column(0), *column(PITCH, first=0.4)]
    rules = [Box(0, 14 * row + 12, 2 * PITCH, 14 * row + 12) for row in range(12)]
    assert strip_edges(lines, SIZE)
    assert strip_edges(lines, SIZE, rules) == []


def test_a_sheet_may_have_a_rule_below_its_title_and_one_above_its_foot():
    lines = [*column(0), *column(PITCH, first=0.4)]
    rules = [Box(0, y, 2 * PITCH, y) for y in (-5, 175)]
    assert strip_edges(lines, SIZE, rules) == strip_edges(lines, SIZE)


def test_two_columns_of_prose_are_no_sheet():
    prose = [cell(x, row, 260) for x in (0, PITCH) for row in range(20)]
    assert strip_edges(prose, SIZE) == []


def test_a_table_across_the_page_is_no_sheet():
    table = [cell(x, row, 40) for x in (0, 130, 240, 400) for row in range(20)]
    assert strip_edges(table, SIZE) == []


def test_rows_that_have_more_cells_in_one_half_than_in_the_other_are_one_tables():
    lines = [cell(x, row, 40) for row in range(12) for x in (0, 80, 160, 240, PITCH + 90, PITCH + 170)]
    lines += [cell(400, row, 40) for row in range(12)]
    wide = [box for box in lines if box.x0 < PITCH] + [
        Box(x, 14 * row, x + 40, 14 * row + SIZE) for row in range(12) for x in (PITCH + 60, PITCH + 140, PITCH + 220)
    ]
    assert strip_edges(wide, SIZE) == []
