"""The measurement of one target on one data set, and the table cells computed from it. Knows records.

A cell covers the pages that both plain decoding and the row's way wrote. A starred row leaves out pages whose output
reached the cap or repeated itself endlessly.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import fmean

from docparse_fast.bench.datasets import Dataset, export_predictions
from docparse_fast.bench.likeness import likeness
from docparse_fast.bench.paper import Measure
from docparse_fast.bench.record import PLAIN, Measurement, PageRecord
from docparse_fast.bench.speedups import Figures, seconds
from docparse_fast.bench.ways import DRAFTS
from docparse_fast.document import PageDraft, ParsedPage, block_of
from docparse_fast.rendering.markdown import render_page
from docparse_fast.speculative.growing_answer import Finish

DRAFT = "draft"  # a row of unverified drafts
UNENDED = (str(Finish.LENGTH), str(Finish.REPETITION))


@dataclass(frozen=True, slots=True)
class Session:
    model: str  # its name in the catalogue, else as the user named it
    dataset: Dataset
    measurement: Measurement

    def pages(self, way: str, part: str = "", *, starred: bool = False) -> list[PageRecord]:
        """The pages that a row's cell covers."""
        wrote = [page for page in self.measurement.pages if page.measured and _wrote(page, way)]
        return [page for page in wrote if (not part or page.group == part) and not (starred and _is_unended(page, way))]

    def left_out(self, way: str) -> list[str]:
        """The pages that a starred row leaves out."""
        return [page.name for page in self.pages(way) if _is_unended(page, way)]

    def figure(self, measure: Measure, way: str, part: str = "", *, starred: bool = False) -> float | None:
        """A cell's figure; None for the score of a published data set, which only its official tool computes."""
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
        """The mean likeness of answers to the known texts; a failed page counts as empty."""
        known = [(page, page.truth) for page in self.measurement.pages if page.measured]
        found = [likeness(truth, _markdown(page, way, drafts)) for page, truth in known if isinstance(truth, str)]
        return fmean(found) if found else None

    def export(self, folder: Path) -> None:
        """Writes every way's answers, and the drafts, for the data set's official tool."""
        pages = [page for page in self.measurement.pages if page.measured]
        for way in (DRAFT, *self.measurement.ways):
            answers = {page.name: text for page in pages if (text := _markdown(page, way, DRAFTS))}
            export_predictions(self.dataset, answers, folder / self.model / self.dataset.folder.name / way)


def draft_markdown(draft: PageDraft) -> str:
    """The Markdown of an unverified draft."""
    return render_page(ParsedPage(draft.number, blocks=tuple(block_of(region) for region in draft.regions)))


def same_as_plain(pages: Sequence[PageRecord], way: str) -> tuple[int, int]:
    """The number of pages that a way wrote token for token as plain decoding did, and of pages compared."""
    known = [page.ways[way].same_as_plain for page in pages if way in page.ways]
    told = [same for same in known if same is not None]
    return sum(told), len(told)


def _is_unended(page: PageRecord, way: str) -> bool:
    return any(page.ways[name].finish in UNENDED for name in (PLAIN, way))


def _draft_seconds(page: PageRecord, way: str) -> float:
    """The drafter's seconds, or those of a smaller model that drafts while the target decodes."""
    drafts = page.ways[way].drafts
    return page.drafts[drafts].seconds if drafts else seconds(page.ways[way], "draft")


def _wrote(page: PageRecord, way: str) -> bool:
    return way in page.ways and page.ways[way].error is None


def _markdown(page: PageRecord, way: str, drafts: str) -> str:
    if way != DRAFT:
        return page.ways[way].markdown if _wrote(page, way) else ""
    found = page.drafts.get(drafts)
    return "" if found is None or found.draft is None else draft_markdown(found.draft)
