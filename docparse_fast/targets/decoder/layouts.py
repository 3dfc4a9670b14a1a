"""Decides whether a text model's layers are held twice, and which copy a pass reads. Knows the tokens of a pass.

Blocked layers take a third of a plain layer's time on one processor and 1.3 times it on another, depending on the
width, the dtype and the layers' sizes. So both are timed on this machine with the model's own layers, and a pass reads
the blocked ones only at widths where they are clearly quicker. If they never are, there is no second copy. The table of
costs stores the decision, so later runs don't decide again.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from enum import Enum

import torch
from torch import Tensor
from torch.nn import Module

from docparse_fast.speculative.costs import CostTable
from docparse_fast.targets.decoder.attention import TreeAttention
from docparse_fast.targets.decoder.blocked import BlockedLinear, blockable, twin
from docparse_fast.targets.decoder.cache import RowCache
from docparse_fast.targets.decoder.pass_costs import quickest_of
from docparse_fast.targets.decoder.passes import Outputs, PlainModel, TextModel

MARGIN = 0.9  # of the plain layers' time: the least gain worth a second copy, and more than a shared machine's noise
SAMPLE_BYTES = 512 << 20  # of timed layers: more than caches can hold
SECONDS = 4.0  # for the decision


class Layout(Enum):
    """Which layers passes read: the quicker ones or, in tests only, always the same."""

    QUICKER = "quicker"
    BLOCKED = "blocked"
    PLAIN = "plain"

    def forced_on(self, costs: CostTable) -> CostTable:
        """
        >>> Layout.PLAIN.forced_on(CostTable((1,), (1, 8), ((1.0, 2.0),), blocked=(8,))).blocked
        ()
        """
        if self is Layout.QUICKER:
            return costs
        return replace(costs, blocked=costs.widths if self is Layout.BLOCKED else ())


@dataclass(frozen=True, slots=True)
class TwoLayouts:
    """A text model held twice: a pass reads the copy that is quicker for its number of tokens."""

    plain: PlainModel
    blocked: PlainModel
    widths: tuple[int, ...]  # those that were timed
    quicker: tuple[int, ...]  # those where the blocked copy is quicker

    @property
    def group(self) -> int:
        return self.plain.group

    def __call__(self, tokens: Tensor, positions: Tensor, cache: RowCache, tree: TreeAttention) -> Outputs:
        return self.read_at(tokens.shape[1])(tokens, positions, cache, tree)

    def read_at(self, tokens: int) -> PlainModel:
        """A width that was not timed counts as the next narrower one."""
        timed = self.widths[bisect_right(self.widths, tokens) - 1]
        return self.blocked if timed in self.quicker else self.plain


def laid_out(model: PlainModel, costs: CostTable) -> TextModel:
    if not costs.blocked:
        return model
    return TwoLayouts(
        model, replace(model, layers=twin(model.layers), head=twin(model.head)), costs.widths, costs.blocked
    )


@torch.inference_mode()
def quicker_blocked(model: PlainModel, widths: Sequence[int], clock: Callable[[], float]) -> tuple[int, ...]:
    """The widths at which this model's layers are clearly quicker when blocked."""
    plain = _sample(model)
    if not plain:
        return ()
    blocked = [BlockedLinear(linear) for linear in plain]
    inputs = {width: _inputs(plain, width) for width in widths}
    return decided(widths, lambda width: _run(plain, inputs[width]), lambda width: _run(blocked, inputs[width]), clock)


def decided(
    widths: Sequence[int],
    run_plain: Callable[[int], object],
    run_blocked: Callable[[int], object],
    clock: Callable[[], float],
) -> tuple[int, ...]:
    """Times both in turns, width by width; a width that there was no time for stays plain."""
    copies = (run_plain, run_blocked)
    cells = [(copy, width) for width in widths for copy in range(len(copies))]

    def run(copy: int, width: int) -> None:
        copies[copy](width)

    for cell in cells[: len(copies)]:
        run(*cell)
    quickest = quickest_of(cells, run, clock, SECONDS)
    both = [width for width in widths if (1, width) in quickest]
    return tuple(width for width in both if quickest[1, width] < MARGIN * quickest[0, width])


def _sample(model: PlainModel) -> list[torch.nn.Linear]:
    """The model's first layers, as many as fill the sample."""
    linears: list[torch.nn.Linear] = []
    size = 0
    for linear in (*blockable(model.layers), *blockable(model.head)):
        size += linear.weight.nbytes
        if linears and size > SAMPLE_BYTES:
            break
        linears.append(linear)
    return linears


def _inputs(linears: Sequence[torch.nn.Linear], width: int) -> list[Tensor]:
    """(1, width, features) for each layer; layers with equal sizes share theirs."""
    made = {
        (size, dtype): torch.ones(1, width, size, dtype=dtype)
        for size, dtype in {(linear.in_features, linear.weight.dtype) for linear in linears}
    }
    return [made[linear.in_features, linear.weight.dtype] for linear in linears]


def _run(layers: Sequence[Module], inputs: Sequence[Tensor]) -> None:
    for layer, given in zip(layers, inputs, strict=True):
        layer(given)
