"""What is drawn on a page, as rules and areas."""

import pymupdf
import pytest

from docparse_fast.options import RasterOptions
from docparse_fast.pages import open_pages


@pytest.mark.parametrize("filled", [True, False])
def test_a_small_circle_with_an_outline_is_an_area_as_a_filled_one_is(tmp_path, filled):
    """wkhtmltopdf's bullets were rules, and its lists text."""
    with pymupdf.open() as file:
        page = file.new_page()
        page.insert_text((72, 72), "by month")
        page.draw_circle((60, 68), 1.15, color=(0, 0, 0), fill=(0, 0, 0) if filled else None, width=0.58)
        file.save(tmp_path / "page.pdf")
    with open_pages(tmp_path / "page.pdf", RasterOptions()) as document:
        layer = next(iter(document.pages())).text_layer
    assert (len(layer.areas), len(layer.rules)) == (1, 0)
