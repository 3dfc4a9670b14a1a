"""PyMuPDF's layout model on a page drawn here, and what opening it leaves behind."""

import gc
import subprocess
import sys
import weakref

import numpy as np
import pymupdf
import pytest

from docparse_fast.document import Box, Category
from docparse_fast.drafting import layout
from docparse_fast.drafting.layout import PageLayout
from docparse_fast.drafting.lines import Line

SCALE = 2.0  # pixels to a point


def page_with_lines():
    """A heading over two paragraphs: its pixels, and its lines as an OCR would give them."""
    words = "Every line of this paragraph is set in the same type and runs to the right margin of the page. "
    with pymupdf.open() as document:
        page = document.new_page(width=612, height=792)
        page.insert_text((72, 90), "1. Introduction", fontsize=16, fontname="hebo")
        page.insert_textbox((72, 110, 540, 250), words * 6, fontsize=10)
        page.insert_textbox((72, 260, 540, 400), words * 6, fontsize=10)
        pixmap = page.get_pixmap(matrix=pymupdf.Matrix(SCALE, SCALE))
        pixels = np.frombuffer(pixmap.samples, np.uint8).reshape(pixmap.height, pixmap.width, 3)
        lines = [
            Line(Box(*line["bbox"]).scaled(SCALE), line["spans"][0]["text"], 14.0, "embedded")
            for block in page.get_text("dict")["blocks"]
            for line in block["lines"]
        ]
    return pixels, lines


@pytest.fixture(scope="module")
def found():
    return PageLayout().find(*page_with_lines())


def test_a_heading_is_told_from_the_text_below_it(found):
    categories = [labelled.category for labelled in sorted(found, key=lambda labelled: labelled.box.y0)]
    assert categories[0] in (Category.SECTION_HEADER, Category.TITLE)
    assert set(categories[1:]) == {Category.TEXT}


def test_boxes_are_in_the_images_pixels(found):
    _, lines = page_with_lines()
    for line in lines:
        middle = line.box.center[1]
        core = Box(line.box.x0, middle - 2, line.box.x1, middle + 2)
        assert any(labelled.box.covers(core) > 0.9 for labelled in found), line.text


def test_places_too_far_out_to_be_squared_cause_no_warning(recwarn):
    with pymupdf.open() as document:
        page = document.new_page(width=612, height=792)
        page.insert_text((72, 90), "A line where it should be", fontsize=12)
        page.insert_text((72, 290), "and another below it", fontsize=12)
        content = page.get_contents()[-1]
        far_out = b"\nBT /helv 9 Tf 1 0 9223372036854775808 1 72 600 Tm (slanted) Tj ET\n"
        document.update_stream(content, document.xref_stream(content) + far_out)
        PageLayout().seen(page, SCALE)
    assert [str(each.message) for each in recwarn if issubclass(each.category, RuntimeWarning)] == []


def test_a_page_without_lines_has_no_layout():
    assert PageLayout().find(np.zeros((100, 100, 3), np.uint8), []) == []


def test_text_laid_over_a_page_is_found_where_its_line_stands():
    box = Box(100, 200, 340, 215)
    with pymupdf.open() as document:
        page = document.new_page(width=600, height=layout.PAGE_HEIGHT)
        page.insert_font(fontname="helv")
        page.insert_text((0, 0), " ")
        content = page.get_contents()[-1]
        document.update_stream(content, b"BT 3 Tr\n" + layout._laid_over(box, "Größe (ca.) 12 中") + b"ET\n")
        (line,) = page.get_text("dict")["blocks"][0]["lines"]
    assert "".join(span["text"] for span in line["spans"]) == "Größe (ca.) 12 ?"
    assert Box(*line["bbox"]).iou(box) > 0.7
    assert abs(line["bbox"][2] - box.x1) < 1


def test_opening_the_model_leaves_find_tables_as_it_was():
    """PyMuPDF's own import makes find_tables ask the model from then on: pages would depend on those before them."""
    code = (
        "from docparse_fast.drafting.layout import _open_model\n"
        "from docparse_fast.system.mupdf import pymupdf\n"
        "_open_model(1)\n"
        "assert pymupdf._get_layout is None"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


def test_a_closed_model_gives_its_memory_back_at_once():
    """It referred to itself by three writers that are never used: `parse` in a loop grew by 80 MB a scan."""
    predict = layout._open_model(1)
    model = weakref.ref(predict.__self__)
    gc.disable()
    try:
        del predict
        assert model() is None
    finally:
        gc.enable()


def test_a_small_picture_of_a_table_is_seen_as_one_table():
    rows = [
        ("Sample", "Weight", "Found by"),
        ("Basalt", "12.4", "Hansen"),
        ("Granite", "8.1", "Lowe"),
        ("Slate", "3.7", "Ito"),
        ("Gneiss", "10.2", "Okoro"),
        ("Marble", "21.6", "Lowe"),
    ]
    with pymupdf.open() as document:
        page = document.new_page(width=240, height=102)
        for n, row in enumerate(rows):
            for left, text in zip((4, 100, 170), row, strict=True):
                page.insert_text((left, 14 + 16 * n), text, fontsize=9, fontname="hebo" if n == 0 else "helv")
        pixmap = page.get_pixmap()
        pixels = np.frombuffer(pixmap.samples, np.uint8).reshape(pixmap.height, pixmap.width, 3)
        lines = [Line(Box(*word[:4]), word[4], 9.0, "embedded") for word in page.get_text("words")]
    assert [labelled.category for labelled in PageLayout().find(pixels, lines)] == [Category.TABLE]


def test_huge_letters_make_no_huge_sheet(monkeypatch):
    """A sheet as large as its letters ask for, in the picture's own pixels, would take gigabytes."""
    sizes = []
    encode = layout.cv2.imencode
    monkeypatch.setattr(
        layout.cv2, "imencode", lambda kind, sheet, how: sizes.append(sheet.shape) or encode(kind, sheet, how)
    )
    PageLayout().find(
        np.full((2000, 2000, 3), 255, np.uint8), [Line(Box(100, 100, 1900, 1900), "A", 1800.0, "embedded")]
    )
    assert max(sizes[0]) <= 2 * layout.PICTURE_HEIGHT
