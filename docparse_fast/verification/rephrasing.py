"""Drafts as this answer would write them: found by letters, worded in the habits that the answer has shown so far.

The alignment of `speculative/` compares tokens. This compares letters, so that the draft goes on at once after a word
in other case, a misread letter, a formula or a tag, and what stands between words is as the answer has it elsewhere.
It knows text and drafts; it decides nothing: what it says is one more candidate.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from docparse_fast.speculative.alignment import Candidate, Kind, TokenDraft, Turn
from docparse_fast.verification.boxes import OPEN, Boxes
from docparse_fast.verification.habits import Gap, Habits
from docparse_fast.verification.letters import END, JSON_TEXT, PLAIN_TEXT, Letters, fold, pieces

Encode = Callable[[str], tuple[int, ...]]
Decode = Callable[[Sequence[int]], str]

BROKEN = "�"  # a part of a character
CONTEXT = 4  # tokens decoded again, so that a character of several tokens comes whole
SURE, LIKELY, NEAR = 14, 8, 5  # letters that must agree for a place anywhere, and beside the expected one
REACH = 60  # letters around the expected place
PLACES = 3  # offered at once
OCCURRENCES = 12  # of the same letters that are looked at
HEADS = 4  # unread regions offered where one ends
TAIL = 40  # letters kept
BRANCH = 12  # tokens of a candidate that is not the likeliest
DIGIT = 0.6  # the chance of a number's last digit in a box
CERTAIN = 0.9  # a chance from which nothing is gained by naming it


class _Chunk(NamedTuple):
    tokens: Sequence[int]
    chance: float  # of its first token


class Place(NamedTuple):
    letter: int  # the next one expected
    kind: Kind


class Rephrasing:
    """One row's. `candidates` after each step, given all that was written."""

    def __init__(self, texts: Sequence[str], drafts: Sequence[TokenDraft], encode: Encode, decode: Decode) -> None:
        in_json = any('"bbox": [' in text for text in texts)
        self._pattern = JSON_TEXT if in_json else PLAIN_TEXT
        self._letters = Letters(texts, self._pattern)
        self._texts, self._drafts = texts, drafts
        self._cuts: dict[int, dict[int, int]] = {}  # of a draft: which token begins at which character
        self._regions = [draft.region for draft in drafts]
        self._boxes = Boxes(texts)
        self._boxed: int | None = None  # the draft whose box stands last in the gap
        self._habits = Habits()
        self._encode, self._decode = encode, decode
        self._encoded: dict[str, tuple[int, ...]] = {}
        self._respelt: dict[int, str] = {}  # characters that the answer has otherwise: half width, another yeh
        self._chunks: dict[int, _Chunk] = {}  # of words that follow their draft's one before
        self._next_heads: list[int] | None = None  # known until a region is read or left
        self._drafts_of: dict[int, list[int]] = {}
        for draft, region in enumerate(self._regions):
            self._drafts_of.setdefault(region, []).append(draft)
        self._read: set[int] = set()  # regions
        self._here = -1  # the region being read
        self._seen = 0  # tokens
        self._spelt: dict[int, str] = {}  # tokens
        self._before: tuple[int, str] | None = None  # a token, and its text alone
        self._open = ""  # the gap or word that the answer ends in, which may go on
        self._gap = ""  # before the word that is being written, or after the last one
        self._word = ""  # being written; empty: a gap is
        self._tail = ""  # the last letters written
        self._base = -1  # the last place that was sure: of the next letter expected; -1 before the first
        self._lost = 0  # letters written since
        self._places: list[Place] = []

    # ------------------------------------------------------------------------------------------ listening

    def _listen(self, written: Sequence[int]) -> None:
        """Take in what was written since."""
        fresh = written[self._seen :]
        if not fresh:
            return
        text = "".join(map(self._text_of, fresh))
        if BROKEN in text:
            text = self._decode_whole(written, len(fresh))
            if text.endswith(BROKEN):
                return  # a character is not whole yet
        self._seen = len(written)
        already = len(self._open) if self._word else 0
        found = list(pieces(self._open + text, self._pattern))
        for gap, word in found:
            if word:
                self._hear(word, already)
            else:
                self._hear_gap(gap)
            already = 0
        self._open = (found[-1][0] or found[-1][1]) if found else ""

    def _text_of(self, token: int) -> str:
        """After another token: alone, some tokenizers drop its blank."""
        found = self._spelt.get(token)
        if found is None:
            if self._before is None:
                self._before = (token, self._decode([token]))
            anchor, known = self._before
            found = self._spelt[token] = self._decode([anchor, token])[len(known) :]
        return found

    def _decode_whole(self, written: Sequence[int], fresh: int) -> str:
        """The last tokens with the few before them, as characters may have several tokens."""
        before = written[max(0, len(written) - fresh - CONTEXT) : len(written) - fresh]
        known = self._decode(before) if before else ""
        return self._decode([*before, *written[len(written) - fresh :]])[len(known.rstrip(BROKEN)) :]

    def _hear_gap(self, gap: str) -> None:
        closed = gap.count("]") - (self._gap.count("]") if not self._word else 0)
        self._gap, self._word = gap, ""
        if self._boxes and closed:
            self._boxed = self._boxes.learn(gap)
        elif self._boxes and OPEN.search(gap):
            self._boxed = None

    def _hear(self, word: str, already: int) -> None:
        """A word, of which `already` so many characters were heard before."""
        begins = not already
        self._word = word
        letters = fold(word[already:])
        if not letters:
            return
        self._follow(letters, begins)
        if not self._lost:
            self._learn_spelling(word[already:], len(letters))
        self._tail = (self._tail + letters)[-TAIL:]

    def _follow(self, letters: str, begins: bool) -> None:
        text = self._letters.text
        for rank, place in enumerate(self._places):
            if text.startswith(letters, place.letter):
                self._arrive(place.letter, letters, begins, sure=not rank or len(letters) > 1)
                return
        for start in self._heads() if begins else ():
            if text.startswith(letters, start):
                self._arrive(start, letters, begins, sure=True)
                return
        self._search(letters)

    def _arrive(self, at: int, letters: str, begins: bool, *, sure: bool) -> None:
        """The letters stand at this place."""
        after = at + len(letters)
        if begins and not self._lost:
            self._learn(at)
        if not self._lost and self._base >= 0:
            self._learn_joined(at, after)
        self._base, self._lost, self._boxed = after, 0, None
        self._mark_read(at)
        self._places = [Place(after, Kind.REPHRASED)]

    def _learn(self, at: int) -> None:
        if "]" in self._gap and self._boxes:
            return  # a box's numbers are no habit
        before = self._tail[-1:]
        if self._habits.learn(self._drafted_gap(at), self._gap, before, self._letters.text[at]):
            self._chunks = {}

    def _learn_joined(self, at: int, after: int) -> None:
        """Gaps of the draft that the answer's word goes over."""
        letters = self._letters
        for place in range(at + 1, after):
            if not letters.within[place] and letters.word_at[place] != letters.word_at[place - 1]:
                gap = letters.gaps[letters.word_at[place]]
                if self._habits.learn(gap, "", letters.text[place - 1], letters.text[place]):
                    self._chunks = {}

    def _learn_spelling(self, written: str, count: int) -> None:
        """Characters of the draft that stand for the same letters as what was written, and are others."""
        letters = self._letters
        characters = [written] if written.startswith("\\") else written  # a command stands for one letter
        if len(characters) != count:
            return
        for place, character in zip(range(self._base - count, self._base), characters, strict=True):
            drafted = letters.words[letters.word_at[place]][letters.within[place]]
            known = self._respelt.get(ord(drafted), drafted)
            if not drafted.isascii() and known.lower() != character.lower():
                self._respelt |= self._letters.respelt_alike(drafted, character)
                self._chunks = {}

    def _search(self, letters: str) -> None:
        """Where the draft goes on after letters that it does not have here."""
        self._lost += len(letters)
        tail = self._tail + letters
        expected = self._base + self._lost
        found: dict[int, Kind] = {}
        for length, kind in ((SURE, Kind.REPHRASED), (LIKELY, Kind.SIMILAR)):
            if len(tail) >= length and not found:
                places = self._letters.occurrences(tail[-length:], OCCURRENCES)
                for place in sorted(places, key=lambda place: abs(place - expected))[:PLACES]:
                    found[place] = kind
        if self._base >= 0 and (not found or min(abs(place - expected) for place in found) > REACH):
            for place in self._near(tail, expected):
                found.setdefault(place, Kind.SIMILAR)
        self._places = [Place(place, kind) for place, kind in found.items()][:PLACES]

    def _near(self, tail: str, expected: int) -> Iterator[int]:
        """Beside the expected place: where the last letters stand, fewer and fewer of them; else by count alone."""
        text, low = self._letters.text, max(0, self._base - 2)
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

    def _draft_at(self, letter: int) -> int:
        return bisect_right(self._letters.starts, letter) - 1

    def _mark_read(self, letter: int) -> None:
        region = self._regions[self._draft_at(letter)]
        if region != self._here:
            self._here = region
            self._read.add(region)
            self._next_heads = None

    def _heads(self) -> list[int]:
        """The first letters of the next unread regions' drafts."""
        if self._next_heads is None:
            unread = sorted(set(self._regions) - self._read)
            ahead = [region for region in unread if region > self._here] + [r for r in unread if r < self._here]
            letters = self._letters
            self._next_heads = [
                letters.starts[draft]
                for region in ahead[:HEADS]
                for draft in self._drafts_of[region]
                if letters.text[letters.starts[draft]] != END
            ]
        return self._next_heads

    def _drafted_gap(self, at: int) -> str:
        """What the draft has before the letter: nothing in the middle of a word."""
        letters = self._letters
        if letters.within[at]:
            return ""
        draft = self._draft_at(at)
        word = letters.word_at[at]
        if word != letters.firsts[draft]:
            return letters.gaps[word]
        before = self._draft_at(self._base - 1) if self._base > 0 else -1
        return (letters.tails[before] if before >= 0 else "") + self._boxes.rewritten(letters.gaps[word], draft)

    # ------------------------------------------------------------------------------------------ proposing

    def candidates(self, written: Sequence[int], limit: int) -> list[Candidate]:
        """How the drafts go on, as the answer would write it; of at most `limit` tokens."""
        self._listen(written)
        if self._seen < len(written):
            return []
        found: list[Candidate] = []
        if not self._word and self._boxes and OPEN.search(self._gap):
            return self._from_boxes(limit)
        for rank, place in enumerate(self._starts()):
            found += self._from(place, limit, 3 if rank == 0 else 1)
        return found

    def _starts(self) -> list[Place]:
        text = self._letters.text
        if self._boxed is not None and text[self._letters.starts[self._boxed]] != END:
            region = self._drafts_of[self._regions[self._boxed]]
            return [Place(self._letters.starts[draft], Kind.REPHRASED) for draft in region]
        places = [place for place in self._places if place.letter < len(text) and text[place.letter] != END]
        if len(places) < len(self._places) or not self._places or self._at_a_break():
            places += [
                Place(head, Kind.REPHRASED if not n and not places else Kind.HEAD)
                for n, head in enumerate(self._heads())
            ]
        return places[: PLACES + 1]

    def _at_a_break(self) -> bool:
        """A block may begin here, and the place is not sure."""
        return not self._word and bool(self._lost) and ("\n\n" in self._gap or "}," in self._gap)

    def _from(self, place: Place, limit: int, variants: int) -> Iterator[Candidate]:
        pending = "" if self._word else self._gap
        gaps = self._first_gaps(place.letter, pending)[:variants]
        for rank, gap in enumerate(gaps):
            most = limit if not rank and variants > 1 else min(limit, BRANCH)
            kind = Kind.VARIANT if rank else place.kind
            yield self._candidate(place.letter, gap.text[len(pending) :], kind, most)

    def _first_gaps(self, at: int, pending: str) -> list[Gap]:
        """What may stand before the letter, given that `pending` was written of it."""
        drafted = self._drafted_gap(at)
        if self._boxed is not None and "]" in pending:  # whatever the numbers were
            drafted = pending[: pending.rindex("]")] + drafted[drafted.rfind("]") :]
        before = self._tail[-1:]
        likely = [
            gap for gap in self._habits.likely(drafted, before, self._letters.text[at]) if gap.text.startswith(pending)
        ]
        begun = [Gap(gap, 0.2) for gap in self._habits.begun(pending)] if pending else []
        whole = [Gap(pending, 0.5)]
        return (
            list({gap.text: gap for gap in reversed([*likely, *whole, *begun])}.values())[::-1] if pending else likely
        )

    def _from_boxes(self, limit: int) -> list[Candidate]:
        """An open box goes on with the numbers of one of the next regions, then with that region's text."""
        heads = [self._draft_at(head) for head in self._heads()]
        near = [draft for draft in range(len(self._regions)) if self._regions[draft] not in self._read]
        guesses = self._boxes.guesses(self._gap, list(dict.fromkeys([*heads, *near])))
        found = []
        for rank, (draft, text) in enumerate(guesses):
            numbers, doubts = self._numbers(text)
            rest = self._after_box(draft, limit if not rank else BRANCH)
            turns = tuple(Turn(turn.at + len(numbers), turn.draft, turn.position) for turn in rest.turns)
            later = {at + len(numbers): chance for at, chance in rest.doubts.items()}
            kind = Kind.VARIANT if rank else Kind.REPHRASED
            tokens = [*numbers, *rest.tokens][: limit if not rank else BRANCH]
            found.append(Candidate(tokens, kind, draft, 0, turns, doubts | later))
        return found

    def _after_box(self, draft: int, limit: int) -> Candidate:
        """From the bracket that ends the draft's box on."""
        letters = self._letters
        if letters.firsts[draft] == letters.ends[draft]:  # a picture
            lead = letters.tails[draft]
            return Candidate(self._tokens(lead[lead.find("]") :]), Kind.REPHRASED, draft, 0)
        lead = letters.gaps[letters.firsts[draft]]
        return self._candidate(letters.starts[draft], lead[lead.rfind("]") :], Kind.REPHRASED, limit)

    def _numbers(self, text: str) -> tuple[list[int], dict[int, float]]:
        """A box's tokens; each number's last digit is doubtful."""
        tokens: list[int] = []
        doubts: dict[int, float] = {}
        for piece in re.split(r"(\d+)", text):
            tokens += self._tokens(piece)
            if piece.isdigit():
                doubts[len(tokens) - 1] = DIGIT
        return tokens, doubts

    def _candidate(self, at: int, gap: str, kind: Kind, limit: int) -> Candidate:
        """From the letter `at` on, with what is left of the gap before it."""
        letters = self._letters
        draft = first = self._draft_at(at)
        word, within = letters.word_at[at], letters.within[at]
        spelt = letters.words[word][within:]
        tokens = [*self._ending_in(draft, word, gap + self._spelling(spelt))]
        turns: list[Turn] = []
        doubts: dict[int, float] = {}
        passed = {self._regions[draft]}
        while len(tokens) < limit:
            word += 1
            if word < letters.ends[draft]:
                chunk = self._chunks.get(word) or self._chunk(draft, word, letters.gaps[word])
            else:
                following = self._following(passed)
                if following is None:
                    tokens += self._tokens(letters.tails[draft])
                    break
                word = letters.firsts[following]
                chunk = self._made(
                    following, word, letters.tails[draft] + self._boxes.rewritten(letters.gaps[word], following)
                )
                draft = following
                passed.add(self._regions[draft])
                turns.append(Turn(len(tokens), draft, 0))
            if chunk.chance < CERTAIN:
                doubts[len(tokens)] = chunk.chance
            tokens += chunk.tokens
        return Candidate(tokens[:limit], kind, first, 0, tuple(turns), doubts)

    def _chunk(self, draft: int, word: int, gap: str) -> _Chunk:
        chunk = self._chunks[word] = self._made(draft, word, gap)
        return chunk

    def _made(self, draft: int, word: int, gap: str) -> _Chunk:
        """A word and what stands before it, in the answer's habits."""
        letters = self._letters
        begin = letters.begins[word]
        likely = self._habits.likely(gap, letters.text[begin - 1 : begin], letters.text[begin])[0]
        return _Chunk(self._ending_in(draft, word, likely.text + self._spelling(letters.words[word])), likely.chance)

    def _spelling(self, drafted: str) -> str:
        return drafted.translate(self._respelt) if self._respelt else drafted

    def _ending_in(self, draft: int, word: int, text: str) -> Sequence[int]:
        """The tokens of a text that ends with this word: the draft's own, if it has just this there."""
        stop = self._letters.stops[word]
        start = stop - len(text)
        if start >= 0 and self._texts[draft].startswith(text, start):
            if draft not in self._cuts:
                self._cuts[draft] = self._cut(self._drafts[draft].tokens)
            first, last = self._cuts[draft].get(start), self._cuts[draft].get(stop)
            if first is not None and last is not None:
                return self._drafts[draft].tokens[first:last]
        return self._tokens(text)

    def _cut(self, tokens: Sequence[int]) -> dict[int, int]:
        cuts, at = {}, 0
        for number, token in enumerate(tokens):
            cuts[at] = number
            text = self._text_of(token)
            if BROKEN in text:
                return {}  # characters of several tokens: encode anew
            at += len(text)
        return {**cuts, at: len(tokens)}

    def _following(self, read: set[int]) -> int | None:
        """The draft of the next region that is unread and was not just gone through."""
        for head in self._heads():
            draft = self._draft_at(head)
            if self._regions[draft] not in read:
                return draft
        return None

    def _tokens(self, text: str) -> tuple[int, ...]:
        found = self._encoded.get(text)
        if found is None:
            found = self._encoded[text] = self._encode(text) if text else ()
        return found
