"""Finds coloured grounds on a scan: behind a table's head, behind every other row. Knows pixels and the size of lines.

A ground is an area of one grey, other than the paper's, that letters leave visible.
"""

from __future__ import annotations

from collections.abc import Iterator

import cv2
import numpy as np
from numpy.typing import NDArray

from docparse_fast.document import Box

DOWN = 3  # pixels of a patch's height; it is as wide as a line is high
RANK = 0.62  # of a patch's greys, from the darkest
ALIKE = 4  # greys within one ground
FLATTEST, NARROWEST = 0.6, 2.5  # of a line's height, the sides of a ground
LARGEST = 0.5  # of the page: larger areas are paper
FILLED = 0.8  # of a ground's box
PEAK = 0.002  # of all patches: so many have a ground's grey
Patches = NDArray[np.float32]


def grounds(grey: NDArray[np.uint8], unit: float) -> list[Box]:
    """`unit` is the height of a line."""
    across = max(1, round(unit))
    patches = _usual(grey, across)
    if not patches.size:
        return []
    levels = _levels(patches)
    found = (box for level in levels for box in _of_one_grey(patches, level))
    placed = (Box(box.x0 * across, box.y0 * DOWN, box.x1 * across, box.y1 * DOWN) for box in found)
    return [box for box in placed if box.height >= FLATTEST * unit and box.width >= NARROWEST * unit]


def _usual(grey: NDArray[np.uint8], across: int) -> Patches:
    """The usual grey of each patch: dark letters cover less than half of it, light ones less still."""
    height, width = grey.shape[0] // DOWN, grey.shape[1] // across
    cut = grey[: height * DOWN, : width * across].reshape(height, DOWN, width, across)
    patches = cut.transpose(0, 2, 1, 3).reshape(height, width, -1)
    rank = int(RANK * patches.shape[2])
    return np.partition(patches, rank, axis=2)[:, :, rank].astype(np.float32)


def _levels(patches: Patches) -> list[float]:
    """The greys that much of the page has, the paper's aside."""
    counts = np.bincount(np.clip(patches, 0, 255).astype(np.uint8).ravel(), minlength=256)
    smooth = np.convolve(counts, np.ones(ALIKE + 1), "same")
    levels: list[float] = []
    while (most := int(smooth.argmax())) and smooth[most] >= PEAK * patches.size:
        levels.append(float(most))
        smooth[max(0, most - ALIKE) : most + ALIKE + 1] = 0
    return levels[1:]


def _of_one_grey(patches: Patches, level: float) -> Iterator[Box]:
    mask = (np.abs(patches - level) <= ALIKE).astype(np.uint8)
    closed = cv2.morphologyEx(mask, cv2.MORPH_CLOSE, np.ones((3, 5), np.uint8))
    _, _, stats, _ = cv2.connectedComponentsWithStats(closed, connectivity=4)
    for x, y, width, height, filled in stats[1:].tolist():
        if filled >= FILLED * width * height and filled < LARGEST * patches.size:
            yield Box(x, y, x + width, y + height)
