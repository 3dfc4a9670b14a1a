"""Channels as copies of other channels: what keeps an enlarged layer's result. Knows indices; no model.

A layer that writes copied channels repeats its rows. A layer that reads them takes a share of each copy, and the shares
of one channel add up to 1. Shares are powers of two, so no weight loses a bit. Copies leave mean and variance as they
were, so norms give what they gave.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property

import torch
from torch import Tensor


@dataclass(frozen=True)
class Copies:
    """
    >>> three = Copies(torch.tensor([0, 1, 0, 1, 0]))
    >>> three.shares.tolist()
    [0.5, 0.5, 0.25, 0.5, 0.25]
    """

    of: Tensor  # (new,) the old channel that each new one copies

    @staticmethod
    def tiled(new: int, old: int) -> Copies:
        """The old channels over and over."""
        return Copies(torch.arange(new) % old)

    @staticmethod
    def evenly(new: int, old: int) -> Copies:
        """As `tiled`, with as many copies of each: what norms need."""
        if new % old:
            raise ValueError(f"{new} channels are not as many copies of each of {old}")
        return Copies.tiled(new, old)

    @cached_property
    def shares(self) -> Tensor:
        """Of n copies, with m the largest power of two up to n, 2m - n have 1/m and the others 1/2m."""
        counts = self.of.bincount()
        if not counts.all():
            raise ValueError("a channel has no copy")
        whole = 2 ** counts.double().log2().floor().long()
        return torch.where(self._nth < (2 * whole - counts)[self.of], 1.0, 0.5).double() / whole[self.of]

    @property
    def _nth(self) -> Tensor:
        """The number of each copy among those of the same channel, from 0."""
        order = self.of.argsort(stable=True)
        counts = self.of.bincount()
        before = (counts.cumsum(0) - counts)[self.of[order]]
        return torch.empty_like(order).scatter(0, order, torch.arange(len(order)) - before)


def within_heads(heads: Tensor, head_size: int, dims: Tensor) -> Tensor:
    """The old channels of new heads: `heads` are the old ones copied, `dims` the old dimensions within each."""
    return (heads[:, None] * head_size + dims).flatten()


@dataclass(frozen=True)
class HeadDims:
    """A head's dimensions, in parts that a rotation pairs by place: (first, second) or (h, w, h's, w's partners).

    A part's first dimensions keep their frequencies, if the rotation's base is raised to the power of the growth. The
    added ones are copies, for the norm's sake, and have no weight in the product of query and key.
    """

    new: int
    old: int
    parts: int

    @property
    def copies(self) -> Tensor:
        new, old = self.new // self.parts, self.old // self.parts
        return torch.cat([part * old + torch.arange(new) % old for part in range(self.parts)])

    @property
    def gain(self) -> Tensor:
        """Of a query's dimensions; attention divides by the root of the head's size."""
        kept = (torch.arange(self.new) % (self.new // self.parts)).lt(self.old // self.parts)
        return kept.double() * math.sqrt(self.new / self.old)

    def base(self, old: float) -> float:
        return float(old ** (self.new / self.old))
