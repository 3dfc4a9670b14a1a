"""Figures that sums prove as drafted, looked for in a target's answer. Knows blocks and sums; no target.

A model writes fluently where it reads badly, and a lone total that it changed breaks no sum that it shows.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from docparse_fast.document import Block, Category, PageDraft
from docparse_fast.evidence import Doubt
from docparse_fast.sums.table_sums import KeptSum, table_sums
from docparse_fast.text.html_cells import rows_of

NOT_DIGITS = re.compile(r"\D+")
FEWEST_DIGITS = 3  # of a figure: shorter ones stand everywhere
SHOWN = 3  # figures


def changed_figures(blocks: Sequence[Block], draft: PageDraft) -> tuple[Doubt, ...]:
    """A doubt if figures of the draft, in sums that hold, are written nowhere in `blocks`, by their digits.

    >>> changed_figures([Block(Category.TEXT, "Total 1,264.50")], PageDraft(1, 9, 9))
    ()
    """
    tables = [region.text for region in draft.regions if region.category is Category.TABLE]
    proven = dict.fromkeys(figure for table in tables for figure in _proven(table))
    written = {_digits(piece) for block in blocks for piece in _pieces(block)} if proven else set()
    changed = [figure for figure in proven if _digits(figure) not in written]
    if not changed:
        return ()
    more = f" and {len(changed) - SHOWN} more" if len(changed) > SHOWN else ""
    named = ", ".join(changed[:SHOWN]) + more
    return (Doubt("changed_figures", f"the target's answer has no {named}, whose sums hold as drafted"),)


def _proven(html: str) -> Iterator[str]:
    rows = rows_of(html)
    found = table_sums(rows) if rows else None
    for relation in found.relations if found else ():
        for row, column in _cells(relation):
            figure = rows[row][column] if row < len(rows) and column < len(rows[row]) else ""
            if len(_digits(figure)) >= FEWEST_DIGITS:
                yield figure


def _cells(relation: KeptSum) -> Iterator[tuple[int, int]]:
    for at in relation.held:
        for along in (*relation.parts, relation.result):
            yield (at, along) if relation.each == "row" else (along, at)


def _pieces(block: Block) -> Iterator[str]:
    """Whatever may be one figure: a cell, a word, a line."""
    if block.category is Category.TABLE:
        for row in rows_of(block.text):
            yield from row
    yield from block.text.split()
    yield from block.text.splitlines()


def _digits(text: str) -> str:
    return NOT_DIGITS.sub("", text)
