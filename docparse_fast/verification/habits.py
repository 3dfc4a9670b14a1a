"""Learns from the answer how the target writes what stands between two words. Knows gaps; no place and no token.

A gap is everything that is neither letter nor digit: blanks, punctuation, tags, commands of LaTeX. If a draft has one
gap and the target wrote another, it will probably do so again at the next such place.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from typing import NamedTuple

from docparse_fast.verification.insertions import ends_of
from docparse_fast.verification.letters import Site, sort_of
from docparse_fast.verification.signs import RewrittenSigns, fade, signs_of

MEMORY = 0.8  # the share of a gap's count that is kept when another gap is seen in its place
ITSELF = 0.6  # the count that the draft's own gap starts with
PLAIN = 8.0  # ... if it is one blank or nothing: most of these are written as drafted
BESIDE_SYMBOL = 4.0  # ... if a number or a single letter is beside it, which may be part of a formula
FIRST, OTHER = 1.4, 0.2  # counts that forms start with: the draft's own, and others
AS_IT_IS, REWRITTEN = 0.15, 0.85  # shares that a form as it is and rewritten start with
WHOLE = 0.5  # the count that a gap's end starts with
NEW = 0.12  # the count of all gaps that nothing expects, by which claims come true
ODD = 1.0  # ... where one was begun that nothing expected
CARRIED = 0.5  # the share of a page's counts that the next one begins with
ANSWERS = 3  # pages whose answers are examples of the next one's
MOST = 3  # gaps offered at one place
LONGEST = 120  # letters of a gap worth learning


class Gap(NamedTuple):
    text: str
    chance: float  # if no likelier gap is right


def site(before: str, after: str, math: bool = False) -> Site:
    return Site(before[-1:], after[:1], (sort_of(before), sort_of(after)), math)


Gaps = tuple[str, ...]  # a draft's gap, and those of its other forms; these are left out if all are alike


class Habits:
    """What an answer writes for the draft's gaps: by the characters around them, by its form, and sign by sign.

    A draft may have other forms: with marks, or its table in pipes. Which of them the answer follows is learnt for all
    places where they differ, so one cell tells how the next is written.

    >>> habits = Habits()
    >>> habits.learn("</td><td>", " | ", site("a", "b"))
    True
    >>> [gap.text for gap in habits.likely("</td><td>", site("x", "y"))]
    [' | ', '</td><td>']
    >>> habits.learn("<td>", "| ", site("", "a"), ("<th>", "| "))
    True
    >>> habits.likely("</tr>", site("x", "y"), ("</tr>\\n", " |\\n"))[0].text
    ' |\\n'
    """

    def __init__(self) -> None:
        self._wordings: dict[Gaps, _Wordings] = {}  # of drafted gaps that were once written differently
        self._all: dict[str, float] = {}
        self._signs = RewrittenSigns(), RewrittenSigns()  # outside formulas and in them
        self._forms: dict[_Differing, list[float]] = {}  # how often each was right
        self._rewriting: dict[_Differing, list[float]] = {}  # ... as it is and rewritten, where that differs
        self.changes = 0  # how often gaps began to be written otherwise that may never have been seen
        self.answers: tuple[str, ...] = ()  # of the last pages

    def faded(self) -> Habits:
        """Habits for the next page, which may differ. The forms of its drafts are learnt anew."""
        found = Habits()
        found._wordings = {key: wordings.faded() for key, wordings in self._wordings.items()}
        found._all = fade(self._all, CARRIED)
        found._signs = self._signs[0].faded(CARRIED), self._signs[1].faded(CARRIED)
        found.answers = self.answers
        return found

    def remember(self, answer: str) -> None:
        """Takes in a whole answer, of which the next page's tokens are guessed."""
        self.answers = (*self.answers, answer)[-ANSWERS:]

    def learn(self, drafted: str, written: str, place: Site, others: Sequence[str] = ()) -> bool:
        """Learns the draft's gap and the target's at this place; returns whether that changes anything for this gap."""
        if len(written) > LONGEST or len(drafted) > LONGEST:
            return False
        key = (drafted, *others)
        self._learn_form(key, written, place)
        self.changes += self._signs[place.math].learn(_nearest(key, written, place), written)
        wordings = self._wordings.get(key)
        if written == drafted and (wordings is None or not wordings.doubted(place)):
            return False  # as drafted, like always before
        if wordings is None:
            wordings = self._wordings[key] = _Wordings(drafted, alone=not others)
        wordings.learn(written, place)
        if written != drafted:
            self._all[written] = self._all.get(written, 0.0) + 1.0
        return True

    def _learn_form(self, key: Gaps, written: str, place: Site) -> None:
        texts = self._as_written(key, place.math)
        if len(key) == 1 and texts[0][0] == texts[0][1]:
            return  # nothing to choose from
        differing = _differing(key, place)
        before = _likeliest_of(texts, self._rates(key, place))
        if len(key) > 1 and len(set(texts)) > 1:
            rates = self._forms.setdefault(differing, _first_rates(len(key)))
            for number, pair in enumerate(texts):
                rates[number] = rates[number] * MEMORY + (written in pair)
        right = next((pair for pair in texts if written in pair and pair[0] != pair[1]), None)
        if right:
            rates = self._rewriting.setdefault(differing, [AS_IT_IS, REWRITTEN])
            for number, text in enumerate(right):
                rates[number] = rates[number] * MEMORY + (text == written)
        self.changes += before != _likeliest_of(texts, self._rates(key, place))

    def _as_written(self, key: Gaps, math: bool) -> list[tuple[str, str]]:
        """Each form as it is, and with its signs rewritten."""
        return [(form, self._signs[math].rewritten(form)) for form in key]

    def _rates(self, key: Gaps, place: Site) -> list[float]:
        """Of each form as it is, and then with its signs rewritten."""
        differing = _differing(key, place)
        as_it_is, rewritten = self._rewriting.get(differing, (AS_IT_IS, REWRITTEN))
        both = as_it_is + rewritten
        forms = self._forms.get(differing) or _first_rates(len(key))
        return [rate * share / both for rate in forms for share in (as_it_is, rewritten)]

    def form(self, forms: int) -> int:
        """The number of the likeliest of so many forms; 0: the draft itself."""
        rates = self._forms.get((forms, False, False))
        return rates.index(max(rates)) if rates else 0

    def likely(self, drafted: str, place: Site, others: Sequence[str] = ()) -> list[Gap]:
        """The likeliest gaps first; the draft's own is one of them."""
        return _in_turn(self._shares((drafted, *others), place))[:MOST]

    def likeliest(self, key: Gaps, place: Site) -> Gap:
        """The first of them."""
        if self.is_as_drafted(key, place.math):
            return Gap(key[0], 1.0)
        shares = self._shares(key, place)
        best = max(shares, key=shares.__getitem__)
        return Gap(best, shares[best] / (sum(shares.values()) + NEW))

    def is_as_drafted(self, key: Gaps, math: bool) -> bool:
        """Whether nothing speaks for another gap than the drafted one at any place; for a lone blank only blanks do."""
        if len(key) > 1 or key in self._wordings:
            return False
        return key[0] == " " or self._signs[math].rewritten(key[0]) == key[0]

    def _shares(self, key: Gaps, place: Site) -> dict[str, float]:
        wordings = self._wordings.get(key)
        shares = wordings.shares(place) if wordings else {}
        rates = self._rates(key, place)
        if wordings and wordings.of_one_sign:
            texts = [key[0]]  # what became of this one sign was counted by what is around it
        else:
            texts = [text for pair in self._as_written(key, place.math) for text in pair]
        for text, rate in zip(texts, rates, strict=False):
            shares[text] = shares.get(text, 0.0) + rate
        return shares

    def begun(self, start: str, left: str, math: bool = False) -> list[Gap]:
        """How a gap goes on that begins so: as others did, with what the draft has `left` or a blank, or not at all.

        A sign of markup is finished.
        """
        counts = {gap: count for gap, count in self._all.items() if len(gap) > len(start) and gap.startswith(start)}
        if start.rfind("<") <= start.rfind(">"):  # no word follows within a tag
            counts[start] = self._all.get(start, 0.0) + WHOLE
        for end in () if math else ends_of(start):
            if end[0] not in left:
                counts[start + end] = counts.get(start + end, 0.0) + WHOLE
        longer = start + (left or " " * (not start[-1:].isspace()))
        if longer != start:
            counts[longer] = counts.get(longer, 0.0) + WHOLE
        return _in_turn(counts, ODD)[: MOST + 1]


_Differing = tuple[int, bool, bool]


def _differing(key: Gaps, place: Site) -> _Differing:
    """Places where forms differ alike: with as many forms, at the ends of printed lines, and of those within words."""
    return len(key), place.line, place.line and not key[0]


def _nearest(key: Gaps, written: str, place: Site) -> str:
    """The form that was rewritten: the one with as many signs; the last if a printed line's end was kept."""
    if len(key) == 1:
        return key[0]
    signs = len(signs_of(written))
    if place.line and "\n" in written:
        return key[-1]
    return min(key, key=lambda form: (form != written, abs(len(signs_of(form)) - signs)))


def _likeliest_of(texts: Sequence[tuple[str, str]], rates: Sequence[float]) -> str:
    """Of forms as they are and rewritten; both may be the same."""
    shares: dict[str, float] = {}
    for text, rate in zip((text for pair in texts for text in pair), rates, strict=True):
        shares[text] = shares.get(text, 0.0) + rate
    return max(shares, key=shares.__getitem__)


def form_of(key: Gaps, written: str) -> int | None:
    """The number of the form that was written, or that alone has as many signs; None if it can't be told."""
    if written in key:
        return key.index(written) if key.count(written) == 1 else None
    counts, count = [len(signs_of(form)) for form in key], len(signs_of(written))
    return counts.index(count) if counts.count(count) == 1 else None


def _first_rates(forms: int) -> list[float]:
    return [FIRST, *[OTHER] * (forms - 1)]


def _in_turn(counts: Mapping[str, float], new: float = NEW) -> list[Gap]:
    """Gaps by falling counts, each with the chance that it is right if none before it is."""
    total = sum(counts.values()) + new
    gaps = []
    for gap, count in sorted(counts.items(), key=lambda item: -item[1]):
        gaps.append(Gap(gap, count / total))
        total -= count
    return gaps


class _Wordings:
    """What the answer had where drafts have one gap: by what is around it, by sorts of words, in all."""

    def __init__(self, drafted: str, *, alone: bool) -> None:
        self._drafted, self._alone = drafted, alone
        self._blank = alone and drafted in ("", " ")
        self.of_one_sign = alone and len(signs_of(drafted)) == 1
        self._counts: dict[Hashable, dict[str, float]] = {}

    def learn(self, written: str, place: Site) -> None:
        for key in _keys(place):
            counts = self._counts.setdefault(key, {})
            for gap in counts:
                counts[gap] *= MEMORY
            counts[written] = counts.get(written, 0.0) + 1.0

    def faded(self) -> _Wordings:
        found = _Wordings(self._drafted, alone=self._alone)
        found._counts = {key: faded for key, counts in self._counts.items() if (faded := fade(counts, CARRIED))}
        return found

    def doubted(self, place: Site) -> bool:
        """Whether it matters that the draft was right: almost all blanks are."""
        return not self._blank or _keys(place)[0] in self._counts

    def shares(self, place: Site) -> dict[str, float]:
        shares = {self._drafted: self._itself(place)}
        for weight, key in zip(self._weights(place), _keys(place), strict=True):
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
        """Weights of the counts. A blank between two words predicts little, and so does a dash between digits."""
        if self._drafted != " " or not self._blank:
            return 4.0, 2.0, 0.3 if len(self._drafted) == 1 else 1.0
        return 4.0, 0.3 if place.sorts == ("a", "a") else 2.0, 0.05


def _keys(place: Site) -> tuple[Hashable, Hashable, Hashable]:
    return place, (place.sorts, place.math), place.math
