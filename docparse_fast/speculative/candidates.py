"""A possible continuation of an answer, and where it comes from. Knows tokens; finds nothing and judges nothing."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from enum import StrEnum
from types import MappingProxyType
from typing import NamedTuple


class CandidateKind(StrEnum):
    """The reason why a candidate is offered."""

    WINDOW = "window"  # the window occurs there (Eq. 5), or the draft being read goes on
    NEAR = "near"  # after a mismatch: the draft goes on near the place where it should by now
    OWN = "own"  # the window occurs in what the row itself has written
    GUESS = "guess"  # each token by itself: as the answer went on before, with the draft's letters
    REPHRASED = "rephrased"  # a draft goes on, in the words and signs that the answer uses
    MODEL = "model"  # a smaller model goes on so


NOT_DRAFTED = frozenset({CandidateKind.OWN, CandidateKind.GUESS, CandidateKind.MODEL})


class TokenDraft(NamedTuple):
    """A draft in the target's tokens. Drafts of one region are alternatives: once one is read, all are."""

    tokens: Sequence[int]
    region: int  # numbered in the expected reading order
    last: int = -1  # the last region that it goes on over, if it has several: read, they all are


class Turn(NamedTuple):
    """Where a candidate continues in another draft."""

    at: int  # of the candidate's tokens
    draft: int
    position: int  # in that draft; negative: a separator before it


class Part(NamedTuple):
    """A run of a candidate's tokens from one draft."""

    kind: CandidateKind
    draft: int
    position: int
    length: int


class Candidate(NamedTuple):
    """A continuation: the rest of a draft, then the next regions, up to the limit."""

    tokens: Sequence[int]
    kind: CandidateKind
    draft: int  # -1: the row's own output, a guess or a model's
    position: int  # of tokens[0] in the draft; negative: a separator before it
    turns: tuple[Turn, ...] = ()
    doubts: Mapping[int, float] = MappingProxyType({})  # chances of some tokens, if the candidate knows them

    def parts(self, start: int, stop: int) -> list[Part]:
        """The drafts that the tokens from `start` to `stop` come from."""
        if not self.turns or stop <= self.turns[0].at:
            return [Part(self.kind, self.draft, self.position + start, stop - start)]
        ends = [*(turn.at for turn in self.turns), stop]
        begins = [Turn(0, self.draft, self.position), *self.turns]
        later = CandidateKind.WINDOW if self.kind in NOT_DRAFTED else self.kind
        return [
            Part(later if number else self.kind, begin.draft, begin.position + low - begin.at, high - low)
            for number, (begin, end) in enumerate(zip(begins, ends, strict=True))
            if (low := max(start, begin.at)) < (high := min(stop, end))
        ]

    def is_drafted(self, at: int) -> bool:
        """Whether the token at this place comes from one of the row's drafts."""
        return self.kind not in NOT_DRAFTED or (bool(self.turns) and at >= self.turns[0].at)
