"""Who drafts which page; pages that need no OCR must not wake it."""

import sys
from collections.abc import Sequence
from functools import cache
from pathlib import Path

import numpy as np
import pymupdf
import pytest

from docparse_fast.document import Category, Failure, PageDraft
from docparse_fast.drafting.auto import AutoDrafter
from docparse_fast.drafting.scans.embedded import ReadImage
from docparse_fast.options import DraftOptions, RasterOptions
from docparse_fast.pages import open_pages

TEXT = "A page of ordinary words that its own text layer spells, line after line, for whoever wants to read it. " * 8


@cache  # the OCR's networks are loaded once
def drafter_of(ocr: str) -> AutoDrafter:
    return AutoDrafter(DraftOptions(ocr=ocr))


def drafts(path: Path, ocr: str = "auto", numbers: Sequence[int] | None = None) -> list[PageDraft]:
    with open_pages(path, RasterOptions(dpi=100)) as pages:
        return [drafter_of(ocr).draft(page) for page in pages.pages(numbers)]


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
    (own,) = drafts(mixed, "always", [1])
    assert (own.drafter, own.reason) == ("embedded", "OCR is asked for on every page")


def test_a_document_of_sound_pages_loads_no_ocr(tmp_path):
    document = pymupdf.open()
    document.new_page().insert_htmlbox((60, 60, 535, 400), f"<p>{TEXT}</p>")
    path = tmp_path / "text.pdf"
    document.save(path)
    loaded, drafter = set(sys.modules), AutoDrafter(DraftOptions())
    with open_pages(path, RasterOptions(dpi=100)) as pages:
        drafter.draft(next(pages.pages()))
    assert "_embedded" not in vars(drafter)
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


CODES = [f"Q7F{n}-XK9C{n * 7 % 10}-8BTN{n * 3 % 10}-4ZRWD" for n in range(10)]


def test_keys_without_words_are_sound_text(tmp_path):
    document = pymupdf.open()
    page = document.new_page()
    for n, code in enumerate(CODES):
        page.insert_text((72, 100 + 30 * n), code, fontsize=14)
    document.save(tmp_path / "codes.pdf")
    draft = drafts(tmp_path / "codes.pdf")[0]
    assert (draft.drafter, draft.reason) == ("text-layer", "the text layer is sound")
    assert all(code in " ".join(region.text for region in draft.regions) for code in CODES)


def scan_over(text: str, picture: pymupdf.Pixmap) -> pymupdf.Document:
    """A page of words that a picture is painted over, as some scanners' programs leave it."""
    document = pymupdf.open()
    page = document.new_page()
    page.insert_htmlbox((60, 60, 535, 400), f"<p style='font-size:14px'>{text}</p>")
    page.insert_image(page.rect, pixmap=picture)
    return document


def test_a_scan_with_an_older_ocrs_text_keeps_both_readings_ours_first(mixed, tmp_path):
    picture = pymupdf.open(mixed)[0].get_pixmap(dpi=120)
    scan_over(TEXT.replace("words", "wcrds"), picture).save(tmp_path / "scan.pdf")
    draft = drafts(tmp_path / "scan.pdf")[0]
    assert (draft.drafter, draft.reason) == ("embedded", "a scan with an older OCR's text behind it")
    first, second = draft.regions[0].drafts
    assert (first.source, second.source) == ("embedded", "text-layer")
    assert "ordinary words" in first.text and "ordinary wcrds" in second.text


def test_a_hidden_layer_in_a_script_that_the_ocr_cannot_read_is_kept(tmp_path):
    picture = pymupdf.Pixmap(pymupdf.csRGB, (0, 0, 60, 80))
    picture.clear_with(230)
    scan_over("Обычные слова на каждой строке. " * 8, picture).save(tmp_path / "scan.pdf")
    draft = drafts(tmp_path / "scan.pdf")[0]
    assert draft.drafter == "text-layer" and "reads badly" in draft.warnings[0]
    assert "Обычные слова" in draft.regions[0].text


def test_words_on_a_pictures_ground_are_the_pages_own(tmp_path):
    picture = pymupdf.Pixmap(pymupdf.csRGB, (0, 0, 60, 80))
    picture.clear_with(230)
    document = pymupdf.open()
    page = document.new_page()
    page.insert_image(page.rect, pixmap=picture)
    page.insert_htmlbox((60, 60, 535, 400), f"<p style='font-size:14px'>{TEXT}</p>")
    document.save(tmp_path / "slide.pdf")
    assert drafts(tmp_path / "slide.pdf")[0].drafter == "text-layer"


@pytest.mark.parametrize(
    ("height", "unread", "is_whole"),
    [(300, 1, True), (300, 6, False), (400, 1, False)],
    ids=["a line in a figure", "a text in a figure's place", "a line in a picture that is the page"],
)
def test_unread_lines_in_a_picture_make_a_page_partial_if_the_page_needs_them(tmp_path, height, unread, is_whole):
    class Embedded:
        name = "embedded"

        def read(self, image):
            lines = f"{unread} of {unread + 2} lines are in Cyrillic script"
            return ReadImage(np.asarray(image), [], 0, 0.0, Failure("model_missing", lines), unread)

    with pymupdf.open() as document:
        page = document.new_page(width=500, height=700)
        picture = pymupdf.Pixmap(pymupdf.csRGB, (0, 0, 50, 50))
        picture.clear_with(128)
        page.insert_image((20, 100, 480, 100 + height), pixmap=picture, keep_proportion=False)
        page.insert_text((60, 60), "Few words of its own", fontsize=20)
        document.save(tmp_path / "a.pdf")
    drafter = AutoDrafter(DraftOptions())
    vars(drafter)["_embedded"] = Embedded()
    with open_pages(tmp_path / "a.pdf") as opened:
        draft = drafter.draft(next(opened.pages()))
    assert (draft.failure is None) == is_whole
    assert any("Cyrillic" in warning for warning in draft.warnings)


class Failing:
    """A reader with a mistake of ours in it."""

    def draft(self, *_, **__):
        raise StopIteration

    seen = find = draft


MISTAKE = "its reader failed (StopIteration: ); read in a plainer way"


@pytest.mark.parametrize("ocr", ["auto", "never"])
def test_a_mistake_in_a_trained_reader_leaves_the_page_to_the_others_of_its_layer(tmp_path, ocr):
    """It once sent the page to the OCR, which reads a heading's words as they look."""
    with pymupdf.open() as document:
        html = f"<h1>Vvinter in lIlIlI</h1><p>{TEXT}</p>"
        document.new_page().insert_htmlbox((60, 60, 535, 400), html)
        document.save(tmp_path / "a.pdf")
    drafter = AutoDrafter(DraftOptions(ocr=ocr, layout="always"))
    vars(drafter._learned)["layout"] = Failing()
    with open_pages(tmp_path / "a.pdf") as opened:
        draft = drafter.draft(next(opened.pages()))
    assert draft.drafter == "text-layer" and draft.warnings == (MISTAKE,)
    assert [region.category for region in draft.regions] == [Category.TITLE, Category.TEXT]
    assert draft.regions[0].text == "Vvinter in lIlIlI"


@pytest.mark.parametrize("ocr", ["auto", "never"])
def test_a_mistake_in_one_reader_keeps_the_page_and_says_so(mixed, ocr):
    """A plain form once raised StopIteration in a rule for tables, and its page was lost."""
    with open_pages(mixed, RasterOptions(dpi=100)) as pages:
        drafter = AutoDrafter(DraftOptions(ocr=ocr))
        drafter._text_layer = drafter._plain_layer = Failing()
        draft = drafter.draft(next(pages.pages()))
    assert "ordinary words" in " ".join(region.text for region in draft.regions)
    assert draft.drafter == ("embedded" if ocr == "auto" else "text-layer")
    (warning,) = draft.warnings
    assert warning.startswith("its reader failed (StopIteration: )")


@pytest.mark.parametrize("number", [1, 2])
def test_a_page_that_no_reader_assembles_is_read_line_by_line_and_is_not_whole(mixed, number):
    """A scan whose tables' reader failed was a blank page, all was said to be well."""
    with open_pages(mixed, RasterOptions(dpi=100)) as pages:
        drafter = AutoDrafter(DraftOptions(layout="always"))
        drafter._text_layer = drafter._plain_layer = Failing()
        vars(drafter._learned)["layout"] = Failing()
        (page,) = pages.pages([number])
        draft = drafter.draft(page)
    assert sum("ordinary words" in region.text for region in draft.regions) > 3
    assert draft.failure is not None and "line by line" in draft.failure.message


SIGNS = "".join(f"{a}{b}<{c}>" for a in "bcdfghjklm" for b in "npqrstvwxz" for c in "bcdfghjk")


def test_a_layer_that_an_ocr_hardly_sees_is_kept_and_doubted(tmp_path):
    """Codes in small type were thrown away for an OCR that could not see them, and the page was said to be blank."""
    document = pymupdf.open()
    page = document.new_page(width=2400, height=200)
    page.insert_text((20, 60), "A plain heading line", fontsize=12)
    page.insert_text((20, 100), SIGNS, fontsize=1)
    document.save(tmp_path / "small.pdf")
    (draft,) = drafts(tmp_path / "small.pdf")
    kept = " ".join(region.text for region in draft.regions)
    assert draft.drafter.startswith("text-layer")
    assert SIGNS in kept.replace("\\", "").replace(" ", "")
    assert "A plain heading line" in kept
    assert draft.layer_trust is not None and draft.layer_trust < 0.2


def test_a_broken_layer_that_an_ocr_hardly_sees_leaves_its_page_partial(tmp_path):
    """The page was ok, with all but its heading lost."""
    document = pymupdf.open()
    page = document.new_page(width=2400, height=200)
    page.insert_text((20, 60), "A plain heading line", fontsize=12)
    page.insert_font("own", fontbuffer=pymupdf.Font("cjk").buffer)
    page.insert_text((20, 100), "\ufffd\ufffdx" * 800, fontsize=1, fontname="own")
    document.save(tmp_path / "broken.pdf")
    (draft,) = drafts(tmp_path / "broken.pdf")
    assert draft.failure is not None
    assert draft.failure.code == "low_confidence"


def test_words_whose_letters_the_file_draws_one_by_one_are_read(tmp_path):
    """A notice's font was one for columns from top to bottom, so its page was a heap of letters."""
    document = pymupdf.open()
    page, drawn, plain, font = document.new_page(), *(document.get_new_xref() for _ in range(3))
    system = "/CIDSystemInfo<</Registry(Adobe)/Ordering(GB1)/Supplement 4>>"
    document.update_object(plain, f"<</Type/Font/Subtype/CIDFontType0/BaseFont/STSong-Light{system}/DW 1000>>")
    kind = "/Type/Font/Subtype/Type0/BaseFont/STSong-Light/Encoding/UniGB-UCS2-V"
    document.update_object(font, f"<<{kind}/DescendantFonts[{plain} 0 R]>>")
    document.xref_set_key(page.xref, "Resources", f"<</Font<</V {font} 0 R>>>>")
    lines = ["The department of public works will hold", "a hearing about the road in the town", "where all may say"]
    placed = [(60 + 9.5 * x, 700 - 30 * y, char) for y, line in enumerate(lines) for x, char in enumerate(line)]
    document.update_object(drawn, "<<>>")
    shown = " ".join(f"1 0 0 1 {x} {y} Tm <{ord(char):04x}> Tj" for x, y, char in placed)
    document.update_stream(drawn, f"BT /V 16 Tf {shown} ET".encode())
    document.xref_set_key(page.xref, "Contents", f"{drawn} 0 R")
    document.save(tmp_path / "letters.pdf")
    (draft,) = drafts(tmp_path / "letters.pdf")
    assert draft.drafter == "embedded"
    assert "hearing about" in " ".join(region.text for region in draft.regions)
