"""The ways of writing a page that are held against each other. Knows the stages and the engine's loop; times nothing.

A way is given a page's job and writes it once; whoever calls it holds the clock. All ways look at the same image of the
page. What the paper calls its baseline is `Plain`: the engine's own loop without drafts.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Protocol

from docparse_fast.bench.record import PLAIN, Steps
from docparse_fast.document import Block
from docparse_fast.errors import UsageError
from docparse_fast.options import SpeculationOptions
from docparse_fast.speculative.decoding import Speculation, spec_decode
from docparse_fast.speculative.writing import Decoded, Row
from docparse_fast.timing import Timer
from docparse_fast.verification.job import Job
from docparse_fast.verification.outcome import of_page, of_regions
from docparse_fast.verification.page import verify_page
from docparse_fast.verification.policy import plan
from docparse_fast.verification.regions import verify_regions
from docparse_fast.verification.target import DocumentTarget

DRAFTS = "drafts"  # the name of a page's drafts where nobody gives another
SPECULATIVE = "speculative"
NO_STEPS = Steps()


@dataclass(frozen=True, slots=True)
class Written:
    """What a way wrote of a page."""

    tokens: tuple[int, ...] = ()
    answer: str = ""  # as text
    blocks: tuple[Block, ...] = ()
    finish: str = ""
    steps: Steps = field(default_factory=Steps)
    stage_1: Steps = field(default_factory=Steps)
    stage_1_tokens: int = 0
    whole_page: bool = True  # False: crops only, which no way of reading the page can be held against


class Way(Protocol):
    """One way of writing a page. `run` enters the timer's spans `prefill` and `decode`, and `stage_1` if it has one."""

    @property
    def name(self) -> str: ...

    @property
    def drafts(self) -> str:
        """Whose drafts it wants, by the name they are made under; empty: it wants none."""

    def run(self, job: Job, target: DocumentTarget, timer: Timer) -> Written: ...


@dataclass(frozen=True, slots=True)
class Plain:
    """One token a step."""

    options: SpeculationOptions = field(default_factory=SpeculationOptions)
    name: str = PLAIN
    drafts: str = ""

    def run(self, job: Job, target: DocumentTarget, timer: Timer) -> Written:
        row = Row(page_view(job, target), max_tokens=self.options.max_new_tokens)
        decoded = next(spec_decode(target.model, [row], Speculation(1.0, self.options.window), timer))
        return written_page(decoded.tokens, job, target, finish=decoded.finish, steps=Steps.of(decoded.steps))


@dataclass(frozen=True, slots=True)
class Speculative:
    """What `convert --target` does with one page, in the stages that the options name."""

    options: SpeculationOptions = field(default_factory=SpeculationOptions)
    name: str = SPECULATIVE
    drafts: str = DRAFTS

    def run(self, job: Job, target: DocumentTarget, timer: Timer) -> Written:
        job = replace(job, timer=timer)
        chosen = plan(job, target, self.options.stages)
        readings = {}
        if chosen.regions:
            with timer.span("stage_1"):
                crops = Timer(timer.clock, timer.sync)
                readings = verify_regions([(job, chosen.regions)], target, self.options, crops)[job.number]
        stage_1 = [reading.decoded for reading in readings.values()]
        steps_1, tokens_1 = _steps(stage_1), sum(len(decoded.tokens) for decoded in stage_1)
        if not chosen.page:
            blocks = of_regions(job, chosen, readings, target).blocks
            return Written(blocks=blocks, stage_1=steps_1, stage_1_tokens=tokens_1, whole_page=False)
        page = verify_page(job, readings, target, self.options)
        outcome = of_page(job, chosen, readings, page, target)
        decoded = page.decoded
        answer = target.decode(decoded.tokens)
        steps = Steps.of(decoded.steps)
        return Written(decoded.tokens, answer, outcome.blocks, str(decoded.finish), steps, steps_1, tokens_1)


def decode_together(
    jobs: Sequence[Job], target: DocumentTarget, options: SpeculationOptions, timer: Timer
) -> list[tuple[int, ...]]:
    """Plainly, as many pages side by side as the target has rows: what batching alone brings."""
    rows = (
        Row(page_view(job, target), max_tokens=options.max_new_tokens, name=place) for place, job in enumerate(jobs)
    )
    tokens = {
        decoded.row.name: decoded.tokens
        for decoded in spec_decode(target.model, rows, Speculation(1.0, options.window), timer)
    }
    return [tokens[place] for place in range(len(jobs))]


def page_view(job: Job, target: DocumentTarget) -> object:
    view = target.page_view(job.image)
    if view is None:
        raise UsageError(
            f"{target.identity.name} reads element by element, not pages, and has no plain way to be measured against",
            remedy="choose another --target",
        )
    return view


def written_page(
    tokens: tuple[int, ...], job: Job, target: DocumentTarget, *, finish: str = "", steps: Steps = NO_STEPS
) -> Written:
    """An answer as blocks, as whoever waits for the page would want it."""
    answer = target.decode(tokens)
    blocks = target.dialect.parse(answer, job.size).blocks
    return Written(tokens, answer, blocks, str(finish), steps)


def _steps(rows: Sequence[Decoded]) -> Steps:
    return Steps.joined(Steps.of(decoded.steps) for decoded in rows)
