"""Sheets of narrow columns: where their columns begin, and the rows of names and what they name in each."""

from docparse_fast.document import Box
from docparse_fast.drafting.blocks.strips import parted_at, strip_edges
from docparse_fast.drafting.lines import Line
from docparse_fast.drafting.tables.paired_rows import paired_tables

SIZE, PITCH = 10, 300


def line(text, x, row, width):
    box = Box(x, 14 * row, x + width, 14 * row + SIZE)
    return Line(box, text, SIZE, "text-layer", words=((box, text),))


def column(left, rows=12, first=0.0):
    """Names at the left; what they name in line or, where it is long, at the right edge. Rows begin at `first`."""
    found = []
    for n in range(rows):
        y = first + n
        found.append(line(f"name {n}", left, y, 60 + 5 * (n % 4)))
        found.append(line(f"long {n}", left + 110, y, 140) if n % 5 == 4 else line(f"value {n}", left + 150, y, 40))
    return found


def boxes(lines):
    return [line.box for line in lines]


def cells(table):
    return [(cell.row, cell.column, cell.text) for cell in table.cells]


def test_columns_of_rows_that_begin_at_equal_distances_make_a_sheet():
    lines = [*column(0), *column(PITCH, first=0.4), *column(2 * PITCH, first=0.8)]
    edges = strip_edges(boxes(lines), SIZE)
    assert [len(strip) for strip in parted_at(edges, boxes(lines))] == [24, 24, 24]


def test_rules_under_every_row_make_one_table_of_what_looks_like_two_columns():
    lines = [*column(0), *column(PITCH, first=0.4)]
    rules = [Box(0, 14 * row + 12, 2 * PITCH, 14 * row + 12) for row in range(12)]
    assert strip_edges(boxes(lines), SIZE)
    assert strip_edges(boxes(lines), SIZE, rules) == []


def test_a_sheet_may_have_a_rule_below_its_title_and_one_above_its_foot():
    lines = [*column(0), *column(PITCH, first=0.4)]
    rules = [Box(0, y, 2 * PITCH, y) for y in (-5, 175)]
    assert strip_edges(boxes(lines), SIZE, rules) == strip_edges(boxes(lines), SIZE)


def test_two_columns_of_prose_are_no_sheet():
    prose = [line("prose", x, row, 260) for x in (0, PITCH) for row in range(20)]
    assert strip_edges(boxes(prose), SIZE) == []


def test_a_table_across_the_page_is_no_sheet():
    table = [line("cell", x, row, 40) for x in (0, 130, 240, 400) for row in range(20)]
    assert strip_edges(boxes(table), SIZE) == []


def test_rows_of_names_and_values_are_a_table_though_no_white_reaches_down_between_them():
    lines = column(0)
    (table,) = paired_tables(lines, range(len(lines)))
    assert cells(table)[:2] == [(0, 0, "name 0"), (0, 1, "value 0")]
    assert cells(table)[8:10] == [(4, 0, "name 4"), (4, 1, "long 4")]
    assert len(table.lines) == len(lines)


def test_a_value_goes_on_in_the_line_below():
    lines = [*column(0, rows=4), line("and more", 150, 4, 60)]
    (table,) = paired_tables(lines, range(len(lines)))
    assert cells(table)[-1] == (3, 1, "value 3 and more")


def test_a_heading_between_rows_parts_two_tables():
    lines = [*column(0, rows=3), line("Heading", 0, 3, 100)]
    lines += [line("a", 0, 4, 50), line("b", 150, 4, 50), line("c", 0, 5, 50), line("d", 150, 5, 50)]
    assert [len(table.lines) for table in paired_tables(lines, range(len(lines)))] == [6, 4]


def test_bullets_and_their_words_are_no_table():
    lines = [found for row in range(3) for found in (line("•", 0, row, 5), line("words", 40, row, 60))]
    assert paired_tables(lines, range(len(lines))) == []


def test_rows_that_have_more_cells_in_one_half_than_in_the_other_are_one_tables():
    lines = [line("1234", x, row, 40) for row in range(12) for x in (0, 80, 160, 240, PITCH + 90, PITCH + 170)]
    lines += [line("1234", 400, row, 40) for row in range(12)]
    wide = [line.box for line in lines if line.box.x0 < PITCH] + [
        Box(x, 14 * row, x + 40, 14 * row + SIZE) for row in range(12) for x in (PITCH + 60, PITCH + 140, PITCH + 220)
    ]
    assert strip_edges(wide, SIZE) == []
