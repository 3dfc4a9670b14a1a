"""Rows of a sheet's column, as tables of two columns: what is named at the left, and at the right what it is.

Knows lines. The right part stands where that of other rows does or, if it is long, ends at the column's right edge: so
no white need reach down between the parts.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from statistics import median

from docparse_fast.document import Box, TableCell
from docparse_fast.drafting.blocks.joined_text import joined
from docparse_fast.drafting.lines import Line
from docparse_fast.drafting.tables.aligned_cells import AlignedTable, are_markers
from docparse_fast.drafting.tables.aligned_tables import rows_of
from docparse_fast.marks import unmarked
from docparse_fast.markup import as_read, unlinked

FEWEST_ROWS = 2
LEAST_SHARE = 0.2  # of a column's rows have two parts
SAME = 0.6  # of the type's size between two places that count as one
NEAR = 1.7  # leadings from one row to the next within a table
WRAPPED = 1.2  # leadings from one line of a part to the next
SAME_SIZE = 1.1  # ratio within which two rows are of one type

NameAndValue = tuple[list[str], list[str]]  # what stands at the left and at the right, line by line


def paired_tables(lines: Sequence[Line], strip: Sequence[int]) -> list[AlignedTable]:
    """The tables of one column of a sheet."""
    column = _Column(lines, rows_of(lines, strip))
    if sum(column.parts(row) is not None for row in column.rows) < LEAST_SHARE * len(column.rows):
        return []
    runs: list[list[_Entry]] = [[]]
    for row in column.rows:
        last = runs[-1][-1] if runs[-1] else None
        parts = column.parts(row)
        if last is not None and column.goes_on(last, row):
            last.add(row, lines)
        elif parts is None:
            runs.append([])
        elif last is None or column.is_next(last, row):
            runs[-1].append(_Entry(list(row), list(row), parts))
        else:
            runs.append([_Entry(list(row), list(row), parts)])
    return [_table(lines, run) for run in runs if len(run) >= FEWEST_ROWS and not _is_list(run)]


def _is_list(run: Sequence[_Entry]) -> bool:
    return are_markers([entry.parts[0][0] for entry in run])


@dataclass(slots=True)
class _Entry:
    members: list[int]
    last: list[int]  # of them, those of the last line
    parts: NameAndValue

    def add(self, row: Sequence[int], lines: Sequence[Line]) -> None:
        self.members += row
        self.last = list(row)
        self.parts[1].extend(_words(lines[i]) for i in row)


class _Column:
    """Where the parts of a column's rows stand."""

    def __init__(self, lines: Sequence[Line], rows: Sequence[list[int]]) -> None:
        self.lines = lines
        self.rows = rows
        boxes = [lines[i].box for row in rows for i in row]
        self.size = median([lines[i].size for row in rows for i in row] or [1.0])
        begins = sorted(lines[row[1]].box.x0 for row in rows if len(row) == 2)
        steps = [lines[b[0]].box.center[1] - lines[a[0]].box.center[1] for a, b in pairwise(rows)]
        self.left, self.right = min((box.x0 for box in boxes), default=0.0), max((box.x1 for box in boxes), default=0.0)
        self.middle = max(begins, key=lambda x: sum(abs(x - other) < SAME * self.size for other in begins), default=0.0)
        self.leading = median(steps) if steps else self.size

    def parts(self, row: Sequence[int]) -> NameAndValue | None:
        """What stands at the left and at the right of a row; None if it has no such parts."""
        first = self.lines[row[0]]
        if first.box.x0 - self.left > 2 * SAME * self.size or len(row) != 2:
            return None
        second, near = self.lines[row[1]].box, SAME * self.size
        if abs(second.x0 - self.middle) > 2 * near and abs(second.x1 - self.right) > near:
            return None
        return [_words(first)], [_words(self.lines[row[1]])]

    def goes_on(self, entry: _Entry, row: Sequence[int]) -> bool:
        """Whether the row is one line more of what stands at the right."""
        line = self.lines[row[0]]
        begins = self.lines[entry.members[1]].box.x0
        return len(row) == 1 and line.box.x0 > begins - SAME * self.size and self._step(entry, row) < WRAPPED

    def is_next(self, entry: _Entry, row: Sequence[int]) -> bool:
        a, b = self.lines[entry.members[0]].size, self.lines[row[0]].size
        return max(a, b) <= SAME_SIZE * min(a, b) and self._step(entry, row) < NEAR

    def _step(self, entry: _Entry, row: Sequence[int]) -> float:
        above = self.lines[entry.last[0]].box.center[1]
        return (self.lines[row[0]].box.center[1] - above) / self.leading


def _words(line: Line) -> str:
    return as_read(unlinked(unmarked(line.text)))


def _table(lines: Sequence[Line], entries: Sequence[_Entry]) -> AlignedTable:
    members = [i for entry in entries for i in entry.members]
    cells = [TableCell(r, c, joined(part)) for r, entry in enumerate(entries) for c, part in enumerate(entry.parts)]
    return AlignedTable(Box.around(lines[i].box for i in members), tuple(cells), frozenset(members))
