"""Makes of drawn pages what a scanner or a fax machine makes of them: pictures, grey, tilted and noisy."""

from __future__ import annotations

import io

import numpy as np
from PIL import Image

from docparse_fast.system.mupdf import pymupdf

SCAN_DPI, FAX_DPI = 150, 200
GRAIN = 6.0  # grey levels, of a scan's noise


def scanned(source: pymupdf.Document, *, tilt: float) -> pymupdf.Document:
    """The same pages as a scanner makes them: pictures only."""
    document = pymupdf.open()
    for page in source:
        jpeg = io.BytesIO()
        photographed(page, tilt).save(jpeg, "JPEG", quality=60)
        copy = document.new_page(width=page.rect.width, height=page.rect.height)
        copy.insert_image(copy.rect, stream=jpeg.getvalue())
    return document


def turned(source: pymupdf.Document) -> bytes:
    """A letter from a fax machine: sideways, in pure black and white."""
    picture = photographed(source[0], tilt=0.3, dpi=FAX_DPI, grain=0).point(lambda grey: 255 * (grey > 150), "1")
    data = io.BytesIO()
    picture.rotate(90, expand=True).save(data, "TIFF", compression="group4", dpi=(FAX_DPI, FAX_DPI))
    return data.getvalue()


def photographed(page: pymupdf.Page, tilt: float, dpi: int = SCAN_DPI, grain: float = GRAIN) -> Image.Image:
    pixels = page.get_pixmap(dpi=dpi, colorspace=pymupdf.csGRAY)
    image = Image.frombytes("L", (pixels.width, pixels.height), pixels.samples)
    image = image.rotate(tilt, resample=Image.Resampling.BICUBIC, fillcolor=255)
    noise = np.random.default_rng(7).normal(0.0, grain, (image.height, image.width))
    paper = 20 + np.asarray(image, dtype=np.float64) * (225 / 255)  # ink is not black and paper is not white
    return Image.fromarray(np.clip(paper + noise, 0, 255).astype(np.uint8))
