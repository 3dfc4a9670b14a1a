"""Rules by which a block of drawn drafts is verified at a temperature above 0. Knows probabilities; knows no target.

A drafting model draws a block of tokens from q, and the target has p at each place. A rule says with which chance so
many of them stand, and from what the next token is then drawn. A rule is exact if what is written follows p.

- `TOKENWISE`: each token by itself (Leviathan et al. 2023). Exact.
- `BLOCKWISE`: the block as a whole (Sun et al. 2024). Exact, and no exact rule that draws once more accepts more.
- `HIERARCHICAL`: the branches of prefixes, capped as in the text of the paper on lossless hierarchical decoding. With
  the cap over the tokens before a place alone it is NOT exact; with the place itself under the cap it is `BLOCKWISE`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np
import numpy.typing as npt

Probabilities = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class DrawnBlock:
    """`tokens` were drawn from `q`, a row each; `p` has one row more, for what follows them all."""

    tokens: tuple[int, ...]
    p: Probabilities  # (tokens + 1, vocabulary)
    q: Probabilities  # (tokens, vocabulary)

    @property
    def ratios(self) -> Probabilities:
        """p / q of each token."""
        places = np.arange(len(self.tokens))
        return self.p[places, self.tokens] / self.q[places, self.tokens]


class VerificationRule(Protocol):
    @property
    def name(self) -> str: ...

    @property
    def exact(self) -> bool: ...

    def chances(self, block: DrawnBlock) -> Probabilities:
        """(tokens + 1,): that so many of the block's tokens stand, from none to all."""

    def following(self, block: DrawnBlock, accepted: int) -> Probabilities:
        """(vocabulary,): what the next token is drawn from after so many of them."""


@dataclass(frozen=True, slots=True)
class Tokenwise:
    name: str = "tokenwise"
    exact: bool = True

    def chances(self, block: DrawnBlock) -> Probabilities:
        kept = np.minimum(block.ratios, 1.0)
        reached = np.concatenate(([1.0], np.cumprod(kept)))
        return reached * np.concatenate((1.0 - kept, [1.0]))

    def following(self, block: DrawnBlock, accepted: int) -> Probabilities:
        return _rest(1.0, block, accepted)


@dataclass(frozen=True, slots=True)
class Scanned:
    """Looks for the longest prefix that stands, from the last one on; `weigh` gives each prefix's capped p / q."""

    name: str
    exact: bool
    weigh: Callable[[Probabilities], list[float]]  # of the tokens' ratios; one longer, for the empty prefix

    def chances(self, block: DrawnBlock) -> Probabilities:
        weights = self.weigh(block.ratios)
        found, left = np.zeros(len(weights)), 1.0
        for length in range(len(block.tokens), 0, -1):
            found[length] = left * self._stands(weights[length], block, length)
            left -= found[length]
        found[0] = left
        return found

    def following(self, block: DrawnBlock, accepted: int) -> Probabilities:
        return _rest(self.weigh(block.ratios)[accepted], block, accepted)

    def _stands(self, weight: float, block: DrawnBlock, length: int) -> float:
        if length == len(block.tokens):
            return min(weight, 1.0)
        over = np.maximum(weight * block.p[length] - block.q[length], 0.0).sum()
        under = np.maximum(block.q[length] - weight * block.p[length], 0.0).sum()
        return float(over / max(over, under)) if max(over, under) else 1.0


def _rest(weight: float, block: DrawnBlock, accepted: int) -> Probabilities:
    """What p has over q after the accepted tokens; p itself after all of them."""
    p: Probabilities = block.p[accepted]
    if accepted == len(block.tokens):
        return p
    rest = np.maximum(weight * p - block.q[accepted], 0.0)
    total = float(rest.sum())
    return rest / total if total else p


def _capped_throughout(ratios: Probabilities) -> list[float]:
    weights = [1.0]
    for ratio in ratios:
        weights.append(min(weights[-1] * float(ratio), 1.0))
    return weights


def _capped_before(ratios: Probabilities) -> list[float]:
    """The prefix with the largest ratio before the place counts as 1, if that is more than 1."""
    products = np.concatenate(([1.0], np.cumprod(ratios)))
    weights = [1.0]
    for length in range(1, len(products)):
        largest = max(float(products[:length].max()), 1.0)
        weights.append(float(products[length]) / largest)
    return weights


TOKENWISE = Tokenwise()
BLOCKWISE = Scanned("blockwise", True, _capped_throughout)
HIERARCHICAL = Scanned("hierarchical", False, _capped_before)
RULES: Sequence[VerificationRule] = (TOKENWISE, BLOCKWISE, HIERARCHICAL)


def verify_block(rule: VerificationRule, block: DrawnBlock, generator: np.random.Generator) -> tuple[int, ...]:
    """What is written: the accepted tokens, and one of the target's own."""
    accepted = _draw(rule.chances(block), generator)
    return (*block.tokens[:accepted], _draw(rule.following(block, accepted), generator))


def _draw(chances: Probabilities, generator: np.random.Generator) -> int:
    mass = np.cumsum(chances)
    return min(int(np.searchsorted(mass, generator.random() * mass[-1], side="right")), len(chances) - 1)
