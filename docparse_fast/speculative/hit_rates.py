"""Measures how often each kind of candidate is right in this row. Knows kinds and counts; no cost and no model.

Every candidate is compared with what the target then wrote, whether it was in the tree or not. So a kind that is no
longer offered is still measured, and returns when it begins to be right, without any probing. A row starts from fixed
priors and learns from itself alone: earlier rows change nothing.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from operator import itemgetter

from docparse_fast.speculative.candidates import NOT_DRAFTED, Candidate, CandidateKind
from docparse_fast.speculative.draft_index import agreement
from docparse_fast.speculative.guess_tree import Guess, GuessTree
from docparse_fast.speculative.prefix_tree import Chance

MEMORY = 0.9  # the weight that old events keep when a new one is seen: about the last ten count


class Rate:
    """A share of hits that starts from a prior worth a few observations."""

    __slots__ = ("_hits", "_seen", "value")

    def __init__(self, prior: float, weight: float) -> None:
        self._hits = prior * weight
        self._seen = weight
        self.value = prior

    def learn(self, hits: float, misses: float) -> None:
        self._hits = self._hits * MEMORY + hits
        self._seen = self._seen * MEMORY + hits + misses
        self.value = self._hits / self._seen


# The chance that a candidate's first token is right if no better one is right there. How they were chosen was not
# kept; a row soon learns its own, and a third to a half more or less moves pages by less than 1 % (docs/log/drafts.md).
# Behind each the share that was right where it was scored, on 14 stored answers (`bench replay`, 2026-11-27).
FIRST = {
    CandidateKind.WINDOW: 0.9,  # 0.48 of 67
    CandidateKind.NEAR: 0.35,  # 0.11 of 322
    CandidateKind.OWN: 0.4,  # 0.56 of 126
    CandidateKind.GUESS: 0.5,  # 0.54 of 193
    CandidateKind.REPHRASED: 0.96,  # of the chance that it claims: 0.73 of 910
    CandidateKind.MODEL: 0.9,  # of the chance that the model itself gives; none there
}
FIRST_WEIGHT = 3.0
KEEP, KEEP_WEIGHT = 0.95, 12.0  # the chance that a token is right after a right one: 0.97 of 13,165
TURN, TURN_WEIGHT = 0.8, 3.0  # ... if it goes on in the next region's draft: 0.76 of 169

GUESSES = Candidate((), CandidateKind.GUESS, -1, -1)


class HitRates:
    """Chances by kind, learnt while the row is decoded."""

    def __init__(self) -> None:
        self._first = {kind: Rate(prior, FIRST_WEIGHT) for kind, prior in FIRST.items()}
        drafts, reworded, own, model = (Rate(KEEP, KEEP_WEIGHT) for _ in range(4))
        self._turn = Rate(TURN, TURN_WEIGHT)
        self._guesses: Sequence[Guess] = ()  # of this step's next token
        self._keep = dict.fromkeys(CandidateKind, drafts)
        self._keep |= {CandidateKind.REPHRASED: reworded, CandidateKind.OWN: own, CandidateKind.MODEL: model}

    def best(self, candidates: Iterable[Candidate]) -> float:
        """The chance of the likeliest candidate's first token."""
        return max(map(self._first_chance, candidates), default=0.0)

    def ranked(
        self, candidates: Sequence[Candidate], guesses: GuessTree | None = None
    ) -> tuple[list[Candidate], list[Chance]]:
        """The candidates with their chances, likeliest first; last, without tokens, one that stands for all guesses.

        A rephrased draft is as likely as the likeliest that begins alike, and goes before it: it knows more of how the
        answer goes on. Else a kind of drafts that is right more often by its first token would have all those right
        beginnings counted for itself, and would keep the better one behind it.
        """
        chances = [self._first_chance(candidate) for candidate in candidates]
        alike: dict[int, float] = {}  # by token, the chance of the likeliest draft that begins with it
        for chance, candidate in zip(chances, candidates, strict=True):
            token = candidate.tokens[0] if candidate.kind not in NOT_DRAFTED else -1
            if token >= 0 and chance > alike.get(token, 0.0):
                alike[token] = chance
        placed = [
            (alike[candidate.tokens[0]] if rephrased else chance, rephrased, candidate)
            for chance, candidate in zip(chances, candidates, strict=True)
            for rephrased in (candidate.kind is CandidateKind.REPHRASED,)
        ]
        placed.sort(key=itemgetter(0, 1), reverse=True)
        ranked = [candidate for _, _, candidate in placed]
        likely = [self._chance(candidate, first) for first, _, candidate in placed]
        self._guesses = guesses.first if guesses else ()
        if guesses:
            ranked.append(GUESSES)
            likely.append(Chance(min(1.0, self._first[CandidateKind.GUESS].value)))
        return ranked, likely

    def _chance(self, candidate: Candidate, first: float) -> Chance:
        keep = self._keep[candidate.kind].value
        if not candidate.turns and not candidate.doubts:
            return Chance(first, keep)
        return Chance(first, keep, {**{turn.at: self._turn.value for turn in candidate.turns}, **candidate.doubts})

    def _first_chance(self, candidate: Candidate) -> float:
        return min(1.0, self._first[candidate.kind].value * _claim(candidate))

    def learn(self, ranked: Sequence[Candidate], written: Sequence[int]) -> None:
        """Scores each candidate up to the first right one; a candidate that repeats a better one is not scored."""
        asked: set[int] = set()
        for candidate in ranked:
            if candidate is GUESSES:
                break
            token, claimed = candidate.tokens[0], _claim(candidate)
            if token == written[0]:
                self._first[candidate.kind].learn(1, claimed - 1)
                self._learn_run(candidate, agreement(candidate.tokens, written), len(written))
                return
            if token not in asked:
                asked.add(token)
                self._first[candidate.kind].learn(0, claimed)
        self._learn_guesses(asked, written[0])

    def _learn_guesses(self, asked: set[int], token: int) -> None:
        """Scores all guesses as one: their rate is how often they are right, by the chance they were given."""
        expected, right, left = 0.0, False, 1.0
        for guess in self._guesses:
            if guess.token not in asked:
                expected += guess.chance * left
                right = right or guess.token == token
                left *= 1.0 - guess.chance
        if expected:
            self._first[CandidateKind.GUESS].learn(right, expected - right)

    def _learn_run(self, candidate: Candidate, agreed: int, written: int) -> None:
        """Scores the tokens after the first, up to the first wrong one; special tokens are scored apart."""
        broken = agreed < min(written, len(candidate.tokens))
        for turn in candidate.turns:
            if agreed > turn.at:
                self._turn.learn(1, 0)
            elif agreed == turn.at and broken:
                self._turn.learn(0, 1)
                broken = False
        if agreed in candidate.doubts:
            broken = False
        if agreed > 1 or broken:
            self._keep[candidate.kind].learn(agreed - 1, int(broken))


def _claim(candidate: Candidate) -> float:
    """The chance that a candidate gives its own first token; most have only their kind's rate."""
    return candidate.doubts.get(0, 1.0)
