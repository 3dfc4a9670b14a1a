"""Chooses among proposed tables: which stand, and what else they may be. Knows candidates and what they are worth.

Two that share a line can't both stand. What is chosen explains the most letters, each counted by how well its table is
likely to stand; where text is the better explanation, no table is chosen.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from docparse_fast.document import Box, Category
from docparse_fast.drafting.lines import LayoutBox, Line
from docparse_fast.drafting.tables.candidates import TableCandidate
from docparse_fast.drafting.tables.evidence import measured_all
from docparse_fast.drafting.tables.judge import TableJudge

SEEN = 0.7  # of a candidate and a table that the layout model sees, in common
AS_TEXT_SEEN = (
    0.1  # the quality below which text says more where the layout model sees a table: it is seldom wrong there
)
AS_TEXT = 0.4  # the quality below which a table says less than its lines would as text (scripts/fit_tables.py)
NEARLY = 0.1  # of quality: so near a rival of another shape leaves the choice in doubt
SURE = 0.9  # quality from which rivals leave no doubt
MOST_RIVALS = 2
MOST_WEIGHED = 14  # candidates for one place, the best of them


@dataclass(frozen=True, slots=True)
class ChosenTable:
    candidate: TableCandidate
    quality: float  # how well it is likely to stand, 0 to 1
    rivals: tuple[TableCandidate, ...] = ()  # what else its lines may be, best first

    @property
    def is_doubtful(self) -> bool:
        return self.quality < AS_TEXT or (self.quality < SURE and bool(self.rivals))


@dataclass(frozen=True, slots=True)
class _Weighed:
    candidate: TableCandidate
    quality: float
    letters: int
    as_text: float  # the quality that its lines would have as text


def weighed(
    candidates: Sequence[TableCandidate],
    lines: Sequence[Line],
    rules: Sequence[Box],
    labels: Sequence[LayoutBox],
    judge: TableJudge,
) -> list[float]:
    """The quality of each."""
    return [judge.quality(measures) for measures in measured_all(candidates, lines, rules, labels)]


def chosen_tables(
    candidates: Sequence[TableCandidate],
    qualities: Sequence[float],
    lines: Sequence[Line],
    labels: Sequence[LayoutBox] = (),
    as_text: float | None = None,
) -> list[ChosenTable]:
    """The tables that stand together and explain the most; `as_text`: what text is worth instead, if that is known."""
    all_weighed = [
        _Weighed(
            each,
            quality,
            sum(len(lines[n].plain) for n in each.lines),
            _worth_as_text(each, labels) if as_text is None else as_text,
        )
        for each, quality in zip(candidates, qualities, strict=True)
    ]
    chosen: list[ChosenTable] = []
    for place in _places(all_weighed):
        best = sorted(place, key=lambda each: each.quality, reverse=True)[:MOST_WEIGHED]
        together = _best_together(best)[1]
        chosen += [ChosenTable(each.candidate, each.quality, _rivals(each, best)) for each in together]
    return chosen


def _places(found: Sequence[_Weighed]) -> list[list[_Weighed]]:
    """Candidates that share lines, directly or through others, together."""
    places: list[tuple[frozenset[int], list[_Weighed]]] = []
    for each in found:
        lines, members = each.candidate.lines, [each]
        apart = []
        for taken, others in places:
            if taken & lines:
                lines, members = lines | taken, [*others, *members]
            else:
                apart.append((taken, others))
        places = [*apart, (lines, members)]
    return [members for _, members in places]


def _worth_as_text(candidate: TableCandidate, labels: Sequence[LayoutBox]) -> float:
    seen = any(label.category is Category.TABLE and label.box.iou(candidate.box) > SEEN for label in labels)
    return AS_TEXT_SEEN if seen else AS_TEXT


def _best_together(found: Sequence[_Weighed]) -> tuple[float, list[_Weighed]]:
    """The best sum of letters by quality that candidates without a line in common come to."""
    if not found:
        return 0.0, []
    first, rest = found[0], found[1:]
    without = _best_together(rest)
    worth = first.letters * (first.quality - first.as_text)
    if worth <= 0:
        return without
    apart = [each for each in rest if not each.candidate.lines & first.candidate.lines]
    gained, beside = _best_together(apart)
    return (worth + gained, [first, *beside]) if worth + gained > without[0] else without


def _rivals(chosen: _Weighed, found: Sequence[_Weighed]) -> tuple[TableCandidate, ...]:
    """Other shapes of the same lines that are nearly as likely."""
    shapes = {_shape(chosen.candidate)}
    rivals = []
    for each in found:
        near = each.quality > chosen.quality - NEARLY
        same = 2 * len(each.candidate.lines & chosen.candidate.lines) > len(chosen.candidate.lines)
        if near and same and _shape(each.candidate) not in shapes:
            shapes.add(_shape(each.candidate))
            rivals.append(each.candidate)
    return tuple(rivals[:MOST_RIVALS])


def _shape(candidate: TableCandidate) -> frozenset[tuple[int, int, str]]:
    return frozenset((cell.row, cell.column, cell.text) for cell in candidate.cells if cell.text)
