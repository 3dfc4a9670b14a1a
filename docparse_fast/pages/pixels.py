"""Pixels of any kind to an upright RGB page image. Knows modes and arithmetic; no files, no formats.

Images are converted in bands of rows, so that a large image is never held twice.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageChops, ImageCms

from docparse_fast.geometry import Size

_BAND_PIXELS = 4_000_000
DEEP_MODES = frozenset({"I", "F", "I;16", "I;16B", "I;16L", "I;16N"})  # more than 8 bits a pixel
_DEPTHS = (8, 10, 12, 14, 16, 24, 32)  # bits that scanners and cameras fill
_WHITE = (255, 255, 255)

_UPRIGHT = {
    2: Image.Transpose.FLIP_LEFT_RIGHT,
    3: Image.Transpose.ROTATE_180,
    4: Image.Transpose.FLIP_TOP_BOTTOM,
    5: Image.Transpose.TRANSPOSE,
    6: Image.Transpose.ROTATE_270,
    7: Image.Transpose.TRANSVERSE,
    8: Image.Transpose.ROTATE_90,
}


def rgb_page(
    image: Image.Image, size: Size, orientation: int = 1, white_is_low: bool = False, *, incomplete: bool = False
) -> Image.Image:
    """The image as RGB over white, turned by its EXIF `orientation` and scaled to `size` (its upright size).

    Rows of an `incomplete` image that were never read become white.
    """
    step = _UPRIGHT.get(orientation)
    wanted = size[::-1] if orientation >= 5 else size
    factor = max(1, min(image.width // wanted[0], image.height // wanted[1]))
    page = _reduced_rgb(image, factor, white_is_low)
    if incomplete:
        _whiten_unread_rows(page)
    if page.size != wanted:
        page = page.resize(wanted, Image.Resampling.LANCZOS)
    return page if step is None else page.transpose(step)


def has_content(rgb: Image.Image) -> bool:
    return ImageChops.invert(rgb).getbbox() is not None


def _whiten_unread_rows(rgb: Image.Image) -> None:
    """Decoders leave unread rows in one colour: the last rows, or the first of a BMP, which is stored upside down."""
    rows = np.asarray(rgb).reshape(rgb.height, -1)
    below, above = _leading_rows_alike(rows[::-1]), _leading_rows_alike(rows)
    rgb.paste(_WHITE, (0, rgb.height - below, rgb.width, rgb.height))
    rgb.paste(_WHITE, (0, 0, rgb.width, above))


def _leading_rows_alike(rows: NDArray[np.uint8]) -> int:  # (height, 3 * width)
    """The number of leading rows that have one colour."""
    pixels = rows.reshape(len(rows), -1, 3)
    color = pixels[0, 0]
    for count, row in enumerate(pixels):
        if (row != color).any():
            return count
    return len(rows)


def _reduced_rgb(image: Image.Image, factor: int, white_is_low: bool = False) -> Image.Image:
    """The image as RGB, `factor` times smaller in both directions."""
    if factor == 1 and image.mode == "RGB" and not image.has_transparency_data:
        return image.copy()
    page = Image.new("RGB", (-(-image.width // factor), -(-image.height // factor)), _WHITE)
    black, white = _levels(image) if image.mode in DEEP_MODES else (0.0, 255.0)
    levels = (white, black) if white_is_low else (black, white)
    rows = max(factor, _BAND_PIXELS // image.width // factor * factor)
    for top in range(0, image.height, rows):
        band = _rgb(image.crop((0, top, image.width, min(top + rows, image.height))), levels)
        page.paste(band.reduce(factor) if factor > 1 else band, (0, top // factor))
    return page


def _rgb(band: Image.Image, levels: tuple[float, float]) -> Image.Image:
    if band.mode in DEEP_MODES:
        return _eight_bits(band, levels).convert("RGB")
    if band.has_transparency_data:
        band = band.convert("RGBA")
        return Image.alpha_composite(Image.new("RGBA", band.size, (*_WHITE, 255)), band).convert("RGB")
    if band.mode == "LAB":
        lab, srgb = ImageCms.createProfile("LAB"), ImageCms.createProfile("sRGB")
        converted = ImageCms.profileToProfile(band, lab, srgb, outputMode="RGB")
        assert converted is not None  # None comes only from converting in place
        return converted
    return band.convert("RGB")


def _eight_bits(band: Image.Image, levels: tuple[float, float]) -> Image.Image:
    black, white = levels
    values = np.nan_to_num(np.asarray(band, dtype=np.float64), nan=white, posinf=max(levels), neginf=min(levels))
    return Image.fromarray(np.clip((values - black) * (255 / (white - black)) + 0.5, 0, 255).astype(np.uint8))


def _levels(image: Image.Image) -> tuple[float, float]:
    """The values of black and white, which the file does not give: the narrowest usual range that holds all values."""
    low, high = _extremes(image)
    if low < 0:
        return low, max(high, low + 1)
    if image.mode == "F" and high <= 1:
        return 0.0, 1.0
    return 0.0, float(next((2**bits - 1 for bits in _DEPTHS if high < 2**bits), max(high, 1)))


def _extremes(image: Image.Image) -> tuple[float, float]:
    rows = max(1, _BAND_PIXELS // image.width)
    lows, highs = [], []
    for top in range(0, image.height, rows):
        values = np.asarray(image.crop((0, top, image.width, min(top + rows, image.height))))
        finite = values[np.isfinite(values)]
        if finite.size:
            lows.append(float(finite.min()))
            highs.append(float(finite.max()))
    return min(lows, default=0.0), max(highs, default=0.0)
