"""A data set's pages as the paper's pipeline got them: images, without a text layer. Knows files; measures nothing.

A file is opened for its page's size, and again when the page is looked at: nothing stays open over a long run.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from docparse_fast.bench.datasets import BenchPage, Dataset
from docparse_fast.bench.trial import Subject
from docparse_fast.document import Page, PageSource
from docparse_fast.errors import InputError, PageError
from docparse_fast.options import RasterOptions
from docparse_fast.pages import open_pages

if TYPE_CHECKING:
    from PIL import Image


def subjects(dataset: Dataset, most: int | None = None) -> Iterator[Subject]:
    """Its pages, or the first of them; each has the BenchPage as its truth."""
    for page in dataset.pages[:most]:
        yield Subject(page.id, as_image(page), page.group, page)


def as_image(page: BenchPage) -> Page:
    def render() -> Image.Image:
        return _looked_at(page).image

    try:
        found = _opened(page)
    except (InputError, PageError):
        return Page(page.number, 0, 0, 0.0, PageSource(render, _no_layer))  # `render` says what is wrong with it
    return Page(page.number, found.width, found.height, found.dpi, PageSource(render, _no_layer))


def _opened(page: BenchPage) -> Page:
    with open_pages(page.path, RasterOptions(pages=str(page.number))) as document:
        return next(document.pages())


def _looked_at(page: BenchPage) -> Page:
    try:
        with open_pages(page.path, RasterOptions(pages=str(page.number))) as document:
            found = next(document.pages())
            found.image.load()
            return found
    except InputError as error:
        raise PageError("render_failed", str(error)) from error


def _no_layer() -> None:
    return None
