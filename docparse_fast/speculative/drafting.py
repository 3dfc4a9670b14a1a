"""A model or a head drafts where the other drafts part from the answer. Knows tokens, chances and costs; no tensor.

The other drafts are made before the target writes and cost nothing more. A model's tokens cost a pass of its own each,
so it is asked at gaps only: from where the drafts part from the answer until they meet again. Where there are no other
drafts the whole answer is one gap, and this is vanilla speculative decoding.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import NamedTuple, Protocol

from docparse_fast.speculative.alignment import Alignment
from docparse_fast.speculative.candidates import Candidate, CandidateKind, Turn
from docparse_fast.speculative.hit_rates import Rate
from docparse_fast.speculative.token_store import TokenStore

LONGEST = 20  # tokens of a proposal
# The two priors of this file were chosen, not fitted; a row learns its own.
FIRST_RIGHT, FIRST_RIGHT_WEIGHT = 0.8, 3.0  # the share of proposals whose first token is right
FEW = 0.2  # passes a token: drafts that write fewer tokens than five a pass are not worth coming back to
DRAFTED = 3.0  # tokens that other drafts are expected to write in a pass, before the first one
LEAST = 0.05  # passes that a token may save, below which one that costs nothing is left out too


class DraftedToken(NamedTuple):
    token: int
    chance: float  # that it is right if all before it is, as the model itself sees it
    read: int = 1  # tokens that the model read in a pass to find it; 0: it came with the token before


@dataclass(frozen=True, slots=True)
class DraftingCosts:
    """What a drafting model costs, in plain passes of the target."""

    reading: float  # the view, once for each row
    token: float  # a pass over one token
    further: float  # each further token of a pass: what was written since the last proposal is read together
    at_once: int = 1  # tokens that come of a pass

    def of_pass(self, read: int) -> float:
        """A pass over so many tokens."""
        return self.token + self.further * max(0, read - 1)

    def of_next(self, drafted: int) -> float:
        """What the next token costs, after so many of a proposal."""
        return 0.0 if drafted % self.at_once else self.token

    def right_in(self, right: float) -> float:
        """Tokens of a pass that are right, if the first one is, and each further one as often as `right` says.

        >>> DraftingCosts(3.0, 0.1, 0.0).right_in(0.8), DraftingCosts(3.0, 0.1, 0.0, at_once=3).right_in(0.5)
        (1.0, 1.75)
        """
        return float(sum(right**place for place in range(self.at_once)))


NO_COSTS = DraftingCosts(0.0, 0.0, 0.0)  # always asked: for measurements of the model alone


class DraftingModel(Protocol):
    """A smaller model or a head that drafts one row's answer. It writes the target's own tokens.

    >>> model.begin(store)                                                      # doctest: +SKIP
    >>> drafted = list(islice(model.propose(written), 5))                       # doctest: +SKIP
    """

    @property
    def costs(self) -> DraftingCosts: ...

    @property
    def longest(self) -> int:
        """The most tokens worth asking for at once."""

    def begin(self, store: TokenStore | None) -> None:
        """Reads the row's view. Called once, before the first proposal, and only if there is one.

        What the row's store has found may be read in one pass.
        """

    def propose(self, written: Sequence[int]) -> Iterator[DraftedToken]:
        """Yields what may follow everything written so far, each token when it is asked for; none after an end."""


class ModelUse(NamedTuple):
    """How much a row used its drafting model."""

    proposals: int
    tokens: int  # proposed
    failure: str = ""  # why it was asked no more
    passes: int = 0


class GapFilling:
    """Decides when one row's drafting model is asked, and for how much."""

    def __init__(self, model: DraftingModel, store: TokenStore | None, *, beside_drafts: bool) -> None:
        self._model = model
        self._store = store
        self._begun = False
        self._missed = 0.0  # passes that it might have saved, before its view was read
        self._written, self._passes = (DRAFTED if beside_drafts else 1.0), 1.0  # as they would be without the model
        self._right = Rate(FIRST_RIGHT, FIRST_RIGHT_WEIGHT)
        self._first = -1  # of the last proposal
        self._read = 0  # tokens of the answer that it has read
        self._in_gap = False  # in this step
        self._asked = False
        self._proposals = 0
        self._tokens = 0
        self._model_passes = 0
        self._failure = ""
        self.spent = 0.0  # in this step, in plain passes of the target

    @property
    def use(self) -> ModelUse:
        return ModelUse(self._proposals, self._tokens, self._failure, self._model_passes)

    def candidate(self, alignment: Alignment, unfilled: float, limit: int, spare: float) -> Candidate | None:
        """What the model proposes, in at most `limit` tokens and `spare` plain passes; None if it is not worth asking.

        `unfilled` is the chance that no other candidate is right.
        """
        hope = unfilled * self._right.value
        self.spent, self._asked, self._in_gap = 0.0, False, alignment.parted
        if self._failure or limit < 2 or not self._in_gap or not self._is_worth_asking(alignment, hope, spare):
            return None
        try:
            drafted = self._drafted(alignment, hope, limit - 1, spare)
        except Exception as error:
            self._give_up(error)
            return None
        return bridge(alignment, drafted, limit) if drafted else None

    def learn(self, written: Sequence[int], without: int) -> None:
        """Receives what was written in this step; without the model it would have been `without` tokens."""
        self._written += without
        self._passes += 1
        if self._in_gap and not self._begun and len(written) == 1:
            self._missed += self._worth
        if self._asked and self._first >= 0:
            right = written[0] == self._first
            self._right.learn(right, not right)

    def _give_up(self, error: Exception) -> None:
        """The target needs no drafts: whatever happened to the model, the answer goes on."""
        self._failure = f"{type(error).__name__}: {error}"

    @property
    def _worth(self) -> float:
        """The passes that one more right token saves: where drafts write many tokens a pass, that is little."""
        return self._passes / self._written

    def _is_worth_asking(self, alignment: Alignment, hope: float, spare: float) -> bool:
        """Its view is read once as much was missed as reading costs: at worst both together are twice the best.

        Where drafts are worth nothing no credit is earned, and the model is needed most: the view is not paid from it.
        """
        costs = self._model.costs
        if not self._begun and self._missed < costs.reading:
            return False
        first = costs.of_pass(len(alignment.written) - self._read if self._begun else 1)
        return hope * self._worth * costs.right_in(self._right.value) >= costs.token and first <= spare

    def _drafted(self, alignment: Alignment, hope: float, most: int, spare: float) -> list[DraftedToken]:
        """Tokens as long as each is worth its pass, or until they are back in a draft."""
        costs, written = self._model.costs, alignment.written
        if not self._begun:
            self._begun = True
            self._model.begin(self._store)
        self._asked = True
        self._read = len(written)
        self._first = -1
        self._proposals += 1
        drafted: list[DraftedToken] = []
        saves = hope * self._worth  # what the next token may save
        for each in islice(self._model.propose(written), min(most, self._model.longest)):
            drafted.append(each)
            self._first = drafted[0].token
            self._tokens += 1
            if each.read:
                self.spent += costs.of_pass(each.read)
                self._model_passes += 1
            saves *= each.chance
            due = costs.of_next(len(drafted))
            if saves < max(due, LEAST if costs.at_once > 1 else 0.0) or self.spent + due > spare:
                break
            if self._worth < FEW and alignment.meeting([one.token for one in drafted]) is not None:
                break
        return drafted


def bridge(alignment: Alignment, drafted: Sequence[DraftedToken], limit: int) -> Candidate:
    """The model's tokens, and where they lead back into a draft, the rest of it."""
    tokens = [each.token for each in drafted]
    chances = {at: each.chance for at, each in enumerate(drafted)}
    place = alignment.meeting(tokens)
    if place is None or len(tokens) >= limit:
        return Candidate(tokens, CandidateKind.MODEL, -1, -1, doubts=chances)
    rest = alignment.route(place, CandidateKind.WINDOW, limit - len(tokens))
    turns = [Turn(len(tokens), rest.draft, rest.position)]
    turns += [turn._replace(at=turn.at + len(tokens)) for turn in rest.turns]
    return Candidate([*tokens, *rest.tokens], CandidateKind.MODEL, -1, -1, tuple(turns), chances)
