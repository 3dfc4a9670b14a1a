"""A relation: one sum that a table holds again and again, in row after row or in column after column."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

from docparse_fast.sums.figures import Numeral
from docparse_fast.sums.formulas import CellAt, Instance, SumKind, among, fit, is_telling, surprise

Each = Literal["row", "column"]

PROVEN = (
    3.0  # digits of chance against a relation, after all that were tried: one table in a thousand has one by chance
)

SAMPLE = 50  # sums by which one that stands in many rows is weighed first
MOSTLY = 0.6  # of its sums that hold

MOST_STEPS = (
    1_000_000  # cells that the sums of one search may take to lay out and to weigh; past it, what is found is all
)


class Grid(list[list[Numeral | None]]):
    """A table's figures, and what a search among them may still cost."""

    def __init__(self, rows: Iterable[list[Numeral | None]]) -> None:
        super().__init__(rows)
        self._left = MOST_STEPS

    def may_cost(self, steps: int) -> bool:
        self._left -= steps
        return self._left >= 0


@dataclass(frozen=True, slots=True)
class Relation:
    """`each`: where its sums stand, one in each row or one in each column. `parts` and `result` are columns or rows."""

    kind: SumKind
    each: Each
    parts: tuple[int, ...]
    signs: tuple[int, ...]
    result: int
    held: tuple[Instance, ...]
    broken: tuple[Instance, ...]
    rounded: bool  # it holds with its parts rounded
    digits: float  # of chance against it


def figure_at(grid: Grid, cell: CellAt) -> Numeral | None:
    return grid[cell[0]][cell[1]]


def parts_of(grid: Grid, instance: Instance) -> list[Numeral]:
    return [each for cell in instance.parts if (each := figure_at(grid, cell)) is not None]


def relation_of(
    grid: Grid,
    each: Each,
    lines: tuple[tuple[int, ...], tuple[int, ...], int],
    instances: Sequence[Instance],
    tried: float,
    *,
    least: float = MOSTLY,
    spread: float = math.inf,
) -> Relation | None:
    """The relation, if chance hardly explains its sums, and at least so many of them hold.

    `lines`: its parts, their signs, its result; `tried`: digits of how many relations of its kind were looked at;
    `spread`: of the figures in the results' place.
    """
    if not instances:
        return None
    if len(instances) > 2 * SAMPLE and _weighed(grid, instances[:SAMPLE], tried, spread)[1] < 0:
        return None
    if not grid.may_cost(sum(len(one.parts) for one in instances)):
        return None
    rounded, digits, holds = _weighed(grid, instances, tried, spread)
    if digits < PROVEN or sum(holds) < least * len(holds):
        return None
    both = list(zip(instances, holds, strict=True))
    held, broken = (tuple(one for one, does in both if does is held) for held in (True, False))
    parts, signs, result = lines
    return Relation(instances[0].kind, each, parts, signs, result, held, broken, rounded, digits)


def _weighed(grid: Grid, instances: Sequence[Instance], tried: float, spread: float) -> tuple[bool, float, list[bool]]:
    """Whether its parts are to be taken as rounded, the digits against chance, and which of the sums hold."""
    fits = []
    for each in instances:
        parts, result = parts_of(grid, each), figure_at(grid, each.result)
        assert result is not None
        key = (tuple((part.units, part.places) for part in parts), result.units)
        fits.append((fit(each.kind, parts, each.signs, result), is_telling(each.kind, parts, result), key))
    best: tuple[bool, float, list[bool]] = (False, -math.inf, [])
    for rounded in (False, True):
        holds = [found.holds(rounded=rounded) for found, *_ in fits]
        proofs = {
            key: surprise(found, rounded=rounded, spread=spread)
            for (found, telling, key), held in zip(fits, holds, strict=True)
            if held and telling
        }  # the same figures prove it once
        digits = sum(proofs.values()) - tried - among(sum(holds), len(holds))
        if digits > best[1]:
            best = (rounded, digits, holds)
    return best


def cells_of(instances: Iterable[Instance]) -> set[CellAt]:
    return {cell for each in instances for cell in (*each.parts, each.result)}
