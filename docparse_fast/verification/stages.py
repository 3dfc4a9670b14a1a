"""Runs the paper's two stages with one target: crops of a few pages together, then each page once. Knows no tensor.

An error of the target costs its page; once its device is lost, all later pages keep their drafts.
"""

from __future__ import annotations

import logging
import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import cast

from docparse_fast.document import Failure
from docparse_fast.drafted import DraftedPage
from docparse_fast.options import SpeculationOptions
from docparse_fast.timing import Timer
from docparse_fast.verification import exactness
from docparse_fast.verification.failures import OUT_OF_MEMORY, Device, is_of_device, ran_out_of_memory
from docparse_fast.verification.habits import Habits
from docparse_fast.verification.judged_regions import JudgedRegions, JudgingTarget, least_shares
from docparse_fast.verification.outcome import Outcome, drafts_only, of_page, of_regions
from docparse_fast.verification.page import PageReading, verify_page, verify_pages
from docparse_fast.verification.policy import StagePlan, plan
from docparse_fast.verification.regions import Readings, verify_regions
from docparse_fast.verification.target import DocumentTarget

log = logging.getLogger("docparse_fast")

Chosen = Sequence[tuple[DraftedPage, tuple[int, ...]]]  # pages with the regions that Stage 1 reads


@dataclass(frozen=True, slots=True)
class ReadRegions:
    """The results of Stage 1, by page number."""

    readings: Mapping[int, Readings] = field(default_factory=dict)
    seconds: Mapping[int, float] = field(default_factory=dict)
    failures: Mapping[int, Failure] = field(default_factory=dict)  # errors of pages whose regions could not be read
    judged: Mapping[int, JudgedRegions] = field(default_factory=dict)  # of pages whose drafts a judge looked at first

    def __or__(self, other: ReadRegions) -> ReadRegions:
        return ReadRegions(
            {**self.readings, **other.readings},
            {**self.seconds, **other.seconds},
            {**self.failures, **other.failures},
            {**self.judged, **other.judged},
        )


@dataclass(frozen=True, slots=True)
class ReadPage:
    """A page that was read beside others, and its share of their seconds."""

    reading: PageReading
    seconds: Mapping[str, float]


@dataclass(frozen=True, slots=True)
class Stages:
    target: DocumentTarget
    options: SpeculationOptions = field(default_factory=SpeculationOptions)
    device: Device = field(default_factory=Device)
    new_timer: Callable[[], Timer] = Timer
    _carried: list[Habits] = field(default_factory=list)  # of the last page that was read, if they are carried on

    def waits(self, page: DraftedPage) -> bool:
        """Whether it waits for its neighbours: Stage 1 reads crops of it, or all of them are read together."""
        return self.options.pages_together or (page.is_to_verify and bool(self._plan(page).regions))

    def verify_regions(self, window: Sequence[DraftedPage]) -> ReadRegions:
        """Stage 1, if planned: reads the crops of all these pages together."""
        plans = {page.number: self._plan(page) for page in window if page.is_to_verify}
        found = ReadRegions()
        chosen = []
        for page in window:
            if not (plan := plans.get(page.number)) or not plan.regions or self.device.lost:
                continue
            found |= self._judge(page, plan) if plan.judges else ReadRegions()
            judged = found.judged.get(page.number)
            wanted = [n for n in plan.regions if judged is None or n not in judged.accepted]
            if wanted and page.number not in found.failures:
                chosen.append((page, tuple(wanted)))
        return found | self._read(chosen) if chosen and not self.device.lost else found

    def verify_pages(self, pages: Sequence[DraftedPage], regions: ReadRegions) -> list[Outcome | None]:
        """Stage 2, if planned, of all of them together or of each by itself; None for one that has nothing to read."""
        found = self._read_side_by_side(pages, regions) if self.options.pages_together else {}
        return [self.verify_page(page, regions, found.get(page.number)) for page in pages]

    def verify_page(self, page: DraftedPage, regions: ReadRegions, read: ReadPage | None = None) -> Outcome | None:
        """Stage 2, if planned, unless it has been `read` already; None if the page has nothing to read."""
        if not page.is_to_verify:
            return None
        number, chosen, timer = page.number, self._plan(page), self.new_timer()
        timer.seconds |= read.seconds if read else {}
        failed = regions.failures.get(number)
        if self.device.lost:
            return drafts_only(page, chosen, failed or self.device.lost)
        judged = regions.judged.get(number)
        reading = read.reading if read else None
        outcome = self._outcome(page, chosen, regions.readings.get(number, {}), judged, timer, reading)
        if failed is not None:
            outcome = replace(outcome, status="partial", error=outcome.error or failed)
        stage_1 = {"stage_1": regions.seconds[number]} if number in regions.seconds else {}
        judge = {"judge": judged.seconds} if judged is not None else {}
        return replace(outcome, seconds={**judge, **stage_1, **timer.seconds})

    @property
    def _limited(self) -> SpeculationOptions:
        return self.options.limited_by(self.target.longest)

    def _plan(self, page: DraftedPage) -> StagePlan:
        return plan(page, self.target, self.options.stages)

    def _judge(self, page: DraftedPage, plan: StagePlan) -> ReadRegions:
        """An error of the target costs the page its verification."""
        timer = self.new_timer()
        try:
            with timer.span("judge"):
                target = cast(JudgingTarget, self.target)  # ParseOptions has refused servers
                shares = least_shares(page.regions, page.image, target)
        except Exception as error:
            return ReadRegions(failures={page.number: self.device.failure_of(error, page.number)})
        shares = {n: share for n, share in shares.items() if n in plan.regions}
        return ReadRegions(judged={page.number: JudgedRegions(self.options.alpha, shares, timer.seconds["judge"])})

    # ---------------------------------------------------------------------------------------------- Stage 1

    def _read(self, chosen: Chosen) -> ReadRegions:
        try:
            return self._read_together(chosen)
        except Exception as error:
            if ran_out_of_memory(error):  # Stage 2, if it follows, uses the raw drafts
                alone = [page.number for page, _ in chosen if not self._plan(page).page]
                return ReadRegions(failures=dict.fromkeys(alone, OUT_OF_MEMORY))
            if len(chosen) == 1 or is_of_device(error):
                first = chosen[0][0].number
                return ReadRegions(failures={first: self.device.failure_of(error, first)})
        found = ReadRegions()  # reading each page alone limits the failure to the page at fault
        for each in chosen:
            found |= self._read([each])
        return found

    def _read_together(self, chosen: Chosen) -> ReadRegions:
        timer = self.new_timer()
        deadline = self._deadline(timer, pages=len(chosen))
        readings = verify_regions(chosen, self.target, self._limited, timer, deadline)
        total = sum(timer.seconds.values())
        written = {number: sum(len(r.decoded.tokens) for r in of.values()) for number, of in readings.items()}
        whole = max(1, sum(written.values()))
        return ReadRegions(readings, {number: total * share / whole for number, share in written.items()})

    # ---------------------------------------------------------------------------------------------- Stage 2

    def _read_side_by_side(self, pages: Sequence[DraftedPage], regions: ReadRegions) -> Mapping[int, ReadPage]:
        """By page number; none if anything fails: each page is then read by itself, and the failure is of one page."""
        chosen = [
            (page, regions.readings.get(page.number, {}))
            for page in pages
            if page.is_to_verify and self._plan(page).page and page.number not in regions.failures
        ]
        if len(chosen) < 2 or self.device.lost:
            return {}
        timer = self.new_timer()
        deadline = self._deadline(timer, pages=len(chosen))
        try:
            found = verify_pages(chosen, self.target, self._limited, timer, deadline, self._habits)
        except Exception as error:  # a model's own, of any kind; memory, as a rule
            log.warning("pages that can't be read together (%s) are read one by one", error, exc_info=True)
            return {}
        self._carry(found[max(found)])
        whole = max(1, sum(len(read.decoded.tokens) for read in found.values()))
        shares = {number: len(read.decoded.tokens) / whole for number, read in found.items()}
        return {
            number: ReadPage(read, {name: seconds * shares[number] for name, seconds in timer.seconds.items()})
            for number, read in found.items()
        }

    def _outcome(
        self,
        page: DraftedPage,
        chosen: StagePlan,
        readings: Readings,
        judged: JudgedRegions | None,
        timer: Timer,
        read: PageReading | None,
    ) -> Outcome:
        if not chosen.page:
            return of_regions(page, chosen, readings, self.target, judged)
        try:
            deadline = self._deadline(timer, pages=1)
            if read is None:
                read = verify_page(page, readings, self.target, self._limited, timer, deadline, self._habits)
                self._carry(read)
            outcome = of_page(page, chosen, readings, read, self.target)
        except Exception as error:
            failure = self.device.failure_of(error, page.number)
            if readings:
                return replace(of_regions(page, chosen, readings, self.target), status="partial", error=failure)
            return drafts_only(page, chosen, failure)
        if not self.options.check_exact or not read.decoded.tokens:  # the time ran out before its first token
            return outcome
        return self._checked(outcome, page, read, timer)

    @property
    def _habits(self) -> Habits | None:
        return self._carried[0] if self._carried else None

    def _carry(self, read: PageReading) -> None:
        if self.options.carry_habits:
            read.habits.remember(self.target.decode(read.decoded.tokens))
            self._carried[:] = [read.habits]

    def _checked(self, outcome: Outcome, page: DraftedPage, read: PageReading, timer: Timer) -> Outcome:
        """Adds the comparison; if that fails, the answer stays and no statement is made about its exactness."""
        try:
            checked = exactness.check(read, self.target, self._limited, timer)
        except Exception as error:
            failure = self.device.failure_of(error, page.number)
            return replace(outcome, status="partial", error=outcome.error or failure)
        return replace(outcome, exact=checked.exact, evidence=replace(outcome.evidence, check=checked))

    def _deadline(self, timer: Timer, pages: int) -> float:
        timeout = self.options.page_timeout
        return math.inf if timeout is None else timer.clock() + timeout * pages
