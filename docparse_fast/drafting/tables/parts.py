"""Parts of a proposed table that may be tables of their own. Knows its cells, lines and grounds; judges nothing.

A place may hold more than one table: two that stand side by side or one over the other, a table with the sums below it,
a sheet whose grid runs through letterhead, items and totals. Each part is proposed beside the whole.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from itertools import combinations, pairwise
from statistics import median

from docparse_fast.document import Box, TableCell
from docparse_fast.drafting.lines import Line
from docparse_fast.drafting.measures import of_one_type
from docparse_fast.drafting.tables.candidates import TableCandidate
from docparse_fast.drafting.tables.grid import in_rows
from docparse_fast.drafting.words import CAPTION

MOST_CUTS = 4  # between rows, the plainest: fifteen parts
WIDE = 1.5  # of the usual step from row to row
FEWEST = 2  # rows and columns of a part
MOST_ANEW = 3  # columns of labels before which a second table may begin
ACROSS = 0.2  # of a line: as much of it within a part that it isn't of, and it runs over the part's edge


def parts_of(whole: TableCandidate, lines: Sequence[Line]) -> Iterator[TableCandidate]:
    """Runs of rows between the plainest cuts, and the columns left and right of where a second table may begin."""
    cells = [cell for cell in whole.cells if cell.text and cell.box is not None]
    rows = in_rows(cells, whole.height)
    ends = [0, *sorted(_cuts(rows)), whole.height]
    for top, bottom in combinations(ends, 2):
        if bottom - top < whole.height:
            yield from _part(whole, [cell for cell in cells if top <= cell.row < bottom], bottom, whole.width, lines)
    for column in _gutters(cells, whole.width):
        left = [cell for cell in cells if cell.column < column]
        yield from _part(whole, left, whole.height, column, lines)
        yield from _part(whole, [cell for cell in cells if cell.column >= column], whole.height, whole.width, lines)


def at_returning_heads(whole: TableCandidate, lines: Sequence[Line]) -> list[TableCandidate]:
    """The tables of a place whose head returns below a name each time: none if it doesn't."""
    cells = [cell for cell in whole.cells if cell.text and cell.box is not None]
    said = [tuple(cell.text for cell in row) for row in in_rows(cells, whole.height)]
    heads = Counter(row for row in said if len(row) >= FEWEST and not any(map(str.isdigit, "".join(row))))
    head, times = next(iter(heads.most_common(1)), ((), 0))
    starts = [n for n, row in enumerate(said) if row == head]
    named = [n for n in starts if n and len(said[n - 1]) == 1]
    if times < FEWEST or len(named) < len(starts) - (starts[0] == 0):
        return []
    ends = [*(max(0, n - 1) for n in starts), whole.height]
    parts = ([cell for cell in cells if start <= cell.row < end] for start, end in zip((0, *starts), ends, strict=True))
    return [part for held in parts for part in part_of(whole, held, lines)]


def _cuts(rows: Sequence[Sequence[TableCell]]) -> list[int]:
    """The rows before which the table may end: after wide white, at a jump in their cells, where a head returns.

    A jump counts the less the more often it is made: notes below some rows are the table's own.
    """
    filled = [n for n, row in enumerate(rows) if row]
    if len(filled) < FEWEST:
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
        worth[below] = (wide if wide > WIDE - 1 else 0.0) + (jump / jumps[counts] if jump >= 0.5 else 0.0) + again
    plainest = sorted((n for n in worth if worth[n] > 0), key=lambda n: worth[n], reverse=True)
    return plainest[:MOST_CUTS]


def _gutters(cells: Sequence[TableCell], width: int) -> list[int]:
    """The column before which the widest white stands, and those where labels begin anew behind figures."""
    columns: list[list[TableCell]] = [[] for _ in range(width)]
    for cell in cells:
        columns[cell.column].append(cell)
    inner = range(FEWEST, width - FEWEST + 1)
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
    if len(rows) < FEWEST or len(columns) < FEWEST:
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
    cells = [cell for cell in whole.cells if cell.text and cell.box is not None]
    rows = in_rows(cells, whole.height)
    if whole.reader == "lattice" or not rows[0]:
        return whole
    alone, first = len(rows[0]) == 1, min(rows[0], key=lambda cell: cell.column)
    if _is_larger(first, whole, lines, alone=alone) or (alone and _stands_over(rows, lines, areas)):
        return next(part_of(whole, [cell for cell in cells if cell.row > 0], lines), whole)
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
