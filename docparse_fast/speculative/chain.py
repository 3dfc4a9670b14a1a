"""One answer's likeliest next tokens, for hosts that verify a chain and no tree. Knows token ids; no model, no text."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from docparse_fast.speculative.alignment import Alignment
from docparse_fast.speculative.candidates import Candidate, TokenDraft
from docparse_fast.speculative.hit_rates import HitRates
from docparse_fast.speculative.prefix_tree import Chance
from docparse_fast.speculative.writing import Rephraser

LEAST_CHANCE = 0.05  # a token less likely than this ends the chain


class Chain:
    """
    >>> chain = Chain([TokenDraft((5, 6, 7, 8), 0)], longest=2)
    >>> chain.next([5]), chain.next([5, 6, 7])
    ([6, 7], [8])
    """

    def __init__(
        self,
        drafts: Iterable[TokenDraft],
        grammar: Iterable[Sequence[int]] = (),
        rephrasing: Rephraser | None = None,
        *,
        longest: int,
    ) -> None:
        self._alignment = Alignment(drafts, grammar=grammar)
        self._rates = HitRates()
        self._rephrasing = rephrasing
        self._longest = longest
        self._candidates: list[Candidate] = []  # of the last step, likeliest first

    def next(self, written: Sequence[int]) -> list[int]:
        """At most `longest` tokens that may follow everything written so far; none if nothing is likely."""
        fresh = list(written[len(self._alignment.written) :])
        if not fresh:
            return []
        if self._candidates:
            self._rates.learn(self._candidates, fresh)
        self._alignment.follow(self._candidates, fresh)
        candidates = self._alignment.candidates(self._longest)
        if self._rephrasing is not None:
            candidates += self._rephrasing.candidates(self._alignment.written, self._longest)
        self._candidates, chances = self._rates.ranked(candidates)
        return list(_likely(self._candidates[0], chances[0])[: self._longest]) if self._candidates else []


def _likely(candidate: Candidate, chance: Chance) -> Sequence[int]:
    """The candidate up to its first token that is too unlikely."""
    so_far = 1.0
    for at, _ in enumerate(candidate.tokens):
        so_far *= chance.first if not at else chance.at.get(at, chance.keep)
        if so_far < LEAST_CHANCE:
            return candidate.tokens[:at]
    return candidate.tokens
