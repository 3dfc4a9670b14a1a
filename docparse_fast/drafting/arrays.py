"""Types of the arrays that drafting works on, and pictures as networks take them. Knows shapes only."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from docparse_fast.system.late import cv2

Pixels = NDArray[np.uint8]  # (height, width, 3), RGB
Floats = NDArray[np.float64]
MEAN, DEVIATION = (np.array(of, np.float32) for of in ((0.485, 0.456, 0.406), (0.229, 0.224, 0.225)))  # ImageNet's


def scaled(pixels: Pixels, scale: float) -> Pixels:
    """So many times as large."""
    size = [max(1, round(side * scale)) for side in pixels.shape[1::-1]]
    interpolation = cv2.INTER_AREA if scale < 1 else cv2.INTER_CUBIC
    return np.asarray(cv2.resize(pixels, size, interpolation=interpolation), np.uint8)


def standardised(pixels: Pixels) -> NDArray[np.float32]:
    """As networks take them that began with the pictures of ImageNet."""
    return np.asarray((pixels.astype(np.float32) / 255 - MEAN) / DEVIATION, np.float32)
