"""Lines of prose that a wide blank parts, made whole: those of the paragraph they stand in run on through it."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Sequence

from docparse_fast.drafting.blocks.fragments import together
from docparse_fast.drafting.lines import Line
from docparse_fast.drafting.measures import EDGE, NARROW_PROSE, of_one_type
from docparse_fast.text.characters import has_right_to_left

WIDEST_BLANK = 1.3  # of the type's size: behind a sentence in justified prose, or behind a heading within a line
INDENT = 4.0  # of the type's size, by which a paragraph's first line, or all but that, stand farther in
COLUMN = 14.0  # of the type's size, up and down, in which lines show how wide the column is
WIDEST_IN_COLUMN = 2.0  # of the type's size: a blank within a line that fills its column
NEAR = 1.6  # of the type's size, from one baseline of a paragraph to the next
LEVEL = 0.1  # of the type's size, between the baselines of one line


def flowing_lines(lines: Sequence[Line]) -> list[Line]:
    """The lines in the order given, each made whole in the place of its first piece."""
    whole = dict(enumerate(lines))
    order = sorted(whole, key=lambda n: lines[n].box.y1)
    feet = [lines[n].box.y1 for n in order]

    def near(line: Line, far: float) -> dict[int, Line]:
        there = order[bisect_left(feet, line.box.y1 - far) : bisect_right(feet, line.box.y1 + far)]
        return {m: whole[m] for m in there if whole.get(m, line) is not line}

    for n in sorted(whole, key=lambda n: lines[n].box.x0):
        while n in whole:
            line = whole[n]
            if not any(_follows(line, other) for other in near(line, LEVEL * line.size).values()):
                break  # as most do
            around = near(line, COLUMN * line.size)
            piece = _next_piece(line, {m: other for m, other in around.items() if _of_one_type(line, other)})
            if piece is None:
                break
            whole[n] = together(line, whole.pop(piece))
    return [whole[n] for n in sorted(whole)]


def _next_piece(line: Line, around: dict[int, Line]) -> int | None:
    """The line behind `line`, if it runs on through the white between them as a neighbour does, or its column."""
    behind = [m for m, other in around.items() if _follows(line, other)]
    if not behind:
        return None
    piece = min(behind, key=lambda m: around[m].box.x0)
    near = [other for other in around.values() if abs(other.box.y1 - line.box.y1) <= NEAR * line.size]
    runs_on = around[piece].box.center[0]  # a line that is too long for its column ends a little behind it
    narrow = around[piece].box.x0 - line.box.x1 < WIDEST_BLANK * line.size
    if narrow and any(_is_prose_beside(line, other, runs_on) for other in near):
        return piece
    return piece if _fills_column(line, around[piece], near, around.values()) else None


def _follows(line: Line, other: Line) -> bool:
    gap = other.box.x0 - line.box.x1
    level = abs(other.box.y1 - line.box.y1) < LEVEL * line.size
    wide = other.box.x1 - line.box.x0 > NARROW_PROSE * line.size
    beside = level and wide and -line.size / 2 < gap < WIDEST_IN_COLUMN * line.size
    return beside and all(
        any(map(str.isalpha, each.plain)) and not has_right_to_left(each.plain) for each in (line, other)
    )


def _fills_column(line: Line, piece: Line, near: Sequence[Line], around: Iterable[Line]) -> bool:
    """Whether both together end where whole lines do, and no neighbour shows a gutter at the white between them."""
    size = line.size
    whole = any(
        abs(other.box.x0 - line.box.x0) < INDENT * size and abs(other.box.x1 - piece.box.x1) < EDGE * size
        for other in around
        if abs(other.box.y1 - line.box.y1) > size / 2
    )
    others = [other for other in near if abs(other.box.y1 - line.box.y1) > size / 2]
    gutter = any(
        abs(other.box.x0 - piece.box.x0) < WIDEST_IN_COLUMN * size or abs(other.box.x1 - line.box.x1) < EDGE * size
        for other in others
    )
    return whole and not gutter


def _is_prose_beside(line: Line, other: Line, runs_on: float) -> bool:
    below = abs(other.box.y1 - line.box.y1) > line.size / 2
    begins = abs(other.box.x0 - line.box.x0) < INDENT * line.size
    return below and begins and other.box.width > NARROW_PROSE * line.size and other.box.x1 > runs_on


def _of_one_type(line: Line, other: Line) -> bool:
    return of_one_type(line.size, other.size) and line.mono == other.mono
