"""Finds balances that run on: each is the one before it (below it, newest first) and what came in and went out since.

A balance need not stand in each row; what is booked between two of them is added up.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations, pairwise
from operator import mul

from docparse_fast.sums.figures import Numeral
from docparse_fast.sums.formulas import Instance
from docparse_fast.sums.relations import Grid, Relation, relation_of

MOST_COLUMNS = 12  # of figures that are tried for balances and bookings; of a wider table the first
LOOKED_AT = 3  # steps from balance to balance, in one of which it has to hold
SIGNS = ((1, -1), (-1, 1), (1, 1))


@dataclass(frozen=True, slots=True)
class _Step:
    """From one balance to the next: the rows between in which something may be booked."""

    before: int
    after: int
    rows: range


def balances(grid: Grid) -> list[Relation]:
    columns = [n for n in range(len(grid[0]) if grid else 0) if sum(_is_long(row[n]) for row in grid) > 1]
    columns = columns[:MOST_COLUMNS]
    flows: list[tuple[tuple[int, ...], tuple[int, ...]]] = [((n,), (sign,)) for n in columns for sign in (1, -1)]
    flows += [(pair, signs) for pair in combinations(columns, 2) for signs in SIGNS]
    tried = math.log10(max(1, 2 * len(columns) * len(flows)))
    found: list[Relation] = []
    for column in columns:
        for upwards in (False, True):
            steps = list(_steps(grid, column, upwards=upwards))
            first = [_Looked(grid, column, step, columns) for step in steps[:LOOKED_AT]]
            kept = [
                relation
                for parts, signs in flows
                if column not in parts and any(each.fits(parts, signs) for each in first)
                if (relation := _relation(grid, column, steps, parts, signs, tried)) is not None
            ]
            if kept:
                found.append(max(kept, key=lambda each: each.digits))
    return found


class _Looked:
    """One step, with what is booked in each column: a cheap look before a relation is weighed on all steps."""

    def __init__(self, grid: Grid, column: int, step: _Step, columns: Sequence[int]) -> None:
        before, after = grid[step.before][column], grid[step.after][column]
        assert before is not None and after is not None
        self._change, self._near = after.value - before.value, 0.6 * after.step
        booked = {n: [figure.value for r in step.rows if (figure := grid[r][n]) is not None] for n in columns}
        self._booked = {n: sum(values) for n, values in booked.items()}
        self._empty = {n for n, values in booked.items() if not values}

    def fits(self, parts: Sequence[int], signs: Sequence[int]) -> bool:
        booked = sum(map(mul, signs, map(self._booked.__getitem__, parts)))
        return abs(booked - self._change) < self._near and not self._empty.issuperset(parts)


def _steps(grid: Grid, column: int, *, upwards: bool) -> Iterator[_Step]:
    held = [r for r, row in enumerate(grid) if row[column] is not None]
    for above, below in pairwise(held):
        yield _Step(below, above, range(above, below)) if upwards else _Step(above, below, range(above + 1, below + 1))


def _relation(
    grid: Grid, column: int, steps: Sequence[_Step], parts: tuple[int, ...], signs: tuple[int, ...], tried: float
) -> Relation | None:
    if not grid.may_cost(len(steps)):
        return None
    instances = [each for step in steps if (each := _instance(grid, column, step, parts, signs)) is not None]
    return relation_of(grid, "row", (parts, signs, column), instances, tried)


def _instance(grid: Grid, column: int, step: _Step, parts: Sequence[int], signs: Sequence[int]) -> Instance | None:
    booked = [(r, n, sign) for r in step.rows for n, sign in zip(parts, signs, strict=True) if grid[r][n] is not None]
    if not booked:
        return None
    cells = ((step.before, column), *((r, n) for r, n, _ in booked))
    return Instance("balance", step.after, cells, (1, *(sign for *_, sign in booked)), (step.after, column))


def _is_long(figure: Numeral | None) -> bool:
    return figure is not None and figure.is_long
