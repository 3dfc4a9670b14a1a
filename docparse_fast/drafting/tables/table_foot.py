"""Finds prose that a layout model put into a table's box, below its last row. Knows lines alone."""

from __future__ import annotations

from collections.abc import Sequence

from docparse_fast.document import Box
from docparse_fast.drafting.lines import Line

FULL = 0.8  # of the table's width, from which a line without neighbours is prose
PROSE_LETTERS = 40
FEWEST_ROWS = 3  # of several cells above the prose


def prose_below(lines: Sequence[Line]) -> list[Line]:
    """The lines from the first one after the last row of several cells that fills the table's width."""
    if not lines:
        return []
    width = Box.around(line.box for line in lines).width
    beside = {id(line): _has_neighbour(line, lines) for line in lines}
    rows = [line for line in lines if beside[id(line)]]
    if len({round(line.box.center[1] / line.box.height) for line in rows}) < FEWEST_ROWS:
        return []
    last = max(line.box.center[1] for line in rows)
    below = sorted((line for line in lines if line.box.center[1] > last), key=lambda line: line.box.center[1])
    full = (n for n, line in enumerate(below) if line.box.width > FULL * width and len(line.plain) > PROSE_LETTERS)
    return below[next(full, len(below)) :]


def _has_neighbour(line: Line, lines: Sequence[Line]) -> bool:
    return any(other is not line and other.box.overlap_y(line.box) > 0.5 * line.box.height for other in lines)
