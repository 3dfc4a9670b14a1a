"""Two tables that stand side by side, which a reader took for one."""

from dataclasses import replace
from itertools import pairwise

import pytest
from drafting.tables.proposed import HEIGHT, WIDTH, line, lines_of, proposed

from docparse_fast.document import Box
from docparse_fast.drafting.tables.candidates import Marks
from docparse_fast.drafting.tables.parts import without_name
from docparse_fast.drafting.tables.side_by_side import halves_of, without_address

LEFT = [["Item", "Price"], ["Nails", "1.20"], ["Glue", "4.00"], ["Tape", "2.50"]]
RIGHT = [["Day", "Boat"], ["Mon", "Petrel"], ["Tue", "Plover"], ["Wed", "Tern"]]
ACROSS = [Box(0, y, 4 * WIDTH, y + 1) for y in (12, 80)]
NAMES = ["Shop", "Harbour"]
UP_TO_THE_GUTTER = [Box(x, y, x + 2 * WIDTH - 10, y + 1) for y in (12, 55) for x in (0, 2 * WIDTH)]


def halved(left, right, rules=(), areas=()):
    """What the halves say."""
    rows = [[*a, *b] for a, b in zip(left, right, strict=True)]
    halves = halves_of(proposed(rows), lines_of(rows), Marks(list(rules), list(areas)))
    return [[[c.text for c in half.cells if c.row == n] for n in range(half.height)] for half in halves]


@pytest.mark.parametrize(("right", "rules"), [(RIGHT, UP_TO_THE_GUTTER), ([LEFT[0], *RIGHT[1:]], ())])
def test_a_head_that_returns_and_rules_up_to_the_gutter_tell_of_two(right, rules):
    """A price list's two halves became rows of six cells, and a league's table took in the fixtures beside it."""
    assert halved(LEFT, right, rules) == [LEFT, right]


@pytest.mark.parametrize("lists", [2, 3])
def test_the_first_of_several_lists_with_one_head_is_told_from_the_rest(lists):
    """Three lists of prices were one table of nine columns."""
    rest = [row * (lists - 1) for row in LEFT]
    assert halved(LEFT, rest) == [LEFT, rest]


PRICED = [["Soup", "4.50"], ["Tart", "6.00"], ["Trout", "9.20"], ["Pie", "7.00"]]


@pytest.mark.parametrize(("shifted", "expected"), [(0, 2), (30, 0)])
def test_names_and_figures_in_the_same_columns_of_both_sides_are_two_tables(shifted, expected):
    """A menu's two columns of dishes and prices were one table of four."""
    rows = [[*a, *b] for a, b in zip(PRICED, [["Wine", "3.10"], *PRICED[:0:-1]], strict=True)]
    whole = proposed(rows)
    cells = tuple(replace(c, box=c.box.shifted(shifted * (c.column == 3), 0)) for c in whole.cells)
    assert len(halves_of(replace(whole, cells=cells), lines_of(rows), Marks())) == expected


def test_two_years_of_the_same_labels_are_one_table():
    """A comparison of two years fell in two; the later year stood without its labels."""
    left = [["", "Count", "Sum"], *[[name, str(n), f"{n}.20"] for n, name in enumerate(("Nails", "Glue", "Tape"))]]
    right = [["Count", "Sum"], *[[str(n + 4), f"{n}.90"] for n in range(3)]]
    assert halved(left, right) == []


@pytest.mark.parametrize(("above", "halves"), [([NAMES], 2), ([["Opening", "4.20"], ["Closing", "9.60"]], 0)])
def test_names_over_both_sides_tell_of_two_tables_and_fields_do_not(above, halves):
    """A bank statement fell in two below its balances, which stood over its first and its third column."""
    rows = [[*a, *b] for a, b in zip(LEFT, RIGHT, strict=True)]
    placed = [(n - len(above), a, b) for n, (a, b) in enumerate(above)]
    level = [(n, each) for n, a, b in placed for each in (line(0, 0, a), line(0, 2, b))]
    over = [replace(each, box=each.box.shifted(0, 2.2 * n * HEIGHT)) for n, each in level]
    assert len(halves_of(proposed(rows), [*lines_of(rows), *over], Marks())) == halves


def test_rules_above_and_below_the_words_of_both_sides_tell_of_two_tables():
    """Two tables of unequal length, each with rules at its ends, were one."""
    rules = [Box(x, y, x + 2 * WIDTH - 10, y + 1) for y in (-4, 74) for x in (0, 2 * WIDTH)]
    assert halved(LEFT, RIGHT, rules) == [LEFT, RIGHT]


@pytest.mark.parametrize("right", [RIGHT, [LEFT[0], *RIGHT[1:]]])
def test_rules_that_run_through_make_one_table_of_both(right):
    assert halved(LEFT, right, ACROSS) == []


def test_two_groups_of_a_head_with_rules_of_their_own_are_one_table():
    assert halved(LEFT, RIGHT, UP_TO_THE_GUTTER[:2]) == []


def test_a_ground_cell_by_cell_runs_across_a_gutter_of_narrow_cells():
    """A statement's years, each with rules of its own and a narrow cell between them, were three tables."""
    edges = [0, 2 * WIDTH - 10, 2 * WIDTH - 8, 2 * WIDTH - 4, 2 * WIDTH, 4 * WIDTH]
    ground = [Box(x0, 24, x1, 36) for x0, x1 in pairwise(edges)]
    assert halved(LEFT, RIGHT, [*UP_TO_THE_GUTTER, *ground]) == []


def test_four_columns_on_one_level_are_one_table():
    assert halved(LEFT, RIGHT) == []


def test_the_second_lines_of_two_groups_heads_are_no_head_that_returns():
    """`rather disagree` and `agree` stood under both groups of answers, and each answer became a table."""
    lines = [["Very good", "Nearly"], ["good", "bad"], ["2", "3"], ["4", "5"]]
    other = [["Rather good", "Seldom"], *lines[1:]]
    assert halved(lines, other) == []
    assert halved([["", "Men"], *lines[1:]], [["", "Women"], *lines[1:]]) != []


def test_rules_under_each_column_are_no_sides_of_a_gutter():
    under_each = [Box(WIDTH * n, 12, WIDTH * n + 60, 13) for n in range(4)]
    assert halved(LEFT, RIGHT, under_each) == []


@pytest.mark.parametrize(("name", "size", "rows"), [("Prices", 13, 4), ("Prices", 10, 5), ("Fig. 1: prices", 8, 4)])
def test_a_caption_or_a_line_in_larger_type_over_a_table_is_no_row_of_it(name, size, rows):
    said = [[name, ""], *LEFT]
    lines = [replace(each, size=size if each.plain == name else 10) for each in lines_of(said)]
    assert without_name(proposed(said), lines).height == rows


def test_a_heading_over_one_row_is_no_table():
    """A timesheet's `Timesheet` over its name and project was one, and no heading."""
    lines = [replace(each, size=13 if each.plain == "Prices" else 10) for each in lines_of([["Prices", ""], LEFT[0]])]
    assert without_name(proposed([["Prices", ""], LEFT[0]]), lines) is None


@pytest.mark.parametrize(("sizes", "rows"), [({"Note": 13}, 4), ({"Note": 13, "Nails": 13, "Glue": 13}, 5)])
def test_a_heading_beside_fields_over_a_table_is_no_row_of_it(sizes, rows):
    """A delivery note's heading and its date were a head; a price list's articles in large type are its rows."""
    said = [["Note", "6 May"], *LEFT]
    lines = [replace(each, size=sizes.get(each.plain, 10)) for each in lines_of(said)]
    assert without_name(proposed(said), lines).height == rows


@pytest.mark.parametrize(
    ("bold", "below", "rows"),
    [(["Prices"], LEFT[1], 4), (["Prices", "Item"], LEFT[1], 5), (["Prices"], ["Tools", ""], 5)],
)
def test_a_bold_name_over_a_table_is_no_row_of_it(bold, below, rows):
    """A section's name became a row of its table, and the section had no heading. A group's name is a row."""
    said = [["Prices", ""], LEFT[0], below, *LEFT[2:]]
    lines = [replace(each, bold=each.plain in bold) for each in lines_of(said)]
    assert without_name(proposed(said), lines).height == rows


SENT = [
    ["Ada Marlow", "Invoice no.", "HJ-22"],
    ["Larch House", "Date", "6 November"],
    ["Otley Road", "Due", "20 November"],
]


@pytest.mark.parametrize(("below", "columns"), [("Leeds LS6 2DD", 2), ("", 3)])
def test_an_address_that_goes_on_below_is_no_column_of_the_labels_beside_it(below, columns):
    """A bill's address stood as the first column before its number and date."""
    held = [replace(each, bold=n % 3 == 1) for n, each in enumerate(lines_of(SENT))]
    lines = [*held, *([line(3, 0, below)] if below else [])]
    found = without_address(proposed(SENT), lines)
    assert ([cell.text for cell in found.rows[0]], found.width) == (SENT[0][-columns:], columns)


def test_a_column_that_goes_on_below_stays_where_the_next_is_set_as_the_last():
    lines = [*lines_of(SENT), line(3, 0, "Leeds LS6 2DD")]
    assert without_address(proposed(SENT), lines).width == 3


def test_pieces_of_one_line_go_on_nowhere():
    """Two pieces level with each other are no step, and the column stays."""
    held = [replace(each, bold=n % 3 == 1) for n, each in enumerate(lines_of(SENT))]
    piece = replace(held[6], box=replace(held[6].box, x0=held[6].box.x1 - 5, x1=held[6].box.x1 - 1))
    assert without_address(proposed(SENT, lines=range(10)), [*held, piece]).width == 3


@pytest.mark.parametrize(
    ("far", "values", "columns"),
    [
        (300, ["HJ-22", "6.5.2026", "sent"], 2),
        (300, ["1.20", "2.50", "8.00"], 3),
        (0, ["HJ-22", "6.5.2026", "sent"], 3),
    ],
)
def test_an_address_far_from_labels_is_no_column_of_theirs(far, values, columns):
    """As many lines as labels, in one type; values of one kind are a column's, however far its names."""
    rows = [[name, label, value] for (name, label, _), value in zip(SENT, values, strict=True)]
    whole = proposed(rows)
    moved = [replace(cell, box=cell.box.shifted(far * (cell.column > 0), 0)) for cell in whole.cells]
    lines = [replace(each, box=cell.box) for each, cell in zip(lines_of(rows), moved, strict=True)]
    assert without_address(replace(whole, cells=tuple(moved)), lines).width == columns


def test_one_line_far_from_labels_is_no_address():
    """A purchase order's name lost to a reading that had it in the first label's cell."""
    rows = [["Purchase order", "Number", "HJ-22"], ["", "Date", "6.5.2026"], ["", "Due", "sent"]]
    moved = [
        replace(cell, box=cell.box.shifted(300 * (cell.column > 0), 0)) for cell in proposed(rows).cells if cell.text
    ]
    lines = [replace(each, box=cell.box) for each, cell in zip(lines_of(rows), moved, strict=True)]
    assert without_address(replace(proposed(rows), cells=tuple(moved)), lines).width == 3


@pytest.mark.parametrize(("last", "columns"), [(["", "Valid", "30 days"], 2), (["Ely", "Valid", "30 days"], 3)])
def test_an_address_of_fewer_lines_than_labels_is_no_column_of_theirs(last, columns):
    """A French quotation's fields say `6 jours` and `Escalier, maison`: all are words, some with a figure."""
    rows = [["Ida Wen", "Site", "Stairs"], ["Pier 7", "Takes", "6 days"], last]
    moved = [
        replace(cell, box=cell.box.shifted(300 * (cell.column > 0), 0)) for cell in proposed(rows).cells if cell.text
    ]
    lines = [replace(each, box=cell.box) for each, cell in zip(lines_of(rows), moved, strict=True)]
    assert without_address(replace(proposed(rows), cells=tuple(moved)), lines).width == columns


@pytest.mark.parametrize(("level", "halves"), [(30, 2), (12, 0)])
def test_rules_below_heads_on_two_levels_tell_of_two_tables(level, halves):
    """A data sheet's values and the measures beside them were one table: one head had two rows, the other one."""
    left, right = Box(0, 12, 2 * WIDTH - 10, 13), Box(2 * WIDTH, level, 4 * WIDTH - 10, level + 1)
    assert len(halved(LEFT, RIGHT, [left, right])) == halves
