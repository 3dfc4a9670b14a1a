"""What a proposed table's type tells: that of heads, of labels, within cells. Knows cells and lines; judges nothing."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from itertools import pairwise
from statistics import fmean, median

from docparse_fast.document import TableCell
from docparse_fast.drafting.lines import Line
from docparse_fast.drafting.measures import HEAVIER
from docparse_fast.drafting.tables.candidates import row_boxes
from docparse_fast.geometry import Filed


def lines_of_cells(cells: Sequence[TableCell], held: Sequence[Line]) -> list[list[Line]]:
    """The lines that stand in each cell."""
    filed = Filed(held, by=lambda line: line.box.center[1])
    return [
        [line for line in filed.between(box.y0, box.y1) if box.holds(line.box)] if (box := cell.box) is not None else []
        for cell in cells
    ]


def in_other_type(
    cells: Sequence[TableCell], inside: Sequence[Sequence[Line]], is_first: Callable[[TableCell], bool]
) -> float:
    """How much type differs in size and weight: that of labels from that of values, of a head from its rows."""
    of_cell = list(zip(cells, inside, strict=True))
    ours, theirs = (
        [line for cell, lines in of_cell if is_first(cell) is first for line in lines] for first in (True, False)
    )
    if not ours or not theirs:
        return 0.0
    sizes = math.log(median(line.size for line in ours) / median(line.size for line in theirs))
    weights = fmean(map(_weight, ours)) - fmean(map(_weight, theirs))
    return abs(sizes) + abs(weights)


def mixed(inside: Sequence[Sequence[Line]]) -> float:
    """The share of cells with heavy and light lines: a sum above the next group's name."""
    weights = [list(map(_weight, lines)) for lines in inside]
    return sum(max(each) - min(each) > HEAVIER for each in weights if each) / max(1, len(inside))


def steps(inside: Sequence[Sequence[Line]], rows: Sequence[Sequence[TableCell]], unit: float) -> tuple[float, float]:
    """The widest step from line to line in a cell, and the least from one row to the next, in lines' heights."""
    levels = [sorted(line.box.center[1] for line in lines) for lines in inside]
    within = [below - above for each in levels for above, below in pairwise(each)]
    between = [below.y0 - above.y1 for above, below in pairwise(row_boxes(rows))]
    return max(within, default=0.0) / unit, 1 + min(between, default=0.0) / unit


def lone_near(rows: Sequence[Sequence[TableCell]]) -> float:
    """The white above rows of one cell, in that above the others: little where a cell's text goes on in them."""
    boxes = zip((len(row) for row in rows if row), row_boxes(rows), strict=True)
    white = [(count, max(0.0, box.y0 - above.y1)) for (_, above), (count, box) in pairwise(boxes)]
    lone, others = ([gap for count, gap in white if (count == 1) is single] for single in (True, False))
    return min(3.0, median(lone) / max(1.0, median(others))) if lone and others else 1.0


def _weight(line: Line) -> float:
    return float(line.bold) or line.weight
