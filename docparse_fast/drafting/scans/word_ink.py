"""Where the words of a read line begin and end: a recogniser tells their middles, the ink their edges."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import cv2
import numpy as np
from numpy.typing import NDArray

from docparse_fast.drafting.arrays import Pixels
from docparse_fast.drafting.scans.evenness import Seen

CORE = 0.2, 0.85  # of a line's height: letters, without what is drawn above or below them
LEAST_INK = 2  # pixels of a column: less is a speck
APART = 0.15  # of a line's height: no two letters of a word are as far apart
Span = tuple[float, float]


def word_spans(line: Pixels, words: Sequence[Sequence[Seen]]) -> list[Span]:
    """Each word's begin and end, as parts of the line's width."""
    if not words:
        return []
    height, width = line.shape[:2]
    inked = np.flatnonzero(_ink(line).sum(axis=0) >= LEAST_INK)
    middles = [(word[0][1] * width, word[-1][1] * width) for word in words]
    gaps = [_widest_gap(inked, left[1], right[0]) for left, right in pairwise(middles)]
    start = _end_of_ink(-inked[::-1], -middles[0][0], APART * height)
    edges = [-start, *(x for gap in gaps for x in gap), _end_of_ink(inked, middles[-1][1], APART * height)]
    return [(x0 / width, x1 / width) for x0, x1 in zip(edges[::2], edges[1::2], strict=True)]


def _ink(line: Pixels) -> NDArray[np.bool_]:
    """The rarer of the two shades that the letters' core has."""
    top, foot = (round(part * len(line)) for part in CORE)
    grey = cv2.cvtColor(np.ascontiguousarray(line[top : max(foot, top + 1)]), cv2.COLOR_RGB2GRAY)
    between, _ = cv2.threshold(grey, 0, 255, cv2.THRESH_BINARY + cv2.THRESH_OTSU)
    dark = grey <= between
    return dark if 2 * dark.sum() <= dark.size else ~dark


def _widest_gap(inked: NDArray[np.intp], left: float, right: float) -> Span:
    """The widest white that lies between two letters' middles in part; the point between them if there is none."""
    first, last = np.searchsorted(inked, left) - 1, np.searchsorted(inked, right)
    near = inked[max(0, int(first)) : int(last) + 1]
    if len(near) < 2 or (steps := np.diff(near)).max() < 2:
        return (left + right) / 2, (left + right) / 2
    widest = int(steps.argmax())
    return float(near[widest]) + 1, float(near[widest + 1])


def _end_of_ink(inked: NDArray[np.intp], middle: float, apart: float) -> float:
    """Where a last letter's ink ends, rightwards."""
    end = middle
    for x in inked[inked >= middle].tolist():
        if x - end > apart:
            break
        end = x + 1.0
    return end
