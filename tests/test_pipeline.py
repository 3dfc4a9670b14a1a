"""Pages through the pipeline: what a page's end says, and that no page takes another with it."""

from __future__ import annotations

from collections.abc import Sequence

import pymupdf
import pytest
from PIL import Image
from recorded_drafts import RecordedDrafter, drafts_json, read_drafts

from docparse_fast import ParseOptions, parse
from docparse_fast.document import Box, Category, Draft, Page, PageDraft, Region
from docparse_fast.errors import ModelError, UsageError
from docparse_fast.opening import open_pipeline
from docparse_fast.options import DraftOptions, RasterOptions, TargetOptions
from docparse_fast.pages import open_pages
from docparse_fast.pipeline import Pipeline
from docparse_fast.timing import Timer


@pytest.fixture
def three_pages(tmp_path):
    path = tmp_path / "three.pdf"
    with pymupdf.open() as document:
        for words in ("one", "two", "three"):
            document.new_page(width=200, height=100).insert_text((20, 50), words)
        document.save(path)
    return path


def text_draft(number: int, words: str) -> PageDraft:
    region = Region(Box(10, 10, 90, 20), Category.TEXT, (Draft(words, "embedded", 0.9),))
    return PageDraft(number, 200, 100, (region,), drafter="recorded", reason="it was recorded")


def parsed(path, drafts: Sequence[PageDraft], keep_figure=None):
    with open_pages(path, RasterOptions(dpi=72)) as document:
        return list(Pipeline(RecordedDrafter(drafts)).pages(document, keep_figure))


def test_a_page_says_who_drafted_it_and_that_nobody_verified_it(three_pages):
    page = parsed(three_pages, [text_draft(n, f"page {n}") for n in (1, 2, 3)])[1]
    assert (page.status, page.verified, page.exact) == ("ok", "none", None)
    assert (page.blocks[0].text, page.blocks[0].sources, page.blocks[0].confidence) == ("page 2", ("embedded",), 0.9)
    assert (page.evidence.drafter, page.evidence.reason) == ("recorded", "it was recorded")


def test_a_page_that_cannot_be_drafted_leaves_the_others(three_pages):
    pages = parsed(three_pages, [text_draft(1, "one"), text_draft(3, "three")])
    assert [page.status for page in pages] == ["ok", "failed", "ok"]
    assert pages[1].error.code == "draft_failed"


def test_a_drafter_that_breaks_costs_its_page_alone(three_pages):
    class Breaking(RecordedDrafter):
        def draft(self, page: Page) -> PageDraft:
            if page.number == 2:
                raise RuntimeError("native code said no")
            return super().draft(page)

    with open_pages(three_pages) as document:
        pages = list(Pipeline(Breaking([text_draft(n, "x") for n in (1, 2, 3)])).pages(document))
    assert [page.status for page in pages] == ["ok", "failed", "ok"]
    assert pages[1].error.message == "RuntimeError: native code said no"


def test_memory_that_runs_out_is_named(three_pages):
    class Hungry(RecordedDrafter):
        def draft(self, page: Page) -> PageDraft:
            raise MemoryError

    with open_pages(three_pages) as document:
        assert {p.error.code for p in Pipeline(Hungry([])).pages(document)} == {"out_of_memory"}


def test_a_page_without_regions_is_blank(three_pages):
    assert parsed(three_pages, [PageDraft(n, 200, 100) for n in (1, 2, 3)])[0].status == "blank"


def test_a_figure_is_cut_from_the_page_as_it_stands_upright(tmp_path):
    """A page that lies on its side: boxes are those of the turned image, and so must the cut be."""
    upright = Image.new("RGB", (60, 100), "white")
    upright.paste("red", (10, 70, 30, 90))
    path = tmp_path / "turned.png"
    upright.rotate(90, expand=True).save(path)  # to be turned by 90 degrees clockwise
    figure = Region(Box(10, 70, 30, 90), Category.FIGURE)
    kept = []

    def keep(page_number: int, figure_number: int, picture: Image.Image) -> str:
        kept.append(picture)
        return f"{page_number}-{figure_number}"

    (page,) = parsed(path, [PageDraft(1, 60, 100, (figure,), turned=90)], keep)
    assert page.blocks[0].image == "1-1"
    assert kept[0].size == (20, 20)
    assert set(kept[0].get_flattened_data()) == {(255, 0, 0)}


def test_pages_are_not_kept_in_memory(three_pages):
    seen = []

    class Looking(RecordedDrafter):
        def draft(self, page: Page) -> PageDraft:
            seen.append(page)
            assert page.image.width
            return super().draft(page)

    with open_pages(three_pages) as document:
        for _ in Pipeline(Looking([text_draft(n, "x") for n in (1, 2, 3)])).pages(document):
            assert all("image" not in page.__dict__ for page in seen[:-1])
    assert len(seen) == 3


def test_time_is_told_by_stage_and_counted_once(three_pages):
    ticks = iter(range(1000))

    class Looking(RecordedDrafter):
        def draft(self, page: Page) -> PageDraft:
            assert page.image.width
            return super().draft(page)

    with open_pages(three_pages) as document:
        pipeline = Pipeline(
            Looking([text_draft(n, "x") for n in (1, 2, 3)]), new_timer=lambda: Timer(lambda: next(ticks))
        )
        page = next(pipeline.pages(document))
    assert page.seconds == {"raster": 1.0, "draft": 2.0, "figures": 1.0}


def test_parse_reads_a_document_whole(three_pages):
    document = parse(three_pages, ParseOptions(drafting=DraftOptions("text-layer")))
    assert document.markdown().count("<!-- page ") == 3
    assert "two" in document.markdown()


def test_a_password_is_recorded_nowhere(three_pages):
    options = ParseOptions(raster=RasterOptions(password="geheim"), drafting=DraftOptions("text-layer"))
    document = parse(three_pages, options)
    assert "geheim" not in document.json() + repr(document) + repr(options)


def test_a_target_that_is_not_here_is_missing():
    with pytest.raises(ModelError, match=r"dots\.ocr") as caught:
        open_pipeline(ParseOptions(target=TargetOptions("dots.ocr")))
    assert caught.value.code == "model_missing"


def test_somebody_must_read_the_pages():
    with pytest.raises(UsageError):
        open_pipeline(ParseOptions(drafting=DraftOptions("none")))


def test_recorded_drafts_are_read_back_as_they_were(tmp_path):
    drafts = [text_draft(1, "α & β"), PageDraft(2, 10, 20, turned=90, warnings=("dark",))]
    path = tmp_path / "drafts.json"
    path.write_text(drafts_json(drafts), "utf-8")
    assert read_drafts(path) == drafts
