"""Finds code on a page by its fixed-width font, its ground, its indent and the white around it, and writes it as text.

A program's signs count only where the layout gives no answer. Knows lines and painted areas, no tables and no regions.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from statistics import median

from docparse_fast.document import Box, TextLine, TextSpan
from docparse_fast.drafting.blocks.code_rows import (
    APART,
    INDENT,
    PageType,
    TypedRow,
    TypedRun,
    code_rows,
    is_code,
    is_mono,
    leading_of,
    letters,
    main_type,
)
from docparse_fast.drafting.blocks.reading_order import columns
from docparse_fast.drafting.measures import ENOUGH, MOST_DRAWN, PROSAIC, PROSE, of_one_type
from docparse_fast.geometry import around, parted, runs

COLUMN = 0.6  # of the width of a page's text: no column of several is wider
MOST_BLANK = 3  # empty lines within a block
BROKEN = 0.22  # of a leading, by which a gap may miss a whole number of lines
LONGEST_SIGN = 3  # characters
TALL_GROUND = 0.9  # of the page's height: a ground no lower is the paper's
HELD = 0.7  # of a row, from which it stands on a ground; of the letters there, from which all of them are code
TIGHT = 0.3  # of a character's width: a narrower gap is none
ONE_BLANK = 1.5  # a narrower gap is one blank, also where letters are spaced out and columns drift
AS_TYPED = str.maketrans("‘’‑", "`'-")  # as fonts draw what was typed
USUAL_PITCH = 0.6  # of the type's size

CodeRow = tuple[float, Sequence[TextSpan]]  # a baseline, and the words on it from the left


def grounds_of(areas: Collection[Box]) -> list[Box]:
    """The painted areas; areas of single lines that lie one below the other are merged. None in a drawing of many."""
    if len(areas) > MOST_DRAWN:
        return []
    found: list[Box] = []
    for area in sorted(areas, key=lambda box: (box.y0, box.x0)):
        at = next((n for n, box in enumerate(found) if abs(box.x1 - area.x1) < 2 > abs(area.y0 - box.y1)), None)
        if at is None:
            found.append(area)
        else:
            found[at] = Box.around((found[at], area))
    return found


def ground_under(box: Box, grounds: Sequence[Box]) -> Box | None:
    holding = [ground for ground in grounds if ground.covers(box) > HELD and ground.width > box.width]
    return min(holding, key=lambda ground: ground.area, default=None)


@dataclass(frozen=True, slots=True)
class CodeBlock:
    box: Box
    text: str
    lines: frozenset[int]  # indexes of the lines it is made of
    ground: Box | None = None  # painted behind it


def code_blocks(lines: Sequence[TextLine], areas: Sequence[Box], height: float) -> list[CodeBlock]:
    """The blocks of code among `lines`, each line in one block at most; `areas` are painted, or drawn, around them."""
    level = [i for i, line in enumerate(lines) if not line.vertical]
    if not any(is_mono(lines[i].spans) for i in level):
        return []
    rows_of_columns, page = _measured(lines, level)
    grounds = grounds_of({area for area in areas if area.height < TALL_GROUND * height})
    found: list[CodeBlock] = []
    for rows in rows_of_columns:
        column = _with_company(rows, grounds)
        for start, end in _runs(column, grounds, page.leading):
            ground = ground_under(column[start].box, grounds)
            if is_code(TypedRun(column, start, end, ground, page)):
                found.append(_block(column[start:end], ground, page.leading))
    return found


def _measured(lines: Sequence[TextLine], level: Sequence[int]) -> tuple[list[list[TypedRow]], PageType]:
    """The rows of each column, and what they share."""
    prose = [i for i in level if not is_mono(lines[i].spans)]
    size = median(main_type(lines[i].spans)[0] for i in level)
    found = [code_rows(lines, column) for column in _columns(lines, level, prose)]
    rows = [row for column in found for row in column]
    code, text = parted(rows, lambda row: row.mono)
    leading = leading_of(code, median(row.size for row in code) if code else 1.0)
    prosaic = sum(row.box.width > PROSE * row.size for row in text) >= PROSAIC
    return found, PageType(size, leading, max(leading, leading_of(text, size)), prosaic)


def _columns(lines: Sequence[TextLine], level: Sequence[int], prose: Sequence[int]) -> list[list[int]]:
    """The lines by the columns that they begin in. Prose alone shows these, because code has gaps of its own."""
    strips = _strips([lines[i].box for i in prose])
    if len(strips) < 2:
        return [list(level)]
    found: list[list[int]] = [[] for _ in strips]
    for i in level:
        start = lines[i].box.x0 + INDENT * lines[i].spans[0].size
        found[max(sum(strip.x0 <= start for strip in strips) - 1, 0)].append(i)
    return found


def _strips(boxes: Sequence[Box]) -> list[Box]:
    """The box of each column of prose, if there are several."""
    if not boxes:
        return []
    width = Box.around(boxes).width
    groups = columns(boxes, median(box.height for box in boxes))
    extents = [Box.around(boxes[n] for n in group) for group in groups if len(group) >= ENOUGH]
    narrow = sorted((e for e in extents if e.width < COLUMN * width), key=lambda box: box.x0)
    return [Box.around(strip) for strip in runs(narrow, lambda strip, e: e.overlap_x(Box.around(strip)) > 0)]


def _with_company(rows: Sequence[TypedRow], grounds: Sequence[Box]) -> list[TypedRow]:
    """Adds rows that are code by their neighbours: an arrow between two, or another font on the same ground."""
    found: list[TypedRow] = []
    for n, row in enumerate(rows):
        near = [other for other in rows[max(0, n - 1) : n + 2] if other is not row and other.mono]
        sign = len(near) > 1 and len(row.text) <= LONGEST_SIGN and not any(map(str.isalnum, row.text))
        shares = not row.mono and (sign or _on_code(row, rows, grounds))
        found.append(replace(row, mono=True) if shares else row)
    return found


def _on_code(row: TypedRow, rows: Sequence[TypedRow], grounds: Sequence[Box]) -> bool:
    ground = ground_under(row.box, grounds)
    if ground is None:
        return False
    spans = [span for other in rows if ground.covers(other.box) > HELD for span in other.spans]
    return letters(span for span in spans if span.mono) >= HELD * letters(spans)


# ------------------------------------------------------------------------------------------------- runs


def _runs(column: Sequence[TypedRow], grounds: Sequence[Box], leading: float) -> list[tuple[int, int]]:
    """Rows that are one block if they are code: first and behind the last, by their places in the column."""
    typed = [n for n, row in enumerate(column) if row.mono]
    found = runs(typed, lambda run, n: run[-1] == n - 1 and _goes_on(column[n - 1], column[n], grounds, leading))
    return [(run[0], run[-1] + 1) for run in found]


def _goes_on(above: TypedRow, row: TypedRow, grounds: Sequence[Box], leading: float) -> bool:
    ground = ground_under(above.box, grounds)
    if ground != ground_under(row.box, grounds) or not of_one_type(above.size, row.size):
        return False
    steps = (row.baseline - above.baseline) / leading
    if ground is not None:
        return True
    whole = steps < APART or abs(steps - round(steps)) < BROKEN
    return whole and steps < MOST_BLANK + 1.5


def _block(rows: Sequence[TypedRow], ground: Box | None, leading: float) -> CodeBlock:
    text = laid_out([(row.baseline, row.spans) for row in rows], leading)
    return CodeBlock(around(rows), text, frozenset(i for r in rows for i in r.members), ground)


def laid_out(rows: Sequence[CodeRow], leading: float) -> str:
    """The rows' words in character columns, counted from the leftmost word."""
    spans = [span for _, row in rows for span in row]
    pitch = _pitch(spans)
    left = min(span.box.x0 for span in spans)
    text = ""
    for n, (baseline, row) in enumerate(rows):
        if n:
            steps = round((baseline - rows[n - 1][0]) / leading)
            text += "\n" * max(1, steps)
        text += _set(row, left, pitch)
    return text.translate(AS_TYPED)


def _pitch(spans: Sequence[TextSpan]) -> float:
    widths = [span.box.width / _cells_of(span.text.strip()) for span in spans if len(span.text.strip()) > 1]
    return median(widths) if widths else USUAL_PITCH * spans[0].size


def _set(row: Sequence[TextSpan], left: float, pitch: float) -> str:
    text = ""
    end = left
    for span in sorted(row, key=lambda span: span.box.x0):
        gap = (span.box.x0 - end) / pitch
        if gap > TIGHT:
            at = round((span.box.x0 - left) / pitch)
            text = text.rstrip()
            blanks = max(at - _cells_of(text), 1 if text else 0)
            text += " " * (1 if text and gap < ONE_BLANK else blanks)
        text += span.text.strip()
        end = span.box.x1
    return text


def _cells_of(text: str) -> int:
    """The number of columns; Chinese, Japanese and Korean characters take two.

    >>> _cells_of("ab文")
    4
    """
    return sum(2 if unicodedata.east_asian_width(char) in "WF" else 1 for char in text)
