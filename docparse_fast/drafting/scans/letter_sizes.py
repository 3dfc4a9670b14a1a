"""Measures a scanned line's type: its size by its small letters, its weight by its strokes. Knows pixels and lines.

A detector's box is as high as it happens to be; letters without strokes up or down are as high as their type says.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from statistics import median

import cv2
import numpy as np
from numpy.typing import NDArray

from docparse_fast.document import Box
from docparse_fast.drafting.arrays import Pixels
from docparse_fast.drafting.lines import Line
from docparse_fast.drafting.measures import TELLING_LETTERS
from docparse_fast.text.characters import SQUARE_LETTERS

MOSTLY = 0.6  # of a line's letters, which tell what its ink's height is
LONG = 15  # characters of a line that helps to tell what is usual
FEWEST_LINES = 3
CAPITALS = 1.42  # heights of small letters
PAPER = 0.3  # of the way from paper to ink: what is less is none
HALF = 0.5  # of the way from paper to ink
SMALL, CAPITAL, SQUARE = "small", "capital", "square"


def with_letter_sizes(image: Pixels, lines: Sequence[Line]) -> list[Line]:
    """The lines with `letter_size`, on the scale on which most lines' `size` is right, and with `weight`."""
    looks = {n: (kind, *_look(image, line.box)) for n, line in enumerate(lines) if (kind := _kind(line))}
    usual = _usual(lines, {n: (kind, height) for n, (kind, height, _) in looks.items() if height})
    strokes = {n: stroke / height for n, (_, height, stroke) in looks.items() if height and stroke}
    long = [share for n, share in strokes.items() if len(lines[n].plain) >= LONG]
    made = list(lines)
    for n, (kind, height, _) in looks.items():
        weight = math.log(strokes[n] / median(long)) if long and n in strokes else 0.0
        made[n] = replace(lines[n], letter_size=round(height * usual.get(kind, 0.0), 2), weight=round(weight, 3))
    return made


def _kind(line: Line) -> str:
    letters = [c for c in line.plain if c.isalpha()]
    if len(letters) < TELLING_LETTERS or line.box.height > line.box.width:
        return ""
    counts = {
        SQUARE: len(SQUARE_LETTERS.findall(line.plain)),
        SMALL: sum(map(str.islower, letters)),
        CAPITAL: sum(map(str.isupper, letters)),
    }
    kind = max(counts, key=lambda name: counts[name])
    return kind if counts[kind] >= MOSTLY * len(letters) else ""


def _look(image: Pixels, box: Box) -> tuple[float, float]:
    """The height of its letters, and the width of their strokes."""
    x0, y0, x1, y1 = (max(0, round(side)) for side in (box.x0, box.y0, box.x1, box.y1))
    cut = np.ascontiguousarray(image[y0:y1, x0:x1])
    if not cut.size:
        return 0.0, 0.0
    grey = cv2.cvtColor(cut, cv2.COLOR_RGB2GRAY)
    ink, paper = (float(level) for level in np.percentile(grey[::2, ::3], (2, 90)))
    dark = (paper - grey) / max(1.0, paper - ink)
    inked = np.where(dark > PAPER, np.minimum(dark, 1.0), 0.0)
    return _height(inked.sum(axis=1)), _stroke(inked)


def _height(rows: NDArray[np.float64]) -> float:
    """Of the rows that hold most ink: from half their ink above to half below."""
    half = 0.5 * float(np.percentile(rows, 90))
    full = np.flatnonzero(rows > half)
    if not len(full) or half <= 0:
        return 0.0
    first, last = int(full[0]), int(full[-1])
    above = (rows[first] - half) / (rows[first] - rows[first - 1]) if first else 0.0
    below = (rows[last] - half) / (rows[last] - rows[last + 1]) if last + 1 < len(rows) else 0.0
    return float(last - first + above + below)


def _stroke(inked: NDArray[np.float64]) -> float:
    """The usual width of a run of ink from left to right."""
    begins = np.count_nonzero(np.diff((inked > HALF).astype(np.int8), axis=1) > 0)
    return float(inked.sum()) / begins if begins else 0.0


def _usual(lines: Sequence[Line], heights: Mapping[int, tuple[str, float]]) -> dict[str, float]:
    """Sizes of type over heights of letters; of capitals by small letters, or by capitals where there are no others."""
    found = {}
    for kind in (SMALL, CAPITAL, SQUARE):
        long = [n for n, (own, _) in heights.items() if own == kind and len(lines[n].plain) >= LONG]
        if len(long) >= FEWEST_LINES:
            found[kind] = median(lines[n].size / heights[n][1] for n in long)
    return found | ({CAPITAL: found[SMALL] / CAPITALS} if SMALL in found else {})
