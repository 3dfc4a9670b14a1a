"""Pages written in columns from top to bottom, as Chinese may be: seen turned, their columns are lines."""

from __future__ import annotations

from collections.abc import Sequence

from docparse_fast.document import Box
from docparse_fast.drafting.lines import Line
from docparse_fast.writing import CJK

DOWNWARDS = 1.5  # height over width, from which a line is written from top to bottom


def downwards(lines: Sequence[Line]) -> bool:
    """Whether a page is written in columns from top to bottom, as Chinese may be."""
    tall = [line for line in lines if len(line.plain) > 1 and line.box.height > DOWNWARDS * line.box.width]
    characters = sum(len(line.plain) for line in lines)
    return sum(len(line.plain) for line in tall if CJK.search(line.plain)) > characters / 2


def laid_level(box: Box, width: float) -> Box:
    """On the page turned left by a quarter: columns written downwards, the right one first, are lines from the top."""
    return Box(box.y0, width - box.x1, box.y1, width - box.x0)


def stood_up(box: Box, width: float) -> Box:
    return Box(width - box.y1, box.x0, width - box.y0, box.x1)
