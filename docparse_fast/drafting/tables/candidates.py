"""A table as some reader proposes it: where it stands, and what is in its cells. Knows no reader and no judge."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from docparse_fast.document import Box, TableCell
from docparse_fast.drafting.lines import LayoutBox, Line
from docparse_fast.drafting.measures import ACROSS, SEVERAL
from docparse_fast.drafting.tables.grid import Filling
from docparse_fast.geometry import around
from docparse_fast.sums.checking import proof

MOST_PROVEN = 40  # rows whose sums and baselines are looked at


@dataclass(frozen=True)
class TableCandidate:
    """`cells` have the boxes of their words; `lines` are the page's, by index, that stand in the table."""

    reader: str
    box: Box
    cells: tuple[TableCell, ...]
    lines: frozenset[int]

    @cached_property
    def filled(self) -> tuple[TableCell, ...]:
        """The cells with words."""
        return tuple(cell for cell in self.cells if cell.text and cell.box is not None)

    @cached_property
    def rows(self) -> list[list[TableCell]]:
        """What is filled, row by row, from the left."""
        rows: list[list[TableCell]] = [[] for _ in range(self.height)]
        for cell in sorted(self.filled, key=lambda cell: cell.column):
            rows[cell.row].append(cell)
        return rows

    @cached_property
    def said(self) -> list[tuple[str, ...]]:
        """The words of what is filled, row by row."""
        return [tuple(cell.text for cell in row) for row in self.rows]

    @cached_property
    def by_column(self) -> list[dict[int, str]]:
        """The words of what is filled, row by row, each by its column."""
        return [{cell.column: " ".join(cell.text.split()) for cell in row} for row in self.rows]

    @cached_property
    def texts(self) -> Counter[str]:
        """What its cells say: it is compared with every other reading of the place."""
        return Counter(cell.text for cell in self.cells if cell.text)

    @cached_property
    def proof(self) -> float:
        """How much of its first rows their sums prove: to look for sums costs the square of the rows."""
        rows = [[""] * self.width for _ in range(min(self.height, MOST_PROVEN))]
        for cell in self.cells:
            if cell.row < MOST_PROVEN:
                rows[cell.row][cell.column] = cell.text
        return proof(tuple(map(tuple, rows)))

    @cached_property
    def height(self) -> int:
        return max((cell.row + cell.rows for cell in self.cells), default=0)

    @cached_property
    def width(self) -> int:
        return max((cell.column + cell.columns for cell in self.cells), default=0)

    @cached_property
    def _hash(self) -> int:
        return hash((self.reader, self.cells, self.lines))

    def __hash__(self) -> int:
        return self._hash


@dataclass(frozen=True, slots=True)
class Marks:
    """What else than words stands on a page, or is said of it."""

    rules: Sequence[Box] = ()
    areas: Sequence[Box] = ()  # coloured grounds among them
    labels: Sequence[LayoutBox] = ()  # the layout model's


def candidate_of(reader: str, filling: Filling, lines: Sequence[Line], numbers: Sequence[int]) -> TableCandidate:
    """What a filled grid comes to. `numbers` are the lines' places on the page."""
    box = around(lines)
    return TableCandidate(reader, box, filling.worded_cells(), frozenset(numbers))


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


def _reach(kept: Sequence[int], start: int, length: int) -> int:
    return sum(start <= n < start + length for n in kept)
