"""Puts together what may come next in an answer: candidates from drafts, the same reworded, guesses."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple, Protocol

from docparse_fast.speculative.alignment import Alignment
from docparse_fast.speculative.candidates import Candidate
from docparse_fast.speculative.drafting import GapFilling
from docparse_fast.speculative.guess_tree import GuessTree
from docparse_fast.speculative.hit_rates import HitRates
from docparse_fast.speculative.prefix_tree import Chance, TreeBuilder

SURE = 0.75  # a first token this likely needs no guesses


class Rephraser(Protocol):
    """Rewords drafts in the answer's own habits. It belongs to a higher package, because it knows text."""

    def candidates(self, written: Sequence[int], limit: int) -> list[Candidate]:
        """Candidates after `written`, each of at most `limit` tokens, with the numbers of the row's drafts."""

    def guesses(self, written: Sequence[int], share: float) -> GuessTree | None:
        """Guesses of each next token by itself, asked for after `candidates`; None if there are none.

        `share` is the chance that no candidate is right: the smaller it is, the fewer guesses are worth their time.
        """


class Proposal(NamedTuple):
    candidates: list[Candidate]  # likeliest first
    chances: list[Chance]  # of the candidates
    guesses: GuessTree | None

    def tree(self, limit: int, least: float) -> TreeBuilder:
        """The likeliest nodes: at most `limit`, root included, and none less likely than `least`."""
        tokens = [candidate.tokens for candidate in self.candidates]
        return TreeBuilder(tokens, self.chances, limit, least, self.guesses)


def propose(
    alignment: Alignment,
    rates: HitRates,
    rephrasing: Rephraser | None,
    limit: int,
    gaps: GapFilling | None = None,
    spare: float = 0.0,
) -> Proposal:
    """What may come after everything written, in candidates of at most `limit` tokens.

    A drafting model that fills gaps may spend `spare` plain passes of the target.
    """
    candidates = alignment.candidates(limit)
    guesses = None
    if rephrasing and limit > 1:
        candidates += rephrasing.candidates(alignment.written, limit)
    if gaps:
        filled = gaps.candidate(alignment, 1.0 - rates.best(candidates), limit, spare)
        candidates += [filled] if filled else []
    if rephrasing and limit > 1:
        best = rates.best(candidates)
        if best < SURE:
            guesses = rephrasing.guesses(alignment.written, 1.0 - best)
    return Proposal(*rates.ranked(candidates, guesses), guesses)
