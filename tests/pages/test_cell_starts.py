"""Values that run into the next cell, drawn as a spreadsheet does; what merely stands close stays one word."""

import pymupdf
import pytest

from docparse_fast.options import RasterOptions
from docparse_fast.pages import open_pages


def read(tmp_path, words) -> list[str]:
    with pymupdf.open() as document:
        page = document.new_page()
        for at, text in words:
            page.insert_text(at, text, fontsize=11)
        document.save(tmp_path / "sheet.pdf")
    with open_pages(tmp_path / "sheet.pdf", RasterOptions()) as pages:
        (made,) = pages.pages()
        return [line.text for block in made.text_layer.blocks for line in block]


DATES = ("19.10.2026", "20.10.2026", "21.10.2026")


def test_a_value_over_the_end_of_the_one_before_is_a_line_of_its_own(tmp_path):
    words = [((x, 100 + 15 * n), text) for n, date in enumerate(DATES) for x, text in ((60, date), (113, "08:00"))]
    assert read(tmp_path, words) == ["19.10.2026", "08:00", "20.10.2026", "08:00", "21.10.2026", "08:00"]


@pytest.mark.parametrize("starts", [(113, 112, 110), (115.1, 115.1, 115.1)])
def test_letters_that_overlap_at_no_edge_and_letters_that_only_touch_stay_together(tmp_path, starts):
    words = [((x, 100 + 15 * n), t) for n, date in enumerate(DATES) for x, t in ((60, date), (starts[n], "08:00"))]
    assert read(tmp_path, words) == [f"{date}08:00" for date in DATES]


def test_a_pair_that_a_font_sets_closer_stays_one_word(tmp_path):
    words = [
        ((x, 100 + 15 * n), t) for n, end in enumerate(("otal", "erms", "ax")) for x, t in ((60, "T"), (65.4, end))
    ]
    assert read(tmp_path, words) == ["Total", "Terms", "Tax"]
