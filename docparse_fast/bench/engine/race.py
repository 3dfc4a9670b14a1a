"""One model decoded in every way, in turn, over and over. Knows ways and seconds; works no figure out.

race = Race(planted, "cpu", tokens=512, levels=range(1, 11))
race.run(rows=1, repeats=3, until=deadline)
race.runs            # every way's runs, by its name, its level and how many rows there were at once
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal, NamedTuple

from docparse_fast.bench.engine.drafts import EXACT, Sheet, rate_for, stand_in
from docparse_fast.speculative.alignment import TokenDraft
from docparse_fast.speculative.costs import CostTable
from docparse_fast.speculative.decoding import spec_decode
from docparse_fast.speculative.metrics import average_acceptance_length, tokens_per_step
from docparse_fast.speculative.prefix_tree import PrefixTree
from docparse_fast.speculative.target import Target, Verification
from docparse_fast.speculative.writing import Decoded, Row
from docparse_fast.timing import Timer

if TYPE_CHECKING:
    from docparse_fast.bench.engine.generate import Baseline
    from docparse_fast.bench.engine.planted import Planted

Kind = Literal["cpu", "wall"]  # whose seconds: the process's own, or the wall's

SEED = 20260
PLAIN, SPECULATIVE, GENERATE, LOOKUP, CHAIN = "plain", "speculative", "generate", "prompt lookup", "chain"
FEW_LEVELS = (1, 3, 6, 10)  # of chains, and where there are many rows
TOGETHER = 4096  # tokens of all rows of a run: where there are more rows, each writes fewer
LEAST = 32  # but so many
READINGS = 3  # of the answers, before the host's own work is timed
WARM_UP = 8  # tokens that transformers' ways write before they count, on a GPU


class Way(NamedTuple):
    name: str
    level: int | None  # tokens a step that its drafts were made for
    rows: int


@dataclass(frozen=True, slots=True)
class Run:
    """One way, once. What a step took is known of our own loop alone."""

    seconds: float
    same: bool  # wrote what plain decoding wrote
    steps: int
    tokens_per_step: float
    average_acceptance_length: float = 0.0
    step_seconds: Sequence[float] = ()


@dataclass(slots=True)
class Race:
    planted: Planted
    kind: Kind
    tokens: int
    levels: Sequence[int]
    say: Callable[[str], None] = lambda what: None
    runs: dict[Way, list[Run]] = field(default_factory=dict)
    host_seconds: dict[Way, float] = field(default_factory=dict)  # a step's
    warm_host_seconds: dict[Way, float] = field(default_factory=dict)  # ... where no model flushes the host's caches
    rates: dict[int, float] = field(default_factory=dict)  # of faults, by level

    def __post_init__(self) -> None:
        vocabulary, target = self.planted.vocabulary, self.planted.target
        sheet = Sheet(stand_in(self.tokens, SEED, vocabulary), SEED, vocabulary)
        self.rates = {level: rate_for(sheet, level, target.costs, target.eos) for level in self.levels}

    def run(self, rows: int, repeats: int, until: float) -> None:
        """`repeats` rounds of every way over so many rows; one at least, and none more that would end after `until`."""
        self.say(f"{rows} rows at once, warming up")
        answers = self._answers(rows)
        ways = self._ways(rows, answers)
        for way in ways:
            self._warm_up(way, ways[way], answers)
        took = 0.0
        for number in range(repeats):
            begin = time.monotonic()
            if number and begin + took > until:
                return
            self.say(f"{rows} rows at once, round {number + 1} of {repeats}")
            for way in _round(ways, number):
                self.runs.setdefault(way, []).append(ways[way]())
            took = time.monotonic() - begin

    def tokens_of(self, rows: int) -> int:
        """That each row writes."""
        return min(self.tokens, max(LEAST, TOGETHER // rows))

    # --------------------------------------------------------------------------------------------------- ways

    def _answers(self, rows: int) -> list[tuple[int, ...]]:
        """What all must write: plain decoding says it."""
        decoded = self._decode([()] * rows, self.tokens_of(rows), self.planted.target, Timer())
        return [one.tokens for one in decoded]

    def _ways(self, rows: int, answers: Sequence[Sequence[int]]) -> dict[Way, Callable[[], Run]]:
        """Every way, ready to run."""
        tokens = self.tokens_of(rows)
        sheets = [Sheet(answer, SEED + 10 * row, self.planted.vocabulary) for row, answer in enumerate(answers)]

        def ours(drafts: Sequence[Sequence[TokenDraft]]) -> Callable[[], Run]:
            return lambda: self._ours(drafts, tokens, answers)

        def theirs(way: Callable[[], Baseline]) -> Callable[[], Run]:
            return lambda: _run_of(way(), answers)

        planted = self.planted
        ways = {Way(PLAIN, None, rows): ours([()] * rows)}
        for level in self.levels if rows == 1 else _few(self.levels):
            ways[Way(SPECULATIVE, level, rows)] = ours([sheet.drafts(self.rates[level]) for sheet in sheets])
        ways[Way(GENERATE, None, rows)] = theirs(lambda: planted.generate(rows, tokens))
        if rows > 1:
            return ways  # transformers' assisted decoding takes one row
        ways[Way(LOOKUP, None, rows)] = theirs(lambda: planted.prompt_lookup(tokens))
        for level in _few(self.levels):
            drafts = sheets[0].drafts(self.rates[level])
            ways[Way(CHAIN, level, rows)] = theirs(lambda drafts=drafts: planted.chain(tokens, drafts))  # type: ignore[misc]
        return ways

    def _warm_up(self, way: Way, run: Callable[[], Run], answers: Sequence[Sequence[int]]) -> None:
        """Ours once in full, which captures what graphs there are, and says what the host does in a step."""
        if way.name in (PLAIN, SPECULATIVE):
            with self.planted.watched() as watch:
                run()
            self.host_seconds[way] = watch.host_seconds()
            if self.kind == "cpu":
                self.warm_host_seconds[way] = self._warm_host_seconds(run, answers)
        elif way.name == GENERATE and self.kind == "wall":
            self.planted.generate(way.rows, WARM_UP)

    def _warm_host_seconds(self, run: Callable[[], Run], answers: Sequence[Sequence[int]]) -> float:
        """Without the model, once the caches have the host's code. (On a GPU `host_seconds` says it.)"""
        with self.planted.read_out(answers):
            for _ in range(READINGS):
                run()
            with self.planted.watched() as watch:
                run()
        return watch.host_seconds()

    # ------------------------------------------------------------------------------------------------ our loop

    def _ours(self, drafts: Sequence[Sequence[TokenDraft]], tokens: int, answers: Sequence[Sequence[int]]) -> Run:
        timer = Timer(self.planted.clock)
        laps = Laps(self.planted.target, time.process_time if self.kind == "cpu" else time.perf_counter)
        decoded = self._decode(drafts, tokens, laps, timer)
        return Run(
            timer.seconds["decode"],
            [list(one.tokens) for one in decoded] == [list(answer) for answer in answers],
            max(len(one.steps) for one in decoded),
            tokens_per_step(decoded),
            average_acceptance_length(decoded),
            laps.seconds(),
        )

    def _decode(
        self, drafts: Sequence[Sequence[TokenDraft]], tokens: int, target: Target, timer: Timer
    ) -> list[Decoded]:
        """A row for each list of drafts; with an empty one it decodes plainly."""
        views = self.planted.views(len(drafts))
        rows = [
            Row(view, list(given), max_tokens=tokens, name=number)
            for number, (view, given) in enumerate(zip(views, drafts, strict=True))
        ]
        found = {one.row.name: one for one in spec_decode(target, rows, EXACT, timer)}
        return [found[row.name] for row in rows]


class Laps:
    """A target that notes when each of its steps begins. A step ends when the next begins, so the last is not known."""

    def __init__(self, target: Target, clock: Callable[[], float]) -> None:
        self._target = target
        self._clock = clock
        self._starts: list[float] = []

    def seconds(self) -> list[float]:
        return [stop - start for start, stop in zip(self._starts, self._starts[1:], strict=False)]

    @property
    def slots(self) -> int:
        return self._target.slots

    @property
    def eos(self) -> frozenset[int]:
        return self._target.eos

    @property
    def costs(self) -> CostTable:
        return self._target.costs

    def prefill(self, views: Mapping[int, object]) -> dict[int, int]:
        return self._target.prefill(views)

    def verify(self, trees: Mapping[int, PrefixTree], *, tolerant: bool = False) -> dict[int, Verification]:
        self._starts.append(self._clock())
        return self._target.verify(trees, tolerant=tolerant)

    def room(self, slot: int) -> int:
        return self._target.room(slot)

    def commit(self, paths: Mapping[int, Sequence[int]]) -> None:
        self._target.commit(paths)

    def release(self, slot: int) -> None:
        self._target.release(slot)


def _round(ways: Iterable[Way], number: int) -> list[Way]:
    """All ways, with another first each time; and plain once more in the middle: all are held against it."""
    order = list(ways)
    plain = next(way for way in order if way.name == PLAIN)
    first = number % len(order)
    order = order[first:] + order[:first]
    order.insert(order.index(plain) + (len(order) // 2), plain)
    return order


def _few(levels: Sequence[int]) -> list[int]:
    return [level for level in levels if level in FEW_LEVELS]


def _run_of(baseline: Baseline, answers: Sequence[Sequence[int]]) -> Run:
    same = [list(answer) for answer in baseline.answers] == [list(answer) for answer in answers]
    return Run(baseline.decode_seconds, same, baseline.steps, baseline.tokens_per_step, baseline.tokens_per_step - 1)
