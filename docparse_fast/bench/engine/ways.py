"""The ways in which `bench engine` decodes random prompts: our loop and transformers'. Knows token ids; times nothing.

Each writes the answers of several rows at once; the ways of `bench run` write a page instead.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, cast

from docparse_fast.bench.engine.drafts import EXACT, Sheet
from docparse_fast.bench.engine.record import CHAIN, GENERATE, LOOKUP, PLAIN, SPECULATIVE
from docparse_fast.bench.record import Steps
from docparse_fast.bench.ways import Written
from docparse_fast.speculative.candidates import TokenDraft
from docparse_fast.speculative.decoding import spec_decode
from docparse_fast.speculative.growing_answer import Row
from docparse_fast.speculative.prefix_tree import PrefixTree
from docparse_fast.speculative.target import Target, Verification
from docparse_fast.timing import Timer

if TYPE_CHECKING:
    from docparse_fast.bench.engine.generate import Baseline
    from docparse_fast.bench.engine.planted import RandomModel

SEED = 20260
FEW_LEVELS = (1, 3, 6, 10)  # levels for chains and for many rows


@dataclass(frozen=True, slots=True)
class Rows:
    """The prompts that are decoded at once, with drafts of their answers."""

    count: int
    tokens: int  # that each row writes
    sheets: tuple[Sheet, ...] = ()
    rates: Mapping[int, float] | None = None  # error rates, by level

    def drafts(self, level: int | None) -> list[list[TokenDraft]]:
        """The drafts of every row; none without a level."""
        if level is None or self.rates is None:
            return [[] for _ in range(self.count)]
        return [sheet.drafts(self.rates[level]) for sheet in self.sheets]


@dataclass(frozen=True, slots=True)
class OurLoop:
    """Our loop: plain without a level, else speculative. `steps` lists the steps of one row after another's."""

    clock: Callable[[], float]  # times steps: it must not wait for the device
    level: int | None = None
    drafts: str = ""

    @property
    def kind(self) -> str:
        return PLAIN if self.level is None else SPECULATIVE

    @property
    def name(self) -> str:
        return name_of(self.kind, self.level)

    def run(self, job: Rows, target: RandomModel, timer: Timer) -> Written:
        laps = Laps(target.target, self.clock)
        rows = [
            Row(view, drafts, max_tokens=job.tokens, name=number)
            for number, (view, drafts) in enumerate(zip(target.views(job.count), job.drafts(self.level), strict=True))
        ]
        found = {one.row.name: one for one in spec_decode(cast(Target, laps), rows, EXACT, timer)}
        decoded = [found[row.name] for row in rows]
        steps = Steps.joined(Steps.of(one.steps) for one in decoded)
        return Written(
            tuple(token for one in decoded for token in one.tokens),
            written=sum(steps.written),
            passes=len(steps),
            accepted=sum(steps.accepted),
            steps=steps,
            step_seconds=laps.seconds(),
        )


@dataclass(frozen=True, slots=True)
class Theirs:
    """transformers' loop, with its own drafts or with ours."""

    kind: str
    generate: Callable[[RandomModel, Rows], Baseline]
    level: int | None = None
    drafts: str = ""

    @property
    def name(self) -> str:
        return name_of(self.kind, self.level)

    def run(self, job: Rows, target: RandomModel, timer: Timer) -> Written:
        found = self.generate(target, job)
        timer.seconds["decode"] = found.decode_seconds
        tokens = tuple(token for answer in found.answers for token in answer)
        written, passes = len(tokens) - job.count, found.steps * job.count
        return Written(tokens, written=written, passes=passes, accepted=written - passes)


EngineWay = OurLoop | Theirs


def ways_of(rows: int, levels: Sequence[int], clock: Callable[[], float]) -> list[EngineWay]:
    """All ways for so many rows; transformers' assisted decoding takes only one row."""
    few = [level for level in levels if level in FEW_LEVELS]
    ways: list[EngineWay] = [OurLoop(clock), *(OurLoop(clock, level) for level in (levels if rows == 1 else few))]
    ways.append(Theirs(GENERATE, lambda planted, job: planted.generate(job.count, job.tokens)))
    if rows == 1:
        ways.append(Theirs(LOOKUP, lambda planted, job: planted.prompt_lookup(job.tokens)))
        ways += [_chain(level) for level in few]
    return ways


def name_of(kind: str, level: int | None) -> str:
    """
    >>> name_of("chain", 6), name_of("plain", None)
    ('chain, for 6', 'plain')
    """
    return kind if level is None else f"{kind}, for {level}"


def _chain(level: int) -> Theirs:
    return Theirs(CHAIN, lambda planted, job: planted.chain(job.tokens, job.drafts(level)[0]), level)


class Laps:
    """A target that notes when each step begins. A step ends when the next begins, so the last is not timed."""

    def __init__(self, target: Target, clock: Callable[[], float]) -> None:
        self._target = target
        self._clock = clock
        self._starts: list[float] = []

    def seconds(self) -> tuple[float, ...]:
        return tuple(stop - start for start, stop in zip(self._starts, self._starts[1:], strict=False))

    def __getattr__(self, name: str) -> Any:
        return getattr(self._target, name)

    def verify(self, trees: Mapping[int, PrefixTree], *, tolerant: bool = False) -> dict[int, Verification]:
        self._starts.append(self._clock())
        return self._target.verify(trees, tolerant=tolerant)
