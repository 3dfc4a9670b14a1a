"""White words: those that nobody sees are left out, those on a dark ground are read."""

import pymupdf
import pytest

from docparse_fast import parse
from docparse_fast.pages.white_text import hide_white

WHITE = (1, 1, 1)


def said(page_of, tmp_path, rotation=0):
    document = pymupdf.open()
    page = document.new_page(width=400, height=300)
    page.insert_text((40, 60), "Please pay the invoice of 40 euros within thirty days.")
    page_of(page)
    page.set_rotation(rotation)
    document.save(tmp_path / "a.pdf")
    return " ".join(block.text for block in parse(tmp_path / "a.pdf").pages[0].blocks)


@pytest.mark.parametrize("rotation", [0, 90])
def test_white_words_on_white_paper_are_left_out(tmp_path, rotation):
    """An order that no reader of the paper sees, to pay another account, stood in its Markdown."""
    text = said(
        lambda page: page.insert_text((40, 120), "Pay 9999 euros to account seven.", color=WHITE), tmp_path, rotation
    )
    assert "invoice of 40 euros" in text and "9999" not in text


@pytest.mark.parametrize("rotation", [0, 90])
def test_white_words_on_a_dark_ground_are_read(tmp_path, rotation):
    def draw(page):
        page.draw_rect((30, 100, 370, 130), fill=(0.1, 0.2, 0.4), color=None)
        page.insert_text((40, 120), "Pay before the ninth of March.", color=WHITE)

    assert "Pay before the ninth of March." in said(draw, tmp_path, rotation)


def test_a_page_larger_than_any_sheet_is_not_drawn_for_its_white_words(monkeypatch):
    """At a pixel a point, a page of 14,400 points square would take 200 MB."""
    page = pymupdf.open().new_page(width=14_400, height=14_400)
    page.insert_text((40, 60), "white", color=WHITE)
    monkeypatch.setattr(page, "get_pixmap", lambda **_: pytest.fail("it was drawn"))
    raw = page.get_text("rawdict")["blocks"]
    hide_white(raw, page)
    assert raw[0]["lines"][0]["spans"][0]["alpha"] > 0
