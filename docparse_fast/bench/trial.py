"""Measures one page: drafts it once, runs every way in every round and keeps the seconds. Knows no other page.

A failure is recorded for this page, or for one way on it. Only errors that concern every page (a missing model, a
wrong option) are raised.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from typing import Any

from docparse_fast.bench.clock import Clock, forget_peak, peak_bytes
from docparse_fast.bench.record import PLAIN, DraftRecord, PageRecord, Seconds, TogetherRecord, WayRecord
from docparse_fast.bench.ways import PageWay, Written, decode_together, page_view
from docparse_fast.document import Failure, Page, PageDraft, ParsedPage
from docparse_fast.drafted import DraftedPage
from docparse_fast.drafting import Drafter
from docparse_fast.errors import DocparseError, PageError
from docparse_fast.options import SpeculationOptions
from docparse_fast.rendering.markdown import render_page
from docparse_fast.speculative.growing_answer import Finish
from docparse_fast.verification.failures import ran_out_of_memory
from docparse_fast.verification.target import DocumentTarget

log = logging.getLogger(__name__)


@dataclass(slots=True, eq=False)
class Subject:
    """A page to be measured. Its file must stay open until the page is done."""

    name: str
    page: Page
    group: str = ""  # category in the data set
    truth: object = None  # for the caller; only passed on


DraftPage = Callable[[Subject], PageDraft]


def by(drafter: Drafter) -> DraftPage:
    """A function that drafts a page with this drafter."""
    return lambda subject: drafter.draft(subject.page)


@dataclass(slots=True)
class Attempts:
    """The rounds of one way on one page so far."""

    drafts: str  # name of the drafts it uses
    written: list[Written] = field(default_factory=list)
    rounds: list[Seconds] = field(default_factory=list)
    peak_bytes: int = 0
    device_peak_bytes: int | None = None
    error: Failure | None = None

    def record(self, plain: Written | None, **more: Any) -> WayRecord:
        """The record, compared with `plain`; `more` are further fields that the caller knows."""
        if not self.written:
            return WayRecord(error=self.error, peak_bytes=self.peak_bytes)
        written = self.written[0]
        other = plain.tokens if plain is not None and written.tokens else None  # an answer from crops can't be compared
        return WayRecord(
            tokens=written.tokens,
            answer=written.answer,
            finish=written.finish,
            drafts=self.drafts,
            rounds=tuple(self.rounds),
            written=written.written,
            passes=written.passes,
            accepted=written.accepted,
            steps=written.steps,
            stage_1=written.stage_1,
            steady=all(again.tokens == written.tokens for again in self.written),
            same_as_plain=None if other is None else written.tokens == other,
            first_difference=None if other is None else first_difference(written.tokens, other),
            peak_bytes=self.peak_bytes,
            device_peak_bytes=self.device_peak_bytes,
            error=self.error,
            **more,
        )


class Trial:
    """
    >>> trial = Trial(subject, [Plain()], clock)       # doctest: +SKIP
    >>> trial.draft({"drafts": by(drafter)})           # doctest: +SKIP
    >>> trial.run(Plain(), target)                     # doctest: +SKIP
    >>> trial.record().ways["plain"].tokens            # doctest: +SKIP
    """

    def __init__(self, subject: Subject, ways: Sequence[PageWay], clock: Clock) -> None:
        self.subject = subject
        self.error: Failure | None = None
        self._ways = ways
        self._clock = clock
        self._drafts: dict[str, DraftRecord] = {}
        self._jobs: dict[str, DraftedPage] = {}  # by the name of their drafts
        self._attempts = self._none_yet()
        self._generated: tuple[int, ...] | None = None
        self._margins: dict[str, float] = {}

    @property
    def blank(self) -> bool:
        return self.error is None and bool(self._jobs) and all(job.draft.blank for job in self._jobs.values())

    @property
    def ready(self) -> bool:
        return self.error is None and not self.blank

    @property
    def ended(self) -> bool:
        """Whether the page has a result: plain decoding ran, or the page can't be measured."""
        plain = self._attempts[PLAIN]
        return not self.ready or bool(plain.rounds) or plain.error is not None

    @property
    def job(self) -> DraftedPage:
        """Any job, for ways that use only its image."""
        return next(iter(self._jobs.values()))

    def draft(self, drafts: Mapping[str, DraftPage]) -> None:
        """Drafts once with every drafter. Rendering comes before and is not counted (§4.2)."""
        with _failing() as failures:
            image = self.subject.page.image
            for name, draft_page in drafts.items():
                timer = self._clock.timer()
                with timer.span("draft"):
                    draft = draft_page(self.subject)
                draft = draft if len(drafts) == 1 else replace(draft, flat=None)  # all ways see one picture
                self._drafts[name] = DraftRecord(timer.seconds["draft"], draft.drafter, len(draft.regions), draft)
                upright = image.rotate(-draft.turned, expand=True) if draft.turned else image
                self._jobs[name] = DraftedPage(draft.number, draft, picture=upright)
        self.error = next(iter(failures), None)

    def run(self, way: PageWay, target: DocumentTarget) -> None:
        """Runs the way once more, unless it has failed on this page."""
        attempts = self._attempts[way.name]
        if attempts.error is not None:
            return
        job = self._jobs[way.drafts] if way.drafts else self.job
        timer = self._clock.timer()
        forget_peak()
        self._clock.forget_device_peak()
        with _failing() as failures:
            with timer.span("full"):
                written = way.run(job, target, timer)
            attempts.written.append(written)
            attempts.rounds.append(timer.seconds)
        attempts.error = next(iter(failures), None)
        attempts.peak_bytes = max(attempts.peak_bytes, peak_bytes())
        attempts.device_peak_bytes = self._clock.device_peak_bytes()

    def forget_rounds(self) -> None:
        """Forgets the rounds until now, which were warm-up."""
        self._attempts = self._none_yet()

    def _none_yet(self) -> dict[str, Attempts]:
        return {way.name: Attempts(way.drafts) for way in self._ways}

    def generate(self, target: DocumentTarget, max_tokens: int) -> None:
        """Decodes once, untimed, with the model's own generate(), to compare all answers with it."""
        plain = self.plain
        if plain is None:
            return
        stopped = plain.finish == Finish.REPETITION  # we ended it, not the model
        with _failing():
            longest = len(plain.tokens) if stopped else max_tokens
            self._generated = target.generate(page_view(self.job, target), longest)

    def weigh(self, target: DocumentTarget) -> None:
        """Finds the margin where a way first differs from plain decoding; only a near tie can be rounding."""
        plain = self.plain
        for name, attempts in self._attempts.items():
            if plain is None or not attempts.written or not attempts.written[0].tokens:
                continue
            tokens = attempts.written[0].tokens
            at = first_difference(tokens, plain.tokens)
            if at is not None:
                other = tokens[at] if at < len(tokens) else target.end
                with _failing():
                    view = page_view(self.job, target)
                    if (tie := target.tie_break(view, plain.tokens[:at], other)) is not None:
                        self._margins[name] = tie.margin

    @property
    def plain(self) -> Written | None:
        """Plain decoding's answer, if it did not fail."""
        attempts = self._attempts[PLAIN]
        return attempts.written[0] if attempts.written and attempts.error is None else None

    def record(self) -> PageRecord:
        page = self.subject.page
        return PageRecord(
            name=self.subject.name,
            group=self.subject.group,
            width=page.width,
            height=page.height,
            blank=self.blank,
            error=self.error,
            drafts=self._drafts,
            ways={name: self._way(name, attempts) for name, attempts in self._attempts.items()} if self.ready else {},
            generate_tokens=None if self._generated is None else len(self._generated),
            truth=self.subject.truth,
        )

    def _way(self, name: str, attempts: Attempts) -> WayRecord:
        written = attempts.written[0] if attempts.written else Written()
        comparable = self.plain is not None and written.tokens and self._generated is not None
        return attempts.record(
            self.plain,
            markdown=render_page(ParsedPage(self.subject.page.number, blocks=written.blocks)),
            same_as_generate=written.tokens == self._generated if comparable else None,
            margin=self._margins.get(name),
        )


class TrialTogether:
    """Several pages decoded plainly side by side, round by round."""

    def __init__(self, trials: Sequence[Trial], options: SpeculationOptions, clock: Clock) -> None:
        self._trials = trials
        self._options = options
        self._clock = clock
        self._rounds: list[Seconds] = []
        self._answers: Sequence[tuple[int, ...]] = ()
        self._error: Failure | None = None

    def run(self, target: DocumentTarget) -> None:
        if self._error is not None:
            return
        timer = self._clock.timer()
        with _failing() as failures:
            with timer.span("full"):
                self._answers = decode_together([trial.job for trial in self._trials], target, self._options, timer)
            self._rounds.append(timer.seconds)
        self._error = next(iter(failures), None)

    def record(self, slots: int) -> TogetherRecord:
        pairs = zip(self._answers, self._trials, strict=False)
        return TogetherRecord(
            pages=tuple(trial.subject.name for trial in self._trials),
            rows=min(slots, len(self._trials)),
            tokens=sum(map(len, self._answers)),
            rounds=tuple(self._rounds),
            same_as_plain=sum(trial.plain is not None and answer == trial.plain.tokens for answer, trial in pairs),
            error=self._error,
        )


def first_difference(tokens: Sequence[int], other: Sequence[int]) -> int | None:
    """
    >>> first_difference([1, 2, 3], [1, 9]), first_difference([1], [1, 2]), first_difference([1], [1])
    (1, 1, None)
    """
    if tuple(tokens) == tuple(other):
        return None
    shorter = min(len(tokens), len(other))
    return next((at for at in range(shorter) if tokens[at] != other[at]), shorter)


@contextmanager
def _failing() -> Iterator[list[Failure]]:
    """Collects this page's failures; drafters and foreign models may raise any exception."""
    failures: list[Failure] = []
    try:
        yield failures
    except PageError as error:
        failures.append(Failure(error.code, str(error)))
    except DocparseError:
        raise  # it concerns every page
    except Exception as error:
        log.debug("a page failed", exc_info=True)
        code = "out_of_memory" if ran_out_of_memory(error) else "worker_crashed"
        failures.append(Failure(code, f"{type(error).__name__}: {error}"))
