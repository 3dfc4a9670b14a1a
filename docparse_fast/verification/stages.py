"""The paper's two stages over a stream of pages: crops of a few pages together, then each page once. No tensor."""

from __future__ import annotations

import math
from collections.abc import Container, Iterable, Iterator, Mapping
from dataclasses import replace

from docparse_fast.document import Failure
from docparse_fast.errors import PageError
from docparse_fast.options import SpeculationOptions
from docparse_fast.timing import Timer
from docparse_fast.verification import exactness
from docparse_fast.verification.job import PAGES_TOGETHER, Job
from docparse_fast.verification.outcome import Outcome, drafts_only, of_page, of_regions
from docparse_fast.verification.page import verify_page
from docparse_fast.verification.policy import Plan, plan
from docparse_fast.verification.regions import Readings, verify_regions
from docparse_fast.verification.target import DocumentTarget

WORDS_TOGETHER = 4000  # of their drafts
OUT_OF_MEMORY = Failure("out_of_memory", "the device had no memory left for it; the drafts stand")


def verify(
    jobs: Iterable[Job], target: DocumentTarget, options: SpeculationOptions, done: Container[int] = ()
) -> Iterator[tuple[Job, Outcome]]:
    """Each page's outcome, in order. Blank pages are the caller's to leave out: no target is asked what isn't there.

    A page in `done` is read again in Stage 1, since its crops share passes with the others', and no further.
    """
    for window in _windows(jobs):
        plans = {job.number: plan(job, target, options.stages) for job in window}
        readings = _stage_1(window, plans, target, options)
        while window:  # a page that is done is let go: its image must not wait for the next window
            job = window.pop(0)
            if job.number in done:
                continue
            yield job, _outcome(job, plans[job.number], readings.get(job.number, {}), target, options)


def _windows(jobs: Iterable[Job]) -> Iterator[list[Job]]:
    window: list[Job] = []
    words = 0
    for job in jobs:
        window.append(job)
        words += sum(len(region.text.split()) for region in job.regions)
        if len(window) >= PAGES_TOGETHER or words >= WORDS_TOGETHER:
            yield window
            window, words = [], 0
    if window:
        yield window


def _stage_1(
    window: list[Job], plans: dict[int, Plan], target: DocumentTarget, options: SpeculationOptions
) -> Mapping[int, Readings]:
    chosen = [(job, plans[job.number].regions) for job in window if plans[job.number].regions]
    if not chosen:
        return {}
    timer = Timer(chosen[0][0].timer.clock, chosen[0][0].timer.sync)
    deadline = _deadline(timer, options, len(chosen))
    try:
        readings = verify_regions(chosen, target, options, timer, deadline)
    except Exception as error:
        if not ran_out_of_memory(error):
            raise
        return {}  # Stage 2 has the raw drafts
    total = sum(timer.seconds.values())
    written = {number: sum(len(r.decoded.tokens) for r in of.values()) for number, of in readings.items()}
    for job, _ in chosen:
        share = written[job.number] / max(1, sum(written.values()))
        job.timer.seconds["stage_1"] = total * share
    return readings


def _outcome(
    job: Job, chosen: Plan, readings: Readings, target: DocumentTarget, options: SpeculationOptions
) -> Outcome:
    if not chosen.page:
        return of_regions(job, chosen, readings, target)
    try:
        page = verify_page(job, readings, target, options, _deadline(job.timer, options, 1))
    except Exception as error:
        if not ran_out_of_memory(error):
            raise
        if readings:
            return replace(of_regions(job, chosen, readings, target), status="partial", error=_why(error))
        return drafts_only(job, chosen, _why(error))
    outcome = of_page(job, chosen, readings, page, target)
    if not options.check_exact or not page.decoded.tokens:  # out of time before its first token: nothing to compare
        return outcome
    checked = exactness.check(page, target, options, job.timer)
    return replace(outcome, exact=checked.exact, stats={**outcome.stats, "check_exact": checked.as_json()})


def _deadline(timer: Timer, options: SpeculationOptions, pages: int) -> float:
    return math.inf if options.page_timeout is None else timer.clock() + options.page_timeout * pages


def ran_out_of_memory(error: Exception) -> bool:
    """A device's own error of that name is a RuntimeError that this layer can't import."""
    too_long = isinstance(error, PageError) and error.code == "out_of_memory"  # the model has no place for it
    return too_long or isinstance(error, MemoryError) or type(error).__name__ == "OutOfMemoryError"


def _why(error: Exception) -> Failure:
    return Failure(error.code, f"{error}; the drafts stand") if isinstance(error, PageError) else OUT_OF_MEMORY
