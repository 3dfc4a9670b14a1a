"""The order within one column: rows from the top, and stacks of lines that stand side by side. Knows boxes only."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from docparse_fast.document import Box
from docparse_fast.drafting.measures import ROW

REACH = 0.2  # of the lower line's height, by which rows of two stacks reach into each other
LEVEL_FEET = 0.2  # of the lower line's height, between the feet of lines that stand level
MOST_LEVEL = 100  # boxes of a row that the next one is compared with, the lowest first


def rows(boxes: Sequence[Box], members: Sequence[int]) -> list[list[int]]:
    """The members of one column, top to bottom; those that stand side by side are one row, left to right.

    Stacks of lines side by side that don't stand level, as a firm's name beside its address, are read one by one.
    """
    found: list[list[int]] = []
    for index in sorted(members, key=lambda i: boxes[i].center[1]):
        box = boxes[index]
        if found and any(_same_row(boxes[other], box) for other in found[-1][: -MOST_LEVEL - 1 : -1]):
            found[-1].append(index)
        else:
            found.append([index])
    level = [sorted(row, key=lambda i: boxes[i].x0) for row in found]
    return _by_stacks(boxes, level)


def _by_stacks(boxes: Sequence[Box], level: Sequence[Sequence[int]]) -> list[list[int]]:
    """The rows, but of those that reach into the next, the members stack by stack."""
    found: list[list[int]] = []
    waiting: list[list[int]] = []
    for row in level:
        foot = max((boxes[i].y1 for each in waiting for i in each), default=-1.0)
        if waiting and min(boxes[i].y0 for i in row) >= foot - REACH * min(boxes[i].height for i in row):
            found += _stacked(boxes, waiting)
            waiting = []
        waiting.append(list(row))
    return [*found, *_stacked(boxes, waiting)]


def _stacked(boxes: Sequence[Box], level: list[list[int]]) -> list[list[int]]:
    """Rows that reach into each other: two stacks, if they are apart and nothing of the one is level with the other."""
    if len(level) < 2 or any(_are_level(boxes, row) for row in level):
        return level
    ordered = sorted((i for row in level for i in row), key=lambda i: boxes[i].x0)
    cuts = _gaps([boxes[i] for i in ordered])
    sides = (ordered[: cuts[0]], ordered[cuts[0] :]) if len(cuts) == 1 else ()
    return [[i] for side in sides for i in sorted(side, key=lambda i: boxes[i].y0)] or level


def _gaps(ordered: Sequence[Box]) -> list[int]:
    """Before which of the boxes, from the left, there is white all the way down."""
    ends = np.maximum.accumulate([box.x1 for box in ordered])
    return [n for n in range(1, len(ordered)) if ordered[n].x0 > ends[n - 1]]


def _are_level(boxes: Sequence[Box], row: Sequence[int]) -> bool:
    feet = [boxes[i].y1 for i in row]
    return len(row) > 1 and max(feet) - min(feet) < LEVEL_FEET * min(boxes[i].height for i in row)


def _same_row(a: Box, b: Box) -> bool:
    return a.overlap_y(b) > ROW * min(a.height, b.height) and a.overlap_x(b) < 0.5 * min(a.width, b.width)
