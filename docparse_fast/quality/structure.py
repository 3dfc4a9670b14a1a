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

from docparse_fast.document import Block, Category
from docparse_fast.joining.continuing import unbegun
from docparse_fast.quality.cuts import uncut
from docparse_fast.quality.finished_page import NEAR, RUNNING, FinishedPage
from docparse_fast.quality.word_places import read_across
from docparse_fast.system.fitted import fitted_trees

WEIGHTS = "structure_judge.json"
SCRIPT = "fit_structure.py"
AMOUNT = re.compile(r"\d[\d.,'’ ]{0,30}[.,]\d{2}\b|\b\d{1,3}(?:[.,'’ ]\d{3})+\b")
FIGURE = re.compile(r"[^\w\s]?\d[\d.,'’:/%-]*")
TWO_KINDS = re.compile(r"\d[.,]\d{1,3} +[^\W\d_]{1,2}[-\d]|[^\W\d_]{3} +\d+[.,]\d")  # `3.20 W-12`, `Chair 3.20`
STOP = re.compile(r"[.!?:;。！？：；…][\"')\]»”’*]*$")
SHORT = 40  # letters, up to which it may be a cell
WORDS_ALIKE = 6  # in a row, that hardly stand twice on a page
FEWEST = 4  # blocks, where none is a table


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


def torn_runs(page: FinishedPage) -> float:
    return max((table.torn_runs for table in page.worded), default=0.0)


def torn_lines(page: FinishedPage) -> float:
    return max((table.torn_lines for table in page.worded), default=0.0)


def merged_lines(page: FinishedPage) -> float:
    return max((table.merged_lines for table in page.worded), default=0.0)


def strips_in_columns(page: FinishedPage) -> float:
    """White from top to bottom that no column ends at."""
    return max((table.strips for table in page.worded), default=0)


def columns_without_strips(page: FinishedPage) -> float:
    return min((table.strips for table in page.worded), default=0)


def most_lines_a_row(page: FinishedPage) -> float:
    """More lines than rows: rows may be merged, or the head's lines."""
    return max((table.lines_a_row for table in page.worded), default=0.0)


def fewest_lines_a_row(page: FinishedPage) -> float:
    return min((table.lines_a_row for table in page.worded), default=1.0)


def words_before_figures(page: FinishedPage) -> float:
    """Cells with a figure and, behind it, a code, or with a word before it: of two columns."""
    cells = [[cell for row in grid[1:] for cell in row if cell] for grid in page.grids]
    return max((mean(TWO_KINDS.search(cell) is not None for cell in grid) for grid in cells if grid), default=0.0)


def cells_that_go_on(page: FinishedPage) -> float:
    """Cells that begin with a small letter below one without a stop: one row may be two."""
    return max((mean(_going_on(grid)) for grid in page.grids if len(grid) > 1), default=0.0)


def _going_on(grid: Sequence[Sequence[str]]) -> list[bool]:
    pairs = [pair for rows in pairwise(grid) for pair in zip(*rows, strict=True)]
    return [bool(above) and below[:1].islower() and STOP.search(above) is None for above, below in pairs]


def columns_that_end(page: FinishedPage) -> float:
    """The share of a table's cells below the last filled one of their column, where another column goes on."""
    return max((_ended(grid) for grid in page.grids), default=0.0)


def _ended(grid: Sequence[Sequence[str]]) -> float:
    columns = [[n for n, cell in enumerate(column, 1) if cell] for column in zip(*grid, strict=True)]
    return mean(1 - filled[-1] / len(grid) for filled in columns if filled) if any(columns) else 0.0


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


def begun_apart(page: FinishedPage) -> float:
    """Texts that begin within a sentence that no other one begins."""
    return len(unbegun(page.blocks))


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


def uncaptioned(page: FinishedPage) -> float:
    """Pictures and tables without a caption near."""
    captions = [box for block, box in page.placed if block.category is Category.CAPTION]
    floats = [box for block, box in page.placed if block.category in (Category.FIGURE, Category.TABLE)]
    near = NEAR * page.unit
    return sum(not any(box.overlap_x(c) > 0 and box.gap_y(c) < near for c in captions) for box in floats)


def fewest_right_words(page: FinishedPage) -> float:
    return min((block.confidence for block, _ in page.placed if block.confidence is not None), default=1.0)


LOOKS: tuple[Callable[[FinishedPage], float], ...] = (
    least_likely_table,
    likely_tables,
    letters_in_tables,
    most_rows,
    most_columns,
    least_filled,
    lone_cells,
    completing_rows,
    mixed_columns,
    torn_runs,
    torn_lines,
    merged_lines,
    strips_in_columns,
    columns_without_strips,
    most_lines_a_row,
    fewest_lines_a_row,
    words_before_figures,
    cells_that_go_on,
    columns_that_end,
    lines_like_rows,
    words_read_across,
    amounts_outside,
    share_outside,
    short_blocks,
    overlapping,
    steps_up,
    steps_aside,
    turns,
    uncut_steps,
    broken_off,
    begun_within,
    begun_apart,
    repeated_words,
    blocks,
    pictures,
    uncaptioned,
    fewest_right_words,
)
MEASURES = tuple(look.__name__ for look in LOOKS)
