"""Parts of a proposed table that are tables of their own, or none of its rows. Knows a candidate's cells."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from statistics import median

from docparse_fast.document import Box, TableCell
from docparse_fast.drafting.lines import Line
from docparse_fast.drafting.measures import of_one_type
from docparse_fast.drafting.tables.candidates import TableCandidate
from docparse_fast.drafting.tables.grid import in_rows
from docparse_fast.drafting.words import CAPTION

FEWEST = 2  # rows and columns of a part
ACROSS = 0.2  # of a line: as much of it within a part that it isn't of, and it runs over the part's edge


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


def without_name(whole: TableCandidate, lines: Sequence[Line]) -> TableCandidate:
    """The same without a first row that begins with a heading or is a caption: it is none of the table's rows."""
    cells = [cell for cell in whole.cells if cell.text and cell.box is not None]
    first = sorted((cell for cell in cells if cell.row == 0), key=lambda cell: cell.column)
    if whole.reader == "lattice" or not first:
        return whole
    if not _is_name(first[0], whole, lines, alone=len(first) == 1):
        return whole
    return next(part_of(whole, [cell for cell in cells if cell.row > 0], lines), whole)


def _is_name(cell: TableCell, whole: TableCandidate, lines: Sequence[Line], *, alone: bool) -> bool:
    """Whether it is in larger type than the table's: beside others than all of it, since articles' names may be so."""
    in_it = [n for n in whole.lines if cell.box is not None and cell.box.holds(lines[n].box)]
    others = [lines[n].size for n in whole.lines.difference(in_it)]
    if not in_it or not others:
        return False
    size, usual = min(lines[n].size for n in in_it), median(others) if alone else max(others)
    return (size > usual and not of_one_type(size, usual)) or (alone and CAPTION.match(cell.text) is not None)
