"""Blocks to Markdown. Knows headings, lists, tables and what must be escaped; reads no page and writes no file.

A draft's text is Markdown within its line already. What is decided here is how it starts: a paragraph whose first
characters would make it a heading, a list, a quotation or a table says so with a backslash. What may act within it (a
few tags, a PDF's own links) is `harmless`'s to say: what stands on a page can't become markup of the page about it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby

from docparse_fast.document import (
    EDITED,
    FURNITURE,
    HEADINGS,
    WRITTEN_AS_TEXT,
    Block,
    Category,
    ParsedDocument,
    ParsedPage,
)
from docparse_fast.rendering import harmless
from docparse_fast.rendering.pipe_table import pipe_table

DEEPEST_HEADING = 6  # that Markdown knows

LIST_MARKER = re.compile(r"(?:[-*+]|\d{1,9}[.)])(?:\s+|$)")
MARKER_SIGN = re.compile(r"(?=[-*+]|(?<=\d)[.)])")
LINE_BREAK = "  \n"  # a line's end that is shown
LINKING = ("text-layer",), ("text-layer", EDITED)  # the sources of blocks that hold links: a PDF's own
DRAFTED = [(source,) for source in sorted(WRITTEN_AS_TEXT)]
STRUCTURE = re.compile(
    r"#{1,6}(?=\s|$)|>|`{3,}(?=[^`]*$)|~~~|\$\$|(?:=+|-{2,})(?=\s*$)|[-*_](?=(?:\s*[-*_]){2,}\s*$)"
    r"|(?=[-\s]*[|:])(?=[|:\s]*-)[|:](?=[-|:\s]*$)|-(?=[-\s]*[|:][-|:\s]*$)"  # below a table's head
)


def render_markdown(document: ParsedDocument, *, tables: str = "html", keep_furniture: bool = False) -> str:
    """All pages, each after its mark.

    >>> page = ParsedPage(3, blocks=(Block(Category.TEXT, "# of items: 5"),))
    >>> print(render_markdown(ParsedDocument("a.pdf", "", (page,))), end="")
    <!-- page 3 -->
    <BLANKLINE>
    \\# of items: 5
    """
    pages = document_pieces(document, tables=tables, keep_furniture=keep_furniture)
    return "".join(piece.text for pieces in pages for piece in pieces)


def page_mark(number: int) -> str:
    return f"<!-- page {number} -->\n"


def render_page(page: ParsedPage, *, tables: str = "html", keep_furniture: bool = False) -> str:
    """One page; nothing at all for a blank one, a mark for one that failed."""
    return "".join(piece.text for piece in page_pieces(page, tables=tables, keep_furniture=keep_furniture))


@dataclass(frozen=True, slots=True)
class BlockPiece:
    """A piece of the Markdown, and the block that it says; None for what stands between blocks."""

    text: str
    block: Block | None = None


def document_pieces(
    document: ParsedDocument, *, tables: str = "html", keep_furniture: bool = False
) -> Iterator[list[BlockPiece]]:
    """What `render_markdown` writes, piece by piece, for each page."""
    for number, page in enumerate(document.pages):
        pieces = page_pieces(page, tables=tables, keep_furniture=keep_furniture)
        before = "\n" if number else ""
        yield [BlockPiece(before + page_mark(page.number) + ("\n" if pieces else "")), *pieces]


def page_pieces(page: ParsedPage, *, tables: str = "html", keep_furniture: bool = False) -> list[BlockPiece]:
    """What `render_page` writes, piece by piece."""
    parts = list(_parts([block for block in page.blocks if keep_furniture or block.category not in FURNITURE], tables))
    if page.continues:
        parts.insert(0, [BlockPiece(harmless.comment(f"continued from page {page.number - 1}"))])
    if page.goes_on:
        parts.append([BlockPiece(harmless.comment(f"continued on page {page.number + 1}"))])
    if page.error is not None:
        parts.append([BlockPiece(harmless.comment(f"{page.status}: {page.error.code}"))])
    return [*_between(parts, "\n\n"), BlockPiece("\n")] if parts else []


def block_pieces(blocks: Sequence[Block], tables: str = "html") -> list[BlockPiece]:
    return list(_between(_parts(blocks, tables), "\n\n"))


def _between(parts: Iterable[Sequence[BlockPiece]], blank: str) -> Iterator[BlockPiece]:
    for number, part in enumerate(parts):
        if number:
            yield BlockPiece(blank)
        yield from part


def _parts(blocks: Sequence[Block], tables: str) -> Iterator[Sequence[BlockPiece]]:
    """What a blank line goes between: single blocks, and whole lists."""
    for is_listed, group in groupby(blocks, _is_listed):
        if is_listed:
            yield _list(list(group))
        else:
            written = ((block, _block(block, tables)) for block in group)
            yield from ([BlockPiece(harmless.visible(text), block)] for block, text in written if text)


def _is_listed(block: Block) -> bool:
    """Whether it is an item, or a paragraph within one."""
    return block.category is Category.LIST_ITEM or (block.category is Category.TEXT and block.level > 0)


def _block(block: Block, tables: str) -> str:
    match block.category:
        case category if category in HEADINGS:
            return _heading(block)
        case Category.TABLE:
            cells = harmless.formulas_in_cells(block.text)
            return (pipe_table(cells) if tables == "pipe" else None) or _table(block)
        case Category.FORMULA:
            return f"$$\n{harmless.formula(block.text.strip())}\n$$" if block.text.strip() else ""
        case Category.CODE:
            return _code(block.text)
        case Category.FIGURE:
            picture = f"![]({block.image})" if block.image else ""
            return "\n\n".join(filter(None, (picture, _paragraph(block))))
        case _:
            return _paragraph(block)


def _heading(block: Block) -> str:
    text = harmless.formulas_within(" ".join(block.text.split()))
    text = harmless.inline(text, links=has_links(block))
    # A closing run of # would be taken for a part of the mark.
    text = re.sub(r"(?<=\s)(#+)$", r"\\\1", text)
    return f"{'#' * min(heading_level(block), DEEPEST_HEADING)} {text}" if text else ""


def heading_level(block: Block) -> int:
    return block.level or (1 if block.category is Category.TITLE else 2)


def _code(text: str) -> str:
    fence = "`" * max(3, 1 + max((len(run) for run in re.findall(r"`+", text)), default=0))
    return f"{fence}\n{text.rstrip()}\n{fence}" if text.strip() else ""


def _list(items: Sequence[Block]) -> list[BlockPiece]:
    """Items one below the other, each standing in as far as the text of the item it belongs to.

    >>> items = [Block(Category.LIST_ITEM, "1. one"), Block(Category.LIST_ITEM, "- inner", level=1)]
    >>> print("".join(piece.text for piece in _list(items)))
    1. one
       - inner
    >>> items = [Block(Category.LIST_ITEM, "1. one"), Block(Category.TEXT, "more", level=1)]
    >>> print("".join(piece.text for piece in _list(items)))
    1. one
    <BLANKLINE>
       more
    """
    widths: list[int] = []
    written: list[Sequence[BlockPiece]] = []
    for item in items:
        if item.category is Category.TEXT:
            del widths[item.level :]
            within = [" " * sum(widths) + line for line in _paragraph(item).split("\n")]
            written.append([BlockPiece("\n" + harmless.visible("\n".join(within)), item)])
            continue
        text = _with_marker(item.text)
        found = LIST_MARKER.match(text)
        marker = found[0].rstrip() if found else "-"
        body = _lines(text[found.end() :] if found else text, links=has_links(item))
        del widths[item.level :]
        indent = " " * sum(widths)
        widths.append(len(marker) + 1)
        lines = [f"{indent}{marker} {body[0] if body else ''}".rstrip()]
        lines += [" " * sum(widths) + line for line in body[1:]]
        written.append([BlockPiece(harmless.visible("\n".join(lines)), item)])
    return list(_between(written, "\n"))


def _with_marker(text: str) -> str:
    text = text.strip()
    return text if LIST_MARKER.match(text) else f"- {text}"


def has_links(block: Block) -> bool:
    """Whether what looks like a link is one: a target sees none in a picture, and an OCR doesn't either."""
    return not block.spans and block.sources in LINKING


def _paragraph(block: Block) -> str:
    """
    >>> print(_paragraph(Block(Category.TEXT, "> 5 % of <body> weight")))
    \\> 5 % of \\<body> weight
    >>> print(_paragraph(Block(Category.TEXT, "1986. A year", sources=("text-layer",))))
    1986\\. A year
    """
    lines = _lines(block.text, links=has_links(block))
    if block.sources[:1] not in DRAFTED:
        return "\n".join(lines)  # a target's Markdown: a list may be in it, and a line may end anywhere
    return LINE_BREAK.join(map(_no_item, lines))


def _no_item(line: str) -> str:
    """Words that a drafter took for no list's item, though they begin as one."""
    return MARKER_SIGN.sub(r"\\", line, count=1) if LIST_MARKER.match(line) else line


def _table(block: Block) -> str:
    text = block.text.strip()
    return harmless.html_table(text) if harmless.is_html_table(text) else _paragraph(block)


def _lines(text: str, *, links: bool) -> list[str]:
    """Stripped, since four blanks would make code of a line; an empty one would end the block."""
    lines = harmless.formulas_within("\n".join(filter(None, map(str.strip, text.splitlines()))))
    return [_escape(line, links=links) for line in harmless.without_definitions(lines).split("\n") if line]


def _escape(line: str, *, links: bool) -> str:
    if STRUCTURE.match(line):
        line = "\\" + line
    return harmless.inline(line, links=links)
