"""Finds the target's place in its drafts, and what it may write next. Knows tokens; does not judge their worth.

The drafts are fixed while the target writes, so each step searches again for their continuations. The paper uses a
window: wherever a draft has the last n accepted tokens, the rest of that draft is a candidate (Eq. 4-5). Two more
sources help where a window finds nothing: the place itself, remembered without a window; and the same draft, resumed
right after a mismatch. Where a draft ends, its candidate goes on in the next region's.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right, insort
from collections.abc import Iterable, Iterator, Sequence

from docparse_fast.speculative.candidates import NOT_DRAFTED, Candidate, CandidateKind, TokenDraft, Turn
from docparse_fast.speculative.draft_index import DraftIndex, agreement, reference_window
from docparse_fast.speculative.own_output import OwnOutput

NEAREST = 3  # matches of the window offered, nearest to the expected place
RIVALS = 8  # drafts that agreed as far as the one being read
BLIND_REACH = 3  # own tokens since a mismatch up to which the draft is resumed by counting
ANCHOR_REACH = 8  # ... and up to which the last token is searched near the place
LOOK_AHEAD = 8  # tokens searched after the expected place
MEETING = 2  # tokens of a draft, near the expected place, that lead back into it


class Alignment:
    """One row's place in its drafts. Each step calls `candidates`, then `follow` with what was written."""

    def __init__(
        self,
        drafts: Iterable[TokenDraft] = (),
        *,
        window: int = 3,
        separators: Sequence[Sequence[int]] = (),
    ) -> None:
        self.index = DraftIndex()
        self.written: list[int] = []  # the accepted prefix
        self._window = window
        self._separators = [tuple(separator) for separator in separators]
        self._own = OwnOutput(window)
        self._regions: list[int] = []  # the region of each draft
        self._lasts: list[int] = []  # ... and the last one, of a draft that goes on over several
        self._unread: dict[int, list[int]] = {}  # region -> its drafts
        self._order: list[int] = []  # the unread regions in rising order
        self._read: set[int] = set()
        self._draft = -1  # the draft being read; -1 before the first
        self._place = 0  # the next token expected, in the index's text
        self._gap = 0  # tokens written since the draft was last right
        self._rivals: list[int] = []
        for draft in drafts:
            self.add(draft)

    @property
    def drafts(self) -> int:
        """The number of drafts."""
        return len(self._regions)

    def add(self, draft: TokenDraft) -> None:
        """Adds a draft. A late one, of a region verified while its page is written, becomes the region's best."""
        number = len(self._regions)
        self.index.add(draft.tokens)
        self._regions.append(draft.region)
        self._lasts.append(max(draft.region, draft.last))
        if not draft.tokens or draft.region in self._read:
            return
        if draft.region not in self._unread:
            self._unread[draft.region] = []
            insort(self._order, draft.region)
        self._unread[draft.region].insert(0 if self.written else number, number)

    # ------------------------------------------------------------------------------------------ asking

    def candidates(self, limit: int) -> list[Candidate]:
        """All continuations worth considering, of at most `limit` tokens; each place only once."""
        if not self._regions:
            return []  # plain decoding: neither drafts nor its own output
        found: list[Candidate] = []
        seen: set[int] = set()
        if self._draft >= 0 and not self._gap and self._place == self.index.ends[self._draft]:
            onward = self._route(self._draft, self._place, CandidateKind.WINDOW, limit)
            found += [onward] if onward.tokens else []
        for place, kind in self._places():
            if place not in seen:
                seen.add(place)
                found.append(self.route(place, kind, limit))
        found += self._own_output(limit)
        return found

    @property
    def parted(self) -> bool:
        """Whether the last token written is in no draft here: the answer has left them, or there are none."""
        return self._gap > 0 or self._draft < 0

    def meeting(self, tokens: Sequence[int]) -> int | None:
        """The place in the drafts, near the expected one, that `tokens` lead to if they are written next."""
        if self._draft < 0 or len(tokens) < MEETING:
            return None
        expected = self._place + self._gap + len(tokens)
        places = self.index.after(tokens[-MEETING:])
        near = places[bisect_left(places, expected - LOOK_AHEAD) : bisect_right(places, expected + LOOK_AHEAD)]
        return min(near, key=lambda place: abs(place - expected), default=None)

    def route(self, place: int, kind: CandidateKind, limit: int) -> Candidate:
        """A candidate from `place` to the end of its draft, and on through the unread regions after it."""
        return self._route(self.index.draft_at(place), place, kind, limit)

    def _route(self, draft: int, place: int, kind: CandidateKind, limit: int) -> Candidate:
        index = self.index
        position = place - index.starts[draft]
        tokens = index.text[place : min(place + limit, index.ends[draft])]
        if len(tokens) >= limit or not self._order:
            return Candidate(tokens, kind, draft, position)
        turns = []
        between = self._separators[0] if self._separators else ()
        for region in self._order[bisect_right(self._order, self._lasts[draft]) :]:
            following = self._unread[region][0]
            turns.append(Turn(len(tokens), following, -len(between)))
            tokens += between
            tokens += index.text[index.starts[following] : index.ends[following]]
            if len(tokens) >= limit:
                break
        return Candidate(tokens[:limit], kind, draft, position, tuple(turns))

    def _places(self) -> Iterator[tuple[int, CandidateKind]]:
        if not self.written:  # the first token, which prefill returns, chooses among the drafts
            heads = (self.index.starts[draft] for region in self._order for draft in self._unread[region])
            yield from ((head, CandidateKind.WINDOW) for head in heads)
        if self._draft >= 0:
            if self._gap:
                yield from ((place, CandidateKind.NEAR) for place in self._resumed())
            elif self._place < self.index.ends[self._draft]:
                yield self._place, CandidateKind.WINDOW
        for place in self._rivals:
            yield place, CandidateKind.WINDOW
        if self.written:
            window = reference_window(self.written, self._window)
            find = self.index.after if len(window) == self._window else self.index.scan
            for place in self._nearest(find(window)):
                yield place, CandidateKind.WINDOW

    def _nearest(self, places: Sequence[int]) -> Sequence[int]:
        """The few of the rising `places` nearest to where the draft would be by now; the later one wins a tie."""
        if len(places) <= NEAREST:
            return places
        expected = self._place + self._gap
        right = bisect_left(places, expected)
        around = places[max(0, right - NEAREST) : right + NEAREST]
        return sorted(around, key=lambda place: (abs(place - expected), place < expected))[:NEAREST]

    def _resumed(self) -> Iterator[int]:
        """Resumes the draft right away: where its next tokens have the last one written, and by counting alone.

        By counting, the answer may have as many tokens as the draft, one fewer, or one or two more.
        """
        text, end = self.index.text, self.index.ends[self._draft]
        expected = self._place + self._gap
        if self._gap <= ANCHOR_REACH:
            last = self.written[-1]
            ahead = range(self._place, min(expected + LOOK_AHEAD, end - 1))
            anchors = [place + 1 for place in ahead if text[place] == last]
            for place in sorted(anchors, key=lambda place: abs(place - expected))[:2]:
                yield place
        if self._gap <= BLIND_REACH:
            for place in (expected, expected - 1, expected + 1, expected + 2):
                if place < end:
                    yield place

    def _own_output(self, limit: int) -> list[Candidate]:
        written = self.written
        return [
            Candidate(written[place : place + limit], CandidateKind.OWN, -1, place)
            for place in self._own.after(written)
        ]

    # --------------------------------------------------------------------------------------- following

    def follow(self, candidates: Sequence[Candidate], written: Sequence[int]) -> None:
        """Moves to the place that `written` leads to: the candidate that agreed longest decides, offered or not."""
        best, leaders = 0, []
        for candidate in candidates:
            if candidate.kind is CandidateKind.REPHRASED or (candidate.kind in NOT_DRAFTED and not candidate.turns):
                continue
            agreed = agreement(candidate.tokens, written)
            if not candidate.is_drafted(agreed - 1):
                continue
            if agreed > best:
                best, leaders = agreed, [candidate]
            elif agreed and agreed == best:
                leaders.append(candidate)
        self.written += written
        if leaders:
            self._move(leaders, best, len(written))
        else:
            self._gap += len(written)
            self._rivals = []

    def _move(self, leaders: Sequence[Candidate], agreed: int, written: int) -> None:
        leader = leaders[0]
        self._draft, self._place = self._after(leader, agreed)
        self._gap = written - agreed
        self._rivals = []
        if not self._gap:
            places = dict.fromkeys(self._after(rival, agreed) for rival in leaders[1:])
            self._rivals = [place for draft, place in places if place < self.index.ends[draft]][:RIVALS]
        for part in leader.parts(0, agreed)[:-1]:
            if part.draft >= 0:
                self._mark_read(part.draft)
        read = self._place - self.index.starts[self._draft]
        if 2 * read >= self.index.ends[self._draft] - self.index.starts[self._draft]:
            self._mark_read(self._draft)

    def _after(self, candidate: Candidate, agreed: int) -> tuple[int, int]:
        """The draft that `agreed` tokens of the candidate lead into, and the next place in it."""
        last = candidate.parts(agreed - 1, agreed)[0]
        return last.draft, self.index.starts[last.draft] + max(0, last.position + 1)

    def _mark_read(self, draft: int) -> None:
        for region in range(self._regions[draft], self._lasts[draft] + 1):
            self._read.add(region)
            if self._unread.pop(region, None):
                self._order.remove(region)
