"""How likely the rows of a page's tables and the order of its blocks are as printed. Knows blocks; reads no page.

What a reader would stumble over is measured: cells with two figures, rows that complete each other, amounts outside
tables, blocks that overlap, sentences that break off. Trees fitted on pages of known truth weigh it:
`scripts/training/fit_structure.py` makes `structure_judge.json`.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Callable, Sequence
from itertools import combinations, pairwise
from statistics import mean

from docparse_fast.document import Block, Box, Category
from docparse_fast.quality.cuts import uncut
from docparse_fast.quality.finished_page import RUNNING, FinishedPage
from docparse_fast.quality.word_places import read_across
from docparse_fast.system.fitted import fitted_trees

WEIGHTS = "structure_judge.json"
SCRIPT = "fit_structure.py"
AMOUNT = re.compile(r"\d[\d.,'’ ]{0,30}[.,]\d{2}\b|\b\d{1,3}(?:[.,'’ ]\d{3})+\b")
FIGURE = re.compile(r"[^\w\s]?\d[\d.,'’:/%-]*")
STOP = re.compile(r"[.!?:;。！？：；…][\"')\]»”’*]*$")
SHORT = 40  # letters, up to which it may be a cell
WORDS_ALIKE = 6  # in a row, that hardly stand twice on a page
MOST_SIGNS = 14  # of an amount at a line's end
FEWEST = 4  # blocks, where none is a table
LEVEL = 0.3  # of the lower one's height, between the feet of what stands in one row


def structure_of(blocks: Sequence[Block]) -> float | None:
    """How likely it is that each row stands whole and all is in order; None where too little stands to tell."""
    page = FinishedPage(blocks)
    if len(page.placed) < FEWEST and not page.tables:
        return None
    return round(min(1.0, fitted_trees(WEIGHTS, MEASURES, SCRIPT).quality(measured(page))), 4)


def measured(page: FinishedPage) -> tuple[float, ...]:
    """A value for each of MEASURES."""
    return tuple(float(measure(page)) for measure in LOOKS)


# ------------------------------------------------------------------------------------------------- tables


def tables(page: FinishedPage) -> float:
    return len(page.tables)


def least_likely_table(page: FinishedPage) -> float:
    return min((table.structure for table in page.tables if table.structure is not None), default=1.5)


def likely_tables(page: FinishedPage) -> float:
    return mean([table.structure for table in page.tables if table.structure is not None] or [1.5])


def letters_in_tables(page: FinishedPage) -> float:
    letters = [len(cell) for grid in page.grids for row in grid for cell in row]
    return sum(letters) / max(1, sum(letters) + sum(len(text) for _, _, text in page.outside))


def most_rows(page: FinishedPage) -> float:
    return math.log1p(max(map(len, page.grids), default=0))


def most_columns(page: FinishedPage) -> float:
    return max((len(grid[0]) for grid in page.grids), default=0)


def least_filled(page: FinishedPage) -> float:
    return min((mean(bool(cell) for row in grid for cell in row) for grid in page.grids), default=1.0)


def lone_cells(page: FinishedPage) -> float:
    """Rows in which one cell alone is filled."""
    return max((mean(sum(map(bool, row)) == 1 for row in grid) for grid in page.grids), default=0.0)


def completing_rows(page: FinishedPage) -> float:
    """Rows that fill just what the row above leaves empty."""
    return max((mean(_completing(grid)) for grid in page.grids if len(grid) > 1), default=0.0)


def _completing(grid: Sequence[Sequence[str]]) -> list[bool]:
    filled = [{n for n, cell in enumerate(row) if cell} for row in grid]
    return [bool(above and below) and not above & below for above, below in pairwise(filled)]


def mixed_columns(page: FinishedPage) -> float:
    """Columns of figures and words by turns."""
    return max((mean(map(_is_mixed, zip(*grid[1:], strict=True))) for grid in page.grids if len(grid) > 2), default=0.0)


def _is_mixed(column: Sequence[str]) -> bool:
    filled = [FIGURE.match(cell) is not None for cell in column if cell]
    return bool(filled) and 0.2 < mean(filled) < 0.8


def sums_held(page: FinishedPage) -> float:
    return sum(len(relation.held) for table in page.tables if table.sums for relation in table.sums.relations)


def tables_in_pieces(page: FinishedPage) -> float:
    """Tables that stand right below another one."""
    boxes = [box for block, box in page.placed if block.category is Category.TABLE]
    return sum(_touch(a, b, page.unit) for a, b in combinations(boxes, 2))


def _touch(a: Box, b: Box, unit: float) -> bool:
    return -unit < max(a.y0, b.y0) - min(a.y1, b.y1) < 2 * unit and a.overlap_x(b) > 0.3 * min(a.width, b.width)


def torn_runs(page: FinishedPage) -> float:
    return max((table.torn_runs for table in page.worded), default=0.0)


def merged_runs(page: FinishedPage) -> float:
    return max((table.merged_runs for table in page.worded), default=0.0)


def torn_lines(page: FinishedPage) -> float:
    return max((table.torn_lines for table in page.worded), default=0.0)


def merged_lines(page: FinishedPage) -> float:
    return max((table.merged_lines for table in page.worded), default=0.0)


def strips_in_columns(page: FinishedPage) -> float:
    """White from top to bottom that no column ends at."""
    return max((table.strips for table in page.worded), default=0)


def columns_without_strips(page: FinishedPage) -> float:
    return min((table.strips for table in page.worded), default=0)


def words_after_figures(page: FinishedPage) -> float:
    """Columns of words at the right of one of figures: two tables may stand side by side."""
    return max((_turns_to_words(grid) for grid in page.grids), default=0)


def _turns_to_words(grid: Sequence[Sequence[str]]) -> int:
    kinds = [
        mean(FIGURE.match(cell) is not None for cell in column if cell)
        for column in zip(*grid[1:], strict=True)
        if any(column)
    ]
    return sum(before > 0.7 and after < 0.3 for before, after in pairwise(kinds))


def columns_that_end(page: FinishedPage) -> float:
    """The share of a table's cells below the last filled one of their column, where another column goes on."""
    return max((_ended(grid) for grid in page.grids), default=0.0)


def _ended(grid: Sequence[Sequence[str]]) -> float:
    columns = [[n for n, cell in enumerate(column, 1) if cell] for column in zip(*grid, strict=True)]
    return mean(1 - filled[-1] / len(grid) for filled in columns if filled) if any(columns) else 0.0


def priced_lines(page: FinishedPage) -> float:
    """Lines of text that begin with a word and end with an amount."""
    lines = [line for _, _, text in page.outside for line in text.splitlines()]
    return math.log1p(sum(line[:1].isalpha() and AMOUNT.search(line[-MOST_SIGNS:]) is not None for line in lines))


def lines_like_rows(page: FinishedPage) -> float:
    return math.log1p(sum(page.lines_at_tables))


# ------------------------------------------------------------------------------------------------ outside


def words_read_across(page: FinishedPage) -> float:
    """Lines of text with a gap as wide as between columns."""
    return read_across(words for block, _, words in page.words if block.category in RUNNING)


def amounts_outside(page: FinishedPage) -> float:
    return math.log1p(sum(len(AMOUNT.findall(text)) for _, _, text in page.outside))


def share_outside(page: FinishedPage) -> float:
    outside = sum(len(AMOUNT.findall(text)) for _, _, text in page.outside)
    inside = sum(len(AMOUNT.findall(cell)) for grid in page.grids for row in grid for cell in row)
    return outside / max(1, outside + inside)


def level_outside(page: FinishedPage) -> float:
    """Short blocks that stand level with another."""
    short = [box for _, box, text in page.outside if len(text) < SHORT]
    return math.log1p(sum(_level(a, b) for a, b in combinations(short, 2)))


def _level(a: Box, b: Box) -> bool:
    return abs(a.y1 - b.y1) < LEVEL * min(a.height, b.height) and a.overlap_x(b) == 0


def short_blocks(page: FinishedPage) -> float:
    return mean(len(text) < SHORT for _, _, text in page.outside) if page.outside else 0.0


def overlapping(page: FinishedPage) -> float:
    """Blocks that lie over one another."""
    boxes = [box for _, box in page.placed if box.area]
    return sum(a.intersection(b) > 0.1 * min(a.area, b.area) for a, b in combinations(boxes, 2))


# -------------------------------------------------------------------------------------------------- order


def steps_up(page: FinishedPage) -> float:
    """Where the next block stands above: a new column, or a wrong turn."""
    return sum(b.y1 < a.y0 for (_, a), (_, b) in pairwise(page.placed))


def steps_aside(page: FinishedPage) -> float:
    """Where the next block stands beside this one."""
    return sum(a.overlap_y(b) > 0.5 * min(a.height, b.height) for (_, a), (_, b) in pairwise(page.placed))


def turns(page: FinishedPage) -> float:
    """Where reading goes from one side to the other and back."""
    boxes = [box for _, box in page.placed]
    return sum(a.x1 < b.x0 and c.x1 < b.x0 for a, b, c in zip(boxes, boxes[1:], boxes[2:], strict=False))


def uncut_steps(page: FinishedPage) -> float:
    """Steps from block to block that no cutting of the page makes."""
    return uncut([box for _, box in page.placed], page.unit)


def broken_off(page: FinishedPage) -> float:
    """Prose that ends without a stop."""
    return mean(STOP.search(text) is None for text in page.prose) if page.prose else 0.0


def begun_within(page: FinishedPage) -> float:
    """Prose that begins with a small letter."""
    return mean(text[:1].islower() for text in page.prose) if page.prose else 0.0


def repeated_words(page: FinishedPage) -> float:
    words = " ".join(
        [text for _, _, text in page.outside] + [c for grid in page.grids for row in grid for c in row]
    ).split()
    runs = Counter(tuple(words[n : n + WORDS_ALIKE]) for n in range(len(words) - WORDS_ALIKE))
    return sum(count - 1 for count in runs.values()) / max(1, len(words))


def blocks(page: FinishedPage) -> float:
    return math.log1p(len(page.placed))


def pictures(page: FinishedPage) -> float:
    return sum(block.category is Category.FIGURE for block, _ in page.placed)


def fewest_right_words(page: FinishedPage) -> float:
    return min((block.confidence for block, _ in page.placed if block.confidence is not None), default=1.0)


LOOKS: tuple[Callable[[FinishedPage], float], ...] = (
    tables,
    least_likely_table,
    likely_tables,
    letters_in_tables,
    most_rows,
    most_columns,
    least_filled,
    lone_cells,
    completing_rows,
    mixed_columns,
    sums_held,
    tables_in_pieces,
    torn_runs,
    merged_runs,
    torn_lines,
    merged_lines,
    strips_in_columns,
    columns_without_strips,
    words_after_figures,
    columns_that_end,
    priced_lines,
    lines_like_rows,
    words_read_across,
    amounts_outside,
    share_outside,
    level_outside,
    short_blocks,
    overlapping,
    steps_up,
    steps_aside,
    turns,
    uncut_steps,
    broken_off,
    begun_within,
    repeated_words,
    blocks,
    pictures,
    fewest_right_words,
)
MEASURES = tuple(look.__name__ for look in LOOKS)
