"""The cost of looking at images: vision tower and prompt, before a row's first token. Knows numbers; no tensor.

Measured once for a model on a machine and stored, as the costs of passes are, and in the same unit: plain passes.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from docparse_fast.speculative.costs import CostTable


@dataclass(frozen=True, slots=True)
class ReadingCosts:
    """
    >>> costs = ReadingCosts(each=1.5, together=0.5, pixel=0.0001)
    >>> costs.of([10000]), costs.of([10000, 20000])
    (2.5, 5.0)
    """

    each: float  # of an image of no size
    together: float  # of a further one that is read with others
    pixel: float

    def of(self, pixels: Sequence[int]) -> float:
        """Reading images with these numbers of pixels together."""
        return self.each + self.together * (len(pixels) - 1) + self.pixel * sum(pixels)


@dataclass(frozen=True, slots=True)
class StageCosts:
    """All that a stage costs: passes, images, and how many rows share a pass."""

    passes: CostTable
    reading: ReadingCosts
    slots: int
