"""Words that are crossed out: PDFs are drawn with PyMuPDF, a line or a thin rectangle through the words."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pymupdf
import pytest

from docparse_fast.document import Region
from docparse_fast.drafting.auto import AutoDrafter
from docparse_fast.options import DraftOptions, RasterOptions
from docparse_fast.pages import open_pages
from docparse_fast.rendering.pipe_table import pipe_table

Draw = Callable[[pymupdf.Page, pymupdf.Rect], None]
TEXT, STRUCK = "The fee is 100 euro for each month", "100 euro"
BASELINE, SIZE = 100.0, 12.0


def line_at(height: float, *, wider: float = 0.0) -> Draw:
    """A line `height` type sizes above the baseline, some points longer than the words at both ends."""

    def draw(page: pymupdf.Page, words: pymupdf.Rect) -> None:
        y = BASELINE - height * SIZE
        page.draw_line((words.x0 - wider, y), (words.x1 + wider, y), width=0.7)

    return draw


def filled_bar(page: pymupdf.Page, words: pymupdf.Rect) -> None:
    y = BASELINE - 0.28 * SIZE
    page.draw_rect((words.x0, y - 0.4, words.x1, y + 0.4), color=None, fill=(0, 0, 0))


def annotation(page: pymupdf.Page, words: pymupdf.Rect) -> None:
    page.add_strikeout_annot(words)


def underline_annotation(page: pymupdf.Page, words: pymupdf.Rect) -> None:
    page.add_underline_annot(words)


def frame(page: pymupdf.Page, words: pymupdf.Rect) -> None:
    page.draw_rect((words.x0, BASELINE - 60, words.x1, BASELINE - 0.28 * SIZE), width=0.7)


def fraction(page: pymupdf.Page, words: pymupdf.Rect) -> None:
    """A bar between two rows of figures."""
    page.insert_text((words.x0, BASELINE + 11), "12 34", fontsize=SIZE)
    line_at(-0.15)(page, words)


def drawn(path: Path, draw: Draw) -> Path:
    with pymupdf.open() as document:
        page = document.new_page(width=400, height=300)
        page.insert_text((40, BASELINE), TEXT, fontsize=SIZE)
        page.insert_text((40, 140), "A second line of plain words, which is there to be read as well.", fontsize=SIZE)
        draw(page, page.search_for(STRUCK)[0])
        document.save(path)
    return path


def regions(path: Path) -> tuple[Region, ...]:
    with open_pages(path, RasterOptions()) as opened:
        return AutoDrafter(DraftOptions(ocr="never")).draft(next(iter(opened.pages()))).regions


@pytest.mark.parametrize("draw", [line_at(0.28), line_at(0.22), line_at(0.34, wider=2), filled_bar, annotation])
def test_words_under_a_bar_are_crossed_out(tmp_path, draw):
    text = " ".join(region.text for region in regions(drawn(tmp_path / "a.pdf", draw)))
    assert "The fee is ~~100 euro~~ for each month" in text


@pytest.mark.parametrize(
    "draw",
    [
        line_at(-0.1),  # an underline
        line_at(0.02),
        line_at(0.6),  # through capitals only
        line_at(0.9),
        line_at(0.28, wider=20),  # a rule of a table or a form
        underline_annotation,
        frame,
        fraction,
    ],
)
def test_words_with_another_line_are_not(tmp_path, draw):
    text = " ".join(region.text for region in regions(drawn(tmp_path / "a.pdf", draw)))
    assert "~~" not in text


def test_a_target_is_offered_the_words_without_the_marks(tmp_path):
    (region, *_) = regions(drawn(tmp_path / "a.pdf", line_at(0.28)))
    assert all("~" not in words(region.drafts[0]) for words in (region.printed, region.marked))


def table(page: pymupdf.Page) -> None:
    for row, words in enumerate([("Item", "Price"), ("Paper", "12.50 11.00"), ("Ink", "3.00")]):
        for column, word in enumerate(words):
            page.insert_text((45 + 100 * column, 95 + 20 * row), word, fontsize=SIZE)
    for n in range(4):
        page.draw_line((40, 80 + 20 * n), (240, 80 + 20 * n))
    for n in range(3):
        page.draw_line((40 + 100 * n, 80), (40 + 100 * n, 140))
    line_at(-15 / SIZE + 0.28)(page, page.search_for("12.50")[0])


def test_a_crossed_out_price_in_a_table_is_marked_and_parts_no_row(tmp_path):
    with pymupdf.open() as document:
        table(document.new_page(width=400, height=300))
        document.save(tmp_path / "a.pdf")
    (region,) = regions(tmp_path / "a.pdf")
    assert "<tr><td>Paper</td><td><del>12.50</del> 11.00</td></tr>" in region.text
    assert "| Paper | ~~12.50~~ 11.00 |" in (pipe_table(region.text) or "")
