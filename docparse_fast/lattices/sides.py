"""The two sides of an upright rule that parts what stands beside it, as in the head of a case. Knows boxes only."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from itertools import combinations

from docparse_fast.document import Box
from docparse_fast.geometry import parted
from docparse_fast.lattices.frames import MOST_RULES, TOUCH

FEWEST, MOST = 3, 15  # lines on either side: fewer are no panel, more are columns, whose order is told without a rule
LEVEL = 0.3  # of a line's height, by which lines of one row may differ
ROWS = 0.7  # of the lines on one side, which stand level with some on the other in rows, as terms or dates do

Sides = tuple[Box, list[Box], list[Box]]  # of a rule


def beside_uprights(rules: Sequence[Box], lines: Sequence[Box]) -> list[Box]:
    """Both sides of each rule that has lines beside it, and no other such rule."""
    upright, level = parted(rules if len(rules) <= MOST_RULES else (), lambda rule: rule.width < rule.height)
    ordered = sorted(lines, key=_level)
    levels = list(map(_level, ordered))
    found: list[Sides] = []
    for rule in (rule for rule in upright if not any(_meets(other, rule) for other in level)):
        beside = ordered[bisect_left(levels, rule.y0) : bisect_right(levels, rule.y1)]
        left, right = ([line for line in beside if way * (line.center[0] - rule.center[0]) > 0] for way in (-1, 1))
        crossed = any(line.x0 < rule.center[0] < line.x1 for line in beside)
        few, many = sorted((len(left), len(right)))
        if few >= FEWEST and many <= MOST and not crossed:
            found.append((rule, left, right))
    shared = {id(rule) for one, other in combinations(found, 2) for rule, _, _ in (one, other) if _overlap(one, other)}
    alone = (sides for rule, *sides in found if id(rule) not in shared)
    return [Box.around(side) for sides in alone if not _are_rows(*sides) for side in sides]


def _meets(level: Box, upright: Box) -> bool:
    """Whether a level rule ends at an upright one or goes through it, as in a table; not where that ends."""
    at_height = upright.y0 + TOUCH < level.center[1] < upright.y1 - TOUCH
    return at_height and level.x0 - TOUCH < upright.center[0] < level.x1 + TOUCH


def _level(box: Box) -> float:
    return box.center[1]


def _overlap(one: Sides, other: Sides) -> bool:
    return one[0].overlap_y(other[0]) > 0


def _are_rows(left: Sequence[Box], right: Sequence[Box]) -> bool:
    few, many = sorted((left, right), key=len)
    level = sum(any(abs(_level(a) - _level(b)) < LEVEL * a.height for b in many) for a in few)
    return level > ROWS * len(few)
