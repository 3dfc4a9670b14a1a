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
