"""Stage 1: reads every region's crop with its own draft, many at once. Knows crops, not the page.           (Eq. 2)"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import cast

from docparse_fast.document import Category, Region
from docparse_fast.drafted import DraftedPage
from docparse_fast.options import SpeculationOptions
from docparse_fast.speculative.candidates import TokenDraft
from docparse_fast.speculative.decoding import Speculation
from docparse_fast.speculative.growing_answer import Decoded, Finish, Row
from docparse_fast.timing import Timer
from docparse_fast.verification.target import DocumentTarget

MARGIN = 5  # pixels around a crop, as in the paper's own runs
PAST_THE_DRAFT = 2.0  # a region's answer is cut off at this many times its draft's length, plus the slack
SLACK = 48  # tokens


@dataclass(frozen=True, slots=True)
class RegionReading:
    """What Stage 1 read in a region; `text` is None if that can't stand for it, and the draft is kept."""

    text: str | None
    decoded: Decoded


Readings = Mapping[int, RegionReading]  # by the region's index in the draft


def verify_regions(
    pages: Iterable[tuple[DraftedPage, tuple[int, ...]]],
    target: DocumentTarget,
    options: SpeculationOptions,
    timer: Timer,
    deadline: float = math.inf,
) -> dict[int, dict[int, RegionReading]]:
    """Reads the chosen regions of several pages as rows of one decoding; by page number, then region."""
    readings: dict[int, dict[int, RegionReading]] = {}
    regions = {}
    for page, chosen in pages:
        readings[page.number] = {}
        regions.update({(page.number, n): (page, n) for n in chosen})
    speculation = Speculation(options.tau, options.window)
    rows = _rows(_longest_first(regions.values()), target, options, deadline)
    for decoded in target.decode_rows(rows, speculation, timer):
        number, n = cast(tuple[int, int], decoded.row.name)
        region = regions[number, n][0].regions[n]
        readings[number][n] = RegionReading(_text(region, decoded, target), decoded)
    return readings


def _text(region: Region, decoded: Decoded, target: DocumentTarget) -> str | None:
    """The reading in plain words; None if it broke off, or if it is no table where one stands."""
    if decoded.finish is not Finish.EOS:
        return None
    text = target.dialect.read_region(region, target.decode(decoded.tokens))
    return None if region.category is Category.TABLE and "<table" not in text else text


def _longest_first(chosen: Iterable[tuple[DraftedPage, int]]) -> list[tuple[DraftedPage, int]]:
    """The longest row decides how many passes there are, so it must not wait for a slot."""
    return sorted(chosen, key=lambda one: -len(one[0].regions[one[1]].text))


def _rows(
    chosen: Iterable[tuple[DraftedPage, int]], target: DocumentTarget, options: SpeculationOptions, deadline: float
) -> Iterator[Row]:
    """Yields one row at a time, as slots get free: a crop's pixels exist only while it is read."""
    for page, n in chosen:
        region = page.regions[n]
        drafts = [
            TokenDraft((*target.encode(target.dialect.phrase_region(region, region.printed(draft))), target.end), 0)
            for draft in region.drafts
        ]
        longest = max(len(draft.tokens) for draft in drafts)
        try:
            view = target.region_view(page.crop(region.box, MARGIN), region.category)
        except ValueError:  # a crop that the model's processor doesn't take, such as a long thin line
            continue
        yield Row(
            view=view,
            drafts=drafts,
            max_tokens=min(options.answer_limit, round(PAST_THE_DRAFT * longest) + SLACK),
            deadline=deadline,
            name=(page.number, n),
        )
