"""Finds what is drawn on a scan: rules, level and upright ones, grounds. Knows pixels and where lines of text stand."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property
from statistics import median

import cv2
import numpy as np
from numpy.typing import NDArray

from docparse_fast.document import Box
from docparse_fast.drafting.arrays import Pixels
from docparse_fast.drafting.lines import Line
from docparse_fast.drafting.scans.grounds import grounds
from docparse_fast.lattices.rules import Drawn, joined_rules

LINE_IN_POINTS = 14.0  # the box of a line set in ten points
LONG, TALL = 2.5, 1.3  # of a line's height: longer than any letter's stroke
THICK = 0.35  # of a line's height: what is thicker is an area
DARKER = 18  # greys by which a rule is darker than the paper around it
AROUND = 2.0  # of a line's height: as far is looked for paper
LEANING = 0.01  # of a rule's length: how far its ends may lie apart
JITTER = 3  # pixels by which a rule that is not quite level steps, on a picture large enough
SMALL = 8.0  # pixels of a line's height for each of these


class DrawnLines:
    """What is drawn on one image."""

    def __init__(self, pixels: Pixels, lines: Sequence[Line]) -> None:
        self.unit = median(line.box.height for line in lines) if lines else LINE_IN_POINTS
        side = round(AROUND * self.unit) | 1
        self._grey = grey = cv2.cvtColor(pixels, cv2.COLOR_RGB2GRAY)
        self._dark = ((cv2.blur(grey, (side, side)).astype(np.int16) - grey) > DARKER).astype(np.uint8)

    @cached_property
    def drawn(self) -> Drawn:
        """Its rules and grounds, as a file's vectors would tell them."""
        point = self.unit / LINE_IN_POINTS
        found = [box for upright in (False, True) for box in self._runs(upright=upright)]
        return Drawn(tuple(joined_rules(found, point)), tuple(grounds(self._grey, self.unit)), point)

    def _runs(self, *, upright: bool) -> Iterator[Box]:
        along = (round(TALL * self.unit), 1) if upright else (1, round(LONG * self.unit))
        jitter = min(JITTER, max(1, round(self.unit / SMALL)))
        across = (1, jitter) if upright else (jitter, 1)
        joined = cv2.dilate(self._dark, np.ones(across, np.uint8))
        kept = cv2.morphologyEx(joined, cv2.MORPH_OPEN, np.ones(along, np.uint8))
        for box, ink in _blots(kept):
            long, short = (box.height, box.width) if upright else (box.width, box.height)
            thickest = max(THICK * self.unit, 2 * jitter)
            if ink <= thickest * long and short <= thickest + LEANING * long:
                yield box

    def pieces_of_ink(self) -> Iterator[Box]:
        """The box of each, from the top down: letters, signs, rules and specks."""
        outlines, nested = cv2.findContours(self._dark, cv2.RETR_CCOMP, cv2.CHAIN_APPROX_SIMPLE)
        outer = [cv2.boundingRect(outlines[n]) for n in np.flatnonzero(nested[0, :, 3] < 0)] if outlines else []
        outer.sort(key=lambda box: (box[1] // 2, box[0]))
        return (Box(x, y, x + width, y + height) for x, y, width, height in outer)


def _blots(ink: NDArray[np.uint8]) -> Iterator[tuple[Box, int]]:
    """Each piece of ink: its box, and how much it is. Little of a page is drawn on: the rest isn't looked at."""
    rows, columns = _inked(ink, 1), _inked(ink, 0)
    if not rows:
        return
    _, _, stats, _ = cv2.connectedComponentsWithStats(ink[np.ix_(rows, columns)], connectivity=8)
    for x, y, width, height, filled in stats[1:].tolist():
        yield Box(columns[x], rows[y], columns[x] + width, rows[y] + height), filled


def _inked(ink: NDArray[np.uint8], axis: int) -> list[int]:
    """The rows or columns with ink, and those beside them, in pairs."""
    some = np.asarray(ink.any(axis))
    pairs = np.asarray(np.pad(some, (0, -len(some) % 2)).reshape(-1, 2).any(1))
    pairs[1:] |= pairs[:-1].copy()
    return list(map(int, np.flatnonzero(np.repeat(pairs, 2)[: len(some)])))
