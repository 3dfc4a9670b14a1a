"""Letters drawn bold by drawing them twice, and that MuPDF is asked for them only where a page shows some."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pymupdf
import pytest

from docparse_fast.pages import open_pages
from docparse_fast.pages.styles import MOST_LETTERS, needs_styles
from docparse_fast.pages.text_layer import FLAGS
from docparse_fast.pages.weight import Weight, weigh

Draw = Callable[[pymupdf.Page], None]


def plain(page: pymupdf.Page) -> None:
    page.insert_text((30, 60), "all hills will fall still: 11,111.00")


def filled_and_stroked(page: pymupdf.Page) -> None:
    page.insert_text((30, 60), "heavy words", render_mode=2)


def in_a_form(page: pymupdf.Page) -> None:
    with pymupdf.open() as other:
        filled_and_stroked(other.new_page(width=300, height=200))
        page.show_pdf_page(page.rect, other, 0)


def drawn_twice(page: pymupdf.Page) -> None:
    for shift in (0.0, 0.4):
        page.insert_text((30 + shift, 60), "heavy words")


def large_and_drawn_twice(page: pymupdf.Page) -> None:
    for shift in (0.0, 1.6):
        page.insert_text((30 + shift, 60), "HEAVY", fontsize=40)


def full(page: pymupdf.Page) -> None:
    """More letters than are compared with each other, two of them in one place."""
    drawn_twice(page)
    line = "abcdefghij" * 20
    for n in range(MOST_LETTERS // len(line) + 1):
        page.insert_text((10, 70 + n), line, fontsize=1)


def test_letters_of_a_ligature_are_no_copies() -> None:
    """MuPDF gives an alef of no width where the alef before it stands."""
    chars = [{"c": "ا", "origin": (20.2, 60.0), "bbox": (20.2, 50.0, right, 62.0)} for right in (24.0, 20.2)]
    raw = {"blocks": [{"lines": [{"spans": [{"size": 12.0, "chars": chars}]}]}]}
    assert not needs_styles(raw, Weight())


def asks(draw: Draw) -> bool:
    with pymupdf.open() as document:
        page = document.new_page(width=300, height=200)
        draw(page)
        return needs_styles(page.get_text("rawdict", flags=FLAGS), weigh(page))


@pytest.mark.parametrize("draw", [filled_and_stroked, in_a_form, drawn_twice, large_and_drawn_twice])
def test_letters_that_are_drawn_twice_are_bold(tmp_path: Path, draw: Draw) -> None:
    with pymupdf.open() as document:
        draw(document.new_page(width=300, height=200))
        document.save(tmp_path / "a.pdf")
    with open_pages(tmp_path / "a.pdf") as opened:
        layer = next(iter(opened.pages())).text_layer
    assert layer is not None
    assert [span.bold for line in layer.lines for span in line.spans] in ([True, True], [True])


@pytest.mark.parametrize("draw", [plain, full])
def test_letters_are_not_compared_on_plain_pages_nor_on_the_fullest(draw: Draw) -> None:
    assert not asks(draw)


def test_letters_are_compared_where_one_stands_twice_in_a_place() -> None:
    assert asks(drawn_twice)
