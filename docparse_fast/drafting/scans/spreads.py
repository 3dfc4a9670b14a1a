"""Tells a picture of two facing pages, and parts it between them. Knows where lines stand; reads no pixels.

Two pages of a book beside each other look like a table of two columns, and like one page with columns: their
headings, notes and page numbers stand at each other's level.
"""

from __future__ import annotations

from collections.abc import Sequence

from docparse_fast.document import Box

LEAST_WIDE = 1.15  # times as wide as high: two pages beside each other
MIDDLE = (0.4, 0.6)  # of the width: where the gutter may be
LEAST_GUTTER = 0.02  # of the width, without a line
FEWEST_LINES = 5  # of text, on each page
PROSE = 10  # times as wide as high: a line of text, and no cell and no label


def gutter(boxes: Sequence[Box], width: float, height: float) -> float | None:
    """Where the left page ends, if these are the lines of two pages with text."""
    if width < LEAST_WIDE * height:
        return None
    low, high = (part * width for part in MIDDLE)
    left = max((box.x1 for box in boxes if box.center[0] < width / 2), default=0.0)
    right = min((box.x0 for box in boxes if box.center[0] >= width / 2), default=width)
    middle = (left + right) / 2
    if right - left < LEAST_GUTTER * width or not low <= middle <= high:
        return None
    pages = ([box for box in boxes if box.x1 <= left], [box for box in boxes if box.x0 >= right])
    return middle if all(map(_is_text, pages)) else None


def _is_text(boxes: Sequence[Box]) -> bool:
    prose = [box for box in boxes if box.width > PROSE * box.height]
    return len(prose) >= FEWEST_LINES and 2 * sum(box.width for box in prose) > sum(box.width for box in boxes)
