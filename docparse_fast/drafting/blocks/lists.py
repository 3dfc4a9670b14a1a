"""Lists as a whole: how deep each item is, and figures beside them. Knows blocks in reading order."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from docparse_fast.document import Category
from docparse_fast.drafting.blocks.drafted_block import DraftedBlock
from docparse_fast.drafting.measures import INDENT, Measures


def with_nesting(made: Sequence[DraftedBlock], measures: Measures) -> list[DraftedBlock]:
    found = list(made)
    lefts: list[float] = []
    deeper = INDENT * measures.body
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


def _is_beside(block: DraftedBlock, before: DraftedBlock, after: DraftedBlock) -> bool:
    items = before.category is after.category is Category.LIST_ITEM
    apart = not (block.box.overlap_x(before.box) or block.box.overlap_x(after.box))
    return block.category is Category.FIGURE and items and apart
