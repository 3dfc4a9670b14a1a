"""A grid that is filled is mended: columns that are one, rows that go on."""

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


def test_a_head_at_the_other_edge_of_its_column_is_no_column():
    """LibreOffice sets heads at the left and figures at the right: `2026` and its sums were two columns."""
    lines = [line(0, 0, "Item"), line(0, 1, "2026")]
    lines += [line(n, c, text) for n in (1, 2, 3) for c, text in ((0, "Land"), (2, f"4{n}6"))]
    assert rows_of(lines, (1, 1, 1, 1), (0, WIDTH, 2 * WIDTH))[:2] == [["Item", "2026"], ["Land", "416"]]


def test_names_without_a_head_keep_their_column():
    lines = [line(0, 1, "2026"), line(0, 2, "2025")]
    lines += [line(n, c, text) for n in (1, 2, 3) for c, text in ((0, "Land"), (2, f"4{n}6"))]
    assert rows_of(lines, (1, 1, 1, 1), (0, WIDTH, 2 * WIDTH))[1] == ["Land", "", "416"]


def test_words_alone_in_another_column_than_the_first_go_on_in_the_row_above():
    """LibreOffice leaves no more white between rows than within a cell: a third of an order's rows was torn."""
    said = [["No.", "What", "Price"], ["1", "Valves, steel,", "4.20"], ["", "painted red,", ""], ["", "boxed", ""]]
    said += [["2", "Taps", "1.10"], ["Boats", "", ""], ["3", "Oars", "9.00"]]
    lines = [line(n, c, text) for n, row in enumerate(said) for c, text in enumerate(row) if text]
    whole = [said[0], ["1", "Valves, steel, painted red, boxed", "4.20"], *said[4:]]
    assert rows_of(lines, (1,) * 7, (0, WIDTH, 2 * WIDTH)) == whole


def test_a_sum_below_a_column_of_amounts_does_not_go_on_in_the_last_one():
    said = [["Item", "Amount"], ["Oars", "9.00"], ["Ropes", "4.50"], ["", "Total 13.50"]]
    lines = [line(n, c, text) for n, row in enumerate(said) for c, text in enumerate(row) if text]
    assert rows_of(lines, (1,) * 4, (0, WIDTH)) == said


def test_an_address_beside_a_name_is_no_row_that_goes_on():
    """A letterhead's lines at the right became one cell beside the firm's name, and a table with the fields below."""
    said = [["Galley", "Ltd", "5 Old Street"], ["", "", "Harbour"], ["", "", "Phone"], ["Number", "21", "Wharf"]]
    lines = [line(n, c, text) for n, row in enumerate(said) for c, text in enumerate(row) if text]
    assert rows_of(lines, (1,) * 4, (0, WIDTH, 2 * WIDTH)) == said
