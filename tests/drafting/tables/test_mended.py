"""A grid that is filled is mended: two columns that are one."""

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
