"""Gives marks over and under letters back to their line: the detector finds stacked tone marks as little lines.

Knows rectangles alone.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from docparse_fast.drafting.scans.quads import Quad

LOWER = 0.65  # of a line's height: what is taller is a line itself
SHORT = 2.5  # line's heights, that marks may be wide
SHARED = 0.35  # of the marks' height, that lies within the line
LEVEL = 5.0  # degrees that either may lean


def with_stacked_marks(quads: Sequence[Quad]) -> list[Quad]:
    """The lines, those with marks over or under them as much taller.

    >>> line, marks = Quad(100, 50, 200, 40, 0), Quad(120, 27, 40, 20, 0)
    >>> with_stacked_marks([marks, line])
    [Quad(x=100, y=43.5, width=200, height=53.0, angle=0)]
    """
    lines: list[Quad] = []
    for quad in sorted(quads, key=lambda quad: -quad.height * quad.width):
        number = next((n for n, line in enumerate(lines) if _belongs_to(quad, line)), None)
        if number is None:
            lines.append(quad)
        else:
            lines[number] = _taller(lines[number], quad)
    return lines


def _belongs_to(marks: Quad, line: Quad) -> bool:
    leaning = abs(marks.angle) > LEVEL or abs(line.angle) > LEVEL
    if leaning or marks.height > LOWER * line.height or marks.width > SHORT * line.height:
        return False
    own, box = marks.box, line.box
    shared = min(own.y1, box.y1) - max(own.y0, box.y0)
    return shared >= SHARED * marks.height and box.x0 <= own.x0 and own.x1 <= box.x1


def _taller(line: Quad, marks: Quad) -> Quad:
    above, below = max(0.0, line.box.y0 - marks.box.y0), max(0.0, marks.box.y1 - line.box.y1)
    return replace(line, y=line.y + (below - above) / 2, height=line.height + above + below)
