"""Decides which stages a page goes through. Knows drafts, confidences, costs and options; runs nothing.

Stage 1 reads crops, which takes time; it pays by better drafts for Stage 2, and only where drafts are wrong. Both sides
are estimated in plain passes, from the drafts' confidences and from stored costs alone: so the same page gets the same
plan on a machine, whatever was read before it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from docparse_fast.document import Category, Region
from docparse_fast.drafted import DraftedPage
from docparse_fast.targets.reading import StageCosts
from docparse_fast.verification.regions import MARGIN
from docparse_fast.verification.target import DocumentTarget

SMALLEST_SIDE = 12  # pixels of a crop; the page's own stage reads smaller ones
UNKNOWN = 0.98  # the confidence of a draft without one
PASSES_A_MISREADING = 1.4  # of Stage 2; 1.6 were measured (docs/log/verification.md)
PASSES_LOST = 5.0  # whatever the drafts; 4.4 were measured
MARGIN_OF_DOUBT = 1.1  # what Stage 1 should save, over what it costs: confidences may be too low
NODES = 8  # of a row in a usual pass


@dataclass(frozen=True, slots=True)
class StagePlan:
    regions: tuple[int, ...]  # those that Stage 1 reads
    page: bool  # whether Stage 2 reads the page
    reason: str
    judges: bool = False  # whether Stage 1 leaves out regions whose drafts a judge accepts


def plan(page: DraftedPage, target: DocumentTarget, stages: str) -> StagePlan:
    """`stages` is the option's value: auto, 1, 2, both or judge."""
    readable = tuple(n for n, region in enumerate(page.regions) if _readable(region, target))
    if stages == "judge":
        return StagePlan(readable, False, "a judge was asked for: drafts that it accepts are not read", judges=True)
    if target.dialect.page_prompt is None:
        return StagePlan(readable, False, f"{target.identity.name} reads element by element: Stage 1 is all there is")
    if stages == "1":
        return StagePlan(readable, False, "Stage 1 alone was asked for")
    if stages == "2":
        return StagePlan((), True, "Stage 2 alone was asked for")
    if stages == "both":
        return StagePlan(readable, True, "both stages were asked for")
    return _auto(page, readable, target)


def _readable(region: Region, target: DocumentTarget) -> bool:
    small = min(region.box.width, region.box.height) < SMALLEST_SIDE
    return bool(region.text) and not small and target.dialect.region_prompt(region.category) is not None


# ------------------------------------------------------------------------------------------------ does it pay?


@dataclass(frozen=True, slots=True)
class CropGuess:
    """What reading a region's crop should bring and take."""

    region: int
    misread: float  # letters of its draft, by the confidence
    steps: float  # of its row
    pixels: int


def _auto(page: DraftedPage, readable: Sequence[int], target: DocumentTarget) -> StagePlan:
    if len(readable) < 2:
        return StagePlan((), True, "Stage 1 is left out: it would look at the same thing twice")
    costs = target.costs
    if costs is None:
        return StagePlan((), True, "Stage 1 is left out: what it costs there is not known")
    crops = [_crop(n, page.regions[n], costs) for n in readable if misread_letters(page.regions[n])]
    if not crops:
        return StagePlan((), True, "Stage 1 is left out: the drafts are sure of themselves")
    chosen, gain = most_gainful(crops, costs)
    if gain <= 0:
        return StagePlan((), True, "Stage 1 is left out: it would cost more passes than it should save")
    return StagePlan(
        tuple(sorted(crop.region for crop in chosen)),
        True,
        f"Stage 1 reads {len(chosen)} of {len(readable)} regions, which should save {gain:.0f} passes",
    )


def misread_letters(region: Region) -> float:
    """
    >>> from docparse_fast.document import Box, Draft
    >>> misread_letters(Region(Box(0, 0, 9, 9), Category.TEXT, (Draft("ten letter", "embedded", 0.75),)))
    2.5
    """
    first = region.drafts[0]
    if first.source == "text-layer":
        return 0.0
    return len(first.text) * (1 - (UNKNOWN if first.confidence is None else first.confidence))


# A crop's row, as measured (docs/bench.md): so many steps, and more for each misread letter and for what is only long.
STEPS = 5.0
WIDE, NARROW = (1.04, 1.1), (1.71, 1.9)  # plain passes that one of NODES costs, and steps a misread letter takes there
STEPS_A_LETTER = {Category.TABLE: 0.08}
STEPS_A_LETTER_OF_TEXT = 0.01


def steps_a_misreading(costs: StageCosts) -> float:
    """Trees are the narrower the more they cost, so a row finds back later: in between the two that were measured.

    >>> from docparse_fast.speculative.costs import CostTable
    >>> from docparse_fast.targets.reading import ReadingCosts
    >>> free = CostTable(rows=(1,), widths=(1, 8), costs=((1.0, 1.0),))
    >>> steps_a_misreading(StageCosts(free, ReadingCosts(0, 0, 0), slots=2))
    1.1
    """
    price = min(max(costs.passes.cost(1, NODES), WIDE[0]), NARROW[0])
    return WIDE[1] + (NARROW[1] - WIDE[1]) * (price - WIDE[0]) / (NARROW[0] - WIDE[0])


def _crop(n: int, region: Region, costs: StageCosts) -> CropGuess:
    misread = misread_letters(region)
    long = len(region.text) * STEPS_A_LETTER.get(region.category, STEPS_A_LETTER_OF_TEXT)
    box = region.box.expanded(MARGIN)
    steps = STEPS + steps_a_misreading(costs) * misread + long
    return CropGuess(n, misread, steps, round(box.width * box.height))


def most_gainful(crops: Sequence[CropGuess], costs: StageCosts) -> tuple[Sequence[CropGuess], float]:
    """The crops to read, and the passes that this should save on balance, cautiously.

    The longest row decides how many passes there are, so each row is tried as the longest; of the shorter ones, only
    those that pay for their own pixels are taken.
    """
    reading = costs.reading
    saved, lost = (passes * costs.passes.cost(1, NODES) for passes in (PASSES_A_MISREADING, PASSES_LOST))
    paying = [crop for crop in crops if crop.misread * saved > reading.together + reading.pixel * crop.pixels]
    by_length = sorted(paying, key=lambda crop: (crop.steps, crop.region))
    best: tuple[Sequence[CropGuess], float] = ((), 0.0)
    for count in range(1, len(by_length) + 1):
        some = by_length[:count]
        spent = reading.of([crop.pixels for crop in some]) + passes_of([crop.steps for crop in some], costs)
        gain = sum(crop.misread for crop in some) * saved - lost - MARGIN_OF_DOUBT * spent
        best = max(best, (some, gain), key=lambda found: found[1])
    return best


def passes_of(steps: Sequence[float], costs: StageCosts) -> float:
    """The cost of rows of so many steps that share passes, the longest first; a free slot goes to the next row.

    >>> from docparse_fast.speculative.costs import CostTable
    >>> from docparse_fast.targets.reading import ReadingCosts
    >>> flat = CostTable(rows=(1, 2), widths=(1, 2), costs=((1.0, 1.0), (1.0, 1.0)))
    >>> passes_of([3.0, 4.0, 10.0], StageCosts(flat, ReadingCosts(0, 0, 0), slots=2))
    10.0
    """
    waiting = sorted(steps)
    running: list[float] = []
    spent = 0.0
    while waiting or running:
        while waiting and len(running) < costs.slots:
            running.append(waiting.pop())
        shortest = min(running)
        spent += shortest * costs.passes.cost(len(running), NODES)
        running = [left - shortest for left in running if left > shortest]
    return spent
