"""Takes shadows and low light out of a photograph of a page. Knows pixels alone.

The paper's light is read off a small copy of the picture: wherever letters stand, paper shows between them.
"""

from __future__ import annotations

import cv2
import numpy as np

from docparse_fast.drafting.arrays import Pixels

SEEN = 512  # pixels of the copy's longer side
STROKE = 9  # pixels there: no letter's stroke is as thick
WHITE = 245.0  # what paper becomes
DARKEST = 0.3  # of the brightest paper: what is darker is printed; a shadow leaves 0.35 or more
LEAST = 8.0  # light below which nothing can be seen


def evened(pixels: Pixels) -> Pixels:
    """The page as if it lay in even light."""
    height, width = pixels.shape[:2]
    scale = min(1.0, SEEN / max(height, width))
    size = max(1, round(width * scale)), max(1, round(height * scale))
    small = cv2.resize(pixels, size, interpolation=cv2.INTER_AREA)
    light = cv2.medianBlur(cv2.dilate(small, np.ones((STROKE, STROKE), np.uint8)), 2 * STROKE + 1)
    light = cv2.GaussianBlur(light, (0, 0), STROKE / 3).astype(np.float32)
    light = np.maximum(light, max(LEAST, DARKEST * float(np.percentile(light, 95))))
    gain = cv2.resize(WHITE / light, (width, height), interpolation=cv2.INTER_LINEAR)
    return np.asarray(np.clip(pixels * gain, 0, 255), np.uint8)
