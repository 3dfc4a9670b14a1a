"""Measures several ways on the same pages, interleaved in one run. Knows rounds and groups; no file, option or table.

    found = measure(subjects, target, ways, drafts={DRAFTS: by(drafter)}, settings=settings, clock=clock)

`subjects` are pages. `ways` decode them; `ways.Plain` must be among them, because all others are compared with it.
`drafts` are functions by name from a subject to its PageDraft, so that drafts can be spoilt or made from the truth;
each way names the drafts it uses. A page is drafted once, in counted seconds, and all ways share the drafts. To score
answers, put the truth on the subject: the page's record then has it beside every way's Markdown.

Pages are measured in groups. Every round of a group runs all ways on all pages, in rotating order, so that a machine
that slows down slows all ways down; then the group is decoded plainly side by side. Without that a page is a group of
its own, so that an interruption keeps whole pages. Before the first round everything runs once uncounted: on the first
page, or on every page if passes are replayed from graphs.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import islice

from docparse_fast.bench.clock import CPU, Clock
from docparse_fast.bench.record import PLAIN, Measurement, PageRecord, RunSettings, TogetherRecord
from docparse_fast.bench.trial import DraftPage, Subject, Trial, TrialTogether
from docparse_fast.bench.ways import PageWay, in_turns
from docparse_fast.options import SpeculationOptions
from docparse_fast.verification.target import DocumentTarget, LocalTarget

PAGES_A_SLOT = 2  # pages of a group per row of the target; the group's images stay in memory


def measure(
    subjects: Iterable[Subject],
    target: LocalTarget,
    ways: Sequence[PageWay],
    *,
    drafts: Mapping[str, DraftPage],
    settings: RunSettings,
    options: SpeculationOptions,
    clock: Clock = CPU,
    together: bool = True,
    check_generate: bool = True,
    done: Callable[[PageRecord], None] = lambda page: None,
    watch: Callable[[str], None] = lambda what: None,
) -> Measurement:
    """Runs `settings.repeats` rounds of every way on every page.

    With `together` each group is also decoded side by side; with `check_generate` every answer is compared with the
    model's own generate(); `options` limits the length of an answer. Calls `done` with each finished page and `watch`
    with the current activity. If interrupted, returns the finished pages.
    """
    _check(ways, drafts)
    bench = _Bench(target, tuple(ways), drafts, options, clock, watch)
    pages: list[PageRecord] = []
    groups: list[TogetherRecord] = []
    for group in _groups(subjects, PAGES_A_SLOT * target.decoder.slots if together else 1):
        trials = [Trial(subject, ways, clock) for subject in group]
        side_by_side = None
        try:
            ready = bench.draft(trials)
            bench.warm_up(ready)
            side_by_side = TrialTogether(ready, options, clock) if together and len(ready) > 1 else None
            for number in range(settings.repeats):
                bench.round(number, ready, side_by_side)
            for trial in ready:
                bench.judge(trial, check_generate=check_generate)
        except KeyboardInterrupt:
            settings = replace(settings, interrupted=True)
        for trial in trials:
            if trial.ended:  # else it was interrupted before any result
                pages.append(trial.record())
                done(pages[-1])
            trial.subject.page.close()
        if side_by_side is not None:
            groups.append(side_by_side.record(target.decoder.slots))
        if settings.interrupted:
            break
    return Measurement(settings, tuple(pages), tuple(groups))


@dataclass(slots=True)
class _Bench:
    """The settings that all groups share."""

    target: DocumentTarget
    ways: tuple[PageWay, ...]
    drafts: Mapping[str, DraftPage]
    options: SpeculationOptions
    clock: Clock
    watch: Callable[[str], None]
    warm: bool = False

    def draft(self, trials: Sequence[Trial]) -> list[Trial]:
        """Drafts all pages; returns those that can be measured."""
        for trial in trials:
            self.watch(f"drafting {trial.subject.name}")
            trial.draft(self.drafts)
        ready = [trial for trial in trials if trial.ready]
        if ready and not self.warm:
            ready[0].draft(self.drafts)  # once more: the first time includes loading the drafter's models
        return ready

    def warm_up(self, ready: Sequence[Trial]) -> None:
        every_page = self.clock.kind == "wall"
        for trial in ready if every_page else ready[: 0 if self.warm else 1]:
            self.watch(f"warming up on {trial.subject.name}")
            for way in self.ways:
                trial.run(way, self.target)
            trial.forget_rounds()
        self.warm = self.warm or bool(ready)

    def round(self, number: int, ready: Sequence[Trial], side_by_side: TrialTogether | None) -> None:
        for place, trial in enumerate(ready):
            self.watch(f"round {number + 1}: {trial.subject.name}")
            for way in in_turns(self.ways, number + place):
                trial.run(way, self.target)
        if side_by_side is not None:
            self.watch(f"round {number + 1}: {len(ready)} pages at once")
            side_by_side.run(self.target)

    def judge(self, trial: Trial, *, check_generate: bool) -> None:
        self.watch(f"comparing {trial.subject.name}")
        if check_generate:
            trial.generate(self.target, self.options.answer_limit)
        trial.weigh(self.target)


def _check(ways: Sequence[PageWay], drafts: Mapping[str, DraftPage]) -> None:
    names = [way.name for way in ways]
    if PLAIN not in names or len(set(names)) != len(names):
        raise ValueError(f"ways need different names, and one must be {PLAIN!r}: {names}")
    if not drafts:
        raise ValueError("a drafter is needed: a page without drafts counts as blank")
    if missing := {way.drafts for way in ways if way.drafts} - set(drafts):
        raise ValueError(f"these drafts have no drafter: {sorted(missing)}")


def _groups(subjects: Iterable[Subject], size: int) -> Iterator[list[Subject]]:
    waiting = iter(subjects)
    while group := list(islice(waiting, size)):
        yield group
