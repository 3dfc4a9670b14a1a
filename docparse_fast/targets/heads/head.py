"""A head that a target's checkpoint carries: what opens it for a row, and what its drafts cost. Knows sizes; no weight.

Nothing is measured: in a pass over few tokens a device waits for the weights, so a head costs as much of a plain pass
as its weights are of the target's, the last layer's, which both use, included.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Protocol

import torch
from torch import Tensor
from torch.nn import Module

from docparse_fast.speculative.costs import CostTable
from docparse_fast.speculative.drafting import DraftingCosts, DraftingModel
from docparse_fast.targets.decoder.taps import Taps
from docparse_fast.targets.decoder.vlm import View, VisionLanguageTarget


class Head(Protocol):
    @property
    def taps(self) -> Taps: ...

    def drafts(self, decoder: VisionLanguageTarget, view: View) -> DraftingModel:
        """Drafts for the row that will be filled with this view."""


@dataclass(frozen=True, slots=True)
class Shared:
    """The target's parts that a head uses as its own."""

    text: Any
    embed: Any
    last: Module  # from states to logits

    @classmethod
    def of(cls, network: Any) -> Shared:
        return cls(network.model.language_model, network.get_input_embeddings(), network.lm_head)

    def embedded(self, tokens: list[int]) -> Tensor:
        """(tokens, hidden)"""
        embeds: Tensor = self.embed(torch.tensor(tokens, device=self.embed.weight.device))
        return embeds

    def choices(self, states: Tensor) -> list[tuple[int, float]]:
        """Of (tokens, hidden): the likeliest token after each, and its chance. One transfer from the device."""
        chances, tokens = self.last(states).float().softmax(-1).max(-1)
        both = torch.stack([tokens.double(), chances.double()], 1).tolist()
        return [(int(token), chance) for token, chance in both]


def weights_read(module: Any, config: Any) -> float:
    """How many weights a pass over one token reads: of a mixture of experts those of the chosen ones alone."""
    experts = getattr(config, "num_experts", 0)
    chosen = config.num_experts_per_tok / experts if experts else 1.0
    parts = ((weight.numel(), "experts." in name) for name, weight in module.named_parameters())
    return float(sum(size * (chosen if in_experts else 1.0) for size, in_experts in parts))


@dataclass(frozen=True, slots=True)
class Share:
    """A head's weights, as parts of those that a plain pass of the target reads."""

    layers: float
    last: float

    @classmethod
    def of(cls, layers: Module, shared: Shared) -> Share:
        config = shared.text.config
        last = weights_read(shared.last, config)
        plain = weights_read(shared.text.layers, config) + last
        return cls(weights_read(layers, config) / plain, last / plain)

    def costs(self, table: CostTable, prompt: int, block: int = 1) -> DraftingCosts:
        """In plain passes. A pass over `block` tokens gives all but the first of them, or one if it is alone."""
        passes, wide = self.layers + self.last, table.cost(1, block)
        further = (table.cost(1, block + 1) - wide) * passes
        return DraftingCosts(self.layers * table.cost(1, prompt), wide * passes, further, at_once=max(1, block - 1))
