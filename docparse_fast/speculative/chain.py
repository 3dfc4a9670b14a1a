"""One answer's likeliest next tokens, for hosts that verify a chain and no tree. Knows token ids; no model, no text."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from docparse_fast.speculative.alignment import Alignment
from docparse_fast.speculative.candidates import Candidate, TokenDraft
from docparse_fast.speculative.hit_rates import HitRates
from docparse_fast.speculative.proposing import Rephraser, propose

LEAST_CHANCE = 0.05  # a token less likely than this ends the chain
TREE = 2  # times the chain's tokens: nodes among which its tokens are found


class Chain:
    """
    >>> chain = Chain([TokenDraft((5, 6, 7, 8), 0)], longest=2)
    >>> chain.next([5]), chain.next([5, 6, 7])
    ([6, 7], [8])
    """

    def __init__(
        self,
        drafts: Iterable[TokenDraft],
        rephrasing: Rephraser | None = None,
        *,
        longest: int,
    ) -> None:
        self._alignment = Alignment(drafts)
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
        proposal = propose(self._alignment, self._rates, self._rephrasing, self._longest)
        self._candidates = proposal.candidates
        return proposal.tree(TREE * self._longest, LEAST_CHANCE).likeliest(self._longest)
