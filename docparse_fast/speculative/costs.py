"""The cost of a verification pass, and the width that pays best. Knows numbers; does not measure them.

A table belongs to one model, device and dtype. `targets/` measures it once and stores it. Costs are relative to the
pass of one row and one token, which plain decoding pays for each token.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import accumulate, zip_longest
from operator import truediv

OPENING_CREDIT = 1.0  # plain tokens that a call's first guesses may cost; even 64 tokens bear one and a half
ROW_CREDIT = 0.5  # ... and what each row adds
ALLOWED_LOSS = 0.01  # of the tokens written
WORTHWHILE = 1.02  # a wide pass must promise this many times a plain one's tokens: tables are noisy


@dataclass(frozen=True)
class CostTable:
    """Measured costs on a grid, interpolated between its points and extended beyond it along the last slope.

    >>> table = CostTable(rows=(1, 8), widths=(1, 16), costs=((1.0, 1.75), (1.5, 5.25)))
    >>> table.cost(1, 6), table.cost(1, 31)
    (1.25, 2.5)
    >>> table.prices(8, (1, 2, 3))
    (1.0, 1.1666666666666667, 1.3333333333333333)
    """

    rows: tuple[int, ...]
    widths: tuple[int, ...]  # tokens in a row, root included
    costs: tuple[tuple[float, ...], ...]  # (rows, widths)
    model: str = ""
    device: str = ""
    dtype: str = ""
    seconds: float = 0.0  # of the pass that costs 1
    packed: bool = False  # rows follow each other at their own widths; else each is padded to the widest
    blocked: tuple[int, ...] = ()  # the `widths` at which passes read layers with blocked weights

    def __post_init__(self) -> None:
        for axis in (self.rows, self.widths):
            if not axis or axis[0] != 1 or list(axis) != sorted(set(axis)):
                raise ValueError(f"a cost table's axes start at 1 and rise: {axis}")
        if [len(line) for line in self.costs] != [len(self.widths)] * len(self.rows):
            raise ValueError("a cost table has one cost for every (rows, width)")
        if min(map(min, self.costs)) <= 0:
            raise ValueError("a cost table's costs are positive")

    def cost(self, rows: int, width: float) -> float:
        """The cost of one pass over `rows` rows of `width` tokens each, relative to one row and one token."""
        return _between(self.rows, [_between(self.widths, line, width) for line in self.costs], rows)

    def prices(self, rows: int, widths: Iterable[float]) -> tuple[float, ...]:
        """Costs of rising widths, from 1 on, in plain passes over as many rows. They never fall, even if noisy."""
        plain = self.cost(rows, 1)
        return tuple(accumulate((self.cost(rows, width) / plain for width in widths), max))


def _between(points: Sequence[int], values: Sequence[float], at: float) -> float:
    """`values` at `at`: on the straight line through the points around it, or through the last two beyond them."""
    if len(points) == 1:
        return values[0]
    right = min(max(bisect_right(points, at), 1), len(points) - 1)
    left = right - 1
    part = (at - points[left]) / (points[right] - points[left])
    return values[left] + part * (values[right] - values[left])


def best_width(prices: Sequence[float], chances: Sequence[float]) -> int:
    """The width that writes most tokens for its price; `chances` are the nodes', root first, in falling order.

    >>> best_width([1.0, 1.05, 1.1, 1.15], [1.0, 0.9, 0.8, 0.01]), best_width([1.0, 1.7], [1.0, 0.6])
    (3, 1)
    """
    rates = list(map(truediv, accumulate(chances), prices))  # the root's 1.0 is the token the target writes itself
    best = max(rates)
    return rates.index(best) + 1 if best > WORTHWHILE else 1


def _shares(chances: Sequence[Sequence[float]], pool: Sequence[float]) -> list[int]:
    """Each row's tree size: its root and its nodes in the falling `pool` of likely nodes; earlier rows win a tie."""
    if not pool:
        return [1] * len(chances)
    sizes = [1 + sum(chance > pool[-1] for chance in row[1:]) for row in chances]
    for number, row in enumerate(chances):
        spare = len(pool) + len(chances) - sum(sizes)
        sizes[number] += min(spare, row[1:].count(pool[-1]))
    return sizes


class Budget:
    """Decides how wide the next pass may be: as wide as it pays, but on no more credit than the answer has earned.

    Chances are guesses; the credit is not. A pass may cost more than it writes only out of what earlier passes gained,
    a small part of every token written, and an opening credit. Completely worthless drafts cost 1 % of plain decoding,
    one pass, and half of one for each row, whatever the guesses say.
    """

    def __init__(self, table: CostTable, widest: int) -> None:
        self._table = table
        self._widest = widest
        self._prices: dict[int, tuple[float, ...]] = {}  # by number of rows
        self._credit = OPENING_CREDIT  # in plain tokens

    @property
    def spare(self) -> float:
        """The plain passes that may be spent before the next one: what they bring is verified for the other half."""
        return max(0.0, self._credit / 2)

    def spend(self, passes: float) -> None:
        """Pays for something else than a pass of the target, in plain passes."""
        self._credit -= passes

    def rows_started(self, rows: int) -> None:
        """Adds the credit of this many new rows."""
        self._credit += rows * ROW_CREDIT

    def limit(self, rows: int) -> int:
        """The most nodes in a row: as many as the credit covers if none of them is accepted."""
        return min(self._widest, self._affordable(rows))

    def widths(self, chances: Sequence[Sequence[float]]) -> list[int]:
        """The number of nodes that the next pass verifies in each row, given their chances (as for `best_width`)."""
        rows = len(chances)
        prices = self._price(rows)[: self._affordable(rows)]
        if rows == 1:
            return [best_width(prices, chances[0])]
        if not self._table.packed:
            width = best_width(prices, [sum(at) / rows for at in zip_longest(*chances, fillvalue=0.0)])
            return [min(width, len(row)) for row in chances]
        pool = sorted((chance for row in chances for chance in row[1:]), reverse=True)
        extra = best_width(prices, [1.0, *(chance / rows for chance in pool)]) - 1  # nodes beside the roots
        return _shares(chances, pool[:extra])

    def charge(self, sizes: Sequence[int], written: int) -> None:
        """Pays for a pass over trees of these sizes with the tokens that it wrote."""
        rows = len(sizes)
        place = sum(sizes) - rows if self._table.packed else max(sizes) - 1
        self._credit += written * (1 + ALLOWED_LOSS) - rows * self._price(rows)[place]

    def _affordable(self, rows: int) -> int:
        return max(1, bisect_right(self._price(rows), 1 + self._credit / rows))

    def _price(self, rows: int) -> tuple[float, ...]:
        """Prices of a pass by the nodes of its widest row; if rows are packed, by all nodes except the roots."""
        if rows not in self._prices:
            widths: Iterable[float] = range(1, self._widest + 1)
            if self._table.packed:
                widths = (1 + extra / rows for extra in range(rows * (self._widest - 1) + 1))
            self._prices[rows] = self._table.prices(rows, widths)
        return self._prices[rows]
