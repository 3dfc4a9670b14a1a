"""Bullets that are pictures or filled shapes before their items' words, as web pages and slides have them.

Knows lines and painted boxes. Small boxes of one size, one below the other, each right before a line, are bullets.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise

from docparse_fast.document import Box, TextLine, TextSpan
from docparse_fast.drafting.measures import MOST_DRAWN, SEVERAL
from docparse_fast.text.characters import has_right_to_left

SMALLEST, LARGEST = 0.2, 1.3  # of the type's size
LONGEST = 1.5  # of the shorter side
BEFORE = 1.8  # of the type's size: the most between a bullet and its words
INTO = 0.2  # of the type's size, by which a picture's empty edge may reach into them
SAME = 1.5  # pixels by which bullets of one list may differ
STEP = 1.1  # of a bullet's height: tiles of a picture stand closer


def with_bullets(lines: Sequence[TextLine], painted: Sequence[Box]) -> list[TextLine]:
    """The same lines; those that begin with a drawn bullet begin with `• `."""
    told = zip(lines, _bullets(lines, painted), strict=True)
    return [_with_bullet(line, box) if box else line for line, box in told]


def without_bullets(painted: Sequence[Box], lines: Sequence[TextLine]) -> list[Box]:
    """What is painted and is no line's bullet."""
    bullets = set(_bullets(lines, painted))
    return [box for box in painted if box not in bullets]


def _bullets(lines: Sequence[TextLine], painted: Sequence[Box]) -> list[Box | None]:
    """Each line's, if it begins with one."""
    sizes = [span.size for line in lines for span in line.spans[:1]]
    largest = LARGEST * max(sizes, default=0.0)
    painted = [box for box in painted if 0 < max(box.width, box.height) <= largest]
    if not painted or len(painted) > MOST_DRAWN:
        return [None] * len(lines)
    found = [_bullet(line, painted) for line in lines]
    lists: dict[tuple[int, int, int], list[Box]] = defaultdict(list)
    for box in filter(None, found):
        lists[_look(box)].append(box)
    kept = {look for look, boxes in lists.items() if _stand_apart(boxes)}
    return [box if box and _look(box) in kept else None for box in found]


def _look(box: Box) -> tuple[int, int, int]:
    """Bullets of one list have one."""
    return round(box.x0 / SAME), round(box.width / SAME), round(box.height / SAME)


def _bullet(line: TextLine, painted: Sequence[Box]) -> Box | None:
    inked = [span for span in line.spans if span.text.strip()]
    if line.vertical or line.slanted or not inked:
        return None
    first = inked[0]  # of those from the right, which come as they are read, the rightmost
    if not has_right_to_left(line.text):
        first = min(inked, key=lambda span: span.box.x0)
    near = (box for box in painted if _is_bullet(box, first, from_right=has_right_to_left(line.text)))
    return min(near, key=lambda box: abs(box.center[0] - first.box.center[0]), default=None)


def _is_bullet(box: Box, first: TextSpan, *, from_right: bool) -> bool:
    size = first.size
    short, long = sorted((box.width, box.height))
    gap = box.x0 - first.box.x1 if from_right else first.box.x0 - box.x1
    return (
        SMALLEST * size <= short
        and long <= LARGEST * size
        and long <= LONGEST * short
        and -INTO * size <= gap <= BEFORE * size
        and first.baseline - size < box.center[1] < first.baseline + INTO * size
    )


def _stand_apart(boxes: Sequence[Box]) -> bool:
    """One below the other, and not the tiles of a picture."""
    tops = sorted(box.y0 for box in boxes)
    return len(tops) >= SEVERAL and all(b - a > STEP * boxes[0].height for a, b in pairwise(tops))


def _with_bullet(line: TextLine, box: Box) -> TextLine:
    first = next(span for span in line.spans if span.text.strip())
    bullet = replace(
        first, box=box, text="• ", font="", bold=False, italic=False, mono=False, link=None, signs=(), superscript=False
    )
    return replace(line, box=Box.around((box, line.box)), spans=(bullet, *line.spans))
