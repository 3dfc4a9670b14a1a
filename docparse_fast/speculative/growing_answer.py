"""One row's answer as it grows: its tokens, where each came from, and why it ends. Knows no slot, pass or price."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from itertools import groupby
from typing import NamedTuple

from docparse_fast.speculative.acceptance import Acceptance, accept
from docparse_fast.speculative.alignment import Alignment
from docparse_fast.speculative.candidates import Candidate, CandidateKind, TokenDraft
from docparse_fast.speculative.draft_index import agreement
from docparse_fast.speculative.drafting import DraftingModel, GapFilling, ModelUse
from docparse_fast.speculative.hit_rates import HitRates
from docparse_fast.speculative.prefix_tree import PrefixTree, TreeBuilder
from docparse_fast.speculative.proposing import Rephraser, propose
from docparse_fast.speculative.repetition import CHECK_EVERY, find_loop
from docparse_fast.speculative.target import Verification
from docparse_fast.speculative.token_store import TokenStore

LEAST_CHANCE = 0.01  # a node less likely than this costs more than it brings in every pass


class Finish(StrEnum):
    EOS = "eos"
    LENGTH = "length"
    REPETITION = "repetition"
    DEADLINE = "deadline"


class TokenOrigin(StrEnum):
    ACCEPTED = "accepted"  # a draft's token that was the target's choice
    TOLERATED = "tolerated"  # a draft's token that was nearly its choice
    OWN = "own"  # the target's own, without a draft


@dataclass(slots=True, eq=False)
class Row:
    """What to read, and the drafts to use. `drafts` may grow while the row runs: new ones are used at the next step.

    A row without drafts and drafting model is decoded plainly.
    """

    view: object
    drafts: list[TokenDraft] = field(default_factory=list)
    separators: Sequence[Sequence[int]] = ()  # written between regions; none if drafts end in one
    max_tokens: int = 4096
    deadline: float = math.inf  # on the clock of the timer given to spec_decode
    rephrasing: Rephraser | None = None  # rewords drafts as the answer would write them
    drafting: DraftingModel | None = None  # drafts where the others part from the answer; of this row alone
    store: TokenStore | None = None  # what followed n-grams before, for the drafting model; of this row alone
    name: object = None  # for the caller's own use

    def __post_init__(self) -> None:
        if self.max_tokens < 1:
            raise ValueError(f"a row writes at least one token: max_tokens {self.max_tokens}")

    @property
    def expected(self) -> int:
        """About how long the answer will be: as long as the longest reading of every region."""
        longest: dict[int, int] = {}
        for draft in self.drafts:
            longest[draft.region] = max(len(draft.tokens), longest.get(draft.region, 0))
        return min(self.max_tokens, sum(longest.values()))


class TokenSpan(NamedTuple):
    """A run of written tokens with one origin. `kind`, `draft` and `position` say which draft, and where in it."""

    start: int
    stop: int
    origin: TokenOrigin
    kind: CandidateKind | None = None
    draft: int = -1  # number in the row's drafts; -1: none, or the row's own output
    position: int = -1  # in that draft; negative: a separator before it


class Step(NamedTuple):
    """One pass, as one row saw it."""

    rows: int  # rows in the pass
    width: int  # tokens of the widest row in the pass
    nodes: int  # of this row's tree, root included
    accepted: int  # draft tokens taken, tolerated ones included: a_i of Eq. 14
    tolerated: int
    written: int


@dataclass(frozen=True, slots=True)
class Decoded:
    row: Row
    tokens: tuple[int, ...]  # with the token that ended the answer, as in generate()
    finish: Finish
    spans: tuple[TokenSpan, ...]  # in order; they cover all tokens
    steps: tuple[Step, ...]
    offered: Mapping[CandidateKind, int]  # tree nodes, root excluded
    accepted: Mapping[CandidateKind, int]  # of these
    model: ModelUse | None = None  # if it had a drafting model


class RunningRow:
    """A row in a slot. Each step calls `align`, `build_tree`, `accept` and `write`, until there is a `finish`.

    `chances`, `tree` and `accepted` keep the last step's results until the next step.
    """

    tree: PrefixTree
    accepted: Acceptance

    def __init__(self, row: Row, *, eos: frozenset[int], window: int) -> None:
        self.row = row
        self.finish: Finish | None = None
        self._most = row.max_tokens
        self._eos = eos
        self._window = window
        self._alignment = Alignment(window=window, separators=row.separators)
        self._rates = HitRates()
        self._gaps = GapFilling(row.drafting, row.store, beside_drafts=bool(row.drafts)) if row.drafting else None
        self._candidates: list[Candidate] = []  # of the current step, likeliest first
        self._builder = TreeBuilder((), (), limit=1)
        self._spans: list[TokenSpan] = []
        self._steps: list[Step] = []
        self._offered: Counter[CandidateKind] = Counter()

    @property
    def tokens(self) -> list[int]:
        return self._alignment.written

    @property
    def chances(self) -> list[float]:
        """Chances of the nodes that the tree may have, root first, falling."""
        return self._builder.chances

    @property
    def spent(self) -> float:
        """What the drafting model cost in this step, in plain passes."""
        return self._gaps.spent if self._gaps else 0.0

    def begin(self, first: int, room: int) -> None:
        """Writes the first token, which prefill returned; `room` is the most tokens in all."""
        self._most = min(self._most, room)
        self._take_late_drafts()
        self._append([first], self._alignment.candidates(limit=1))
        self._spans.append(TokenSpan(0, 1, TokenOrigin.OWN))

    def align(self, limit: int, spare: float = 0.0) -> None:
        """Finds what may come next, in at most `limit` nodes, none of them after the row's last token.

        A drafting model may spend `spare` plain passes for it.
        """
        self._take_late_drafts()
        limit = min(limit, self._most - len(self.tokens))
        # as long as what the step may write, the target's own token included: all of it is compared with them
        proposal = propose(self._alignment, self._rates, self.row.rephrasing, limit, self._gaps, spare)
        self._candidates = proposal.candidates
        self._builder = proposal.tree(limit, LEAST_CHANCE)

    def build_tree(self, width: int) -> None:
        self.tree = self._builder.tree(self.tokens[-1], width)

    def accept(self, verification: Verification, tau: float) -> None:
        self.accepted = accept(self.tree, verification, tau)

    def write(self, *, rows: int, width: int) -> None:
        """Writes what was accepted in a pass of so many rows and nodes."""
        start, tree, accepted = len(self.tokens), self.tree, self.accepted
        self._rates.learn(self._candidates, accepted.tokens)
        if self._gaps:
            self._gaps.learn(accepted.tokens, self._without_model(accepted))
        if self.row.store:
            self._keep_refused(self.row.store, accepted.tokens)
        written = self._append(accepted.tokens, self._candidates)
        taken = accepted.path[1 : written + 1]
        self._spans += _spans(start, written, tree, taken, accepted.tolerated, self._candidates)
        self._count_offered(tree)
        tolerated = len(set(accepted.tolerated).intersection(taken))
        self._steps.append(Step(rows, width, len(tree), len(taken), tolerated, written))

    def _keep_refused(self, store: TokenStore, written: Sequence[int]) -> None:
        """Hands over the drafting model's tokens if they were refused; refused drafts stay where they are."""
        for candidate in self._candidates:
            if candidate.kind is CandidateKind.MODEL:
                drafted = candidate.tokens[: candidate.turns[0].at if candidate.turns else None]
                agreed = agreement(drafted, written)
                if agreed < min(len(drafted), len(written)):
                    store.refuse(self.tokens, drafted, agreed, written[agreed])

    def _without_model(self, accepted: Acceptance) -> int:
        """How many tokens the other candidates would have let this step write."""
        sources = {self.tree.sources[node] for node in accepted.path[1:]}
        if all(self._candidates[source].kind is not CandidateKind.MODEL for source in sources):
            return len(accepted.tokens)
        others = (each.tokens for each in self._candidates if each.kind is not CandidateKind.MODEL)
        return 1 + max((agreement(tokens, accepted.tokens) for tokens in others), default=0)

    def _count_offered(self, tree: PrefixTree) -> None:
        """Counts nodes by kind; a model's candidate goes on in a draft from its first turn on."""
        for source, count in Counter(tree.sources[1:]).items():
            candidate = self._candidates[source]
            if candidate.kind is CandidateKind.MODEL and candidate.turns:
                last = candidate.turns[0].at
                nodes = zip(tree.sources, tree.depths, strict=True)
                drafted = sum(depth > last for of, depth in nodes if of == source)
                self._offered[CandidateKind.WINDOW] += drafted
                count -= drafted
            self._offered[candidate.kind] += count

    def result(self) -> Decoded:
        """The finished row."""
        accepted: Counter[CandidateKind] = Counter()
        for span in self._spans:
            if span.kind is not None:
                accepted[span.kind] += span.stop - span.start
        finish = self.finish or Finish.DEADLINE
        return Decoded(
            self.row,
            tuple(self.tokens),
            finish,
            tuple(self._spans),
            tuple(self._steps),
            self._offered,
            accepted,
            self._gaps.use if self._gaps else None,
        )

    def _take_late_drafts(self) -> None:
        for draft in self.row.drafts[self._alignment.drafts :]:
            self._alignment.add(draft)

    def _append(self, tokens: Sequence[int], candidates: Sequence[Candidate]) -> int:
        """Writes `tokens` until the row ends; returns how many were written."""
        count, self.finish = self._end(tokens)
        self._alignment.follow(candidates, tokens[:count])
        if self.row.store:
            self.row.store.learn(tokens[:count])
        return count

    def _end(self, tokens: Sequence[int]) -> tuple[int, Finish | None]:
        """How many of `tokens` the row takes, and why it takes no more."""
        room = self._most - len(self.tokens)
        count, finish = (len(tokens), None) if len(tokens) < room else (room, Finish.LENGTH)
        if not self._eos.isdisjoint(tokens[:count]):
            count = next(place for place, token in enumerate(tokens, start=1) if token in self._eos)
            finish = Finish.EOS
        start = len(self.tokens)
        for length in range(start - start % CHECK_EVERY + CHECK_EVERY, start + count + 1, CHECK_EVERY):
            if self._loops([*self.tokens, *tokens[: length - start]]):
                return length - start, Finish.REPETITION
        return count, finish

    def _loops(self, tokens: Sequence[int]) -> bool:
        """Whether the answer loops and no draft has half of the loop: a long table of empty cells is no loop."""
        loop = find_loop(tokens)
        return loop is not None and not self._alignment.index.holds(tokens[-loop.length // 2 :], self._window)


def _spans(
    start: int,
    written: int,
    tree: PrefixTree,
    taken: Sequence[int],
    tolerated: Sequence[int],
    candidates: Sequence[Candidate],
) -> list[TokenSpan]:
    """The origins of the `written` tokens: the nodes taken, by draft, then the target's own."""
    spans = []
    stop = start
    for (source, yielded), run in groupby(taken, key=lambda node: (tree.sources[node], node in tolerated)):
        depths = [tree.depths[node] for node in run]
        origin = TokenOrigin.TOLERATED if yielded else TokenOrigin.ACCEPTED
        for kind, draft, position, length in candidates[source].parts(depths[0] - 1, depths[-1]):
            begin, stop = stop, stop + length
            spans.append(TokenSpan(begin, stop, origin, kind, draft, position))
    if stop < start + written:
        spans.append(TokenSpan(stop, start + written, TokenOrigin.OWN))
    return spans
