"""TEDS and TEDS-S: how much of a table's tree must be rewritten to get another, with the cells' texts or without.

Knows tables; the formula is Zhong et al. 2020: 1 - distance / nodes of the larger tree. Heads and bodies are one, and
headings are cells, as the official OmniDocBench tool has it. Trees too large for the exact distance are compared row
by row, which is never better than the exact figure.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from rapidfuzz.distance import Levenshtein

from docparse_fast.bench.scores.plain_text import PLAIN_LETTERS, plain
from docparse_fast.bench.scores.tables import Table

LARGEST_EXACT = 90_000  # nodes of the one times nodes of the other: some ten seconds


@dataclass(frozen=True, slots=True)
class _Node:
    tag: str
    text: str = ""
    spans: tuple[int, int] = (1, 1)
    children: tuple[_Node, ...] = ()


def teds(truth: Table, answer: Table | None, *, structure_only: bool = False) -> float:
    """0 to 100; an absent answer is 0."""
    if answer is None:
        return 0.0
    one, other = _tree(truth, structure_only), _tree(answer, structure_only)
    exact = truth.nodes * answer.nodes <= LARGEST_EXACT
    distance = _exact_distance(one, other) if exact else _row_distance(one, other)
    return 100 * max(0.0, 1 - distance / max(truth.nodes, answer.nodes))


def cell_text(text: str) -> str:
    """What of a cell is compared: no white space, no marks, plain quotes and dashes.

    >>> cell_text("**1 136** &amp; $x_{1}$ – 2")
    '1136&x1-2'
    """
    return re.sub(r"\s+", "", plain(text)).translate(PLAIN_LETTERS)


def _tree(table: Table, structure_only: bool) -> _Node:
    rows = (
        tuple(_Node("td", "" if structure_only else cell_text(cell.text), (cell.rows, cell.columns)) for cell in row)
        for row in table.rows
    )
    return _Node("table", children=tuple(_Node("tr", children=row) for row in rows))


def _renaming(one: _Node, other: _Node) -> float:
    if one.tag != other.tag or one.spans != other.spans:
        return 1.0
    return float(Levenshtein.normalized_distance(one.text, other.text))


def _exact_distance(one: _Node, other: _Node) -> float:
    from apted import APTED, Config

    class Costs(Config):  # type: ignore[misc]  # apted has no types
        def rename(self, node1: Any, node2: Any) -> float:
            return _renaming(node1, node2)

    return float(APTED(one, other, Costs()).compute_edit_distance())


def _row_distance(one: _Node, other: _Node) -> float:
    def rows(row: _Node, with_row: _Node) -> float:
        return _alignment(row.children, with_row.children, _renaming, lambda _: 1.0)

    return _alignment(one.children, other.children, rows, lambda row: 1.0 + len(row.children))


def _alignment(
    ones: Sequence[_Node],
    others: Sequence[_Node],
    change: Callable[[_Node, _Node], float],
    drop: Callable[[_Node], float],
) -> float:
    """The cheapest way from one list to the other, item by item."""
    above = [0.0]
    for other in others:
        above.append(above[-1] + drop(other))
    for one in ones:
        line = [above[0] + drop(one)]
        for at, other in enumerate(others):
            line.append(min(above[at + 1] + drop(one), line[at] + drop(other), above[at] + change(one, other)))
        above = line
    return above[-1]
