"""Photographs that a drafter has flattened: what a target sees of them, where its words stand, what is kept."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

import pytest
from fake_document_target import FakeDocumentTarget
from PIL import Image
from recorded_drafts import RecordedDrafter

from docparse_fast.document import Box, Category, Draft, FlatPage, PageDraft, ParsedDocument, Region
from docparse_fast.options import ParseOptions, RasterOptions, SpeculationOptions
from docparse_fast.options.recording import recorded
from docparse_fast.pages import open_pages
from docparse_fast.pipeline import Pipeline
from docparse_fast.rendering.json import as_json, read_json, render_json
from docparse_fast.run.inputs import Input
from docparse_fast.run.outputs import DocumentFolder
from docparse_fast.run.run_record import DocumentRecord
from docparse_fast.run.stored import _document
from docparse_fast.system.digests import sha256_of

ON_SHEET, IN_PICTURE = Box(5, 5, 20, 18), Box(35, 65, 50, 78)
TEXT = Region(IN_PICTURE, Category.TEXT, (Draft("30 wide", "embedded", 0.9),), words=((IN_PICTURE, "wide"),))
SHEET = replace(TEXT, box=ON_SHEET, words=((ON_SHEET, "wide"),))
FLAT = FlatPage(Image.new("RGB", (30, 20)), (SHEET,), ((0.0, (partial(Box.shifted, dx=30, dy=60),)),))
DRAFT = PageDraft(1, 90, 120, (TEXT,), drafter="recorded", flat=FLAT)


@pytest.fixture
def photograph(tmp_path):
    Image.new("RGB", (90, 120), "white").save(path := tmp_path / "photograph.png")
    return path


def pages(path, target=None, keep_figure=None, **options):
    with open_pages(path, RasterOptions()) as document:
        pipeline = Pipeline(RecordedDrafter([DRAFT]), target, SpeculationOptions(**options))
        return list(pipeline.pages(document, keep_figure))


@pytest.mark.parametrize("early", [False, True])
@pytest.mark.parametrize(("stages", "seen"), [("1", "25 wide"), ("2", "30 wide"), ("both", "30 wide")])
def test_a_target_reads_the_flattened_page_and_its_words_stand_on_the_photograph(photograph, early, stages, seen):
    target = FakeDocumentTarget(lambda image, category: f"{image.width} wide")
    target.looks_early = early
    (page,) = pages(photograph, target, stages=stages)
    (block,) = page.blocks
    assert (block.text, block.box, list(block.words)) == (seen, IN_PICTURE, [(IN_PICTURE, "wide")])
    assert (page.width, page.height, page.evidence.flattened) == (90, 120, True)


def kept(folder, photograph, **options):
    output = DocumentFolder(folder, options := ParseOptions(**options), photograph)
    output.begin()
    (page,) = pages(photograph, keep_figure=output.keep_figure)
    output.page(page)
    document = ParsedDocument(str(photograph), sha256_of(photograph), (page,), recorded(options))
    output.end(document)
    return document


def test_the_flattened_picture_is_kept_where_it_is_asked_for_and_goes_with_the_next_run(tmp_path, photograph):
    document = kept(tmp_path / "out", photograph, keep_flattened=True)
    (page,) = as_json(document)["pages"]
    with Image.open(tmp_path / "out" / page["flattened"]) as picture:
        assert picture.size == FLAT.image.size
    assert read_json(render_json(document)).pages[0].flattened == page["flattened"]
    (page,) = as_json(kept(tmp_path / "out", photograph))["pages"]
    assert "flattened" not in page and not (tmp_path / "out" / "images").exists()
    assert page["stats"]["flattened"] is True


def test_verify_drafts_a_flattened_page_anew_since_its_stored_draft_is_of_the_photograph(tmp_path, photograph):
    kept(tmp_path / "out", photograph)
    record = DocumentRecord(Input(photograph, photograph.name, "out"), "ok")
    assert not _document(tmp_path, record).drafts
