"""Finds bullets that stand before lines on a scan and that no recogniser read. Knows pixels and lines.

A bullet is a small round blot or ring alone before its words, with more of its kind above or below it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

import cv2
import numpy as np

from docparse_fast.document import Box
from docparse_fast.drafting.arrays import Pixels
from docparse_fast.drafting.blocks.paragraphs import item_text
from docparse_fast.drafting.lines import Line
from docparse_fast.drafting.measures import in_one_row

BULLET = "•"
BEFORE = 2.4  # of the type's size: how far before its words a bullet is looked for
SMALLEST, LARGEST = 0.16, 0.6  # of the type's size
LONGEST = 1.4  # of the shorter side
OFF = 0.22  # of the line's height: how far its middle may lie from the line's
ALONE = 1.0  # of the type's size: white before it
SAME = 0.35  # of the type's size: how far the bullets of a list may lie apart across, and differ in size
FEWEST = 2
SHOWN = 6.0  # of the type's size: so much of the line shows how dark its ink is
DARK = 0.6  # of the way from a line's ink to its paper: what is lighter is paper


def with_bullets(image: Pixels, lines: Sequence[Line]) -> list[Line]:
    """The lines; those behind a bullet begin with it."""
    found = {n: box for n, line in enumerate(lines) if (box := _bullet(image, line, lines)) is not None}
    kept = {
        n for n, box in found.items() if sum(_alike(box, other, lines[n].size) for other in found.values()) >= FEWEST
    }
    return [_begun(line, found[n]) if n in kept else line for n, line in enumerate(lines)]


def _bullet(image: Pixels, line: Line, lines: Sequence[Line]) -> Box | None:
    if not line.words or item_text(line.plain) is not None:
        return None
    first = line.words[0][0].x0
    zone = Box(first - (BEFORE + ALONE) * line.size, line.box.y0, first + 0.1 * line.size, line.box.y1)
    if any(_stands_in(zone, other) for other in lines if other is not line and other.box.x0 < first):
        return None
    return _lone_blot(_ink_in(image, zone, line), zone, line)


def _stands_in(zone: Box, other: Line) -> bool:
    return other.box.overlap_x(zone) > 0 and in_one_row(other.box, zone)


def _ink_in(image: Pixels, zone: Box, line: Line) -> Pixels:
    """1 where the zone is about as dark as the line's ink."""
    beside = zone.x1 + SHOWN * line.size
    x0, y0, x1, y1 = (max(0, round(side)) for side in (zone.x0, zone.y0, min(beside, line.box.x1), zone.y1))
    grey = cv2.cvtColor(np.ascontiguousarray(image[y0:y1, x0:x1]), cv2.COLOR_RGB2GRAY)
    if not grey.size:
        return np.zeros((1, 1), np.uint8)
    ink, paper = np.percentile(grey[::2, ::2], (2, 90))
    zone_width = max(1, round(zone.x1) - x0)
    return np.asarray(grey[:, :zone_width] < ink + DARK * (paper - ink), np.uint8)


def _lone_blot(ink: Pixels, zone: Box, line: Line) -> Box | None:
    """The one blot of a bullet's size and height, if nothing else stands before the words."""
    boxes = [box for box in _blots(ink, max(0.0, zone.x0), max(0.0, zone.y0)) if box.x1 < zone.x1 - 1]
    boxes = [box for box in boxes if max(box.width, box.height) > SMALLEST / 2 * line.size]
    if len(boxes) != 1:
        return None
    (box,) = boxes
    short, long = sorted((box.width, box.height))
    right_size = SMALLEST * line.size <= short and long <= min(LARGEST * line.size, LONGEST * short)
    level = abs(box.center[1] - line.box.center[1]) < OFF * line.box.height
    return box if right_size and level and box.x0 > zone.x0 + ALONE * line.size else None


def _blots(ink: Pixels, left: float, top: float) -> Iterator[Box]:
    count, _, stats, _ = cv2.connectedComponentsWithStats(ink, connectivity=8)
    for x, y, across, down, _ in stats[1:count].tolist():
        yield Box(left + x, top + y, left + x + across, top + y + down)


def _alike(box: Box, other: Box, size: float) -> bool:
    return abs(box.center[0] - other.center[0]) < SAME * size and abs(box.height - other.height) < SAME * size


def _begun(line: Line, bullet: Box) -> Line:
    words = ((bullet, BULLET), *line.words)
    text, plain = f"{BULLET} {line.text}", f"{BULLET} {line.plain}"
    return replace(line, text=text, plain=plain, box=Box.around((bullet, line.box)), words=words)
