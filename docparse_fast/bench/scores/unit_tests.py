"""olmOCR-Bench's unit tests on a page's Markdown. Knows each kind and its published normalisation; reads no file.

As published, but for two things: formulas are compared as normalised LaTeX and not as rendered, and an answer without
a letter or digit in it passes nothing (officially it passes all tests of what should be absent), unless it is asked
to be blank.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Sequence

from rapidfuzz import fuzz

from docparse_fast.bench.datasets import (
    BaselineTest,
    MathTest,
    OrderTest,
    PresenceTest,
    TableTest,
    UnitTest,
)
from docparse_fast.bench.scores.content import read_blocks
from docparse_fast.bench.scores.latex import contains, latex_tokens
from docparse_fast.bench.scores.plain_text import PLAIN_LETTERS
from docparse_fast.bench.scores.tables import Table, read_table
from docparse_fast.document import TableCell

EMPHASIS = (r"\*\*(.*?)\*\*", r"__(.*?)__", r"</?[bi]>()", r"\*(.*?)\*", r"_(.*?)_")
FORMULAS = (r"\\\((.+?)\\\)", r"\\\[(.+?)\\\]")
DOLLAR_FORMULAS = (r"\$\$(.+?)\$\$", r"\$(.+?)\$")
FOREIGN = re.compile(
    "[\u3040-\u30ff\u4e00-\u9fff\U0001f1e0-\U0001f1ff\U0001f300-\U0001f5ff\U0001f600-\U0001f64f\U0001f680-\U0001f6ff]"
)
PICTURE = re.compile(r"!\[.*?\]\(.*?\)")
LONGEST_LOOP = 5  # letters
LEAST_ALIKE = 0.5  # of a cell, however many letters it may be off


def passes(test: UnitTest, markdown: str) -> bool:
    """Whether a page's Markdown passes one test."""
    if isinstance(test, BaselineTest):
        return _is_sound(test, markdown)
    if not any(letter.isalnum() for letter in markdown):
        return False
    match test:
        case PresenceTest():
            return _stands_in(test, markdown) == test.present
        case OrderTest():
            return _in_order(test, markdown)
        case TableTest():
            return any(_has_cell(test, table) for table in _tables(test, markdown))
        case MathTest():
            wanted = latex_tokens(test.latex)
            return any(contains(latex_tokens(formula), wanted) for formula in _formulas(test, markdown))


def normalised(text: str) -> str:
    """One blank between words, no bold or italics, composed letters, plain quotes and dashes.

    >>> normalised("**A**  “new” – line<br>here")
    'A "new" - line here'
    """
    text = re.sub(r"<br/?>", " ", text)
    for emphasis in EMPHASIS:
        text = re.sub(emphasis, r"\1", text)
    return unicodedata.normalize("NFC", re.sub(r"\s+", " ", text)).translate(PLAIN_LETTERS)


# ---------------------------------------------------------------------------------------------- text


def _stands_in(test: PresenceTest, markdown: str) -> bool:
    wanted, text = normalised(test.text), normalised(markdown)
    if not test.case_sensitive:
        wanted, text = wanted.lower(), text.lower()
    if test.first or test.last:
        text = (text[: test.first] if test.first else "") + (text[-test.last :] if test.last else "")
    # The shorter is looked for in the longer: a text too short to hold what is wanted must not be found in it.
    if len(text) < len(wanted) - test.max_diffs:
        return False
    return fuzz.partial_ratio(wanted, text) / 100 >= 1 - test.max_diffs / len(wanted)


def _in_order(test: OrderTest, markdown: str) -> bool:
    text = normalised(markdown)
    before, after = (_starts(normalised(wanted), text, test.max_diffs) for wanted in (test.before, test.after))
    return bool(before and after) and min(before) < max(after)


def _starts(wanted: str, text: str, max_diffs: int) -> list[int]:
    from fuzzysearch import find_near_matches

    return [found.start for found in find_near_matches(wanted, text, max_l_dist=max_diffs)]


def _is_sound(test: BaselineTest, markdown: str) -> bool:
    if test.max_length is not None:
        shown = PICTURE.sub("", markdown) if test.max_length_without_pictures else markdown
        return sum(letter.isalnum() for letter in shown) <= test.max_length
    if not any(letter.isalnum() for letter in markdown) or _loops(markdown.rstrip(), test.max_repeats):
        return False
    return test.foreign_letters or not FOREIGN.search(markdown)


def _loops(text: str, most: int) -> bool:
    """Whether the text ends in the same few letters more often than that, one after another."""
    return any(
        len(text) >= length * (most + 1) and text.endswith(text[-length:] * (most + 1))
        for length in range(1, LONGEST_LOOP + 1)
    )


# --------------------------------------------------------------------------------- tables and formulas


def _formulas(test: MathTest, markdown: str) -> list[str]:
    found: list[str] = []
    for pattern in FORMULAS + (DOLLAR_FORMULAS if test.dollars else ()):
        found += re.findall(pattern, markdown, re.DOTALL)
        markdown = re.sub(pattern, "", markdown, flags=re.DOTALL)
    return found


def _tables(test: TableTest, markdown: str) -> Iterable[Table]:
    written = [block.text for block in read_blocks(markdown) if block.kind == "table"]
    read = [read_table(text) for text in written if test.pipes or text.startswith("<")]
    return [table for table in read if table is not None]


def _has_cell(test: TableTest, table: Table) -> bool:
    grid = _Grid(table)
    asked = [
        (test.up, grid.beside, (-1, 0)),
        (test.down, grid.beside, (1, 0)),
        (test.left, grid.beside, (0, -1)),
        (test.right, grid.beside, (0, 1)),
        (test.top_heading, grid.headings, (-1, 0)),
        (test.left_heading, grid.headings, (0, -1)),
    ]
    return any(
        all(_one_is(wanted, look(cell, way), test.max_diffs) for wanted, look, way in asked if wanted)
        for cell in table.cells
        if _one_is(test.cell, [cell], test.max_diffs)
    )


def _one_is(wanted: str, cells: Sequence[TableCell], max_diffs: int) -> bool:
    wanted = normalised(wanted)
    least = max(LEAST_ALIKE, 1 - max_diffs / max(1, len(wanted)))
    return any(fuzz.ratio(wanted, normalised(cell.text.strip())) / 100 >= least for cell in cells)


class _Grid:
    """A table's cells by the places they cover."""

    def __init__(self, table: Table) -> None:
        self._at: dict[tuple[int, int], TableCell] = {}
        for cell in table.cells:
            for row in range(cell.row, cell.row + cell.rows):
                for column in range(cell.column, cell.column + cell.columns):
                    self._at.setdefault((row, column), cell)

    def beside(self, cell: TableCell, way: tuple[int, int]) -> list[TableCell]:
        """All cells that touch this one on one side."""
        down, right = way
        rows = [cell.row - 1 if down < 0 else cell.row + cell.rows] if down else range(cell.row, cell.row + cell.rows)
        columns = (
            [cell.column - 1 if right < 0 else cell.column + cell.columns]
            if right
            else range(cell.column, cell.column + cell.columns)
        )
        touching = (self._at.get((row, column)) for row in rows for column in columns)
        return list({id(found): found for found in touching if found is not None}.values())

    def headings(self, cell: TableCell, way: tuple[int, int]) -> list[TableCell]:
        """The headings on that side, however far; where none is marked as one, the outermost cells."""
        marked: list[TableCell] = []
        outermost: list[TableCell] = []
        seen = {id(cell)}
        ahead = self.beside(cell, way)
        while ahead:
            there = ahead.pop()
            if id(there) in seen:
                continue
            seen.add(id(there))
            further = self.beside(there, way)
            if there.header:
                marked.append(there)
            if not further:
                outermost.append(there)
            ahead += further
        return marked or outermost
