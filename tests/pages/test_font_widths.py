"""Fonts that a file gives one width for all characters, whatever their names are."""

import subprocess
import sys
from pathlib import Path

import pymupdf
import pytest
from page_files import raw_pdf, text_pdf

from docparse_fast.pages import open_pages
from docparse_fast.pages.font_widths import fonts_of_one_width
from docparse_fast.pages.symbols import UNKNOWN

FIRST = 32


def renamed(path: Path, widths: list[int]) -> Path:
    """The page's font under another name and with these widths, as TeX lists those of its bitmap fonts."""
    document = pymupdf.open(path)
    font = document[0].get_fonts()[0][0]
    document.xref_set_key(font, "BaseFont", "/F90")
    document.xref_set_key(font, "FirstChar", str(FIRST))
    document.xref_set_key(font, "LastChar", str(FIRST + len(widths) - 1))
    document.xref_set_key(font, "Widths", str(widths).replace(",", ""))
    document.saveIncr()
    return path


def is_mono(path: Path) -> bool:
    with open_pages(path) as document:
        (page,) = document.pages()
        return page.text_layer.lines[0].spans[0].mono


def test_a_font_whose_characters_have_one_width_is_typewritten(tmp_path):
    assert is_mono(renamed(text_pdf(tmp_path / "a.pdf", "fail"), [600] * 95))
    assert not is_mono(renamed(text_pdf(tmp_path / "b.pdf", "fail"), [600] * 94 + [300]))


def test_figures_of_one_width_tell_nothing(tmp_path):
    figures = [0] * (ord("0") - FIRST) + [500] * 10
    path = renamed(text_pdf(tmp_path / "a.pdf", "1066"), figures)
    assert fonts_of_one_width(pymupdf.open(path)[0]) == frozenset()


def test_a_sign_without_a_name_and_ink_is_a_blank(tmp_path):
    path = text_pdf(tmp_path / "a.pdf", "one two")
    document = pymupdf.open(path)
    document.update_stream(
        document[0].get_contents()[0], document[0].read_contents().replace(b"6f6e652074776f", b"6f6e650a74776f")
    )
    document.saveIncr()
    with open_pages(path) as opened:
        (page,) = opened.pages()
        text = page.text_layer.lines[0].text
    assert text == "one two" and UNKNOWN not in text


def test_a_minus_in_typewriter_s_type_is_a_hyphen(tmp_path):
    with pymupdf.open() as document:
        page = document.new_page(width=300, height=200)
        for y, font in ((60, "cour"), (90, "tiro")):
            writer = pymupdf.TextWriter(page.rect)
            writer.append((30, y), "a\u2212b", font=pymupdf.Font(font))
            writer.write_text(page)
        document.save(tmp_path / "a.pdf")
    with open_pages(tmp_path / "a.pdf") as opened:
        (read,) = opened.pages()
        assert [line.text for line in read.text_layer.lines] == ["a-b", "a\u2212b"]


def test_a_page_is_read_whose_fonts_have_no_numbers(tmp_path):
    """A font may stand in the page's own resources; the page was given to an OCR for it."""
    resources = b"/Resources<</Font<</F<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>>>>>"
    content = b"BT /F 12 Tf 20 50 Td (plain words) Tj ET"
    stream = b"<</Length %d>>\nstream\n%s\nendstream" % (len(content), content)
    path = tmp_path / "a.pdf"
    path.write_bytes(raw_pdf(b"/MediaBox[0 0 300 100]/Contents 4 0 R" + resources, 1, stream))
    with open_pages(path) as document:
        (page,) = document.pages()
        assert page.text_layer.lines[0].text == "plain words"


@pytest.mark.e2e
def test_a_font_of_no_kind_is_told_on_no_stream_of_ours(tmp_path):
    """PyMuPDF wrote "unhandled font type" among the Markdown on stdout."""
    content = b"BT /F 12 Tf 20 50 Td (plain words) Tj ET"
    path = tmp_path / "a.pdf"
    path.write_bytes(
        raw_pdf(
            b"/MediaBox[0 0 300 100]/Contents 4 0 R/Resources<</Font<</F 5 0 R>>>>",
            1,
            b"<</Length %d>>\nstream\n%s\nendstream" % (len(content), content),
            b"<</Type/Font/Subtype/Type1/BaseFont/Helvetica/FontDescriptor 6 0 R>>",
            b"<</Type/FontDescriptor/FontName/Helvetica/FontFile3 7 0 R>>",
            b"<</Subtype/Odd/Length 0>>\nstream\n\nendstream",
        )
    )
    asked = [sys.executable, "-m", "docparse_fast", "convert", path, "-o", "-", "--target", "none", "-q"]
    done = subprocess.run(asked, capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.strip().endswith("plain words")
    assert "unhandled" not in done.stdout
