"""Where a heading or a paragraph stands in the document. Knows pages and blocks only."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace

from docparse_fast.document import Block, ParsedPage
from docparse_fast.text.marks import unmarked
from docparse_fast.text.markup import as_read

BlockAt = tuple[int, int]  # of the page among the pages, of the block on it
LEADER = re.compile(r"[\W_]+")


def blocks_of(pages: Sequence[ParsedPage], wanted: Callable[[Block], bool]) -> Iterator[tuple[BlockAt, Block]]:
    for n, page in enumerate(pages):
        for m, block in enumerate(page.blocks):
            if wanted(block):
                yield (n, m), block


def with_blocks(pages: Sequence[ParsedPage], changed: Mapping[BlockAt, Block]) -> list[ParsedPage]:
    """The pages with these blocks in the place of their own. Other pages stay the same objects."""
    made = list(pages)
    for n in sorted({n for n, _ in changed}):
        blocks = tuple(changed.get((n, m), block) for m, block in enumerate(made[n].blocks))
        made[n] = replace(made[n], blocks=blocks)
    return made


def said(block: Block) -> str:
    """A block's letters and digits alone, to compare it by.

    >>> from docparse_fast.document import Category
    >>> said(Block(Category.SECTION_HEADER, "3.1. *What* is `Debian`?"))
    '31whatisdebian'
    """
    return compared(as_read(unmarked(block.text)))


def compared(text: str) -> str:
    return LEADER.sub("", text.casefold())
