"""Tells two tables side by side from one. Knows cells, rules and grounds; chooses nothing.

At a gutter that nothing drawn runs across, two tables show themselves in one of three ways: the right one begins with
the left one's head, their rows stand on levels of their own, or rules and grounds run through each up to the gutter.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from itertools import accumulate
from statistics import median

from docparse_fast.document import Box, TableCell
from docparse_fast.drafting.lines import Line
from docparse_fast.drafting.tables.candidates import Marks, TableCandidate
from docparse_fast.drafting.tables.drawn_evidence import SAME_LEVEL
from docparse_fast.drafting.tables.drawn_evidence import WIDE as MOST
from docparse_fast.drafting.tables.evidence import TALL, WIDE
from docparse_fast.drafting.tables.parts import FEWEST, part_of

OFF_LEVEL = 0.12  # of a line's height, between the two rows of one level


def halves_of(whole: TableCandidate, lines: Sequence[Line], marks: Marks) -> tuple[TableCandidate, ...]:
    """The two tables that a reader took for one; none where it is one."""
    if whole.width < 2 * FEWEST:
        return ()
    cells = [cell for cell in whole.cells if cell.text and cell.box is not None]
    unit = median([lines[n].box.height for n in whole.lines] or [1.0])
    wide = [gutter for gutter in _gutters(cells, whole.width) if gutter[2] - gutter[1] >= WIDE * unit]
    drawn = _bands(whole.box, [*marks.rules, *marks.areas]) if wide else []
    for column, start, end in wide:
        if any(band.x0 < start and band.x1 > end for band in drawn):
            continue
        left = [cell for cell in cells if cell.column < column]
        right = [cell for cell in cells if cell.column >= column]
        if _same_head(left, right) or _off_level(left, right, unit) or _drawn_apart(left, right, drawn):
            halves = (*part_of(whole, left, lines), *part_of(whole, right, lines))
            if len(halves) == 2:
                return halves
    return ()


def _gutters(cells: Sequence[TableCell], width: int) -> Iterator[tuple[int, float, float]]:
    """The columns before which no cell goes on, each with where the cells before it end and those from it on begin."""
    ends, starts = [-math.inf] * (width + 1), [math.inf] * (width + 1)
    through = [0] * (width + 1)
    for cell in cells:
        box, last = _box(cell), cell.column + cell.columns
        ends[last], starts[cell.column] = max(ends[last], box.x1), min(starts[cell.column], box.x0)
        for column in range(cell.column + 1, last):
            through[column] += 1
    before = list(accumulate(ends, max))
    behind = list(accumulate(reversed(starts), min))[::-1]
    for column in range(FEWEST, width - FEWEST + 1):
        if not through[column] and before[column] > -math.inf and behind[column] < math.inf:
            yield column, before[column], behind[column]


def _same_head(left: Sequence[TableCell], right: Sequence[TableCell]) -> bool:
    """Whether the first row, or below a name on each side the second, says the same on both."""
    for row in range(2):
        a, b = ([cell.text for cell in side if cell.row == row] for side in (left, right))
        if max(len(a), len(b)) >= FEWEST:
            return a == b and not any(map(str.isdigit, "".join(a)))
    return False


def _off_level(left: Sequence[TableCell], right: Sequence[TableCell], unit: float) -> bool:
    """Whether the rows on one side stand higher than those on the other, nearly all of them."""
    apart = both = 0
    for row in sorted({cell.row for cell in left} & {cell.row for cell in right}):
        a, b = ([_box(cell) for cell in side if cell.row == row] for side in (left, right))
        if any(box.height > TALL * unit for box in (*a, *b)):
            continue
        both += 1
        within = max(max(box.y1 for box in side) - min(box.y1 for box in side) for side in (a, b))
        apart += max(_below(a, b), _below(b, a)) > OFF_LEVEL * unit > within
    return both > FEWEST and apart > MOST * both


def _below(upper: Sequence[Box], lower: Sequence[Box]) -> float:
    """How far all of `lower` stand below all of `upper`, by tops and by bottoms: a `y` alone reaches lower."""
    tops = min(box.y0 for box in lower) - max(box.y0 for box in upper)
    return min(tops, min(box.y1 for box in lower) - max(box.y1 for box in upper))


def _drawn_apart(left: Sequence[TableCell], right: Sequence[TableCell], drawn: Sequence[Box]) -> bool:
    """Whether what is drawn runs through each side whole, on two levels: groups of a head have rules of their own."""
    sides = [Box.around(map(_box, side)) for side in (left, right)]
    return all(sum(band.overlap_x(side) > MOST * side.width for band in drawn) >= FEWEST for side in sides)


def _bands(around: Box, drawn: Sequence[Box]) -> list[Box]:
    """Level rules and the grounds of rows, those of neighbouring cells joined."""
    low = (box for box in drawn if around.holds(box) and 2 * box.height < around.height)  # a narrow cell's is no wider
    runs: list[Box] = []
    for piece in sorted(low, key=_by_level):
        if runs and _by_level(runs[-1])[0] == _by_level(piece)[0] and piece.x0 - runs[-1].x1 < SAME_LEVEL:
            runs[-1] = Box.around((runs[-1], piece))
        else:
            runs.append(piece)
    return [run for run in runs if run.width > run.height]


def _by_level(box: Box) -> tuple[int, float]:
    return round(box.center[1] / SAME_LEVEL), box.x0


def _box(cell: TableCell) -> Box:
    assert cell.box is not None
    return cell.box
