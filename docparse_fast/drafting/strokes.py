"""How wide the strokes of letters are, in a picture of them. Knows pixels only."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from docparse_fast.document import Box
from docparse_fast.drafting.arrays import Pixels
from docparse_fast.system.greys import percentiles

SOLID = 0.6  # of the way from paper to ink: bold strokes hold more of their page's darkest ink
LIGHTEST = 10  # in a hundred pixels of a line are paper, whatever stands in it
GROWS = 0.5  # strokes grow less than their type


def for_type(crop: Pixels, size: float) -> float:
    """The strokes' width in a grey picture, for type of this size; 0 where nothing is drawn."""
    return _stroke(dark(crop, 0.5, SOLID)) / size**GROWS if crop.size else 0.0


def cut_out(image: Pixels, box: Box) -> Pixels:
    x0, y0, x1, y1 = (max(0, round(side)) for side in (box.x0, box.y0, box.x1, box.y1))
    return image[y0:y1, x0:x1]


def grey_crop(image: Pixels, box: Box) -> Pixels:
    return cv2.cvtColor(cut, cv2.COLOR_RGB2GRAY) if (cut := np.ascontiguousarray(cut_out(image, box))).size else cut


def dark(grey: Pixels, darkest: float, least: float) -> NDArray[np.float64]:
    """How far each pixel is from paper to ink, which may be white; what is less than `least` is paper.

    A box may reach over the edge of a dark ground: the middle of its height tells which is ink.
    """
    ink, paper = percentiles(grey[::2, ::3], darkest, 100 - LIGHTEST)
    edge = len(grey) // 6
    (middle,) = percentiles(grey[edge : len(grey) - edge : 2, ::3], 50)
    if middle - ink < paper - middle:
        ink, paper = percentiles(grey[::2, ::3], 100 - darkest, LIGHTEST)
    dark = (paper - grey.astype(np.float64)) / ((paper - ink) or 1.0)
    return np.where(dark > least, np.minimum(dark, 1.0), 0.0)


def _stroke(inked: NDArray[np.float64]) -> float:
    """How wide strokes are: their ink over half of their outline, by how steeply it rises and falls."""
    edges = np.hypot(np.diff(inked, axis=1)[:-1], np.diff(inked, axis=0)[:, :-1]).sum()
    return float(2 * inked.sum() / edges) if edges else 0.0
