"""Names the cell at which a sum breaks that holds everywhere else. Knows relations; changes no figure.

A cell is named where one misread sign in it explains what broke: with the figure that it would be, the broken sums
hold, and none that holds would break.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from docparse_fast.sums.figures import Numeral
from docparse_fast.sums.formulas import CellAt, Instance, SumKind, fit, strictness
from docparse_fast.sums.misreading import is_misread, needed_in
from docparse_fast.sums.relations import Grid, Relation, figure_at, parts_of

SELDOM = 0.1  # of a relation's sums, that may break where each is a misreading; more are the relation's own
MOST_BROKEN = 40  # sums that are looked at
EXACT = 2.0  # digits of chance against sums of rounded parts that all come out to the last digit


@dataclass(frozen=True, slots=True)
class Misfit:
    """`cell` is printed as it is and would have to be `needed`; `others` are cells that may be misread instead."""

    cell: CellAt
    needed: Numeral
    broken: Instance
    others: tuple[CellAt, ...] = ()


@dataclass(frozen=True, slots=True)
class _Reading:
    cell: CellAt
    needed: Numeral
    mended: int  # broken sums that hold with it
    broken: Instance
    one_sign: bool  # one sign for another, none lost or added


def misfits(grid: Grid, relations: Sequence[Relation], nearly: Iterable[Instance] = ()) -> list[Misfit]:
    """What breaks, a cell at a time: the one that explains most first, then what is left. `nearly`: lone totals."""
    broken = list(dict.fromkeys([*_accusing(grid, relations), *nearly]))[:MOST_BROKEN]
    by_cell = _by_cell([each for relation in relations for each in relation.held])
    rounded = {each: relation.rounded for relation in relations for each in (*relation.held, *relation.broken)}
    found = []
    while broken:
        readings = [each for one in broken for each in _readings(grid, one, broken, by_cell, rounded)]
        best = max(readings, key=lambda each: (each.mended, each.one_sign), default=None)
        if best is None:
            break
        alike = [
            each.cell
            for each in readings
            if each.broken == best.broken and each.mended == best.mended and each.one_sign == best.one_sign
        ]
        found.append(
            Misfit(best.cell, best.needed, best.broken, tuple(dict.fromkeys(c for c in alike if c != best.cell)))
        )
        broken = [each for each in broken if best.cell not in (*each.parts, each.result)]
    return found


def _accusing(grid: Grid, relations: Sequence[Relation]) -> Iterator[Instance]:
    """The broken sums of relations that hold nearly everywhere, those apart that rounding may have broken."""
    adding = {one.at for relation in relations if _is_total(relation) for one in relation.held}
    exact = _exact(grid, relations)
    for relation in relations:
        most = max(2 if relation.kind == "balance" else 1, SELDOM * len(relation.held))
        few = len(relation.held) > 1 and len(relation.broken) <= most
        for each in relation.broken:
            result = figure_at(grid, each.result)
            if result is not None and (few or (_is_total(relation) and each.at in adding)):
                rounded = relation.rounded or relation.kind not in exact
                if not fit(each.kind, parts_of(grid, each), each.signs, result).holds(rounded=rounded):
                    yield each


def _is_total(relation: Relation) -> bool:
    return relation.kind == "sum" and relation.each == "column"


def _exact(grid: Grid, relations: Sequence[Relation]) -> set[SumKind]:
    """The kinds of sums whose parts aren't rounded in this table: too many come out to the last digit."""
    digits: dict[SumKind, float] = defaultdict(float)
    for relation in relations:
        for each in relation.held if not relation.rounded else ():
            result = figure_at(grid, each.result)
            assert result is not None
            digits[each.kind] += strictness(each.kind, parts_of(grid, each), each.signs, result)
    return {kind for kind, found in digits.items() if found >= EXACT}


def _by_cell(instances: Iterable[Instance]) -> dict[CellAt, list[Instance]]:
    found: dict[CellAt, list[Instance]] = {}
    for each in instances:
        for cell in (*each.parts, each.result):
            found.setdefault(cell, []).append(each)
    return found


def _readings(
    grid: Grid,
    one: Instance,
    broken: Sequence[Instance],
    held: dict[CellAt, list[Instance]],
    rounded: dict[Instance, bool],
) -> Iterator[_Reading]:
    for cell in dict.fromkeys((*one.parts, one.result)):
        printed = figure_at(grid, cell)
        if printed is None:
            continue
        for needed in needed_in(grid, one, cell, printed):
            if not is_misread(printed, needed):
                continue
            if any(
                not _holds(grid, each, cell, needed, rounded=rounded.get(each, True)) for each in held.get(cell, ())
            ):
                continue
            mended = sum(
                cell in (*each.parts, each.result) and _holds(grid, each, cell, needed, rounded=rounded.get(each, True))
                for each in broken
            )
            same_length = len(str(abs(printed.units))) == len(str(abs(needed.units)))
            yield _Reading(cell, needed, mended, one, same_length)


def _holds(grid: Grid, each: Instance, cell: CellAt, needed: Numeral, *, rounded: bool) -> bool:
    parts = [needed if one == cell else figure_at(grid, one) for one in each.parts]
    result = needed if each.result == cell else figure_at(grid, each.result)
    assert result is not None
    return fit(each.kind, [part for part in parts if part is not None], each.signs, result).holds(rounded=rounded)
