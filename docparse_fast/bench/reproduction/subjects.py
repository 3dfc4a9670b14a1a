"""A data set's pages as images without a text layer, as in the paper. Knows files; measures nothing.

A file is opened once for its page's size and again for its image, so that no file stays open during a long run.
"""

from __future__ import annotations

from collections.abc import Iterator

from PIL import Image

from docparse_fast.bench.datasets import BenchPage, Dataset
from docparse_fast.bench.paper import PIXELS
from docparse_fast.bench.trial import Subject
from docparse_fast.document import Page, PageSource
from docparse_fast.errors import InputError, PageError
from docparse_fast.options import RasterOptions
from docparse_fast.pages import open_pages


def subjects(dataset: Dataset, most: int | None = None, pixels: int = PIXELS) -> Iterator[Subject]:
    """The data set's pages, or the first `most` of them, with their true text if it is known."""
    for page in dataset.pages[:most]:
        yield Subject(page.id, as_image(page, pixels), page.group, page.truth)


def as_image(page: BenchPage, pixels: int = PIXELS) -> Page:
    """At most so large: as many pixels as the row's model is shown, whose processor may shrink it further."""
    raster = RasterOptions(pages=str(page.number), max_pixels=pixels)

    def render() -> Image.Image:
        return _looked_at(page, raster).image

    try:
        found = _opened(page, raster)
    except (InputError, PageError):
        return Page(page.number, 0, 0, 0.0, PageSource(render, lambda: None))  # `render` raises the error
    return Page(page.number, found.width, found.height, found.dpi, PageSource(render, lambda: None))


def _opened(page: BenchPage, raster: RasterOptions) -> Page:
    with open_pages(page.path, raster) as document:
        return next(document.pages())


def _looked_at(page: BenchPage, raster: RasterOptions) -> Page:
    try:
        with open_pages(page.path, raster) as document:
            found = next(document.pages())
            found.image.load()
            return found
    except InputError as error:
        raise PageError("render_failed", str(error)) from error


def blank_page() -> Page:
    """An empty page on which a drafter loads its weights, or raises if they are missing."""
    paper = Image.new("RGB", (64, 64), "white")
    return Page(1, *paper.size, 72.0, PageSource(lambda: paper, lambda: None))
