"""Mends a filled grid: a row that is two, two columns that are one. Knows where cells stand, and what is a figure.

Cells of one row share a level, or one of them holds several lines: where none reaches from the upper to the lower,
two rows stand there. A column that has only a head, beside one that has everything but a head, is that one's.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import chain, pairwise

from docparse_fast.document import Box
from docparse_fast.drafting.tables.grid import CellPiece, Filling, Slot, looks_like_number
from docparse_fast.geometry import runs

MOST_HEADS = 3  # rows of a head


def mended(slots: Sequence[Slot], fill: Callable[[Sequence[Slot]], Filling]) -> Filling:
    """The slots, filled, and filled anew where the grid is mended."""
    filled = fill(slots)
    for mend in (_at_levels, _under_heads):
        better = mend(filled)
        filled = fill(better) if len(better) != len(filled.slots) else filled
    return filled


def _at_levels(filled: Filling) -> list[Slot]:
    """The slots, a row parted where its cells stand on two levels or more."""
    held: dict[int, list[Sequence[CellPiece]]] = {}
    spanning = {row for slot in filled.slots for row in range(slot.row, slot.row + slot.rows) if slot.rows > 1}
    for slot, pieces in zip(filled.slots, filled.pieces, strict=True):
        if pieces and slot.row not in spanning:  # a cell of several rows may stand in their middle
            held.setdefault(slot.row, []).append(pieces)
    slots, named = list(filled.slots), _rows_of_columns(filled).get(0, set())
    cuts = [(row, y) for row, cells in held.items() for y in _cuts(cells, named=row in named)]
    for row, y in sorted(cuts, reverse=True):
        slots = [part for slot in slots for part in _parted(slot, row, y)]
    return slots


def _cuts(cells: Sequence[Sequence[CellPiece]], *, named: bool) -> list[float]:
    """Where no cell of a row goes on from what is above to what is below, or every cell has a line of its own.

    The latter where no name stands in the first column: so stand sums.
    """
    lines = [_levels([piece.box for piece in pieces]) for pieces in cells]
    several = not named and len(cells) > 1 and len(set(map(len, lines))) == 1 and any(map(_are_figures, cells))
    around = _levels([*chain.from_iterable(lines)] if several else list(map(Box.around, lines)))
    return [(above.y1 + below.y0) / 2 for above, below in pairwise(around)]


def _are_figures(pieces: Sequence[CellPiece]) -> bool:
    return all(looks_like_number(piece.text) for piece in pieces)


def _levels(boxes: Sequence[Box]) -> list[Box]:
    levels = runs(sorted(boxes, key=lambda box: box.y0), lambda level, box: box.y0 < max(other.y1 for other in level))
    return list(map(Box.around, levels))


def _parted(slot: Slot, row: int, y: float) -> Iterator[Slot]:
    if slot.row > row:
        yield replace(slot, row=slot.row + 1)
    elif slot.row + slot.rows <= row:
        yield slot
    elif slot.rows > 1:
        yield replace(slot, rows=slot.rows + 1)
    else:
        yield replace(slot, box=replace(slot.box, y1=y))
        yield replace(slot, row=row + 1, box=replace(slot.box, y0=y))


def _under_heads(filled: Filling) -> list[Slot]:
    """The slots, two columns as one where one is only the head and the other all that stands below it."""
    slots, rows = list(filled.slots), _rows_of_columns(filled)
    for column in sorted(rows, reverse=True):
        sides = rows[column], rows.get(column + 1, set())
        head, body = sorted(sides, key=min) if all(sides) else (set[int](), set[int]())
        names = body is rows[column] and column == 0  # they often have no head
        if head and max(head) < min(min(body), MOST_HEADS) and len(body) > len(head) and not names:
            ends = {slot.row: slot.box.x1 for slot in slots if slot.column == column + 1}
            slots = [part for slot in slots for part in _joined(slot, column, ends)]
            rows[column] = set()
    return slots


def _rows_of_columns(filled: Filling) -> dict[int, set[int]]:
    """In which rows each column has a cell of its own, or goes on in one with others."""
    found: dict[int, set[int]] = {}
    for slot, pieces in zip(filled.slots, filled.pieces, strict=True):
        for column in range(slot.column, slot.column + slot.columns) if pieces else ():
            found.setdefault(column, set()).add(slot.row)
    return found


def _joined(slot: Slot, column: int, ends: Mapping[int, float]) -> Iterator[Slot]:
    """A slot where a column is one with the next, which `ends` there: that one's slots leave, unless they go on."""
    if slot.column > column + 1:
        yield replace(slot, column=slot.column - 1)
    elif slot.column + slot.columns > column + 1 and slot.columns > 1:
        yield replace(slot, columns=slot.columns - 1)
    elif slot.column <= column:
        reach = ends.get(slot.row, slot.box.x1) if slot.column + slot.columns == column + 1 else slot.box.x1
        yield replace(slot, box=replace(slot.box, x1=max(slot.box.x1, reach)))
