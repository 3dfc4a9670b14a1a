"""Rows of ink in a page's picture. Knows pixels; knows no text."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from docparse_fast.document import Box

LEAST_CONTRAST = 40  # of 255, between ink and paper
LEAST_INK = 0.004  # of a row's width
LOWEST_ROW = 5  # pixels; what is lower is a dot, a rule or dirt


class InkRows:
    """The page's picture, upright."""

    def __init__(self, picture: Image.Image) -> None:
        self._grey: NDArray[np.uint8] = np.asarray(picture.convert("L"))

    def in_box(self, box: Box) -> Sequence[Box]:
        """The rows from the top; none where nothing stands out from the paper."""
        left, top = max(0, int(box.x0)), max(0, int(box.y0))
        cut = self._grey[top : int(box.y1) + 1, left : int(box.x1) + 1]
        if cut.size == 0:
            return ()
        low, high = int(cut.min()), int(np.median(cut))
        if high - low < LEAST_CONTRAST:
            return ()
        ink = cut < (low + high) / 2
        has_ink = ink.mean(axis=1) > LEAST_INK
        edges = np.flatnonzero(np.diff(np.concatenate(([False], has_ink, [False])).astype(np.int8)))
        spans = [(int(a), int(b)) for a, b in zip(edges[::2], edges[1::2], strict=True) if b - a >= LOWEST_ROW]
        return [_row(ink, a, b, left, top) for a, b in spans]


def _row(ink: NDArray[np.bool_], start: int, end: int, left: int, top: int) -> Box:
    columns = np.flatnonzero(ink[start:end].any(axis=0))
    return Box(left + int(columns[0]), top + start, left + int(columns[-1]) + 1, top + end)
