"""Finds where a table's rows and columns part, with the grid model that PyMuPDF ships. Knows a picture and words.

The model sees a table as 360 x 300 pixels and says, at each of 100 places down and 100 across, whether a line runs
there, drawn or not.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from importlib.util import find_spec
from itertools import pairwise
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from docparse_fast.document import Box
from docparse_fast.drafting.arrays import Pixels
from docparse_fast.drafting.lines import Line, words_of
from docparse_fast.drafting.onnx import open_session
from docparse_fast.drafting.tables.grid import Slot
from docparse_fast.system.late import cv2

WEIGHTS = Path("layout", "resources", "onnx", "table_grid_model_v4_ep.onnx")  # in PyMuPDF's folder
SEEN_HEIGHT, SEEN_WIDTH = 360, 300
LIKELY_DOWN, LIKELY_ACROSS = 0.2, 0.25  # the least chance of a line, as PyMuPDF has it for this model
APART = 0.01  # of the picture: two lines as near are one
THROUGH = 0.25  # of a word's width on either side of a cut, from which the word runs through it


class GridLines:
    """Slots by the lines that a network sees between rows and columns."""

    def __init__(self, threads: int = 1) -> None:
        self._threads = threads

    @cached_property
    def _session(self):  # type: ignore[no-untyped-def]
        found = find_spec("pymupdf")
        folder = Path(found.origin).parent if found is not None and found.origin else Path()
        return open_session(folder / WEIGHTS, self._threads)

    def slots(self, picture: Pixels, lines: Sequence[Line]) -> list[Slot]:
        """`lines` are in the picture's pixels; none if there are no two rows or no two columns."""
        height, width = picture.shape[:2]
        seen = cv2.resize(picture, (SEEN_WIDTH, SEEN_HEIGHT), interpolation=cv2.INTER_AREA).astype(np.float32) / 255
        down, down_by, across, across_by, _ = self._session.run(None, {"image": seen.transpose(2, 0, 1)[None]})
        words = [box for box, _ in words_of(lines)]
        ys = _parting(_places(down[0], down_by[0], LIKELY_DOWN) * height, [box.center[1] for box in words])
        xs = _parting(_places(across[0], across_by[0], LIKELY_ACROSS) * width, [box.center[0] for box in words])
        return _slots(ys, xs, words, Box(0, 0, width, height)) if len(ys) and len(xs) else []


def _places(logits: NDArray[np.float32], offsets: NDArray[np.float32], least: float) -> NDArray[np.float64]:
    """Where lines run, in parts of the side: of those too near each other the likelier one."""
    chances = 1 / (1 + np.exp(-logits.astype(np.float64)))
    step = 1 / (len(logits) - 1)
    places = (np.arange(len(logits)) + offsets) * step
    kept: list[float] = []
    for n in np.argsort(-chances):
        if chances[n] >= least and all(abs(places[n] - other) >= APART for other in kept):
            kept.append(float(places[n]))
    return np.sort(np.array(kept))


def _parting(lines: NDArray[np.float64], middles: Sequence[float]) -> list[float]:
    """The lines with words on both sides, of several between the same words the first."""
    ordered = np.sort(np.array(middles))
    before = np.searchsorted(ordered, lines)
    found: dict[int, float] = {}
    for count, line in zip(before, lines, strict=True):
        if 0 < count < len(ordered):
            found.setdefault(int(count), float(line))
    return sorted(found.values())


def _slots(ys: Sequence[float], xs: Sequence[float], words: Sequence[Box], whole: Box) -> list[Slot]:
    """A slot for each place of the grid; places that a word runs across are one."""
    rows, columns = [whole.y0, *ys, whole.y1], [whole.x0, *xs, whole.x1]
    crossed = {(sum(box.center[1] > y for y in ys), n) for box in words for n, x in enumerate(xs) if _runs(box, x)}
    slots = []
    for row, (top, bottom) in enumerate(pairwise(rows)):
        column = 0
        while column < len(columns) - 1:
            last = column
            while (row, last) in crossed:
                last += 1
            box = Box(columns[column], top, columns[last + 1], bottom)
            slots.append(Slot(row, column, box, columns=last - column + 1))
            column = last + 1
    return slots


def _runs(box: Box, x: float) -> bool:
    return box.x0 + THROUGH * box.width < x < box.x1 - THROUGH * box.width
