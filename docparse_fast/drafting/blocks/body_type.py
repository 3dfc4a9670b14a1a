"""The size of the type that a page's text is set in."""

from __future__ import annotations

from collections.abc import Sequence

from docparse_fast.drafting.lines import Line
from docparse_fast.drafting.measures import SHORT_PROSE

SAME = 1.03  # ratio of two sizes that are counted together
MUCH = 0.25  # of a page's letters
FEWEST = 6  # lines of prose


def body_size(lines: Sequence[Line]) -> float:
    """The size of most characters; a larger one if much of the page is prose in it, and the most is small print."""
    sizes = sorted((line.size, len(line.plain)) for line in lines)
    usual = _of_most(sizes)
    prose = [line for line in lines if line.size > SAME * usual and line.box.width > SHORT_PROSE * line.size]
    if len(prose) < FEWEST:
        return usual
    larger = _of_most(sorted((line.size, len(line.plain)) for line in prose))
    alike = [line for line in prose if larger / SAME < line.size < larger * SAME]
    much = sum(len(line.plain) for line in alike) > MUCH * sum(count for _, count in sizes)
    return larger if much and len(alike) >= FEWEST else usual


def _of_most(sizes: Sequence[tuple[float, int]]) -> float:
    half = sum(count for _, count in sizes) / 2
    for size, count in sizes:
        half -= count
        if half <= 0:
            return size
    return sizes[-1][0]
