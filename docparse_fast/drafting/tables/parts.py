"""Parts of a proposed table that may be tables of their own. Knows its cells, lines and grounds; judges nothing.

A place may hold more than one table: two that stand side by side or one over the other, a table with the sums below it,
a sheet whose grid runs through letterhead, items and totals. Each part is proposed beside the whole.

Two tables side by side show themselves at a gutter that nothing drawn runs across: the right one begins with the left
one's head, their rows stand on levels of their own, or rules and grounds run through each up to the gutter.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from itertools import accumulate, combinations, pairwise
from statistics import median

from docparse_fast.document import Box, TableCell
from docparse_fast.drafting.lines import Line
from docparse_fast.drafting.measures import MOSTLY, ONE_LEVEL, SEVERAL, SEVERAL_LINES, of_one_type
from docparse_fast.drafting.tables.candidates import Marks, TableCandidate
from docparse_fast.drafting.tables.evidence import WIDE
from docparse_fast.drafting.words import CAPTION

MOST_CUTS = 4  # between rows, the plainest: fifteen parts
WIDE_STEP = 1.5  # of the usual step from row to row
MOST_ANEW = 3  # columns of labels before which a second table may begin
ACROSS = 0.2  # of a line: as much of it within a part that it isn't of, and it runs over the part's edge


def parts_of(whole: TableCandidate, lines: Sequence[Line]) -> Iterator[TableCandidate]:
    """Runs of rows between the plainest cuts, and the columns left and right of where a second table may begin."""
    cells = whole.filled
    ends = [0, *sorted(_cuts(whole.rows)), whole.height]
    for top, bottom in combinations(ends, 2):
        if bottom - top < whole.height:
            yield from _part(whole, [cell for cell in cells if top <= cell.row < bottom], bottom, whole.width, lines)
    for column in _gutters(cells, whole.width):
        left = [cell for cell in cells if cell.column < column]
        yield from _part(whole, left, whole.height, column, lines)
        yield from _part(whole, [cell for cell in cells if cell.column >= column], whole.height, whole.width, lines)


def at_returning_heads(whole: TableCandidate, lines: Sequence[Line]) -> list[TableCandidate]:
    """The tables of a place whose head returns below a name each time: none if it doesn't."""
    said = [tuple(cell.text for cell in row) for row in whole.rows]
    heads = Counter(row for row in said if len(row) >= SEVERAL and not any(map(str.isdigit, "".join(row))))
    head, times = next(iter(heads.most_common(1)), ((), 0))
    starts = [n for n, row in enumerate(said) if row == head]
    named = [n for n in starts if n and len(said[n - 1]) == 1]
    if times < SEVERAL or len(named) < len(starts) - (starts[0] == 0):
        return []
    ends = [*(max(0, n - 1) for n in starts), whole.height]
    parts = (
        [cell for cell in whole.filled if start <= cell.row < end]
        for start, end in zip((0, *starts), ends, strict=True)
    )
    return [part for held in parts for part in part_of(whole, held, lines)]


def _cuts(rows: Sequence[Sequence[TableCell]]) -> list[int]:
    """The rows before which the table may end: after wide white, at a jump in their cells, where a head returns.

    A jump counts the less the more often it is made: notes below some rows are the table's own.
    """
    filled = [n for n, row in enumerate(rows) if row]
    if len(filled) < SEVERAL:
        return []
    boxes = {n: Box.around(cell.box for cell in rows[n] if cell.box is not None) for n in filled}
    steps = {below: boxes[below].y0 - boxes[above].y1 for above, below in pairwise(filled)}
    unit = median(max(1.0, boxes[below].y0 - boxes[above].y0) for above, below in pairwise(filled))
    usual = median(steps.values())
    head = [cell.text for cell in rows[filled[0]]]
    jumps = Counter((len(rows[above]), len(rows[below])) for above, below in pairwise(filled))
    worth = {}
    for above, below in pairwise(filled):
        wide = (steps[below] - usual) / unit
        counts = len(rows[above]), len(rows[below])
        jump = 1 - min(counts) / max(counts)
        again = [cell.text for cell in rows[below]] == head
        worth[below] = (wide if wide > WIDE_STEP - 1 else 0.0) + (jump / jumps[counts] if jump >= 0.5 else 0.0) + again
    plainest = sorted((n for n in worth if worth[n] > 0), key=lambda n: worth[n], reverse=True)
    return plainest[:MOST_CUTS]


def _gutters(cells: Sequence[TableCell], width: int) -> list[int]:
    """The column before which the widest white stands, and those where labels begin anew behind figures."""
    columns: list[list[TableCell]] = [[] for _ in range(width)]
    for cell in cells:
        columns[cell.column].append(cell)
    inner = range(SEVERAL, width - SEVERAL + 1)
    starts = [min((cell.box.x0 for cell in column if cell.box is not None), default=None) for column in columns]
    ends = [
        max((c.box.x1 for c in cells if c.box is not None and c.column + c.columns - 1 == n), default=None)
        for n in range(width)
    ]
    white = {n: a - b for n in inner if (a := starts[n]) is not None and (b := ends[n - 1]) is not None}
    widest = [max(white, key=lambda n: white[n])] if white else []
    anew = [n for n in white if _are_figures(columns[n - 1]) and not _are_figures(columns[n])]
    return list(dict.fromkeys([*widest, *anew[:MOST_ANEW]]))


def _are_figures(column: Sequence[TableCell]) -> bool:
    return 2 * sum(any(map(str.isdigit, cell.text)) for cell in column) > len(column)


def _part(
    whole: TableCandidate, cells: Sequence[TableCell], bottom: int, right: int, lines: Sequence[Line]
) -> Iterator[TableCandidate]:
    """None if cells reach out of it."""
    if not any(cell.row + cell.rows > bottom or cell.column + cell.columns > right for cell in cells):
        yield from part_of(whole, cells, lines)


def part_of(whole: TableCandidate, cells: Sequence[TableCell], lines: Sequence[Line]) -> Iterator[TableCandidate]:
    """The cells as a table of their own, without rows and columns that are empty."""
    rows = sorted({cell.row for cell in cells})
    columns = sorted({cell.column for cell in cells})
    boxes = [cell.box for cell in cells if cell.box is not None]
    if len(rows) < SEVERAL or len(columns) < SEVERAL:
        return
    around = Box.around(boxes)
    held = frozenset(n for n in whole.lines if around.holds(lines[n].box))
    if not held or any(around.covers(lines[n].box) > ACROSS for n in whole.lines - held):
        return
    moved = tuple(
        replace(
            cell,
            row=rows.index(cell.row),
            column=columns.index(cell.column),
            rows=_reach(rows, cell.row, cell.rows),
            columns=_reach(columns, cell.column, cell.columns),
        )
        for cell in cells
    )
    yield TableCandidate(whole.reader, around, moved, held)


def _reach(kept: Sequence[int], start: int, length: int) -> int:
    return sum(start <= n < start + length for n in kept)


def without_name(whole: TableCandidate, lines: Sequence[Line], areas: Sequence[Box] = ()) -> TableCandidate:
    """The same without a first row that begins with a heading or is a caption: it is none of the table's rows."""
    rows = whole.rows
    if whole.reader == "lattice" or not rows[0]:
        return whole
    alone, first = len(rows[0]) == 1, min(rows[0], key=lambda cell: cell.column)
    if _is_larger(first, whole, lines, alone=alone) or (alone and _stands_over(rows, lines, areas)):
        return next(part_of(whole, [cell for cell in whole.filled if cell.row > 0], lines), whole)
    return whole


def _is_larger(cell: TableCell, whole: TableCandidate, lines: Sequence[Line], *, alone: bool) -> bool:
    """Whether it is in larger type than the table's: beside others than all of it, since articles' names may be so."""
    in_it = _lines_of(cell, whole.lines, lines)
    others = [lines[n].size for n in whole.lines.difference(in_it)]
    if not in_it or not others:
        return False
    size, usual = min(lines[n].size for n in in_it), median(others) if alone else max(others)
    return size > usual and not of_one_type(size, usual)


def _stands_over(rows: Sequence[Sequence[TableCell]], lines: Sequence[Line], areas: Sequence[Box]) -> bool:
    """Whether the first row's one cell is a caption, or bold or on a ground as nothing in the row below is.

    Where another row has but one cell, it is a group's name.
    """
    (name,), below = rows[0], rows[1] if len(rows) > 1 else ()
    grouped = any(len(row) == 1 for row in rows[1:])
    if CAPTION.match(name.text) or name.column > 0 or grouped or not below:
        return CAPTION.match(name.text) is not None
    return any(
        stands_out(name) and not any(map(stands_out, below))
        for stands_out in (partial(_is_bold, lines=lines), partial(_is_on_ground, areas=areas))
    )


def _is_bold(cell: TableCell, lines: Sequence[Line]) -> bool:
    return any(lines[n].bold for n in _lines_of(cell, range(len(lines)), lines))


def _is_on_ground(cell: TableCell, areas: Sequence[Box]) -> bool:
    return any(cell.box is not None and area.holds(cell.box) for area in areas)


def _lines_of(cell: TableCell, numbers: Iterable[int], lines: Sequence[Line]) -> list[int]:
    return [n for n in numbers if cell.box is not None and cell.box.holds(lines[n].box)]


OFF_LEVEL = 0.12  # of a line's height, between the two rows of one level


def halves_of(whole: TableCandidate, lines: Sequence[Line], marks: Marks) -> tuple[TableCandidate, ...]:
    """The two tables that a reader took for one; none where it is one."""
    if whole.width < 2 * SEVERAL:
        return ()
    cells = whole.filled
    unit = median([lines[n].box.height for n in whole.lines] or [1.0])
    wide = [gutter for gutter in _open_gutters(cells, whole.width) if gutter[2] - gutter[1] >= WIDE * unit]
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


def _open_gutters(cells: Sequence[TableCell], width: int) -> Iterator[tuple[int, float, float]]:
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
    for column in range(SEVERAL, width - SEVERAL + 1):
        if not through[column] and before[column] > -math.inf and behind[column] < math.inf:
            yield column, before[column], behind[column]


def _same_head(left: Sequence[TableCell], right: Sequence[TableCell]) -> bool:
    """Whether the first row, or below a name on each side the second, says the same on both."""
    for row in range(2):
        a, b = ([cell.text for cell in side if cell.row == row] for side in (left, right))
        if max(len(a), len(b)) >= SEVERAL:
            return a == b and not any(map(str.isdigit, "".join(a)))
    return False


def _off_level(left: Sequence[TableCell], right: Sequence[TableCell], unit: float) -> bool:
    """Whether the rows on one side stand higher than those on the other, nearly all of them."""
    apart = both = 0
    for row in sorted({cell.row for cell in left} & {cell.row for cell in right}):
        a, b = ([_box(cell) for cell in side if cell.row == row] for side in (left, right))
        if any(box.height > SEVERAL_LINES * unit for box in (*a, *b)):
            continue
        both += 1
        within = max(max(box.y1 for box in side) - min(box.y1 for box in side) for side in (a, b))
        apart += max(_below(a, b), _below(b, a)) > OFF_LEVEL * unit > within
    return both > SEVERAL and apart > MOSTLY * both


def _below(upper: Sequence[Box], lower: Sequence[Box]) -> float:
    """How far all of `lower` stand below all of `upper`, by tops and by bottoms: a `y` alone reaches lower."""
    tops = min(box.y0 for box in lower) - max(box.y0 for box in upper)
    return min(tops, min(box.y1 for box in lower) - max(box.y1 for box in upper))


def _drawn_apart(left: Sequence[TableCell], right: Sequence[TableCell], drawn: Sequence[Box]) -> bool:
    """Whether what is drawn runs through each side whole, on two levels: groups of a head have rules of their own."""
    sides = [Box.around(map(_box, side)) for side in (left, right)]
    return all(sum(band.overlap_x(side) > MOSTLY * side.width for band in drawn) >= SEVERAL for side in sides)


def _bands(around: Box, drawn: Sequence[Box]) -> list[Box]:
    """Level rules and the grounds of rows, those of neighbouring cells joined."""
    low = (box for box in drawn if around.holds(box) and 2 * box.height < around.height)  # a narrow cell's is no wider
    runs: list[Box] = []
    for piece in sorted(low, key=_by_level):
        if runs and _by_level(runs[-1])[0] == _by_level(piece)[0] and piece.x0 - runs[-1].x1 < ONE_LEVEL:
            runs[-1] = Box.around((runs[-1], piece))
        else:
            runs.append(piece)
    return [run for run in runs if run.width > run.height]


def _by_level(box: Box) -> tuple[int, float]:
    return round(box.center[1] / ONE_LEVEL), box.x0


def _box(cell: TableCell) -> Box:
    assert cell.box is not None
    return cell.box
