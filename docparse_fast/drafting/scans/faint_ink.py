"""Makes faint ink black, for readers that were trained on black ink. Knows pictures of lines; reads nothing."""

from __future__ import annotations

from collections.abc import Sequence
from statistics import median

import cv2
import numpy as np

from docparse_fast.drafting.arrays import Pixels
from docparse_fast.drafting.scans.line_sheet import paper_of

WHITE = 255
INK = 5  # per cent of a line's pixels: the darkest, which are its strokes
FAINT = 190  # of white paper's 255: ink as light is made black
GRAIN = 0.025  # of a line's height, over which the paper's grain is smoothed


def darkened(crops: Sequence[Pixels]) -> list[Pixels]:
    """The lines as they are, or black on white if most of them are faint. A few faint lines are the back's."""
    clean = [_on_white(crop) for crop in crops]
    inks = [float(np.percentile(crop, INK)) for crop in clean]
    if not crops or median(inks) < FAINT:
        return list(crops)
    return [_black(crop, ink) for crop, ink in zip(clean, inks, strict=True)]


def _on_white(crop: Pixels) -> Pixels:
    """Without grain, the paper above and below the line made white."""
    smooth = cv2.GaussianBlur(np.ascontiguousarray(crop), (0, 0), GRAIN * crop.shape[0]).astype(np.float32)
    return np.asarray(np.clip(smooth * (WHITE / np.maximum(paper_of(smooth), 1)), 0, WHITE), np.uint8)


def _black(crop: Pixels, ink: float) -> Pixels:
    stretched = (crop.astype(np.float32) - ink) * (WHITE / max(1.0, WHITE - ink))
    return np.asarray(np.clip(stretched, 0, WHITE), np.uint8)
