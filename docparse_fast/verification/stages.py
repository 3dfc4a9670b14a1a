"""The paper's two stages over a stream of pages: crops of a few pages together, then each page once. No tensor."""

from __future__ import annotations

import math
from collections.abc import Container, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace

from docparse_fast.document import Failure
from docparse_fast.options import SpeculationOptions
from docparse_fast.timing import Timer
from docparse_fast.verification import exactness
from docparse_fast.verification.failures import OUT_OF_MEMORY, Device, is_of_device, ran_out_of_memory
from docparse_fast.verification.job import PAGES_TOGETHER, Job
from docparse_fast.verification.outcome import Outcome, drafts_only, of_page, of_regions
from docparse_fast.verification.page import PageReading, verify_page
from docparse_fast.verification.policy import Plan, plan
from docparse_fast.verification.regions import Readings, verify_regions
from docparse_fast.verification.target import DocumentTarget

WORDS_TOGETHER = 4000  # of their drafts


@dataclass(frozen=True, slots=True)
class _Stage1:
    """What Stage 1 made of a window's pages, by page number; `failures`: why it could not read a page's crops."""

    readings: Mapping[int, Readings] = field(default_factory=dict)
    failures: Mapping[int, Failure] = field(default_factory=dict)


def verify(
    jobs: Iterable[Job],
    target: DocumentTarget,
    options: SpeculationOptions,
    done: Container[int] = (),
    device: Device | None = None,
) -> Iterator[tuple[Job, Outcome]]:
    """Each page's outcome, in order. Blank pages are the caller's to leave out: no target is asked what isn't there.

    A page in `done` is read again in Stage 1, since its crops share passes with the others', and no further. Whatever
    the target raises costs its page; once its device is lost the pages come with their drafts alone.
    """
    device = device or Device()
    for window in _windows(jobs):
        plans = {job.number: plan(job, target, options.stages) for job in window}
        stage_1 = _stage_1(window, plans, target, options, device)
        while window:  # a page that is done is let go: its image must not wait for the next window
            job = window.pop(0)
            if job.number in done:
                continue
            yield job, _outcome(job, plans[job.number], stage_1, target, options, device)


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
    window: list[Job], plans: dict[int, Plan], target: DocumentTarget, options: SpeculationOptions, device: Device
) -> _Stage1:
    chosen = [(job, plans[job.number].regions) for job in window if plans[job.number].regions]
    if not chosen or device.lost:
        return _Stage1()
    try:
        return _Stage1(_read_crops(chosen, target, options))
    except Exception as error:
        if ran_out_of_memory(error):  # Stage 2, where it follows, has the raw drafts
            alone = [job.number for job, _ in chosen if not plans[job.number].page]
            return _Stage1(failures=dict.fromkeys(alone, OUT_OF_MEMORY))
        if len(chosen) == 1 or is_of_device(error):
            first = chosen[0][0].number
            return _Stage1(failures={first: device.failure_of(error, first)})
    each = [_stage_1([job], plans, target, options, device) for job, _ in chosen]  # only the page at fault fails again
    return _Stage1(
        {number: readings for of in each for number, readings in of.readings.items()},
        {number: failure for of in each for number, failure in of.failures.items()},
    )


def _read_crops(
    chosen: list[tuple[Job, tuple[int, ...]]], target: DocumentTarget, options: SpeculationOptions
) -> Mapping[int, Readings]:
    timer = Timer(chosen[0][0].timer.clock, chosen[0][0].timer.sync)
    readings = verify_regions(chosen, target, options, timer, _deadline(timer, options, len(chosen)))
    total = sum(timer.seconds.values())
    written = {number: sum(len(r.decoded.tokens) for r in of.values()) for number, of in readings.items()}
    for job, _ in chosen:
        share = written[job.number] / max(1, sum(written.values()))
        job.timer.seconds["stage_1"] = total * share
    return readings


def _outcome(
    job: Job, chosen: Plan, stage_1: _Stage1, target: DocumentTarget, options: SpeculationOptions, device: Device
) -> Outcome:
    readings, failed = stage_1.readings.get(job.number, {}), stage_1.failures.get(job.number)
    if device.lost:
        return drafts_only(job, chosen, failed or device.lost)
    if not chosen.page:
        outcome = of_regions(job, chosen, readings, target)
    else:
        outcome = _stage_2(job, chosen, readings, target, options, device)
    return outcome if failed is None else replace(outcome, status="partial", error=outcome.error or failed)


def _stage_2(
    job: Job, chosen: Plan, readings: Readings, target: DocumentTarget, options: SpeculationOptions, device: Device
) -> Outcome:
    try:
        page = verify_page(job, readings, target, options, _deadline(job.timer, options, 1))
        outcome = of_page(job, chosen, readings, page, target)
    except Exception as error:
        failure = device.failure_of(error, job.number)
        if readings:
            return replace(of_regions(job, chosen, readings, target), status="partial", error=failure)
        return drafts_only(job, chosen, failure)
    if not options.check_exact or not page.decoded.tokens:  # out of time before its first token: nothing to compare
        return outcome
    return _checked(outcome, job, page, target, options, device)


def _checked(
    outcome: Outcome,
    job: Job,
    page: PageReading,
    target: DocumentTarget,
    options: SpeculationOptions,
    device: Device,
) -> Outcome:
    """With the comparison; where that fails, the answer stands and nothing is said of its exactness."""
    try:
        checked = exactness.check(page, target, options, job.timer)
    except Exception as error:
        return replace(outcome, status="partial", error=outcome.error or device.failure_of(error, job.number))
    return replace(outcome, exact=checked.exact, stats={**outcome.stats, "check_exact": checked.as_json()})


def _deadline(timer: Timer, options: SpeculationOptions, pages: int) -> float:
    return math.inf if options.page_timeout is None else timer.clock() + options.page_timeout * pages
