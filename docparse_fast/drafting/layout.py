"""Finds regions and their kinds with PyMuPDF's layout model. Knows its labels; knows neither reading order nor text.

The model reads a PDF page: its text, its vectors and its picture. For a scan, a page is made for
it, with the OCR's lines over the image as invisible text.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import cache, cached_property
from statistics import median
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from docparse_fast.document import Box, Category
from docparse_fast.drafting.arrays import scaled
from docparse_fast.drafting.lines import LayoutBox, Line
from docparse_fast.system.late import cv2
from docparse_fast.system.lighter_networks import lighten
from docparse_fast.system.mupdf import pymupdf, word_heights
from docparse_fast.system.onnx import let_nothing_be_reported

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
PAGE_WIDTH, PAGE_HEIGHT = 612.0, 792.0  # points: the size of page the model knows best
LARGEST_LINE = 16.0  # points, the median: on 84 crops of tables 13 and 20 are alike (TEDS 92.2, without 87.3)
PICTURE_HEIGHT = 1100  # pixels: it looks at pages of about this size
UNUSED_GRID = "V1"  # the smallest of the table models, one of which it insists on loading

# PyMuPDF's model: a page in, (x0, y0, x1, y1, label) out, in points
Predict = Callable[[Any], Sequence[Sequence[Any]]]


class PageLayout:
    """Finds labelled boxes in an image whose lines are already read."""

    def __init__(self, threads: int = 1) -> None:
        self._threads = threads

    @cached_property
    def _predict(self) -> Predict:
        return _open_model(self._threads)

    def find(self, pixels: NDArray[np.uint8], lines: Sequence[Line]) -> list[LayoutBox]:
        """The regions of a picture, none without text. A small one stands amid paper, its type as large as a page's."""
        if not lines:
            return []
        letters = max(1.0, median(line.box.height for line in lines))
        scale = min(PAGE_HEIGHT / pixels.shape[0], LARGEST_LINE / letters)
        left, top = _margins(pixels.shape[1] * scale, pixels.shape[0] * scale)
        with pymupdf.open() as document:
            page = document.new_page(width=pixels.shape[1] * scale + 2 * left, height=PAGE_HEIGHT)
            page.insert_image(page.rect, stream=_small_jpeg(pixels, scale, left, top))
            page.insert_font(fontname="helv")
            content = page.get_contents()[-1]
            text = b"".join(_laid_over(line.box.scaled(scale).shifted(left, top), line.plain) for line in lines)
            document.update_stream(content, document.xref_stream(content) + b"\nBT 3 Tr\n" + text + b"ET\n")
            return [replace(seen, box=seen.box.shifted(-left, -top).scaled(1 / scale)) for seen in self.seen(page, 1.0)]

    def seen(self, page: pymupdf.Page, scale: float) -> list[LayoutBox]:
        """The regions of a page with words of its own; `scale` makes pixels of points."""
        # as its makers run it; a damaged file's places may be too far out to be squared
        with np.errstate(all="ignore"), word_heights(corrected=False):
            return [
                LayoutBox(Box(*map(float, entry[:4])).scaled(scale), CATEGORIES.get(entry[4], Category.TEXT))
                for entry in self._predict(page)
            ]


def _open_model(threads: int) -> Predict:
    """The layout model by itself.

    `import pymupdf.layout` opens it on the spot, on all processors, whose threads spin while they wait, together with a
    model for the grid of tables that is run on every table: more than the layout itself costs. And it makes PyMuPDF's
    `find_tables` ask the model on every later page, so that a page's draft would depend on the pages before it.
    """
    let_nothing_be_reported()  # the import loads the runtime
    before = pymupdf._get_layout
    pymupdf._get_layout = lambda page: page  # what the import takes for a model that is there already
    try:
        model_module: Any = importlib.import_module("pymupdf.layout.onnx.BoxRFDGNN")
    finally:
        pymupdf._get_layout = before
    lighten(model_module, threads)
    model = model_module.BoxRFDGNN(table_grid_model_ver=UNUSED_GRID)
    model.table_grid_extractor = None
    for writer in ("markdown_generator", "markdown_html_table_generator", "html_generator"):
        setattr(model, writer, None)  # unused, and they refer back to it: its 80 MB would wait for Python's collector
    return cast(Predict, model.predict)


def _margins(width: float, height: float) -> tuple[float, float]:
    """Points of paper at the left and above, that make a page of a small picture; none of what is as high as one."""
    top = (PAGE_HEIGHT - height) / 2
    return (max(0.0, PAGE_WIDTH - width) / 2, top) if top > 1 else (0.0, 0.0)


def _laid_over(box: Box, text: str) -> bytes:
    """A line in the language of PDF pages: Helvetica stretched over its box. What isn't Latin-1 is a question mark."""
    size = max(1.0, 0.72 * box.height)
    characters = text.encode("latin-1", "replace")
    natural = size * sum(map(_helvetica_width, characters)) or 1.0
    stretch = max(0.01, box.width / natural)
    baseline = PAGE_HEIGHT - (box.y1 - 0.25 * box.height)
    place = f"/helv {size:.3f} Tf {stretch:.5f} 0 0 1 {box.x0:.3f} {baseline:.3f} Tm "
    return place.encode() + b"<" + characters.hex().encode() + b"> Tj\n"


@cache
def _helvetica_width(character: int) -> float:
    """In parts of the size."""
    return float(pymupdf.get_text_length(chr(character), fontname="helv", fontsize=1))


def _small_jpeg(pixels: NDArray[np.uint8], scale: float, left: float, top: float) -> bytes:
    times = min(1.0, scale * PICTURE_HEIGHT / PAGE_HEIGHT, 4 * PICTURE_HEIGHT / pixels.shape[1])
    small = scaled(pixels, times)
    if top:
        paper = np.median(small.reshape(-1, 3), axis=0).tolist()  # white around grey paper makes it a picture
        above, beside = round(top * times / scale), round(left * times / scale)
        small = cv2.copyMakeBorder(small, above, above, beside, beside, cv2.BORDER_CONSTANT, value=paper)
    _, encoded = cv2.imencode(".jpg", small[:, :, ::-1], [cv2.IMWRITE_JPEG_QUALITY, 85])
    return encoded.tobytes()
