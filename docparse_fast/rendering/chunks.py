"""A document as chunks for search: its sections, a line of JSON each, cut where they would be too long.

A chunk begins at a heading, knows all headings above it, and says where each of its blocks stands. Knows blocks; how
many tokens some model makes of a text it can only estimate.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from itertools import groupby
from typing import Any

from docparse_fast.document import FURNITURE, HEADINGS, Block, Category, ParsedDocument, ParsedPage, PartOfBlock
from docparse_fast.rendering.captions import captioned
from docparse_fast.rendering.json import dumps
from docparse_fast.rendering.markdown import BlockPiece, block_pieces, document_pieces, heading_level
from docparse_fast.rendering.text_map import PlacesOfBlocks, in_points, places_in, sides, size_of, spans_of_pieces
from docparse_fast.text.marks import unmarked
from docparse_fast.text.markup import as_read

MOST_TOKENS = 512  # estimated; a block is never cut
LETTERS_A_TOKEN = 4  # of a usual tokeniser on European text, roughly

_WIDE = re.compile(r"[\u2e80-\u9fff\uac00-\ud7af\uf900-\ufaff\U00020000-\U0003ffff]")  # a word each: CJK

PlacedBlock = tuple[int, int, Block]  # page number, place on the page, block


@dataclass(slots=True)
class Chunk:
    headings: tuple[str, ...] = ()  # from the outermost to the one that it stands under
    placed: list[PlacedBlock] = field(default_factory=list)
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
    at = _Offsets.of(document, tables, keep_furniture=keep_furniture)
    lines = (
        dumps({"source": document.source, "chunk": number, **_as_json(chunk, at)})
        for number, chunk in enumerate(chunks_of(document, keep_furniture=keep_furniture))
    )
    return "".join(line + "\n" for line in lines)


def chunks_of(document: ParsedDocument, *, keep_furniture: bool = False) -> Iterator[Chunk]:
    above: list[tuple[int, str]] = []  # level and title of the headings that hold here
    chunk = Chunk()
    for together in _together(list(_blocks(document, keep_furniture))):
        block = together[0][2]
        if chunk.placed and not chunk.is_head and _ends(chunk, [each for _, _, each in together]):
            yield chunk
            chunk = Chunk(chunk.headings)
        if block.category in HEADINGS:
            level = heading_level(block)
            above = [each for each in above if each[0] < level]
            above.append((level, as_read(unmarked(" ".join(block.text.split())))))
            chunk.headings = tuple(title for _, title in above)
        for placed in together:
            chunk.add(*placed)
    if chunk.placed:
        yield chunk


def _together(placed: Sequence[PlacedBlock]) -> Iterator[list[PlacedBlock]]:
    """Block by block, a table or a figure with its captions."""
    of = captioned([block for _, _, block in placed])
    for _, members in groupby(range(len(placed)), key=lambda n: of.get(n, n)):
        yield [placed[n] for n in members]


def _blocks(document: ParsedDocument, keep_furniture: bool) -> Iterator[PlacedBlock]:
    for page in document.pages:
        for index, block in enumerate(page.blocks):
            is_said = block.text or block.category is Category.FIGURE  # else it was put where it goes on from
            if is_said and (keep_furniture or block.category not in FURNITURE):
                yield page.number, index, block


def _ends(chunk: Chunk, blocks: Sequence[Block]) -> bool:
    """Whether the chunk ends before these blocks."""
    return blocks[0].category in HEADINGS or chunk.tokens + sum(tokens_of(b.text) for b in blocks) > MOST_TOKENS


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


Offsets = Mapping[tuple[int, int], tuple[int, int]]  # from and to, by the page's number and the place on it


@dataclass(frozen=True, slots=True)
class _Offsets:
    """Where blocks stand in `document.md`, and on how large pages."""

    places: PlacesOfBlocks
    in_document: Offsets
    pages: Mapping[int, ParsedPage]
    tables: str

    @staticmethod
    def of(document: ParsedDocument, tables: str, *, keep_furniture: bool) -> _Offsets:
        pages = document_pieces(document, tables=tables, keep_furniture=keep_furniture)
        places = places_in(document)
        found = _offsets((piece for pieces in pages for piece in pieces), places)
        return _Offsets(places, found, {page.number: page for page in document.pages}, tables)


def _offsets(pieces: Iterable[BlockPiece], places: PlacesOfBlocks) -> Offsets:
    spans = spans_of_pieces(pieces, places, by_word=False)
    return {(span.page, span.index): (span.start, span.end) for span in spans}


def _as_json(chunk: Chunk, at: _Offsets) -> dict[str, Any]:
    pieces = block_pieces([block for _, _, block in chunk.placed], at.tables)
    text, within = "".join(piece.text for piece in pieces), _offsets(pieces, at.places)
    parts = [part for each in chunk.placed for part in each[2].parts or (PartOfBlock(*each),)]
    known = [at.in_document[place] for part in parts if (place := (part.page, part.index)) in at.in_document]
    pages = sorted({part.page for part in parts})
    return {
        "headings": list(chunk.headings),
        "text": text,
        "sha256": sha256(text.encode("utf-8", "surrogatepass")).hexdigest(),
        "pages": pages,
        "places": [_place(part, within, at) for part in parts],
        "words": words_of(text),
        "tokens": tokens_of(text),
        "offsets": [known[0][0], known[-1][1]] if known else None,
        "sizes": [size_of(at.pages[page]) for page in pages],
    }


def _place(part: PartOfBlock, within: Offsets, at: _Offsets) -> dict[str, Any]:
    box = sides(part.block.box)
    return {
        "page": part.page,
        "block": part.index,
        "category": str(part.block.category),
        "box": box,
        "points": in_points(box, at.pages[part.page].dpi) if box else None,
        "offsets": within.get((part.page, part.index)),
        "in_document": at.in_document.get((part.page, part.index)),
        **({"image": part.block.image} if part.block.image else {}),
    }
