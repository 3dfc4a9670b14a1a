"""Gives an image the size that a model reads without stretching it. Knows pixels only."""

from __future__ import annotations

import math

from PIL import Image, ImageStat


def with_paper(image: Image.Image, multiple: int) -> Image.Image:
    """Adds the paper's colour on the right and below until both sides are multiples of `multiple`.

    >>> with_paper(Image.new("RGB", (33, 16), "white"), 16).size
    (48, 16)
    """
    width, height = (math.ceil(side / multiple) * multiple for side in image.size)
    if (width, height) == image.size:
        return image
    paper = tuple(ImageStat.Stat(image).median)
    grown = Image.new(image.mode, (width, height), paper)
    grown.paste(image)
    return grown


def shrunk(image: Image.Image, longer_side: int | None) -> Image.Image:
    """The image itself if its longer side has no more pixels, or any number is right.

    >>> shrunk(Image.new("RGB", (200, 101)), 100).size
    (100, 50)
    """
    longest = max(image.size)
    if longer_side is None or longest <= longer_side:
        return image
    width, height = (max(1, round(side * longer_side / longest)) for side in image.size)
    return image.resize((width, height), Image.Resampling.LANCZOS)
