"""What decoding asks of a model, and what it gets back. Knows token ids and rows; no tensor, no text, no page.

A target holds `slots` rows side by side. A row is filled with a view (a region crop or the page), then verified and
committed step by step, then released. One `verify` is one forward pass over every named row and one crossing from the
device: arg-maxima, and log-probabilities only where tolerance (tau < 1) asks for them.                        (Eq. 7)
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from docparse_fast.speculative.costs import CostTable
from docparse_fast.speculative.prefix_tree import PrefixTree


@dataclass(frozen=True, slots=True)
class Verification:
    """One row's pass over its tree, reduced. All three are indexed by node; node 0 is the last accepted token.

    `choices[s]` is what the target itself writes after the path to s: its arg-max, or at a temperature its draw (a
    draw that is a child is descended into, so sampling needs no rule of its own). With tolerance on,
    `choice_logprobs[s]` is that token's log-probability and `logprobs[v]` is that of node v's token after its parent.
    """

    choices: Sequence[int]
    choice_logprobs: Sequence[float] | None = None
    logprobs: Sequence[float] | None = None


class Target(Protocol):
    """A model that writes, greedily or by draws, as many rows at once as it has slots.

    >>> first = target.prefill({0: view})[0]                      # doctest: +SKIP
    >>> tree = PrefixTree.build(first, candidates, budget=16)     # doctest: +SKIP
    >>> verification = target.verify({0: tree})[0]                # doctest: +SKIP
    >>> target.commit({0: acceptance.path})                       # doctest: +SKIP
    """

    @property
    def slots(self) -> int:
        """How many rows fit side by side."""

    @property
    def eos(self) -> frozenset[int]:
        """The ids that end an answer."""

    @property
    def costs(self) -> CostTable:
        """What a pass of so many rows and tokens costs, measured; the node budget reads it."""

    def prefill(self, views: Mapping[int, object]) -> dict[int, int]:
        """Look at each slot's view; the first token each row writes."""

    def verify(self, trees: Mapping[int, PrefixTree], *, tolerant: bool = False) -> dict[int, Verification]:
        """One forward pass over every slot's tree. `tolerant` asks for the log-probabilities as well.

        A target that draws gives none: what is likely must not stand in for what was drawn.
        """

    def room(self, slot: int) -> int:
        """How many tokens the row may write in all, the first included: what the model has places for."""

    def commit(self, paths: Mapping[int, Sequence[int]]) -> None:
        """Keep these nodes (root first, each the parent of the next) of the trees just verified; forget the rest."""

    def release(self, slot: int) -> None:
        """Forget a finished row; its slot may be prefilled again. A slot that holds no row may be released too."""
