"""Italic and bold that only a file's commands tell: PDFs are made with PyMuPDF, all words in one upright font."""

from pathlib import Path

import pymupdf
import pytest

from docparse_fast.document import TextSpan
from docparse_fast.options import RasterOptions
from docparse_fast.pages import open_pages

UPRIGHT, LEANING, LEFTWARDS = (pymupdf.Matrix(1, 0, lean, 1, 0, 0) for lean in (0, -0.25, 0.2))


def spans(tmp_path: Path, *words: tuple[str, pymupdf.Matrix, int]) -> dict[str, TextSpan]:
    """The words below each other, each under a matrix and in a rendering mode."""
    document = pymupdf.open()
    page = document.new_page()
    for n, (word, matrix, mode) in enumerate(words):
        place = pymupdf.Point(72, 100 + 20 * n)
        page.insert_text(place, word, fontsize=12, morph=(place, matrix), render_mode=mode)
    document.save(tmp_path / "made.pdf")
    with open_pages(tmp_path / "made.pdf", RasterOptions()) as pages:
        (read,) = pages.pages()
        return {span.text.strip(): span for line in read.text_layer.lines for span in line.spans}


@pytest.mark.parametrize("lean", [LEANING, LEFTWARDS])
def test_words_that_their_matrix_leans_are_italic(tmp_path, lean):
    found = spans(tmp_path, ("upright", UPRIGHT, 0), ("slanted", lean, 0))
    assert (found["upright"].italic, found["slanted"].italic) == (False, True)


def test_words_that_run_uphill_are_not_italic(tmp_path):
    found = spans(tmp_path, ("upright", UPRIGHT, 0), ("slanted", LEANING, 0), ("uphill", pymupdf.Matrix(14), 0))
    assert (found["slanted"].italic, found["uphill"].italic) == (True, False)


def test_words_that_lean_as_far_as_a_shadow_are_not_italic(tmp_path):
    assert not spans(tmp_path, ("shadow", pymupdf.Matrix(1, 0, -1, 1, 0, 0), 0))["shadow"].italic


def test_letters_that_are_filled_and_drawn_along_their_edges_are_bold(tmp_path):
    found = spans(tmp_path, ("plain", UPRIGHT, 0), ("outlined", UPRIGHT, 1), ("heavy", UPRIGHT, 2))
    assert {word: span.bold for word, span in found.items()} == {"plain": False, "outlined": False, "heavy": True}


def test_numbers_of_any_length_are_passed_over(tmp_path):
    document = pymupdf.open()
    page = document.new_page()
    page.insert_text((72, 100), "upright")
    (stream,) = page.get_contents()
    document.update_stream(stream, document.xref_stream(stream) + b" 0 " + 200_000 * b"0" + b" 1 0 0 cm\n")
    document.save(tmp_path / "made.pdf")
    with open_pages(tmp_path / "made.pdf", RasterOptions()) as pages:
        (read,) = pages.pages()
        assert not any(span.italic for line in read.text_layer.lines for span in line.spans)
