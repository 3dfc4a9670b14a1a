"""A table's columns by the places of its words: which words of another page stand in them. Knows a table, no page."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from statistics import median

from docparse_fast.document import Block, Box
from docparse_fast.drafting.measures import in_one_row
from docparse_fast.geometry import level_rows, runs
from docparse_fast.rendering.cell_lines import PrintedLines
from docparse_fast.text.html_cells import GridCell, grid_of
from docparse_fast.text.joined_text import joined
from docparse_fast.text.placed_words import PlacedWord

EDGE = 0.4  # of a line's height: places that differ by less are one edge
BLANK = 0.6  # of a line's height: words of a sentence stand no farther apart
WIDE = 1.5  # of a line's height: as much white parts what stands in a cell from what stands beside it
MOSTLY = 0.8  # of a column's cells, by which it is known
APART = 1.2  # times the step between two lines of a cell, from which that between two rows tells them apart
NEARLY = 0.85  # of the step between two rows
NOWHERE = -1  # the column of what stands in none
ENDS = (".", ")")
FEWEST = 2  # columns, cells of one
SURE = 3  # pieces of a row in their columns, or figures among them


@dataclass(frozen=True)
class LineInColumns:
    """Words that stand level, by the columns in which they stand; `fits` where each piece stands in one."""

    words: tuple[PlacedWord, ...]
    columns: dict[int, tuple[PlacedWord, ...]]
    fits: bool

    @property
    def box(self) -> Box:
        return Box.around(box for box, _ in self.words)


@dataclass(frozen=True)
class Column:
    left: float
    right: float
    edges: tuple[float | None, float | None, float | None]  # where its cells begin, end, and have their middle
    always: bool  # filled in each row below the head
    figures: bool  # each cell has a digit
    texts: bool  # no cell has one
    ended: bool  # a cell ends as a sentence or a number of a list does

    def takes(self, box: Box, height: float) -> bool:
        """Whether a piece stands as the cells of the column do."""
        places = (box.x0, box.x1, box.center[0])
        near = zip(places, self.edges, strict=True)
        return any(edge is not None and abs(place - edge) <= EDGE * height for place, edge in near)

    def suits(self, text: str) -> bool:
        has_digit = any(map(str.isdigit, text))
        other_kind = (self.figures and not has_digit) or (self.texts and has_digit)
        return not (other_kind or (text.endswith(ENDS) and not self.ended))


@dataclass(frozen=True)
class ColumnsOfTable:
    columns: tuple[Column, ...]
    height: float  # of a line
    step: float  # from row to row, from which two lines are of two rows
    tells: bool  # the step tells
    tallest: int  # lines of a row

    def lines_of(self, words: Sequence[PlacedWord]) -> list[LineInColumns]:
        """From top to bottom."""
        rows = level_rows(words, lambda row, word: in_one_row(row[-1][0], word[0]), box=lambda word: word[0])
        return [self._placed(row) for row in rows]

    def _placed(self, row: Sequence[PlacedWord]) -> LineInColumns:
        columns: dict[int, list[PlacedWord]] = {}
        for piece in runs(row, lambda piece, word: word[0].x0 - piece[-1][0].x1 < BLANK * self.height):
            columns.setdefault(self._column_of(Box.around(box for box, _ in piece)), []).extend(piece)
        fits = NOWHERE not in columns and all(self._stands(n, words) for n, words in columns.items())
        return LineInColumns(tuple(row), {n: tuple(words) for n, words in columns.items()}, fits)

    def _column_of(self, piece: Box) -> int:
        """The column between whose neighbours it stands; of two, the one whose cells stand so."""
        slack, count = EDGE * self.height, len(self.columns)
        lows = [float("-inf"), *(column.right for column in self.columns)]
        highs = [*(column.left for column in self.columns[1:]), float("inf")]
        free = [n for n in range(count) if lows[n] - slack < piece.x0 and piece.x1 < highs[n] + slack]
        return next((n for n in free if self.columns[n].takes(piece, self.height)), free[0] if free else NOWHERE)

    def _stands(self, number: int, words: Sequence[PlacedWord]) -> bool:
        wide = any(b[0].x0 - a[0].x1 > WIDE * self.height for a, b in pairwise(words))
        return not wide and self.columns[number].takes(Box.around(box for box, _ in words), self.height)

    def rows_of(self, lines: Sequence[LineInColumns]) -> list[list[LineInColumns]]:
        rows: list[list[LineInColumns]] = []
        for line in lines:
            if rows and not self._begins(rows[-1][-1], line):
                rows[-1].append(line)
            else:
                rows.append([line])
        return rows

    def _begins(self, above: LineInColumns, line: LineInColumns) -> bool:
        step = line.box.center[1] - above.box.center[1]
        if self.tells:
            return step >= self.step
        return all(n in line.columns for n, column in enumerate(self.columns) if column.always)

    def texts(self, row: Sequence[LineInColumns]) -> list[str]:
        parts = [[" ".join(t for _, t in line.columns.get(n, ())) for line in row] for n in range(len(self.columns))]
        return [joined([part for part in cell if part]) if any(cell) else "" for cell in parts]

    def is_one(self, row: Sequence[str]) -> bool:
        """Whether it may be a row of the table: no more than one cell is of another kind."""
        suits = [column.suits(text) for column, text in zip(self.columns, row, strict=True) if text]
        return suits.count(False) <= (len(suits) > FEWEST)

    def are_sure(self, rows: Sequence[Sequence[str]]) -> bool:
        return all(map(self._is_sure, rows))

    def _is_sure(self, row: Sequence[str]) -> bool:
        pairs = list(zip(self.columns, row, strict=True))
        whole = all(text for column, text in pairs if column.always)
        suits = all(column.suits(text) for column, text in pairs if text)
        told = sum(map(bool, row)) >= SURE or any(column.figures and text for column, text in pairs)
        return whole and suits and told


def columns_of(table: Block, scale: float = 1.0, shift: float = 0.0) -> ColumnsOfTable | None:
    """The columns of a table, on a page so many times as wide, or elsewhere; None where its words don't tell."""
    words = [(box.scaled(scale).shifted(shift, 0), text) for box, text in table.words]
    cells, printed = grid_of(table.text), PrintedLines(words)
    placed = [(cell, lines) for cell in cells if cell.text and (lines := printed.of(cell.text))]
    count = max((cell.column + cell.columns for cell in cells), default=0)
    body = {cell.row for cell in cells} - {cell.row for cell in cells if cell.header}
    if count < FEWEST or not body:
        return None
    height = median(box.height for box, _ in words)
    columns = [_column(n, placed, body, height) for n in range(count)]
    known = tuple(column for column in columns if column is not None)
    if len(known) < count or any(one.right > other.left + EDGE * height for one, other in pairwise(known)):
        return None
    return ColumnsOfTable(known, height, *_steps(placed, height))


def _column(
    number: int, placed: Sequence[tuple[GridCell, list[list[PlacedWord]]]], body: set[int], height: float
) -> Column | None:
    own = [(cell, lines) for cell, lines in placed if cell.column == number and cell.columns == 1]
    below = [(cell, lines) for cell, lines in own if cell.row in body]
    if not below:
        return None
    boxes = [Box.around(box for box, _ in line) for _, lines in own for line in lines]
    inner = [Box.around(box for box, _ in line) for _, lines in below for line in lines]
    edges = tuple(_edge(places, height) for places in zip(*((b.x0, b.x1, b.center[0]) for b in inner), strict=True))
    digits = [any(map(str.isdigit, cell.text)) for cell, _ in below]
    return Column(
        min(box.x0 for box in boxes),
        max(box.x1 for box in boxes),
        (edges[0], edges[1], edges[2]),
        len({cell.row for cell, _ in below}) == len(body),
        all(digits),
        not any(digits),
        any(cell.text.endswith(ENDS) for cell, _ in below),
    )


def _edge(places: Sequence[float], height: float) -> float | None:
    """Where nearly all of them lie."""
    middle = median(places)
    near = sum(abs(place - middle) <= EDGE * height for place in places)
    return middle if near >= MOSTLY * len(places) else None


def _steps(placed: Sequence[tuple[GridCell, list[list[PlacedWord]]]], height: float) -> tuple[float, bool, int]:
    """The step from which lines are of two rows, whether it tells, and the lines of the tallest row."""
    within: list[float] = []
    rows: dict[int, list[float]] = {}
    tallest = 1
    for cell, lines in placed:
        levels = [Box.around(box for box, _ in line).center[1] for line in lines]
        within += [low - high for high, low in pairwise(levels)]
        tallest = max(tallest, len(levels))
        if cell.rows == 1:
            rows.setdefault(cell.row, []).extend(levels)
    between = [min(rows[n]) - max(rows[m]) for m, n in pairwise(sorted(rows))]
    if not between or min(between) <= 0:
        return height, False, tallest
    if not within:
        return NEARLY * min(between), True, tallest
    step = median(within)
    return (min(between) + step) / 2, min(between) > APART * step, tallest
