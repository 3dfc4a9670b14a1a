"""The paper's Figure 1: a page is drafted, its regions are verified (Stage 1), then the page (Stage 2).

    Source --draft_pages--> DraftedPage --Stages.verify_regions, Stages.verify_page--> Outcome
                                              --page_result--> ParsedPage

If there is a target, the next pages are rendered and drafted while it reads this one. A page that fails is marked as
failed and the next one follows; only a file that can't be opened raises.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from docparse_fast.document import ParsedPage
from docparse_fast.drafted import DraftedPage, DraftPages, KeepPage, Source, Wanted, draft_pages
from docparse_fast.drafting import Drafter
from docparse_fast.looking import EarlyLooks
from docparse_fast.options import SpeculationOptions
from docparse_fast.page_result import KeepFigure, page_result
from docparse_fast.quality.confidence import held_to
from docparse_fast.system.prefetching import mapped, prefetched
from docparse_fast.timing import Timer
from docparse_fast.verification.failures import Device
from docparse_fast.verification.windows import PAGES_TOGETHER, windows

if TYPE_CHECKING:
    from docparse_fast.verification.outcome import Outcome
    from docparse_fast.verification.stages import ReadRegions, Stages
    from docparse_fast.verification.target import DocumentTarget

PAGES_AHEAD = PAGES_TOGETHER  # drafted while the target is busy: what it reads together next


@dataclass(frozen=True, slots=True)
class Pipeline:
    """Everything that converts pages, loaded once and used for page after page."""

    drafter: Drafter
    target: DocumentTarget | None = None
    speculation: SpeculationOptions = field(default_factory=SpeculationOptions)
    why_target: str = ""
    new_timer: Callable[[], Timer] = Timer
    device: Device = field(default_factory=Device)  # the target's
    min_confidence: float = 0.0
    min_structure: float = 0.0
    draft_pages: DraftPages = draft_pages  # here, or in another process

    def pages(
        self,
        document: Source,
        keep_figure: KeepFigure | None = None,
        keep_page: KeepPage | None = None,
        numbers: Sequence[int] | None = None,
    ) -> Iterator[ParsedPage]:
        """Yields the document's selected pages, or those named in `numbers`, as each is finished.

        `keep_figure` stores a picture and returns its link. `keep_page` receives each page on the drafter's thread,
        before the page is yielded; without it, pages are rendered only if their drafter or the target needs them.
        """
        numbers = document.numbers if numbers is None else numbers
        looks = EarlyLooks(self.target, numbers, self.new_timer) if self.target and self.target.looks_early else None
        wanted = Wanted(self.target is not None, keep_figure is not None, keep_page, looks.offer if looks else None)
        drafted = self.draft_pages(document, numbers, self.drafter, wanted, self.new_timer)
        if self.target is None:
            for page in drafted:
                done = page_result(page, None, keep_figure, self.new_timer())
                yield held_to(done, self.min_confidence, self.min_structure)
            return
        with prefetched(drafted, PAGES_AHEAD, looks.look if looks else None) as coming:
            yield from verified(looks.taken(coming) if looks else coming, self._stages(self.target), keep_figure)

    @contextmanager
    def interruptible(self) -> Iterator[None]:
        """Where the user interrupts, nothing is waited for that the target has been asked."""
        try:
            yield
        except KeyboardInterrupt:
            if self.target is not None:
                self.target.give_up()
            raise

    def _stages(self, target: DocumentTarget) -> Stages:
        from docparse_fast.verification.stages import Stages  # imported late: most runs have drafts only

        return Stages(target, self.speculation, self.device, self.new_timer)


def verified(
    pages: Iterable[DraftedPage], stages: Stages, keep_figure: KeepFigure | None = None, done: Container[int] = ()
) -> Iterator[ParsedPage]:
    """Yields the pages in order after both stages. Crops of pages in `done` are read only to help their neighbours."""

    def verify(some: list[DraftedPage], regions: ReadRegions) -> list[tuple[DraftedPage, Outcome | None]]:
        return list(zip(some, stages.verify_pages(some, regions), strict=True))

    asked = after_stage_1(pages, stages, done)
    for read in mapped(lambda each: verify(*each), asked, stages.target.in_flight, stages.target.give_up):
        while read:
            page, outcome = read.pop(0)
            yield page_result(page, outcome, keep_figure, stages.new_timer())
            del page  # its image must not stay in memory while the next one is read


def after_stage_1(
    pages: Iterable[DraftedPage], stages: Stages, done: Container[int]
) -> Iterator[tuple[list[DraftedPage], ReadRegions]]:
    """One page at a time, unless neighbours are read together."""
    for window in windows(pages, stages.waits):
        regions = stages.verify_regions(window)
        window[:] = [page for page in window if page.number not in done]
        count = len(window) if stages.options.pages_together else 1
        while window:
            some, window[:count] = window[:count], []
            yield some, regions
            del some
