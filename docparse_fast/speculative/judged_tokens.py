"""How a target finds each token of a text that somebody else wrote: one prefill, and passes over whole stretches of it.

Knows token ids and rows. rho = p(token) / (p(token) + p(best other)), from the target's own probabilities.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice
from typing import NamedTuple, Protocol


class TokenJudgement(NamedTuple):
    share: float  # rho; below a half the target would write another token
    other: int  # its best other token


Judgements = tuple[TokenJudgement, ...]


class JudgingDecoder(Protocol):
    """A target that gives its opinion of texts, in as many rows at once as it has slots."""

    @property
    def slots(self) -> int: ...

    def judge(self, views: Mapping[int, object], texts: Mapping[int, Sequence[int]]) -> dict[int, Judgements]:
        """Judges each slot's text as the answer to its view. A text that is longer than the model's room is cut."""

    def release(self, slot: int) -> None: ...


def judge_texts(decoder: JudgingDecoder, asked: Iterable[tuple[object, Sequence[int]]]) -> Iterator[Judgements]:
    """The judgements of (view, text) pairs, in their order; a view is asked for when its row's turn comes."""
    waiting = iter(asked)
    while rows := list(islice(waiting, decoder.slots)):
        try:
            found = decoder.judge(
                {slot: view for slot, (view, _) in enumerate(rows)}, {slot: text for slot, (_, text) in enumerate(rows)}
            )
        finally:
            for slot in range(len(rows)):
                decoder.release(slot)
        yield from (found[slot] for slot in range(len(rows)))
