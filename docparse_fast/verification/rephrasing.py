"""Rewords drafts as this answer would write them: finds them by letters, uses the habits that the answer has shown.

The text between words is as in the rest of the answer, not as drafted. This module decides nothing: it adds candidates
to those of `speculative/`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from difflib import SequenceMatcher
from math import prod
from typing import NamedTuple

from docparse_fast.speculative.candidates import Candidate, CandidateKind, TokenDraft, Turn
from docparse_fast.speculative.growing_answer import LEAST_CHANCE
from docparse_fast.speculative.guess_tree import GuessTree
from docparse_fast.verification.answer_places import Place, Places
from docparse_fast.verification.boxes import NUMBERS
from docparse_fast.verification.guessing import Guesses
from docparse_fast.verification.habits import Gap, Gaps, Habits
from docparse_fast.verification.insertions import rest_of_underline
from docparse_fast.verification.letters import Site, in_math
from docparse_fast.verification.opened import Closing
from docparse_fast.verification.token_text import Decode, Encode, TokenText

VARIANTS = 3  # gaps offered at the likeliest place
BRANCH = 12  # tokens of candidates other than the likeliest
UNDERLINED = 0.6  # the chance of a row of signs as long as the line above it
BESIDE = 0.2  # the chance of a box's numbers other than the likeliest
CERTAIN = 0.9  # a token with a higher chance needs no chance of its own
_MATH = (False, True)


class _Chunk(NamedTuple):
    tokens: Sequence[int]
    chance: float  # of its first token
    math: bool  # whether a formula is open after it


class Rephrasing:
    """Rewords the drafts of one row. Call `candidates` after each step with everything written."""

    def __init__(
        self,
        texts: Sequence[str],
        drafts: Sequence[TokenDraft],
        encode: Encode,
        decode: Decode,
        examples: Iterable[str] = (),
        line_ends: Sequence[Sequence[int]] = (),
        habits: Habits | None = None,
        margins: Iterable[int] = (),
    ) -> None:
        self._texts, self._drafts = texts, drafts
        self._text = TokenText(encode, decode)
        regions, lasts = [draft.region for draft in drafts], [max(draft.region, draft.last) for draft in drafts]
        self._places = Places(texts, regions, line_ends, habits, margins, lasts)
        self._letters = self._places.letters
        self._guesses = Guesses(self._text, self._letters, self._places.pattern, map(encode, examples))
        self._seen = 0  # tokens taken in
        self._cuts: dict[int, dict[int, int]] = {}  # of each draft: the token that begins at each character
        self._chunks: tuple[dict[int, _Chunk], ...] = (
            {},
            {},
        )  # of words that follow the word before them in their draft
        self._sites: tuple[dict[int, Site], ...] = ({}, {})  # around the gaps before these words
        self._chunks_with: dict[Gaps, set[int]] = {}  # the words of chunks, by drafted gap
        self._worded: dict[tuple[int, str, bool], _Chunk] = {}  # words with gaps before them, as if these were sure
        self._doubtful: list[tuple[bool, int]] = []  # words of chunks that depend on counts, and whether in a formula
        self._respellings = 0  # for which all these are valid
        self._changes = 0  # of habits, for which the chunks are

    def _listened(self, written: Sequence[int]) -> int:
        """Takes in what was written; returns how many of the last tokens begin a character that goes on."""
        for begun in range(len(written) - self._seen):
            known = written[: len(written) - begun] if begun else written
            text = self._text.last(known, len(known) - self._seen)
            if text is not None:
                self._seen = len(known)
                self._places.listen(text)
                self._forget_changed()
                return begun
        return len(written) - self._seen

    def _forget_changed(self) -> None:
        """Drops the chunks that would now be worded differently."""
        habits, changed = self._places.habits, self._places.changed
        if self._respellings != self._places.respellings:
            self._chunks, self._chunks_with, self._worded, self._doubtful = ({}, {}), {}, {}, []
            self._respellings = self._places.respellings
        if self._changes != habits.changes:
            for math, word in self._doubtful:
                self._chunks[math].pop(word, None)
            self._doubtful = []
            changed |= {key for key in self._chunks_with if not all(habits.is_as_drafted(key, m) for m in _MATH)}
            self._changes = habits.changes
        for key in changed:
            for word in self._chunks_with.pop(key, ()):
                for chunks in self._chunks:
                    chunks.pop(word, None)
        changed.clear()

    def candidates(self, written: Sequence[int], limit: int) -> list[Candidate]:
        """Continuations of the drafts as the answer would write them, of at most `limit` tokens."""
        begun = self._listened(written)
        found = self._candidates(limit + begun)
        return [rest for each in found if (rest := _after(each, written[len(written) - begun :]))] if begun else found

    def _candidates(self, limit: int) -> list[Candidate]:
        if not self._places.word and self._places.boxes and self._places.boxes.is_open(self._places.gap):
            return self._from_boxes(limit)
        found: list[Candidate] = []
        closing = self._places.opened.closing()
        for rank, place in enumerate(self._places.starts()):
            pending = self._places.pending_gap(place.letter)
            gaps = self._first_gaps(place.letter, pending)
            gaps = [gap._replace(text=gap.text[len(pending) :]) for gap in gaps] if pending else gaps
            if closing and not rank and (closing.begun or not self._places.inserted):
                found += self._closed(place.letter, gaps, closing, limit)
            found += self._from(place, gaps, limit, 1 if rank else VARIANTS)
        return found

    def _closed(self, at: int, gaps: Sequence[Gap], closing: Closing, limit: int) -> Iterator[Candidate]:
        """The draft's words up to where what is open may end, at a mark or at the region's end; then what closes it."""
        letters, places = self._letters, self._places
        draft, word, math = places.draft_at(at), letters.word_at[at], places.math
        ahead: list[int] = []
        gap = places.drafted_gap(at)[0] if places.word and not closing.begun else ""
        if not closing.begun and not closing.may_stand_in(gap):
            if not gaps:
                return
            rest = self._spelling(self._spelt(word, math, letters.within[at]))
            ahead += self._ending_in(draft, word, gaps[0].text + rest)
            gap = letters.tails[draft]
            for later in range(word + 1, letters.ends[draft]):
                if closing.may_stand_in(letters.gaps[later]):
                    gap = letters.gaps[later]
                    break
                ahead += (self._chunks[math].get(later) or self._chunk(draft, later, math)).tokens
                if len(ahead) >= limit:
                    return
        tokens = [*ahead, *self._text.tokens(closing.after(gap))]
        yield Candidate(tokens[:limit], CandidateKind.REPHRASED, draft, 0, doubts={len(ahead): closing.chance})

    def guesses(self, written: Sequence[int], share: float) -> GuessTree | None:
        """Guesses token by token, for places where no draft is likely to be right; none without drafts."""
        if not self._drafts:
            return None
        starts = self._places.starts()
        letter = starts[0].letter if starts else len(self._letters.text)
        tree = self._guesses.tree(written, letter, share)
        return tree if tree.first else None

    def _from(self, place: Place, gaps: Sequence[Gap], limit: int, variants: int) -> Iterator[Candidate]:
        for rank, gap in enumerate(gaps[:variants]):
            most = limit if not rank and variants > 1 else min(limit, BRANCH)
            yield self._candidate(place.letter, gap.text, most, place.chance * gap.chance)

    def _first_gaps(self, at: int, pending: str) -> list[Gap]:
        """Whole gaps that may stand before the letter, given that their part `pending` is written."""
        boxes, habits = self._places.boxes, self._places.habits
        drafted, *others = self._places.drafted_gap(at)
        place = self._places.site(self._places.word or self._places.last, at)
        likely = habits.likely(drafted, place, others)
        if boxes:
            likely = [gap._replace(text=self._with_box(gap.text, at, pending)) for gap in likely]
        if not pending:
            return likely
        likely = [gap for gap in likely if gap.text.startswith(pending)]
        blank = boxes.without_numbers(pending)
        left = "" if likely else _left(drafted, blank)
        math = in_math(pending, self._places.math)
        begun = [Gap(pending + gap[len(blank) :], chance) for gap, chance in habits.begun(blank, left, math)]
        known = {gap.text for gap in likely}
        lines = [Gap(pending + rest, UNDERLINED) for rest in rest_of_underline(self._places.said)]
        return [*lines, *likely, *(gap for gap in begun if gap.text not in known)]

    def _with_box(self, gap: str, at: int, pending: str) -> str:
        """The gap with a box's numbers: those that are written, whatever they are, or the expected ones."""
        boxes = self._places.boxes
        if self._places.boxed is not None and NUMBERS in gap:
            return pending[: boxes.end(pending)] + gap[gap.rindex(NUMBERS) + 1 :]
        return boxes.with_numbers(gap, self._places.draft_at(at))

    def _from_boxes(self, limit: int) -> list[Candidate]:
        """Continues an open box with the numbers of one of the next regions, then with that region's text."""
        guesses = self._places.boxes.guesses(self._places.gap, self._places.unread())
        found = []
        for rank, (draft, text, chances) in enumerate(guesses):
            numbers, doubts = self._numbers(text, chances)
            rest = self._after_box(draft, limit if not rank else BRANCH)
            turns = tuple(Turn(turn.at + len(numbers), turn.draft, turn.position) for turn in rest.turns)
            later = {at + len(numbers): chance for at, chance in rest.doubts.items()}
            if draft != guesses[0].draft:
                doubts[0] = BESIDE
            tokens = [*numbers, *rest.tokens][: max(BRANCH, len(numbers)) if rank else limit]
            found.append(Candidate(tokens, CandidateKind.REPHRASED, draft, 0, turns, doubts | later))
        return found

    def _after_box(self, draft: int, limit: int) -> Candidate:
        """The candidate that starts at the closing bracket of the draft's box."""
        letters = self._letters
        if letters.firsts[draft] == letters.ends[draft]:  # a picture
            lead = letters.tails[draft]
            return Candidate(self._text.tokens(self._after_numbers(lead)), CandidateKind.REPHRASED, draft, 0)
        lead = self._after_numbers(letters.gaps[letters.firsts[draft]])
        return self._candidate(letters.starts[draft], lead, limit)

    def _after_numbers(self, lead: str) -> str:
        return lead[max(0, self._places.boxes.end(lead)) :]

    def _numbers(self, text: str, chances: Mapping[int, float]) -> tuple[list[int], dict[int, float]]:
        """The tokens of a box, and how likely those of its numbers are: digit by digit, or each number at once."""
        tokens: list[int] = []
        doubts: dict[int, float] = {}
        for piece in re.finditer(r"\d+|\D+", text):
            found = self._text.tokens(piece[0])
            of_digits = [chances.get(place, 1.0) for place in range(*piece.span())]
            if len(found) < len(of_digits):
                of_digits = [prod(of_digits)] if piece[0].isdigit() else []
            doubts |= dict(enumerate(of_digits, len(tokens)))
            tokens += found
        return tokens, {at: chance for at, chance in doubts.items() if chance < CERTAIN}

    def _candidate(self, at: int, gap: str, limit: int, chance: float = 1.0) -> Candidate:
        """A candidate from the letter `at` on, with the rest of the gap before it; its first token has this chance."""
        letters, places = self._letters, self._places
        draft = first = self._places.draft_at(at)
        word, within = letters.word_at[at], letters.within[at]
        math = in_math(("" if places.word else places.gap) + gap, places.math)
        spelt = self._spelt(word, math, within)
        tokens = [*self._ending_in(draft, word, gap + self._spelling(spelt))]
        turns: list[Turn] = []
        doubts = {0: chance} if chance < 1.0 else {}
        passed = {*places.of(draft)}
        reach, stop = 1.0, letters.ends[draft]
        while len(tokens) < limit and reach >= LEAST_CHANCE:
            word += 1
            if word < stop:
                chunk = self._chunks[math].get(word) or self._chunk(draft, word, math)
            else:
                following = places.following(passed)
                if following is None:
                    tokens += self._text.tokens(letters.tails[draft].rstrip() + places.closing)
                    break
                word = letters.firsts[following]
                chunk = self._made(following, word, places.seam(draft, following), math)
                draft, stop = following, letters.ends[following]
                passed.update(places.of(draft))
                turns.append(Turn(len(tokens), draft, 0))
            added, chance, math = chunk
            if chance < CERTAIN:
                doubts[len(tokens)] = chance
                reach *= chance
            tokens += added
        return Candidate(tokens[:limit], CandidateKind.REPHRASED, first, 0, tuple(turns), doubts)

    def _chunk(self, draft: int, word: int, math: bool) -> _Chunk:
        gaps = self._letters.gap_before(self._letters.begins[word])
        chunk = self._chunks[math][word] = self._made(draft, word, gaps, math)
        if chunk.chance < 1.0:
            self._doubtful.append((math, word))
        self._chunks_with.setdefault(gaps, set()).add(word)
        for _, place in self._letters.parted.get(word, ()):
            self._chunks_with.setdefault(self._letters.gap_before(place), set()).add(word)
        return chunk

    def _made(self, draft: int, word: int, gaps: Gaps, math: bool) -> _Chunk:
        """A word and the gap before it, in the answer's habits."""
        gap, chance = gaps[0], 1.0
        if not self._places.habits.is_as_drafted(gaps, math):
            gap, chance = self._places.habits.likeliest(gaps, self._site(word, math))
        if NUMBERS in gap:
            gap = self._places.boxes.with_numbers(gap, draft)
        chunk = self._worded.get((word, gap, math))
        if chunk is None:
            text = gap + self._spelling(self._spelt(word, math))
            chunk = _Chunk(self._ending_in(draft, word, text), 1.0, in_math(gap, math))
            if word not in self._letters.parted:
                self._worded[word, gap, math] = chunk
        return chunk if chance == 1.0 else _Chunk(chunk.tokens, chance, chunk.math)

    def _spelt(self, word: int, math: bool, begin: int = 0) -> str:
        """The rest of a drafted word; parted where a printed line ends in it, if the answer parts such words."""
        letters, spelt = self._letters, ""
        for at, place in letters.parted.get(word, ()):
            if at <= begin:
                continue
            spelt += letters.words[word][begin:at]
            spelt += self._places.habits.likeliest(letters.gap_before(place), letters.site(place, math)).text
            begin = at
        return spelt + letters.words[word][begin:]

    def _site(self, word: int, math: bool) -> Site:
        """What is around the gap before a drafted word."""
        site = self._sites[math].get(word)
        if site is None:
            site = self._sites[math][word] = self._letters.site(self._letters.begins[word], math)
        return site

    def _spelling(self, drafted: str) -> str:
        return drafted if drafted.isascii() else drafted.translate(self._places.respelt)

    def _ending_in(self, draft: int, word: int, text: str) -> Sequence[int]:
        """The tokens of a text that ends with this word: the draft's own if it has the same text there."""
        stop = self._letters.stops[word]
        start = stop - len(text)
        if start >= 0 and self._texts[draft].startswith(text, start):
            if draft not in self._cuts:
                self._cuts[draft] = self._text.cuts(self._drafts[draft].tokens)
            first, last = self._cuts[draft].get(start), self._cuts[draft].get(stop)
            if first is not None and last is not None:
                return self._drafts[draft].tokens[first:last]
        return self._text.tokens(text)


def _left(drafted: str, written: str) -> str:
    """What is left of a gap that was begun otherwise: what comes after the last of it that was written.

    >>> _left('<tr><th></th><th colspan="4">', '<tr><th rowspan="2"></th><th colspan')
    '="4">'
    """
    last = SequenceMatcher(None, drafted, written, autojunk=False).get_matching_blocks()[-2:][0]
    return drafted[last.a + last.size :] if last.size else ""


def _after(candidate: Candidate, begun: Sequence[int]) -> Candidate | None:
    """What is left of a candidate that begins so; None if it begins otherwise, or has no more of its first draft."""
    count = len(begun)
    tokens = candidate.tokens[count:]
    if not tokens or list(candidate.tokens[:count]) != list(begun) or any(turn.at < count for turn in candidate.turns):
        return None
    turns = tuple(turn._replace(at=turn.at - count) for turn in candidate.turns)
    doubts = {at - count: chance for at, chance in candidate.doubts.items() if at >= count}
    return candidate._replace(tokens=tokens, turns=turns, doubts=doubts)
