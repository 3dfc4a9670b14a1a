"""Tells a line that goes on in its cell from the next row's: a word is carried over only where it found no room.

Knows pieces of text and the width of their column; knows no picture and no model.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from docparse_fast.document import Box
from docparse_fast.drafting.tables.grid import CellPiece, Filling, in_reading_order, looks_like_number

SLACK = 0.6  # of a line's height: how much narrower than its column a full line may be
STACKED = 0.5  # of the lower line's height that two lines of one row share
TORN = 0.5  # price of a row that begins in mid-cell, in words that would have fitted


def would_have_fitted(upper: CellPiece, lower: CellPiece, width: float) -> bool:
    """Whether the lower line's first word had room behind the upper line, in a column of this width."""
    words = lower.text.split() or [lower.text]
    first = words[0][:1] if _is_cjk(words[0]) else words[0]
    letter = lower.box.width / max(1, len(lower.text))
    return upper.box.width + (len(first) + 1) * letter < width - SLACK * lower.box.height


def misplaced_rows(filling: Filling) -> float:
    """How many ends of rows contradict this: lines joined that had room above, cells torn that had none."""
    widths = column_widths(filling)
    joined = sum(
        would_have_fitted(upper, lower, widths.get(slot.column, 0.0))
        for slot, pieces in zip(filling.slots, filling.pieces, strict=True)
        if slot.rows == slot.columns == 1
        for upper, lower in pairwise(_as_lines(pieces))
    )
    return joined + TORN * sum(_goes_on(filling, row, widths) for row in range(1, _height(filling)))


def column_widths(filling: Filling) -> dict[int, float]:
    """The widest line of each column, by its number. On a photo the column's own edges may lean."""
    widest: dict[int, float] = {}
    for slot, pieces in zip(filling.slots, filling.pieces, strict=True):
        if slot.columns == 1:
            lines = (line.box.width for line in _as_lines(pieces))
            widest[slot.column] = max(widest.get(slot.column, 0.0), *lines, 0.0)
    return widest


def _goes_on(filling: Filling, row: int, widths: dict[int, float]) -> bool:
    """Whether a row only goes on with cells of the row above: it lacks some,
    has no number, and no word that had room."""
    here, above = _cells_of(filling, row), _cells_of(filling, row - 1)
    if not here or not above.keys() >= here.keys() or len(here) == len(above):
        return False
    return not any(
        looks_like_number(pieces[0].text) or would_have_fitted(above[column][-1], pieces[0], widths.get(column, 0.0))
        for column, pieces in here.items()
    )


def _cells_of(filling: Filling, row: int) -> dict[int, list[CellPiece]]:
    filled = zip(filling.slots, filling.pieces, strict=True)
    return {slot.column: _as_lines(pieces) for slot, pieces in filled if slot.row == row and pieces}


def _as_lines(pieces: Sequence[CellPiece]) -> list[CellPiece]:
    """A cell's lines from the top, pieces side by side as one."""
    lines: list[CellPiece] = []
    for piece in in_reading_order(pieces):
        if lines and not _is_below(lines[-1].box, piece.box):
            lines[-1] = CellPiece(Box.around((lines[-1].box, piece.box)), f"{lines[-1].text} {piece.text}")
        else:
            lines.append(piece)
    return lines


def _height(filling: Filling) -> int:
    return max((slot.row + slot.rows for slot in filling.slots), default=0)


def _is_below(upper: Box, lower: Box) -> bool:
    return upper.overlap_y(lower) < STACKED * min(upper.height, lower.height)


def _is_cjk(word: str) -> bool:
    return word[:1] > "\u2e80"
