"""What a verification pass costs, and how wide it pays to make one. Knows numbers; does not measure them.

A table belongs to one model, device and dtype. It is measured once (by targets/), stored, and read here: costs are
relative to the pass of one row and one token, which is what plain decoding pays for each token.
"""

from __future__ import annotations

import json
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from itertools import accumulate, zip_longest

OPENING_CREDIT = 2.0  # plain tokens: what a first guess may cost
ALLOWED_LOSS = 0.01  # of the tokens written
WORTHWHILE = 1.02  # a wide pass must promise this much more than a plain one: tables carry noise


@dataclass(frozen=True)
class CostTable:
    """Measured costs on a grid; between its points they are interpolated, beyond it extended along the last slope.

    >>> table = CostTable(rows=(1, 8), widths=(1, 16), costs=((1.0, 1.75), (1.5, 5.25)))
    >>> table.cost(1, 6), table.cost(1, 31)
    (1.25, 2.5)
    >>> table.prices(8, 3)
    (1.0, 1.1666666666666667, 1.3333333333333333)
    >>> CostTable.from_json(table.to_json()) == table
    True
    """

    rows: tuple[int, ...]
    widths: tuple[int, ...]  # tokens a row, root included
    costs: tuple[tuple[float, ...], ...]  # (rows, widths)
    model: str = ""
    device: str = ""
    dtype: str = ""
    seconds: float = 0.0  # of the pass that costs 1

    def __post_init__(self) -> None:
        for axis in (self.rows, self.widths):
            if not axis or axis[0] != 1 or list(axis) != sorted(set(axis)):
                raise ValueError(f"a cost table's axes start at 1 and rise: {axis}")
        if [len(line) for line in self.costs] != [len(self.widths)] * len(self.rows):
            raise ValueError("a cost table has one cost for every (rows, width)")
        if min(map(min, self.costs)) <= 0:
            raise ValueError("a cost table's costs are positive")

    def cost(self, rows: int, width: int) -> float:
        """Of one pass over `rows` rows of `width` tokens each, relative to one row and one token."""
        return _between(self.rows, [_between(self.widths, line, width) for line in self.costs], rows)

    def prices(self, rows: int, limit: int) -> tuple[float, ...]:
        """Of the widths 1, 2, ... limit, in plain passes over as many rows. Never falling, whatever the noise."""
        plain = self.cost(rows, 1)
        return tuple(accumulate((self.cost(rows, width) / plain for width in range(1, limit + 1)), max))

    def to_json(self) -> str:
        return json.dumps(asdict(self))

    @staticmethod
    def from_json(text: str) -> CostTable:
        fields = json.loads(text)
        fields["rows"], fields["widths"] = tuple(fields["rows"]), tuple(fields["widths"])
        fields["costs"] = tuple(tuple(line) for line in fields["costs"])
        return CostTable(**fields)


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
    best, best_rate, written = 1, WORTHWHILE, 0.0
    for width, (price, chance) in enumerate(zip(prices, chances, strict=False), start=1):
        written += chance  # the root's 1.0 is the token that the target writes itself
        if written > best_rate * price:
            best, best_rate = width, written / price
    return best


class Budget:
    """How wide the next pass may be: as wide as it pays, and never on more credit than the answer has earned.

    Chances are guesses; the credit is not. A pass may cost more than it turns out to write only out of what earlier
    passes gained, a small part of every token written, and an opening credit: drafts that are worthless from end to
    end cost 1 % of plain decoding and two passes, whatever the guesses say.
    """

    def __init__(self, table: CostTable, widest: int) -> None:
        self._table = table
        self._widest = widest
        self._prices: dict[int, tuple[float, ...]] = {}  # by rows
        self._credit = OPENING_CREDIT  # in plain tokens

    def limit(self, rows: int) -> int:
        """The widest pass over `rows` rows that the credit covers if nothing at all is accepted."""
        return max(1, bisect_right(self._price(rows), 1 + self._credit / rows))

    def width(self, chances: Sequence[Sequence[float]]) -> int:
        """The best common width, given each row's chances: a pass costs what its widest row does."""
        rows = len(chances)
        if rows == 1:
            return best_width(self._price(1), chances[0])
        mean = [sum(at) / rows for at in zip_longest(*chances, fillvalue=0.0)]
        return best_width(self._price(rows), mean)

    def settle(self, rows: int, width: int, written: int) -> None:
        """Pay for a pass with the tokens that it wrote."""
        self._credit += written * (1 + ALLOWED_LOSS) - rows * self._price(rows)[width - 1]

    def _price(self, rows: int) -> tuple[float, ...]:
        if rows not in self._prices:
            self._prices[rows] = self._table.prices(rows, self._widest)
        return self._prices[rows]
