"""Who drafts which page; pages that need no OCR must not wake it."""

import sys
from pathlib import Path

import pymupdf
import pytest

from docparse_fast.document import PageDraft
from docparse_fast.drafting.auto import AutoDrafter
from docparse_fast.options import DraftOptions, RasterOptions
from docparse_fast.pages import open_pages

TEXT = "A page of ordinary words that its own text layer spells, line after line, for whoever wants to read it. " * 8


def drafts(path: Path, ocr: str = "auto") -> list[PageDraft]:
    with open_pages(path, RasterOptions(dpi=100)) as pages:
        drafter = AutoDrafter(DraftOptions(ocr=ocr))
        return [drafter.draft(page) for page in pages.pages()]


@pytest.fixture
def mixed(tmp_path: Path) -> Path:
    """A page of text, a picture of that page, and a page of nothing."""
    document = pymupdf.open()
    document.new_page().insert_htmlbox((60, 60, 535, 400), f"<p style='font-size:14px'>{TEXT}</p>")
    picture = document[0].get_pixmap(dpi=120)
    document.new_page().insert_image((0, 0, 595, 842), pixmap=picture)
    document.new_page()
    path = tmp_path / "mixed.pdf"
    document.save(path)
    return path


def test_each_page_is_drafted_by_whoever_can_read_it_and_says_why(mixed):
    own, scanned, blank = drafts(mixed)
    assert (own.drafter, own.reason) == ("text-layer", "the text layer is sound")
    assert (scanned.drafter, scanned.reason) == ("embedded", "a picture covers the page and the text layer is silent")
    assert (blank.blank, blank.reason) == (True, "nothing is drawn on the page")
    assert "ordinary words" in own.regions[0].text
    assert "ordinary words" in scanned.regions[0].text


def test_without_ocr_a_scan_is_left_unread_and_the_draft_warns(mixed):
    own, scanned, _ = drafts(mixed, ocr="never")
    assert own.warnings == ()
    assert scanned.warnings == ("OCR is switched off; a picture covers the page and the text layer is silent",)


def test_with_ocr_always_even_a_sound_layer_is_read_from_its_image(mixed):
    own = drafts(mixed, ocr="always")[0]
    assert (own.drafter, own.reason) == ("embedded", "OCR is asked for on every page")


def test_a_document_of_sound_pages_loads_no_ocr(tmp_path):
    document = pymupdf.open()
    document.new_page().insert_htmlbox((60, 60, 535, 400), f"<p>{TEXT}</p>")
    path = tmp_path / "text.pdf"
    document.save(path)
    loaded = set(sys.modules)
    drafts(path)
    assert not {name for name in set(sys.modules) - loaded if name.startswith(("rapidocr", "onnxruntime", "cv2"))}


def test_words_in_a_large_picture_join_those_of_the_layer(tmp_path):
    source = pymupdf.open()
    source.new_page(width=475, height=500).insert_htmlbox((20, 20, 455, 480), f"<p style='font-size:14px'>{TEXT}</p>")
    document = pymupdf.open()
    page = document.new_page()
    page.insert_text((60, 80), "A heading of its own", fontsize=20)
    page.insert_image((60, 120, 535, 620), pixmap=source[0].get_pixmap(dpi=150))
    path = tmp_path / "partial.pdf"
    document.save(path)
    (draft,) = drafts(path)
    whole = " ".join(region.text for region in draft.regions)
    assert draft.drafter == "text-layer+embedded"
    assert whole.index("A heading of its own") < whole.index("ordinary words")
