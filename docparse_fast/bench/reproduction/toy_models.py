"""Pairs of toy models that are small enough to try everything that they can write. Knows probabilities and rules.

So what a rule writes is compared with the target's own distribution exactly, not by draws.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import product

import numpy as np

from docparse_fast.speculative.verification_rules import DrawnBlock, Probabilities, VerificationRule

ToyText = tuple[int, ...]


@dataclass(frozen=True, slots=True)
class ToyPair:
    """A target and a drafting model: what each writes after every text of up to `block` tokens."""

    vocabulary: int
    block: int
    p: Mapping[ToyText, Probabilities]
    q: Mapping[ToyText, Probabilities]

    @staticmethod
    def drawn(vocabulary: int, block: int, seed: int, close: float = 0.0) -> ToyPair:
        """Random ones: each distribution is drawn evenly; of q, the part `close` is p itself."""
        generator = np.random.default_rng(seed)
        texts = [text for length in range(block + 1) for text in product(range(vocabulary), repeat=length)]
        p, q = ({text: generator.dirichlet(np.ones(vocabulary)) for text in texts} for _ in range(2))
        return ToyPair(vocabulary, block, p, {text: close * p[text] + (1 - close) * q[text] for text in texts})

    def blocks(self) -> Iterator[tuple[float, DrawnBlock]]:
        """Every block that the drafting model can draw, and how likely it is."""
        for tokens in product(range(self.vocabulary), repeat=self.block):
            prefixes = [tokens[:length] for length in range(self.block + 1)]
            q = np.array([self.q[prefix] for prefix in prefixes[:-1]])
            chance = float(np.prod(q[np.arange(self.block), tokens]))
            yield chance, DrawnBlock(tokens, np.array([self.p[prefix] for prefix in prefixes]), q)

    def draw(self, generator: np.random.Generator) -> DrawnBlock:
        tokens: ToyText = ()
        for _ in range(self.block):
            tokens += (int(generator.choice(self.vocabulary, p=self.q[tokens])),)
        prefixes = [tokens[:length] for length in range(self.block + 1)]
        return DrawnBlock(
            tokens, np.array([self.p[each] for each in prefixes]), np.array([self.q[each] for each in prefixes[:-1]])
        )

    def law(self) -> dict[ToyText, float]:
        """How likely the target alone writes each text of `block` + 1 tokens."""
        return {text: self._chance(text) for text in product(range(self.vocabulary), repeat=self.block + 1)}

    def law_of(self, rule: VerificationRule) -> dict[ToyText, float]:
        """How likely such a text is written with the rule; after a block the target goes on alone."""
        found = dict.fromkeys(product(range(self.vocabulary), repeat=self.block + 1), 0.0)
        begun: dict[ToyText, float] = {}
        for chance, block in self.blocks():
            for accepted, stands in enumerate(rule.chances(block)):
                for token, share in enumerate(rule.following(block, accepted)):
                    text = (*block.tokens[:accepted], token)
                    begun[text] = begun.get(text, 0.0) + chance * float(stands) * float(share)
        for text in found:
            for length in range(1, self.block + 2):
                found[text] += begun.get(text[:length], 0.0) * self._chance(text, length)
        return found

    def _chance(self, text: ToyText, start: int = 0) -> float:
        """That the target writes the text from `start` on, after what is before."""
        return float(np.prod([self.p[text[:place]][text[place]] for place in range(start, len(text))]))

    def accepted(self, rule: VerificationRule) -> float:
        """Tokens of a block that stand, on the mean."""
        return sum(chance * float(rule.chances(block) @ np.arange(self.block + 1)) for chance, block in self.blocks())


def distance(one: Mapping[ToyText, float], other: Mapping[ToyText, float]) -> float:
    """Total variation: the most by which the two differ about anything."""
    return sum(abs(one[text] - other[text]) for text in one) / 2
