"""A target that writes an answer which is known already: what would drafts have saved, and what came from them?"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from docparse_fast.speculative.costs import CostTable
from docparse_fast.speculative.prefix_tree import PrefixTree
from docparse_fast.speculative.target import Verification

ROOM = 1 << 20
EVEN = CostTable(rows=(1,), widths=(1,), costs=((1.0,),))  # every pass costs the same, however wide


class StoredAnswer:
    """A target of one row that writes a known answer.

    A node off the answer's path gets the answer's token of its depth; at tau 1 no walk reaches it.
    """

    slots = 1

    def __init__(self, answer: Sequence[int], end: int, costs: CostTable = EVEN) -> None:
        self.eos = frozenset({end})
        self.costs = costs
        self.cost = 0.0  # of all passes, in plain passes
        self._answer = (*answer, end)
        self._written = 0

    def prefill(self, views: Mapping[int, object], expected: Mapping[int, int] | None = None) -> dict[int, int]:
        return dict.fromkeys(views, self._answer[0])

    def verify(self, trees: Mapping[int, PrefixTree], *, tolerant: bool = False) -> dict[int, Verification]:
        self.cost += sum(self.costs.cost(1, len(tree)) for tree in trees.values())
        return {slot: Verification([self._at(depth) for depth in tree.depths]) for slot, tree in trees.items()}

    def _at(self, depth: int) -> int:
        return self._answer[min(self._written + 1 + depth, len(self._answer) - 1)]

    def room(self, slot: int) -> int:
        return ROOM

    def commit(self, paths: Mapping[int, Sequence[int]]) -> None:
        self._written += sum(map(len, paths.values()))

    def release(self, slot: int) -> None:
        self._written = 0
