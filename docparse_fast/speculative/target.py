"""The interface between decoding and a model. Knows token ids and rows; no tensor, no text, no page.

A target holds `slots` rows side by side. A row is filled with a view (a region crop or the page), verified and
committed step by step, then released. Each `verify` is one forward pass over all named rows and one transfer from the
device: arg-maxima, and log-probabilities only if tolerance (tau < 1) needs them.                   (Eq. 7)
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from docparse_fast.speculative.costs import CostTable
from docparse_fast.speculative.prefix_tree import PrefixTree


@dataclass(frozen=True, slots=True)
class Verification:
    """The results of one row's pass over its tree, indexed by node; node 0 is the last accepted token.

    `choices[s]` is what the target itself writes after the path to s: its arg-max, or at a temperature its draw (if a
    child has the drawn token, the walk goes on there, so sampling needs no rule of its own). With tolerance on,
    `choice_logprobs[s]` is that token's log-probability and `logprobs[v]` is that of node v's token after its parent.
    """

    choices: Sequence[int]
    choice_logprobs: Sequence[float] | None = None
    logprobs: Sequence[float] | None = None


class Target(Protocol):
    """A model that writes as many rows at once as it has slots, greedily or by draws.

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
        """Measured costs of passes by rows and tokens; the node budget uses them."""

    def prefill(self, views: Mapping[int, object], expected: Mapping[int, int] | None = None) -> dict[int, int]:
        """Reads each slot's view; returns the first token of each row. `expected`: how long the answers may become."""

    def verify(self, trees: Mapping[int, PrefixTree], *, tolerant: bool = False) -> dict[int, Verification]:
        """Makes one forward pass over every slot's tree. `tolerant` asks for the log-probabilities as well.

        A target that draws gives no log-probabilities: a likely token must not replace the drawn one.
        """

    def room(self, slot: int) -> int:
        """The most tokens that the row may write, the first included; the model has no places for more."""

    def commit(self, paths: Mapping[int, Sequence[int]]) -> None:
        """Keeps these nodes (root first, each the parent of the next) of the trees just verified; forgets the rest."""

    def release(self, slot: int) -> None:
        """Forgets a finished row; its slot may be prefilled again. Releasing an empty slot is allowed."""
