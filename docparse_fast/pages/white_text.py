"""Hides white words that can't be seen, since nothing dark lies behind them. Knows MuPDF's runs and the page's picture.

Knows no layout. A page larger than any sheet is left as it is.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from docparse_fast.system.mupdf import pymupdf

WHITISH = 0xF0  # of 255, the least of its colours
MOST_POINTS = 16_000_000  # of a page, which is drawn at a pixel a point; the largest sheet, A0, has 8,000,000
LEAST_CONTRAST = 16  # of 255, between the lightest and the darkest of what is seen at a word's place


def hide_white(raw: Sequence[dict[str, Any]], page: pymupdf.Page) -> None:
    """Makes the unseen runs wholly transparent. The page is drawn, small, only where some of it is white."""
    white = [run for run in _runs(raw) if min(int(run["color"]).to_bytes(4, "big")[1:]) >= WHITISH]
    if not white or abs(page.rect) > MOST_POINTS:
        return
    picture = page.get_pixmap(colorspace=pymupdf.csGRAY, alpha=False, annots=True)
    grey = np.frombuffer(picture.samples, np.uint8).reshape(picture.height, picture.stride)[:, : picture.width]
    for run in white:
        left, top, right, bottom = pymupdf.Rect(run["bbox"]) * page.rotation_matrix
        seen = grey[max(0, int(top)) : int(bottom) + 1, max(0, int(left)) : int(right) + 1]
        if not seen.size or int(seen.max()) - int(seen.min()) < LEAST_CONTRAST:
            run["alpha"] = 0


def _runs(raw: Sequence[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    return (run for block in raw for line in block.get("lines", ()) for run in line["spans"])
