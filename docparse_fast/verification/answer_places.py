"""Finds by letters where an answer is in its drafts, and learns on the way how the answer differs from them.

The alignment of `speculative/` compares tokens. This module compares letters, so the draft goes on right after a word
in other case, a misread letter, a formula or a tag. Knows text; proposes nothing.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from docparse_fast.targets.dialects.markdown import FENCE
from docparse_fast.verification.boxes import Boxes
from docparse_fast.verification.habits import Gaps, Habits, form_of
from docparse_fast.verification.insertions import Insertion
from docparse_fast.verification.letters import (
    END,
    Letters,
    Site,
    fold,
    in_math,
    pattern_of,
    pieces,
    sort_of,
)
from docparse_fast.verification.opened import OpenSigns
from docparse_fast.verification.signs import signs_of

SURE, LIKELY, NEAR = 14, 8, 5  # letters that must agree: for a sure place, for a likely one, beside the expected
REACH = 60  # letters around the expected place
PLACES = 3  # offered at once
DOUBTFUL = 0.5  # the chance of a place found by few letters
OCCURRENCES = 12  # of the same letters that are examined
HEADS = 4  # unread regions offered where one ends
STRETCH = "ـ"  # the stroke that only lengthens an Arabic line; models leave it out
TAIL = 40  # letters kept
SAID = 200  # characters kept


class Place(NamedTuple):
    letter: int  # the next letter expected
    chance: float = 1.0  # that the answer is here


class Places:
    """The places of one answer: `listen` takes in the text, `starts` are where the drafts may continue."""

    def __init__(
        self,
        texts: Sequence[str],
        regions: Sequence[int],
        line_ends: Sequence[Sequence[int]] = (),
        habits: Habits | None = None,
        margins: Iterable[int] = (),
        lasts: Sequence[int] = (),
    ) -> None:
        self.pattern = pattern_of(texts)
        self.letters = Letters(texts, self.pattern, regions, line_ends)
        self.regions = regions  # the region of each draft
        self.lasts = lasts or regions  # ... and the last one, of a draft that goes on over several
        self.habits = habits or Habits()
        self.boxes = Boxes(texts)
        self.said = ""  # the end of the answer
        self.opened = OpenSigns(texts)
        self._insertion = Insertion()
        self.boxed: int | None = None  # the draft whose box is the last one in the gap
        self.respelt: dict[int, str] = {
            ord(STRETCH): ""
        }  # characters that the answer writes differently: half width, another yeh
        self.changed: set[Gaps] = set()  # drafted gaps whose habits changed, until somebody takes note
        self.respellings = 0  # how often spelling changed
        self.last = ""  # the word before that gap
        self.math = False  # whether a formula was open there
        self.gap = ""  # before the word being written, or after the last one
        self.word = ""  # the word being written; empty within a gap
        self.tail = ""  # the last letters written
        self._open = ""  # the gap or word at the answer's end, which may continue
        self._base = -1  # the next letter after the last sure place; -1 before the first
        self._lost = 0  # letters written since
        self._places: list[Place] = []
        self._drafts_of: dict[int, list[int]] = {}
        for draft, region in enumerate(regions):
            self._drafts_of.setdefault(region, []).append(draft)
        self._read: set[int] = set()  # regions
        self._left_out = frozenset() if self.boxes else frozenset(margins)  # until the answer has one of them
        self.closing = ""  # of the fence that the answer began with
        self._begun: dict[int, int | None] = {}  # in which of its forms a draft was begun
        self._here = -1  # the region being read
        self._next_heads: list[int] | None = None  # kept until a region is read or left

    # ------------------------------------------------------------------------------------------ listening

    def listen(self, text: str) -> None:
        """Takes in the text written since the last call."""
        self.opened.hear(text)
        self.said = (self.said + text)[-SAID:]
        already = len(self._open) if self.word else 0
        found = list(pieces(self._open + text, self.pattern))
        for gap, word in found:
            if word:
                self._hear(word, already)
            else:
                self._hear_gap(gap)
            already = 0
        self._open = (found[-1][0] or found[-1][1]) if found else ""

    def _site_left(self, at: int) -> Site:
        """What is around the gap between the last letter that the drafts had and the one at `at`."""
        letters, last = self.letters, self._base - 1
        before = (letters.text[last], letters.sorts[letters.word_at[last]]) if last >= 0 else ("", "")
        sorts = before[1], letters.sorts[letters.word_at[at]]
        return Site(before[0], letters.text[at], sorts, self.math, at in letters.line_starts)

    def site(self, before: str, at: int) -> Site:
        """What is around the gap between a word of the answer and the draft's letter at `at`."""
        letters = self.letters
        if self.inserted and at in self._left():
            return self._site_left(at)
        sorts = sort_of(before), letters.sorts[letters.word_at[at]]
        return Site(self.tail[-1:], letters.text[at], sorts, self.math, at in letters.line_starts)

    @property
    def inserted(self) -> bool:
        """Whether markup is being put in whose words no draft has here."""
        return self._lost > 0 and not self.math and self._insertion.is_markup

    def _left(self) -> Sequence[int]:
        """The letters at which drafts may go on after markup that was put in."""
        within = self._base >= 0 and self.letters.text[self._base] != END
        return [self._base] if within else self._next()

    def _is_unexpected(self, gap: str) -> bool:
        """Whether neither drafts nor habits have this gap where the drafts were left."""
        if self.boxes:
            return False
        return all(
            gap not in key and gap != self.habits.likeliest(key, self._site_left(at)).text
            for at in self._left()[:1]
            for key in (self.drafted_gap(at),)
        )

    def pending_gap(self, at: int) -> str:
        """What is written of the gap before the letter."""
        gap = "" if self.word else self.gap
        return self._insertion.text + gap if self.inserted and at in self._left() else gap

    def _hear_gap(self, gap: str) -> None:
        if not self.tail and gap.startswith(FENCE):
            gap, self.closing = gap.removeprefix(FENCE), "\n```"
        if self.word:
            self.last = self.word
        closed = self.boxes and self.boxes.count(gap) > (0 if self.word else self.boxes.count(self.gap))
        self.gap, self.word = gap, ""
        if closed:
            self.boxed = self.boxes.learn(gap)
        elif self.boxes and self.boxes.is_open(gap):
            self.boxed = None

    def _hear(self, word: str, already: int) -> None:
        """Takes in a word; its first `already` characters were taken in before."""
        begins = not already
        self.word = word
        letters = fold(word[already:])
        if not letters:
            return
        lost = self._lost > 0
        self._follow(letters, begins)
        if not self._lost:
            self._insertion.end()
            self._learn_spelling(word[already:], len(letters))
        elif lost:
            self._insertion.go_on((self.gap if begins else "") + word[already:])
        elif begins and self._is_unexpected(self.gap):
            self._insertion.begin(self.gap + word)
        if begins:
            self.math, self.gap = in_math(self.gap, self.math), ""
        self.tail = (self.tail + letters)[-TAIL:]

    def _follow(self, letters: str, begins: bool) -> None:
        text = self.letters.text
        for place in self._places:
            if text.startswith(letters, place.letter):
                self._arrive(place.letter, letters, begins)
                return
        if begins and self.inserted and text.startswith(letters, self._base):
            self._arrive(self._base, letters, begins)
            return
        block = "\n" in self.gap
        heads = [start for start in self.heads() if text.startswith(letters, start)] if begins else []
        if heads and (block or len(letters) >= NEAR or text[self._base] == END):
            self._arrive(self._nearest(heads), letters, begins)
            return
        if begins and block:  # a region further on, or one that was passed over
            heads = [start for start in self._heads_of(self._unread()) if text.startswith(letters, start)]
        self._search(letters, heads[:1])

    def _nearest(self, heads: Sequence[int]) -> int:
        """The first of heads; if that region may be something else, the one before which most signs are as written."""
        region = self.regions[self.draft_at(heads[0])]
        of_region = (head for head in reversed(heads) if self.regions[self.draft_at(head)] == region)
        firsts = {self.of(self.draft_at(head)): head for head in of_region}
        return max(reversed(firsts.values()), key=self._signs_alike)

    def _signs_alike(self, head: int) -> float:
        """The share of signs that the gap just written has in common with one of the forms before this letter."""
        written = set(signs_of(self.gap))
        others = (set(signs_of(gap)) for gap in self.drafted_gap(head))
        return max(len(written & signs) / max(1, len(written | signs)) for signs in others)

    def _arrive(self, at: int, letters: str, begins: bool) -> None:
        """The letters were found at this place."""
        after = at + len(letters)
        if begins and not self._lost:
            self._learn(at, self.gap, self.site(self.last, at))
        elif begins and self.inserted and at in self._left():
            self._learn(at, self._insertion.text + self.gap, self._site_left(at))
        self._base, self._lost, self.boxed = after, 0, None
        self._mark_read(at, after)
        self._places = [Place(after)]

    def _learn(self, at: int, written: str, place: Site) -> None:
        gap, *others = self.drafted_gap(at)
        if others and at == self.letters.starts[self.draft_at(at)]:
            self._begun[self.draft_at(at)] = form_of((gap, *others), written)
        if self.habits.learn(gap, self.boxes.without_numbers(written), place, others):
            self.changed.add((gap, *others))

    def _learn_spelling(self, written: str, count: int) -> None:
        """Learns which characters the answer writes differently for the same letters."""
        letters = self.letters
        characters = [written] if written.startswith("\\") else written  # a command is one letter
        first = self._base - count
        word, within = letters.words[letters.word_at[first]], letters.within[first]
        if len(characters) != count or (len(word) >= within + count and word.isascii()):
            return
        for place, character in zip(range(first, self._base), characters, strict=True):
            drafted = letters.words[letters.word_at[place]][letters.within[place]]
            known = self.respelt.get(ord(drafted), drafted)
            if not drafted.isascii() and known.lower() != character.lower():
                self.respelt |= self.letters.respelt_alike(drafted, character)
                self.respellings += 1

    def _search(self, letters: str, heads: Sequence[int]) -> None:
        """Finds where the draft continues after letters that it doesn't have here; these `heads` begin with them."""
        self._lost += len(letters)
        tail = self.tail + letters
        expected = self._base + self._lost
        found: dict[int, float] = {}
        for length, chance in ((SURE, 1.0), (LIKELY, DOUBTFUL)):
            if len(tail) >= length and not found:
                places = self.letters.occurrences(tail[-length:], OCCURRENCES)
                for place in sorted(places, key=lambda place: abs(place - expected))[:PLACES]:
                    found[place] = chance
        if self._base >= 0 and (not found or min(abs(place - expected) for place in found) > REACH):
            for place in self._near(tail, expected):
                found.setdefault(place, DOUBTFUL)
        for head in heads:
            found.setdefault(head + len(letters), DOUBTFUL)
        self._places = [Place(place, chance) for place, chance in found.items()][:PLACES]

    def _near(self, tail: str, expected: int) -> Iterator[int]:
        """Places near the expected one that end in the last letters, trying ever fewer; else the place by count."""
        text, low = self.letters.text, max(0, self._base - 2)
        high = min(expected + REACH, len(text))
        for length in range(min(NEAR, len(tail), self._lost + 2), 0, -1):
            last = tail[-length:]
            at, best = text.find(last, low, high), -1
            while at >= 0:
                if best < 0 or abs(at + length - expected) < abs(best - expected):
                    best = at + length
                at = text.find(last, at + 1, high)
            if best >= 0:
                yield best
                break
        if 0 <= expected < len(text):
            yield expected

    # ------------------------------------------------------------------------------------------- regions

    def draft_at(self, letter: int) -> int:
        return bisect_right(self.letters.starts, letter) - 1

    def _mark_read(self, letter: int, after: int) -> None:
        """A region is read from its middle on: a word that it shares with another tells too little."""
        draft = self.draft_at(letter)
        region = self.regions[draft]
        if region != self._here:
            self._here = region
            self._next_heads = None
        if not self._read.issuperset(self.of(draft)) and 2 * after >= self.letters.starts[draft] + self._stop(draft):
            self._read.update(self.of(draft))
            self._left_out = frozenset() if region in self._left_out else self._left_out
            self._next_heads = None

    def of(self, draft: int) -> range:
        """The regions that a draft is a reading of."""
        return range(self.regions[draft], self.lasts[draft] + 1)

    def _stop(self, draft: int) -> int:
        """The place after the draft's last letter."""
        starts = self.letters.starts
        return (starts[draft + 1] if draft + 1 < len(starts) else len(self.letters.text)) - 1

    def heads(self) -> list[int]:
        """The first letters of the next unread regions' drafts."""
        if self._next_heads is None:
            self._next_heads = self._heads_of(self._unread()[:HEADS])
        return self._next_heads

    def _unread(self) -> list[int]:
        """Regions that are still to be read, those ahead first."""
        unread = sorted(set(self.regions) - self._read - {self._here})
        return sorted(unread, key=lambda region: region < self._here)

    def _heads_of(self, regions: Iterable[int]) -> list[int]:
        starts = (self.letters.starts[draft] for region in regions for draft in self._drafts_of[region])
        return [start for start in starts if self.letters.text[start] != END]

    def _next(self) -> list[int]:
        """The same without those that the answer leaves out."""
        return [head for head in self.heads() if self.regions[self.draft_at(head)] not in self._left_out]

    def drafted_gap(self, at: int) -> Gaps:
        """The draft's gap before the letter, and those of its other forms; empty in the middle of a word."""
        letters = self.letters
        draft = self.draft_at(at)
        if letters.within[at] or letters.word_at[at] != letters.firsts[draft]:
            return letters.gap_before(at)
        return self.seam(self.draft_at(self._base - 1) if self._base > 0 else -1, draft)

    def seam(self, before: int, draft: int) -> Gaps:
        """The gap between one draft and another, in the likeliest form of the first and in all forms of the second."""
        letters = self.letters
        tail = ""
        if before >= 0:
            forms = letters.forms[before]
            begun = self._begun.get(before)
            form = self.habits.form(len(forms) + 1) if begun is None else begun
            tail = forms[form - 1].tail if form else letters.tails[before]
        word = letters.firsts[draft]
        if word == letters.ends[draft]:
            return (tail + self.boxes.without_numbers(letters.tails[draft]),)
        return tuple(tail + self.boxes.without_numbers(gap) for gap in (letters.gaps[word], *letters.others(word)))

    def starts(self) -> list[Place]:
        text = self.letters.text
        if self.boxed is not None and text[self.letters.starts[self.boxed]] != END:
            region = self._drafts_of[self.regions[self.boxed]]
            begins = (self.letters.starts[draft] for draft in region)
            return [Place(begin) for begin in begins if text[begin] != END]
        places = [place for place in self._places if place.letter < len(text) and text[place.letter] != END]
        if self.inserted and not any(place.chance == 1.0 for place in places):
            left = self._left()[:1]
            places = [*map(Place, left), *(place for place in places if place.letter not in left)][:PLACES]
        return places or [Place(head) for head in self._next()[:1]]

    def unread(self) -> list[int]:
        """Drafts of the regions that come next, then of all other unread regions."""
        heads = [self.draft_at(head) for head in self.heads()]
        others = [draft for draft, region in enumerate(self.regions) if region not in self._read]
        letters = self.letters
        placed = (
            draft for draft in [*heads, *others] if letters.tails[draft] or letters.firsts[draft] < letters.ends[draft]
        )
        return list(dict.fromkeys(placed))

    def following(self, passed: set[int]) -> int | None:
        """The draft of the next region that is neither read nor among `passed`."""
        drafts = (self.draft_at(head) for head in self._next())
        return next((draft for draft in drafts if self.regions[draft] not in passed), None)
