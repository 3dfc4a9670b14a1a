"""Decides from positions alone whether lines of text form a table. Knows no picture, no rules and no layout model.

It finds what a layout model misses: tables without borders, and images that show only a table. It is cautious: a
table taken for text stays readable, text taken for a table does not.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise
from statistics import median

from docparse_fast.document import Box
from docparse_fast.drafting.lines import Line
from docparse_fast.drafting.tables.grid import looks_like_number
from docparse_fast.drafting.words import ANSWER

LEAST_ROWS = 3  # with two or more cells
ROWS_WITH_CELLS = 0.5  # part of the rows of text that have two or more; cells of several lines make others
MOSTLY = 0.7  # the same, for two columns without numbers: the shape that other things have too
FEWEST = 0.3  # the same, for numbers in MANY columns, which is the shape of nothing else
MANY = 4
SPLIT = 0.8  # line heights between two words that belong to two cells
FLUSH = 0.3  # line heights by which the ends of a column's cells may differ
GUTTER = 0.4  # line heights of white between two columns
BROAD = 4.0  # line heights of white that columns of prose don't have between them
CROSSED = 0.12  # part of the rows whose text may run across a gutter: headings over several columns
SHORT = 24  # characters in the median cell of a table without numbers
NUMBERS = 0.3  # part of the cells that are numbers, in a table of any other shape
FILLED = 0.75  # of a column's width taken by its median line: prose fills its column
ACROSS = 1.4  # of the median cell, from which one is a heading that runs out of its column
WORDY = 12  # characters in the median cell of a column that may be prose
LEADERS = "...", "…", "···", ". . ."

SHARE_OF_ANSWERS = 0.4  # of the cells, which are no table's then
_MARKER = re.compile(r"[(\[]?(\d{1,3}|[a-zA-Z]{1,2}|[ivxIVX]{1,5}|[•·*○●■□▪–—-])[)\].:]?$")


def looks_like_table(lines: Sequence[Line], box: Box, *, narrow: bool = True) -> bool:
    """Whether several rows share columns of short cells or numbers, and are not prose, a list or a contents page.

    `narrow`: two columns without numbers will do, and words set in the middle of their columns: under a title these
    are its authors.
    """
    rows = rows_of_cells([cell for line in lines if box.covers(line.box) > 0.5 for cell in cells_of(line)])
    several = [row for row in rows if len(row) > 1]
    if len(several) < LEAST_ROWS:
        return False
    columns = _columns(rows)
    if len(columns) < 2 or _contents(columns) or _items(columns) or _answers(columns):
        return False
    share = len(several) / len(rows)
    if _numeric(columns):
        return share >= (FEWEST if len(columns) >= MANY else ROWS_WITH_CELLS)
    if not narrow and (len(columns) == 2 or not any(map(_are_flush, columns))):
        return False
    enough = share >= (ROWS_WITH_CELLS if len(columns) > 2 else MOSTLY)
    return enough and _short(columns) and not _filled(columns)


class SplitCell:
    __slots__ = ("box", "text")

    def __init__(self, box: Box, text: str) -> None:
        self.box = box
        self.text = text.strip()


def cells_of(line: Line) -> list[SplitCell]:
    """The line's cells: it is split where two words stand far apart."""
    if len(line.words) < 2:
        return [SplitCell(line.box, line.plain)]
    runs = [[line.words[0]]]
    for last, word in pairwise(line.words):
        if word[0].x0 - last[0].x1 > SPLIT * line.box.height:
            runs.append([])
        runs[-1].append(word)
    return [SplitCell(Box.around(box for box, _ in run), " ".join(text for _, text in run)) for run in runs]


def rows_of_cells(cells: list[SplitCell]) -> list[list[SplitCell]]:
    """Cells grouped into rows, top to bottom; each row from left to right."""
    rows: list[list[SplitCell]] = []
    for cell in sorted(cells, key=lambda cell: cell.box.center[1]):
        if rows and abs(cell.box.center[1] - rows[-1][-1].box.center[1]) < 0.5 * min(
            cell.box.height, rows[-1][-1].box.height
        ):
            rows[-1].append(cell)
        else:
            rows.append([cell])
    return [sorted(row, key=lambda cell: cell.box.x0) for row in rows]


def _columns(rows: list[list[SplitCell]]) -> list[list[SplitCell]]:
    """Cells between the gutters; columns with fewer than three cells don't count."""
    gutters = _gutters(rows)
    columns: list[list[SplitCell]] = [[] for _ in range(len(gutters) + 1)]
    for row in rows:
        for cell in row:
            columns[sum(cell.box.center[0] > gutter for gutter in gutters)].append(cell)
    return [column for column in columns if len(column) >= LEAST_ROWS]


def _gutters(rows: list[list[SplitCell]]) -> list[float]:
    """The middles of white stretches that few rows cross; widths are in heights of the median line."""
    cells = [cell for row in rows for cell in row]
    wide = GUTTER * median(cell.box.height for cell in cells)
    edges = sorted({edge for cell in cells for edge in (cell.box.x0, cell.box.x1)})
    allowed = max(1.0, CROSSED * len(rows)) if len(rows) > LEAST_ROWS else 0.0
    gutters: list[float] = []
    start: float | None = None
    for left, right in pairwise(edges):
        middle = (left + right) / 2
        free = sum(cell.box.x0 < middle < cell.box.x1 for cell in cells) <= allowed
        if free and start is None:
            start = left
        if start is not None and not free:
            if left - start >= wide:
                gutters.append((start + left) / 2)
            start = None
    return gutters


def _numeric(columns: list[list[SplitCell]]) -> bool:
    """Whether one column or more holds numbers, and enough of all cells are numbers."""
    shares = [sum(map(_is_number, column)) / len(column) for column in columns]
    cells = sum(map(len, columns))
    numbers = sum(share * len(column) for share, column in zip(shares, columns, strict=True))
    return max(shares[1:]) > 0.5 and numbers >= NUMBERS * cells


def _is_number(cell: SplitCell) -> bool:
    return looks_like_number(cell.text) and not cell.text.endswith(".")  # `318.` numbers an exercise


def _short(columns: list[list[SplitCell]]) -> bool:
    return median(_width(cell.text) for column in columns for cell in column) <= SHORT


def _are_flush(column: list[SplitCell]) -> bool:
    """Whether most cells of a column begin at one place, or end at one."""
    return any(
        2 * sum(abs(edge - median(edges)) < FLUSH * cell.box.height for edge, cell in zip(edges, column, strict=True))
        > len(column)
        for edges in ([cell.box.x0 for cell in column], [cell.box.x1 for cell in column])
    )


def _width(text: str) -> int:
    """The number of characters; Chinese, Japanese and Korean characters count twice."""
    return sum(2 if ord(character) > 0x2E80 else 1 for character in text)


def _filled(columns: list[list[SplitCell]]) -> bool:
    """Whether lines fill their columns and the columns stand close together, as in prose."""
    wordy = [column for column in columns if median(_width(cell.text) for cell in column) > WORDY]
    if len(wordy) < 2:
        return False
    usual = [median(cell.box.width for cell in column) for column in wordy]
    extents = [
        Box.around(cell.box for cell in column if cell.box.width < ACROSS * width)
        for column, width in zip(wordy, usual, strict=True)
    ]
    fills = [width / max(1.0, extent.width) for width, extent in zip(usual, extents, strict=True)]
    height = median(cell.box.height for column in wordy for cell in column)
    broad = any(after.x0 - before.x1 > BROAD * height for before, after in pairwise(extents))
    return median(fills) > FILLED and not broad


def _items(columns: list[list[SplitCell]]) -> bool:
    """Whether this is a list: markers in front of one column of text."""
    return len(columns) == 2 and sum(bool(_MARKER.match(cell.text)) for cell in columns[0]) > 0.5 * len(columns[0])


def _answers(columns: list[list[SplitCell]]) -> bool:
    """Whether these are multiple-choice answers side by side: `A. 5 cm`, `(B) 7 cm`, with some questions between."""
    cells = [cell for column in columns for cell in column]
    answers = sum(bool(ANSWER.match(cell.text)) for cell in cells)
    return answers > SHARE_OF_ANSWERS * len(cells)


def _contents(columns: list[list[SplitCell]]) -> bool:
    """Whether this is a table of contents: it has leaders, or page numbers on the right that never decrease."""
    cells = [cell for column in columns for cell in column]
    if sum(any(leader in cell.text for leader in LEADERS) for cell in cells) > 0.2 * len(cells):
        return True
    pages = [int(cell.text) for cell in columns[-1] if cell.text.isdecimal() and len(cell.text) <= 4]
    rising = all(before <= after for before, after in pairwise(pages))
    return len(columns) == 2 and rising and len(pages) > 0.7 * len(columns[-1]) and len(pages) > 2 * LEAST_ROWS
