"""How far the order of a page's blocks is that of its white: a second reader, who knows boxes in their order alone.

Who cuts a page at its white, and each part again, reads its parts one by one, from the top or from the left. Blocks in
good order mostly agree with one of two such readers: one cuts level first, the other upright first.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from itertools import pairwise, takewhile
from operator import attrgetter
from statistics import mean
from typing import NamedTuple

from docparse_fast.geometry import Box

GUTTER = 0.3  # of a usual block's height: the white of an upright cut; chosen, as is the next, not fitted
FEWEST = 3  # boxes of a column, on either side of what is read between
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


def returns(boxes: Sequence[Box], unit: float) -> Iterator[int]:
    """Which boxes go on in a column that was left, three boxes before its end, for three that stand beside it.

    It goes on where it ended: in line with a box of it, and by no wider a step than one between these.

    >>> left = [Box(0, y, 90, y + 20) for y in range(0, 240, 30)]
    >>> right = [Box(100, y, 190, y + 20) for y in (0, 30, 60)]
    >>> list(returns([*left[:4], *right, *left[4:]], 10)), list(returns([*left, *right], 10))
    ([7], [])
    """
    for n in range(2 * FEWEST, len(boxes)):
        edge = max(box.x1 for box in boxes[n : n + FEWEST])
        aside = list(takewhile(partial(_is_beyond, edge), reversed(boxes[:n])))
        if len(aside) >= FEWEST and boxes[n].y0 > max(box.y1 for box in aside):
            top = min(box.y0 for box in aside)
            before = [box for box in boxes[: n - len(aside)] if box.x1 <= edge and box.y1 > top]
            if len(before) >= FEWEST and _goes_on(before, boxes[n], unit):
                yield n


def _is_beyond(edge: float, box: Box) -> bool:
    return box.x0 >= edge


def _goes_on(column: Sequence[Box], box: Box, unit: float) -> bool:
    from_above = sorted(column, key=lambda each: each.y0)
    steps = [below.y0 - above.y1 for above, below in pairwise(from_above)]
    in_line = any(abs(each.x0 - box.x0) < unit / 2 for each in column)
    return in_line and box.y0 - max(each.y1 for each in column) <= max(steps)


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
