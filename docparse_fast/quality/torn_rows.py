"""Rows of a table that show that they are parts of one, or several that are one. Knows texts of cells alone.

Of 50 pages of business papers with torn rows 9 have one, of 577 others 9; what counts as torn:
`scripts/training/fit_structure.py`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise

FIGURE = re.compile(r"[^\w\s]{0,2}\d[\d.,'’:/%–-]*")
GOES_ON = re.compile(r"[^\W\d_]\s*[,/–—(&-]$|[,(&]$|\s[–—]$")  # not the minus behind an amount, nor a dash alone
BESIDE = 2  # cells of one row that hold several figures: one may be two by a blank for thousands
_Rows = Sequence[Sequence[str]]


def torn_row(rows: _Rows) -> int | None:
    """The number of the first such row, from 1; the head is not asked.

    >>> torn_row([["Shift", "Mon"], ["06:00 –", "Nils"], ["14:00", "Berg"], ["14:00 –", "Ole"], ["22:00", "Dahl"]])
    2
    >>> torn_row([["Item", "Qty"], ["Chair, mesh", "3"], ["back", ""], ["Lamp", "1"]])
    2
    >>> torn_row([["", "P", "W"], ["Tern", "3", "1"], ["Petrel Gull", "4 5", "2 0"], ["Auk", "7", "2"]])
    3
    >>> torn_row([["Item", "Amount"], ["Chair", "1,204.50-"], ["Lamp", "3.00-"], ["Sum", "1,207.50-"]])
    """
    return min([*_going_on(rows), *_merged(rows)], default=None)


def _going_on(rows: _Rows) -> Iterator[int]:
    """Rows with a cell that goes on in the one below, or below which one cell alone does in a small letter."""
    for n, (row, below) in enumerate(pairwise(rows[1:]), start=2):
        if any(GOES_ON.search(cell) and under for cell, under in zip(row, below, strict=True)):
            yield n
        filled = [(cell, under) for cell, under in zip(row, below, strict=True) if under]
        if len(filled) == 1 and sum(map(bool, row)) > 1 and filled[0][0] and filled[0][1][:1].islower():
            yield n


def _merged(rows: _Rows) -> Iterator[int]:
    """Rows in which several cells hold several figures, in columns where the others hold one."""
    single = [_holds_single_figures(column) for column in zip(*rows[1:], strict=True)]
    for n, row in enumerate(rows[1:], start=2):
        if sum(len(_figures(cell)) > 1 for cell, is_single in zip(row, single, strict=True) if is_single) >= BESIDE:
            yield n


def _holds_single_figures(column: Sequence[str]) -> bool:
    counts = [len(_figures(cell)) for cell in column if cell]
    return 2 * counts.count(1) > len(counts)


def _figures(cell: str) -> list[str]:
    """A cell's words, if all are figures."""
    words = cell.split()
    return words if all(map(FIGURE.fullmatch, words)) else []
