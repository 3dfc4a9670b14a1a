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
from docparse_fast.drafting.measures import ENOUGH, HEAVIER, TELLING_LETTERS
from docparse_fast.geometry import runs
from docparse_fast.text.characters import SQUARE_LETTERS

MOSTLY = 0.6  # of a line's letters, which tell what its ink's height is
LONG = 15  # characters of a line that helps to tell what is usual
CAPITALS = 1.42  # heights of small letters
PAPER = 0.3  # of the way from paper to ink: what is less is none
SOLID = 0.6  # ... of strokes: bold ones hold more of their page's darkest ink
LIGHTEST = 10  # in a hundred pixels of a line are paper, whatever stands in it
GROWS = 0.5  # strokes grow less than their type
SMALL, CAPITAL, SQUARE = "small", "capital", "square"


def with_letter_sizes(image: Pixels, lines: Sequence[Line]) -> list[Line]:
    """The lines with `letter_size`, on the scale on which most lines' `size` is right, with `weight`, bold or not."""
    crops = [_crop(image, line.box) for line in lines]
    kinds = {n: kind for n, line in enumerate(lines) if crops[n].size and (kind := _kind(line))}
    heights = {
        n: (kind, height) for n, kind in kinds.items() if (height := _height(_dark(crops[n], 2, PAPER).sum(axis=1)))
    }
    usual = _usual(lines, heights)
    strokes = [
        crop.size and _stroke(_dark(crop, 0.5, SOLID)) / line.size**GROWS
        for crop, line in zip(crops, lines, strict=True)
    ]
    long = [stroke for line, stroke in zip(lines, strokes, strict=True) if stroke and len(line.plain) >= LONG]
    common = median(long or [stroke for stroke in strokes if stroke] or [1.0])
    made = []
    for n, (line, stroke) in enumerate(zip(lines, strokes, strict=True)):
        kind, height = heights.get(n, ("", 0.0))
        weight = math.log(stroke / common) if stroke else 0.0
        size = round(height * usual.get(kind, 0.0), 2)
        made.append(replace(line, letter_size=size, weight=round(weight, 3), bold=weight > HEAVIER))
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


def _crop(image: Pixels, box: Box) -> Pixels:
    x0, y0, x1, y1 = (max(0, round(side)) for side in (box.x0, box.y0, box.x1, box.y1))
    return cv2.cvtColor(cut, cv2.COLOR_RGB2GRAY) if (cut := np.ascontiguousarray(image[y0:y1, x0:x1])).size else cut


def _dark(grey: Pixels, darkest: float, least: float) -> NDArray[np.float64]:
    """How far each pixel is from paper to ink, which may be white; what is less than `least` is paper."""
    ink, middle, paper = (float(level) for level in np.percentile(grey[::2, ::3], (darkest, 50, 100 - LIGHTEST)))
    if middle - ink < paper - middle:
        ink, paper = (float(level) for level in np.percentile(grey[::2, ::3], (100 - darkest, LIGHTEST)))
    dark = (paper - grey.astype(np.float64)) / ((paper - ink) or 1.0)
    return np.where(dark > least, np.minimum(dark, 1.0), 0.0)


def _height(rows: NDArray[np.float64]) -> float:
    """Of the rows that hold most ink: from half their ink above to half below, in one line of all that look in."""
    half = 0.5 * float(np.percentile(rows, 90))
    lines = runs(np.flatnonzero(rows > PAPER * half).tolist(), lambda line, row: row - line[-1] == 1)
    own = max(lines, key=lambda line: rows[line].sum(), default=[])
    full = [row for row in own if rows[row] > half]
    if not full or half <= 0:
        return 0.0
    first, last = int(full[0]), int(full[-1])
    above = (rows[first] - half) / (rows[first] - rows[first - 1]) if first else 0.0
    below = (rows[last] - half) / (rows[last] - rows[last + 1]) if last + 1 < len(rows) else 0.0
    return float(last - first + above + below)


def _stroke(inked: NDArray[np.float64]) -> float:
    """How wide strokes are: their ink over half of their outline, by how steeply it rises and falls."""
    edges = np.hypot(np.diff(inked, axis=1)[:-1], np.diff(inked, axis=0)[:, :-1]).sum()
    return float(2 * inked.sum() / edges) if edges else 0.0


def _usual(lines: Sequence[Line], heights: Mapping[int, tuple[str, float]]) -> dict[str, float]:
    """Sizes of type over heights of letters; of capitals by small letters, or by capitals where there are no others."""
    found = {}
    for kind in (SMALL, CAPITAL, SQUARE):
        long = [n for n, (own, _) in heights.items() if own == kind and len(lines[n].plain) >= LONG]
        if len(long) >= ENOUGH:
            found[kind] = median(lines[n].size / heights[n][1] for n in long)
    return found | ({CAPITAL: found[SMALL] / CAPITALS} if SMALL in found else {})
