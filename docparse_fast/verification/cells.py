"""Says where a table's next cell is in a draft that has its cells otherwise: by row and column. Knows gaps and letters.

An answer may put a cell's lines into two rows, have a column more, or leave a cell out; then what the draft has next is
not what comes next. But what stood in a column goes on in that column: with the rest of the cell, if it was left before
its end, or as many rows further down as the answer went.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable
from typing import NamedTuple

_IN_TAGS = re.compile(r"(<tr\b|<nl>)|<(?:t[dh]\b|(?:[felux]cel|[cr]hed|srow)>)|(</table>|</otsl>)")
_IN_PIPES = re.compile(r"(\n)|\|(?!\n)|(\n\n)")


class Spot(NamedTuple):
    """A place in a table: rows and columns are counted from 1, 0 is before the first; without a column none."""

    row: int = 0
    column: int = 0

    def after(self, gap: str) -> Spot:
        """The place after this gap.

        >>> Spot(1, 2).after("</td></tr><tr><td></td><td>"), Spot(1, 2).after(" | "), Spot(1, 2).after(" |\\n| ")
        (Spot(row=2, column=2), Spot(row=1, column=3), Spot(row=2, column=1))
        >>> Spot(3, 1).after("</td></tr></table>")
        Spot(row=0, column=0)
        """
        row, column = self
        tags = "<" in gap
        if not tags and "|" not in gap:
            return Spot() if "\n\n" in gap else self
        for step in (_IN_TAGS if tags else _IN_PIPES).finditer(gap):
            if step[2]:
                row = column = 0
            elif step[1]:
                row, column = row + 1, 0
            else:
                column += 1
        return Spot(row, column)


class _Cell(NamedTuple):
    start: int  # its first letter
    stop: int
    spot: Spot


class Cells:
    """The cells of all drafts in the order of their letters, and where each column of the answer was left."""

    def __init__(self, words: Iterable[tuple[int, int, str, int]]) -> None:
        """`words`: each word's first letter, the first one of the next word, the gap before it, and its draft."""
        self._cells: list[_Cell] = []
        self._table: list[int] = []  # of each cell
        self._at: dict[tuple[int, Spot], int] = {}
        self._left: dict[int, tuple[int, int]] = {}  # by column of the answer: the next letter, the draft's column
        self._here = Spot()  # the answer's last cell that was found
        self._found = 0  # and which one it is
        spot, last, table = Spot(), -1, 0
        for start, stop, gap, draft in words:
            before = spot if draft == last else Spot()
            spot, last = before.after(gap), draft
            if spot.column and spot == before:
                self._cells[-1] = self._cells[-1]._replace(stop=stop)
            elif spot.column:
                table += spot < before or not before.column
                self._table.append(table)
                self._cells.append(_Cell(start, stop, spot))
                self._at[table, spot] = start
        self._starts = [cell.start for cell in self._cells]
        self.columns = {cell.start: cell.spot.column for cell in self._cells}  # by first letter

    def __bool__(self) -> bool:
        return bool(self._cells)

    def leave(self, spot: Spot, letter: int) -> None:
        """Takes in that the answer, at this place of its table, was right up to this letter."""
        if not spot.column:
            self._left = {}
            return
        number = bisect_right(self._starts, letter - 1) - 1
        if number >= 0 and letter <= self._cells[number].stop:
            self._left[spot.column] = letter, self._cells[number].spot.column
            self._here, self._found = spot, number

    def next(self, spot: Spot) -> int | None:
        """The letter with which the answer's cell at this place may begin."""
        if not self._left:
            return None
        letter, column = self._left.get(spot.column) or self._beside(spot.column)
        cell = self._cells[bisect_right(self._starts, letter - 1) - 1]
        if letter and letter < cell.stop:
            return letter
        row = self._cells[self._found].spot.row + spot.row - self._here.row
        return self._at.get((self._table[self._found], Spot(row, column)))

    def _beside(self, column: int) -> tuple[int, int]:
        """Of a column that had no letters yet: as far from the column before as in the answer."""
        before = max((known for known in self._left if known < column), default=0)
        return 0, self._left[before][1] + column - before if before else column
