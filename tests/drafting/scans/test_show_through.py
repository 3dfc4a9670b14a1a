"""A page's back that shines through, and faint words that are its own."""

from __future__ import annotations

import cv2
import numpy as np
import pymupdf
import pytest

from docparse_fast.drafting.arrays import Pixels
from docparse_fast.drafting.scans.ocr import Ocr
from docparse_fast.drafting.scans.show_through import without_back

FRONT = ["The harbour lay quiet that", "morning and no boat had left"]
BACK = ["Nobody opened the letter", "until the winter was over"]
LEVEL = 170  # grey of faint words


@pytest.fixture(scope="module")
def ocr() -> Ocr:
    return Ocr()


def sheet(words: list[str], *, top: float) -> Pixels:
    with pymupdf.open() as document:
        page = document.new_page(width=300, height=150)
        for n, line in enumerate(words):
            page.insert_text((20, top + 36 * n), line, fontsize=13)
        pixels = page.get_pixmap(dpi=150)
        return np.frombuffer(pixels.samples, np.uint8).reshape(pixels.height, pixels.width, 3)


def with_faint(other: Pixels) -> Pixels:
    """The front, and beneath it the other words in grey and a little blurred."""
    grey = np.maximum(cv2.GaussianBlur(other, (0, 0), 0.8), LEVEL)
    return np.minimum(sheet(FRONT, top=30), grey)


def lines_of(image: Pixels, ocr: Ocr) -> list[str]:
    return [line.text for line in sorted(ocr.read(image).lines, key=lambda line: line.box.y0)]


def test_a_back_that_shines_through_is_left_out(ocr):
    page = with_faint(np.ascontiguousarray(sheet(BACK, top=48)[:, ::-1]))
    cleared = without_back(page, ocr.detector.find(page), ocr.recognizer.read)
    assert cleared is not None
    assert lines_of(cleared, ocr) == FRONT


def test_grey_words_that_are_read_as_they_stand_are_the_pages_own(ocr):
    page = with_faint(sheet(BACK, top=48))
    assert without_back(page, ocr.detector.find(page), ocr.recognizer.read) is None


def test_nothing_is_asked_about_a_page_of_one_ink(ocr):
    page = sheet(FRONT, top=30)
    assert without_back(page, ocr.detector.find(page), lambda pieces: pytest.fail("read")) is None
