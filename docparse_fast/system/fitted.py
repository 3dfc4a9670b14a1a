"""Boosted trees that were fitted on pages of known truth. Knows measures by their names; reads no word.

No weight is set by hand: `scripts/training/fit_tables.py` and `scripts/training/fit_headings.py` write the files.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from functools import cache
from importlib.resources import files
from typing import NamedTuple


class Node(NamedTuple):
    """A question about one measure, or, where `measure` is negative, an answer."""

    measure: int
    limit: float
    low: int  # the node to go on with where the measure is at most the limit
    high: int
    value: float


class FittedTrees:
    """Their answers are added up: 1 is what the truth has, 0 is what it hasn't; some come to more than 1."""

    def __init__(self, start: float, trees: Sequence[Sequence[Node]]) -> None:
        self._start = start
        self._trees = trees

    def quality(self, measures: Sequence[float]) -> float:
        """
        >>> FittedTrees(0.5, []).quality(())
        0.5
        """
        return max(0.0, self._start + sum(_answer(tree, measures) for tree in self._trees))


def _answer(tree: Sequence[Node], measures: Sequence[float]) -> float:
    measure, limit, low, high, value = tree[0]
    while measure >= 0:
        measure, limit, low, high, value = tree[low if measures[measure] <= limit else high]
    return value


@cache
def fitted_trees(weights: str, measures: tuple[str, ...], script: str) -> FittedTrees:
    """Those of a file that ships; `script` makes it anew where it asks for a measure that is no more."""
    found = json.loads((files("docparse_fast") / "data" / weights).read_text())
    unknown = set(found["measures"]) - set(measures)
    if unknown:
        raise ValueError(f"{weights} asks for {', '.join(sorted(unknown))}: run scripts/{script} again")
    place = [measures.index(name) for name in found["measures"]]
    trees = [[Node(place[n[0]] if n[0] >= 0 else n[0], *n[1:]) for n in tree] for tree in found["trees"]]
    return FittedTrees(found["start"], trees)
