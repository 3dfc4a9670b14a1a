"""Evens the light on a photographed page, and tells where it needs that. Knows no layout."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np

from docparse_fast.drafting.arrays import Pixels
from docparse_fast.drafting.scans.quads import Quad, crop

LIT = 512  # pixels of the copy's longer side
STROKE = 9  # pixels there: no letter's stroke is as thick
WHITE = 245.0  # what paper becomes
DARKEST = 0.3  # of the brightest paper: what is darker is printed; a shadow leaves 0.35 or more
LEAST = 8.0  # light below which nothing can be seen
DIM = 150.0  # paper that is no lighter; that of 40 flat scans is 200 or more
SHADED = 0.6  # of the lightest lines' paper: a shadow
FEWEST_LIT = 5  # lines by whose paper the light is told


def evened(pixels: Pixels) -> Pixels:
    """The page as if it lay in even light."""
    height, width = pixels.shape[:2]
    scale = min(1.0, LIT / max(height, width))
    size = max(1, round(width * scale)), max(1, round(height * scale))
    small = cv2.resize(pixels, size, interpolation=cv2.INTER_AREA)
    light = cv2.medianBlur(cv2.dilate(small, np.ones((STROKE, STROKE), np.uint8)), 2 * STROKE + 1)
    light = cv2.GaussianBlur(light, (0, 0), STROKE / 3).astype(np.float32)
    light = np.maximum(light, max(LEAST, DARKEST * float(np.percentile(light, 95))))
    gain = cv2.resize(WHITE / light, (width, height), interpolation=cv2.INTER_LINEAR)
    return np.asarray(np.clip(pixels * gain, 0, 255), np.uint8)


def is_ill_lit(pixels: Pixels, quads: Sequence[Quad]) -> bool:
    """Whether the paper under the lines is dark, or in the shade in places."""
    papers = []
    for quad in quads:
        grey = crop(pixels, quad)[::2, ::4, 1]
        paper = float(np.median(np.concatenate([grey[0], grey[-1]])))
        if grey.mean() < paper:  # dark letters
            papers.append(paper)
    if len(papers) < FEWEST_LIT:
        return False
    dark, light = np.quantile(papers, (0.1, 0.9))
    return bool(light < DIM or dark < SHADED * light)
