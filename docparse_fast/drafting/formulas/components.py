"""Cuts an image into connected pieces of ink, and shows each as a classifier looks at it. Knows no symbols.

The classifier sees a piece three times: by itself, filling the picture; small, among what stands around it; and as
small but alone, which tells the piece from what touches it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import takewhile

import cv2
import numpy as np
from numpy.typing import NDArray

from docparse_fast.document import Box
from docparse_fast.drafting.arrays import Pixels

SIZE = 32  # pixels of type in the image that is cut
LOOK = 32  # pixels of a look's side
MARGIN = 2  # pixels around a piece that fills its look
AROUND = 36  # pixels to each side of a piece's middle in its small look
FEWEST = 4  # pixels of ink in a piece
SOFTENED = 0.6  # pixels: what is thresholded is smoothed by this
THIN = 0.15  # how much lighter than halfway to paper ink may be: thin strokes are grey
MOST_PIECES = 2000
NARROWEST = 4  # pixels: the least that is cut off a piece
BREAK = 6.0  # pixels: how far apart the pieces of a broken sign stand
INK = np.uint8(255)


@dataclass(frozen=True, slots=True)
class InkPiece:
    """`box` is in pixels of the image that was cut."""

    box: Box
    own: Pixels  # its ink within the box
    look: Pixels  # (3, LOOK, LOOK): ink is 255

    @property
    def measures(self) -> tuple[float, float]:
        """Width and height in type sizes, as logarithms."""
        return float(np.log(self.box.width / SIZE)), float(np.log(self.box.height / SIZE))


class Ink:
    """An image's ink, in pieces. Its type should be about SIZE pixels high, and its paper light."""

    def __init__(self, grey: Pixels) -> None:
        ink = _inked(grey)
        self._far = cv2.copyMakeBorder(ink * INK, AROUND, AROUND, AROUND, AROUND, cv2.BORDER_CONSTANT)
        count, labels, stats, _ = cv2.connectedComponentsWithStats(ink, connectivity=8)
        self.pieces: list[InkPiece] = []
        for n in range(1, min(count, MOST_PIECES)):
            x, y, width, height, area = map(int, stats[n])
            if area >= FEWEST:
                own = (labels[y : y + height, x : x + width] == n).astype(np.uint8) * INK
                self.pieces.append(self._piece(own, x, y))

    def close_pairs(self) -> list[tuple[int, int]]:
        """Numbers of pieces that stand so close that they may be one sign's, broken in print."""
        order = sorted(range(len(self.pieces)), key=lambda n: self.pieces[n].box.x0)
        close: list[tuple[int, int]] = []
        for at, n in enumerate(order):
            reach = self.pieces[n].box.expanded(BREAK)
            beside = takewhile(lambda m, end=reach.x1: self.pieces[m].box.x0 < end, order[at + 1 :])  # type: ignore[misc]
            close += [(n, m) for m in beside if reach.overlap_y(self.pieces[m].box) > 0]
        return [(n, m) for n, m in close if _ink_apart(self.pieces[n], self.pieces[m]) <= BREAK]

    def joined(self, pieces: Sequence[InkPiece]) -> InkPiece:
        """Pieces as if they were one."""
        box = Box.around(piece.box for piece in pieces)
        return self._piece(_drawn(pieces, box), int(box.x0), int(box.y0))

    def halves(self, piece: InkPiece, most: int) -> list[tuple[InkPiece, InkPiece]]:
        """Ways to cut a piece in two where it is thinnest, the thinnest first."""
        thick = np.count_nonzero(piece.own, axis=0)
        inner = range(NARROWEST, len(thick) - NARROWEST)
        lowest = [x for x in inner if thick[x] == thick[max(0, x - 2) : x + 3].min()]
        apart = [x for n, x in enumerate(lowest) if not n or x - lowest[n - 1] > 1]
        return [self._cut(piece, x) for x in sorted(apart, key=lambda x: thick[x])[:most]]

    def _cut(self, piece: InkPiece, column: int) -> tuple[InkPiece, InkPiece]:
        left, top = int(piece.box.x0), int(piece.box.y0)
        first, second = (
            self._trimmed(part, left + start, top)
            for start, part in ((0, piece.own[:, :column]), (column, piece.own[:, column:]))
        )
        return first, second

    def _trimmed(self, own: Pixels, x: int, y: int) -> InkPiece:
        rows, columns = np.flatnonzero(own.any(axis=1)), np.flatnonzero(own.any(axis=0))
        if not len(rows):
            return self._piece(own, x, y)
        part = own[rows[0] : rows[-1] + 1, columns[0] : columns[-1] + 1]
        return self._piece(np.ascontiguousarray(part), x + int(columns[0]), y + int(rows[0]))

    def _piece(self, own: Pixels, x: int, y: int) -> InkPiece:
        height, width = own.shape
        middle_x, middle_y = x + width // 2, y + height // 2
        around = self._far[middle_y : middle_y + 2 * AROUND, middle_x : middle_x + 2 * AROUND]
        box = Box(float(x), float(y), float(x + width), float(y + height))
        return InkPiece(box, own, np.stack([_filling(own), _small(around), _small(_alone(own))]))


def _ink_apart(a: InkPiece, b: InkPiece) -> float:
    """How many pixels lie between the ink of two pieces, whichever way."""
    box = Box.around([a.box, b.box])
    far = cv2.distanceTransform(INK - _drawn([a], box), cv2.DIST_L2, 3)
    return float(far[_drawn([b], box) > 0].min())


def _drawn(pieces: Sequence[InkPiece], box: Box) -> Pixels:
    """The pieces' ink within a box."""
    drawn = np.zeros((int(box.height), int(box.width)), np.uint8)
    for piece in pieces:
        x, y = int(piece.box.x0 - box.x0), int(piece.box.y0 - box.y0)
        field = drawn[y : y + piece.own.shape[0], x : x + piece.own.shape[1]]
        np.maximum(field, piece.own, out=field)
    return drawn


def _inked(grey: Pixels) -> Pixels:
    soft = cv2.GaussianBlur(grey, (0, 0), SOFTENED)
    middle, _ = cv2.threshold(soft, 0, 1, cv2.THRESH_BINARY_INV | cv2.THRESH_OTSU)
    paper = float(np.median(soft))
    return np.asarray(soft <= middle + THIN * max(0.0, paper - middle), np.uint8)


def _small(around: Pixels) -> Pixels:
    return np.asarray(cv2.resize(around, (LOOK, LOOK), interpolation=cv2.INTER_AREA), np.uint8)


def _alone(own: Pixels) -> Pixels:
    """A piece where its surroundings show it; what is too long for them is cut off."""
    height, width = own.shape
    top, left = AROUND - height // 2, AROUND - width // 2
    seen = own[max(0, -top) : 2 * AROUND - top, max(0, -left) : 2 * AROUND - left]
    field = np.zeros((2 * AROUND, 2 * AROUND), np.uint8)
    y, x = max(0, top), max(0, left)
    field[y : y + seen.shape[0], x : x + seen.shape[1]] = seen
    return field


def _filling(own: Pixels) -> Pixels:
    """A piece in the middle of its look, as large as fits; its proportions stay."""
    height, width = own.shape
    scale = (LOOK - 2 * MARGIN) / max(height, width)
    size = max(1, round(width * scale)), max(1, round(height * scale))
    resized = cv2.resize(own, size, interpolation=cv2.INTER_AREA if scale < 1 else cv2.INTER_LINEAR)
    look = np.zeros((LOOK, LOOK), np.uint8)
    left, top = (LOOK - size[0]) // 2, (LOOK - size[1]) // 2
    look[top : top + size[1], left : left + size[0]] = resized
    return look


def stacked(pieces: Sequence[InkPiece]) -> tuple[Pixels, NDArray[np.float32]]:
    """All looks and all measures, as a classifier takes them."""
    looks = np.stack([piece.look for piece in pieces])
    return looks, np.array([piece.measures for piece in pieces], np.float32)
