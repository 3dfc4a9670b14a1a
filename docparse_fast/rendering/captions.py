"""Which table or figure a caption belongs to. Knows blocks in their order and their boxes; reads no words."""

from __future__ import annotations

from collections.abc import Sequence

from docparse_fast.document import Block, Category

CAPTIONED = frozenset({Category.TABLE, Category.FIGURE, Category.CODE})


def captioned(blocks: Sequence[Block]) -> dict[int, int]:
    """For captions that stand beside what they name: their places, and its place.

    >>> table, caption = Block(Category.TABLE, "<table></table>"), Block(Category.CAPTION, "Table 1: Sizes")
    >>> captioned([caption, table, caption, table]), captioned([table, caption, table, caption])
    ({0: 1, 2: 3}, {1: 0, 3: 2})
    """
    found: dict[int, int] = {}
    for n, block in enumerate(blocks):
        if block.category is not Category.CAPTION:
            continue
        before, after = found.get(n - 1, n - 1), _next(blocks, n)
        sides = [at for at in (before, after) if 0 <= at < len(blocks) and blocks[at].category in CAPTIONED]
        free = [at for at in sides if at not in found.values() or found.get(n - 1) == at] or sides
        if free:
            found[n] = min((_gap(block, blocks[at]), at) for at in free)[1]
    return found


def _next(blocks: Sequence[Block], n: int) -> int:
    """The place after a caption's last line."""
    return next((at for at in range(n, len(blocks)) if blocks[at].category is not Category.CAPTION), len(blocks))


def _gap(one: Block, other: Block) -> float:
    if one.box is None or other.box is None:
        return 0.0
    return max(one.box.y0 - other.box.y1, other.box.y0 - one.box.y1)
