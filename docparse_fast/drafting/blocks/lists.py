"""Lists as a whole: how deep each item is, and figures beside them. Knows blocks in reading order."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from docparse_fast.document import Box, Category
from docparse_fast.drafting.blocks.drafted_block import DraftedBlock
from docparse_fast.drafting.measures import Measures
from docparse_fast.drafting.words import BULLET

DEEPER = 0.7  # of the body's type: an item that begins so much further right is one level deeper
LONE_BULLET = re.compile(rf"\\?{BULLET}")
BULLET_GAP = 3.0  # of a bullet's line, between it and what hangs behind it


def with_nesting(made: Sequence[DraftedBlock], measures: Measures) -> list[DraftedBlock]:
    found = list(made)
    lefts: list[float] = []
    deeper = DEEPER * measures.body
    for n, block in enumerate(made):
        in_another_column = n > 0 and block.box.y1 < made[n - 1].box.y0
        if block.category is not Category.LIST_ITEM or in_another_column:
            lefts = []
        if block.category is not Category.LIST_ITEM:
            continue
        while lefts and block.box.x0 < lefts[-1] - deeper:
            lefts.pop()
        if not lefts or block.box.x0 > lefts[-1] + deeper:
            lefts.append(block.box.x0)
        if block.region.level != len(lefts) - 1:
            found[n] = replace(block, region=replace(block.region, level=len(lefts) - 1))
    return found


def figures_before_lists(made: Sequence[DraftedBlock], _: Measures) -> list[DraftedBlock]:
    """A figure beside a list stands before it, not between two of its items."""
    found: list[DraftedBlock] = []
    for n, block in enumerate(made):
        at = len(found)
        if 0 < n < len(made) - 1 and _is_beside(block, made[n - 1], made[n + 1]):
            while at and found[at - 1].category is Category.LIST_ITEM:
                at -= 1
        found.insert(at, block)
    return found


def without_bullets_of_figures(made: Sequence[DraftedBlock], _: Measures) -> list[DraftedBlock]:
    """Leaves out bullets whose item is a picture: they say nothing, and the picture stands there."""
    figures = [block.box for block in made if block.category is Category.FIGURE]
    return [block for block in made if not (_is_bullet(block) and any(_hangs_before(block.box, at) for at in figures))]


def _is_bullet(block: DraftedBlock) -> bool:
    is_text = bool(block.lines) and block.category is Category.TEXT
    return is_text and LONE_BULLET.fullmatch(block.region.text) is not None


def _hangs_before(bullet: Box, figure: Box) -> bool:
    beside = bullet.overlap_y(figure) > 0.5 * bullet.height
    return beside and 0 <= figure.x0 - bullet.x1 < BULLET_GAP * bullet.height


def _is_beside(block: DraftedBlock, before: DraftedBlock, after: DraftedBlock) -> bool:
    items = before.category is after.category is Category.LIST_ITEM
    apart = not (block.box.overlap_x(before.box) or block.box.overlap_x(after.box))
    return block.category is Category.FIGURE and items and apart
