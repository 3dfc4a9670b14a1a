"""How likely the rows of a page's tables and the order of its blocks are as printed. Knows blocks; reads no page.

What a reader would stumble over is measured: cells with two figures, rows that complete each other, amounts outside
tables, blocks that overlap, sentences that break off. Trees fitted on pages of known truth weigh it:
`scripts/fit_structure.py` makes `structure_judge.json`.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations, pairwise
from statistics import mean, median

from docparse_fast.document import FURNITURE, HEADINGS, Block, Box, Category
from docparse_fast.drafting.fitted import fitted_trees
from docparse_fast.evidence import Doubt
from docparse_fast.rendering.html_cells import rows_of
from docparse_fast.text.marks import unmarked
from docparse_fast.text.markup import as_read

WEIGHTS = "structure_judge.json"
SCRIPT = "fit_structure.py"
RUNNING = frozenset({Category.TEXT, Category.LIST_ITEM})
AMOUNT = re.compile(r"\d[\d.,'’ ]{0,30}[.,]\d{2}\b|\b\d{1,3}(?:[.,'’ ]\d{3})+\b")
FIGURE = re.compile(r"[^\w\s]?\d[\d.,'’:/%-]*")
STOP = re.compile(r"[.!?:;。！？：；…][\"')\]»”’*]*$")
LONG = 60  # letters, from which a block is prose
SHORT = 40  # letters, up to which it may be a cell
WORDS_ALIKE = 6  # in a row, that hardly stand twice on a page
MOST_BLOCKS = 150  # of which every two are looked at
FEWEST = 4
LEVEL = 0.3  # of the lower one's height, between the feet of what stands in one row


@dataclass(frozen=True)
class FinishedPage:
    """A page's blocks with places, furniture apart."""

    blocks: Sequence[Block]
    doubts: Sequence[Doubt] = ()  # of who drafted it

    @cached_property
    def placed(self) -> list[tuple[Block, Box]]:
        found = [(block, block.box) for block in self.blocks if block.box and block.category not in FURNITURE]
        return found[:MOST_BLOCKS]

    @cached_property
    def tables(self) -> list[Block]:
        return [block for block, _ in self.placed if block.category is Category.TABLE]

    @cached_property
    def grids(self) -> list[list[list[str]]]:
        return [rows for table in self.tables if (rows := rows_of(table.text))]

    @cached_property
    def outside(self) -> list[tuple[Block, Box, str]]:
        """What is no table and no picture, with its words."""
        kinds = RUNNING | HEADINGS
        return [(block, box, as_read(unmarked(block.text))) for block, box in self.placed if block.category in kinds]

    @cached_property
    def unit(self) -> float:
        return median([box.height for _, box, _ in self.outside] or [20.0])

    @cached_property
    def prose(self) -> list[str]:
        return [text.strip() for block, _, text in self.outside if block.category in RUNNING and len(text) > LONG]


def structure_of(blocks: Sequence[Block], doubts: Sequence[Doubt] = ()) -> float | None:
    """How likely it is that each row stands whole and all is in order; None where there are too few blocks to tell."""
    page = FinishedPage(blocks, doubts)
    if len(page.placed) < FEWEST:
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


def doubtful_tables(page: FinishedPage) -> float:
    return sum(doubt.kind == "doubtful_table" for doubt in page.doubts)


def tables_by_a_model_alone(page: FinishedPage) -> float:
    return sum(table.structure is None for table in page.tables)


def letters_in_tables(page: FinishedPage) -> float:
    letters = [len(cell) for grid in page.grids for row in grid for cell in row]
    return sum(letters) / max(1, sum(letters) + sum(len(text) for _, _, text in page.outside))


def most_rows(page: FinishedPage) -> float:
    return math.log1p(max(map(len, page.grids), default=0))


def most_columns(page: FinishedPage) -> float:
    return max((len(grid[0]) for grid in page.grids), default=0)


def least_filled(page: FinishedPage) -> float:
    return min((mean(bool(cell) for row in grid for cell in row) for grid in page.grids), default=1.0)


def crowded_cells(page: FinishedPage) -> float:
    """Cells that hold two figures and nothing else."""
    return max((mean(_is_crowded(cell) for row in grid for cell in row) for grid in page.grids), default=0.0)


def _is_crowded(cell: str) -> bool:
    words = cell.split()
    return len(words) > 1 and sum(AMOUNT.fullmatch(word) is not None for word in words) > 1


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


def sums_broken(page: FinishedPage) -> float:
    return sum(len(table.sums.misfits) for table in page.tables if table.sums)


def tables_in_pieces(page: FinishedPage) -> float:
    """Tables that stand right below another one."""
    boxes = [box for block, box in page.placed if block.category is Category.TABLE]
    return sum(_touch(a, b, page.unit) for a, b in combinations(boxes, 2))


def _touch(a: Box, b: Box, unit: float) -> bool:
    return -unit < max(a.y0, b.y0) - min(a.y1, b.y1) < 2 * unit and a.overlap_x(b) > 0.3 * min(a.width, b.width)


def rows_at_tables(page: FinishedPage) -> float:
    """Lines with an amount that touch a table."""
    boxes = [box for block, box in page.placed if block.category is Category.TABLE]
    return sum(
        bool(AMOUNT.search(text)) and any(_touch(box, table, page.unit) for table in boxes)
        for _, box, text in page.outside
    )


# ------------------------------------------------------------------------------------------------ outside


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


def level_amounts(page: FinishedPage) -> float:
    short = [(box, AMOUNT.search(text) is not None) for _, box, text in page.outside if len(text) < SHORT]
    return math.log1p(sum((x or y) and _level(a, b) for (a, x), (b, y) in combinations(short, 2)))


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


def steps_back(page: FinishedPage) -> float:
    """Where the next block stands above and at the left."""
    return sum(b.y1 < a.y0 and b.x1 < a.x0 for (_, a), (_, b) in pairwise(page.placed))


def steps_within(page: FinishedPage) -> float:
    """Where the next block stands above, in the same column."""
    return sum(b.y1 < a.y0 and a.overlap_x(b) > 0.5 * min(a.width, b.width) for (_, a), (_, b) in pairwise(page.placed))


def steps_aside(page: FinishedPage) -> float:
    """Where the next block stands beside this one."""
    return sum(a.overlap_y(b) > 0.5 * min(a.height, b.height) for (_, a), (_, b) in pairwise(page.placed))


def turns(page: FinishedPage) -> float:
    """Where reading goes from one side to the other and back."""
    boxes = [box for _, box in page.placed]
    return sum(a.x1 < b.x0 and c.x1 < b.x0 for a, b, c in zip(boxes, boxes[1:], boxes[2:], strict=False))


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
    doubtful_tables,
    tables_by_a_model_alone,
    letters_in_tables,
    most_rows,
    most_columns,
    least_filled,
    crowded_cells,
    lone_cells,
    completing_rows,
    mixed_columns,
    sums_held,
    sums_broken,
    tables_in_pieces,
    rows_at_tables,
    amounts_outside,
    share_outside,
    level_outside,
    level_amounts,
    short_blocks,
    overlapping,
    steps_up,
    steps_back,
    steps_within,
    steps_aside,
    turns,
    broken_off,
    begun_within,
    repeated_words,
    blocks,
    pictures,
    fewest_right_words,
)
MEASURES = tuple(look.__name__ for look in LOOKS)
