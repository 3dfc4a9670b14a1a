"""Flattens a page whose lines bend: an open book's, or one that a camera saw from the side. Knows where lines run.

All lines of a page bend in one way, which changes slowly from its top to its foot. So one surface of few numbers is
fitted to the middles of all long lines, and each point is moved up or down by it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from docparse_fast.document import Box
from docparse_fast.drafting.arrays import Pixels

LONG = 8.0  # heights: shorter lines tell little about a bend
FEWEST = 6  # long lines that a page's bend is read from
SAMPLES = 24  # points along a line
BENT = 0.4  # of a line's core, from which a page is flattened
MANY = 0.75  # of the lines: where the others bend twice as much, the page is bent though its short lines are straight
FAR_OFF = 3.0  # times the usual distance from the surface: a line as far off is no line of text
ROUNDS = 3  # of fitting, each without what was far off before
LEFT_OVER = 0.5  # of what the lines bend: a surface that leaves more of it is not this page's
Points = NDArray[np.float64]  # (points, 2), x and y


@dataclass(frozen=True, slots=True)
class MidLine:
    """The middle of a line of text, from left to right, and how high its core is."""

    points: Points
    height: float

    def shifted(self, across: float) -> MidLine:
        return MidLine(self.points + np.array([across, 0.0]), self.height)


@dataclass(frozen=True, slots=True)
class Bend:
    """How far below its level each point of a page stands."""

    weights: NDArray[np.float64]
    width: int
    height: int

    def flattened(self, pixels: Pixels) -> Pixels:
        x, y = np.meshgrid(np.arange(self.width, dtype=np.float32), np.arange(self.height, dtype=np.float32))
        down = (y + self._below(x, y)).astype(np.float32)
        return np.asarray(cv2.remap(pixels, x, down, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE), np.uint8)

    def bent(self, box: Box) -> Box:
        """A box of the flat page, where it stood on the bent one."""
        ends = np.array([box.x0, box.center[0], box.x1])
        top, foot = (self._below(ends, np.full(3, y)) for y in (box.y0, box.y1))
        bent = Box(box.x0, box.y0 + float(top.min()), box.x1, box.y1 + float(foot.max()))
        return bent.clipped(self.width, self.height)

    def _below(self, x: NDArray[np.floating], y: NDArray[np.floating]) -> NDArray[np.floating]:
        terms = _terms(2 * x / self.width - 1, 2 * y / self.height - 1)
        below: NDArray[np.floating] = sum(weight * term for weight, term in zip(self.weights, terms, strict=True))
        return below


def midline(contour: NDArray[np.int32], x_scale: float, y_scale: float) -> MidLine:
    """The middle of what a contour encloses, column by column of pixels."""
    left, top, across, down = cv2.boundingRect(contour)
    inside = np.zeros((down, across), np.uint8)
    cv2.drawContours(inside, [contour], -1, 1, cv2.FILLED, offset=(-left, -top))
    thick = inside.sum(axis=0)
    middle = (inside * np.arange(down)[:, None]).sum(axis=0) / np.maximum(1, thick)
    points = np.stack([(left + np.arange(across) + 0.5) * x_scale, (top + middle + 0.5) * y_scale], axis=1)
    return MidLine(points, float(np.median(thick)) * y_scale)


def bend_of(lines: Sequence[MidLine], width: int, height: int) -> Bend | None:
    """The page's bend; `None` if its lines are straight and run alike, or bend in no common way."""
    long_lines = _long(lines)
    if len(long_lines) < FEWEST:
        return None
    sampled = _sampled(long_lines)
    bows = _bows(sampled) / _usual_height(long_lines)
    if float(np.median(bows)) < BENT and float(np.quantile(bows, MANY)) < 2 * BENT:
        return None
    return _fitted(sampled, width, height, float(np.median(bows)) * _usual_height(long_lines))


def bow(lines: Sequence[MidLine]) -> float:
    """How far most lines leave their level, in heights of their core."""
    long_lines = _long(lines)
    return float(np.median(_bows(_sampled(long_lines)))) / _usual_height(long_lines) if long_lines else 0.0


def _long(lines: Sequence[MidLine]) -> list[MidLine]:
    return [line for line in lines if np.ptp(line.points[:, 0]) > LONG * line.height]


def _usual_height(lines: Sequence[MidLine]) -> float:
    return float(np.median([line.height for line in lines]))


def _sampled(lines: Sequence[MidLine]) -> list[Points]:
    return [line.points[np.linspace(0, len(line.points) - 1, SAMPLES).astype(int)] for line in lines]


def _bows(sampled: Sequence[Points]) -> NDArray[np.float64]:
    """How far each line leaves the level of all, in pixels."""
    slope = float(np.median([np.polyfit(points[:, 0], points[:, 1], 1)[0] for points in sampled]))
    return np.array([np.ptp(points[:, 1] - slope * points[:, 0]) for points in sampled])


def _fitted(sampled: Sequence[Points], width: int, height: int, bow: float) -> Bend | None:
    rows, wished = zip(*(_equations(points, width, height) for points in sampled), strict=True)
    kept = list(range(len(sampled)))
    weights = np.zeros(rows[0].shape[1])
    for _ in range(ROUNDS):
        weights = np.linalg.lstsq(np.concatenate([rows[n] for n in kept]), np.concatenate([wished[n] for n in kept]))[0]
        off = np.array([np.ptp(rows[n] @ weights - wished[n]) for n in range(len(sampled))])
        kept = [n for n in range(len(sampled)) if off[n] <= FAR_OFF * float(np.median(off))]
    if float(np.median(off)) > LEFT_OVER * bow or len(kept) < FEWEST:
        return None
    return Bend(weights, width, height)


def _equations(points: Points, width: int, height: int) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """One for each point of a line: how far it is below the line's mean."""
    x, y = points[:, 0], points[:, 1]
    terms = np.stack(_terms(2 * x / width - 1, np.full(len(y), 2 * y.mean() / height - 1)), axis=1)
    return terms - terms.mean(axis=0), y - y.mean()


def _terms(u: NDArray[np.floating], v: NDArray[np.floating]) -> list[NDArray[np.floating]]:
    """What the surface is made of; all are zero down the page's middle."""
    return [u, u**2, u**3, u**4, u * v, u**2 * v, u**3 * v]
