"""A chosen table as a region: bold, italic, typed and crossed-out words of its cells as HTML. Chooses nothing."""

from __future__ import annotations

import re
from bisect import bisect
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from html import escape
from itertools import groupby

from docparse_fast.document import Box, Category, Draft, Region, TableCell, TextSpan
from docparse_fast.drafting.born_digital.emphasis import PLAIN, Style, style_of, usual_style
from docparse_fast.drafting.born_digital.sheet import Mirror, inked
from docparse_fast.drafting.born_digital.text_lines import SOURCE, is_filled_in
from docparse_fast.drafting.tables.candidates import TableCandidate
from docparse_fast.drafting.tables.choosing import ChosenTable
from docparse_fast.drafting.tables.heads import SetAndDrawn, with_whole_texts
from docparse_fast.drafting.tables.table_html import table_html
from docparse_fast.text.characters import UNSPACED
from docparse_fast.text.markup import parted_at_formulas
from docparse_fast.text.placed_words import in_boxes


def table_region(chosen: ChosenTable, looks: SetAndDrawn, *, right: bool) -> Region:
    """The table as it was chosen, and what else it may be; a page read from the right has its columns from there."""
    usual = usual_style(looks.spans)
    read = [_as_html(each, looks, usual, right=right) for each in (chosen.candidate, *chosen.rivals)]
    drafts = [Draft(text, SOURCE) for text in dict.fromkeys(read)]
    cells = sorted(chosen.candidate.cells, key=lambda cell: (cell.row, -cell.column if right else cell.column))
    words = in_boxes(inked(looks.spans), [cell.box for cell in cells if cell.box is not None])
    quality = round(min(1.0, chosen.quality), 4)
    return Region(chosen.candidate.box, Category.TABLE, tuple(drafts), words=words, structure=quality)


def seen_from(table: TableCandidate, mirror: Mirror, *, right: bool) -> TableCandidate:
    """As it stands on the page: columns of a mirrored page are counted from its left, like those of all readers."""
    cells = [replace(cell, box=cell.box and mirror(cell.box)) for cell in table.cells]
    return replace(table, box=mirror(table.box), cells=tuple(_from_the_right(cells) if right else cells))


def _as_html(candidate: TableCandidate, looks: SetAndDrawn, usual: Style, *, right: bool) -> str:
    cells = _from_the_right(candidate.cells) if right else candidate.cells
    whole = [replace(each, text=LEADER.sub("", each.text)) for each in with_whole_texts(candidate.box, cells, looks)]
    return table_html(with_marks(candidate.box, whole, looks.spans, usual))


def _from_the_right(cells: Sequence[TableCell]) -> list[TableCell]:
    """A table's cells, its first column the one at the right."""
    width = max((cell.column + cell.columns for cell in cells), default=0)
    return [replace(cell, column=width - cell.column - cell.columns) for cell in cells]


WITHIN_WORD = re.compile(rf"(?<=\w)(?=\w)(?<!{UNSPACED.pattern})(?!{UNSPACED.pattern})")
HYPHENS = "-‐\u00ad"
TAGS = ("b", "i", "code", "del")  # of a style's four sides
LEADER = re.compile(r"(?<=[^\s.·])(?:(?:\s*[.·]){4,}|(?:\s[.·]){2,})\s*$")  # from a row's name to its figures


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
    filled_in = all(style.code for _, style in spans) and is_filled_in(cell.text)
    bold, code = not cell.header, not filled_in
    styled = [(s.text, style._replace(bold=style.bold and bold, code=style.code and code)) for s, style in spans]
    if all(style == PLAIN for _, style in styled):
        return cell
    return replace(cell, html="".join(_html(words, style) for words, style in _in_order(cell.text, styled)))


def _in_order(text: str, styled: Sequence[tuple[str, Style]]) -> Iterator[tuple[str, Style]]:
    """The cell's text in pieces of one style. Words that the cell has otherwise keep the style of those around them."""
    at = 0
    for style, group in groupby(styled, key=lambda piece: piece[1]):
        found = _find(LEADER.sub("", "".join(words for words, _ in group)), text, at)
        if found is None:
            continue
        yield text[at : found[0]], PLAIN
        yield text[found[0] : found[1]], style
        at = found[1]
    yield text[at:], PLAIN


def _find(words: str, text: str, start: int) -> tuple[int, int] | None:
    """Where the words stand in the text, however spaced or hyphenated; not within a word or a formula that we wrote."""
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
