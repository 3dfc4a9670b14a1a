"""Learns from the answer how the target writes what stands between two words. Knows gaps; no place and no token.

A gap is everything that is neither letter nor digit: blanks, punctuation, tags, commands of LaTeX. If a draft has one
gap and the target wrote another, it will probably do so again at the next such place.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

from docparse_fast.verification.letters import sort_of

MEMORY = 0.8  # the share of a gap's count that is kept when another gap is seen in its place
ITSELF = 0.6  # the count that the draft's own gap starts with
PLAIN = 8.0  # ... if it is one blank or nothing: most of these are written as drafted
BESIDE_SYMBOL = 4.0  # ... if a number or a single letter is beside it, which may be part of a formula
WHOLE = 0.5  # the count that a gap's end starts with
MOST = 3  # gaps offered at one place
LEAST = 1e-3  # of a share, so that rounding leaves more than zero
LONGEST = 120  # letters of a gap worth learning


class Gap(NamedTuple):
    text: str
    chance: float  # if no likelier gap is right


class Site(NamedTuple):
    """What is around a gap."""

    before: str  # the letter before it
    after: str
    sorts: tuple[str, str]  # of the words that these belong to
    math: bool = False  # whether a formula is open before the gap


def site(before: str, after: str, math: bool = False) -> Site:
    return Site(before[-1:], after[:1], (sort_of(before), sort_of(after)), math)


_DELIMITER = re.compile(r"\$\$?|\\[\[\]()]")


@lru_cache(maxsize=1 << 12)
def in_math(gap: str, before: bool) -> bool:
    """Whether a formula is open after the gap.

    >>> in_math(" $", False), in_math("} $ . ", True), in_math("$$\\n\\n$$", True)
    (True, False, True)
    """
    for found in _DELIMITER.finditer(gap):
        before = not before if found[0][0] == "$" else found[0][-1] in "[("
    return before


class Habits:
    """Gaps by the draft's gap and the characters around it; the most specific counts are used first.

    >>> habits = Habits()
    >>> habits.learn("</td><td>", " | ", site("a", "b"))
    True
    >>> [gap.text for gap in habits.likely("</td><td>", site("x", "y"))]
    [' | ', '</td><td>']
    """

    def __init__(self) -> None:
        self._wordings: dict[str, _Wordings] = {}  # of drafted gaps that were once written differently
        self._all: dict[str, float] = {}

    def learn(self, drafted: str, written: str, place: Site) -> bool:
        """Learns the draft's gap and the target's at this place; returns whether that changes anything."""
        if len(written) > LONGEST or len(drafted) > LONGEST:
            return False
        wordings = self._wordings.get(drafted)
        if written == drafted and (wordings is None or not wordings.doubted(place)):
            return False  # as drafted, like always before
        if wordings is None:
            wordings = self._wordings[drafted] = _Wordings(drafted)
        wordings.learn(written, place)
        if written != drafted:
            self._all[written] = self._all.get(written, 0.0) + 1.0
        return True

    def likely(self, drafted: str, place: Site) -> list[Gap]:
        """The likeliest gaps first; the draft's own is one of them."""
        wordings = self._wordings.get(drafted)
        return wordings.likely(place) if wordings else [Gap(drafted, 1.0)]

    def likeliest(self, drafted: str, place: Site) -> Gap:
        wordings = self._wordings.get(drafted)
        return wordings.likeliest(place) if wordings else Gap(drafted, 1.0)

    def begun(self, start: str) -> list[str]:
        """Gaps written earlier with this beginning, and it alone, most frequent first."""
        found = [(count, gap) for gap, count in self._all.items() if len(gap) > len(start) and gap.startswith(start)]
        found.append((self._all.get(start, 0.0) + WHOLE, start))
        return [gap for _, gap in sorted(found, reverse=True)[: MOST + 1]]


class _Wordings:
    """What the answer had where the drafts have one gap: by what is around it, by sorts of words, and altogether."""

    def __init__(self, drafted: str) -> None:
        self._drafted = drafted
        self._blank = drafted in ("", " ")
        self._counts: dict[object, dict[str, float]] = {}
        self._known: dict[Site, Gap] = {}  # computed likeliest gaps

    def learn(self, written: str, place: Site) -> None:
        self._known.clear()
        for key in _keys(place):
            counts = self._counts.setdefault(key, {})
            for gap in counts:
                counts[gap] *= MEMORY
            counts[written] = counts.get(written, 0.0) + 1.0

    def doubted(self, place: Site) -> bool:
        """Whether it matters that the draft was right: almost all blanks are."""
        return not self._blank or place in self._counts

    def likely(self, place: Site) -> list[Gap]:
        shares = self._shares(place)
        total = sum(shares.values())
        gaps = []
        for gap, share in sorted(shares.items(), key=lambda item: -item[1])[:MOST]:
            gaps.append(Gap(gap, min(1.0, share / total)))
            total = max(total - share, share * LEAST)
        return gaps

    def likeliest(self, place: Site) -> Gap:
        found = self._known.get(place)
        if found is None:
            shares = self._shares(place)
            gap = max(shares, key=shares.__getitem__)
            found = self._known[place] = Gap(gap, min(1.0, shares[gap] / sum(shares.values())))
        return found

    def _shares(self, place: Site) -> dict[str, float]:
        shares = {self._drafted: self._itself(place)}
        for weight, key in zip(self._weights(place), _keys(place)):  # noqa: B905 - three of each
            counts = self._counts.get(key)
            if counts:
                for gap, count in counts.items():
                    shares[gap] = shares.get(gap, 0.0) + weight * count
        return shares

    def _itself(self, place: Site) -> float:
        """The count that the draft's own gap starts with."""
        if not self._blank:
            return ITSELF
        return PLAIN if place.sorts == ("a", "a") else BESIDE_SYMBOL

    def _weights(self, place: Site) -> tuple[float, float, float]:
        """Weights of the three counts. A blank between two words predicts little, and so does a dash between digits."""
        if self._drafted != " ":
            return 4.0, 2.0, (0.3 if len(self._drafted) == 1 else 1.0)
        return 4.0, (0.3 if place.sorts == ("a", "a") else 2.0), 0.05


def _keys(place: Site) -> Sequence[object]:
    return place, (place.sorts, place.math), place.math
