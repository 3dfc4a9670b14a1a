"""Rows of a table that show that they are parts of one, or several that are one. Knows texts of cells alone.

Of 71 torn pages of business papers, files and scans, 14 have one, of 1,016 others 2, whose heads are torn; what counts
as torn: `scripts/training/fit_structure.py`. A third of these papers were looked at for it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise

FIGURE = re.compile(r"[^\w\s]{0,2}\d[\d.,'’:/%±–-]*")
GOES_ON = re.compile(r"[^\W\d_]\s*[,/–—(&-]$|[,(&]$|\s[–—]$")  # not the minus behind an amount, nor a dash alone
INFIX = "±"  # what stands on both sides of it is one figure
WITHIN = re.compile(rf"(?<=\d) (?=\d{{3}}(?!\d))| ?{INFIX} ?")  # and between thousands
BESIDE = 2  # cells of one row that hold several figures
SEVERAL = 2  # rows
MOST_ALONE = 2  # signs of a cell alone in its row, which is a rest of another
MANY = 3  # figures in the one cell of a row
_Rows = Sequence[Sequence[str]]


def torn_row(rows: _Rows) -> int | None:
    """The number of the first such row, from 1; the head is not asked.

    >>> torn_row([["Shift", "Mon"], ["06:00 –", "Nils"], ["14:00", "Berg"], ["14:00 –", "Ole"], ["22:00", "Dahl"]])
    2
    >>> torn_row([["Item", "Qty"], ["Chair, mesh", "3"], ["back", ""], ["Lamp", "1"]])
    2
    >>> torn_row([["", "P", "W"], ["Tern", "3", "1"], ["Petrel Gull", "4 5", "2 0"], ["Auk", "7", "2"]])
    3
    >>> torn_row([["Run", "F1", "P"], ["A", "0.3", "0.9"], ["B", "0.7 94.5", "± 0.6"]])
    3
    >>> torn_row([["Item", "Sum"], ["Stocks", "5.00"], ["Sum", "5.00"], ["Liabilities", ""]])
    3
    >>> torn_row([["Item", "Amount"], ["Chair", "1,204.50-"], ["Lamp", "3.00-"], ["Sum", "1,207.50-"]])
    """
    return min([*_going_on(rows), *_merged(rows), *_spilt(rows), *_rests_below(rows), *_nameless(rows)], default=None)


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


def _spilt(rows: _Rows) -> Iterator[int]:
    """Rows with all figures in one cell, or a figure in two; and those that are a rest of a cell alone."""
    for n, (above, row) in enumerate(pairwise(rows), start=2):
        held = [(cell, over) for cell, over in zip(row, above, strict=True) if cell]
        alone = len(held) == 1 < len(row) and (_is_rest(*held[0]) or _is_full_of_figures(held[0][0]))
        if alone or any(_is_parted(before, cell) for (before, _), (cell, _) in pairwise(held)):
            yield n


def _is_parted(before: str, cell: str) -> bool:
    """Whether a figure stands in both, and another before it: a column of deviations holds second parts alone."""
    return before.endswith(INFIX) or (cell.startswith(INFIX) and len(_figures(before)) > 1)


def _rests_below(rows: _Rows) -> Iterator[int]:
    """Several rows below which one cell alone is filled, not the first, as in the row itself."""
    rests = [n for n, two in enumerate(pairwise(rows[1:]), start=2) if _is_rest_below(*two)]
    yield from rests if len(rests) >= SEVERAL else ()


def _is_rest_below(row: Sequence[str], below: Sequence[str]) -> bool:
    filled = [n for n, cell in enumerate(below) if cell]
    return len(filled) == 1 and filled[0] > 0 and bool(row[filled[0]]) and sum(map(bool, row)) > 1


def _nameless(rows: _Rows) -> Iterator[int]:
    """The last but one row, where the last is a name alone: of a group without rows, or the rest of one in the row."""
    *_, row, (name, *others) = rows if len(rows) > SEVERAL else ([], [""])
    if name and not any(others) and sum(map(bool, row)) > 1 and name.replace(" ", "").isalpha():
        yield len(rows) - 1


def _is_rest(cell: str, above: str) -> bool:
    """Whether a cell is a letter or two below a longer one, and no capitals, as groups' names may be."""
    return len(cell) <= MOST_ALONE < len(above) and cell.isalnum() and not cell.isupper()


def _is_full_of_figures(cell: str) -> bool:
    count = sum(FIGURE.fullmatch(word) is not None for word in cell.split())
    return count >= MANY and 2 * count >= len(cell.split())


def _holds_single_figures(column: Sequence[str]) -> bool:
    counts = [len(_figures(cell)) for cell in column if cell]
    return 2 * counts.count(1) > len(counts)


def _figures(cell: str) -> list[str]:
    """A cell's words, if all are figures; one whose thousands a blank parts is one."""
    words = WITHIN.sub(INFIX, cell).split()
    return words if all(map(FIGURE.fullmatch, words)) else []
