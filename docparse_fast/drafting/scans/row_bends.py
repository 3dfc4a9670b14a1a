"""Takes out what bend is left in a photograph by its rows of ink: letters, rules and short cells tell where they run.

The page is parted into upright strips. What stands in one stands a little higher or lower in the next. One smooth
surface is fitted to these steps, between neighbours first, then between strips further apart.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from docparse_fast.drafting.arrays import Pixels
from docparse_fast.drafting.scans.bending import Bend, fitted_to_steps
from docparse_fast.drafting.scans.leaning import ink_strips, row_sharpness

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
