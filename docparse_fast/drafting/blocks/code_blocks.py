"""Finds code on a page by its fixed-width font, its ground, its indent and the white around it.

A program's signs count only where the layout gives no answer. Knows lines and painted areas, no tables and no regions.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from statistics import median

from docparse_fast.document import Box, TextLine
from docparse_fast.drafting.blocks.code_beside import number_of, parted_beside
from docparse_fast.drafting.blocks.code_grounds import HELD, ground_under, grounds_of
from docparse_fast.drafting.blocks.code_rows import TypedRow, code_rows, is_mono, leading_of, text_leading_of
from docparse_fast.drafting.blocks.code_text import laid_out
from docparse_fast.drafting.blocks.main_type import main_type
from docparse_fast.drafting.blocks.reading_order import columns
from docparse_fast.drafting.measures import PROSE, of_one_type
from docparse_fast.writing import TERMINAL

TYPED = 0.6  # of a page's letters: a typewriter's, where such a font says nothing
COLUMN = 0.6  # of the width of a page's text: no column of several is wider
COLUMN_LINES = 3  # of prose, from which it is one
SMALL_COUNTER = 0.9  # of the code's size
LARGE = 1.2  # of the page's usual size: a heading's
APART = 1.3  # leadings from one row to the next, from which there is white between them
SET_OFF = 1.1  # leadings, above and below, from which an indented row stands by itself
MOST_BLANK = 3  # empty lines within a block
BROKEN = 0.22  # of a leading, by which a gap may miss a whole number of lines
INDENT = 0.6  # of the type's size, less than a paragraph's: 0.8 loses four blocks of one manual
DEEP = 0.3  # of the column's width: what stands so far from where the lines around it begin is centred
ROOM = 0.5  # of the type's size, for a blank
FAR_IN = 4.0  # of the type's size, from where a term begins to where its code does
BESIDE = 1.0  # of the type's size, between a term and what explains it
WIDE_GROUND = 1.15  # of the words' width: a ground no wider is a word's, within a sentence
MOST_OF_GROUND = 0.7  # of the letters on it, from which all of them are code
PROSAIC = 2  # such lines, from which a page may show code among them that has no sign of it
BLOCK = 3  # rows with white around them, which need no sign of code among prose
LONGEST_SIGN = 3  # characters
TALL_GROUND = 0.9  # of the page's height: a ground no lower is the paper's
SIGNED = 0.25  # of the rows have a program's signs
SIGNS = re.compile(r"[{};=\\|$]|\w\(|->|::|^\s*(?:#|//|>>> |def |class |import |return )|\s--?\w")


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
    page = _Page(lines, level)
    grounds = grounds_of({area for area in areas if area.height < TALL_GROUND * height})
    found: list[CodeBlock] = []
    for rows in page.columns:
        column = _with_company(rows, grounds)
        for first, end in _runs(column, grounds, page.leading):
            start = first + _begins_with_term(column, first, end)
            ground = ground_under(column[start].box, grounds)
            if _is_code(column, start, end, ground, page):
                found.append(_block(column[start:end], ground, page.leading))
    return found


class _Page:
    """Measures that all rows of a page share."""

    def __init__(self, lines: Sequence[TextLine], level: Sequence[int]) -> None:
        mono = [i for i in level if is_mono(lines[i].spans)]
        prose = [i for i in level if i not in set(mono)]
        typed, read = (sum(len(lines[i].text.strip()) for i in part) for part in (mono, prose))
        self.size = median(main_type(lines[i].spans)[0] for i in level)
        parts = [part for column in _columns(lines, level, prose) for part in parted_beside(lines, column, set(mono))]
        self.columns = [code_rows(lines, part) for part in parts if part]
        rows = [row for column in self.columns for row in column]
        self.leading = leading_of(rows)
        self.text_leading = max(self.leading, text_leading_of(rows, self.size))
        sentences = sum(not row.mono and row.box.width > PROSE * row.size for row in rows)
        self.prosaic = sentences >= PROSAIC
        self.typed = typed > TYPED * (typed + read) and not self.prosaic


def _columns(lines: Sequence[TextLine], level: Sequence[int], prose: Sequence[int]) -> list[list[int]]:
    """The lines grouped by the page's columns. Prose alone shows the columns, because code has gaps of its own."""
    strips = _strips([lines[i].box for i in prose])
    if len(strips) < 2:
        return [list(level)]
    found: list[list[int]] = [[] for _ in strips]
    for i in level:
        middle = lines[i].box.center[0]
        found[min(range(len(strips)), key=lambda n: abs(strips[n].center[0] - middle))].append(i)
    return [column for column in found if column]


def _strips(boxes: Sequence[Box]) -> list[Box]:
    """The box of each column of prose, if there are several."""
    if not boxes:
        return []
    width = Box.around(boxes).width
    groups = columns(boxes, median(box.height for box in boxes))
    extents = [Box.around(boxes[n] for n in group) for group in groups if len(group) >= COLUMN_LINES]
    strips: list[Box] = []
    for extent in sorted((e for e in extents if e.width < COLUMN * width), key=lambda box: box.x0):
        if strips and extent.overlap_x(strips[-1]) > 0:
            strips[-1] = Box.around((strips[-1], extent))
        else:
            strips.append(extent)
    return strips


def _with_company(rows: Sequence[TypedRow], grounds: Sequence[Box]) -> list[TypedRow]:
    """Adds rows that are code by their neighbours: an arrow between two, or another font on the same ground."""
    found: list[TypedRow] = []
    for n, row in enumerate(rows):
        near = [other for other in rows[max(0, n - 1) : n + 2] if other is not row and other.mono]
        if not row.mono and (counted := next((other for other in near if _is_empty_line(row, other)), None)):
            box = Box(counted.box.x0, row.box.y0, counted.box.x1, row.box.y1)
            found.append(replace(row, mono=True, size=counted.size, box=box))
            continue
        sign = len(near) > 1 and len(row.text) <= LONGEST_SIGN and not any(map(str.isalnum, row.text))
        shares = not row.mono and (sign or _on_code(row, rows, grounds))
        found.append(replace(row, mono=True) if shares else row)
    return found


def _is_empty_line(row: TypedRow, code: TypedRow) -> bool:
    """Whether nothing but the small number of a line stands there, the next or the last to that of a line of code."""
    number, other = number_of(row.spans), number_of(code.spans)
    counts = number is not None and other is not None and abs(number - other) == 1
    return counts and len(row.spans) == 1 and row.size < SMALL_COUNTER * code.size


def _on_code(row: TypedRow, rows: Sequence[TypedRow], grounds: Sequence[Box]) -> bool:
    ground = ground_under(row.box, grounds)
    if ground is None:
        return False
    spans = [span for other in rows if ground.covers(other.box) > HELD for span in other.spans]
    letters = sum(len(span.text.strip()) for span in spans)
    return sum(len(span.text.strip()) for span in spans if span.mono) >= MOST_OF_GROUND * letters


# ------------------------------------------------------------------------------------------------- runs


def _runs(column: Sequence[TypedRow], grounds: Sequence[Box], leading: float) -> list[tuple[int, int]]:
    """Rows that are one block if they are code: first and behind the last, by their places in the column."""
    found: list[tuple[int, int]] = []
    for n, row in enumerate(column):
        if not row.mono:
            continue
        if found and found[-1][1] == n and _goes_on(column[n - 1], row, grounds, leading):
            found[-1] = found[-1][0], n + 1
        else:
            found.append((n, n + 1))
    return found


def _goes_on(above: TypedRow, row: TypedRow, grounds: Sequence[Box], leading: float) -> bool:
    ground = ground_under(above.box, grounds)
    if ground != ground_under(row.box, grounds) or not of_one_type(above.size, row.size):
        return False
    steps = (row.baseline - above.baseline) / leading
    if ground is not None:
        return True
    whole = steps < APART or abs(steps - round(steps)) < BROKEN
    return whole and 0 < steps < MOST_BLANK + 1.5


def _is_code(column: Sequence[TypedRow], start: int, end: int, ground: Box | None, page: _Page) -> bool:
    rows = column[start:end]
    words = Box.around(row.box for row in rows)
    if ground is not None and (ground.width > WIDE_GROUND * words.width or len(rows) > 1):
        return True
    if median(row.size for row in rows) > LARGE * page.size:
        return False
    signed = sum(bool(SIGNS.search(row.text)) for row in rows) >= SIGNED * len(rows)
    bold = all(span.bold for row in rows for span in row.spans)
    if page.typed and not bold:
        return signed
    above = column[start - 1] if start else None
    below = column[end] if end < len(column) else None
    if _is_term(rows[-1], below, page.leading) or (len(rows) == 1 and _runs_on(above, rows[0], page.leading)):
        return False
    apart = [_apart(a, b, page.leading) for a, b in ((above, rows[0]), (rows[-1], below))]
    left, right = min(row.box.x0 for row in column), max(row.box.x1 for row in column)
    beside = [abs(words.x0 - row.box.x0) for row in (above, below) if row is not None]
    centred = min(beside, default=words.x0 - left) > DEEP * (right - left)
    told = signed or (page.prosaic and above is not None and above.text.endswith(":"))
    own_lines = told and _leaves_room(above, rows[0], right) and _leaves_room(rows[-1], below, right)
    if bold:  # or a heading, or a term
        return signed and all(apart) and words.x0 - left > INDENT * page.size and not centred
    if page.prosaic and (signed or len(rows) >= BLOCK) and all(apart) and not centred:
        return True
    if words.x0 - left > INDENT * page.size and not centred:
        set_off = all(
            _apart(a, b, SET_OFF / APART * page.text_leading) for a, b in ((above, rows[0]), (rows[-1], below))
        )
        return (signed or page.prosaic) and (any(apart) or len(rows) > 1 or own_lines or set_off)
    return own_lines and (all(apart) or (any(apart) and len(rows) > 1))


def _begins_with_term(column: Sequence[TypedRow], start: int, end: int) -> bool:
    """Whether the words below stand farther in than the first row, and not as far as the others: it is their term."""
    if end - start < 2 or end == len(column) or column[end].mono:
        return False
    term, code, below = (column[n] for n in (start, start + 1, end))
    slack = INDENT * term.size
    between = term.box.x0 + slack < below.box.x0 < code.box.x0 - slack
    return between and code.box.x0 - term.box.x0 > FAR_IN * term.size and not SIGNS.search(term.text)


def _leaves_room(above: TypedRow | None, below: TypedRow | None, right: float) -> bool:
    """Whether a line ends though the next one's first word would have fitted on it."""
    if above is None or below is None:
        return True
    return above.box.x1 + ROOM * above.size + below.spans[0].box.width < right


def _apart(above: TypedRow | None, below: TypedRow | None, leading: float) -> bool:
    return above is None or below is None or below.baseline - above.baseline > APART * leading


def _is_term(row: TypedRow, below: TypedRow | None, leading: float) -> bool:
    """Whether the row is a term that the indented words right below it explain."""
    return below is not None and not _apart(row, below, leading) and below.box.x0 > row.box.x0 + INDENT * row.size


def _runs_on(above: TypedRow | None, row: TypedRow, leading: float) -> bool:
    """Whether the row is part of a sentence, perhaps beside a term, and only happens to have a line of its own."""
    begins = _begins(above) if above is not None else []
    same = any(abs(x - row.box.x0) < INDENT * row.size for x in begins)
    return same and above is not None and not _apart(above, row, leading) and above.box.x1 > row.box.x1


def _begins(row: TypedRow) -> list[float]:
    """Where the row's words begin, at its left end and, if their sentence goes on below, behind wide white."""
    pairs = pairwise(row.spans if not TERMINAL.search(row.text) else ())
    return [row.spans[0].box.x0, *(b.box.x0 for a, b in pairs if b.box.x0 - a.box.x1 > BESIDE * row.size)]


def _block(rows: Sequence[TypedRow], ground: Box | None, leading: float) -> CodeBlock:
    text = laid_out([(row.baseline, row.spans) for row in rows], leading)
    members = frozenset(i for row in rows for i in row.members)
    return CodeBlock(Box.around(row.box for row in rows), text, members, ground)
