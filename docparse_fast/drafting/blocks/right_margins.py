"""How far to the right each line of a column could have gone. Knows lines from top to bottom; parts no paragraphs."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from statistics import median

from docparse_fast.drafting.lines import Line
from docparse_fast.drafting.measures import EDGE, in_one_row, is_wide, of_one_type

NEIGHBOURS = 6  # lines above and below that tell where a line could have ended


def right_margins(lines: Sequence[Line]) -> list[float]:
    """How far to the right each line could have gone: as far as several near it, set as far in, do."""
    row_ends = [not goes_on_in_row(line, after) for line, after in pairwise(lines)] + [True]
    ends = [line for line, is_end in zip(lines, row_ends, strict=True) if is_end]
    whole = _shared_end(ends) or max(line.box.x1 for line in ends)
    found = []
    for n, line in enumerate(lines):
        around = slice(max(0, n - NEIGHBOURS), n + NEIGHBOURS + 1)
        near = [
            other
            for other, is_end in zip(lines[around], row_ends[around], strict=True)
            if is_end and abs(other.box.x0 - line.box.x0) < 3 * line.size and of_one_type(other.size, line.size)
        ]
        flush = [other for other in lines[max(0, n - 1) : n + 2] if _is_flush_prose(other, line)]
        found.append(max(_shared_end(flush) or _end_near(near) or whole, line.box.x1))
    return found


def _is_flush_prose(other: Line, line: Line) -> bool:
    """Whether neighbours begin at one left end: a note's box may be little narrower than the text around it."""
    return abs(other.box.x0 - line.box.x0) < EDGE * line.size and is_wide(other)


def _end_near(lines: Sequence[Line]) -> float | None:
    """Their shared end; where no two that follow each other share it, as with terms, what two lines of prose reach."""
    shared = _shared_end(lines)
    ends = [_shared_end(pair) for pair in pairwise(lines)]
    prose = sorted(line.box.x1 for line in lines if is_wide(line))
    return shared if shared is None or shared in ends or len(prose) < 2 else prose[-2]


def _shared_end(lines: Sequence[Line]) -> float | None:
    """The rightmost place at which two lines or more end."""
    ends = sorted((line.box.x1 for line in lines), reverse=True)
    near = EDGE * median(line.size for line in lines) if lines else 0.0
    return next((a for a, b in pairwise(ends) if a - b < near), None)


def goes_on_in_row(above: Line, line: Line) -> bool:
    return in_one_row(above.box, line.box) and line.box.x0 > above.box.x1
