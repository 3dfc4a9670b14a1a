"""A document as chunks for search: its sections, a line of JSON each, cut where they would be too long.

A chunk begins at a heading, knows all headings above it, and says where each of its blocks stands. Knows blocks; how
many tokens some model makes of a text it can only estimate.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from docparse_fast.document import FURNITURE, HEADINGS, Block, ParsedDocument
from docparse_fast.marks import unmarked
from docparse_fast.markup import as_read
from docparse_fast.rendering.json import dumps
from docparse_fast.rendering.markdown import heading_level, render_blocks

MOST_TOKENS = 512  # estimated; a block is never cut
LETTERS_A_TOKEN = 4  # of a usual tokeniser on European text, roughly

_WIDE = re.compile(r"[\u2e80-\u9fff\uac00-\ud7af\uf900-\ufaff\U00020000-\U0003ffff]")  # a word each: CJK


@dataclass(slots=True)
class Chunk:
    headings: tuple[str, ...] = ()  # from the outermost to the one that it stands under
    placed: list[tuple[int, int, Block]] = field(default_factory=list)  # page number, place on the page, block
    tokens: int = 0

    @property
    def is_head(self) -> bool:
        """Whether nothing but headings is in it yet."""
        return all(block.category in HEADINGS for _, _, block in self.placed)

    def add(self, page: int, index: int, block: Block) -> None:
        self.placed.append((page, index, block))
        self.tokens += tokens_of(block.text)


def render_chunks(document: ParsedDocument, *, tables: str = "html", keep_furniture: bool = False) -> str:
    """One chunk a line, in reading order."""
    lines = (
        dumps({"source": document.source, "chunk": number, **_as_json(chunk, tables)})
        for number, chunk in enumerate(chunks_of(document, keep_furniture=keep_furniture))
    )
    return "".join(line + "\n" for line in lines)


def chunks_of(document: ParsedDocument, *, keep_furniture: bool = False) -> Iterator[Chunk]:
    above: list[tuple[int, str]] = []  # level and title of the headings that hold here
    chunk = Chunk()
    for page, index, block in _blocks(document, keep_furniture):
        is_heading = block.category in HEADINGS
        if chunk.placed and not chunk.is_head and _ends(chunk, block):
            yield chunk
            chunk = Chunk(chunk.headings)
        if is_heading:
            level = heading_level(block)
            above = [each for each in above if each[0] < level]
            above.append((level, as_read(unmarked(" ".join(block.text.split())))))
            chunk.headings = tuple(title for _, title in above)
        chunk.add(page, index, block)
    if chunk.placed:
        yield chunk


def _blocks(document: ParsedDocument, keep_furniture: bool) -> Iterator[tuple[int, int, Block]]:
    for page in document.pages:
        for index, block in enumerate(page.blocks):
            if keep_furniture or block.category not in FURNITURE:
                yield page.number, index, block


def _ends(chunk: Chunk, block: Block) -> bool:
    """Whether the chunk ends before this block."""
    return block.category in HEADINGS or chunk.tokens + tokens_of(block.text) > MOST_TOKENS


def words_of(text: str) -> int:
    """
    >>> words_of("three short words"), words_of("中文 and more")
    (3, 4)
    """
    return len(_WIDE.sub(" x ", text).split())


def tokens_of(text: str) -> int:
    """
    >>> tokens_of("three short words"), tokens_of("中文")
    (5, 2)
    """
    wide = len(_WIDE.findall(text))
    return wide + -(-(len(text) - wide) // LETTERS_A_TOKEN)


def _as_json(chunk: Chunk, tables: str) -> dict[str, Any]:
    text = render_blocks([block for _, _, block in chunk.placed], tables)
    return {
        "headings": list(chunk.headings),
        "text": text,
        "pages": sorted({page for page, _, _ in chunk.placed}),
        "places": [_place(*each) for each in chunk.placed],
        "words": words_of(text),
        "tokens": tokens_of(text),
    }


def _place(page: int, index: int, block: Block) -> dict[str, Any]:
    box = block.box.rounded() if block.box else None
    return {
        "page": page,
        "block": index,
        "category": str(block.category),
        "box": [box.x0, box.y0, box.x1, box.y1] if box else None,
    }
