"""Two tables, or an address and a table, side by side, that a reader took for one. Knows cells, lines and drawings.

Two tables show themselves at a gutter that nothing drawn runs across: the right one begins with the left one's head or
has its columns, or rules and grounds run through each up to it. An address goes on below labels, or is far from them.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from itertools import accumulate, product
from statistics import median

from docparse_fast.document import Box, TableCell
from docparse_fast.drafting.lines import Line
from docparse_fast.drafting.measures import EDGE, ENOUGH, MOSTLY, ONE_LEVEL, SEVERAL, WIDE, in_one_row, of_one_type
from docparse_fast.drafting.tables.candidates import Marks, TableCandidate, part_of
from docparse_fast.drafting.tables.cell_evidence import kind
from docparse_fast.drafting.tables.grid import box_of, looks_like_number
from docparse_fast.geometry import around, runs


def halves_of(whole: TableCandidate, lines: Sequence[Line], marks: Marks) -> tuple[TableCandidate, ...]:
    """The two tables that a reader took for one; none where it is one."""
    cells = whole.filled
    unit = median([lines[n].box.height for n in whole.lines] or [1.0])
    wide = [gutter for gutter in open_gutters(cells, whole.width) if gutter[2] - gutter[1] >= WIDE * unit]
    drawn = _bands(whole.box.expanded(unit), [*marks.rules, *marks.areas]) if wide else []
    for column, start, end in wide:
        left = [cell for cell in cells if cell.column < column]
        right = [cell for cell in cells if cell.column >= column]
        across = any(band.x0 < start < end < band.x1 for band in drawn)
        alike = _drawn_apart(left, right, drawn) or _are_alike(left, right, unit)
        if not across and (alike or _are_named(left, right, whole, lines)):
            halves = (*part_of(whole, left, lines), *part_of(whole, right, lines))
            if len(halves) == 2:
                return halves
    return ()


def without_address(whole: TableCandidate, lines: Sequence[Line]) -> TableCandidate:
    """Labels and values without the column before them, an address: it goes on below them, or stands far from them."""
    if whole.width != 1 + SEVERAL or whole.reader == "lattice":
        return whole
    first, labels, values = (_lines_in(whole, column, lines) for column in range(whole.width))
    goes_below = _are_in_own_types(first, labels, values) and _goes_below(first, labels, lines)
    if not goes_below and not _stands_far(first, labels, values):
        return whole
    return next(part_of(whole, [cell for cell in whole.filled if cell.column], lines), whole)


def _stands_far(column: Sequence[Line], labels: Sequence[Line], values: Sequence[Line]) -> bool:
    """Whether it is lines that wide white parts from labels of one row each, close before values of several kinds."""
    if len(column) < SEVERAL or not (labels and values):
        return False
    first, second, third = map(around, (column, labels, values))
    named = len({line.plain for line in labels}) == len(values) and {kind(line.plain) for line in labels} == {"words"}
    far = first.gap_x(second) > ENOUGH * second.gap_x(third) > 0
    return far and named and _are_of_several_kinds(values, beside=_is_one_for_each(column, labels))


def _is_one_for_each(column: Sequence[Line], labels: Sequence[Line]) -> bool:
    level = [any(in_one_row(line.box, label.box) for label in labels) for line in column]
    return all(level) and len(column) == len(labels)


def _are_of_several_kinds(values: Sequence[Line], *, beside: bool) -> bool:
    """Where no line stands beside each of their labels, some with a figure and some without are of several, too."""
    return len({(kind(line.plain), not beside and any(map(str.isdigit, line.plain))) for line in values}) > 1


def _are_in_own_types(first: Sequence[Line], labels: Sequence[Line], values: Sequence[Line]) -> bool:
    address, named, said = ({line.typeface for line in column if line.is_exact} for column in (first, labels, values))
    return len(address) == len(named) == 1 and named.isdisjoint(said)


def _lines_in(whole: TableCandidate, column: int, lines: Sequence[Line]) -> list[Line]:
    boxes = [box_of(cell) for cell in whole.filled if cell.column == column]
    return [lines[n] for n in whole.lines if any(box.holds(lines[n].box) for box in boxes)]


def _goes_below(column: Sequence[Line], labels: Sequence[Line], lines: Sequence[Line]) -> bool:
    """Whether a line of it stands below all labels, or another comes: in line with it, and as far below."""
    last = max(column, key=lambda line: line.box.y1)
    if last.box.y0 > max(line.box.y1 for line in labels):
        return True
    above = max((line.box.y1 for line in column if line.box.y1 < last.box.center[1]), default=-math.inf)
    alike = (line for line in lines if line.typeface == last.typeface)
    in_line = (line for line in alike if abs(line.box.x0 - last.box.x0) < EDGE * line.size)
    return any(of_one_type(line.box.y1 - last.box.y1, last.box.y1 - above) for line in in_line)


def open_gutters(cells: Sequence[TableCell], width: int) -> Iterator[tuple[int, float, float]]:
    """The columns before which no cell goes on, each with where the cells before it end and those from it on begin."""
    ends, starts = [-math.inf] * (width + 1), [math.inf] * (width + 1)
    through = [0] * (width + 1)
    for cell in cells:
        box, last = box_of(cell), cell.column + cell.columns
        ends[last], starts[cell.column] = max(ends[last], box.x1), min(starts[cell.column], box.x0)
        for column in range(cell.column + 1, last):
            through[column] += 1
    before = list(accumulate(ends, max))
    behind = list(accumulate(reversed(starts), min))[::-1]
    for column in range(SEVERAL, width - SEVERAL + 1):
        if not through[column] and before[column] > -math.inf and behind[column] < math.inf:
            yield column, before[column], behind[column]


def _are_alike(left: Sequence[TableCell], right: Sequence[TableCell], unit: float) -> bool:
    return _same_head(left, right) or _same_columns(left, right, unit)


def _same_head(left: Sequence[TableCell], right: Sequence[TableCell]) -> bool:
    """Whether the first row, or below a name on each side the second, says on one side what it does next to it.

    Where figures alone stand beside what begins with labels, these are theirs, too: two years of one table.
    """
    if _begins_in_figures(right) and not _begins_in_figures(left):
        return False
    for row in range(2):
        a, b = ([cell.text for cell in side if cell.row == row] for side in (left, right))
        beside = min(len(a), len(b))
        if beside >= SEVERAL:
            return (a == b[:beside] or a[-beside:] == b) and not any(map(str.isdigit, "".join((*a, *b))))
    return False


def _same_columns(left: Sequence[TableCell], right: Sequence[TableCell], unit: float) -> bool:
    """Whether both sides, or the nearest part of the wider one, have names and figures that begin and end alike."""
    a, b = map(_edges_of_columns, (left, right))
    fewer = min(len(a), len(b))
    near = [zip(one, other, strict=True) for one, other in ((a[-fewer:], b), (a, b[:fewer])) if len(one) == len(other)]
    steps = [[x - y for x, y in pair] for pair in near]
    return fewer > 1 and any(max(step) - min(step) < unit for step in steps)


def _edges_of_columns(side: Sequence[TableCell]) -> list[float]:
    """Where each column begins, a column of figures ends; none if a side does not begin with names and end so."""
    columns = [[cell for cell in side if cell.column == n] for n in sorted({cell.column for cell in side})]
    figures = [sum(looks_like_number(cell.text) for cell in column) for column in columns]
    counted = sum(any(map(str.isdigit, cell.text)) for cell in columns[0])
    if figures[-1] <= SEVERAL or figures[-1] < MOSTLY * len(columns[-1]) or 2 * counted > len(columns[0]):
        return []
    told = zip(columns, figures, strict=True)
    return [
        max(box_of(c).x1 for c in column) if 2 * n > len(column) else min(box_of(c).x0 for c in column)
        for column, n in told
    ]


def _drawn_apart(left: Sequence[TableCell], right: Sequence[TableCell], drawn: Sequence[Box]) -> bool:
    """Whether what is drawn runs through each side whole, on several levels or others than through the other side.

    Groups of one head have rules of their own, on one level.
    """
    sides = [Box.around(map(box_of, side)) for side in (left, right)]
    through = [[band.center[1] for band in drawn if band.overlap_x(side) > MOSTLY * side.width] for side in sides]
    apart = all(abs(a - b) > ONE_LEVEL for a, b in product(*through))
    return min(map(len, through)) >= (1 if apart else SEVERAL)


def _are_named(
    left: Sequence[TableCell], right: Sequence[TableCell], whole: TableCandidate, lines: Sequence[Line]
) -> bool:
    """Whether a line stands level above each side's beginning, two being fields, and the right one begins in words."""
    above = _right_above(whole.box.y0, lines)
    farther = _right_above(min((line.box.y0 for line in above), default=0.0), lines)
    starts = [min(box_of(cell).x0 for cell in side) for side in (left, right)]
    named = len(above) == SEVERAL and _stand_over(starts, above) and not _stand_over(starts, farther)
    return named and not _begins_in_figures(right)


def _right_above(top: float, lines: Sequence[Line]) -> list[Line]:
    return [line for line in lines if 0 < top - line.box.y1 < SEVERAL * line.box.height]


def _stand_over(starts: Sequence[float], lines: Sequence[Line]) -> bool:
    """Whether some line begins at each of the places."""
    return all(any(abs(line.box.x0 - start) < line.size for line in lines) for start in starts)


def _begins_in_figures(side: Sequence[TableCell]) -> bool:
    first = min(cell.column for cell in side)
    kinds = [kind(cell.text) for cell in side if cell.column == first]
    return 2 * kinds.count("number") >= len(kinds)


def _bands(around: Box, drawn: Sequence[Box]) -> list[Box]:
    """Level rules and the grounds of rows, those of neighbouring cells joined."""
    low = (box for box in drawn if around.holds(box) and 2 * box.height < around.height)  # a narrow cell's is no wider
    placed = sorted(((round(box.center[1] / ONE_LEVEL), box.x0, box) for box in low), key=lambda each: each[:2])
    level = runs(placed, lambda run, each: run[-1][0] == each[0] and each[1] - run[-1][2].x1 < ONE_LEVEL)
    bands = [Box.around(box for _, _, box in run) for run in level]
    return [band for band in bands if band.width > band.height]
