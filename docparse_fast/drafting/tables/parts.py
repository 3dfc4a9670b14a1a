"""Parts of a proposed table that may be tables of their own. Knows its cells, lines and grounds; judges nothing.

A place may hold more than one table: two that stand side by side or one over the other, a table with the sums below it,
a sheet whose grid runs through letterhead, items and totals. Each part is proposed beside the whole.

Two tables side by side show themselves at a gutter that nothing drawn runs across: the right one begins with the left
one's head or has its columns, or rules and grounds run through each up to it.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from itertools import accumulate, chain, combinations, pairwise
from statistics import median

from docparse_fast.document import Box, TableCell
from docparse_fast.drafting.blocks.stacks import reads_on
from docparse_fast.drafting.lines import Line
from docparse_fast.drafting.measures import ACROSS, EDGE, MOSTLY, ONE_LEVEL, SEVERAL, of_one_type
from docparse_fast.drafting.tables.candidates import Marks, TableCandidate
from docparse_fast.drafting.tables.cell_evidence import kind
from docparse_fast.drafting.tables.evidence import WIDE
from docparse_fast.drafting.tables.grid import box_of, looks_like_number
from docparse_fast.drafting.tables.heads import is_figure
from docparse_fast.drafting.words import CAPTION
from docparse_fast.geometry import parted, runs

MOST_CUTS = 4  # between rows, the plainest: fifteen parts
WIDE_STEP = 1.5  # of the usual step from row to row


def parts_of(whole: TableCandidate, lines: Sequence[Line]) -> Iterator[TableCandidate]:
    """Runs of rows between the plainest cuts, and the columns left and right of the widest white."""
    cells = whole.filled
    ends = [0, *sorted(_cuts(whole.rows)), whole.height]
    for top, bottom in combinations(ends, 2):
        held = [cell for cell in cells if top <= cell.row < bottom]
        if bottom - top < whole.height and all(cell.row + cell.rows <= bottom for cell in held):
            yield from part_of(whole, held, lines)
    widest = max(_open_gutters(cells, whole.width), key=lambda gutter: gutter[2] - gutter[1], default=None)
    if widest is not None:
        for side in parted(cells, lambda cell: cell.column < widest[0]):
            yield from part_of(whole, side, lines)


def at_heads(whole: TableCandidate, lines: Sequence[Line], areas: Sequence[Box] = ()) -> list[TableCandidate]:
    """The tables of a place whose head returns, or stands out below others; one line at the left above is a name."""
    said = [tuple(row) for row in whole.said]
    fewest = max(SEVERAL, whole.width / 2)  # a group's name may run over a column's edge
    several = [n for n, row in enumerate(said) if len(row) >= SEVERAL and not _has_figures(row)]
    full = [n for n in several if len(said[n]) >= fewest]
    worded = [n for n in full if not any(map(str.isdigit, "".join(said[n])))]
    starts = _returning(said, several) or _in_other_type(whole, full, lines) or _on_ground(whole, worded, areas)
    ends = [*(n - (n > 0 and len(said[n - 1]) == 1) for n in starts), whole.height]
    return _parts_between(whole, whole.filled, zip((0, *starts), ends, strict=True), lines) if any(starts) else []


def _parts_between(
    whole: TableCandidate, cells: Sequence[TableCell], bounds: Iterable[tuple[int, int]], lines: Sequence[Line]
) -> list[TableCandidate]:
    parts = ([cell for cell in cells if top <= cell.row < bottom] for top, bottom in bounds)
    return [part for held in parts for part in part_of(whole, held, lines)]


def _returning(said: Sequence[tuple[str, ...]], heads: Sequence[int]) -> list[int]:
    """Those that say the same, if one line stands above each, but for one at the top."""
    head, _ = next(iter(Counter(said[n] for n in heads).most_common(1)), ((), 0))
    starts = [n for n in heads if said[n] == head]
    unnamed = (n for n in starts if n == 0 or len(said[n - 1]) > 1)
    return starts if len(starts) >= SEVERAL and not any(unnamed) else []


def _in_other_type(whole: TableCandidate, heads: Sequence[int], lines: Sequence[Line]) -> list[int]:
    """Those rows that are in another type than the table, as a head, below rows or a name that are not."""
    apart = _rows_of(whole, _set_apart(whole, lines))
    starts = [n for n in heads if apart[n] and (n == 0 or not apart[n - 1] or _may_end(whole.rows[n - 1]))]
    return starts if 2 * sum(apart) < len(apart) else []


def _set_apart(whole: TableCandidate, lines: Sequence[Line]) -> Callable[[Box], bool]:
    """Whether a line in another type than most stands in a cell, or the cell in it."""
    types = {n: lines[n].typeface for n in whole.lines}
    usual = Counter(types.values()).most_common(1)
    other = [lines[n].box for n, its in types.items() if its != usual[0][0]]
    return lambda box: any(box.holds(each) or each.holds(box) for each in other)


def _may_end(row: Sequence[TableCell]) -> bool:
    """Whether a head may follow: below a name, or figures."""
    return (len(row) == 1 and row[0].column == 0) or _has_figures([cell.text for cell in row])


def _has_figures(row: Sequence[str]) -> bool:
    return any(map(is_figure, row))


def _on_ground(whole: TableCandidate, heads: Sequence[int], areas: Sequence[Box]) -> list[int]:
    """The one row that is on a ground, below rows of fewer cells."""
    held = [n for n, on in enumerate(_rows_of(whole, lambda box: any(area.holds(box) for area in areas))) if on]
    counts = [len(row) for row in whole.rows]
    return held if len(held) == 1 and held[0] in heads and max(counts[: held[0]], default=0) < counts[held[0]] else []


def _rows_of(whole: TableCandidate, is_so: Callable[[Box], bool]) -> list[bool]:
    return [bool(row) and all(is_so(box_of(cell)) for cell in row) for row in whole.rows]


def _cuts(rows: Sequence[Sequence[TableCell]]) -> list[int]:
    """The rows before which the table may end: after wide white, at a jump in their cells, where a head returns.

    A jump counts the less the more often it is made: notes below some rows are the table's own.
    """
    filled = [n for n, row in enumerate(rows) if row]
    if len(filled) < SEVERAL:
        return []
    boxes = {n: Box.around(map(box_of, rows[n])) for n in filled}
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


def without_text(
    whole: TableCandidate, texts: Sequence[Sequence[int]], lines: Sequence[Line]
) -> Iterator[TableCandidate]:
    """The same without paragraphs, given by their lines, that stand beside rows: all else, or above and below."""
    beside = {n: cells for n, text in enumerate(texts) if (cells := _torn(text, whole, lines))}
    parts = _without(set(chain(*beside.values())), whole, lines) if beside else []
    words = frozenset(chain(*(texts[n] for n in beside)))
    yield from [part for part in parts if part.lines.isdisjoint(words)] or [whole]


def _without(torn: set[TableCell], whole: TableCandidate, lines: Sequence[Line]) -> list[TableCandidate]:
    rest, at = [cell for cell in whole.filled if cell not in torn], [cell.row for cell in torn]
    bounds = (0, min(at)), (min(at), whole.height), (max(at) + 1, whole.height)
    return list(dict.fromkeys([*part_of(whole, rest, lines), *_parts_between(whole, rest, bounds, lines)]))


def _torn(text: Sequence[int], whole: TableCandidate, lines: Sequence[Line]) -> list[TableCell]:
    """The cells that it fills, if others stand at one side of several, and it reads on or isn't level with them."""
    stack = [lines[n] for n in text]
    held = [cell for cell in whole.filled if any(box_of(cell).holds(line.box) for line in stack)]
    others = [cell for row in {cell.row for cell in held} for cell in whole.rows[row] if cell not in held]
    if not others:
        return held if len(held) > 1 else []
    beside = len({cell.row for cell in others}) > 1 and _are_at_one_side(others, stack)
    return held if beside and (reads_on(stack) or not _are_level(stack, others)) else []


def _are_at_one_side(cells: Sequence[TableCell], stack: Sequence[Line]) -> bool:
    left = min(line.box.x0 for line in stack)
    return len({box_of(cell).x1 <= left for cell in cells}) == 1


def _are_level(stack: Sequence[Line], cells: Sequence[TableCell]) -> bool:
    return all(any(abs(line.box.y1 - box_of(cell).y1) < EDGE * line.size for cell in cells) for line in stack)


def _are_figures(column: Sequence[TableCell]) -> bool:
    return 2 * sum(any(map(str.isdigit, cell.text)) for cell in column) > len(column)


def part_of(whole: TableCandidate, cells: Sequence[TableCell], lines: Sequence[Line]) -> Iterator[TableCandidate]:
    """The cells as a table of their own, without rows and columns that are empty."""
    rows = sorted({cell.row for cell in cells})
    columns = sorted({cell.column for cell in cells})
    if len(rows) < SEVERAL or len(columns) < SEVERAL:
        return
    around = Box.around(cell.box for cell in cells if cell.box is not None)
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


def in_its_sheet(whole: TableCandidate, lines: Sequence[Line]) -> TableCandidate:
    """A printed sheet's table alone: without what fills a cell or two of each row, beyond an empty row of the grid."""
    rows = Counter(row for cell in whole.cells if cell.text for row in range(cell.row, cell.row + cell.rows))
    full = sorted(row for row, count in rows.items() if count > SEVERAL) or [0]
    top = max(set(range(full[0])) - rows.keys(), default=-1) + 1
    bottom = min(set(range(full[-1], whole.height)) - rows.keys(), default=whole.height)
    held = [cell for cell in whole.cells if top <= cell.row < bottom]
    return whole if len(held) == len(whole.cells) else next(part_of(whole, held, lines), whole)


def _reach(kept: Sequence[int], start: int, length: int) -> int:
    return sum(start <= n < start + length for n in kept)


def without_name(whole: TableCandidate, lines: Sequence[Line], areas: Sequence[Box] = ()) -> TableCandidate | None:
    """The same without a first row that begins with a heading or is a caption; none if no rows are left then."""
    rows = whole.rows
    if whole.reader == "lattice" or not rows[0]:
        return whole
    alone, first = len(rows[0]) == 1, min(rows[0], key=lambda cell: cell.column)
    if _is_larger(first, whole, lines, alone=alone) or (alone and _stands_over(rows, lines, areas)):
        rest = part_of(whole, [cell for cell in whole.filled if cell.row > 0], lines)
        return next(rest, whole if len(rows) > SEVERAL else None)
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
    return any(area.holds(box_of(cell)) for area in areas)


def _lines_of(cell: TableCell, numbers: Iterable[int], lines: Sequence[Line]) -> list[int]:
    return [n for n in numbers if box_of(cell).holds(lines[n].box)]


def halves_of(whole: TableCandidate, lines: Sequence[Line], marks: Marks) -> tuple[TableCandidate, ...]:
    """The two tables that a reader took for one; none where it is one."""
    cells = whole.filled
    unit = median([lines[n].box.height for n in whole.lines] or [1.0])
    wide = [gutter for gutter in _open_gutters(cells, whole.width) if gutter[2] - gutter[1] >= WIDE * unit]
    drawn = _bands(whole.box.expanded(unit), [*marks.rules, *marks.areas]) if wide else []
    for column, start, end in wide:
        if any(band.x0 < start and band.x1 > end for band in drawn):
            continue
        left = [cell for cell in cells if cell.column < column]
        right = [cell for cell in cells if cell.column >= column]
        alike = _same_head(left, right) or _same_columns(left, right, unit)
        if alike or _drawn_apart(left, right, drawn) or _are_named(left, right, whole, lines):
            halves = (*part_of(whole, left, lines), *part_of(whole, right, lines))
            if len(halves) == 2:
                return halves
    return ()


def _open_gutters(cells: Sequence[TableCell], width: int) -> Iterator[tuple[int, float, float]]:
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
    if figures[-1] <= SEVERAL or figures[-1] < MOSTLY * len(columns[-1]) or _are_figures(columns[0]):
        return []
    told = zip(columns, figures, strict=True)
    return [
        max(box_of(c).x1 for c in column) if 2 * n > len(column) else min(box_of(c).x0 for c in column)
        for column, n in told
    ]


def _drawn_apart(left: Sequence[TableCell], right: Sequence[TableCell], drawn: Sequence[Box]) -> bool:
    """Whether what is drawn runs through each side whole, on two levels: groups of a head have rules of their own."""
    sides = [Box.around(map(box_of, side)) for side in (left, right)]
    return all(sum(band.overlap_x(side) > MOSTLY * side.width for band in drawn) >= SEVERAL for side in sides)


def _are_named(
    left: Sequence[TableCell], right: Sequence[TableCell], whole: TableCandidate, lines: Sequence[Line]
) -> bool:
    """Whether two lines stand level right above, one over each side's beginning, and the right side begins in words.

    Two such lines above them are fields.
    """
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
