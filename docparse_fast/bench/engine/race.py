"""Decodes with one model in every way, in turn, for several rounds. Knows ways and seconds; derives no figure.

race = Race(planted, "cpu", tokens=512, levels=range(1, 11))
race.run(rows=1, repeats=3, until=deadline)
race.record(1)       # every way's rounds and answers, like a page's
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal

from docparse_fast.bench.engine.drafts import Sheet, rate_for, stand_in
from docparse_fast.bench.engine.record import GENERATE, PLAIN
from docparse_fast.bench.engine.ways import SEED, EngineWay, OurLoop, Rows, ways_of
from docparse_fast.bench.record import PageRecord
from docparse_fast.bench.trial import Attempts
from docparse_fast.bench.ways import Written, in_turns
from docparse_fast.timing import Timer

if TYPE_CHECKING:
    from docparse_fast.bench.engine.planted import RandomModel

ClockKind = Literal["cpu", "wall"]  # the process's CPU seconds, or wall seconds

TOGETHER = 4096  # tokens of all rows of a run: with more rows, each writes fewer
LEAST = 32  # tokens that each row writes at least
READINGS = 3  # of the answers, before the host's work is timed
WARM_UP = 8  # tokens that transformers' ways write uncounted first, on a GPU


@dataclass(slots=True)
class Race:
    planted: RandomModel
    kind: ClockKind
    tokens: int
    levels: Sequence[int]
    say: Callable[[str], None] = lambda what: None
    ways: dict[int, list[EngineWay]] = field(default_factory=dict)  # that ran, by number of rows
    attempts: dict[tuple[int, str], Attempts] = field(default_factory=dict)
    host_seconds: dict[tuple[int, str], float] = field(default_factory=dict)  # per step
    warm_host_seconds: dict[tuple[int, str], float] = field(default_factory=dict)  # the same with warm caches
    rates: dict[int, float] = field(default_factory=dict)  # error rates, by level

    def __post_init__(self) -> None:
        vocabulary, target = self.planted.vocabulary, self.planted.target
        sheet = Sheet(stand_in(self.tokens, SEED, vocabulary), SEED, vocabulary)
        self.rates = {level: rate_for(sheet, level, target.costs, target.eos) for level in self.levels}

    def run(self, rows: int, repeats: int, until: float) -> None:
        """Runs `repeats` rounds of every way; at least one, and no further round that would end after `until`."""
        self.say(f"{rows} rows at once, warming up")
        clock = time.process_time if self.kind == "cpu" else time.perf_counter
        ways = ways_of(rows, self.levels, clock)
        job, answers = self._job(rows, ways[0])
        for way in ways:
            self._warm_up(way, job, answers)
        took = 0.0
        for number in range(repeats):
            begin = time.monotonic()
            if number and begin + took > until:
                return
            self.say(f"{rows} rows at once, round {number + 1} of {repeats}")
            for way in _round(ways, number):
                self._attempt(way, job)
            took = time.monotonic() - begin

    def record(self, rows: int) -> PageRecord:
        """The record of all ways that ran on so many rows."""
        plain = self.attempts[rows, PLAIN].written[0]
        ways = {way.name: self.attempts[rows, way.name].record(plain) for way in self.ways[rows]}
        return PageRecord(f"{rows} rows", ways=ways)

    def tokens_of(self, rows: int) -> int:
        """The number of tokens that each row writes."""
        return min(self.tokens, max(LEAST, TOGETHER // rows))

    def _job(self, rows: int, plain: EngineWay) -> tuple[Rows, list[Sequence[int]]]:
        """The rows with drafts of their answers, and the answers, which plain decoding writes."""
        tokens = self.tokens_of(rows)
        written = self._written(plain, Rows(rows, tokens)).tokens
        answers: list[Sequence[int]] = [written[at : at + tokens] for at in range(0, rows * tokens, tokens)]
        sheets = (Sheet(answer, SEED + 10 * row, self.planted.vocabulary) for row, answer in enumerate(answers))
        return Rows(rows, tokens, tuple(sheets), self.rates), answers

    def _written(self, way: EngineWay, job: Rows) -> Written:
        return way.run(job, self.planted, Timer(self.planted.clock))

    def _attempt(self, way: EngineWay, job: Rows) -> None:
        timer = Timer(self.planted.clock)
        written = way.run(job, self.planted, timer)
        attempts = self.attempts.setdefault((job.count, way.name), Attempts(way.drafts))
        attempts.written.append(written)
        attempts.rounds.append(dict(timer.seconds))
        ran = self.ways.setdefault(job.count, [])
        if way not in ran:
            ran.append(way)

    def _warm_up(self, way: EngineWay, job: Rows, answers: Sequence[Sequence[int]]) -> None:
        """Runs our loop once in full, which captures graphs and gives the host's seconds per step."""
        key = (job.count, way.name)
        if isinstance(way, OurLoop):
            with self.planted.watched() as watch:
                self._written(way, job)
            self.host_seconds[key] = watch.host_seconds()
            if self.kind == "cpu":
                self.warm_host_seconds[key] = self._warm_host_seconds(way, job, answers)
        elif way.kind == GENERATE and self.kind == "wall":
            self.planted.generate(job.count, WARM_UP)

    def _warm_host_seconds(self, way: EngineWay, job: Rows, answers: Sequence[Sequence[int]]) -> float:
        """The host's seconds per step without the model, with warm caches. (On a GPU `host_seconds` gives them.)"""
        with self.planted.read_out(answers):
            for _ in range(READINGS):
                self._written(way, job)
            with self.planted.watched() as watch:
                self._written(way, job)
        return watch.host_seconds()


def _round(ways: Sequence[EngineWay], number: int) -> list[EngineWay]:
    """All ways in turn, with plain once more in the middle, because all are compared with it."""
    order = in_turns(ways, number)
    order.insert(order.index(ways[0]) + (len(order) // 2), ways[0])
    return order
