"""Tables that their own words show to be other than read: what stands where tells. Knows a finished page; judges it.

What they tell, and of how many pages: docs/log/verification.md.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise

from docparse_fast.document import Block, Box, Category
from docparse_fast.quality.finished_page import RUNNING, FinishedPage
from docparse_fast.quality.torn_rows import FIGURE
from docparse_fast.quality.word_places import WordedTable, lines_of, runs_of
from docparse_fast.text.html_cells import rows_of
from docparse_fast.text.placed_words import PlacedWord

AMOUNT = re.compile(r"[^\w\s]{0,2}\d[\d.,'’]*[.,]\d\d[^\w\s]?")
MOST_HEADS = 3  # rows of a head
NEAR, WIDE = 2.0, 2.0  # in heights of a line: how near stands what belongs together, and the white between columns
FEW = 2  # columns
SEVERAL = 3  # lines of text that end with an amount, cells of one phrase
SHOWN = 60  # characters

TableRows = Sequence[Sequence[str]]
FoundTable = Iterator[tuple[Block, str]]


def unlikely_tables(page: FinishedPage) -> FoundTable:
    """Blocks, each with what is odd about it."""
    for look in LOOKS:
        yield from look(page)


def torn_phrases(page: FinishedPage) -> FoundTable:
    """A line whose words stand a blank apart, and in three cells or more: text was taken into a table."""
    for table in page.tables:
        if table.words and (phrase := WordedTable(rows_of(table.text), list(table.words)).torn_phrase(SEVERAL)):
            yield table, f"the words of one line stand in several cells of a table: {phrase[:SHOWN]}"


def heads_apart(page: FinishedPage) -> FoundTable:
    """A table of names alone, right above one that begins with figures or with a group's name, and has no head."""
    for (_, upper, heads), (below, lower, rows) in pairwise(_grids(page)):
        near = -page.unit < lower.y0 - upper.y1 < NEAR * page.unit and lower.overlap_x(upper) > 0
        few = len(heads) <= MOST_HEADS < len(rows) and len(heads[0]) <= len(rows[0])
        if near and few and "<th" not in below.text and _begins_below_a_head(rows):
            yield below, "the head of a table may stand in the table above it"


def _grids(page: FinishedPage) -> list[tuple[Block, Box, TableRows]]:
    tables = ((block, box) for block, box in page.placed if block.category is Category.TABLE)
    return [(block, box, rows) for block, box in tables if (rows := rows_of(block.text))]


def _begins_below_a_head(rows: TableRows) -> bool:
    return sum(map(bool, rows[0])) == 1 or any(map(FIGURE.fullmatch, rows[0]))


def heads_above(page: FinishedPage) -> FoundTable:
    """A table whose head leaves out the first columns, right below a line whose words are as far apart as columns."""
    lines = [line for block, _, words in page.words if block.category in RUNNING for line in lines_of(words)]
    for table, box, rows in _grids(page):
        bare = len(rows) > 1 and "span" not in table.text.split("</tr>")[0] and not any(rows[0][:FEW])
        step = box.height / len(rows)
        if bare and any(_is_row_above(Box.around(word for word, _ in line), line, box, step) for line in lines):
            yield table, "a row of a table's head may stand in the text above it"


def _is_row_above(around: Box, line: Sequence[PlacedWord], table: Box, step: float) -> bool:
    """Whether a line is as far above the table as its rows are from each other, and stands over it in several runs."""
    near = 0 < table.y0 - around.center[1] < NEAR * step
    within = around.x0 > table.x0 - step and around.x1 < table.x1 + step
    return near and within and len(runs_of(line, WIDE)) > 1


def nameless_columns(page: FinishedPage) -> FoundTable:
    """A head that names one of several columns, and not the first, where a group's name stands."""
    for table, _, (head, *rows) in _grids(page):
        plain = rows and "<th" in table.text and "span" not in table.text.split("</tr>")[0]
        alone = len(head) > FEW and not head[0] and sum(map(bool, head)) == 1
        if plain and alone and all(map(any, zip(*rows, strict=True))):
            yield table, "the head of a table names one of its columns"


def sides_in_one(page: FinishedPage) -> FoundTable:
    """A name of the head that ends with the first one, which returns there: two tables stand side by side."""
    for table, _, rows in _grids(page):
        heads = rows[: max(1, table.text.count("<tr><th"))]
        if any(head[0] and any(name.endswith(f" {head[0]}") for name in head[1:]) for head in heads):
            yield table, "a table may be two, side by side"


def rows_in_text(page: FinishedPage) -> FoundTable:
    """Several lines of a text that begin with a name and end with an amount."""
    for block, _, words in page.words:
        lines = lines_of(words) if block.category in RUNNING else []
        if sum(map(_is_priced, lines)) >= SEVERAL:
            said = " ".join(block.text.split())[:SHOWN]
            yield block, f"the lines of a text end with amounts; they may be rows: {said}"


def _is_priced(line: Sequence[PlacedWord]) -> bool:
    (_, first), *rest = line
    return first[:1].isalpha() and any(AMOUNT.fullmatch(text) for _, text in rest[-2:])  # a currency may follow


LOOKS: tuple[Callable[[FinishedPage], FoundTable], ...] = (
    torn_phrases,
    heads_apart,
    heads_above,
    nameless_columns,
    sides_in_one,
    rows_in_text,
)
