"""Stage 2: reads the whole page once, with the drafts of all regions in any order. Knows no figures.      (Eq. 3)"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import cast

from docparse_fast.document import FURNITURE, Draft, Region
from docparse_fast.drafted import DraftedPage
from docparse_fast.options import SpeculationOptions
from docparse_fast.speculative.candidates import TokenDraft
from docparse_fast.speculative.decoding import Speculation
from docparse_fast.speculative.growing_answer import Decoded, Row
from docparse_fast.speculative.token_store import TokenStore
from docparse_fast.targets.dialects.dialect import Phrase
from docparse_fast.timing import Timer
from docparse_fast.verification.habits import Habits
from docparse_fast.verification.regions import Readings
from docparse_fast.verification.rephrasing import Rephrasing
from docparse_fast.verification.target import DocumentTarget

STAGE_1 = "stage-1"  # the source of a draft that Stage 1 has verified


@dataclass(frozen=True, slots=True)
class PageReading:
    """The target's own answer for the page, and the drafts that its spans refer to by number."""

    view: object
    decoded: Decoded
    phrases: tuple[Phrase, ...]
    habits: Habits  # that the answer has shown


def verify_page(
    page: DraftedPage,
    readings: Readings,
    target: DocumentTarget,
    options: SpeculationOptions,
    timer: Timer,
    deadline: float = math.inf,
    habits: Habits | None = None,
) -> PageReading:
    return verify_pages([(page, readings)], target, options, timer, deadline, habits)[page.number]


def verify_pages(
    pages: Iterable[tuple[DraftedPage, Readings]],
    target: DocumentTarget,
    options: SpeculationOptions,
    timer: Timer,
    deadline: float = math.inf,
    habits: Habits | None = None,
) -> dict[int, PageReading]:
    """Reads pages as rows of one decoding, each with the trees that it would have alone; by page number.

    They begin with the `habits` of a page before them.
    """
    phrases: dict[int, tuple[Phrase, ...]] = {}
    shown: dict[int, Habits] = {}

    def rows() -> Iterator[Row]:
        for page, readings in pages:
            shown[page.number] = habits.faded() if habits else Habits()
            row, phrases[page.number] = _row(page, readings, target, options, deadline, shown[page.number])
            yield row

    speculation = Speculation(options.tau, options.window, apart=True)
    found = {}
    for decoded in target.decode_rows(rows(), speculation, timer):
        number = cast(int, decoded.row.name)
        found[number] = PageReading(decoded.row.view, decoded, phrases[number], shown[number])
    return found


def _row(
    page: DraftedPage,
    readings: Readings,
    target: DocumentTarget,
    options: SpeculationOptions,
    deadline: float,
    habits: Habits,
) -> tuple[Row, tuple[Phrase, ...]]:
    view = target.page_view(page.image) if page.view is None else page.view
    phrases, drafts = page_drafts(with_readings(page.regions, readings), target, page.size)
    drafting = target.page_drafting(page.image, view)
    row = Row(
        view=view,
        drafts=drafts,
        max_tokens=options.answer_limit,
        deadline=deadline,
        rephrasing=Rephrasing(
            [phrase.text.removesuffix(END) for phrase in phrases],
            drafts,
            target.encode,
            target.decode,
            (*target.dialect.examples, *habits.answers),
            [_line_ends(phrase, page.regions) for phrase in phrases],
            habits,
            [n for n, region in enumerate(page.regions) if region.category in FURNITURE],
        ),
        drafting=drafting,
        store=TokenStore() if drafting else None,
        name=page.number,
    )
    return row, phrases


def page_drafts(
    regions: Sequence[Region], target: DocumentTarget, size: tuple[int, int]
) -> tuple[tuple[Phrase, ...], list[TokenDraft]]:
    """What the target may copy: every reading as it would write it, as phrases and as tokens."""
    phrases = _phrases(regions, target, size)
    return phrases, [TokenDraft(_tokens(each, target), each.regions[0], each.regions[-1]) for each in phrases]


def with_readings(regions: Sequence[Region], readings: Readings) -> list[Region]:
    """The regions, with Stage 1's readings in front of their drafts."""
    return [
        replace(region, drafts=(Draft(text, STAGE_1), *(draft for draft in region.drafts if draft.text != text)))
        if (reading := readings.get(n)) is not None and (text := reading.text) is not None
        else region
        for n, region in enumerate(regions)
    ]


def _phrases(regions: Sequence[Region], target: DocumentTarget, size: tuple[int, int]) -> tuple[Phrase, ...]:
    """Every reading of every region; those of the last regions, margins apart, also as the answer's end."""
    phrases = target.dialect.phrase_page(regions, size)
    if not phrases:
        return ()
    last = max(phrase.regions[-1] for phrase in phrases)
    told = (phrase.regions[-1] for phrase in phrases if regions[phrase.regions[0]].category not in FURNITURE)
    least = max(told, default=last)  # many targets leave out what stands in the margins
    phrases = (*phrases, *_of_others(regions, target, size))
    ends = (replace(phrase, text=phrase.text.rstrip() + END) for phrase in phrases if phrase.regions[-1] >= least)
    return (*phrases, *ends)


def _of_others(regions: Sequence[Region], target: DocumentTarget, size: tuple[int, int]) -> Iterator[Phrase]:
    """What runs of regions may be instead, each as in their place on the page."""
    for n, region in enumerate(regions):
        for other in region.instead:
            beyond = (m for m in range(n + 1, len(regions)) if not other.box.holds(regions[m].box))
            over = range(n, next(beyond, len(regions)))
            there = target.dialect.phrase_page([*regions[:n], other, *regions[over.stop :]], size)
            yield from (replace(phrase, regions=tuple(over)) for phrase in there if phrase.regions == (n,))


def _line_ends(phrase: Phrase, regions: Sequence[Region]) -> Sequence[int]:
    first = regions[phrase.regions[0]]
    return first.line_ends if len(phrase.regions) == 1 and not first.instead else ()


END = "\0"  # after a phrase: the answer ends here; no document contains it


def _tokens(phrase: Phrase, target: DocumentTarget) -> tuple[int, ...]:
    if phrase.text.endswith(END):
        return (*target.encode(phrase.text.removesuffix(END)), target.end)
    return target.encode(phrase.text)
