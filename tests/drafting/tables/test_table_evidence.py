"""What is measured on a proposed table."""

from dataclasses import replace

import pytest
from counted import calls_of
from drafting.tables.proposed import STEP, line, lines_of, proposed

from docparse_fast.document import Box, TableCell
from docparse_fast.drafting.tables.candidates import Marks, TableCandidate
from docparse_fast.drafting.tables.cell_evidence import in_other_type, kind, off_level
from docparse_fast.drafting.tables.choosing import as_table
from docparse_fast.drafting.tables.evidence import MEASURES, measured_all, stands_as_drawn
from docparse_fast.system.fitted import FittedTrees, Node

ROWS = [["Date", "Text", "Amount"], ["1.5.2026", "Rent", "10.00"], ["2.5.2026", "Bread", "20.00"]]
ROWS += [[f"{day}.5.2026", "Fee", f"{day}0.00"] for day in range(3, 8)]
MERGED = [[row[0], f"{row[1]} {row[2]}"] for row in ROWS]


def measured(candidate, lines, marks, others):
    return measured_all([candidate, *others], lines, marks)[0]


def measure(name, candidate, lines, rules=(), others=()):
    return measured(candidate, lines, Marks(rules), others)[MEASURES.index(name)]


def test_columns_of_one_kind_are_pure():
    lines = lines_of(ROWS)
    assert measure("pure", proposed(ROWS), lines) == 1
    mixed = [[row[n % 3], row[(n + 1) % 3], row[(n + 2) % 3]] for n, row in enumerate(ROWS)]
    assert measure("pure", proposed(mixed), lines_of(mixed)) < 0.7


def merged():
    """The last two columns as one, where they stand."""
    whole = proposed(ROWS)
    rows = [whole.cells[n : n + 3] for n in range(0, len(whole.cells), 3)]
    cells = []
    for first, second, third in rows:
        box = Box.around(cell.box for cell in (second, third) if cell.box)
        cells += [first, replace(second, text=f"{second.text} {third.text}", box=box)]
    return TableCandidate("grid", whole.box, tuple(cells), whole.lines)


def test_white_within_a_cell_that_no_blank_explains_is_counted():
    lines = lines_of(ROWS)
    assert measure("torn_apart", merged(), lines) == pytest.approx(0.5)
    assert measure("torn_apart", proposed(ROWS), lines) == 0


def test_a_line_level_with_a_row_and_left_out_is_counted():
    lines = [*lines_of(ROWS), line(2, 3, "balance")]
    assert measure("outside", proposed(ROWS), lines) == pytest.approx(1 / len(ROWS))


def test_readers_that_see_the_same_cells_agree():
    lines = lines_of(ROWS)
    same, other = proposed(ROWS, "grid"), proposed(MERGED, "model", lines=range(len(lines)))
    assert measure("agreed", proposed(ROWS), lines, others=[same]) == 1
    assert measure("agreed", proposed(ROWS), lines, others=[other]) < 0.6


def test_kinds_are_told_in_the_notations_of_many_countries():
    numbers = ["1,234.56", "1.234,56", "1 234,56", "(1,234)", "12.5%", "€ 12", "-7"]
    assert {kind(text) for text in numbers} == {"number"}
    assert {kind(text) for text in ("2026-05-03", "03.05.", "12:30")} == {"date"}


def test_the_judge_adds_up_its_trees():
    stump = [(0, 1.5, 1, 2, 0.0), (-1, 0, 0, 0, 0.2), (-1, 0, 0, 0, -0.2)]
    made = FittedTrees(0.5, [[Node(*node) for node in stump]] * 2)
    assert made.quality([1.0]) == pytest.approx(0.9)
    assert made.quality([2.0]) == pytest.approx(0.1)


def test_the_judge_that_ships_prefers_columns_to_their_mixture():
    """Of three readings two have the columns apart, one has the last two as one."""
    lines = lines_of(ROWS)
    good, same, bad = proposed(ROWS), proposed(ROWS, "grid"), merged()
    readings = ((good, (same, bad)), (bad, (good, same)))
    quality = [as_table(measured(each, lines, Marks(), others)) for each, others in readings]
    assert quality[0] > quality[1]


def test_twice_as_many_rows_are_measured_in_twice_the_steps():
    """Each cell was compared with every word and every rule of the page: 5,000 rows took more than two minutes."""

    def steps(count):
        rows = [["Date", "Text", "Amount"], *([f"{n}.5.{1900 + count}", "Rent", f"{n}.00"] for n in range(count))]
        rules = [Box(0, STEP * n - 5, 300, STEP * n - 5) for n in range(count)]
        rules += [Box(100.0 * n - 5, 0, 100.0 * n - 5, STEP * count) for n in range(4)]
        candidate, lines = proposed(rows), lines_of(rows)
        return calls_of(lambda: measured(candidate, lines, Marks(rules), [candidate]))

    assert steps(200) < 2.2 * steps(100)


def test_a_head_that_says_everything_twice_returns():
    twice = [["Item", "Price", "Item", "Price"], ["Nails", "1.20", "Glue", "4.00"], ["Tape", "2.50", "Rope", "8.00"]]
    assert measure("returning", proposed(twice), lines_of(twice)) == 1
    assert measure("returning", proposed(ROWS), lines_of(ROWS)) == 0


def test_labels_in_smaller_type_than_their_values_show():
    lines = lines_of(ROWS)
    small = [replace(each, size=7.0) if each.box.x0 == 0 else each for each in lines]
    assert measure("column_type", proposed(ROWS), small) > measure("column_type", proposed(ROWS), lines)


def ruled(rows, columns, without=()):
    """The rules of a grid, each drawn from place to place; `without` some of them."""
    level = [
        Box(100 * c - 5, STEP * r - 5, 100 * c + 95, STEP * r - 5) for r in range(rows + 1) for c in range(columns)
    ]
    upright = [
        Box(100 * c - 5, STEP * r - 5, 100 * c - 5, STEP * r + 15) for r in range(rows) for c in range(columns + 1)
    ]
    return [rule for n, rule in enumerate([*level, *upright]) if n not in without]


def test_a_lattice_with_a_cell_of_two_rows_stands_as_it_is_drawn():
    """Readings without its span were thought as good, since no span is in the truth that judges were fitted on."""
    rows = [["Kind", "Name"], ["Boats", "Petrel"], ["", "Plover"]]
    whole = proposed(rows, "lattice")
    spanning = replace(
        whole, cells=tuple(replace(c, rows=2) if c.text == "Boats" else c for c in whole.cells if c.text)
    )
    rules = ruled(3, 2, without=(4,))  # none between the two rows of `Boats`
    assert stands_as_drawn(spanning, Marks(rules), lines_of(rows))
    assert not stands_as_drawn(whole, Marks(rules), lines_of(rows))


def test_a_cell_with_figures_one_above_the_other_is_left_to_the_judge():
    for text, expected in (
        ("12.5\n13.8", False),
        ("☐\n☒", False),
        ("2 wages of 5\n12.5", True),
        ("7:45\n8:30", True),
        ("coal 10\nsalt 25\nrye", False),
        ("Mill Lane 7\nLeeds\nLS1 4AP", True),
        ("up to 3 a\nday, 6 h\napart", True),
    ):
        rows = [["Year", "Tonnes"], ["2024", text]]
        assert stands_as_drawn(proposed(rows, "lattice"), Marks(ruled(2, 2)), lines_of(rows)) is expected


def test_rows_that_lines_tell_stand_as_drawn_unless_a_cell_holds_two_columns():
    """A pay slip's boxes hold names and amounts, apart: the frame was a table of two columns."""
    rows = [["Payments", "Deductions"], ["Basic pay", "Tax"], ["Overtime", "Pension"]]
    rules = ruled(3, 2, without=(2, 3, 4, 5))  # those between the rows
    lines = lines_of(rows)
    apart = [*lines[:2], replace(lines[2], words=split(lines[2])), *lines[3:]]
    lattice = proposed(rows, "lattice")
    assert stands_as_drawn(lattice, Marks(rules), lines)
    assert not stands_as_drawn(lattice, Marks(rules), apart)


def split(line):
    """Its words, the first and the last 20 apart."""
    first, last = line.plain.split()
    box = line.box
    return (replace(box, x1=box.x0 + 15), first), (replace(box, x0=box.x0 + 35), last)


def test_a_lattice_whose_cells_have_grounds_of_their_own_stands_as_it_is_drawn():
    rows = [["Hall A", "Hall B"], ["Bees", "Glass"]]
    lattice, lines = proposed(rows, "lattice"), lines_of(rows)
    grounds = [cell.box.expanded(4) for cell in lattice.cells]
    assert stands_as_drawn(lattice, Marks(areas=[*grounds, lattice.box.expanded(9)]), lines)
    assert not stands_as_drawn(lattice, Marks(areas=[*grounds[:3], lattice.box.expanded(9)]), lines)


def test_a_row_right_below_that_stands_in_line_may_be_the_tables():
    candidate = proposed(ROWS[:3], lines=range(9))
    assert measure("row_below", candidate, lines_of(ROWS[:4])) == 1
    assert measure("row_below", candidate, lines_of(ROWS[:3])) == 0
    assert measure("row_above", candidate, lines_of(ROWS[:4])) == 0


def ends(candidate, rules):
    return [measure(name, candidate, lines_of(ROWS), rules) for name in ("closed_above", "closed_below")]


def test_rules_as_wide_as_the_table_close_it_where_they_stand():
    whole = proposed(ROWS)
    above, below = Box(0, whole.box.y0 - 3, 240, whole.box.y0 - 2), Box(0, whole.box.y1 + 3, 240, whole.box.y1 + 4)
    assert ends(whole, [above, below]) == [1, 1]
    assert ends(whole, [replace(above, x1=90), below]) == [0, 1]
    assert ends(whole, [Box(0, 70, 240, 71)]) == [0, 0]


def banded(candidate, areas):
    found = measured(candidate, lines_of(ROWS), Marks(areas=areas), ())
    return [found[MEASURES.index(name)] for name in ("rows_a_band", "bands_cut")]


def test_grounds_behind_every_other_row_hold_one_each_and_two_where_rows_are_torn():
    whole = proposed(ROWS)
    tops = [min(cell.box.y0 for cell in whole.cells if cell.row == row) for row in range(len(ROWS))]
    single = [Box(0, tops[n] - 2, 300, tops[n] + 12) for n in (1, 3, 5)]
    double = [Box(0, tops[n] - 2, 300, tops[n + 1] + 12) for n in (0, 3, 6)]
    assert banded(whole, single) == [1, 0]
    assert banded(whole, double) == [2, 0]
    assert banded(whole, single[:2]) == [0, 0]


def test_the_steps_within_cells_and_between_rows_are_measured_in_lines():
    rows = [["Item", "Price"], ["Oars", "4.00"], ["Rope", "2.00"]]
    lines = [line(0, 0, "Item"), line(1, 0, "Oars"), line(0, 1, "Price"), line(2, 0, "Rope"), line(2, 1, "2.00")]
    height = lines[0].box.height
    cells = (_cell(0, 0, lines[:2]), _cell(0, 1, lines[2:3]), _cell(1, 0, lines[3:4]), _cell(1, 1, lines[4:]))
    candidate = TableCandidate("white", Box.around(each.box for each in lines), cells, frozenset(range(5)))
    assert measure("step_in_cells", candidate, lines) == pytest.approx(STEP / height)
    assert measure("step_of_rows", candidate, lines) == pytest.approx(STEP / height)
    assert measure("step_in_cells", proposed(rows), lines_of(rows)) == 0


def _cell(row, column, lines):
    return TableCell(row, column, " ".join(each.plain for each in lines), box=Box.around(each.box for each in lines))


def test_what_was_measured_alone_is_the_same_when_it_is_weighed_again_beside_others():
    known, lines = {}, lines_of(ROWS)
    alone = measured_all([proposed(ROWS)], lines, Marks(), known)
    assert measured_all([proposed(ROWS), merged()], lines, Marks(), known) == [
        measured(proposed(ROWS), lines, Marks(), [merged()]),
        measured(merged(), lines, Marks(), [proposed(ROWS)]),
    ]
    assert alone == [measured(proposed(ROWS), lines, Marks(), [])]


HALVES = [["", "2025", "2024", "", "2025", "2024"], ["Stocks", "24", "6", "Loans", "55", "87"]]
HALVES += [["Debtors", "52", "65", "Trade", "19", "30"], ["Cash", "41", "22", "Other", "54", "16"]]
ITEMS = [["Item", "Qty", "Unit", "Price"], ["Lamp", "2", "pc", "10.00"], ["Bolt", "9", "pc", "1.20"]]
ITEMS += [["Hose", "4", "m", "3.00"], ["Tape", "7", "m", "2.50"]]


def test_labels_that_begin_anew_behind_figures_tell_two_tables_side_by_side():
    """The halves of a balance sheet were one table, and their heads stood twice in one row."""
    assert measure("twofold", proposed(HALVES), lines_of(HALVES)) == 1
    assert measure("returning", proposed(HALVES), lines_of(HALVES)) == 1


def test_units_behind_quantities_begin_no_second_table():
    assert measure("twofold", proposed(ITEMS), lines_of(ITEMS)) < 0.6
    assert measure("returning", proposed(ITEMS), lines_of(ITEMS)) == 0


def test_a_row_of_one_cell_close_below_another_is_near():
    rows = [["Article", "Qty"], ["Oak shelf", "1"], ["Lot 65"], ["Desk lamp", "4"], ["Lot 59"]]
    whole = proposed(rows)
    near = tuple(
        replace(cell, box=cell.box.shifted(0, -6)) if len(rows[cell.row]) == 1 else cell
        for cell in whole.cells
        if cell.box
    )
    close = TableCandidate("white", whole.box, near, whole.lines)
    assert measure("lone_near", close, lines_of(rows)) < 0.5 <= measure("lone_near", whole, lines_of(rows))


def test_labels_in_other_type_than_values_differ_by_size_and_by_weight():
    cells = [TableCell(row, column, "x") for row in range(3) for column in range(2)]

    def apart(**kind):
        inside = [[replace(line(cell.row, cell.column, "x"), **(kind if cell.column == 0 else {}))] for cell in cells]
        return in_other_type(cells, inside, lambda cell: cell.column == 0)

    assert apart() == 0
    assert apart(bold=True) > 0.5
    assert apart(bold=True, size=12.0) > apart(size=12.0) > 0.1


@pytest.mark.parametrize(("rows", "off"), [(5, 1.0), (31, 0.0)])
def test_many_rows_that_stand_nearly_level_do_not_by_chance(rows, off):
    """A scanned statement's 31 bookings were paragraphs: its OCR's layer wanders by 0.15 of the type."""
    said = [["1.5.2026", f"Booking {n}"] for n in range(rows)]
    lines = [replace(each, baseline=each.box.y1 + 1.5 * (each.box.x0 > 0)) for each in lines_of(said)]
    assert off_level(proposed(said).rows, lines) == off
