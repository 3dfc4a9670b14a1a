"""Finds tables without rules that a layout model takes for text: successive rows with cells in the same columns.

Knows lines; looks at no pixels.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from docparse_fast.document import Box
from docparse_fast.drafting.lines import Line
from docparse_fast.drafting.tables.finding import SplitCell, cells_of, looks_like_table, rows_of_cells

CLOSE = 3.0  # line heights from one row's middle to the next within a table
MOST_ALONE = 2  # rows of one cell in a row: a cell of several lines, a heading within the table
CAPTION = re.compile(r"\w{2,12}\.?\s*\d+(?:[.-]\d+)*\s*[:.|–—]", re.IGNORECASE)  # `Table 3:`, which parts two tables
PROSE = 20.0  # times as wide as high: a line of prose, which ends a table


def missed_tables(lines: Sequence[Line], taken: Iterable[Box]) -> list[Box]:
    """Where such tables stand; `taken` are the places of tables, figures and formulas that are known."""
    known = list(taken)
    free = [line for line in lines if not any(box.covers(line.box) > 0.5 for box in known)]
    rows = rows_of_cells([cell for line in free for cell in cells_of(line)])
    return [box for run in _runs(rows) for box in _tables_in(run, free)]


def _tables_in(run: Sequence[Sequence[SplitCell]], lines: Sequence[Line]) -> list[Box]:
    """All rows as one table, or the tables between its lines of text."""
    for parts in ([run], _apart(run)):
        boxes = [Box.around(cell.box for row in part for cell in row) for part in parts]
        if found := [box for box in boxes if looks_like_table(lines, box, narrow=False)]:
            return found
    return []


def _apart(run: Sequence[Sequence[SplitCell]]) -> list[list[Sequence[SplitCell]]]:
    """The rows between those of one cell that reaches over two of the row above."""
    parts: list[list[Sequence[SplitCell]]] = [[]]
    for row in run:
        above = parts[-1][-1] if parts[-1] else ()
        if len(row) == 1 and sum(row[0].box.overlap_x(cell.box) > 0 for cell in above) > 1:
            parts.append([])
        else:
            parts[-1].append(row)
    return [part for part in parts if part]


def _runs(rows: Sequence[Sequence[SplitCell]]) -> list[list[Sequence[SplitCell]]]:
    """Rows of several cells near each other, with the few rows of one cell between them."""
    runs: list[list[Sequence[SplitCell]]] = []
    alone: list[Sequence[SplitCell]] = []
    last: Sequence[SplitCell] = ()
    for row in rows:
        near = bool(last) and _step(last, row) < CLOSE
        if len(row) > 1:
            if runs and near and len(alone) <= MOST_ALONE:
                runs[-1] += [*alone, row]
            else:
                runs.append([row])
            alone = []
        elif near and runs and row[0].box.width < PROSE * row[0].box.height and not CAPTION.match(row[0].text):
            alone.append(row)
        else:
            alone = [row] * (MOST_ALONE + 1)
        last = row
    return runs


def _step(above: Sequence[SplitCell], row: Sequence[SplitCell]) -> float:
    """From one row's middle to the next, in line heights."""
    a, b = (Box.around(cell.box for cell in each) for each in (above, row))
    return (b.center[1] - a.center[1]) / max(1.0, min(cell.box.height for cell in (*above, *row)))
