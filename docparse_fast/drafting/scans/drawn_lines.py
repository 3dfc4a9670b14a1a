"""Finds what is drawn on a scan: rules, level and upright ones, grounds, and dashes that stand alone in their cells.

Knows pixels and where lines of text stand. A detector of lines overlooks a dash: it is too small.
"""

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
from docparse_fast.drafting.measures import in_one_row
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
DASH = 0.2, 1.0  # of a line's height, the width of a dash
FLAT = 2.0  # times as wide as high
OFF = 0.2  # of a line's height: how far a dash may lie from the middle of its row
DASH_SIGN = "–"


class DrawnLines:
    """What is drawn on one image."""

    def __init__(self, pixels: Pixels, lines: Sequence[Line]) -> None:
        self._lines = lines
        self._unit = median(line.box.height for line in lines) if lines else LINE_IN_POINTS
        side = round(AROUND * self._unit) | 1
        self._grey = grey = cv2.cvtColor(pixels, cv2.COLOR_RGB2GRAY)
        self._dark = ((cv2.blur(grey, (side, side)).astype(np.int16) - grey) > DARKER).astype(np.uint8)

    @cached_property
    def drawn(self) -> Drawn:
        """Its rules and grounds, as a file's vectors would tell them."""
        point = self._unit / LINE_IN_POINTS
        found = [box for upright in (False, True) for box in self._runs(upright=upright)]
        return Drawn(tuple(joined_rules(found, point)), tuple(grounds(self._grey, self._unit)), point)

    def _runs(self, *, upright: bool) -> Iterator[Box]:
        along = (round(TALL * self._unit), 1) if upright else (1, round(LONG * self._unit))
        jitter = min(JITTER, max(1, round(self._unit / SMALL)))
        across = (1, jitter) if upright else (jitter, 1)
        joined = cv2.dilate(self._dark, np.ones(across, np.uint8))
        kept = cv2.morphologyEx(joined, cv2.MORPH_OPEN, np.ones(along, np.uint8))
        for box, ink in _blots(kept):
            long, short = (box.height, box.width) if upright else (box.width, box.height)
            thickest = max(THICK * self._unit, 2 * jitter)
            if ink <= thickest * long and short <= thickest + LEANING * long:
                yield box

    def dashes(self) -> list[Line]:
        """Those beside lines, where no line was found."""
        least, most = (share * self._unit for share in DASH)
        outlines, nested = cv2.findContours(self._dark, cv2.RETR_CCOMP, cv2.CHAIN_APPROX_SIMPLE)
        outer = [cv2.boundingRect(outlines[n]) for n in np.flatnonzero(nested[0, :, 3] < 0)] if outlines else []
        outer.sort(key=lambda box: (box[1] // 2, box[0]))
        boxes = (Box(x, y, x + width, y + height) for x, y, width, height in outer)
        flat = [b for b in boxes if least <= b.width <= most and b.width >= FLAT * b.height > FLAT]
        return [_dash_at(blot, self._unit) for blot in flat if self._stands_alone(blot)]

    def _stands_alone(self, blot: Box) -> bool:
        """Whether no line holds it, and it stands at the middle of others' row."""
        if any(line.box.intersection(blot) > 0 for line in self._lines):
            return False
        level = [line.box.center[1] for line in self._lines if in_one_row(line.box, blot)]
        return len(level) > 1 and abs(blot.center[1] - median(level)) < OFF * self._unit


def _dash_at(blot: Box, unit: float) -> Line:
    """As a line of its row's height."""
    middle = blot.center[1]
    box = Box(blot.x0, middle - unit / 2, blot.x1, middle + unit / 2)
    return Line(box, DASH_SIGN, 0.72 * unit, "embedded", words=((box, DASH_SIGN),))


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
