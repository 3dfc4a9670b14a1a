"""The ways of decoding a page that benchmarks compare. Knows the stages and the engine's loop; times nothing.

A way decodes a page's job once; its caller provides the clock. All ways read the same image of the page. The paper's
baseline is `Plain`: the engine's own loop without drafts.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Protocol, TypeVar

from docparse_fast.bench.record import PLAIN, Steps
from docparse_fast.document import Block
from docparse_fast.drafted import DraftedPage
from docparse_fast.errors import UsageError
from docparse_fast.options import SpeculationOptions
from docparse_fast.speculative.decoding import Speculation
from docparse_fast.speculative.growing_answer import Decoded, Row
from docparse_fast.timing import Timer
from docparse_fast.verification.outcome import of_page, of_regions
from docparse_fast.verification.page import verify_page
from docparse_fast.verification.policy import plan
from docparse_fast.verification.regions import Readings, verify_regions
from docparse_fast.verification.target import DocumentTarget

DRAFTS = "drafts"  # the default name of a page's drafts
SPECULATIVE = "speculative"
NO_STEPS = Steps()

W = TypeVar("W")
Work = TypeVar("Work", contravariant=True)
Writer = TypeVar("Writer", contravariant=True)


@dataclass(frozen=True, slots=True)
class Written:
    """A way's answer for a page, with its counts."""

    tokens: tuple[int, ...] = ()
    answer: str = ""  # as text
    blocks: tuple[Block, ...] = ()
    finish: str = ""
    written: int = 0  # tokens written in steps
    passes: int = 0
    accepted: int = 0
    steps: Steps = NO_STEPS
    stage_1: Steps = NO_STEPS
    step_seconds: tuple[float, ...] = ()  # from one verification to the next, if measured


class Way(Protocol[Work, Writer]):
    """One way of decoding a page, or other work. `run` enters the timer's spans `prefill`, `decode`, `stage_1`."""

    @property
    def name(self) -> str: ...

    @property
    def drafts(self) -> str:
        """The name of the drafts that it uses; empty: none."""

    def run(self, job: Work, target: Writer, timer: Timer, /) -> Written: ...


PageWay = Way[DraftedPage, DocumentTarget]


def in_turns(ways: Sequence[W], number: int) -> list[W]:
    """The ways with another one first each time, because the first finds different caches than the others.

    >>> in_turns("abc", 4)
    ['b', 'c', 'a']
    """
    first = number % len(ways)
    return [*ways[first:], *ways[:first]]


@dataclass(frozen=True, slots=True)
class Plain:
    """Decodes one token per step, without drafts."""

    options: SpeculationOptions = field(default_factory=SpeculationOptions)
    name: str = PLAIN
    drafts: str = ""

    def run(self, job: DraftedPage, target: DocumentTarget, timer: Timer) -> Written:
        row = Row(page_view(job, target), max_tokens=self.options.answer_limit)
        decoded = next(iter(target.decode_rows([row], Speculation(1.0, self.options.window), timer)))
        answer = target.decode(decoded.tokens)
        return in_steps(decoded, answer, target.dialect.parse(answer, job.size).blocks)


@dataclass(frozen=True, slots=True)
class Speculative:
    """Decodes one page as `convert --target` does, in the stages that the options name."""

    options: SpeculationOptions = field(default_factory=SpeculationOptions)
    name: str = SPECULATIVE
    drafts: str = DRAFTS

    def run(self, job: DraftedPage, target: DocumentTarget, timer: Timer) -> Written:
        chosen = plan(job, target, self.options.stages)
        readings = self._read_crops(job, chosen.regions, target, timer) if chosen.regions else {}
        stage_1 = Steps.joined(Steps.of(reading.decoded.steps) for reading in readings.values())
        if not chosen.page:
            blocks = of_regions(job, chosen, readings, target).blocks
            written, accepted = sum(stage_1.written), sum(stage_1.accepted)
            return Written((), "", blocks, "", written, len(stage_1), accepted, NO_STEPS, stage_1)
        page = verify_page(job, readings, target, self.options, timer)
        blocks = of_page(job, chosen, readings, page, target).blocks
        return in_steps(page.decoded, target.decode(page.decoded.tokens), blocks, stage_1)

    def _read_crops(self, job: DraftedPage, regions: tuple[int, ...], target: DocumentTarget, timer: Timer) -> Readings:
        crops = Timer(timer.clock, timer.sync)
        with timer.span("stage_1"):
            readings = verify_regions([(job, regions)], target, self.options, crops)[job.number]
        timer.seconds["stage_1_decode"] = crops.seconds["decode"]
        return readings


def decode_together(
    jobs: Sequence[DraftedPage], target: DocumentTarget, options: SpeculationOptions, timer: Timer
) -> list[tuple[int, ...]]:
    """Decodes plainly, as many pages side by side as the target has rows, to show the gain of batching alone."""
    rows = (Row(page_view(job, target), max_tokens=options.answer_limit, name=place) for place, job in enumerate(jobs))
    tokens = {
        decoded.row.name: decoded.tokens
        for decoded in target.decode_rows(rows, Speculation(1.0, options.window), timer)
    }
    return [tokens[place] for place in range(len(jobs))]


def page_view(job: DraftedPage, target: DocumentTarget) -> object:
    view = target.page_view(job.image)
    if view is None:
        raise UsageError(
            f"{target.identity.name} reads single elements, not pages, so there is no plain decoding to compare with",
            remedy="choose another --target",
        )
    return view


def in_steps(decoded: Decoded, answer: str, blocks: tuple[Block, ...], stage_1: Steps = NO_STEPS) -> Written:
    """The answer of our own loop, with its steps."""
    steps = Steps.of(decoded.steps)
    written, accepted = sum(steps.written), sum(steps.accepted)
    return Written(decoded.tokens, answer, blocks, str(decoded.finish), written, len(steps), accepted, steps, stage_1)
