"""Lists as a whole: how deep each item is, and figures beside them. Knows regions in reading order."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from docparse_fast.document import Box, Category, Region
from docparse_fast.drafting.blocks.neighbours import Made
from docparse_fast.drafting.blocks.paragraphs import BULLET

DEEPER = 0.7  # of the body's type: an item that begins so much further right is one level deeper
LONE_BULLET = re.compile(rf"\\?{BULLET}")
BULLET_GAP = 3.0  # of a bullet's line, between it and what hangs behind it


def with_nesting(regions: list[Region], body: float) -> list[Region]:
    lefts: list[float] = []
    for n, region in enumerate(regions):
        in_another_column = n > 0 and region.box.y1 < regions[n - 1].box.y0
        if region.category is not Category.LIST_ITEM or in_another_column:
            lefts = []
        if region.category is not Category.LIST_ITEM:
            continue
        while lefts and region.box.x0 < lefts[-1] - DEEPER * body:
            lefts.pop()
        if not lefts or region.box.x0 > lefts[-1] + DEEPER * body:
            lefts.append(region.box.x0)
        regions[n] = replace(region, level=len(lefts) - 1)
    return regions


def figures_before_lists(made: Sequence[Made]) -> list[Made]:
    """A figure beside a list stands before it, not between two of its items."""
    found: list[Made] = []
    for n, one in enumerate(made):
        at = len(found)
        if 0 < n < len(made) - 1 and _is_beside(one[0], made[n - 1][0], made[n + 1][0]):
            while at and found[at - 1][0].category is Category.LIST_ITEM:
                at -= 1
        found.insert(at, one)
    return found


def without_bullets_of_figures(made: Sequence[Made]) -> list[Made]:
    """Leaves out bullets whose item is a picture: they say nothing, and the picture stands there."""
    figures = [region.box for region, _ in made if region.category is Category.FIGURE]
    return [one for one in made if not (_is_bullet(one) and any(_hangs_before(one[0], box) for box in figures))]


def _is_bullet(one: Made) -> bool:
    region, members = one
    return bool(members) and region.category is Category.TEXT and LONE_BULLET.fullmatch(region.text) is not None


def _hangs_before(bullet: Region, figure: Box) -> bool:
    beside = bullet.box.overlap_y(figure) > 0.5 * bullet.box.height
    return beside and 0 <= figure.x0 - bullet.box.x1 < BULLET_GAP * bullet.box.height


def _is_beside(region: Region, before: Region, after: Region) -> bool:
    items = before.category is after.category is Category.LIST_ITEM
    apart = not (region.box.overlap_x(before.box) or region.box.overlap_x(after.box))
    return region.category is Category.FIGURE and items and apart
