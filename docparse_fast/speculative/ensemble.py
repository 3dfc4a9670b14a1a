"""Weighs several drafts of one model by how often they were right on this page (TABED, 5.1). Knows floats and hits.

The target's own tokens are the labels (hard labels): they cost nothing, while its distributions would have to leave the
device. `options` are sets of weights that compete at every place; one of them is `chosen`, and all of them learn.
"""

from __future__ import annotations

import math
import random
from collections.abc import Sequence
from typing import Protocol

Weights = Sequence[float]  # one for each draft; they sum to 1

STEPS = 10  # weights of two drafts go by tenths
PRIOR = 1.0  # misses and hits that each draft begins with


class Weighting(Protocol):
    @property
    def chosen(self) -> int:
        """The option that drafts."""

    def options(self, drafts: int) -> list[Weights]:
        """The options at the beginning of a block, for so many drafts. A fixed number of them, in a fixed order."""

    def learn(self, hits: Sequence[bool]) -> None:
        """Receives which options' likeliest tokens were right at a place."""


class Fixed:
    """The same weights always; without any, all drafts count alike.

    >>> Fixed().options(2), Fixed([1.0, 0.0]).options(2)
    ([[0.5, 0.5]], [[1.0, 0.0]])
    """

    chosen = 0

    def __init__(self, weights: Weights | None = None) -> None:
        self._weights = weights

    def options(self, drafts: int) -> list[Weights]:
        return [[1.0 / drafts] * drafts if self._weights is None else self._weights]

    def learn(self, hits: Sequence[bool]) -> None:
        """Nothing to learn."""


EVEN_WEIGHTS = Fixed()


class RandomWeights:
    """Other weights in every block, by the seed: the control of TABED's Table 4."""

    chosen = 0

    def __init__(self, seed: int) -> None:
        self._random = random.Random(seed)

    def options(self, drafts: int) -> list[Weights]:
        shares = [self._random.random() for _ in range(drafts)]
        return [[share / sum(shares) for share in shares]]

    def learn(self, hits: Sequence[bool]) -> None:
        """Nothing to learn."""


class ByTenths:
    """MT*: of two drafts' weights in steps of a tenth, those that would have been right most often so far.

    >>> weighting = ByTenths()
    >>> weighting.learn([True, *[False] * 10])
    >>> weighting.options(2)[weighting.chosen]
    [1.0, 0.0]
    """

    def __init__(self) -> None:
        self._hits = [0] * (STEPS + 1)

    @property
    def chosen(self) -> int:
        """The most even ones win a tie."""
        return max(range(STEPS + 1), key=lambda at: (self._hits[at], -abs(2 * at - STEPS)))

    def options(self, drafts: int) -> list[Weights]:
        if drafts != 2:
            raise ValueError(f"tenths weigh two drafts, not {drafts}")
        return [[1.0 - at / STEPS, at / STEPS] for at in range(STEPS + 1)]

    def learn(self, hits: Sequence[bool]) -> None:
        self._hits = [count + hit for count, hit in zip(self._hits, hits, strict=True)]


class ByError:
    """MTCP*: softmax of one over each draft's error, here its share of misses so far.

    The paper adds errors up, so that the weights grow even as an answer gets longer; shares stay apart.
    """

    chosen = 0

    def __init__(self, drafts: int) -> None:
        self._misses = [PRIOR] * drafts
        self._seen = 2 * PRIOR

    def options(self, drafts: int) -> list[Weights]:
        """The weights in use, then each draft alone, which shows how often it is right."""
        inverse = [self._seen / misses for misses in self._misses]
        powers = [math.exp(each - max(inverse)) for each in inverse]
        alone = [[float(at == other) for other in range(drafts)] for at in range(drafts)]
        return [[power / sum(powers) for power in powers], *alone]

    def learn(self, hits: Sequence[bool]) -> None:
        self._misses = [misses + (not hit) for misses, hit in zip(self._misses, hits[1:], strict=True)]
        self._seen += 1
