"""How far the order of a page's blocks is that of its white: a second reader, who knows boxes in their order alone.

Who cuts a page at its white, and each part again, reads its parts one by one, from the top or from the left. Blocks in
good order mostly agree with one of two such readers: one cuts level first, the other upright first.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from operator import attrgetter
from statistics import mean
from typing import NamedTuple

from docparse_fast.geometry import Box

GUTTER = 0.3  # of a usual block's height: the white of an upright cut; chosen, as is the next, not fitted
SLACK = 2.0  # pixels that blocks below each other may share


class _Cut(NamedTuple):
    start: Callable[[Box], float]
    end: Callable[[Box], float]
    white: float


def uncut(boxes: Sequence[Box], unit: float) -> float:
    """The share of steps from a block to the next that neither reader makes, by the one who agrees better.

    >>> page = [Box(0, 0, 90, 40), Box(0, 60, 90, 90), Box(100, 0, 190, 30), Box(100, 50, 190, 90)]
    >>> uncut(page, 10), round(uncut([page[0], page[3], page[1], page[2]], 10), 2)
    (0.0, 0.67)
    """
    if len(boxes) < 3:
        return 0.0
    level = _Cut(attrgetter("y0"), attrgetter("y1"), -SLACK)
    upright = _Cut(attrgetter("x0"), attrgetter("x1"), GUTTER * unit)
    orders = (_in_turn(boxes, range(len(boxes)), cuts) for cuts in ((level, upright), (upright, level)))
    return min(mean(float(order.index(n + 1) != order.index(n) + 1) for n in range(len(boxes) - 1)) for order in orders)


def _in_turn(boxes: Sequence[Box], members: Sequence[int], cuts: Sequence[_Cut]) -> list[int]:
    """The members part by part, as the first cut parts them that does."""
    for cut in cuts:
        groups: list[list[int]] = []
        reached = -math.inf
        for n in sorted(members, key=lambda n: cut.start(boxes[n])):
            if not groups or cut.start(boxes[n]) - reached >= cut.white:
                groups.append([])
            groups[-1].append(n)
            reached = max(reached, cut.end(boxes[n]))
        if len(groups) > 1:
            return [n for group in groups for n in _in_turn(boxes, group, cuts)]
    return sorted(members, key=lambda n: (boxes[n].y0, boxes[n].x0))
