"""A page of a parsed document as a picture, rendered again from its file. Knows pages; knows no server and no OUT."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from docparse_fast.document import ParsedPage
from docparse_fast.options import RasterOptions
from docparse_fast.pages import open_pages
from docparse_fast.rendering.picture import page_picture


def picture_of(file: Path, raster: RasterOptions, page: ParsedPage) -> bytes:
    """The page as it looked to the drafter, upright, as WebP."""
    with open_pages(file, replace(raster, pages=str(page.number), max_pages=None)) as source:
        (drawn,) = source.pages()
        image, turned = drawn.image, page.evidence.turned
        return page_picture(image.rotate(-turned, expand=True) if turned else image)
