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


ITEMS = ("Pump", "Filter", "Ladder")


def test_a_count_less_than_a_blank_from_what_it_counts_is_a_line_of_its_own(tmp_path):
    """In narrow cells `1Pump` was one word, and with it two columns were one."""
    words = [
        ((x, 100 + 15 * n), text)
        for n, item in enumerate(ITEMS)
        for x, text in ((60, str(n + 1)), (67.6, item), (200, "9.50"))
    ]
    assert read(tmp_path, words) == [text for n, item in enumerate(ITEMS) for text in (str(n + 1), item, "9.50")]


@pytest.mark.parametrize(("step", "gap"), [(0, 6.2), (0.7, 7.6)], ids=["close", "at no edge"])
def test_a_figure_and_its_letters_stay_one_word(tmp_path, step, gap):
    starts = [(60 + step * n, 100 + 15 * n) for n in range(len(ITEMS))]
    words = [at for (x, y), item in zip(starts, ITEMS, strict=True) for at in (((x, y), "5"), ((x + gap, y), item))]
    assert read(tmp_path, words) == [f"5{item}" for item in ITEMS]


def test_letters_that_stand_apart_at_an_edge_without_a_figure_stay_one_word(tmp_path):
    """A font without the right widths sets a contents' words so."""
    words = [((x, 100 + 15 * n), t) for n, item in enumerate(ITEMS) for x, t in ((60, "M"), (70.5, item))]
    assert read(tmp_path, words) == [f"M{item}" for item in ITEMS]
