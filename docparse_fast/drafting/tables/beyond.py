"""What stands right above and below a proposed table, in line with its cells: rows that it may have lost."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from statistics import median

from docparse_fast.document import Box, TableCell
from docparse_fast.drafting.lines import Line
from docparse_fast.drafting.tables.candidates import TableCandidate
from docparse_fast.geometry import Filed

NEAR = 0.4  # of a line's height: two edges are one
FARTHEST = 1.6  # of the usual step from row to row, to the next row beyond a table


def rows_beyond(
    candidate: TableCandidate, lines: Sequence[Line], rows: Sequence[Sequence[TableCell]], unit: float
) -> tuple[float, float]:
    """How far the next row above and the next below, which it leaves out, stand in line with its cells."""
    around = candidate.box.expanded(NEAR * unit)
    tops = [Box.around(cell.box for cell in row if cell.box is not None).center[1] for row in rows if row]
    reach = FARTHEST * (median(below - above for above, below in pairwise(tops)) if len(tops) > 1 else unit)
    ends = [x for row in rows for cell in row if cell.box is not None for x in (cell.box.x0, cell.box.x1)]
    if not tops:
        return 0.0, 0.0
    near = Filed((n for n in range(len(lines)) if n not in candidate.lines), by=lambda n: lines[n].box.center[1])
    beside = near.between(tops[0] - reach, tops[0]), near.between(tops[-1], tops[-1] + reach)
    above, below = ([lines[n].box for n in row if lines[n].box.overlap_x(around) > 0] for row in beside)
    return _in_line(above, around, ends, unit), _in_line(below, around, ends, unit)


def _in_line(row: Sequence[Box], around: Box, ends: Sequence[float], unit: float) -> float:
    """The share of a row's lines that begin or end where cells do; none of a row of one line, or one that runs out."""
    if len(row) < 2 or any(box.x0 < around.x0 or box.x1 > around.x1 for box in row):
        return 0.0
    edges, near = Filed(ends, by=float), NEAR * unit
    in_line = (any(edges.between(x - near, x + near) for x in (box.x0, box.x1)) for box in row)
    return sum(in_line) / len(row)
