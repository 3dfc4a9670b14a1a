"""The same pages by several ways in one run, interleaved. Knows rounds and groups; knows no file, option or table.

    found = measure(subjects, target, ways, drafts={DRAFTS: by(drafter)}, settings=settings, clock=clock)

`subjects` are pages; `ways` say how each is written (`ways.Plain` must be among them: all else is held against it);
`drafts` are functions from a subject to its PageDraft, by name, so that drafts can be spoilt, or made from the truth,
and each way names those it wants. A page's drafts are made once, in counted seconds, and shared. Whoever scores answers
hangs the truth on the subject, and finds it on the page's record beside every way's Markdown.

Pages are taken in groups. Within a group every round goes through all pages and all ways, whose order rotates, so that
a machine that slows down slows all of them down; then the group is decoded plainly side by side. Before the first
round everything runs once uncounted: on the first page, or, where passes are replayed from graphs, on every page.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import islice

from docparse_fast.bench.clock import CPU, Clock
from docparse_fast.bench.record import PLAIN, Measurement, PageRecord, Settings, TogetherRecord
from docparse_fast.bench.trial import DraftPage, Subject, Trial, TrialTogether
from docparse_fast.bench.ways import Way
from docparse_fast.options import SpeculationOptions
from docparse_fast.verification.target import DocumentTarget

PAGES_A_SLOT = 2  # in a group, for each row that fits side by side: their images are held meanwhile


def measure(
    subjects: Iterable[Subject],
    target: DocumentTarget,
    ways: Sequence[Way],
    *,
    drafts: Mapping[str, DraftPage],
    settings: Settings,
    options: SpeculationOptions,
    clock: Clock = CPU,
    together: bool = True,
    check_generate: bool = True,
    done: Callable[[PageRecord], None] = lambda page: None,
    watch: Callable[[str], None] = lambda what: None,
) -> Measurement:
    """`settings.repeats` rounds of every way on every page.

    `together` has each group decoded side by side as well, `check_generate` has every answer held against the model's
    own generate(); `options` says how long an answer may get. `done` hears of each page that is done with, `watch`
    of what goes on.
    """
    _check(ways, drafts)
    pages: list[PageRecord] = []
    groups: list[TogetherRecord] = []
    warm = False
    for group in _groups(subjects, PAGES_A_SLOT * target.model.slots):
        trials = [Trial(subject, ways, clock) for subject in group]
        for trial in trials[:1] if not warm else ():
            trial.draft(drafts)  # whatever a drafter loads, it loads now
        for trial in trials:
            watch(f"drafting {trial.subject.name}")
            trial.draft(drafts)
        ready = [trial for trial in trials if trial.ready]
        for trial in ready if clock.kind == "wall" else ready[: 0 if warm else 1]:
            watch(f"warming up on {trial.subject.name}")
            _warm_up(trial, target, ways)
        warm = warm or bool(ready)
        side_by_side = TrialTogether(ready, options, clock) if together and len(ready) > 1 else None
        for number in range(settings.repeats):
            _round(number, ready, target, ways, side_by_side, watch)
        for trial in trials:
            if check_generate and trial.ready:
                watch(f"generate(): {trial.subject.name}")
                trial.generate(target, options.max_new_tokens)
            if trial.ready:
                trial.weigh(target)
            pages.append(trial.record())
            done(pages[-1])
            trial.subject.page.close()
        if side_by_side is not None:
            groups.append(side_by_side.record(target.model.slots))
    return Measurement(settings, tuple(pages), tuple(groups))


def _check(ways: Sequence[Way], drafts: Mapping[str, DraftPage]) -> None:
    names = [way.name for way in ways]
    if PLAIN not in names or len(set(names)) != len(names):
        raise ValueError(f"ways have names of their own, and {PLAIN!r} is one of them: {names}")
    if missing := {way.drafts for way in ways if way.drafts} - set(drafts):
        raise ValueError(f"nobody makes these drafts: {sorted(missing)}")


def _groups(subjects: Iterable[Subject], size: int) -> Iterator[list[Subject]]:
    waiting = iter(subjects)
    while group := list(islice(waiting, size)):
        yield group


def _warm_up(trial: Trial, target: DocumentTarget, ways: Sequence[Way]) -> None:
    for way in ways:
        trial.run(way, target)
    trial.forget_rounds()


def _round(
    number: int,
    trials: Sequence[Trial],
    target: DocumentTarget,
    ways: Sequence[Way],
    side_by_side: TrialTogether | None,
    watch: Callable[[str], None],
) -> None:
    for place, trial in enumerate(trials):
        watch(f"round {number + 1}: {trial.subject.name}")
        first = (number + place) % len(ways)  # whoever comes first finds other things in the caches
        for way in (*ways[first:], *ways[:first]):
            trial.run(way, target)
    if side_by_side is not None:
        watch(f"round {number + 1}: {len(trials)} pages at once")
        side_by_side.run(target)
