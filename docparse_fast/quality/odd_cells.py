"""Cells of a table that the others of their column show to be misread. Knows texts of cells alone."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

CURRENCIES = "€$£¥"
PRICE = re.compile(r"([^\W\d_])\s?\d[\d.,'’]*[.,]\d\d")  # a letter where a currency's sign would be
FIGURE = re.compile(r"[^\w\s]?\d[\d.,'’]*\D{0,4}")
TWO_FIGURES = re.compile(r"\d[\d.,]* +\d{1,2}[.,]\d[\d.,]*\D{0,4}")  # `5 26,068.47 €`, but not `26 068,47 €`
MOSTLY = 0.6  # of a column's cells
FEWEST = 3
_Rows = Sequence[Sequence[str]]
_Odd = tuple[int, int, str]  # row and column, from 1, and what is odd about it


def odd_cells(rows: _Rows) -> Iterator[_Odd]:
    """What is no number among counts, letters for a currency's sign, two figures among single ones; not the head.

    >>> list(odd_cells([["No.", "Due"], ["1", "£4.10"], ["2", "E3.50"], ["•", "£1.00"], ["4", ""], ["5", ""]]))
    [(4, 1, "'•' stands where 3 would be counted"), (3, 2, "'E3.50' begins with a letter, others with '£'")]
    >>> list(odd_cells([["Sum"], ["3.80"], ["5 20.70"], ["4.80"], ["2.80"]]))
    [(3, 1, "'5 20.70' holds two figures, others one")]
    """
    for column, cells in enumerate(zip(*rows[1:], strict=True), start=1):
        for n, what in (*_uncounted(cells), *_lettered(cells), *_doubled(cells)):
            yield n + 2, column, what


def _uncounted(cells: Sequence[str]) -> Iterator[tuple[int, str]]:
    counted = [cell.rstrip(".") == str(n) for n, cell in enumerate(cells, start=1)]
    last = max((n for n, is_count in enumerate(counted) if is_count), default=-1)
    if sum(counted) >= max(FEWEST, MOSTLY * (last + 1)):
        odd = (n for n, is_count in enumerate(counted[:last]) if not is_count and cells[n] and not cells[n].isdecimal())
        yield from ((n, f"{cells[n]!r} stands where {n + 1} would be counted") for n in odd)


def _lettered(cells: Sequence[str]) -> Iterator[tuple[int, str]]:
    signs = {cell[0] for cell in cells if cell[:1] in CURRENCIES and cell}
    if len(signs) == 1:
        odd = (n for n, cell in enumerate(cells) if PRICE.fullmatch(cell))
        sign = signs.pop()
        yield from ((n, f"{cells[n]!r} begins with a letter, others with {sign!r}") for n in odd)


def _doubled(cells: Sequence[str]) -> Iterator[tuple[int, str]]:
    if sum(FIGURE.fullmatch(cell) is not None for cell in cells) >= max(FEWEST, MOSTLY * sum(map(bool, cells))):
        odd = (n for n, cell in enumerate(cells) if TWO_FIGURES.fullmatch(cell))
        yield from ((n, f"{cells[n]!r} holds two figures, others one") for n in odd)
