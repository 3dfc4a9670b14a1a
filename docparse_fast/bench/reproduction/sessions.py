"""One target over one data set, measured, and what a table's cells make of it. Knows records and scores.

A cell is of the pages that plain decoding and the row's way both wrote; where the row is starred, of those whose output
came to its end: what reached the cap, or went round in circles, is left out of it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from docparse_fast.bench.datasets import BenchPage, Dataset
from docparse_fast.bench.figures import Figures, seconds
from docparse_fast.bench.paper import Measure
from docparse_fast.bench.record import PLAIN, Measurement, PageRecord
from docparse_fast.bench.ways import DRAFTS
from docparse_fast.document import PageDraft, ParsedPage, block_of
from docparse_fast.rendering import render_page
from docparse_fast.speculative.writing import Finish

if TYPE_CHECKING:
    from docparse_fast.bench.scores import PageScores, SetScores

DRAFT = "draft"  # a row of what was drafted, verified by nobody
UNENDED = (str(Finish.LENGTH), str(Finish.REPETITION))


@dataclass(frozen=True, slots=True)
class Session:
    model: str  # as the catalogue calls it, or as it was named
    dataset: Dataset
    measurement: Measurement
    _scores: dict[str, SetScores] = field(default_factory=dict, compare=False)

    @property
    def interrupted(self) -> bool:
        return self.measurement.settings.interrupted

    def pages(self, way: str, part: str = "", *, starred: bool = False) -> list[PageRecord]:
        """What a row's cell is of."""
        return [
            page
            for page in self.measurement.pages
            if page.measured
            and (not part or page.group == part)
            and _wrote(page, way)
            and not (starred and unended(page, way))
        ]

    def left_out(self, way: str) -> list[str]:
        """Of a starred row."""
        return [
            page.name for page in self.measurement.pages if page.measured and _wrote(page, way) and unended(page, way)
        ]

    def figure(self, measure: Measure, way: str, part: str = "", *, starred: bool = False) -> float | None:
        if measure == "score":
            return self.scores(way).overall if not part else self.scores(way).groups.get(part)
        pages = self.pages(way, part, starred=starred)
        if not pages:
            return None
        if measure == "draft_seconds":
            return sum(_draft_seconds(page, way) for page in pages) / len(pages)
        figures = Figures.sum(Figures.of(page, way) for page in pages)
        return {
            "aal": figures.average_acceptance_length,
            "decode_speedup": figures.decode_speedup,
            "end_to_end_speedup": figures.end_to_end_speedup,
        }[measure]

    def scores(self, way: str, drafts: str = DRAFTS) -> SetScores:
        """Of all pages of which something is known and of which something was drafted; what failed counts as empty."""
        from docparse_fast.bench.scores import summarise  # its libraries are an extra, and most tables want no score

        name = f"{way} of {drafts}"
        if name not in self._scores:
            each = [
                self._score(page, _markdown(page, way, drafts))
                for page in self.measurement.pages
                if isinstance(page.truth, BenchPage) and page.truth.scored and page.measured
            ]
            self._scores[name] = summarise(self.dataset.name, each)
        return self._scores[name]

    def _score(self, page: PageRecord, markdown: str) -> PageScores:
        from docparse_fast.bench.scores import score_page

        assert isinstance(page.truth, BenchPage)
        return score_page(self.dataset.name, page.truth, markdown)


def unended(page: PageRecord, way: str) -> bool:
    return any(page.ways[name].finish in UNENDED for name in (PLAIN, way))


def draft_markdown(draft: PageDraft) -> str:
    """A draft as the page it would be if nobody verified it."""
    return render_page(ParsedPage(draft.number, blocks=tuple(block_of(region) for region in draft.regions)))


def same_as_plain(pages: Sequence[PageRecord], way: str) -> tuple[int, int]:
    """How many pages a way wrote token for token as plain decoding did, of how many."""
    known = [page.ways[way].same_as_plain for page in pages if way in page.ways]
    told = [same for same in known if same is not None]
    return sum(told), len(told)


def _draft_seconds(page: PageRecord, way: str) -> float:
    """Of a pipeline that drafts once, or of a smaller model that guesses while the target decodes."""
    drafts = page.ways[way].drafts
    return page.drafts[drafts].seconds if drafts else seconds(page.ways[way], "draft")


def _wrote(page: PageRecord, way: str) -> bool:
    return way in page.ways and page.ways[way].error is None


def _markdown(page: PageRecord, way: str, drafts: str) -> str:
    if way != DRAFT:
        return page.ways[way].markdown if _wrote(page, way) else ""
    draft = page.drafts[drafts].draft
    return "" if draft is None else draft_markdown(draft)
