"""How well a proposed table is likely to stand, by what is measured on it. Knows the measures' names; reads no word.

The weights are fitted on tables whose truth is known (`scripts/fit_tables.py`); none is set by hand.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

from docparse_fast.drafting.tables.evidence import MEASURES

WEIGHTS = "table_judge.json"


@dataclass(frozen=True, slots=True)
class Node:
    """A question about one measure, or, where `measure` is negative, an answer."""

    measure: int
    limit: float
    low: int  # the node to go on with where the measure is at most the limit
    high: int
    value: float


class TableJudge:
    """Boosted trees: their answers are added up. 1 is a table whose cells all stand as in the truth, 0 is none."""

    def __init__(self, start: float, trees: Sequence[Sequence[Node]]) -> None:
        self._start = start
        self._trees = trees

    def quality(self, measures: Sequence[float]) -> float:
        """
        >>> TableJudge(0.5, []).quality(())
        0.5
        """
        found = self._start + sum(_answer(tree, measures) for tree in self._trees)
        return min(1.0, max(0.0, found))


def _answer(tree: Sequence[Node], measures: Sequence[float]) -> float:
    node = tree[0]
    while node.measure >= 0:
        node = tree[node.low if measures[node.measure] <= node.limit else node.high]
    return node.value


@cache
def judge() -> TableJudge:
    """The judge that ships."""
    found = json.loads((files("docparse_fast") / "data" / WEIGHTS).read_text())
    if tuple(found["measures"]) != MEASURES:
        raise ValueError(f"{WEIGHTS} was fitted on other measures: run scripts/fit_tables.py again")
    return TableJudge(found["start"], [[Node(*node) for node in tree] for tree in found["trees"]])
