"""Finds what two columns make of a third in each row: quantity by price, net and tax, shares, differences.

Any two are tried for any third, in the first rows that have all three; what fails there isn't looked at further.
"""

from __future__ import annotations

import math
from collections.abc import Container, Iterator, Sequence
from itertools import combinations, pairwise

from docparse_fast.sums.figures import Numeral
from docparse_fast.sums.formulas import Instance, SumKind, spread_of
from docparse_fast.sums.relations import Grid, Relation, relation_of

MOST_COLUMNS = 30  # of figures; of a wider table the first
FIRST = 3  # rows, in one of which a relation has to hold
LOOKED_AT = 6  # rows, in half of which
VAGUE = 0.3  # of a result: a sum that could be off by more says nothing
WAYS = 9  # that two figures may make a third

_Way = tuple[SumKind, tuple[int, int]]


def across(grid: Grid) -> list[Relation]:
    columns = list(_counting(grid))[:MOST_COLUMNS]
    tried = math.log10(max(1, len(columns) * math.comb(len(columns) - 1, 2) * WAYS)) if len(columns) > 2 else 0.0
    shares = [{each.units for each in row if each and not each.places and 0 < each.units < 100} for row in grid]
    rows = {n: sum(1 << r for r, row in enumerate(grid) if row[n] is not None) for n in columns}
    long = {
        n: sum(1 << r for r, row in enumerate(grid) if (each := row[n]) is not None and each.is_long) for n in columns
    }
    found: list[Relation] = []
    for result in columns:
        room = spread_of(row[result] for row in grid)
        for pair in combinations([n for n in columns if n != result], 2):
            shared = rows[result] & rows[pair[0]] & rows[pair[1]]
            for kind, parts in _promising(grid, shares, _first(shared & long[result]), pair, result):
                plain = _relation(grid, kind, parts, result, shared, tried, room)
                found += [plain] if plain is not None else []
                if kind == "product" and (plain is None or plain.broken):
                    found += _reduced(grid, columns, parts, result, shared, tried, room)
    return found


def _counting(grid: Grid) -> Iterator[int]:
    """The columns of figures, but for those that only number the rows."""
    for n in range(len(grid[0]) if grid else 0):
        values = [figure.value for row in grid if (figure := row[n]) is not None]
        if values and not (len(values) > 2 and len({b - a for a, b in pairwise(values)}) == 1):
            yield n


def _first(rows: int) -> list[int]:
    found: list[int] = []
    while rows and len(found) < LOOKED_AT:
        lowest = rows & -rows
        found.append(lowest.bit_length() - 1)
        rows ^= lowest
    return found


def _promising(
    grid: Grid, shares: Sequence[Container[int]], rows: Sequence[int], pair: tuple[int, int], result: int
) -> list[_Way]:
    """What holds in half of the rows at least, were all figures rounded."""
    found: dict[_Way, int] = {}
    for looked, r in enumerate(rows, 1):
        row = grid[r]
        a, b, c = row[pair[0]], row[pair[1]], row[result]
        if a is not None and b is not None and c is not None:
            for way in _ways(a, b, c, pair, shares[r]):
                found[way] = found.get(way, 0) + 1
        if looked == FIRST and not found:
            break
    return [way for way, count in found.items() if 2 * count >= len(rows)]


def _ways(a: Numeral, b: Numeral, c: Numeral, pair: tuple[int, int], shares: Container[int]) -> Iterator[_Way]:
    """What holds, as near as it says something: where the parts' rounding leaves nearly any result, nothing does."""
    x, y, z = a.value, b.value, c.value
    near, far = (a.step * abs(y) + b.step * abs(x)) / 2 + c.step, VAGUE * abs(z)
    made, back = x * y, (pair[1], pair[0])
    if (near < far and abs(abs(made) - abs(z)) <= near) or made == z or _share_off(made, c) in shares:
        yield "product", pair
    if abs(x + y - z) <= c.step + max(a.step, b.step):
        yield "sum", pair
    made, near = made / 100, near / 100 + c.step + max(a.step, b.step)
    if near > far:
        return
    if abs(abs(made) - abs(z)) <= near:
        yield "percentage", pair if b.percent or not a.percent else back
    if abs(x + made - z) <= near:
        yield "raised", pair
    if abs(y + made - z) <= near:
        yield "raised", back
    if abs(x - made - z) <= near:
        yield "reduced", pair
    if abs(y - made - z) <= near:
        yield "reduced", back


def _share_off(made: float, result: Numeral) -> int:
    """The whole share of the product that the result is less than it; 0 where it isn't."""
    if not 51 * result.step < abs(result.value) < abs(made):
        return 0
    share = 100 * (1 - abs(result.value / made))
    return round(share) if abs(share - round(share)) <= 51 * result.step / abs(made) else 0


def _relation(
    grid: Grid, kind: SumKind, parts: tuple[int, int], result: int, rows: int, tried: float, spread: float
) -> Relation | None:
    if not grid.may_cost(rows.bit_count()):
        return None
    instances = [Instance(kind, r, tuple((r, n) for n in parts), (1, 1), (r, result)) for r in _all(rows)]
    return relation_of(grid, "row", (parts, (1, 1), result), instances, tried, spread=spread)


def _reduced(
    grid: Grid, columns: Sequence[int], parts: tuple[int, int], result: int, rows: int, tried: float, spread: float
) -> Iterator[Relation]:
    """Products of which some are reduced by the share in one more column: 12 at 3.50 less 10 %."""
    for share in columns:
        if not grid.may_cost(rows.bit_count()):
            return
        having = [r for r in _all(rows) if grid[r][share] is not None]
        if share in (*parts, result) or not having:
            continue
        instances = [
            Instance("reduced", r, tuple((r, n) for n in (*parts, share)), (1, 1, 1), (r, result))
            if grid[r][share] is not None
            else Instance("product", r, tuple((r, n) for n in parts), (1, 1), (r, result))
            for r in (*having, *(r for r in _all(rows) if grid[r][share] is None))
        ]
        lines = ((*parts, share), (1, 1, 1), result)
        found = relation_of(grid, "row", lines, instances, tried + math.log10(len(columns)), spread=spread)
        if found is not None:
            yield found


def _all(rows: int) -> Iterator[int]:
    return (n for n in range(rows.bit_length()) if rows >> n & 1)
