"""Parts lines that the detector took for one, as columns of numbers with little leading; tells when it is too far away.

Joins marks to the lines below them. Knows ink and boxes, no letters.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import islice, pairwise, takewhile
from operator import attrgetter
from statistics import median

import cv2
import numpy as np

from docparse_fast.document import Box
from docparse_fast.drafting.arrays import Pixels
from docparse_fast.drafting.scans.bending import MidLine
from docparse_fast.drafting.scans.quads import Quad, level_crop
from docparse_fast.drafting.scans.word_ink import LEAST_INK

TALL = 1.5  # of the page's usual height, from which a line may be several
LOW = 0.45  # of the tallest band's height: a lower one is an accent, a dot or a rule
NEAR = 0.3  # of the tallest band's height: an accent or a dot is no farther from its letter
SQUARE = 0.8, 1.25  # width over height of characters that are written one under the other
MARGIN = 0.35  # of a band's height, around a line, and between characters one under the other
ON = 0.25  # of a line's height, between the middles of what is one line
Band = tuple[int, int]  # the first row of pixels, and the one behind the last
LOWER = 0.65  # of a line's height: what is taller is a line itself
SHORT = 2.5  # line's heights, that marks may be wide
SHARED = 0.35  # of the marks' height, that lies within the line
LEVEL = 5.0  # degrees that either may lean
WIDEST = 24  # of what the detector found, asked whether it holds one line
RUN_TOGETHER = 0.25  # of them that hold several: flat scans have 0.12 at most, photographs of small type 0.38 or more
PIECE = 8  # core's heights, along a line: a piece is as good as level
FULL = 0.25  # of the ink that a piece's fullest rows have: with less a row is between lines, whatever specks it has
THROUGH = 0.85  # of a crop's rows: a column with ink in so many is a rule
DEEP = 0.3  # of a box's height, that the next reaches into it
CROWDED = 0.2  # of a page's boxes
NEARER = 1.4  # times as large: how a crowded page is seen again
SOME = 0.1  # of the widest; of 31 flat scans 0.083 at most, of small type photographed 0.125 or more


def with_stacked_marks(quads: Sequence[Quad]) -> list[Quad]:
    """The lines, those with marks over or under them as much taller."""
    lines: list[Quad] = []
    for quad in sorted(quads, key=lambda quad: -quad.height * quad.width):
        number = next((n for n, line in enumerate(lines) if _belongs_to(quad, line)), None)
        if number is None:
            lines.append(quad)
        else:
            line = lines[number]
            above, below = max(0.0, line.box.y0 - quad.box.y0), max(0.0, quad.box.y1 - line.box.y1)
            lines[number] = replace(line, y=line.y + (below - above) / 2, height=line.height + above + below)
    return lines


def _belongs_to(marks: Quad, line: Quad) -> bool:
    leaning = abs(marks.angle) > LEVEL or abs(line.angle) > LEVEL
    if leaning or marks.height > LOWER * line.height or marks.width > SHORT * line.height:
        return False
    own, box = marks.box, line.box
    return own.overlap_y(box) >= SHARED * marks.height and box.x0 <= own.x0 and own.x1 <= box.x1


def parted(image: Pixels, quads: Sequence[Quad]) -> list[Quad]:
    """The lines, with those that are several as several."""
    if not quads:
        return []
    usual = median(map(attrgetter("height"), quads))
    single = [quad for quad in quads if quad.height <= TALL * usual]
    rows = [_rows(image, quad) for quad in quads if quad.height > TALL * usual]
    return [*single, *(row for parts in rows for row in parts if len(parts) < 2 or not _found(row, single))]


def nearer_by(image: Pixels, quads: Sequence[Quad], lines: Sequence[MidLine]) -> float:
    """How much larger the detector has to see the page: from afar small type is grey, and crowded lines touch."""
    if _are_run_together(image, quads, lines):
        return math.inf
    return NEARER if _are_crowded(quads) else 1.0


def _are_run_together(image: Pixels, quads: Sequence[Quad], lines: Sequence[MidLine]) -> bool:
    """Whether many boxes hold several lines, or their middles do, however they bend."""
    boxes = sorted(quads, key=lambda quad: -quad.width)[:WIDEST]
    if sum(len(_bands(inked(level_crop(image, quad)))) > 1 for quad in boxes) > RUN_TOGETHER * len(boxes):
        return True
    widest = sorted(lines, key=lambda line: -np.ptp(line.points[:, 0]))[:WIDEST]
    return sum(_depth(image, line) > 1 for line in widest) > SOME * len(widest)


def _are_crowded(quads: Sequence[Quad]) -> bool:
    """Whether many boxes reach into the next below."""
    boxes = sorted((quad.box for quad in quads if quad.width > quad.height), key=attrgetter("y0"))
    return sum(_reaches_down(n, boxes) for n in range(len(boxes))) > CROWDED * max(1, len(boxes))


def _reaches_down(n: int, boxes: Sequence[Box]) -> bool:
    box = boxes[n]
    below = takewhile(lambda other: other.y0 < box.y1, islice(boxes, n + 1, None))
    return any(
        box.overlap_y(other) > DEEP * min(box.height, other.height)
        and box.overlap_x(other) > 0.5 * min(box.width, other.width)
        and other.y0 > box.y0 + DEEP * box.height
        for other in below
    )


def _depth(image: Pixels, line: MidLine) -> float:
    """How many lines stand one over the other along most of it."""
    length, depths = float(np.ptp(line.points[:, 0])), []
    for piece in np.array_split(line.points, max(1, round(length / (PIECE * line.height)))):
        (x0, x1), middle = np.rint(piece[[0, -1], 0]).astype(int), float(np.median(piece[:, 1]))
        top, foot = max(0, round(middle - line.height)), round(middle + line.height) + 1
        ink = inked(image[top:foot, max(0, x0) : x1 + 1])
        depths.append(len(_bands(ink, FULL * float(np.quantile(ink.sum(axis=1), 0.9)))))
    return float(median(depths))


def _found(row: Quad, quads: Sequence[Quad]) -> bool:
    """Whether the detector found the line alone, too."""
    x, y = row.box.center
    return any(abs(quad.y - y) < ON * quad.height and quad.box.x0 < x < quad.box.x1 for quad in quads)


def _rows(image: Pixels, quad: Quad) -> list[Quad]:
    ink = inked(level_crop(image, quad))
    bands = _bands(ink)
    if len(bands) < 2:  # a rule beside its lines runs through, or they touch
        ink[:, ink.mean(axis=0) > THROUGH] = 0
        bands = _bands(ink, FULL * float(np.quantile(ink.sum(axis=1), 0.9)))
    if len(bands) < 2 or _are_upright_characters(ink, bands):
        return [quad]
    scale = quad.height / len(ink)
    ends = [0, *((above[1] + below[0]) / 2 for above, below in pairwise(bands)), len(ink)]
    rows = []
    for (top, bottom), (high, low) in zip(bands, pairwise(ends), strict=True):
        margin = MARGIN * (bottom - top)
        rows.append(quad.between(max(high, top - margin) * scale, min(low, bottom + margin) * scale))
    return rows


def inked(crop: Pixels) -> Pixels:
    grey = cv2.cvtColor(np.ascontiguousarray(crop), cv2.COLOR_RGB2GRAY)
    _, ink = cv2.threshold(grey, 0, 1, cv2.THRESH_BINARY_INV | cv2.THRESH_OTSU)
    return np.asarray(ink if ink.mean() < 0.5 else 1 - ink, np.uint8)


def _bands(ink: Pixels, least: float = LEAST_INK) -> list[Band]:
    """Rows of ink between white ones, from the top; accents and dots are their letters', rules are left out."""
    inked = np.concatenate([[False], ink.sum(axis=1) >= max(least, 1), [False]])
    edges = np.flatnonzero(inked[1:] != inked[:-1])
    found = list(zip(edges[::2].tolist(), edges[1::2].tolist(), strict=True))
    tallest = max((bottom - top for top, bottom in found), default=0)
    return list(_with_accents(found, tallest))


def _with_accents(bands: Sequence[Band], tallest: int) -> Iterator[Band]:
    high = [band for band in bands if band[1] - band[0] >= LOW * tallest]
    for top, bottom in high:
        near = [band for band in bands if band not in high and max(top - band[1], band[0] - bottom) < NEAR * tallest]
        yield min([top, *(band[0] for band in near)]), max([bottom, *(band[1] for band in near)])


def _are_upright_characters(ink: Pixels, bands: Sequence[Band]) -> bool:
    """Whether it is a column of characters, as in Chinese, and not of numbers or words."""
    low, high = SQUARE
    tall = median(bottom - top for top, bottom in bands)
    gap = median(below[0] - above[1] for above, below in pairwise(bands))
    widths = [int(np.ptp(np.flatnonzero(ink[top:bottom].any(axis=0)))) + 1 for top, bottom in bands]
    return gap < MARGIN * tall and low < median(widths) / tall < high
