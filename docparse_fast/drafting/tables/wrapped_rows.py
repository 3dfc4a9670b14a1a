"""Rows of a table's cells, and rows that go on with the one above: their cells' words had no room there."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from statistics import median

from docparse_fast.document import Box

FEWEST_WRAPPED = 2  # columns: with so few, a row of one word may be the next of a group's
NUMBER = re.compile(
    r"[(\[~≈<>≤≥±+−–-]*\s*+(?:[$€£¥]\s*+)?\d[\d.,\s%()\]/±×·–−:+e-]*+[%†‡*∗]*|[-–—]+|n/?a", re.IGNORECASE
)


@dataclass(slots=True)
class RowPiece:
    """One or more neighbouring lines of the same cell."""

    box: Box
    text: str
    members: list[int]
    first: int = 0  # column
    last: int = 0


@dataclass(slots=True)
class PieceRow:
    pieces: list[RowPiece]
    box: Box = field(init=False)

    def __post_init__(self) -> None:
        self.box = Box.around(piece.box for piece in self.pieces)


def wrapped_rows_joined(rows: Sequence[PieceRow], count: int, rules: Sequence[Box]) -> list[PieceRow]:
    """Joins a row to the row above if all its cells continue cells of that row."""
    steps = [b.box.center[1] - a.box.center[1] for a, b in pairwise(rows)]
    usual = median(steps) if steps else 0.0
    named = sum(row.pieces[0].first == 0 for row in rows) > 0.6 * len(rows) or _are_wrapped(rows, count)
    joined = [PieceRow(list(rows[0].pieces))]
    for above, row, step in zip(rows, rows[1:], steps, strict=False):
        parted = any(above.box.center[1] < rule.y0 < row.box.center[1] and rule.overlap_x(row.box) for rule in rules)
        if not parted and named and step < 1.05 * usual and _goes_on(joined[-1], row, count):
            joined[-1] = PieceRow([*joined[-1].pieces, *row.pieces])
        else:
            joined.append(PieceRow(list(row.pieces)))
    return joined


def _are_wrapped(rows: Sequence[PieceRow], count: int) -> bool:
    """Whether all rows of one cell begin in lower case with a word that had no room at the end of the cell above."""
    alone = [(a, b) for a, b in pairwise(rows) if len(b.pieces) == 1 and b.pieces[0].first == count - 1]
    right = max((row.pieces[-1].box.x1 for row in rows if row.pieces[-1].last == count - 1), default=0.0)
    return count > FEWEST_WRAPPED and bool(alone) and all(_wraps(a.pieces[-1], b.pieces[0], right) for a, b in alone)


def _wraps(above: RowPiece, below: RowPiece, right: float) -> bool:
    word = below.text.split()[0]
    letter = below.box.width / max(1, len(below.text))
    return word[0].islower() and above.first == below.first and above.box.x1 + (len(word) + 1) * letter > right


def _goes_on(above: PieceRow, row: PieceRow, count: int) -> bool:
    places = {(piece.first, piece.last) for piece in above.pieces}
    return (
        row.pieces[0].first > 0
        and len({piece.first for piece in row.pieces}) <= max(1, count // 2)
        and all((piece.first, piece.last) in places for piece in row.pieces)
        and not any(NUMBER.fullmatch(piece.text) for piece in row.pieces)
        and len(row.pieces) < len(above.pieces)
    )
