"""Decides which stages a page goes through. Knows drafts, confidences and options; runs nothing.

Stage 1 reads every crop, which takes time; it pays by better drafts for Stage 2. So it is left out if the drafts are
good already, or if there is too little text.
"""

from __future__ import annotations

from dataclasses import dataclass

from docparse_fast.document import Category, Region
from docparse_fast.drafted import DraftedPage
from docparse_fast.verification.target import DocumentTarget

FEWEST_WORDS = 60  # on a page; with fewer, reading the crops costs more than the few steps it saves
SURE = 0.97  # with this confidence Stage 1 would hardly change a reading
SMALLEST_SIDE = 12  # pixels of a crop; the page's own stage reads smaller ones
HARD = frozenset({Category.TABLE, Category.FORMULA})  # an OCR's confidence does not measure their structure


@dataclass(frozen=True, slots=True)
class StagePlan:
    regions: tuple[int, ...]  # those that Stage 1 reads
    page: bool  # whether Stage 2 reads the page
    reason: str


def plan(page: DraftedPage, target: DocumentTarget, stages: str) -> StagePlan:
    """`stages` is the option's value: auto, 1, 2 or both."""
    readable = tuple(n for n, region in enumerate(page.regions) if _readable(region, target))
    if target.dialect.page_prompt is None:
        return StagePlan(readable, False, f"{target.identity.name} reads element by element: Stage 1 is all there is")
    if stages == "1":
        return StagePlan(readable, False, "Stage 1 alone was asked for")
    if stages == "2":
        return StagePlan((), True, "Stage 2 alone was asked for")
    if stages == "both":
        return StagePlan(readable, True, "both stages were asked for")
    return _auto(page, readable)


def _auto(page: DraftedPage, readable: tuple[int, ...]) -> StagePlan:
    words = sum(len(region.text.split()) for region in page.regions)
    if len(readable) < 2:
        return StagePlan((), True, "Stage 1 is left out: it would look at the same thing twice")
    if words < FEWEST_WORDS:
        return StagePlan((), True, f"Stage 1 is left out: {words} words are too few for it to pay")
    doubtful = tuple(n for n in readable if _doubtful(page.regions[n]))
    if not doubtful:
        return StagePlan((), True, "Stage 1 is left out: the drafts are sure of themselves")
    return StagePlan(
        doubtful, True, f"Stage 1 reads {len(doubtful)} of {len(readable)} regions, whose drafts are doubtful"
    )


def _readable(region: Region, target: DocumentTarget) -> bool:
    small = min(region.box.width, region.box.height) < SMALLEST_SIDE
    return bool(region.text) and not small and target.dialect.region_prompt(region.category) is not None


def _doubtful(region: Region) -> bool:
    first = region.drafts[0]
    if first.source == "text-layer":
        return False
    return region.category in HARD or first.confidence is None or first.confidence < SURE
