"""Where each stretch of the Markdown stands on its pages: the block that it was written from, and its words.

The Markdown comes in pieces, each from one block, so which block a letter belongs to is known and not searched. Within
a piece, the letters of the block's words follow each other as they do in its text; marks, tags and addresses, which
stand on no page, are passed over. Knows blocks and pieces; reads no page.
"""

from __future__ import annotations

import html
import re
import unicodedata
from collections.abc import Iterable, Iterator, Sequence, Set
from dataclasses import dataclass
from functools import cache
from itertools import accumulate, pairwise
from typing import Any

from docparse_fast.document import Block, Box, Category, ParsedDocument, ParsedPage, PartOfBlock
from docparse_fast.geometry import runs
from docparse_fast.rendering.aligning import aligned
from docparse_fast.rendering.json import NUMBERS, dumps
from docparse_fast.rendering.markdown import BlockPiece, document_pieces
from docparse_fast.text.marks import CODE
from docparse_fast.text.markup import parted_at_formulas

FORMAT = "docparse-fast/map"
VERSION = 1
POINTS_PER_INCH = 72
LONG_SCRIPT = 0x0300  # from here on, a sign may be a mark on the letter before it

_UNPRINTED = re.compile(r"(?P<sign>\\[!-/:-@\[-`{-~])|<[^<>]*>|&#?\w{1,32};|!\[\]\([^()]*\)|\]\([^()\s]*\)")
_BLANK, _BLANK_OR_TAG = re.compile(r"\s"), re.compile(r"[\s<]")
_FENCE = re.compile(r"`{3,}\n")

PrintedLetters = tuple[str, list[int]]  # what is printed, and where each letter of it stands


@dataclass(frozen=True, slots=True)
class WordStretch:
    start: int
    end: int
    box: Box


@dataclass(frozen=True, slots=True)
class MappedSpan:
    """What the Markdown says from `start` to `end`, in characters, stands on this page in this block."""

    start: int
    end: int
    page: int
    index: int  # of the block, on its page
    block: Block
    words: tuple[WordStretch, ...] = ()


# ------------------------------------------------------------------------------------------------ the spans


def spans_of(document: ParsedDocument, *, tables: str = "html", keep_furniture: bool = False) -> list[MappedSpan]:
    """Of the Markdown that `render_markdown` makes of the same document, in order.

    >>> from docparse_fast.text.placed_words import PlacedWords
    >>> words = PlacedWords.of([(Box(10, 10, 30, 20), "One"), (Box(35, 10, 60, 20), "word*")])
    >>> block = Block(Category.SECTION_HEADER, "One word\\\\*", Box(10, 10, 60, 20), words=words)
    >>> (span,) = spans_of(ParsedDocument("a.pdf", "", (ParsedPage(1, blocks=(block,)),)))
    >>> span.start, span.end, [(word.start, word.end) for word in span.words]
    (17, 30, [(20, 23), (24, 30)])
    """
    pages = document_pieces(document, tables=tables, keep_furniture=keep_furniture)
    return list(spans_of_pieces((piece for pieces in pages for piece in pieces), places_in(document)))


PlacesOfBlocks = dict[int, tuple[int, int]]  # of blocks, by their identity: the page's number, the place on it


def places_in(document: ParsedDocument) -> PlacesOfBlocks:
    return {id(block): (page.number, index) for page in document.pages for index, block in enumerate(page.blocks)}


def spans_of_pieces(
    pieces: Iterable[BlockPiece], places: PlacesOfBlocks, *, by_word: bool = True
) -> Iterator[MappedSpan]:
    """Of pieces that follow each other: of one block, or one for each block that was put together there."""
    at = 0
    for piece in pieces:
        if piece.block is not None:
            parts = piece.block.parts or (PartOfBlock(*places[id(piece.block)], piece.block),)
            yield from _of_piece(piece.text, parts, at, by_word=by_word)
        at += len(piece.text)


def _of_piece(text: str, parts: Sequence[PartOfBlock], at: int, *, by_word: bool) -> Iterator[MappedSpan]:
    category = parts[0].block.category
    printed = printed_letters(text, category)
    starts = [0, *_starts(printed, [part.block.text for part in parts], category, len(text)), len(text)]
    gap = _BLANK_OR_TAG if category is Category.TABLE else _BLANK
    gaps = {n for n, (one, other) in enumerate(pairwise(printed[1]), 1) if gap.search(text, one + 1, other)}
    words = _words(printed, text, [part.block for part in parts], gaps) if by_word else []
    for number, ((start, end), part) in enumerate(zip(pairwise(starts), parts, strict=True)):
        if start < end:
            mine = tuple(WordStretch(at + first, at + last, box) for first, last, of, box in words if of == number)
            end = start + len(text[start:end].rstrip())
            yield MappedSpan(at + start, at + end, part.page, part.index, part.block, mine)


def _starts(printed: PrintedLetters, texts: Sequence[str], category: Category, length: int) -> list[int]:
    """Where the text of each block but the first begins."""
    if len(texts) == 1:
        return []
    letters, places = printed
    own = [printed_letters(text, category)[0] for text in texts]
    partners = aligned("".join(own), letters)
    starts: list[int] = []
    at = len(own[0])
    for text in own[1:]:
        partner = next((each for each in partners[at : at + len(text)] if each is not None), None)
        starts.append(max(starts[-1] if starts else 0, length if partner is None else places[partner]))
        at += len(text)
    return starts


# ------------------------------------------------------------------------------------------------ the words


def _words(
    printed: PrintedLetters, text: str, parts: Sequence[Block], gaps: Set[int]
) -> list[tuple[int, int, int, Box]]:
    """For each word that stands in the text as it does on the page: from, to, of which part, its box.

    `gaps`: before which letters there is one, in the text.
    """
    places = printed[1]
    placed = [(number, box, word) for number, part in enumerate(parts) for box, word in part.words]
    partners = _partners([word for _, _, word in placed], printed[0], gaps | {0, len(places)})
    found = []
    for (number, box, word), own in zip(placed, partners, strict=True):
        runs = _runs(own)
        for run in runs:
            start, end = _with_signs(text, places[run[0]], places[run[-1]] + 1, word, whole=len(runs) == 1)
            found.append((start, end, number, box))
    return sorted(found, key=lambda each: each[:2])


def _partners(words: Sequence[str], letters: str, gaps: Set[int]) -> list[Sequence[int]]:
    """For each word its letters among those printed; none for a word that isn't there whole."""
    said = [letters_of(word)[0] for word in words]
    pairs = aligned("".join(said), letters)
    ends = [0, *accumulate(map(len, said))]
    found = [_partner(pairs, start, end, gaps) for start, end in pairwise(ends)]
    within = [own if " " in word or gaps.isdisjoint(own[1:]) else () for word, own in zip(words, found, strict=True)]
    return _with_lone_ones(said, within, letters, gaps)


def _partner(pairs: Sequence[int | None], start: int, end: int, gaps: Set[int]) -> Sequence[int]:
    """The letters of a word that is there from its first to its last, and is no part of another word."""
    own = [pair for pair in pairs[start:end] if pair is not None]
    if not own or len(own) < end - start:
        return ()
    return () if _is_torn(pairs, start, own[0], gaps) or _is_torn(pairs, end, own[-1] + 1, gaps) else own


def _is_torn(pairs: Sequence[int | None], at: int, there: int, gaps: Set[int]) -> bool:
    """Whether the text goes on there without a gap where the words on the page don't."""
    return there not in gaps and not (0 < at < len(pairs) and pairs[at - 1] == there - 1 and pairs[at] == there)


def _with_lone_ones(
    said: Sequence[str], found: Sequence[Sequence[int]], letters: str, gaps: Set[int]
) -> list[Sequence[int]]:
    """With the words that the text has in another order, as cells are read: as often as they are left on the page."""
    taken = {place for own in found for place in own}
    left: dict[str, list[int]] = {}
    for number, (word, own) in enumerate(zip(said, found, strict=True)):
        if word and not own:
            left.setdefault(word, []).append(number)
    made = list(found)
    free = _free_words(letters, gaps, taken) if left else {}
    for word, numbers in left.items():
        if len(starts := free.get(word, ())) == len(numbers):
            for number, start in zip(numbers, starts, strict=True):
                made[number] = range(start, start + len(word))
    return made


def _free_words(letters: str, gaps: Set[int], taken: Set[int]) -> dict[str, list[int]]:
    """Where each word of the text begins that has no partner, by its letters."""
    found: dict[str, list[int]] = {}
    for start, end in pairwise(sorted(gaps)):
        if not any(n in taken for n in range(start, end)):
            found.setdefault(letters[start:end], []).append(start)
    return found


def _runs(own: Sequence[int]) -> list[list[int]]:
    """A word's letters as they follow each other in the text."""
    return runs(own, lambda run, partner: partner == run[-1] + 1)


def _with_signs(text: str, start: int, end: int, word: str, *, whole: bool) -> tuple[int, int]:
    """With the marks on its last letter, and the signs around it that are the word's own."""
    while end < len(text) and ord(text[end]) >= LONG_SCRIPT and unicodedata.category(text[end])[0] == "M":
        end += 1
    if whole:
        before, after = _signs_around(word)
        while before and start and text[start - 1] in (before[-1], "\\"):
            before = before[:-1] if text[start - 1] == before[-1] else before
            start -= 1
        while after and end < len(text) and text[end] in (after[0], "\\"):
            after = after[1:] if text[end] == after[0] else after
            end += 1
    return start, end


def _signs_around(word: str) -> tuple[str, str]:
    places = [n for n, sign in enumerate(word) if _as_letters(sign)]
    return word[: places[0]], word[places[-1] + 1 :]


# ------------------------------------------------------------------------------------------------ the letters


def printed_letters(text: str, category: Category) -> PrintedLetters:
    """The letters and digits of a piece of Markdown that stand on the page, and where each is.

    >>> printed_letters("a [b](http://c) <sub>d</sub> $x$ &amp; e", Category.TEXT)
    ('abde', [0, 3, 21, 39])
    """
    if category is Category.FORMULA:
        return "", []
    if category is Category.CODE:
        start = fence.end() if (fence := _FENCE.match(text)) else 0
        return letters_of(text[start:], start)
    letters: list[str] = []
    places: list[int] = []
    at = 0
    for number, part in enumerate(parted_at_formulas(text)):
        if number % 2 == 0:
            for said, start in _shown(part) if category is Category.TABLE else _shown_beside_code(part):
                more, there = letters_of(said, at + start)
                letters.append(more)
                places += there
        at += len(part)
    return "".join(letters), places


def _shown_beside_code(part: str) -> Iterator[tuple[str, int]]:
    """As `_shown`, where all of what stands in backquotes is printed."""
    at = 0
    for found in CODE.finditer(part):
        if found[3] is not None:
            yield from _shown(part, at, found.start())
            yield found[3], found.start(3)
            at = found.end()
    yield from _shown(part, at)


def _shown(part: str, at: int = 0, end: int | None = None) -> Iterator[tuple[str, int]]:
    """What is printed of Markdown without formulas, piece by piece."""
    end = len(part) if end is None else end
    for found in _UNPRINTED.finditer(part, at, end):
        yield part[at : found.start()], at
        at = found.end()
        if found[0][0] == "&" and len(sign := html.unescape(found[0])) == 1:
            yield sign, found.start()
    yield part[at:end], at


def letters_of(text: str, start: int = 0) -> PrintedLetters:
    """Letters and digits in their plain form: as other files and fonts write them, too.

    >>> letters_of("ﬁx², (ok)")
    ('fix2ok', [0, 0, 1, 2, 6, 7])
    """
    said = [(letter, start + n) for n, sign in enumerate(text) for letter in _as_letters(sign)]
    return "".join(letter for letter, _ in said), [place for _, place in said]


@cache
def _as_letters(sign: str) -> str:
    return "".join(letter for letter in unicodedata.normalize("NFKC", sign).casefold() if letter.isalnum())


# ------------------------------------------------------------------------------------------------ the file


def render_map(document: ParsedDocument, *, tables: str = "html", keep_furniture: bool = False) -> str:
    """As JSON, a word a line. Offsets count characters (code points) of `document.md`."""
    spans = spans_of(document, tables=tables, keep_furniture=keep_furniture)
    said = {
        "format": FORMAT,
        "version": VERSION,
        "source": {"name": document.source, "sha256": document.sha256},
        "pages": [size_of(page) for page in document.pages],
        "spans": [_as_json(span) for span in spans],
    }
    return NUMBERS.sub(lambda found: f"[{' '.join(found[1].split())}]", dumps(said, indent=1)) + "\n"


def size_of(page: ParsedPage) -> dict[str, Any]:
    """How large it is: in pixels, in which boxes are measured, and in points."""
    sizes = (float(page.width), float(page.height))
    return {"page": page.number, "pixels": [page.width, page.height], "points": in_points(sizes, page.dpi)}


def in_points(pixels: Iterable[float], dpi: float) -> list[float] | None:
    """None where it isn't known how large a page is."""
    return [round(side * POINTS_PER_INCH / dpi, 2) for side in pixels] if dpi else None


def _as_json(span: MappedSpan) -> dict[str, Any]:
    return {
        "start": span.start,
        "end": span.end,
        "page": span.page,
        "block": span.index,
        "category": str(span.block.category),
        "box": sides(span.block.box),
        "words": [[word.start, word.end, *(sides(word.box) or ())] for word in span.words],
    }


def sides(box: Box | None) -> list[float] | None:
    box = box.rounded() if box else None
    return [box.x0, box.y0, box.x1, box.y1] if box else None
