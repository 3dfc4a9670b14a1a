"""How rows of ink lean and bend: letters, rules and short cells tell where they run.

The page is parted into upright strips. What stands in one stands a little higher or lower in the next. One smooth
surface is fitted to these steps, between neighbours first, then between strips further apart.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from docparse_fast.drafting.arrays import Pixels
from docparse_fast.drafting.scans.bending import Bend, fitted_to_steps
from docparse_fast.drafting.scans.quads import LEVEL, Quad

LONG = ((8, 3), (4, 5))  # width over height, from which a line's slope is known; how many are needed
SEEN = 1000  # pixels of the longer side
PAPER = 41  # pixels around one that tell its paper
DARKEST = 60.0  # grey levels below its paper: a rule or a picture counts no more than letters
STRIPS = 32  # beside each other; each is moved up or down as a whole
STEEPEST, STEP, FINE = 3.0, 0.1, 0.02  # degrees
CLEARLY = 2.0  # than at the usual slope, or nothing stands in rows


def lean_of(image: Pixels, quads: Sequence[Quad]) -> float:
    """In degrees; from the lines' own slopes where the ink doesn't tell."""
    strips, apart = ink_strips(image)
    by_lines = skew(quads)
    start = by_lines if abs(by_lines) > STEEPEST - 1 else 0.0
    coarse = start + np.arange(-STEEPEST, STEEPEST + STEP, STEP)
    sharp = [row_sharpness(strips, apart, slope) for slope in coarse]
    if max(sharp) <= CLEARLY * float(np.median(sharp)):
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


BETWEEN = ((1, 2, 3), (2, 4, 6), (3, 6, 9), (4, 8, 16))  # strips, round by round
WINDOW = 96  # rows of a strip that are compared with another's
MOST = 4  # rows of a step: lines stand further apart
CLOSEST = 10.5  # rows of a line's box: between smaller ones a step may lead to the next line
ALIKE = 0.5  # of what two strips show: what is less alike tells no step
INKED = 0.1  # of the usual ink
SHARPER = 1.1  # times as sharp as before: less is chance
Strips = NDArray[np.float64]


def bend_of_rows(image: Pixels, tall: float) -> Bend | None:
    """What is left of a bend; `None` where rows don't come out sharper without it, or lines are small.

    `tall` is the height of a line's box.
    """
    height, width = image.shape[:2]
    strips, apart = ink_strips(image)
    row = height / len(strips)
    if tall < CLOSEST * row:
        return None
    middles = (np.arange(strips.shape[1]) + 0.5) * apart * row
    bend, flat = Bend.straight(width, height), strips
    for lags in BETWEEN:
        steps = [
            (middles[left], middles[left + lag], row * level, row * down, sure)
            for lag in lags
            for left, level, down, sure in _steps(flat, lag)
        ]
        if len(steps) < len(middles):
            return None
        bend = fitted_to_steps(bend, np.array(steps))
        flat = _flattened(strips, bend, middles, row)
    return bend if row_sharpness(flat, apart, 0.0) > SHARPER * row_sharpness(strips, apart, 0.0) else None


def _flattened(strips: Strips, bend: Bend, middles: Sequence[float], row: float) -> Strips:
    rows = np.arange(len(strips))
    below = (bend.below(np.full(len(rows), middle), rows * row) / row for middle in middles)
    return np.stack([np.interp(rows + by, rows, strip) for by, strip in zip(below, strips.T, strict=True)], axis=1)


def _steps(strips: Strips, lag: int) -> Iterator[tuple[int, float, float, float]]:
    """Of strips, window by window: how far below what stands there the same stands `lag` strips on, how alike it is."""
    left, right = strips[:, :-lag], strips[:, lag:]
    ink = _windowed(left * left)
    alike = []
    for step in range(-MOST, MOST + 1):
        moved = np.roll(right, -step, axis=0)
        alike.append(_windowed(left * moved) / np.sqrt(ink * _windowed(moved * moved) + 1e-9))
    found = np.stack(alike)
    best = np.clip(found.argmax(axis=0), 1, 2 * MOST - 1)
    before, at, behind = (np.take_along_axis(found, (best + n)[None], 0)[0] for n in (-1, 0, 1))
    curve = np.minimum(before - 2 * at + behind, 0.0)  # the top of a parabola; none where the step is longer than all
    finer = np.divide(before - behind, 2 * curve, out=np.zeros_like(at), where=curve < 0)
    for window, strip in np.argwhere((at > ALIKE) & (ink > INKED * ink.mean()) & (abs(finer) < 1)).tolist():
        down = best[window, strip] - MOST + finer[window, strip]
        yield strip, (window + 1) * WINDOW / 2, float(down), float(at[window, strip])


def _windowed(values: Strips) -> Strips:
    """Sums over windows that overlap by half."""
    halves, half = len(values) // (WINDOW // 2), WINDOW // 2
    sums = values[: halves * half].reshape(halves, half, -1).sum(axis=1)
    return np.asarray(sums[:-1] + sums[1:])
