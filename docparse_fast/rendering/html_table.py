"""A table's HTML, as a drafter or a target wrote it, to safe pieces that hold only the table. Knows tags.

Kept: rows, cells, `rowspan` and `colspan` within bounds, line breaks, and text. Every other tag is dropped and its
text is kept; a table inside a cell becomes part of the cell's text.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from html import unescape

from docparse_fast.rendering.html_inline import STYLES, HtmlPiece

WIDEST_SPAN = 1000  # browsers allow no more either

TOKEN = re.compile(
    r"<!--.*?(?:-->|\Z)"
    r"|<(?P<close>/?)(?P<tag>[a-zA-Z][a-zA-Z0-9]{0,20})(?P<attributes>[^<>]{0,2000})>"
    r"|(?P<text>[^<]+|<)",
    re.DOTALL,
)
SPAN = re.compile(r"\b(rowspan|colspan)\s{0,9}=\s{0,9}[\"']?(\d{1,9})", re.IGNORECASE)
IN_CELLS = frozenset({"sup", "sub", "b", "strong", "i", "em", "u", "code", "del"})
ENTITY = re.compile(r"&(?:#\d{1,7}|#x[0-9a-fA-F]{1,6}|[a-zA-Z][a-zA-Z0-9]{1,31});")
APART = HtmlPiece(" ", -1)  # between two cells: words on its sides are not one


@dataclass(slots=True)
class _Writer:
    """Tracks the open row and cell, and closes each of them once."""

    depth: int = 0  # tables within tables
    row: bool = False
    cell: str = ""  # the name of its tag
    styles: list[str] = field(default_factory=list)

    def end_cell(self) -> Iterator[HtmlPiece]:
        if self.cell:
            yield HtmlPiece(f"</{self.cell}>", -1)
            self.cell = ""
            self.styles.clear()

    def end_row(self) -> Iterator[HtmlPiece]:
        yield from self.end_cell()
        if self.row:
            yield HtmlPiece("</tr>", -1)
            self.row = False

    def start_row(self) -> Iterator[HtmlPiece]:
        yield from self.end_row()
        yield HtmlPiece("<tr>", -1)
        self.row = True

    def start_cell(self, name: str, spans: str) -> Iterator[HtmlPiece]:
        yield from self.end_cell()
        if not self.row:
            yield from self.start_row()
        yield HtmlPiece(f"<{name}{spans}>", -1)
        self.cell = name

    def style(self, name: str, *, closes: bool) -> None:
        if not closes and name not in self.styles:
            self.styles.append(name)
        elif closes and name in self.styles:
            self.styles.remove(name)


def row_widths(html: str) -> list[int]:
    """The number of columns each row fills, those that cells of rows above reach into counted.

    >>> row_widths("<table><tr><td rowspan=2>a</td><td>b</td></tr><tr><td>c</td></tr><tr><td>d</td></tr></table>")
    [2, 2, 1]
    """
    widths: list[int] = []
    reaching: list[tuple[int, int]] = []  # rows that remain, columns
    for found in TOKEN.finditer(html):
        tag = (found["tag"] or "").lower()
        if found["close"] or tag not in ("tr", "td", "th"):
            continue
        if tag == "tr" or not widths:
            widths.append(sum(columns for _, columns in reaching))
            reaching = [(rows - 1, columns) for rows, columns in reaching if rows > 1]
        if tag != "tr":
            spans = {name.lower(): int(count) for name, count in SPAN.findall(found["attributes"])}
            columns = spans.get("colspan", 1)
            widths[-1] += columns
            if spans.get("rowspan", 1) > 1:
                reaching.append((spans["rowspan"] - 1, columns))
    return widths


def table(html: str) -> list[HtmlPiece]:
    """The pieces of a table, our own tags included; a text without rows comes back as text.

    >>> "".join(piece.text for piece in table('<table><tr onclick="x()"><td colspan=2>a &amp; b</table>'))
    '<table><tr><td colspan="2">a & b</td></tr></table>'
    """
    writer = _Writer()
    pieces = [HtmlPiece("<table>", -1)]
    for found in TOKEN.finditer(html):
        if found["tag"]:
            pieces += _tag(found, found["tag"].lower(), writer)
        elif found["text"] and (writer.cell or found["text"].strip()):
            if not writer.cell:  # text that stands beside the cells is not lost
                pieces += writer.start_cell("td", "")
            pieces += _text(found["text"], found.start(), tuple(writer.styles))
    return [*pieces, *writer.end_row(), HtmlPiece("</table>", -1)]


def _tag(found: re.Match[str], tag: str, writer: _Writer) -> Iterator[HtmlPiece]:
    closes = bool(found["close"])
    if tag == "table":
        writer.depth = max(0, writer.depth + (-1 if closes else 1))
    if tag in IN_CELLS:
        writer.style(STYLES.get(tag, tag), closes=closes)
    elif tag == "br" and writer.cell:
        yield HtmlPiece("<br>", -1)
    elif writer.depth > 1:
        yield APART
    elif tag == "tr":
        yield from writer.end_row() if closes else writer.start_row()
    elif tag in ("td", "th"):
        yield from writer.end_cell() if closes else writer.start_cell(tag, _spans(found["attributes"]))


def _spans(attributes: str) -> str:
    return "".join(
        f' {name.lower()}="{min(int(number), WIDEST_SPAN)}"'
        for name, number in dict(SPAN.findall(attributes)).items()
        if int(number) > 1
    )


def _text(text: str, start: int, styles: tuple[str, ...]) -> Iterator[HtmlPiece]:
    """An entity is one character; its place is the place where the entity begins."""
    cursor = 0
    for found in ENTITY.finditer(text):
        if found.start() > cursor:
            yield HtmlPiece(text[cursor : found.start()], start + cursor, styles)
        yield HtmlPiece(unescape(found[0]), start + found.start(), styles)
        cursor = found.end()
    if cursor < len(text):
        yield HtmlPiece(text[cursor:], start + cursor, styles)
