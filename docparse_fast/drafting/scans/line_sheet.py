"""Puts lines of text together on one sheet, as a page has them, and tells which line a place on it belongs to.

Tesseract lays out whatever it is given: in a line alone it takes words for columns, and a short line for no text. Knows
no letters and no reader.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from statistics import median

import cv2
import numpy as np
from numpy.typing import NDArray

from docparse_fast.drafting.arrays import Pixels

Colours = NDArray[np.float32]

HEIGHT = 40  # pixels of a line's picture; its type is about 28 tall
LEADING = 56  # pixels between rows: with less, Korean is taken for columns
PITCH = HEIGHT + LEADING
ALIKE = 1.15  # how much higher or lower than usual a line may be, and stay at the scale of the others
MARGIN = 40  # of paper around: with less, the picture's edge is read as a letter
APART = 40  # pixels between lines of one row
MOST_ROWS = 60  # of a sheet
WHITE = 255
INK = 5  # per cent of a line's pixels: the darkest, which are its strokes
FAINT = 190  # of white paper's 255: ink as light is made black
ASKED = 16  # lines of a page whose ink is looked at
GRAIN = 0.025  # of a line's height, over which the paper's grain is smoothed


def darkened(crops: Sequence[Pixels]) -> list[Pixels]:
    """The lines as they are, or black on white if most of them are faint. A few faint lines are the back's."""
    some = crops[:: 1 + len(crops) // ASKED]
    if not crops or median(np.percentile(_on_white(crop), INK) for crop in some) < FAINT:
        return list(crops)
    return [_black(_on_white(crop)) for crop in crops]


def _on_white(crop: Pixels) -> Pixels:
    """Without grain, the paper above and below the line made white."""
    smooth = cv2.GaussianBlur(np.ascontiguousarray(crop), (0, 0), GRAIN * crop.shape[0]).astype(np.float32)
    return np.asarray(np.clip(smooth * (WHITE / np.maximum(paper_of(smooth), 1)), 0, WHITE), np.uint8)


def _black(crop: Pixels) -> Pixels:
    ink = float(np.percentile(crop, INK))
    stretched = (crop.astype(np.float32) - ink) * (WHITE / max(1.0, WHITE - ink))
    return np.asarray(np.clip(stretched, 0, WHITE), np.uint8)


@dataclass(frozen=True, slots=True)
class LineInRow:
    line: int
    picture: Pixels
    x: int


@dataclass(frozen=True, slots=True)
class LineSheet:
    pixels: Pixels
    rows: tuple[tuple[LineInRow, ...], ...]

    def line_at(self, x: float, y: float) -> tuple[int, float, int] | None:
        """The line at a place, how far along it the place is, as a part of its width, and its width."""
        row = int((y - MARGIN) // PITCH)
        for placed in self.rows[row] if 0 <= row < len(self.rows) else ():
            width = placed.picture.shape[1]
            if placed.x - APART / 2 <= x < placed.x + width + APART / 2:
                return placed.line, min(max((x - placed.x) / width, 0.0), 1.0), width
        return None


def sheets(crops: Sequence[Pixels], rows: Sequence[Sequence[int]], *, from_right: bool = False) -> Iterator[LineSheet]:
    """Sheets whose rows show the lines of these numbers, in the order in which they are read."""
    usual = median(crop.shape[0] for crop in crops)
    pictures = [_levelled(crop, usual) for crop in crops]
    for first in range(0, len(rows), MOST_ROWS):
        yield _drawn(rows[first : first + MOST_ROWS], pictures, from_right)


def _drawn(rows: Sequence[Sequence[int]], pictures: Sequence[Pixels], from_right: bool) -> LineSheet:
    across = max(sum(pictures[line].shape[1] + APART for line in row) for row in rows) + 2 * MARGIN
    pixels = np.full((2 * MARGIN + len(rows) * PITCH, across, 3), WHITE, np.uint8)
    placed_rows = []
    for number, row in enumerate(rows):
        placed = tuple(_placed(row, pictures, across, from_right))
        middle = MARGIN + number * PITCH + PITCH // 2
        for one in placed:
            height, width = one.picture.shape[:2]
            top = middle - height // 2
            pixels[top : top + height, one.x : one.x + width] = one.picture
        placed_rows.append(placed)
    return LineSheet(pixels, tuple(placed_rows))


def _placed(row: Sequence[int], pictures: Sequence[Pixels], across: int, from_right: bool) -> Iterator[LineInRow]:
    x = MARGIN
    for line in row:
        width = pictures[line].shape[1]
        yield LineInRow(line, pictures[line], across - x - width if from_right else x)
        x += width + APART


def paper_of(line: Colours) -> Colours:
    """The colour above and below a line's letters."""
    return np.asarray(np.median(np.concatenate([line[0], line[-1]]), axis=0), np.float32)


def _levelled(crop: Pixels, usual: float) -> Pixels:
    """A line at the sheet's scale, dark on white; one of much larger or smaller type at its own."""
    height, width = crop.shape[:2]
    scale = HEIGHT / (usual if usual / ALIKE < height < usual * ALIKE else height)
    size = (max(1, round(width * scale)), max(1, round(height * scale)))
    interpolation = cv2.INTER_AREA if scale < 1 else cv2.INTER_CUBIC
    line = cv2.resize(np.ascontiguousarray(crop), size, interpolation=interpolation).astype(np.float32)
    paper = paper_of(line)
    if float(paper.mean()) <= min(WHITE / 2, float(line.mean())):  # light letters, and no page in low light
        line, paper = WHITE - line, WHITE - paper
    return np.asarray(np.clip(line * (WHITE / np.maximum(paper, 1)), 0, WHITE), np.uint8)
