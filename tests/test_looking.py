"""A target that waits for drafts looks at the next page meanwhile; its answers don't change."""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pymupdf
import pytest
from fake_document_target import FakeDocumentTarget, Look
from PIL import Image

from docparse_fast.batch.apart import Apart
from docparse_fast.batch.limits import Limits
from docparse_fast.document import Box, Category, Draft, Page, PageDraft, ParsedPage, Region
from docparse_fast.drafted import Wanted
from docparse_fast.drafting import open_drafter
from docparse_fast.options import DraftOptions, ParseOptions, RasterOptions, SpeculationOptions
from docparse_fast.pages import open_pages
from docparse_fast.pipeline import Pipeline
from docparse_fast.run.inputs import Input
from docparse_fast.timing import Timer

LONG = 20.0  # seconds; nothing here takes as long unless it fails


class EarlyTarget(FakeDocumentTarget):
    """Says how large the page is that it sees; notes when it was shown one early."""

    def __init__(self) -> None:
        super().__init__(lambda image, category: f"{image.width} wide")
        self.looks_early = True
        self.looked = threading.Event()

    def look(self, image: Image.Image) -> Look | None:
        view = super().look(image)
        self.looked.set()
        return view


class WaitingDrafter:
    """Drafts a page only when the target has looked at it."""

    name = "waiting"

    def __init__(self, target: EarlyTarget, draft: Callable[[Page], PageDraft]) -> None:
        self._target = target
        self._draft = draft

    def draft(self, page: Page) -> PageDraft:
        assert self._target.looked.wait(LONG), "nobody has looked at the page"
        self._target.looked.clear()
        return self._draft(page)


def of(page: Page, **more: object) -> PageDraft:
    region = Region(Box(0, 0, 9, 9), Category.TEXT, (Draft("40 wide", "embedded", 0.9),))
    return replace(PageDraft(page.number, page.width, page.height, (region,)), **more)


@pytest.fixture
def two_pages(tmp_path: Path) -> Path:
    with pymupdf.open() as document:
        for width in (40, 60):
            document.new_page(width=width, height=20)
        document.save(path := tmp_path / "two.pdf")
    return path


def read(path: Path, target: FakeDocumentTarget, drafter: WaitingDrafter) -> list[ParsedPage]:
    with open_pages(path, RasterOptions(dpi=72)) as document:
        return list(Pipeline(drafter, target, SpeculationOptions(stages="2")).pages(document))


def texts(pages: list[ParsedPage]) -> list[str]:
    return [page.blocks[0].text for page in pages]


def test_a_target_that_waits_looks_at_each_page_once_before_its_drafts_are_there(two_pages):
    target = EarlyTarget()
    pages = read(two_pages, target, WaitingDrafter(target, of))
    assert texts(pages) == ["40 wide", "60 wide"]
    assert len(target.looks) == 2, "a page that was looked at early is not looked at again"
    assert all("look" in page.seconds for page in pages)


def test_a_page_that_is_turned_is_looked_at_again(two_pages):
    target = EarlyTarget()
    pages = read(two_pages, target, WaitingDrafter(target, lambda page: of(page, turned=90)))
    assert texts(pages) == ["20 wide", "20 wide"]


def test_a_look_that_fails_costs_nothing(two_pages):
    class Failing(EarlyTarget):
        def look(self, image: Image.Image) -> Look | None:
            self.looked.set()
            raise RuntimeError("out of memory")

    pages = read(two_pages, target := Failing(), WaitingDrafter(target, of))
    assert [page.status for page in pages] == ["ok", "ok"]
    assert texts(pages) == ["40 wide", "60 wide"]


@pytest.mark.e2e
def test_a_worker_sends_a_page_before_it_drafts_it_and_sends_it_once(two_pages):
    options, seen = ParseOptions(drafting=DraftOptions("text-layer"), raster=RasterOptions(dpi=72)), {}
    with pymupdf.open(two_pages) as document:
        for page in document:
            page.insert_text((2, 15), "word", fontsize=8)
        document.saveIncr()
    wanted = Wanted(for_target=True, sight=seen.__setitem__)
    drafter, source = open_drafter(options.drafting), Input(two_pages, two_pages.name, "out")
    with (
        Apart(options, Limits(jobs=1), Wanted(for_target=True), lambda: False) as apart,
        apart.open(source) as distant,
    ):
        pages = list(apart.draft_pages(distant, distant.numbers, drafter, wanted, Timer))
    assert [page.picture.width for page in pages] == [40, 60]
    assert all(seen[page.number] is page.picture for page in pages)
