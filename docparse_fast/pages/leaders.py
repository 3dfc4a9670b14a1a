"""Dots that lead from a name to its figures, each a line of its own since they stand far apart: they say nothing."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from itertools import pairwise

from docparse_fast.document import TextLine
from docparse_fast.geometry import runs

FEWEST = 3  # dots
EVEN = 0.2  # of the type's size, by which steps from one dot to the next may differ
FARTHEST = 3.0  # of the type's size, from one to the next


def without_leaders(blocks: Sequence[Sequence[TextLine]]) -> tuple[tuple[TextLine, ...], ...]:
    rows: dict[float, list[TextLine]] = defaultdict(list)
    for line in (line for block in blocks for line in block if line.text.strip() == "." and not line.vertical):
        rows[round(line.spans[0].baseline)].append(line)
    leading = {id(dot) for row in rows.values() for dots in _even(row) for dot in dots}
    kept = (tuple(line for line in block if id(line) not in leading) for block in blocks) if leading else blocks
    return tuple(tuple(block) for block in kept if block)


def _even(row: Sequence[TextLine]) -> list[list[TextLine]]:
    """The runs of dots with one step."""
    ordered = sorted(row, key=lambda dot: dot.box.x0)
    near = runs(ordered, lambda run, dot: dot.box.x0 - run[-1].box.x0 < FARTHEST * dot.spans[0].size)
    return [run for run in near if len(run) >= FEWEST and _is_even(run)]


def _is_even(run: Sequence[TextLine]) -> bool:
    steps = [b.box.x0 - a.box.x0 for a, b in pairwise(run)]
    return max(steps) - min(steps) < EVEN * run[0].spans[0].size
