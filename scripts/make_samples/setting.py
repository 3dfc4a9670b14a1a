"""Sets text on PDF pages with MuPDF's own fonts, and saves them without anything that differs between runs."""

from __future__ import annotations

import io

from PIL import Image

from docparse_fast.system.mupdf import pymupdf

A4 = (595, 842)

STYLE = """
body { font-family: serif; font-size: 10pt; line-height: 1.25; }
h1 { font-size: 19pt; text-align: center; } h2 { font-size: 12.5pt; } h3 { font-size: 11pt; }
p { text-align: justify; margin: 0 0 6pt 0; } .small { font-size: 8pt; } .center { text-align: center; }
table { border-collapse: collapse; } td, th { border: 0.7pt solid black; padding: 3pt 6pt; }
"""


def sheet(document: pymupdf.Document) -> pymupdf.Page:
    return document.new_page(width=A4[0], height=A4[1])


def one_page(html: str, box: tuple[float, float, float, float]) -> pymupdf.Document:
    document = pymupdf.open()
    write(sheet(document), box, html)
    return document


def write(page: pymupdf.Page, box: tuple[float, float, float, float], html: str) -> float:
    """Sets the text in the box; returns its lower end."""
    spare, scale = page.insert_htmlbox(pymupdf.Rect(*box), html, css=STYLE)
    if spare < 0 or scale < 1:
        raise ValueError(f"{html[:60]!r} does not fit its box")
    return float(box[3] - spare)


def right(page: pymupdf.Page, x: float, y: float, words: str, font: str, size: float) -> None:
    """Sets words that end at x."""
    page.insert_text((x - pymupdf.get_text_length(words, font, size), y), words, fontname=font, fontsize=size)


def png(image: Image.Image) -> bytes:
    data = io.BytesIO()
    image.save(data, "PNG", optimize=True)
    return data.getvalue()


def pdf_bytes(document: pymupdf.Document) -> bytes:
    """The PDF without dates and random identifiers, which would differ between runs."""
    document.set_metadata({})
    return bytes(document.tobytes(garbage=4, deflate=True, no_new_id=True))
