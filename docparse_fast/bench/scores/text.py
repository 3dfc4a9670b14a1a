"""Text scores: edit distance paragraph by paragraph, and in reading order over the page. Knows nothing of tables.

`text` is what OmniDocBench counts: distances of matched paragraphs, summed, over the longer of each pair, summed;
what is missing and what is invented costs its length. `text_in_order` compares the page's whole text in one go, so
that paragraphs in the wrong order cost too.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from rapidfuzz import fuzz
from rapidfuzz.distance import Levenshtein

from docparse_fast.bench.datasets import TruthBlock
from docparse_fast.bench.scores.matching import Match, match
from docparse_fast.bench.scores.plain_text import letters
from docparse_fast.bench.scores.reading_order import Place


@dataclass(frozen=True, slots=True)
class Paragraphs:
    """The text of the truth and of an answer, matched; places are those in the lists of blocks they come from."""

    truths: dict[int, str]  # by place: letters only
    answers: dict[int, str]
    counted: frozenset[int]  # places of the truth
    matches: tuple[Match, ...]

    @property
    def free(self) -> set[int]:
        """Answers that say nothing but what is not counted."""
        return {at for found in self.matches if self._is_free(found) for at in found.answers}

    def _is_free(self, found: Match) -> bool:
        return bool(found.truths) and not self.counted & set(found.truths)

    def judged(self) -> list[Match]:
        return [found for found in self.matches if not self._is_free(found)]


def paragraphs(truth: Sequence[TruthBlock], answer: Sequence[TruthBlock]) -> Paragraphs:
    truths, answers = _letters_of_text(truth), _letters_of_text(answer)
    places, answer_places = list(truths), list(answers)
    matches = tuple(
        Match([places[at] for at in found.truths], [answer_places[at] for at in found.answers])
        for found in match(list(truths.values()), list(answers.values()))
    )
    return Paragraphs(truths, answers, frozenset(at for at in truths if truth[at].counted), matches)


def text_score(found: Paragraphs) -> float | None:
    """None where no text is counted."""
    if not found.counted:
        return None
    distance = longest = 0
    for one in found.judged():
        expected = "".join(found.truths[at] for at in one.truths)
        written = "".join(found.answers[at] for at in one.answers)
        distance += Levenshtein.distance(expected, written)
        longest += max(len(expected), len(written))
    return 100 * (1 - distance / longest)


def text_in_order(found: Paragraphs) -> float | None:
    if not found.counted:
        return None
    free = found.free
    expected = "".join(text for at, text in found.truths.items() if at in found.counted)
    written = "".join(text for at, text in found.answers.items() if at not in free)
    return 100 * float(Levenshtein.normalized_similarity(expected, written))


def text_places(found: Paragraphs) -> dict[int, Place]:
    """Where each piece of the truth stands in the answer: in which piece, and how far into it."""
    places: dict[int, Place] = {}
    for one in found.matches:
        for at in one.truths:
            where = [_place(found.truths[at], found.answers[to], to) for to in one.answers]
            if where:
                places[at] = max(where)[1]
    return places


def _place(truth: str, answer: str, at: int) -> tuple[float, Place]:
    held = fuzz.partial_ratio_alignment(truth, answer)
    return (held.score, (at, held.dest_start if len(truth) < len(answer) else 0)) if held else (0.0, (at, 0))


def _letters_of_text(blocks: Sequence[TruthBlock]) -> dict[int, str]:
    found = {at: letters(block.text) for at, block in enumerate(blocks) if block.kind == "text"}
    return {at: text for at, text in found.items() if text}
