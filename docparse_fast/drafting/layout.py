"""What kind of region stands where, by PyMuPDF's layout model. Knows its labels; does not know reading order or text.

The model reads a PDF page: its text, its vectors and its picture. A scan is handed to it as a page made for the
purpose, with the OCR's lines laid over the image as invisible text.
"""

from __future__ import annotations

import io
from collections.abc import Sequence
from typing import Any

from PIL import Image

from docparse_fast.document import Box, Category
from docparse_fast.drafting.lines import LayoutBox, Line
from docparse_fast.mupdf import pymupdf

CATEGORIES = {
    "text": Category.TEXT,
    "title": Category.TITLE,
    "section-header": Category.SECTION_HEADER,
    "picture": Category.FIGURE,
    "table": Category.TABLE,
    "list-item": Category.LIST_ITEM,
    "page-header": Category.PAGE_HEADER,
    "page-footer": Category.PAGE_FOOTER,
    "footnote": Category.FOOTNOTE,
    "caption": Category.CAPTION,
    "formula": Category.FORMULA,
}
PAGE_HEIGHT = 792.0  # points: the size of page the model knows best
PICTURE_HEIGHT = 1100  # pixels: it looks at pages of about this size


def layout_of_image(image: Image.Image, lines: Sequence[Line]) -> list[LayoutBox]:
    """Regions of a page that is only a picture; none where there is no text to hold on to."""
    if not lines:
        return []
    scale = PAGE_HEIGHT / image.height
    with pymupdf.open() as document:
        page = document.new_page(width=image.width * scale, height=PAGE_HEIGHT)
        page.insert_image(page.rect, stream=_small_jpeg(image))
        for line in lines:
            _lay_over(page, line.box.scaled(scale), line.text)
        return layout_of_page(page, 1 / scale)


def layout_of_page(page: pymupdf.Page, scale: float) -> list[LayoutBox]:
    """Regions of a PDF page, its points times `scale`."""
    import pymupdf.layout  # noqa: F401 (registers itself; loads its models when first asked)

    page.get_layout()
    found: list[Any] = page.layout_information or []
    return [
        LayoutBox(Box(*(float(edge) for edge in entry[:4])).scaled(scale), CATEGORIES.get(entry[4], Category.TEXT))
        for entry in found
    ]


def _lay_over(page: pymupdf.Page, box: Box, text: str) -> None:
    size = max(1.0, 0.72 * box.height)
    natural = pymupdf.get_text_length(text, fontname="helv", fontsize=size) or 1.0
    origin = pymupdf.Point(box.x0, box.y1 - 0.25 * box.height)
    stretch = pymupdf.Matrix(max(0.01, box.width / natural), 1.0)
    page.insert_text(origin, text, fontsize=size, fontname="helv", render_mode=3, morph=(origin, stretch))


def _small_jpeg(image: Image.Image) -> bytes:
    small = image.convert("RGB")
    small.thumbnail((4 * PICTURE_HEIGHT, PICTURE_HEIGHT))
    buffer = io.BytesIO()
    small.save(buffer, "JPEG", quality=85)
    return buffer.getvalue()
