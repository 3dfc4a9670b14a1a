"""One block as HTML: its text as it reads, each character marked with who wrote it. Knows tags and marks; no page.

Everything that comes from a document goes through `escape`; what is written as markup is of our own making.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from html import escape as escape_html
from itertools import groupby
from typing import NamedTuple

from docparse_fast.document import HEADINGS, Block, Category
from docparse_fast.rendering.harmless import UNSHOWN
from docparse_fast.rendering.html_inline import HtmlPiece, inline
from docparse_fast.rendering.html_table import table
from docparse_fast.rendering.markdown import LIST_MARKER, has_links
from docparse_fast.rendering.origins import MarkKind, find_words, origins

DEEPEST_ITEM = 5  # levels of a list that stand in visibly


class Mark(NamedTuple):
    kind: MarkKind = MarkKind.PLAIN
    note: str = ""  # the id of what is said about it


@dataclass(frozen=True, slots=True)
class Note:
    """A remark about words of the page: a correction, or words that no draft supports."""

    name: str
    kind: MarkKind
    words: str
    title: str


class MarkedBlock:
    """A block's pieces, and a mark for each of its source's characters."""

    def __init__(self, block: Block) -> None:
        self.block = block
        self.pieces = list(_pieces(block))
        self._marks = [Mark(kind) for kind in origins(block)] if block.spans else [Mark()] * len(block.text)
        self._titles: dict[str, str] = {}
        self._read_to: dict[MarkKind, int] = {}
        self._text, self._at = _visible(self.pieces)

    def annotate(self, note: Note) -> bool:
        """Marks the note's words; False if they are not in this block. Notes of one kind come in reading order."""
        places = find_words(note.words, self._text, self._read_to.get(note.kind, 0))
        # A correction has at least one character that the draft behind it can't have given.
        own = [place for place in places if any(self._kind(n) is not MarkKind.ACCEPTED for n in range(*place))]
        for start, stop in [*own, *places][:1]:
            self._read_to[note.kind] = stop
            self._titles[note.name] = note.title
            for n in range(start, stop):
                if self._at[n] >= 0:
                    self._marks[self._at[n]] = Mark(note.kind, note.name)
            return True
        return False

    @property
    def kinds(self) -> set[MarkKind]:
        return {mark.kind for mark in self._marks}

    def html(self) -> str:
        seen: set[str] = set()
        return "".join(self._piece(piece, seen) for piece in self.pieces)

    def _kind(self, n: int) -> MarkKind:
        return self._marks[self._at[n]].kind if self._at[n] >= 0 else MarkKind.ACCEPTED

    def _piece(self, piece: HtmlPiece, seen: set[str]) -> str:
        if piece.at < 0:
            return piece.text
        marks = self._marks[piece.at : piece.at + len(piece.text)]
        text = ""
        start = 0
        for mark, run in groupby(marks):
            length = sum(1 for _ in run)
            text += self._marked(piece.text[start : start + length], mark, seen)
            start += length
        text += escape(piece.text[start:])
        for style in reversed(piece.styles):
            text = f'<code class="math">{text}</code>' if style == "math" else f"<{style}>{text}</{style}>"
        if piece.address:
            address = escape(piece.address)
            return (
                f'<a href="{address}" title="{address}" rel="noopener noreferrer nofollow" target="_blank">{text}</a>'
            )
        return text

    def _marked(self, text: str, mark: Mark, seen: set[str]) -> str:
        if not mark.kind or not text:
            return escape(text)
        if not mark.note:
            return f'<span class="{CLASSES[mark.kind]}">{escape(text)}</span>'
        name = "" if mark.note in seen else f' id="{mark.note}"'
        seen.add(mark.note)
        title = escape(self._titles[mark.note])
        return f'<span class="{CLASSES[mark.kind]}" data-note="{mark.note}"{name} title="{title}">{escape(text)}</span>'


CLASSES = {
    MarkKind.ACCEPTED: "ka",
    MarkKind.TOLERATED: "kt",
    MarkKind.OWN: "ko",
    MarkKind.CORRECTED: "kc",
    MarkKind.UNSUPPORTED: "ku",
}


def escape(text: str) -> str:
    """
    >>> escape("<script>alert('\\x07')")
    '&lt;script&gt;alert(&#x27;\\ufffd&#x27;)'
    """
    return escape_html(UNSHOWN.sub("\ufffd", text))


def element(block: Block) -> str:
    """The tag and class that a block's text stands in.

    >>> element(Block(Category.SECTION_HEADER, "Methods", level=2))
    'h4 class="h2"'
    """
    match block.category:
        case category if category in HEADINGS:
            level = min(block.level or (1 if category is Category.TITLE else 2), 6)
            return f'h{min(level + 2, 6)} class="h{level}"'
        case Category.LIST_ITEM:
            return f'div class="item l{min(block.level, DEEPEST_ITEM)}"'
        case Category.CODE | Category.FORMULA:
            return f'pre class="{block.category}"'
        case Category.TABLE:
            return 'div class="table"'
        case _:
            return f'p class="{block.category}"'


def _pieces(block: Block) -> Iterable[HtmlPiece]:
    text = block.text
    match block.category:
        case Category.TABLE if "<" in text:
            return table(text)
        case Category.TABLE | Category.CODE | Category.FORMULA:
            return [HtmlPiece(text, 0)]
        case Category.LIST_ITEM:
            return _item(text, links=has_links(block))
        case _:
            return inline(text, links=has_links(block))


def _item(text: str, *, links: bool) -> Iterator[HtmlPiece]:
    found = LIST_MARKER.match(text)
    length = found.end() if found else 0
    marker = text[:length].strip()
    yield HtmlPiece('<span class="marker">', -1)
    yield HtmlPiece("•", -1) if marker in ("", "-", "*", "+") else HtmlPiece(marker, 0)
    yield HtmlPiece("</span>", -1)
    yield from inline(text[length:], length, links=links)


def _visible(pieces: Sequence[HtmlPiece]) -> tuple[str, list[int]]:
    """The visible text, and the place of each character in the source; -1 for characters between two cells."""
    text = "".join(piece.text if piece.at >= 0 else "\n" for piece in pieces)
    at: list[int] = []
    for piece in pieces:
        at += range(piece.at, piece.at + len(piece.text)) if piece.at >= 0 else [-1]
    return text, at
