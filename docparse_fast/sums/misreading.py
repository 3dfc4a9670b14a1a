"""What a figure would have to be for a sum to hold, and whether one misread sign makes that of it."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import replace

from docparse_fast.sums.figures import Numeral
from docparse_fast.sums.formulas import CellAt, Instance, computed
from docparse_fast.sums.relations import Grid, figure_at, parts_of

MOST_READINGS = 12  # that a cell may have had by one rounded sum


def needed_in(grid: Grid, one: Instance, cell: CellAt, printed: Numeral) -> Iterator[Numeral]:
    """The figures in this cell with which the sum holds: each sum is linear in each of its cells."""
    parts, result = parts_of(grid, one), figure_at(grid, one.result)
    assert result is not None
    values = [part.value for part in parts]
    if cell == one.result:
        low = high = computed(one.kind, values, one.signs)
        reach = printed.step / 2
    else:
        at = one.parts.index(cell)
        zero, unit = (computed(one.kind, [*values[:at], value, *values[at + 1 :]], one.signs) for value in (0.0, 1.0))
        if unit == zero:
            return
        low = high = (result.value - zero) / (unit - zero)
        reach = result.step / 2 / abs(unit - zero)
    first, last = math.ceil((low - reach) / printed.step - 1e-6), math.floor((high + reach) / printed.step + 1e-6)
    if last - first < MOST_READINGS:
        yield from (replace(printed, units=units) for units in range(first, last + 1))


def is_misread(printed: Numeral, needed: Numeral) -> bool:
    """Whether one sign misread makes one of the other: a digit for another, lost or added, two changed about, a minus.

    >>> [is_misread(Numeral(1234, 0), Numeral(units, 0)) for units in (1284, 134, 12934, 1324, -1234, 1234, 1999)]
    [True, True, True, True, True, False, False]
    """
    if printed.units == needed.units:
        return False
    if printed.units == -needed.units:
        return True
    if (printed.units < 0) != (needed.units < 0) and needed.units:
        return False
    width = printed.places + 1  # 0.05 has a digit before its point
    ours, theirs = (str(abs(each.units)).rjust(width, "0") for each in (printed, needed))
    if len(ours) == len(theirs):
        off = [n for n, (a, b) in enumerate(zip(ours, theirs, strict=True)) if a != b]
        return len(off) == 1 or (
            len(off) == 2 and off[1] == off[0] + 1 and ours[off[0]] == theirs[off[1]] and ours[off[1]] == theirs[off[0]]
        )
    short, long = sorted((ours, theirs), key=len)
    return len(long) == len(short) + 1 and any(long[:n] + long[n + 1 :] == short for n in range(len(long)))
