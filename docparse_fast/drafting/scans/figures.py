"""Finds pictures on a page: ink that is neither text nor a rule. Knows pixels; does not know what a picture shows."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from docparse_fast.document import Box, Category, Draft, Region
from docparse_fast.drafting.arrays import scaled
from docparse_fast.drafting.lines import LayoutBox, Line, words_of
from docparse_fast.drafting.measures import HELD, LEAST_FIGURE, MOST, TEXT_IN_FIGURE
from docparse_fast.geometry import parted
from docparse_fast.system.greys import percentiles

SEEN_WIDTH = 500  # pixels: the page is looked at this wide
SEEN_HEIGHT = 8_000  # at most: an image one pixel wide and 5,000 high would take gigabytes
LEAST_AREA = 0.012  # of the page
LEAST_INK = 0.12  # of the picture's own box
FEWEST_LINES = 8  # of a page, in a box that is no figure: labels are fewer
SHARP, SHARP_PART = 25, 75  # grey levels from one pixel to the next, in a quarter of a picture's border
DARKER = 40  # grey levels below the paper


def figures(
    image: NDArray[np.uint8], layout: Sequence[LayoutBox], lines: list[Line], tables: Sequence[Region]
) -> tuple[list[Region], list[Line]]:
    """Figures as finished regions, with the words that stand in them, and the lines that are left."""
    boxes, taken = [line.box for line in lines], [table.box for table in tables]
    labelled = [label.box for label in layout if label.category is Category.FIGURE]
    free = [box for box in labelled if not any(table.covers(box) > HELD for table in taken)]
    known = [box for box in free if not full_of_text(box, boxes)]
    found = pictures(image, [*boxes, *known, *taken])
    seen = [box for box in found if not full_of_text(box, boxes) and not is_ground(box, boxes)]
    made = []
    for box in [*known, *seen]:
        inside, lines = parted(lines, lambda line, box=box: box.holds(line.box))  # type: ignore[misc]
        inside.sort(key=lambda line: (line.box.y0, line.box.x0))
        words = " ".join(line.text for line in inside)
        made.append(Region(box, Category.FIGURE, (Draft(words, "embedded"),) if words else (), words=words_of(inside)))
    return made, lines


def pictures(image: NDArray[np.uint8], taken: Sequence[Box]) -> list[Box]:
    """Boxes of the ink that remains after text, tables and known figures (`taken`) are wiped out."""
    height, width = image.shape[:2]
    small = scaled(image, min(SEEN_WIDTH / width, SEEN_HEIGHT / height))
    ink = _ink(small)
    scale = ink.shape[1] / width
    for box in taken:
        near = box.expanded(0.15 * min(box.height, box.width)).scaled(scale)
        ink[max(0, int(near.y0)) : int(near.y1) + 1, max(0, int(near.x0)) : int(near.x1) + 1] = 0
    ink = _without_rules(ink)
    reach = max(3, SEEN_WIDTH // 60)
    joined = cv2.morphologyEx(ink, cv2.MORPH_CLOSE, np.ones((reach, reach), np.uint8))
    count, labels, stats, _ = cv2.connectedComponentsWithStats(joined)
    grey = cv2.cvtColor(small, cv2.COLOR_RGB2GRAY)
    steps = np.asarray(cv2.morphologyEx(grey, cv2.MORPH_GRADIENT, np.ones((3, 3), np.uint8)))
    found = []
    for label, (x, y, across, down, _) in enumerate(stats[1:count], start=1):
        here = np.s_[y : y + down, x : x + across]
        around = np.s_[max(0, y - 1) : y + down + 1, max(0, x - 1) : x + across + 1]
        dense = float(ink[here].mean()) >= LEAST_INK
        large = across * down >= LEAST_AREA * ink.size and min(across, down) >= LEAST_FIGURE * ink.shape[1]
        if dense and large and not _is_shadow(labels[around] == label, steps[around]):
            found.append(Box(float(x), float(y), float(x + across), float(y + down)).scaled(1 / scale))
    return [box.clipped(width, height) for box in found]


def full_of_text(box: Box, lines: Sequence[Box]) -> bool:
    """Whether a "figure" is really text that a layout model mistook for a figure."""
    return sum(box.intersection(line) for line in lines) > TEXT_IN_FIGURE * box.area


def is_ground(box: Box, lines: Sequence[Box]) -> bool:
    """Whether a "figure" is what the page's text stands on: a screen around a sheet, a coloured slide."""
    held = sum(box.covers(line) > HELD for line in lines)
    return held >= FEWEST_LINES and held > MOST * len(lines)


def _is_shadow(inside: NDArray[np.bool_], steps: NDArray[np.uint8]) -> bool:
    """Whether the paper darkens bit by bit where this begins: a picture begins at an edge."""
    kernel = np.ones((3, 3), np.uint8)
    border = inside & (cv2.erode(inside.astype(np.uint8), kernel, borderType=cv2.BORDER_REPLICATE) == 0)
    return border.any() and float(np.percentile(steps[border], SHARP_PART)) < SHARP


def _ink(small: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """1 where the page differs from the paper around in darkness or colour."""
    away = [cv2.absdiff(channel, int(*percentiles(channel, 50))) for channel in cv2.split(small)]
    return np.asarray(np.maximum.reduce(away) > DARKER, np.uint8)


def _without_rules(ink: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """Wipes out long thin lines: the frame of a form is not a picture."""
    for shape in ((1, SEEN_WIDTH // 12), (SEEN_WIDTH // 12, 1)):
        lines = cv2.morphologyEx(ink, cv2.MORPH_OPEN, np.ones(shape, np.uint8))
        thick = cv2.morphologyEx(ink, cv2.MORPH_OPEN, np.ones((4, 4), np.uint8))
        ink = np.where((lines > 0) & (thick == 0), 0, ink).astype(np.uint8)
    return ink
