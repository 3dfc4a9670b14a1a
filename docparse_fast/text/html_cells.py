"""A table's HTML as cells on a grid. Knows tags and spans; knows no document."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from html.parser import HTMLParser

MOST_SPANNED = 100  # columns, by one cell
MOST_DIGITS = 6


@dataclass(frozen=True, slots=True)
class GridCell:
    row: int
    column: int
    rows: int
    columns: int
    text: str
    header: bool


def grid_of(html: str) -> list[GridCell]:
    """
    >>> for cell in grid_of('<table><tr><th rowspan="2">a</th><td>b</td></tr><tr><td>c</td></tr></table>'):
    ...     print(cell.row, cell.column, cell.rows, cell.text)
    0 0 2 a
    0 1 1 b
    1 1 1 c
    """
    reader = _Reader()
    reader.feed(html)
    reader.close()
    return reader.cells()


def rows_of(html: str) -> list[list[str]]:
    """The cells' texts, row by row, all as wide as the table; a cell that spans others has its text in the first.

    >>> rows_of('<table><tr><td colspan="2">a</td></tr><tr><td>b</td><td>c</td></tr></table>')
    [['a', ''], ['b', 'c']]
    """
    cells = grid_of(html)
    width = max((cell.column + cell.columns for cell in cells), default=0)
    rows = [[""] * width for _ in range(max((cell.row + cell.rows for cell in cells), default=0))]
    for cell in cells:
        rows[cell.row][cell.column] = cell.text
    return rows


@dataclass(slots=True)
class _Found:
    row: int
    rows: int
    columns: int
    header: bool
    text: str = ""


class _Reader(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self._row = -1
        self._found: list[_Found] = []
        self._is_open = False
        self._in_head = False

    def handle_starttag(self, tag: str, attrs: Sequence[tuple[str, str | None]]) -> None:
        if tag == "thead":
            self._in_head = True
        elif tag == "tr":
            self._row += 1
            self._is_open = False
        elif tag in ("td", "th"):
            spans = dict(attrs)
            rows, columns = (_count(spans.get(name)) for name in ("rowspan", "colspan"))
            self._found.append(_Found(max(0, self._row), rows, columns, self._in_head or tag == "th"))
            self._is_open = True
        elif tag == "br":
            self.handle_data(" ")

    def handle_endtag(self, tag: str) -> None:
        if tag == "thead":
            self._in_head = False
        elif tag in ("td", "th", "tr"):
            self._is_open = False

    def handle_data(self, data: str) -> None:
        if self._is_open:
            self._found[-1].text += data

    def cells(self) -> list[GridCell]:
        free: list[int] = []  # of each column, the first row that no cell above reaches into
        last, row, column = max((each.row for each in self._found), default=0), 0, 0
        placed = []
        for each in self._found:
            column = column if each.row == row else 0
            row = each.row
            while column < len(free) and free[column] > row:
                column += 1
            rows, columns = min(each.rows, last - row + 1), min(each.columns, MOST_SPANNED)
            above = free[column : column + columns]
            free[column : column + columns] = [max(row + rows, reach) for reach in above + (columns - len(above)) * [0]]
            text = " ".join(each.text.split())
            placed.append(GridCell(row, column, rows, columns, text, each.header))
        return placed


def _count(text: str | None) -> int:
    return max(1, int(text[:MOST_DIGITS])) if text and text.isascii() and text.isdigit() else 1
