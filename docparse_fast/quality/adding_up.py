"""Gives each table of a page the sums that it holds, those among them that follow it. Knows blocks; does no sums."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from docparse_fast.document import Block, Category
from docparse_fast.sums.figures import figures_of, is_empty
from docparse_fast.sums.table_sums import TableSums, table_sums
from docparse_fast.text.html_cells import rows_of
from docparse_fast.text.marks import unmarked
from docparse_fast.text.markup import as_read

FOLLOWING = 5  # blocks after a table in which its totals may stand, terms and greetings among them
LONGEST = 12  # rows or lines of them
YEAR = re.compile(r"(?:19|20)\d\d")
FIGURE_WORDS = 4  # that a figure may have: `1 204 518,50 EUR`
MOST_CELLS = 150_000  # of a table: 5,000 rows of 30 columns took four seconds, a usual one takes two milliseconds


def with_sums(blocks: Sequence[Block]) -> tuple[Block, ...]:
    return tuple(
        replace(block, sums=_sums(block, blocks[n + 1 : n + 1 + FOLLOWING]))
        if block.category is Category.TABLE and block.text
        else block
        for n, block in enumerate(blocks)
    )


def _sums(table: Block, following: Sequence[Block]) -> TableSums | None:
    rows = rows_of(table.text)
    if not rows or len(rows) * len(rows[0]) > MOST_CELLS:
        return None
    below: list[tuple[str, str]] = []
    for block in following:
        found = _labelled(block)
        if not found and block.category is Category.TABLE:
            break
        below += found
    return table_sums(rows, below)


def _labelled(block: Block) -> list[tuple[str, str]]:
    """Labels and their figures, if the block holds nothing else."""
    if block.category is Category.TABLE:
        rows = [[text for text in row if not is_empty(text)] for row in rows_of(block.text)]
    elif block.category in (Category.TEXT, Category.LIST_ITEM, Category.CODE):
        rows = [_parted(as_read(unmarked(line))) for line in block.text.replace("\\\n", "\n").splitlines()]
    else:
        return []
    if len(rows) > LONGEST or not all(len(row) == 2 and figures_of([[row[1]]])[0][0] for row in rows):
        return []
    return [(row[0], row[1]) for row in rows]


def _parted(line: str) -> list[str]:
    """A line's label and the figure at its end; the line alone if there is none.

    >>> _parted("Total due: 1 204,50 EUR"), _parted("Please pay by 12 May 2026")
    (['Total due:', '1 204,50 EUR'], ['Please pay by 12 May 2026'])
    """
    words = line.split()
    for count in range(min(FIGURE_WORDS, len(words) - 1), 0, -1):
        figure = " ".join(words[-count:])
        if figures_of([[figure]])[0][0] is not None and not words[-count][0].isalpha() and not YEAR.fullmatch(figure):
            return [" ".join(words[:-count]), figure]
    return [line]
