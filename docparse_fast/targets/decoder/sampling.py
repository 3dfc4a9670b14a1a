"""Chooses what a target writes at each node, from its logits. Knows logits and ancestry; no model, no row's memory.

Greedy by default. At a temperature, a node's draw takes one uniform number, which belongs to the row's seed and the
token's place in the answer, not to the pass: branches that compete for a place share it. So at any temperature drafts
change the number of passes but not the answer, except by rounding: passes of other widths sum in another order, and a
draw near the limit between two tokens changes more easily than an arg-max.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor

from docparse_fast.errors import UsageError
from docparse_fast.targets.decoder.repeats import NoRepeats

BLOCK = 256  # uniform numbers made at a time


@dataclass(frozen=True, slots=True)
class Decoding:
    """How the target chooses its tokens.

    >>> Decoding(repetition_penalty=1.08)      # as HunyuanOCR 1.5's model card decodes
    Decoding(temperature=0.0, seed=0, repetition_penalty=1.08, no_repeats=None)
    """

    temperature: float = 0.0  # 0: greedy
    seed: int = 0
    repetition_penalty: float = 1.0  # above 1: tokens of prompt and answer become less likely
    no_repeats: NoRepeats | None = None

    def __post_init__(self) -> None:
        if self.temperature < 0:
            raise UsageError(f"--temperature {self.temperature:g} is negative", remedy="0 is greedy")
        if self.repetition_penalty <= 0:
            raise UsageError(f"--repetition-penalty {self.repetition_penalty:g} is not positive", remedy="1 is none")


GREEDY = Decoding()


class Uniforms:
    """A row's stream of numbers in [0, 1): the same for the same seeds, whatever else runs.

    >>> Uniforms(1, 2)[300] == Uniforms(1, 2)[300] != Uniforms(1, 3)[300]
    True
    """

    def __init__(self, seed: int, view_seed: int) -> None:
        self._generator = np.random.Generator(np.random.Philox(np.random.SeedSequence([seed, view_seed])))
        self._drawn: list[float] = []

    def __getitem__(self, place: int) -> float:
        while place >= len(self._drawn):
            self._drawn.extend(self._generator.random(BLOCK).tolist())
        return self._drawn[place]


class Choose(Protocol):
    def __call__(self, logits: Tensor, uniforms: list[float]) -> Tensor:
        """(nodes, vocab) logits and one number for each node to (nodes,) tokens."""


def greedy(logits: Tensor, uniforms: list[float]) -> Tensor:
    if logits.device.type == "cpu":
        # several rows in torch 2.13: 16 x 32k takes 1.8 ms in bf16 and 0.3 in fp32, NumPy's takes 0.02; both give
        # the first of equals
        return torch.from_numpy(logits.float().numpy().argmax(-1))
    return logits.float().argmax(-1)


@dataclass(frozen=True, slots=True)
class Draw:
    """Draws by inverting the cumulative distribution."""

    temperature: float

    def __call__(self, logits: Tensor, uniforms: list[float]) -> Tensor:
        mass = (logits.float() / self.temperature).softmax(-1).cumsum(-1)
        at = torch.tensor(uniforms, dtype=mass.dtype).to(mass.device)[:, None] * mass[:, -1:]
        return torch.searchsorted(mass, at, right=True)[:, 0].clamp_(max=mass.shape[-1] - 1)


def chooser(decoding: Decoding) -> Choose:
    return Draw(decoding.temperature) if decoding.temperature else greedy


def penalised(logits: Tensor, seen: Tensor, penalty: float) -> Tensor:
    """Lowers the logits of seen tokens, (nodes, vocab): divides positive ones, multiplies negative ones."""
    logits = logits.float()
    return torch.where(seen, torch.where(logits < 0, logits * penalty, logits / penalty), logits)


def without(logits: Tensor, banned: Sequence[tuple[int, int]]) -> Tensor:
    """Logits, (nodes, vocab), in which these tokens can't be chosen after these nodes."""
    if not banned:
        return logits
    nodes, tokens = torch.tensor(banned, device=logits.device).T
    logits = logits.float().clone()
    logits[nodes, tokens] = -torch.inf
    return logits


def seen_along_paths(seen: Tensor, tokens: list[int], ancestry: npt.NDArray[np.bool_]) -> Tensor:
    """The tokens that the row has seen, (vocab,), plus those on each node's path: (nodes, vocab)."""
    nodes, ancestors = ancestry.nonzero()
    along = seen.repeat(len(tokens), 1)
    along[torch.from_numpy(nodes), torch.from_numpy(np.asarray(tokens)[ancestors])] = True
    return along
