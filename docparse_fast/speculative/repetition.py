"""Finds loops: a span written many times, back to back. Knows tokens; stops nothing.

A looping target is stopped. Changing its probabilities would end the loop too, but the answer would no longer be its
own. Only this module decides what counts as a loop.
"""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from typing import NamedTuple

LONGEST_PERIOD = 256
FEWEST_REPEATS = 4
SHORTEST_LOOP = 256  # tokens: a row of dots in a table of contents is no loop
CHECK_EVERY = 32  # tokens, counted from the row's first: where a row stops must not depend on its steps

_TAIL = FEWEST_REPEATS * LONGEST_PERIOD
_PROBE = 16  # the last tokens of any loop have been written once before


class Loop(NamedTuple):
    period: int
    length: int  # of the whole run, unfinished repeats included

    @property
    def repeats(self) -> int:
        return self.length // self.period


def find_loop(tokens: Sequence[int]) -> Loop | None:
    """The loop at the end of `tokens`, if there is one.

    >>> find_loop([9] + [1, 2, 3] * 100)
    Loop(period=3, length=300)
    """
    tail = tokens[-_TAIL:]
    if len(tail) < SHORTEST_LOOP or not _seen_before(tail):
        return None
    for length, period in enumerate(_periods(tail[::-1]), start=1):
        if length >= max(SHORTEST_LOOP, FEWEST_REPEATS * period) and period <= LONGEST_PERIOD:
            return Loop(period, _run(tokens, period))
    return None


def _seen_before(tail: Sequence[int]) -> bool:
    """A quick test whether the tail was written before; nearly always it was not."""
    packed = array("q", tail[-LONGEST_PERIOD - _PROBE :]).tobytes()
    step = array("q").itemsize
    return packed.rfind(packed[-_PROBE * step :], 0, len(packed) - step) >= 0


def _periods(sequence: Sequence[int]) -> list[int]:
    """The smallest period of each prefix: its length less that of its longest border (Knuth, Morris, Pratt)."""
    borders = [0]
    border = 0
    for token in sequence[1:]:
        while border and token != sequence[border]:
            border = borders[border - 1]
        border += token == sequence[border]
        borders.append(border)
    return [length - border for length, border in enumerate(borders, start=1)]


def _run(tokens: Sequence[int], period: int) -> int:
    """How far back the period holds, in tokens."""
    start = len(tokens) - period
    while start and tokens[start - 1] == tokens[start - 1 + period]:
        start -= 1
    return len(tokens) - start
