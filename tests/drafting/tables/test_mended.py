"""A grid that is filled is mended: rows that are two, columns that are one."""

from functools import partial
from itertools import product

from drafting.tables.proposed import HEIGHT, STEP, WIDTH, line

from docparse_fast.document import Box
from docparse_fast.drafting.tables.grid import Slot, fill, mended


def rows_of(lines, heights, columns):
    """What a grid of rows as high as so many lines, and of columns that begin there, holds when it is mended."""
    tops = [STEP * sum(heights[:n]) for n in range(len(heights))]
    sides = list(zip(columns, [*columns[1:], 9 * WIDTH], strict=True))
    slots = [
        Slot(row, n, Box(sides[n][0], tops[row], sides[n][1], tops[row] + STEP * (heights[row] - 1) + HEIGHT))
        for row, n in product(range(len(heights)), range(len(sides)))
    ]
    filled = mended(slots, partial(fill, lines=lines, ruled=lambda box: False))
    made = {}
    for cell in filled.cells():
        made.setdefault(cell.row, []).append(cell.text)
    return list(made.values())


def test_a_units_line_and_the_groups_head_below_it_are_two_rows():
    """A balance sheet's `EUR` stood in the row of `Fixed assets`, and its head was torn."""
    lines = [line(0, 1, "2026"), line(1, 1, "EUR"), line(2, 0, "Fixed assets"), line(3, 0, "Land"), line(3, 1, "406")]
    said = [["", "2026"], ["", "EUR"], ["Fixed assets", ""], ["Land", "406"]]
    assert rows_of(lines, (1, 2, 1), (0, WIDTH)) == said


def test_a_cell_of_two_lines_holds_its_row_together():
    lines = [line(0, 0, "Item"), line(0, 1, "Price"), line(1, 0, "Oars"), line(2, 0, "of ash"), line(2, 1, "118.00")]
    assert rows_of(lines, (1, 2), (0, WIDTH)) == [["Item", "Price"], ["Oars of ash", "118.00"]]


def test_a_cell_in_the_middle_of_two_rows_parts_neither():
    lines = [line(0, 1, "Valuables"), line(1, 0, "C"), line(2, 1, "of which one")]
    tall = Slot(0, 0, Box(0, 0, WIDTH, 50), rows=2)
    beside = [Slot(row, 1, Box(WIDTH, 25 * row, 9 * WIDTH, 25 * row + 25)) for row in (0, 1)]
    filled = mended([tall, *beside], partial(fill, lines=lines, ruled=lambda box: False))
    assert [cell.text for cell in filled.cells()] == ["C", "Valuables", "of which one"]


def test_a_head_at_the_other_edge_of_its_column_is_no_column():
    """LibreOffice sets heads at the left and figures at the right: `2026` and its sums were two columns."""
    lines = [line(0, 0, "Item"), line(0, 1, "2026")]
    lines += [line(n, c, text) for n in (1, 2, 3) for c, text in ((0, "Land"), (2, f"4{n}6"))]
    assert rows_of(lines, (1, 1, 1, 1), (0, WIDTH, 2 * WIDTH))[:2] == [["Item", "2026"], ["Land", "416"]]


def test_names_without_a_head_keep_their_column():
    lines = [line(0, 1, "2026"), line(0, 2, "2025")]
    lines += [line(n, c, text) for n in (1, 2, 3) for c, text in ((0, "Land"), (2, f"4{n}6"))]
    assert rows_of(lines, (1, 1, 1, 1), (0, WIDTH, 2 * WIDTH))[1] == ["Land", "", "416"]


def test_sums_in_one_row_without_a_name_in_its_first_column_are_rows():
    """An invoice's net, tax and total were one row: `Net Tax Total | 148.50 € 9.00 € 157.50 €`."""
    sums = [("Net", "148.50 €"), ("Tax", "9.00 €"), ("Total", "157.50 €")]
    lines = [line(0, 0, "1"), line(0, 1, "Oars"), line(0, 2, "148.50 €")]
    lines += [line(n, c, text) for n, pair in enumerate(sums, 1) for c, text in enumerate(pair, 1)]
    assert rows_of(lines, (1, 3), (0, WIDTH, 2 * WIDTH)) == [["1", "Oars", "148.50 €"], *(["", *pair] for pair in sums)]


def test_words_on_as_many_lines_in_each_cell_stay_one_row():
    lines = [
        line(n, c, text)
        for n, texts in enumerate((("Net", "Gross"), ("weight", "weight")))
        for c, text in enumerate(texts)
    ]
    assert rows_of(lines, (2,), (0, WIDTH)) == [["Net weight", "Gross weight"]]
