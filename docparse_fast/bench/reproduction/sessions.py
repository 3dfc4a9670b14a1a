"""One target over one data set, measured, and what a table's cells make of it. Knows records.

A cell is of the pages that plain decoding and the row's way both wrote; where the row is starred, of those whose output
came to its end: what reached the cap, or went round in circles, is left out of it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import fmean

from docparse_fast.bench.datasets import Dataset, export_predictions
from docparse_fast.bench.figures import Figures, seconds
from docparse_fast.bench.likeness import likeness
from docparse_fast.bench.paper import Measure
from docparse_fast.bench.record import PLAIN, Measurement, PageRecord
from docparse_fast.bench.ways import DRAFTS
from docparse_fast.document import PageDraft, ParsedPage, block_of
from docparse_fast.rendering import render_page
from docparse_fast.speculative.writing import Finish

DRAFT = "draft"  # a row of what was drafted and not verified
UNENDED = (str(Finish.LENGTH), str(Finish.REPETITION))


@dataclass(frozen=True, slots=True)
class Session:
    model: str  # as the catalogue calls it, or as it was named
    dataset: Dataset
    measurement: Measurement

    def pages(self, way: str, part: str = "", *, starred: bool = False) -> list[PageRecord]:
        """What a row's cell is of."""
        wrote = [page for page in self.measurement.pages if page.measured and _wrote(page, way)]
        return [page for page in wrote if (not part or page.group == part) and not (starred and _is_unended(page, way))]

    def left_out(self, way: str) -> list[str]:
        """Of a starred row."""
        return [page.name for page in self.pages(way) if _is_unended(page, way)]

    def figure(self, measure: Measure, way: str, part: str = "", *, starred: bool = False) -> float | None:
        """A published data set's scores are for its official tool to say, so there are none of it here."""
        if measure == "score":
            return self.likeness(way) if self.dataset.name == "folder" else None
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

    def likeness(self, way: str, drafts: str = DRAFTS) -> float | None:
        """To the texts of all pages whose text is known; what failed counts as empty."""
        known = [(page, page.truth) for page in self.measurement.pages if page.measured]
        found = [likeness(truth, _markdown(page, way, drafts)) for page, truth in known if isinstance(truth, str)]
        return fmean(found) if found else None

    def export(self, folder: Path) -> None:
        """Every way's answers, and the drafts, as the official tool of this data set reads them."""
        pages = [page for page in self.measurement.pages if page.measured]
        for way in (DRAFT, *self.measurement.ways):
            answers = {page.name: text for page in pages if (text := _markdown(page, way, DRAFTS))}
            export_predictions(self.dataset, answers, folder / self.model / self.dataset.folder.name / way)


def draft_markdown(draft: PageDraft) -> str:
    """A draft as the page it would be unverified."""
    return render_page(ParsedPage(draft.number, blocks=tuple(block_of(region) for region in draft.regions)))


def same_as_plain(pages: Sequence[PageRecord], way: str) -> tuple[int, int]:
    """How many pages a way wrote token for token as plain decoding did, of how many."""
    known = [page.ways[way].same_as_plain for page in pages if way in page.ways]
    told = [same for same in known if same is not None]
    return sum(told), len(told)


def _is_unended(page: PageRecord, way: str) -> bool:
    return any(page.ways[name].finish in UNENDED for name in (PLAIN, way))


def _draft_seconds(page: PageRecord, way: str) -> float:
    """Of a pipeline that drafts once, or of a smaller model that guesses while the target decodes."""
    drafts = page.ways[way].drafts
    return page.drafts[drafts].seconds if drafts else seconds(page.ways[way], "draft")


def _wrote(page: PageRecord, way: str) -> bool:
    return way in page.ways and page.ways[way].error is None


def _markdown(page: PageRecord, way: str, drafts: str) -> str:
    if way != DRAFT:
        return page.ways[way].markdown if _wrote(page, way) else ""
    found = page.drafts.get(drafts)
    return "" if found is None or found.draft is None else draft_markdown(found.draft)
