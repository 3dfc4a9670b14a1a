"""Tells by how many degrees a page leans: turned back by these, its lines and rules make the sharpest rows of ink."""

from __future__ import annotations

import math
from collections.abc import Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from docparse_fast.drafting.arrays import Pixels
from docparse_fast.drafting.scans.quads import LEVEL, Quad

LONG = ((8, 3), (4, 5))  # width over height, from which a line's slope is known; how many are needed
SEEN = 1000  # pixels of the longer side
PAPER = 41  # pixels around one that tell its paper
DARKEST = 60.0  # grey levels below its paper: a rule or a picture counts no more than letters
STRIPS = 32  # beside each other; each is moved up or down as a whole
MOST, STEP, FINE = 3.0, 0.1, 0.02  # degrees
SHARPER = 2.0  # than at the usual slope, or nothing stands in rows


def lean_of(image: Pixels, quads: Sequence[Quad]) -> float:
    """In degrees; from the lines' own slopes where the ink doesn't tell."""
    strips, apart = ink_strips(image)
    by_lines = skew(quads)
    start = by_lines if abs(by_lines) > MOST - 1 else 0.0
    coarse = start + np.arange(-MOST, MOST + STEP, STEP)
    sharp = [row_sharpness(strips, apart, slope) for slope in coarse]
    if max(sharp) <= SHARPER * float(np.median(sharp)):
        return by_lines
    best = coarse[int(np.argmax(sharp))]
    fine = best + np.arange(-STEP, STEP + FINE, FINE)
    return round(float(fine[int(np.argmax([row_sharpness(strips, apart, slope) for slope in fine]))]), 2)


def skew(quads: Sequence[Quad]) -> float:
    """By how many degrees the page leans, from its long lines or, without them, from more that are shorter.

    0 where they don't agree.
    """
    for long, fewest in LONG:
        angles = [quad.angle for quad in quads if quad.width > long * quad.height]
        if len(angles) >= fewest:
            middle = float(np.median(angles))
            return middle if float(np.median(np.abs(np.array(angles) - middle))) < LEVEL else 0.0
    return 0.0


def ink_strips(image: Pixels) -> tuple[NDArray[np.float64], float]:
    """The ink in each row of each strip, and how far apart strips are."""
    scale = SEEN / max(image.shape[:2])
    grey = cv2.cvtColor(cv2.resize(image, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA), cv2.COLOR_RGB2GRAY)
    ink = np.clip(cv2.blur(grey, (PAPER, PAPER)).astype(np.float64) - grey, 0.0, DARKEST)
    columns = ink.shape[1] // STRIPS * STRIPS
    strips = ink[:, :columns].reshape(len(ink), STRIPS, -1).sum(axis=2)
    return strips - strips.mean(axis=0), columns / STRIPS


def row_sharpness(strips: NDArray[np.float64], apart: float, slope: float) -> float:
    rows = np.arange(len(strips))
    down = math.tan(math.radians(slope)) * apart * (np.arange(STRIPS) - STRIPS / 2)
    moved = sum(np.interp(rows + by, rows, strip) for by, strip in zip(down, strips.T, strict=True))
    return float(np.square(np.diff(moved)).sum())
