"""A page's image for the report, small enough that five hundred of them fit into one file. Knows pixels only."""

from __future__ import annotations

import io
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from PIL import Image

MEDIA_TYPE = "image/webp"

# Long side in pixels and WebP quality, finest first: the first that is small enough is taken. A printed page of small
# type comes to 85 KB at the first; grain and photographs need the others.
GRADES = ((1400, 60), (1400, 30), (1000, 30), (700, 20))
MOST_BYTES = 160_000
EFFORT = 2  # of the encoder; 4 takes twice the time for 5 % less


def page_picture(image: Image.Image) -> bytes:
    for side, quality in GRADES:
        data = _webp(image, side, quality)
        if len(data) <= MOST_BYTES:
            break
    return data


def _webp(image: Image.Image, side: int, quality: int) -> bytes:
    small = image if image.mode == "RGB" else image.convert("RGB")
    scale = min(1.0, side / max(small.size))
    if scale < 1:
        small = small.resize((max(1, round(small.width * scale)), max(1, round(small.height * scale))), reducing_gap=2)
    data = io.BytesIO()
    small.save(data, "WEBP", quality=quality, method=EFFORT)
    return data.getvalue()
