"""A page's blocks as they will be written, and what is asked of them again and again. Knows blocks; judges nothing."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from statistics import median

from docparse_fast.document import FURNITURE, HEADINGS, Block, Box, Category
from docparse_fast.quality.word_places import WordedTable, lines_at
from docparse_fast.text.html_cells import rows_of
from docparse_fast.text.marks import unmarked
from docparse_fast.text.markup import as_read
from docparse_fast.text.placed_words import PlacedWord

RUNNING = frozenset({Category.TEXT, Category.LIST_ITEM})
LONG = 60  # letters, from which a block is prose
MOST_BLOCKS = 150  # of which every two are looked at
NEAR = 2.5  # lines, within which what stands at a table may be one of its rows


@dataclass(frozen=True)
class FinishedPage:
    """A page's blocks with places, furniture apart."""

    blocks: Sequence[Block]

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
    def worded(self) -> list[WordedTable]:
        return [WordedTable(rows_of(table.text), list(table.words)) for table in self.tables if table.words]

    @cached_property
    def words(self) -> list[tuple[Block, Box, list[PlacedWord]]]:
        return [(block, box, list(block.words)) for block, box in self.placed]

    @property
    def lines_at_tables(self) -> list[int]:
        """For each table how many lines of others are like rows, right above or below it."""
        others = [word for block, _, words in self.words if block.category is not Category.TABLE for word in words]
        return [lines_at(table.box, others, NEAR * self.unit) for table in self.tables if table.box]

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
