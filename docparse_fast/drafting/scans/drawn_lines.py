"""Finds what is drawn on a scan: rules, level and upright ones, grounds. Knows pixels and where lines of text stand."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cached_property
from statistics import median

import cv2
import numpy as np
from numpy.typing import NDArray

from docparse_fast.document import Box
from docparse_fast.drafting.arrays import Pixels
from docparse_fast.drafting.lines import Line
from docparse_fast.drafting.measures import MOST, MOSTLY, MUCH, SEVERAL, WITHIN
from docparse_fast.drafting.scans.light import WHITE
from docparse_fast.geometry import Filed, runs
from docparse_fast.lattices.rules import Drawn, joined_rules

LINE_IN_POINTS = 14.0  # the box of a line set in ten points
LONG, TALL = 2.5, 1.3  # of a line's height: longer than any letter's stroke
THICK = 0.35  # of a line's height: what is thicker is an area
DARKER = 18  # greys by which a rule is darker than the paper around it
AS_PRINT = 0.38  # of the lines' depth: of grain on 60 photographs 0.3 at most, of blurred dashes 0.45 at least
FAINT = 3, 60  # greys by which a faint rule is darker than both its sides, at least and at most
BESIDE, LINED = 3, 0.65  # pixels beside a stroke that are lighter, along so much of it
GAP = 0.12  # of a line's height, between pieces of a broken rule and its width
AROUND = 2.0  # of a line's height: as far is looked for paper
LEANING = 0.01  # of a rule's length: how far its ends may lie apart
JITTER = 3  # pixels by which a rule that is not quite level steps, on a picture large enough
SMALL = 8.0  # pixels of a line's height for each of these
DOWN = 3  # pixels of a patch's height; it is as wide as a line is high
RANK = 0.62  # of a patch's greys, from the darkest
ALIKE = 4  # greys within one ground
FLATTEST = 0.6  # of a line's height: no ground is lower
PEAK = 0.002  # of all patches: so many have a ground's grey
LARGEST = 0.25  # of a page's sides: what is wider and higher and dark is in the shade
Patches = NDArray[np.float32]


class DrawnLines:
    """What is drawn on one image."""

    def __init__(self, pixels: Pixels, lines: Sequence[Line]) -> None:
        self.unit = median(line.box.height for line in lines) if lines else LINE_IN_POINTS
        self._words = [box for line in lines for box, _ in line.words]
        side = round(AROUND * self.unit) | 1
        self._grey = grey = cv2.cvtColor(pixels, cv2.COLOR_RGB2GRAY)
        self._depth = cv2.subtract(cv2.blur(grey, (side, side)), grey)
        self._dark = (self._depth > DARKER).astype(np.uint8)
        self._jitter = min(JITTER, max(1, round(self.unit / SMALL)))
        self._as_print = AS_PRINT * median([self._deepest(line.box) for line in lines] or [0.0])

    def _deepest(self, box: Box) -> float:
        seen = self._depth[max(0, int(box.y0)) : int(box.y1), max(0, int(box.x0)) : int(box.x1)]
        return float(seen.max(initial=0))

    @cached_property
    def drawn(self) -> Drawn:
        """Its rules and grounds, as a file's vectors would tell them."""
        point = self.unit / LINE_IN_POINTS
        long, tall = (1, round(LONG * self.unit)), (round(TALL * self.unit), 1)
        level, upright = list(self._runs(long)), list(self._runs(tall))
        found = [*level, *upright, *self._from_rule_to_rule(level)]
        found += list(self._broken(found))
        return Drawn(tuple(joined_rules(found, point)), tuple(grounds(self._grey, self.unit)), point)

    def _from_rule_to_rule(self, level: Sequence[Box]) -> Iterator[Box]:
        """Shorter upright ones from one level one to another, no letter of a word: between the cells of one row."""
        down, near = Filed(level, by=lambda rule: rule.center[1]), GAP * self.unit
        for box in self._runs((round(self.unit), 1)) if level else ():
            ends = (down.between(y - near, y + near) for y in (box.y0, box.y1))
            met = all(any(rule.x0 <= box.center[0] <= rule.x1 for rule in rules) for rules in ends)
            if met and box.height < round(TALL * self.unit) and not self._is_in_word(box):
                yield box

    def _is_in_word(self, box: Box) -> bool:
        return any(word.x0 < box.center[0] < word.x1 and word.overlap_y(box) > 0 for word in self._words)

    def _broken(self, found: Sequence[Box]) -> Iterator[Box]:
        """Thin ones in pieces beside those found, as a copier makes of grey ones: paper is along both their sides."""
        gap, long = round(GAP * self.unit), round(LONG * self.unit)
        for upright in (False, True):
            along = (long, 1) if upright else (1, long)
            closed = cv2.morphologyEx(self._dark, cv2.MORPH_CLOSE, np.ones((gap, 1) if upright else (1, gap), np.uint8))
            for rule in (rule for rule in found if (rule.height > rule.width) is upright):
                closed[int(rule.y0) : int(rule.y1) + 1, int(rule.x0) : int(rule.x1) + 1] = 0
            for box, _ in _blots(cv2.morphologyEx(closed, cv2.MORPH_OPEN, np.ones(along, np.uint8))):
                if min(box.width, box.height) <= gap and self._is_between_paper(box, upright=upright):
                    yield box

    def _is_between_paper(self, box: Box, *, upright: bool) -> bool:
        dark = self._dark.T if upright else self._dark
        x0, y0, x1, y1 = map(int, (box.y0, box.x0, box.y1, box.x1) if upright else (box.x0, box.y0, box.x1, box.y1))
        above, below = dark[max(0, y0 - BESIDE), x0:x1], dark[min(len(dark) - 1, y1 - 1 + BESIDE), x0:x1]
        return float((above | below).mean()) <= 1 - (LINED if upright else WITHIN)

    def _runs(self, along: tuple[int, int]) -> Iterator[Box]:
        upright = along[0] > along[1]
        thickest = max(THICK * self.unit, 2 * self._jitter)
        for box, ink in _blots(cv2.morphologyEx(self._strokes[upright], cv2.MORPH_OPEN, np.ones(along, np.uint8))):
            long, short = (box.height, box.width) if upright else (box.width, box.height)
            if ink <= thickest * long and short <= thickest + LEANING * long and (not upright or self._is_line(box)):
                yield box

    @cached_property
    def _strokes(self) -> list[NDArray[np.uint8]]:
        """What is dark or faintly drawn, level and upright, a little thicker than it is."""
        across = np.ones((self._jitter, 1), np.uint8)
        return [cv2.dilate(self._dark | self._faint(upright=way), across.T if way else across) for way in (False, True)]

    def _faint(self, *, upright: bool) -> NDArray[np.bool_]:
        """Where the picture is a little darker than on both sides, along most of a line's height: no letters are."""
        framed = np.pad(self._grey, BESIDE, mode="edge")
        begins = [(BESIDE, at) if upright else (at, BESIDE) for at in (0, 2 * BESIDE)]
        sides = [framed[y:, x:][: len(self._grey), : self._grey.shape[1]] for y, x in begins]
        darker, long = cv2.inRange(cv2.subtract(np.minimum(*sides), self._grey), *FAINT), round(self.unit * TALL)
        along = (1, long) if upright else (long, 1)
        return np.asarray(cv2.boxFilter(darker, cv2.CV_32F, along, normalize=False) > LINED * 255 * long)

    def _is_line(self, box: Box) -> bool:
        """Whether it is lighter on both sides of most of an upright stroke: no dark ground between light letters is."""
        left, right = max(0, int(box.x0) - BESIDE), min(self._grey.shape[1] - 1, int(box.x1) + BESIDE)
        seen = self._grey[int(box.y0) : int(box.y1), left : right + 1].astype(np.int16)
        lighter = np.minimum(seen[:, 0], seen[:, -1]) - seen.min(axis=1) > DARKER / 2
        return float(lighter.mean()) > LINED

    @cached_property
    def _pieces(self) -> list[tuple[Box, bool]]:
        return [(piece, self._deepest(piece) >= self._as_print) for piece in _outer(self._dark)]

    def pieces_of_ink(self) -> Iterator[Box]:
        """The box of each, from the top down: letters, signs, rules and specks, but no grain paler than print."""
        return (piece for piece, is_print in self._pieces if is_print)

    def pale_pieces(self) -> Iterator[Box]:
        """The others: grain, and strokes that are thinner than a pixel."""
        return (piece for piece, is_print in self._pieces if not is_print)

    def light_pieces(self) -> Iterator[Box]:
        """Those of light print on dark grounds; what reaches to a ground's edge is paper around it."""
        for area in self.drawn.areas:
            x0, y0, x1, y1 = map(round, (area.x0, area.y0, area.x1, area.y1))
            grey = self._grey[y0:y1, x0:x1]
            lighter = (grey > np.median(grey) + self._as_print).astype(np.uint8)
            height, width = grey.shape
            for piece in _outer(lighter):
                if min(piece.x0, piece.y0, width - piece.x1, height - piece.y1) > 0:
                    yield piece.shifted(x0, y0)


def _outer(ink: NDArray[np.uint8]) -> Iterator[Box]:
    """The outline of each piece, from the top down."""
    outlines, nested = cv2.findContours(ink, cv2.RETR_CCOMP, cv2.CHAIN_APPROX_SIMPLE)
    found = zip(outlines, nested[0], strict=True) if outlines else ()
    boxes = [cv2.boundingRect(outline) for outline, (_, _, _, holder) in found if holder < 0]
    boxes.sort(key=lambda box: (box[1] // 2, box[0]))
    return (Box(x, y, x + width, y + height) for x, y, width, height in boxes)


def _blots(ink: NDArray[np.uint8]) -> Iterator[tuple[Box, int]]:
    """Each piece of ink: its box, and how much it is. Little of a page is drawn on: the rest isn't looked at."""
    rows, columns = _inked(ink, 1), _inked(ink, 0)
    if not rows:
        return
    _, _, stats, _ = cv2.connectedComponentsWithStats(ink[np.ix_(rows, columns)], connectivity=8)
    for x, y, width, height, filled in stats[1:].tolist():
        yield Box(columns[x], rows[y], columns[x] + width, rows[y] + height), filled


def _inked(ink: NDArray[np.uint8], axis: int) -> list[int]:
    """The rows or columns with ink, and those beside them."""
    near = cv2.dilate(ink.any(axis, keepdims=True).astype(np.uint8), np.ones((3, 3), np.uint8))
    return np.flatnonzero(near).tolist()


def grounds(grey: NDArray[np.uint8], unit: float) -> list[Box]:
    """Areas of one grey, other than the paper's, that letters leave visible. `unit` is the height of a line."""
    across = max(1, round(unit))
    grey, patches = _in_even_light(grey, _usual(grey, across))
    paper, *others = _levels(patches) or [WHITE]
    rough = ((level, box) for level in others for box in _of_one_grey(patches, level, paper, across))
    high = ((level, box) for level, box in rough if box.height >= max(FLATTEST * unit, SEVERAL * DOWN + 1))
    found = (part for level, box in high for part in _to_the_pixel(grey, box, level, paper, across))
    return [box for box in found if box.width >= LONG * unit]


def _in_even_light(grey: NDArray[np.uint8], patches: Patches) -> tuple[NDArray[np.uint8], Patches]:
    """Both without shade, where there is some: it has lighter paper on one side at most, print has it on both."""
    paper = (_levels(patches) or [WHITE])[0]
    if not patches.size or np.mean(np.abs(patches - paper) <= ALIKE) > MOST:  # of 96 flat scans 0.68, in shade 0.14
        return grey, patches
    down, wide = (max(1, round(LARGEST * side / 2)) for side in patches.shape)
    framed = np.pad(patches, ((down, down), (wide, wide)), "edge")
    light = cv2.morphologyEx(framed, cv2.MORPH_CLOSE, np.ones((2 * down + 1, 2 * wide + 1), np.uint8))
    gain = WHITE / np.maximum(1.0, light[down:-down, wide:-wide])
    full = cv2.resize(gain, grey.shape[::-1], interpolation=cv2.INTER_LINEAR)
    return np.clip(grey * full, 0, WHITE).astype(np.uint8), np.minimum(WHITE, patches * gain)


def _to_the_pixel(grey: NDArray[np.uint8], box: Box, level: float, paper: float, across: int) -> Iterator[Box]:
    """A ground's parts between upright strips of paper; letters leave some of it above or below them."""
    left, right = max(0, round(box.x0) - across), round(box.x1) + across
    seen = grey[round(box.y0) + DOWN : round(box.y1) - DOWN, left:right].astype(np.int16)
    is_ground = np.flatnonzero((np.abs(seen - level) < np.abs(seen - paper)).mean(axis=0) >= MUCH)
    for part in runs(is_ground.tolist(), lambda part, x: x - part[-1] <= GAP * across):
        yield replace(box, x0=float(left + part[0]), x1=float(left + part[-1] + 1))


def _usual(grey: NDArray[np.uint8], across: int) -> Patches:
    """The usual grey of each patch: dark letters cover less than half of it, light ones less still."""
    height, width = grey.shape[0] // DOWN, grey.shape[1] // across
    cut = grey[: height * DOWN, : width * across].reshape(height, DOWN, width, across)
    patches = cut.transpose(0, 2, 1, 3).reshape(height, width, DOWN * across)
    rank = int(RANK * patches.shape[2])
    return np.partition(patches.astype(np.uint16), rank, axis=2)[:, :, rank].astype(np.float32)  # four times as fast


def _levels(patches: Patches) -> list[float]:
    """The greys that much of the page has, the paper's first."""
    counts = np.bincount(np.clip(patches, 0, 255).astype(np.uint8).ravel(), minlength=256)
    smooth = np.convolve(counts, np.ones(ALIKE + 1), "same")
    levels: list[float] = []
    while patches.size and smooth[most := int(smooth.argmax())] >= PEAK * patches.size:
        levels.append(float(most))
        smooth[max(0, most - ALIKE) : most + ALIKE + 1] = 0
    return levels


def _of_one_grey(patches: Patches, level: float, paper: float, across: int) -> Iterator[Box]:
    mask = (np.abs(patches - level) <= ALIKE).astype(np.uint8)
    closed = cv2.morphologyEx(mask, cv2.MORPH_CLOSE, np.ones((3, 5), np.uint8))
    closed[np.abs(patches - paper) <= ALIKE] = 0  # between two grounds, not under letters
    _, _, stats, _ = cv2.connectedComponentsWithStats(closed, connectivity=4)
    for x, y, width, height, filled in stats[1:].tolist():
        if filled >= MOSTLY * width * height and filled < MOST * patches.size:
            yield Box(x * across, y * DOWN, (x + width) * across, (y + height) * DOWN)
