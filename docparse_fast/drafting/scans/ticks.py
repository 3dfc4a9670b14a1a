"""Boxes to be ticked, seen on a scan, as signs before their words; what was read for one goes. Knows lines, boxes."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import pairwise
from statistics import median

import cv2
import numpy as np

from docparse_fast.document import Box, TickBox
from docparse_fast.drafting.arrays import Pixels, scaled
from docparse_fast.drafting.lines import Line, pieces
from docparse_fast.drafting.measures import MOST, MOSTLY, SEVERAL, TELLING_LETTERS
from docparse_fast.drafting.scans.drawn_lines import DARKER
from docparse_fast.system.greys import percentiles
from docparse_fast.text.placed_words import PlacedWord

BEFORE = 2.5  # of the type's size, between a box and its words
MISREAD = re.compile(r"^\\?(?:[^\w\s]|[口囗曰日回冈区図凶因]|[OoQDCXxVv0](?=[A-Z\W]|$))\s*")
AFAR = 17.0  # pixels of type: from nearer no page of 62 shows its boxes first
SMALLEST, SMALLEST_RING, LARGEST = 0.5, 0.65, 1.8  # of the type's size; a smaller ring is an `o`
EDGE = 0.2  # of a side: where its line runs
DRAWN = 0.85  # of a side or a ring has ink
CORNER = 0.4  # of a square's corners has ink: 0.44 and more, blurred ones too, where an O has 0.39 at most
INNER = 0.28  # of a side, from its edge to what may be in it
EMPTY = 0.08  # of what is within, inked by grain
GRAINS, SPECK = 5, 0.015  # times the usual grain, darker is ink; of the type's size, squared: smaller is none
BESIDE_SQUARE, BESIDE_RING = (0.15, 0.8), (0.3, 1.2)  # of a side: white at both sides, and at one
APART = 0.6  # of a side: cells for letters stand closer
ALIKE = 0.15  # of a side, by which boxes of one form may differ; so much of its corners a ring leaves white, mostly
MOST_BOXES = 200  # on a page
SEEN = 4.0  # of the type's size: how far around a pixel its ground is looked for
ANGLES = np.linspace(0, 2 * np.pi, 48, endpoint=False)


def with_ticks(image: Pixels, lines: Sequence[Line]) -> list[Line]:
    sizes = [line.size for line in lines if sum(map(str.isalpha, line.plain)) >= TELLING_LETTERS]
    boxes = boxes_seen(cv2.cvtColor(image, cv2.COLOR_RGB2GRAY), median(sizes)) if sizes else []
    signs: dict[int, list[PlacedWord]] = {}
    for each in sorted(boxes, key=lambda each: each.box.x0):
        signs.setdefault(_home(each.box, lines), []).append((each.box, each.sign))
    alone = [Line(box, sign, box.height, lines[0].source) for box, sign in signs.get(-1, ())]
    return [*(with_signs(line, signs.get(n, ())) for n, line in enumerate(lines)), *alone]


def _home(box: Box, lines: Sequence[Line]) -> int:
    """The line that it stands in or next before; -1 if there is none."""
    level = {n: line for n, line in enumerate(lines) if line.box.y0 < box.center[1] < line.box.y1}
    near = {n: line.box.x0 - box.x0 for n, line in level.items() if box.x0 < line.box.x1}
    return min((n for n in near if near[n] < BEFORE * lines[n].size), key=lambda n: max(0.0, near[n]), default=-1)


def with_signs(line: Line, signs: Sequence[PlacedWord]) -> Line:
    """The line's words in parts, one behind each sign."""
    if not signs:
        return line
    starts = [float("-inf"), *(box.center[0] for box, _ in signs), float("inf")]
    words = line.words or ((line.box, line.plain),)
    runs = [[word for word in words if a <= word[0].x1 < b] for a, b in pairwise(starts)]
    parts = iter(pieces(line, [run for run in runs if run]))
    plain, text, placed = "", "", list[PlacedWord]()
    for run, sign in zip(runs, [None, *signs], strict=True):
        said, written = ((part := next(parts)).plain, part.text) if run else ("", "")
        if sign is not None:
            said, written, run = _behind(sign, said, written, run)
        plain, text = f"{plain} {said}", f"{text} {written}"
        placed += run
    around = Box.around((line.box, *(box for box, _ in signs)))
    return replace(line, box=around, plain=plain.strip(), text=text.strip(), words=tuple(placed))


def _behind(sign: PlacedWord, said: str, text: str, run: list[PlacedWord]) -> tuple[str, str, list[PlacedWord]]:
    """A part of a line behind its sign, without what was read for that."""
    if run and run[0][0].x0 < sign[0].center[0]:
        (place, first), *rest = run
        alone, read = len(first) == 1 and place.center[0] < sign[0].x1, (said, text, first)
        said, text, first = (each.lstrip("\\")[1:].lstrip() if alone else MISREAD.sub("", each) for each in read)
        run = [(place, first), *rest] if first else rest
    return f"{sign[1]} {said}", f"{sign[1]} {text}", [sign, *run]


def boxes_seen(grey: Pixels, size: float) -> list[TickBox]:
    """Those on a page whose type is of this size, in pixels; most pages show from afar that they have none."""
    if size > AFAR and not any(_closed_shapes(scaled(grey, AFAR / size), AFAR)):
        return []
    found = list(_closed_shapes(grey, size))
    return [each[1] for each in found if _is_of_form(each, found)] if len(found) <= MOST_BOXES else []


def _closed_shapes(grey: Pixels, size: float) -> Iterator[tuple[str, TickBox]]:
    """Rings and squares; a square's sides are looked at alone, too, since what ticks it may reach over them."""
    block = max(3, int(SEEN * size)) | 1
    darker = max(DARKER, GRAINS * percentiles(cv2.absdiff(grey, cv2.medianBlur(grey, 3))[::3, ::3], 50)[0])
    ink = cv2.adaptiveThreshold(grey, 1, cv2.ADAPTIVE_THRESH_MEAN_C, cv2.THRESH_BINARY_INV, block, darker)
    ink = cv2.morphologyEx(ink, cv2.MORPH_CLOSE, np.ones((3, 3), np.uint8))
    _, joined, reach, _ = whole = cv2.connectedComponentsWithStats(ink, connectivity=8)
    ink[(reach[:, cv2.CC_STAT_AREA] < SPECK * size * size)[joined]] = 0
    side = np.ones(max(2, round(SMALLEST * size)), np.uint8)
    sides = [cv2.morphologyEx(ink, cv2.MORPH_OPEN, form) for form in (side[:, None], side[None])]
    taken = np.zeros_like(ink)
    for _, marked, stats, _ in (whole, cv2.connectedComponentsWithStats(np.maximum(*sides), connectivity=8)):
        longest, shortest = stats[:, 2:4].max(axis=1), stats[:, 2:4].min(axis=1)
        likely = (SMALLEST * size <= longest) & (longest <= LARGEST * size) & (shortest >= MOSTLY * longest)
        for n in np.flatnonzero(likely[1:]) + 1:
            x, y, width, height, _ = stats[n].tolist()
            long, at = max(width, height), (slice(y, y + height), slice(x, x + width))
            shape, is_large = marked[at] == n, long > SMALLEST_RING * size
            own = [n for n in {*joined[at][shape].tolist()} if reach[n, cv2.CC_STAT_WIDTH] < 2 * long]
            row = np.where(np.isin(joined[at[0]], own), 0, ink[at[0]])
            kind = _kind(shape, is_large, row, x, may_be_ring=marked is joined)
            if kind and not taken[at].any():
                edge, taken[at] = max(1, round(INNER * long)), 1
                yield kind, TickBox(Box(x, y, x + width, y + height), ink[at][edge:-edge, edge:-edge].mean() > EMPTY)


def _kind(shape: Pixels, is_large: bool, row: Pixels, x: int, *, may_be_ring: bool) -> str:
    kind = "square" if _is_square(shape) else "ring" if is_large and may_be_ring and _is_ring(shape) else ""
    white = BESIDE_SQUARE if kind == "square" and is_large else BESIDE_RING
    return kind if kind and _stands_alone(row, x, shape.shape[1], white) else ""


def _is_square(shape: Pixels) -> bool:
    edge = max(1, round(EDGE * min(shape.shape)))
    sides = (shape[:edge].any(0), shape[-edge:].any(0), shape[:, :edge].any(1), shape[:, -edge:].any(1))
    corners = [corner.mean() for corner in _corners(shape)]
    return all(side.mean() > DRAWN for side in sides) and all(corners) and sum(corners) > len(corners) * CORNER


def _is_ring(shape: Pixels) -> bool:
    height, width = shape.shape
    depths = np.linspace(1 - EDGE, 1.0, 6)[:, None]
    rows = ((height - 1) / 2 * (1 + depths * np.sin(ANGLES))).round().astype(int)
    columns = ((width - 1) / 2 * (1 + depths * np.cos(ANGLES))).round().astype(int)
    around = shape[rows, columns].any(0).mean()
    return bool(around > DRAWN) and not any(corner.mean() > MOST for corner in _corners(shape))


def _corners(shape: Pixels) -> list[Pixels]:
    at = max(1, round(ALIKE * min(shape.shape)))
    return [shape[:at, :at], shape[:at, -at:], shape[-at:, :at], shape[-at:, -at:]]


def _stands_alone(row: Pixels, x: int, width: int, white: tuple[float, float]) -> bool:
    """White at both sides, as no letter within a word has, and more of it at one: no word in a sentence has that."""
    reaches = [max(1, round(share * width)) for share in white]
    sides = [(row[:, max(0, x - reach) : x], row[:, x + width : x + width + reach]) for reach in reaches]
    near, far = ([not side.size or side.mean() < EMPTY / 2 for side in pair] for pair in sides)
    return all(near) and any(far)


def _is_of_form(each: tuple[str, TickBox], found: Sequence[tuple[str, TickBox]]) -> bool:
    """Whether others have its shape and size, one of them empty, and none is close beside, as cells for letters are."""
    kind, box = each[0], each[1].box
    alike = [other for form, other in found if form == kind and abs(other.box.width - box.width) < ALIKE * box.width]
    near = replace(box, x0=box.x0 - APART * box.width, x1=box.x1 + APART * box.width)
    close = any(other is not each[1] and near.intersection(other.box) > 0 for _, other in found)
    return len(alike) >= SEVERAL and not all(other.ticked for other in alike) and not close
