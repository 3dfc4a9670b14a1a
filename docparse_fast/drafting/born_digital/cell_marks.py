"""Bold, italic, typed and crossed-out words of a table's cells, as HTML. Knows how words are set; knows no grid."""

from __future__ import annotations

import re
from bisect import bisect
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from html import escape
from itertools import groupby

from docparse_fast.document import Box, TableCell, TextSpan
from docparse_fast.drafting.born_digital.emphasis import PLAIN, Style, style_of
from docparse_fast.drafting.born_digital.text_lines import SIGNS_OF_CODE
from docparse_fast.text.characters import UNSPACED
from docparse_fast.text.markup import parted_at_formulas

WITHIN_WORD = re.compile(rf"(?<=\w)(?=\w)(?<!{UNSPACED.pattern})(?!{UNSPACED.pattern})")
HYPHENS = "-‐\u00ad"
TAGS = ("b", "i", "code", "del")  # of a style's four sides


def with_marks(box: Box, cells: Sequence[TableCell], spans: Iterable[TextSpan], usual: Style) -> list[TableCell]:
    """The same cells, with tags around words that are not set as the page's text is. A head is bold without them."""
    inside = [(span, style_of(span, usual)) for span in spans if box.holds(span.box) and span.text.strip()]
    if all(style == PLAIN for _, style in inside):
        return list(cells)
    return [_marked(cell, [inside[n] for n in found]) for cell, found in zip(cells, _held(cells, inside), strict=True)]


def _held(cells: Sequence[TableCell], spans: Sequence[tuple[TextSpan, Style]]) -> Iterator[list[int]]:
    """The spans in each cell, in the order of the spans; none is asked that stands at another height."""
    middles = sorted((span.box.center[1], n) for n, (span, _) in enumerate(spans))
    for box in (cell.box for cell in cells):
        level = middles[bisect(middles, (box.y0,)) : bisect(middles, (box.y1, len(spans)))] if box else ()
        yield sorted(n for _, n in level if box and box.holds(spans[n][0].box))


def _marked(cell: TableCell, spans: Sequence[tuple[TextSpan, Style]]) -> TableCell:
    filled_in = all(style.code for _, style in spans) and not SIGNS_OF_CODE.search(cell.text)
    styled = [(span.text, _kept(style, bold=not cell.header, code=not filled_in)) for span, style in spans]
    if all(style == PLAIN for _, style in styled):
        return cell
    return replace(cell, html="".join(_html(words, style) for words, style in _in_order(cell.text, styled)))


def _kept(style: Style, *, bold: bool, code: bool) -> Style:
    return style._replace(bold=style.bold and bold, code=style.code and code)


def _in_order(text: str, styled: Sequence[tuple[str, Style]]) -> Iterator[tuple[str, Style]]:
    """The cell's text in pieces of one style. Words that the cell has otherwise keep the style of those around them."""
    at = 0
    for style, group in groupby(styled, key=lambda piece: piece[1]):
        found = _find("".join(words for words, _ in group), text, at)
        if found is None:
            continue
        yield text[at : found[0]], PLAIN
        yield text[found[0] : found[1]], style
        at = found[1]
    yield text[at:], PLAIN


def _find(words: str, text: str, start: int) -> tuple[int, int] | None:
    """Where the words stand in the text, however they are spaced; not within a word or a formula that we wrote.

    A hyphen of a line's end may be gone.
    """
    signs = "".join(words.split())
    breaks = _breaks(signs)
    inner = r"\s*+".join(re.escape(sign) + "?" * (n in breaks) for n, sign in enumerate(signs))
    pattern = re.compile(inner)
    end = 0
    for n, part in enumerate([text] if "$" in words else parted_at_formulas(text)):
        begin, end = end, end + len(part)
        found = pattern.search(text, max(start, begin), end) if n % 2 == 0 else None
        while found and any(WITHIN_WORD.match(text, at) for at in found.span()):
            found = pattern.search(text, found.start() + 1, end)
        if found:
            return found.span()
    return None


def _breaks(signs: str) -> set[int]:
    """Hyphens between two letters: a row of them would match in too many ways."""
    inner = range(1, len(signs) - 1)
    return {n for n in inner if signs[n] in HYPHENS and signs[n - 1].isalnum() and signs[n + 1].isalnum()}


def _html(words: str, style: Style) -> str:
    inner = words.strip()
    if style == PLAIN or not any(map(str.isalnum, inner)):
        return escape(words, quote=False)
    marked = escape(inner, quote=False)
    for tag, on in reversed(list(zip(TAGS, style, strict=True))):
        marked = f"<{tag}>{marked}</{tag}>" if on else marked
    before, after = words[: len(words) - len(words.lstrip())], words[len(words.rstrip()) :]
    return f"{before}{marked}{after}"
