"""Where a table may stand: rows of several lines side by side, one near below the other. Knows lines alone.

Columns of prose stand so too, and so do labels over their values: what it is is not decided here.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from docparse_fast.document import Box
from docparse_fast.drafting.lines import Line
from docparse_fast.drafting.tables.aligned_tables import rows_of

FEWEST_ROWS = 2  # of several lines
APART = 1.0  # of a line's height between two of one row
NEAR = 3.2  # of a line's height, from the middle of a row to that of the next
MOST_ALONE = 2  # rows of one line between two of several: the rest of a cell, the head of a group
PlaceRow = list[int]


def level_places(lines: Sequence[Line]) -> list[list[PlaceRow]]:
    """Each place's rows, from its first to its last with several lines; rows are lines' numbers from left to right."""
    runs: list[list[PlaceRow]] = [[]]
    alone = 0  # rows without two lines apart at the run's end
    for above, row in pairwise([[], *rows_of(lines, range(len(lines)))]):
        if not above or _step(above, row, lines) > NEAR or alone > MOST_ALONE:
            runs.append([])
        runs[-1].append(row)
        alone = 0 if is_apart(row, lines) else alone + 1
    places = [_from_first_to_last(run, lines) for run in runs]
    return [place for place in places if sum(is_apart(row, lines) for row in place) >= FEWEST_ROWS]


def is_apart(row: PlaceRow, lines: Sequence[Line]) -> bool:
    """Whether two of the row's lines have more than a blank between them."""
    boxes = [lines[n].box for n in row]
    return any(b.x0 - a.x1 > APART * min(a.height, b.height) for a, b in pairwise(boxes))


def _step(above: PlaceRow, row: PlaceRow, lines: Sequence[Line]) -> float:
    a, b = (Box.around(lines[n].box for n in each) for each in (above, row))
    return (b.center[1] - a.center[1]) / max(1.0, min(a.height, b.height))


def _from_first_to_last(run: list[PlaceRow], lines: Sequence[Line]) -> list[PlaceRow]:
    several = [n for n, row in enumerate(run) if is_apart(row, lines)]
    return run[several[0] : several[-1] + 1] if several else []
