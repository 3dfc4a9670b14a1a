"""Heads of a table that run upwards, one over each narrow column. Knows cells and lines."""

from __future__ import annotations

from bisect import bisect
from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise

from docparse_fast.document import Box, TableCell
from docparse_fast.drafting.lines import Line
from docparse_fast.drafting.measures import SEVERAL
from docparse_fast.drafting.tables.candidates import TableCandidate
from docparse_fast.drafting.tables.grid import box_of
from docparse_fast.geometry import around

REACH = 2.0  # rows' heights above a table, in which such heads end


def with_turned_heads(
    whole: TableCandidate, standing: Sequence[Line], lines: Sequence[Line]
) -> tuple[TableCandidate, list[Line]]:
    """The same below a row of heads, with level ones between them; and the standing lines that are heads now."""
    step, top = whole.box.height / max(1, whole.height), whole.box.y0
    turned = [line for line in standing if top - REACH * step < line.box.y1 < top + step / 2]
    if len(turned) < SEVERAL:
        return whole, []
    band = around(turned)
    level = [n for n, line in enumerate(lines) if n not in whole.lines and band.y0 <= line.box.center[1] <= top]
    ends = _ends_of_columns(whole)
    heads = {bisect(ends, line.box.center[0]): line for line in (*turned, *(lines[n] for n in level))}
    if len(heads) < len(turned) + len(level) or not whole.box.x0 < band.center[0] < whole.box.x1:
        return whole, []
    named = (TableCell(0, column, head.plain, box=head.box) for column, head in sorted(heads.items()))
    cells = (*named, *(replace(cell, row=cell.row + 1) for cell in whole.cells))
    box = Box.around((whole.box, around(list(heads.values()))))
    return replace(whole, box=box, cells=cells, lines=whole.lines.union(level)), turned


def _ends_of_columns(whole: TableCandidate) -> list[float]:
    """Where each column ends but for the last: in the middle of the white behind it."""
    columns = [
        [box_of(cell) for cell in whole.filled if cell.column == n and cell.columns == 1] for n in range(whole.width)
    ]
    extents = [Box.around(boxes) if boxes else None for boxes in columns]
    known = [box for box in extents if box is not None]
    return [(left.x1 + right.x0) / 2 for left, right in pairwise(known)] if len(known) == whole.width else []
