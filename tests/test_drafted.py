"""A drafted page is a value: its content, the work it avoids, and its pickling."""

from __future__ import annotations

import io
import pickle

import psutil
import pymupdf
import pytest
from PIL import Image
from recorded_drafts import RecordedDrafter

from docparse_fast.document import Box, Category, Draft, PageDraft, Region
from docparse_fast.drafted import DraftedPage, Wanted, draft_pages
from docparse_fast.errors import PageError
from docparse_fast.options import RasterOptions
from docparse_fast.pages import open_pages

TEXT = Region(Box(10, 10, 50, 20), Category.TEXT, (Draft("words", "embedded", 0.9),))
FIGURE = Region(Box(10, 70, 30, 90), Category.FIGURE)


@pytest.fixture
def turned(tmp_path):
    """A page lying on its side, with a red spot at its figure's place in the upright page."""
    upright = Image.new("RGB", (60, 100), "white")
    upright.paste("red", (10, 70, 30, 90))
    path = tmp_path / "turned.png"
    upright.rotate(90, expand=True).save(path)
    return path


def drafted(path, wanted: Wanted, *regions: Region, turned: int = 90) -> DraftedPage:
    drafter = RecordedDrafter([PageDraft(1, 60, 100, regions, turned=turned)])
    with open_pages(path, RasterOptions(dpi=72)) as document:
        (page,) = draft_pages(document, [1], drafter, wanted)
    return page


def test_a_drafted_page_can_be_pickled(turned):
    page = drafted(turned, Wanted(for_target=True), TEXT)
    there = pickle.loads(pickle.dumps(page))
    assert there == page
    assert there.crop(FIGURE.box).getpixel((0, 0)) == (255, 0, 0)


def test_a_failed_drafted_page_can_be_pickled():
    page = DraftedPage(3, PageDraft(3, 0, 0), error=PageError("render_failed", "no pixels", remedy="none"))
    there = pickle.loads(pickle.dumps(page))
    assert (there.number, there.error.code, str(there.error)) == (3, "render_failed", str(page.error))


def test_its_image_and_the_picture_that_is_shown_stand_upright(turned):
    shown = []
    page = drafted(turned, Wanted(for_target=True, show=lambda number, image: shown.append(image)), TEXT)
    assert page.image.size == (60, 100)
    assert Image.open(io.BytesIO(shown[0])).size == (60, 100)


@pytest.mark.parametrize(
    ("wanted", "regions", "has_image"),
    [
        (Wanted(), (TEXT, FIGURE), False),
        (Wanted(for_target=True), (TEXT,), True),
        (Wanted(for_target=True), (), False),
        (Wanted(for_figures=True), (TEXT, FIGURE), True),
        (Wanted(for_figures=True), (TEXT,), False),
    ],
)
def test_a_drafted_page_has_its_image_only_if_it_is_needed(turned, wanted, regions, has_image):
    page = drafted(turned, wanted, *regions)
    assert (page.picture is not None) == ("raster" in page.seconds) == has_image


def test_a_page_whose_image_is_not_needed_is_never_rendered(tmp_path):
    path = tmp_path / "a.pdf"
    with pymupdf.open() as document:
        document.new_page(width=60, height=100)
        document.save(path)
    assert "raster" not in drafted(path, Wanted(for_figures=True), TEXT, turned=0).seconds


def test_using_an_image_that_was_not_asked_for_is_an_error(turned):
    with pytest.raises(ValueError, match="page 1"):
        _ = drafted(turned, Wanted(), TEXT).image


def test_a_crop_keeps_to_the_page_and_has_a_pixel_at_least():
    page = DraftedPage(1, PageDraft(1, 40, 30), picture=Image.new("RGB", (40, 30)))
    assert page.crop(Box(-9, -9, 10.2, 10), 5).size == (16, 15)
    assert page.crop(Box(12, 12, 12, 12)).size == (1, 1)


def test_memory_that_pages_left_in_holes_is_given_back(tmp_path):
    """500 scanned pages grew by 200 MB: what each page frees lies between what the C library still holds."""
    kept = []

    class Leaving(RecordedDrafter):
        def draft(self, page):
            made = [bytes(1000) for _ in range(100_000)]
            kept.append(made[::64])
            del made
            return PageDraft(page.number, page.width, page.height)

    with pymupdf.open() as file:
        for _ in range(8):
            file.new_page(width=60, height=60)
        file.save(tmp_path / "eight.pdf")
    process = psutil.Process()
    with open_pages(tmp_path / "eight.pdf", RasterOptions()) as document:
        before = process.memory_info().rss
        for _ in draft_pages(document, range(1, 9), Leaving([]), Wanted()):
            pass
    assert process.memory_info().rss - before < 50_000_000
