"""Frames: boxes that four rules close. Knows boxes only, not what drew them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise

from docparse_fast.document import Box
from docparse_fast.geometry import parted, runs

LEVEL = 1.0  # pixels
LABEL_WIDTH = 0.3  # of a frame's width: how wide the label in its upper side may be
TOUCH = 6.0  # pixels by which the ends of two rules may miss each other
MOST_RULES = 1000  # more of them are a drawing


def frames(rules: Sequence[Box], *, labelled: bool = False) -> list[Box]:
    """The boxes between two level rules, one below the other, that upright rules close at both ends.

    `labelled`: a label may stand in such a rule.
    >>> frames([Box(0, 0, 50, 1), Box(0, 40, 50, 41), Box(0, 0, 1, 41), Box(50, 0, 51, 41)])
    [Box(x0=0, y0=0, x1=50, y1=41)]
    """
    upright, level = parted(rules, lambda rule: rule.width < rule.height)
    if not upright or len(rules) > MOST_RULES:
        return []
    level = sorted(level, key=lambda rule: rule.y0)
    level = _around_labels(level) if labelled else level
    found = []
    for n, above in enumerate(level):
        below = next((r for r in level[n + 1 :] if abs(above.x0 - r.x0) < TOUCH and abs(above.x1 - r.x1) < TOUCH), None)
        if below is not None:
            found.append(Box(above.x0, above.y0, above.x1, below.y1))
    return [box for box in found if _is_closed(box, upright)]


def parted_frames(rules: Sequence[Box]) -> list[Box]:
    """The frames, each as the boxes that upright rules from its top to its foot part it into.

    >>> parted_frames([Box(0, 0, 50, 1), Box(0, 40, 50, 41), *(Box(x, 0, x + 1, 41) for x in (0, 20, 50))])
    [Box(x0=0, y0=0, x1=20.5, y1=41), Box(x0=20.5, y0=0, x1=50, y1=41)]
    """
    upright = [rule for rule in rules if rule.width < rule.height]
    found = []
    for box in frames(rules):
        within = {rule.center[0] for rule in _reaching(box, upright) if _is_within(box, rule)}
        edges = [box.x0, *sorted(within), box.x1]
        found += [replace(box, x0=left, x1=right) for left, right in pairwise(edges)]
    return found


def _around_labels(level: Sequence[Box]) -> list[Box]:
    """The level rules from the top; two that leave room for a label between them are one."""

    def leaves_room(run: Sequence[Box], rule: Box) -> bool:
        before, whole = Box.around(run), Box.around((*run, rule))
        return abs(rule.y0 - before.y0) < LEVEL and 0 < rule.x0 - before.x1 < LABEL_WIDTH * whole.width

    found = runs(sorted(level, key=lambda rule: (round(rule.y0), rule.x0)), leaves_room)
    return sorted(map(Box.around, found), key=lambda rule: rule.y0)


def _is_closed(box: Box, upright: Sequence[Box]) -> bool:
    reaching = _reaching(box, upright)
    return all(any(abs(rule.center[0] - x) < TOUCH for rule in reaching) for x in (box.x0, box.x1))


def _reaching(box: Box, upright: Sequence[Box]) -> list[Box]:
    return [rule for rule in upright if rule.y0 < box.y0 + TOUCH and rule.y1 > box.y1 - TOUCH]


def _is_within(box: Box, rule: Box) -> bool:
    return box.x0 + TOUCH < rule.center[0] < box.x1 - TOUCH
