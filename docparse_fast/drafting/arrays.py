"""Types of the arrays that drafting works on, and pictures as networks take them. Knows shapes only."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Pixels = NDArray[np.uint8]  # (height, width, 3), RGB
Floats = NDArray[np.float64]
MEAN, DEVIATION = (np.array(of, np.float32) for of in ((0.485, 0.456, 0.406), (0.229, 0.224, 0.225)))  # ImageNet's


def standardised(pixels: Pixels) -> NDArray[np.float32]:
    """As networks take them that began with the pictures of ImageNet."""
    return np.asarray((pixels.astype(np.float32) / 255 - MEAN) / DEVIATION, np.float32)
