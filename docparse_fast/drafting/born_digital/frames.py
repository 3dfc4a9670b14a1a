"""Finds the frames that four rules make. Knows rules; does not know what stands in a frame."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from docparse_fast.document import Box

TOUCH = 4.0  # pixels by which the ends of two rules may miss each other


def frames(rules: Sequence[Box]) -> list[Box]:
    """The boxes between two level rules, one below the other, that upright rules close at both ends.

    >>> frames([Box(0, 0, 50, 1), Box(0, 40, 50, 41), Box(0, 0, 1, 41), Box(50, 0, 51, 41)])
    [Box(x0=0, y0=0, x1=50, y1=41)]
    """
    level = sorted((rule for rule in rules if rule.width >= rule.height), key=lambda rule: (rule.x0, rule.y0))
    upright = [rule for rule in rules if rule.width < rule.height]
    found = [
        Box(above.x0, above.y0, above.x1, below.y1) for above, below in pairwise(level) if _same_ends(above, below)
    ]
    return [box for box in found if _is_closed(box, upright)] if upright else []


def _same_ends(above: Box, below: Box) -> bool:
    return abs(above.x0 - below.x0) < TOUCH and abs(above.x1 - below.x1) < TOUCH


def _is_closed(box: Box, upright: Sequence[Box]) -> bool:
    reaching = [rule for rule in upright if rule.y0 < box.y0 + TOUCH and rule.y1 > box.y1 - TOUCH]
    return all(any(abs(rule.center[0] - x) < TOUCH for rule in reaching) for x in (box.x0, box.x1))
