"""Boxes to be ticked, seen on a scan, as signs before their words; what was read for one goes. Knows lines, boxes."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import pairwise
from operator import attrgetter
from statistics import median

import cv2
import numpy as np

from docparse_fast.document import Box, TickBox
from docparse_fast.drafting.arrays import Pixels
from docparse_fast.drafting.lines import Line, pieces
from docparse_fast.drafting.measures import SEVERAL
from docparse_fast.drafting.scans.drawn_lines import DARKER
from docparse_fast.text.placed_words import PlacedWord

BEFORE = 2.5  # of the type's size, between a box and its words
MISREAD = re.compile(r"^\\?(?:[^\w\s]|[口囗曰日回冈区図凶因]|[OoQDCXxVv0](?=[A-Z\W]|$))\s*")
SMALLEST, SMALLEST_RING, LARGEST = 0.6, 0.75, 1.8  # of the type's size; a smaller ring is an `o`
EVEN = 0.8  # the shorter side, of the longer one
EDGE = 0.2  # of a side: where its line runs
DRAWN = 0.85  # of a side or a ring has ink
INNER = 0.28  # of a side, from its edge to what may be in it
EMPTY = 0.08  # of what is within, inked by grain
WHITE, APART = 0.3, 1.2  # of a side, beside it; beside a ring, at one side
CORNER = 0.14  # of a side, which a ring leaves white
ALIKE = 0.15  # of a side, by which boxes of one form may differ
MOST = 200  # on a page
SEEN = 4.0  # of the type's size: how far around a pixel its ground is looked for
ANGLES = np.linspace(0, 2 * np.pi, 48, endpoint=False)


def with_ticks(image: Pixels, lines: Sequence[Line]) -> list[Line]:
    if not lines:
        return []
    made, alone = [], boxes_seen(cv2.cvtColor(image, cv2.COLOR_RGB2GRAY), median(line.size for line in lines))
    for line in lines:
        ours = sorted((each for each in alone if _belongs(each.box, line)), key=lambda each: each.box.x0)
        alone = [each for each in alone if each not in ours]
        made.append(with_signs(line, list(map(attrgetter("box", "sign"), ours))) if ours else line)
    return [*made, *(Line(each.box, each.sign, each.box.height, lines[0].source) for each in alone)]


def _belongs(box: Box, line: Line) -> bool:
    return line.box.y0 < box.center[1] < line.box.y1 and line.box.x0 - BEFORE * line.size < box.x0 < line.box.x1


def with_signs(line: Line, signs: Sequence[PlacedWord]) -> Line:
    """The line's words in parts, one behind each sign."""
    starts = [float("-inf"), *(box.center[0] for box, _ in signs), float("inf")]
    words = line.words or ((line.box, line.plain),)
    runs = [[word for word in words if a <= word[0].x1 < b] for a, b in pairwise(starts)]
    parts = iter(pieces(line, [run for run in runs if run]))
    plain, text, placed = "", "", list[PlacedWord]()
    for run, sign in zip(runs, [None, *signs], strict=True):
        said, written = ((part := next(parts)).plain, part.text) if run else ("", "")
        if sign is not None:
            over = bool(run) and run[0][0].x0 < sign[0].center[0]
            said, written = (f"{sign[1]} {MISREAD.sub('', words) if over else words}" for words in (said, written))
            placed.append(sign)
        plain, text = f"{plain} {said}", f"{text} {written}"
        placed += run
    around = Box.around((line.box, *(box for box, _ in signs)))
    return replace(line, box=around, plain=plain.strip(), text=text.strip(), words=tuple(placed))


def boxes_seen(grey: Pixels, size: float) -> list[TickBox]:
    """Those on a page whose type is of this size, in pixels."""
    block = max(3, int(SEEN * size)) | 1
    ink = cv2.adaptiveThreshold(grey, 1, cv2.ADAPTIVE_THRESH_MEAN_C, cv2.THRESH_BINARY_INV, block, DARKER)
    ink = cv2.morphologyEx(ink, cv2.MORPH_CLOSE, np.ones((3, 3), np.uint8))
    found = list(_closed_shapes(ink, size))
    return [each[1] for each in found if _is_of_form(each, found)] if len(found) <= MOST else []


def _closed_shapes(ink: Pixels, size: float) -> Iterator[tuple[str, TickBox]]:
    count, marked, stats, _ = cv2.connectedComponentsWithStats(ink, connectivity=8)
    for n, (x, y, width, height, _) in enumerate(stats[1:count].tolist(), 1):
        long = max(width, height)
        if not SMALLEST * size <= long <= LARGEST * size or min(width, height) < EVEN * long:
            continue
        shape = marked[y : y + height, x : x + width] == n
        kind = "square" if _is_square(shape) else "ring" if long > SMALLEST_RING * size and _is_ring(shape) else ""
        if kind and _stands_alone(ink, x, y, width, height, most=APART if kind == "ring" else WHITE):
            yield kind, TickBox(Box(x, y, x + width, y + height), _inked(ink[y : y + height, x : x + width]) > EMPTY)


def _is_square(shape: Pixels) -> bool:
    edge = max(1, round(EDGE * min(shape.shape)))
    sides = (shape[:edge].any(0), shape[-edge:].any(0), shape[:, :edge].any(1), shape[:, -edge:].any(1))
    return all(side.mean() > DRAWN for side in sides) and all(corner.any() for corner in _corners(shape))


def _is_ring(shape: Pixels) -> bool:
    height, width = shape.shape
    depths = np.linspace(1 - 2 * EDGE, 1.0, 6)[:, None]
    rows = ((height - 1) / 2 * (1 + depths * np.sin(ANGLES))).round().astype(int)
    columns = ((width - 1) / 2 * (1 + depths * np.cos(ANGLES))).round().astype(int)
    around = shape[rows, columns].any(0).mean()
    return bool(around > DRAWN) and not any(corner.any() for corner in _corners(shape))


def _corners(shape: Pixels) -> list[Pixels]:
    at = max(1, round(CORNER * min(shape.shape)))
    return [shape[:at, :at], shape[:at, -at:], shape[-at:, :at], shape[-at:, -at:]]


def _inked(within: Pixels) -> float:
    rows, columns = (max(1, round(INNER * side)) for side in within.shape)
    return float(within[rows:-rows, columns:-columns].mean())


def _stands_alone(ink: Pixels, x: int, y: int, width: int, height: int, most: float) -> bool:
    """White at both sides, as no letter within a word has, and `most` of it at one: no word in a sentence has that."""
    row, reaches = ink[y : y + height], [max(1, round(share * width)) for share in (WHITE, most)]
    sides = [(row[:, max(0, x - reach) : x], row[:, x + width : x + width + reach]) for reach in reaches]
    near, far = ([not side.size or side.mean() < EMPTY / 2 for side in pair] for pair in sides)
    return all(near) and any(far)


def _is_of_form(each: tuple[str, TickBox], found: Sequence[tuple[str, TickBox]]) -> bool:
    """Whether others have its shape and size, one of them empty, and none stands close by, as cells for letters do."""
    kind, box = each[0], each[1].box
    alike = [other for form, other in found if form == kind and abs(other.box.width - box.width) < ALIKE * box.width]
    near = box.expanded(2 * WHITE * box.width)
    close = any(other is not each[1] and near.intersection(other.box) > 0 for _, other in found)
    return len(alike) >= SEVERAL and not all(other.ticked for other in alike) and not close
