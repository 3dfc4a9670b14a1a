"""A target that always writes a stored answer, so that passes can be counted without weights."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from docparse_fast.bench.replay.kit import Words
from docparse_fast.document import Category
from docparse_fast.speculative.costs import CostTable
from docparse_fast.speculative.prefix_tree import PrefixTree
from docparse_fast.speculative.target import Verification
from docparse_fast.targets.dialects.dialect import Dialect
from docparse_fast.targets.identity import Identity, TieBreak

if TYPE_CHECKING:
    from PIL import Image

# A GPU's pass costs nearly the same at any width: measured on an H100 for 2B to 4B parameters, rounded up.
GPU_LIKE = CostTable(rows=(1,), widths=(1, 2, 4, 8, 16, 32, 64), costs=((1.0, 1.01, 1.02, 1.04, 1.08, 1.15, 1.3),))
ROOM = 1 << 20


class StoredDecoder:
    """One row. A node off the answer's path gets the answer's token of its depth; at tau 1 no walk reaches it."""

    slots = 1

    def __init__(self, answer: Sequence[int], end: int, costs: CostTable) -> None:
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


class StoredTarget:
    """A document target for one page with a stored answer."""

    def __init__(self, answer: str, dialect: Dialect, words: Words, costs: CostTable = GPU_LIKE) -> None:
        self.identity = Identity("stored", "", "none", "none")
        self.dialect = dialect
        self.end = words.end
        self.encode = words.encode
        self.decode = words.decode
        self.answer = words.encode(answer)
        self.decoder = StoredDecoder(self.answer, words.end, costs)

    def page_view(self, image: Image.Image) -> object:
        return "page"

    def region_view(self, image: Image.Image, category: Category) -> object | None:
        return None

    def generate(self, view: object, max_tokens: int) -> tuple[int, ...]:
        return (*self.answer, self.end)[:max_tokens]

    def tie_break(self, view: object, written: Sequence[int], other: int) -> TieBreak:
        return TieBreak((*self.answer, self.end)[len(written)], 0.0)
