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
    found = [Box.around(cell.box for row in run for cell in row) for run in _runs(rows)]
    return [box for box in found if looks_like_table(free, box, narrow=False)]


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
