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


def with_turned_heads(
    whole: TableCandidate, standing: Sequence[Line], lines: Sequence[Line]
) -> tuple[TableCandidate, list[Line]]:
    """The same below a row of heads, with level ones between them; and the standing lines that are heads now."""
    turned = _right_above(whole, standing)
    if len(turned) < SEVERAL:
        return whole, []
    level = _beside(around(turned), whole, lines)
    ends = _ends_of_columns(whole)
    heads = {bisect(ends, line.box.center[0]): line for line in (*turned, *(lines[n] for n in level))}
    if len(heads) < len(turned) + len(level):
        return whole, []
    named = (TableCell(0, column, head.plain, box=head.box) for column, head in sorted(heads.items()))
    cells = (*named, *(replace(cell, row=cell.row + 1) for cell in whole.cells))
    box = Box.around((whole.box, around(list(heads.values()))))
    return replace(whole, box=box, cells=cells, lines=whole.lines.union(level)), turned


def _right_above(whole: TableCandidate, standing: Sequence[Line]) -> list[Line]:
    step, top = whole.box.height / max(1, whole.height), whole.box.y0
    over = (line for line in standing if line.box.overlap_x(whole.box) > 0)
    return [line for line in over if top - SEVERAL * step < line.box.y1 < top + step / 2]


def _beside(band: Box, whole: TableCandidate, lines: Sequence[Line]) -> list[int]:
    """The lines between turned heads."""
    others = ((n, line.box.center[1]) for n, line in enumerate(lines) if n not in whole.lines)
    return [n for n, middle in others if band.y0 <= middle <= whole.box.y0]


def _ends_of_columns(whole: TableCandidate) -> list[float]:
    """Where each column ends but for the last, in the middle of the white behind it; none if one has no cell."""
    held: dict[int, list[Box]] = {}
    for cell in whole.filled:
        if cell.columns == 1:
            held.setdefault(cell.column, []).append(box_of(cell))
    columns = [Box.around(held[n]) for n in sorted(held)]
    return [(left.x1 + right.x0) / 2 for left, right in pairwise(columns)] if len(held) == whole.width else []
