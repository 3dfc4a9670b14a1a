"""Which paragraphs of an answer are which of the truth's, whoever cut them finer. Knows letters; knows no order.

The most alike go together first. What is left over, the answer's or the truth's, joins the longer piece that holds it:
so a paragraph cut in two, or two run into one, costs nothing. What is still left over is paired as well as it goes, so
that a badly read paragraph is judged as that and not as one missing and one invented.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from rapidfuzz import fuzz
from rapidfuzz.distance import Levenshtein

from docparse_fast.bench.scores.pairing import pair

ALIKE = 0.7  # of two pieces that are one another
HELD = 75.0  # percent of a shorter piece's letters that the longer one has in one stretch
SHORTEST_HELD = 4  # letters; shorter ones are found in anything
BARELY_ALIKE = 0.3  # of two pieces that nothing else wants


@dataclass(slots=True)
class Match:
    """Pieces, by their places, that say the same; one side is empty where the other has nobody."""

    truths: list[int] = field(default_factory=list)
    answers: list[int] = field(default_factory=list)


def match(truths: Sequence[str], answers: Sequence[str]) -> list[Match]:
    """All pieces of both sides, each in one match.

    >>> [(one.truths, one.answers) for one in match(["onetwothree", "four"], ["onetwo", "three", "foul"])]
    [([0], [0, 1]), ([1], [2])]
    """
    home = _Homes(len(truths), len(answers))
    for truth, answer in pair(truths, answers, _alike, least=ALIKE).items():
        home.join(truth, answer)
    _join_held(truths, answers, home)
    lone_truths = [at for at in range(len(truths)) if home.of_truth[at] is None]
    lone_answers = [at for at in range(len(answers)) if home.of_answer[at] is None]
    rest = pair(
        [truths[at] for at in lone_truths],
        [answers[at] for at in lone_answers],
        _alike,
        least=BARELY_ALIKE,
    )
    for truth, answer in rest.items():
        home.join(lone_truths[truth], lone_answers[answer])
    return home.matches()


class _Homes:
    """Who is with whom so far."""

    def __init__(self, truths: int, answers: int) -> None:
        self.of_truth: list[Match | None] = [None] * truths
        self.of_answer: list[Match | None] = [None] * answers

    def join(self, truth: int, answer: int) -> None:
        """Put two together, and all who are with them."""
        mine, theirs = self.of_truth[truth] or Match([truth]), self.of_answer[answer] or Match([], [answer])
        if mine is theirs:
            return
        whole = Match(sorted({*mine.truths, *theirs.truths}), sorted({*mine.answers, *theirs.answers}))
        for at in whole.truths:
            self.of_truth[at] = whole
        for at in whole.answers:
            self.of_answer[at] = whole

    def matches(self) -> list[Match]:
        """The truth's in its order, then what only the answer has."""
        alone = [found or Match([at]) for at, found in enumerate(self.of_truth)]
        invented = [Match([], [at]) for at, found in enumerate(self.of_answer) if found is None]
        return list({id(found): found for found in [*alone, *invented]}.values())


def _join_held(truths: Sequence[str], answers: Sequence[str], home: _Homes) -> None:
    lone_answers = [at for at in range(len(answers)) if home.of_answer[at] is None]
    lone_truths = [at for at in range(len(truths)) if home.of_truth[at] is None]
    for at in lone_answers:
        holder = _holder(answers[at], truths)
        if holder is not None:
            home.join(holder, at)
    for at in lone_truths:
        holder = _holder(truths[at], answers)
        if holder is not None:
            home.join(at, holder)


def _holder(piece: str, others: Sequence[str]) -> int | None:
    """The longer piece of the other side that has this one in it, if one has."""
    best, found = HELD, None
    if len(piece) < SHORTEST_HELD:
        return None
    for at, other in enumerate(others):
        if len(other) > len(piece):
            held = fuzz.partial_ratio(piece, other, score_cutoff=best)
            if held > best or (held == best and found is None):
                best, found = held, at
    return found


def _alike(truth: str, answer: str) -> float:
    return float(Levenshtein.normalized_similarity(truth, answer, score_cutoff=BARELY_ALIKE))
