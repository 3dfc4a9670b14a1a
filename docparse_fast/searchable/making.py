"""Makes the searchable PDF: a copy of a PDF, or an image's pages in a new one, with the invisible text over it.

The pages stay as they are: a PDF's are copied, a JPEG's bytes are taken over, other images are stored without loss. A
page that can't be copied is empty, so that the others keep their numbers.
"""

from __future__ import annotations

import io
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

from PIL import Image

from docparse_fast.document import Page, ParsedDocument, ParsedPage
from docparse_fast.errors import PageError
from docparse_fast.options import RasterOptions
from docparse_fast.pages import OpenDocument, open_pages
from docparse_fast.searchable.ink_rows import PlacedLine, placed_lines
from docparse_fast.searchable.overlay import Overlay
from docparse_fast.searchable.rows import InkRows
from docparse_fast.system.mupdf import pymupdf

POINTS_PER_INCH = 72
FULL = 360  # degrees
ORIENTATION_TAG, UPRIGHT = 0x0112, 1


def write_searchable(path: Path, raster: RasterOptions, document: ParsedDocument, to: Path) -> None:
    """Writes the pages that were selected; `path` and `raster` are those that they were read with, `to` is new."""
    with open_pages(path, raster) as source:
        made = _copied(path, raster, document.pages) if source.kind == "pdf" else _of_images(source, path)
        with made:
            _lay_over(made, source, document.pages)
            # MuPDF itself writes no file whose name isn't UTF-8.
            written = made.tobytes(garbage=1, deflate=True, encryption=pymupdf.PDF_ENCRYPT_KEEP, no_new_id=True)
            with to.open("xb") as file:
                file.write(written)


def _lay_over(made: pymupdf.Document, source: OpenDocument, pages: Sequence[ParsedPage]) -> None:
    overlay, placed = Overlay(), []
    try:
        for index, (page, parsed) in enumerate(zip(source.pages(), pages, strict=True)):
            if lines := _lines(page, parsed):
                scale = POINTS_PER_INCH / parsed.dpi
                overlay.add(lines, parsed.width * scale, parsed.height * scale, scale)
                placed.append((index, parsed.evidence.turned))
        overlay.finish()
        for number, (index, turned) in enumerate(placed):
            _show(made[index], overlay.document, number, turned)
    finally:
        overlay.close()


def _lines(page: Page, parsed: ParsedPage) -> list[PlacedLine]:
    try:
        if not parsed.dpi or not any(True for _ in placed_lines(parsed, lambda _: ())):
            return []
        with suppress(PageError):
            picture = page.image
            upright = picture.rotate(-parsed.evidence.turned, expand=True) if parsed.evidence.turned else picture
            return list(placed_lines(parsed, InkRows(upright).in_box))
        return list(placed_lines(parsed, lambda _: ()))
    finally:
        page.close()


def _show(page: pymupdf.Page, overlay: pymupdf.Document, number: int, turned: int) -> None:
    """Lays a page of upright text over a page that is shown turned."""
    rotation = page.rotation
    page.set_rotation(0)  # what is laid over a page goes by the page as it is stored
    page.show_pdf_page(page.rect, overlay, number, rotate=(rotation + turned) % FULL, keep_proportion=False)
    page.set_rotation(rotation)


def _copied(path: Path, raster: RasterOptions, pages: Sequence[ParsedPage]) -> pymupdf.Document:
    made = pymupdf.open(stream=path.read_bytes(), filetype="pdf")
    if made.needs_pass:
        made.authenticate(raster.password or "")
    wanted = [page.number - 1 for page in pages]
    if wanted != list(range(made.page_count)):
        made.select(wanted)
    return made


def _of_images(source: OpenDocument, path: Path) -> pymupdf.Document:
    made = pymupdf.open()
    for page in source.pages():
        width, height = (side * POINTS_PER_INCH / (page.dpi or POINTS_PER_INCH) for side in (page.width, page.height))
        shown = made.new_page(width=max(1.0, width), height=max(1.0, height))
        try:
            with suppress(PageError):
                _store(shown, page, path if source.kind == "jpeg" else None)
        finally:
            page.close()
    return made


def _store(shown: pymupdf.Page, page: Page, jpeg: Path | None) -> None:
    picture = page.image
    if jpeg is not None and _is_upright(jpeg):
        shown.insert_image(shown.rect, stream=jpeg.read_bytes(), keep_proportion=False)
        return
    grey = picture.convert("L")
    if picture.convert("RGB").tobytes() == grey.convert("RGB").tobytes():
        picture = grey.convert("1", dither=Image.Dither.NONE) if _is_bilevel(grey) else grey
    stored = io.BytesIO()
    if picture.mode == "1":  # Pillow writes fax compression into its PDFs
        picture.save(stored, "PDF")
        with pymupdf.open(stream=stored.getvalue(), filetype="pdf") as single:
            shown.show_pdf_page(shown.rect, single, 0, keep_proportion=False)
    else:
        picture.save(stored, "PNG")
        shown.insert_image(shown.rect, stream=stored.getvalue(), keep_proportion=False)


def _is_bilevel(grey: Image.Image) -> bool:
    counts = grey.histogram()
    return sum(counts) == counts[0] + counts[-1]


def _is_upright(jpeg: Path) -> bool:
    with Image.open(jpeg) as image:
        return image.getexif().get(ORIENTATION_TAG, UPRIGHT) == UPRIGHT and image.mode in ("L", "RGB")
