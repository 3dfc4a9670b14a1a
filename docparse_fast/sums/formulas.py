"""The sums that tables hold: what each makes of its parts, how exactly, and how unlikely it is to hold by chance."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

from docparse_fast.sums.figures import Numeral

SumKind = Literal["sum", "mean", "product", "percentage", "raised", "reduced", "balance"]
UNSIGNED = frozenset({"product", "percentage", "reduced"})  # what is given back may have its minus at the amount alone
CellAt = tuple[int, int]  # row, column

ROUNDED = 0.9  # of a step, times the root of the number of parts: three standard deviations of rounded parts' sum
DECADE = math.log(10)  # figures are spread evenly over the sizes (Benford): of those near v, one in 2.3 v is v
TIE = 1 + 1e-6  # a half may be rounded either way


@dataclass(frozen=True, slots=True)
class Instance:
    """One sum of a table: the cells of its parts, blank ones left out, and the cell that they come to."""

    kind: SumKind
    at: int  # the row or the column in which it stands
    parts: tuple[CellAt, ...]
    signs: tuple[int, ...]  # of the parts
    result: CellAt


@dataclass(frozen=True, slots=True)
class Fit:
    """How a sum comes out with its parts as exact as they are printed, or with each of them rounded (`slack`)."""

    value: float
    off: float  # by how much it misses what is printed
    step: float  # of what is printed
    slack: float
    room: float  # in which a figure that stands there by chance might lie

    def holds(self, *, rounded: bool) -> bool:
        width = TIE * self.step / 2 + (self.slack if rounded else 0.0)
        return self.off <= width + 1e-9 * abs(self.value)


def fit(kind: SumKind, parts: Sequence[Numeral], signs: Sequence[int], result: Numeral) -> Fit:
    """
    >>> fit("product", [Numeral(3, 0), Numeral(65825, 2)], (1, 1), Numeral(197475, 2)).holds(rounded=False)
    True
    """
    values = [part.value for part in parts]
    value = computed(kind, values, signs)
    off = abs(abs(value) - abs(result.value)) if kind in UNSIGNED else abs(value - result.value)
    return Fit(value, off, result.step, _slack(kind, parts, value), _room(kind, values, value))


def computed(kind: SumKind, values: Sequence[float], signs: Sequence[int]) -> float:
    """
    >>> [computed(kind, [200.0, 19.0], (1, 1)) for kind in ("sum", "product", "percentage", "raised", "reduced")]
    [219.0, 3800.0, 38.0, 238.0, 162.0]
    """
    if kind in ("sum", "balance", "mean"):
        total = sum(sign * value for sign, value in zip(signs, values, strict=True))
        return total / len(values) if kind == "mean" else total
    if kind == "product":
        return math.prod(values)
    *factors, share = values
    base = math.prod(factors)
    return base * {"percentage": share, "raised": 100 + share, "reduced": 100 - share}[kind] / 100


def _slack(kind: SumKind, parts: Sequence[Numeral], value: float) -> float:
    """What the rounding of the parts may add to the error."""
    if kind in ("sum", "balance"):
        return max(part.step for part in parts) * (ROUNDED * math.sqrt(len(parts)) - 0.2)
    if kind == "mean":
        return 0.5 * max(part.step for part in parts)
    if kind == "product":
        return sum(abs(value / part.value) * part.step / 2 for part in parts if part.units)
    *factors, share = parts
    relative = sum(part.step / 2 / abs(part.value) for part in factors if part.units)
    return abs(value) * relative + abs(math.prod(part.value for part in factors)) * share.step / 200


def is_telling(kind: SumKind, parts: Sequence[Numeral], result: Numeral) -> bool:
    """Whether it says more than that two figures are alike: not once a figure, and nothing added."""
    if not result.units:
        return False
    if kind in ("sum", "mean", "balance"):
        return sum(part.units != 0 for part in parts) > 1
    *_factors, share = parts
    if kind in ("raised", "reduced"):
        return share.units != 0
    return all(part.units and abs(part.value) != 1 for part in parts)


def _room(kind: SumKind, values: Sequence[float], value: float) -> float:
    """What follows from a part alone is no surprise: a total that one part nearly makes up, a balance near the last."""
    if kind == "mean":
        return min(DECADE * abs(value), max(values) - min(values))
    near = {"balance": values[0], "raised": values[0], "reduced": values[0]}.get(kind, 0.0)
    if kind == "sum":
        near = max(values, key=abs)
    return DECADE * min(abs(value), abs(abs(value) - abs(near)) if near else abs(value))


def surprise(found: Fit, *, rounded: bool, spread: float = math.inf) -> float:
    """The digits of chance against it: 3 where one figure in a thousand would have fitted as well.

    `spread`: of the figures that stand in the result's place; none is less likely than one in that many steps.

    >>> parts = Numeral(3, 0), Numeral(65825, 2)
    >>> round(surprise(fit("product", parts, (1, 1), Numeral(197475, 2)), rounded=False), 1)
    5.7
    """
    width = found.step + 2 * (found.slack if rounded else 0.0)
    room = min(found.room, spread)
    return max(0.0, math.log10(room / width)) if room > 0 else 0.0


def strictness(kind: SumKind, parts: Sequence[Numeral], signs: Sequence[int], result: Numeral) -> float:
    """The digits of chance against a sum of rounded parts that comes out to the last digit."""
    found = fit(kind, parts, signs, result)
    return math.log10(1 + found.slack / 3 / found.step) if is_telling(kind, parts, result) else 0.0


def among(held: int, tried: int) -> float:
    """The digits that it costs to say afterwards which of the tried ones held.

    >>> round(among(9, 10), 3)
    1.0
    """
    return (math.lgamma(tried + 1) - math.lgamma(held + 1) - math.lgamma(tried - held + 1)) / DECADE


def spread_of(figures: Iterable[Numeral | None]) -> float:
    """How far the middle half of the figures lies apart, twice.

    >>> spread_of([Numeral(n, 0) for n in (10, 11, 12, 13, 900)])
    4.0
    """
    values = sorted(abs(each.value) for each in figures if each is not None)
    if len(values) < 4:
        return math.inf
    quarter = len(values) // 4
    return 2 * (values[-1 - quarter] - values[quarter])
