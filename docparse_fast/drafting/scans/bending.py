"""Flattens a page whose lines bend: an open book's, a sheet's held in the hand, or one that a camera saw from the side.

Lines beside and below each other bend alike, and no one line tells how the whole page does. So one smooth surface is
fitted to the middles of all lines, long and short, and each point is moved up or down by it. Where no line stands the
surface goes on straight. Knows where lines run.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from docparse_fast.document import Box
from docparse_fast.drafting.arrays import Pixels, scaled
from docparse_fast.drafting.measures import FEWEST, MOST
from docparse_fast.drafting.scans.quads import LEVEL, Quad

LONG = 8.0  # heights: shorter lines tell little about whether a page is bent
TELLING = 3.0  # heights: shorter ones don't tell how
FEWEST_PIECES = 12  # lines that a page's bend is read from, where long ones are few
SAMPLES = 24  # points along a line
BENT = 0.38  # of a line's core, from which a page is flattened; of 41 flat scans and pages 0.33 at most
SLIGHTLY_BENT = 0.2  # the same, of a photograph
MANY = 0.75  # of the lines
FAR_OFF = 0.5  # of a line's core: what leaves the surface so far, and twice as far as others, counts half
OFF_STEP = 0.002  # of the page's height: a step so far off the surface counts half
ROUNDS = 4  # of fitting, each with less of what was far off before, and with lines at the levels that it showed
ROUGH = 0.1  # of a line's core: so much the middles of straight lines leave their level
PATCHES = 8  # of the surface, across and down
STRAIGHT = np.zeros((PATCHES + 3, PATCHES + 3))  # as a bend
STIFF = 0.1  # how little it bends where lines don't tell: 0.03 to 0.3, and 12 patches, make held-out lines as straight
COARSE = 8  # pixels between the points at which it is worked out
Points = NDArray[np.float64]  # (points, 2), x and y


@dataclass(frozen=True, slots=True)
class MidLine:
    """The middle of a line of text, from left to right, and how high its core is."""

    points: Points
    height: float
    wide: float = math.inf  # heights of its box


@dataclass(frozen=True, slots=True)
class Bend:
    """How far below its level each point of a page stands."""

    weights: NDArray[np.float64]  # of the surface's patches, down and across
    width: int
    height: int

    def bent(self, box: Box) -> Box:
        """A box of the flat page, where it stood on the bent one."""
        ends = np.linspace(box.x0, box.x1, 9)
        top, foot = (self.below(ends, np.full(len(ends), y)) for y in (box.y0, box.y1))
        bent = Box(box.x0, box.y0 + float(top.min()), box.x1, box.y1 + float(foot.max()))
        return bent.clipped(self.width, self.height)

    def below(self, x: NDArray[np.floating], y: NDArray[np.floating]) -> NDArray[np.float64]:
        return _terms(x / self.width, y / self.height) @ self.weights.ravel()


def flattened(pixels: Pixels, bends: Sequence[Bend]) -> Pixels:
    """The page without these, found one after another: worked out of its pixels at once, for each time blurs it."""
    height, width = pixels.shape[:2]
    x, y = (np.linspace(0, side - 1, max(2, side // COARSE)) for side in (width, height))
    across, level = np.meshgrid(np.arange(len(x), dtype=np.float32), y.astype(np.float32))
    for bend in reversed(bends):
        below = (_parts(y / height) @ bend.weights @ _parts(x / width).T).astype(np.float32)
        at = level * ((len(y) - 1) / (height - 1))
        level = level + cv2.remap(below, across, at, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    columns = np.linspace(0, len(x) - 1, width, dtype=np.float32)
    rows = np.linspace(0, len(y) - 1, height, dtype=np.float32)
    places = cv2.remap(level, *np.meshgrid(columns, rows), cv2.INTER_LINEAR)
    x_of = np.broadcast_to(np.arange(width, dtype=np.float32), (height, width))
    return np.asarray(cv2.remap(pixels, np.array(x_of), places, cv2.INTER_CUBIC, borderMode=cv2.BORDER_REPLICATE))


def midline(contour: NDArray[np.int32], x_scale: float, y_scale: float, wide: float = math.inf) -> MidLine:
    """The middle of what a contour encloses, column by column of pixels."""
    left, top, across, down = cv2.boundingRect(contour)
    inside = np.zeros((down, across), np.uint8)
    cv2.drawContours(inside, [contour], -1, 1, cv2.FILLED, offset=(-left, -top))
    thick = inside.sum(axis=0)
    middle = (inside * np.arange(down)[:, None]).sum(axis=0) / np.maximum(1, thick)
    points = np.stack([(left + np.arange(across) + 0.5) * x_scale, (top + middle + 0.5) * y_scale], axis=1)
    return MidLine(points, float(np.median(thick)) * y_scale, wide)


def bend_of(lines: Sequence[MidLine], width: int, height: int, least: float = BENT) -> Bend | None:
    """The page's bend; `None` if its lines are straight and run alike, or bend in no common way."""
    bent = bow(lines)
    if bent < least:
        return None
    told = _telling(lines)
    bend = _fitted([line for line in lines if line.wide > TELLING], width, height)
    left = float(np.median(_offs(bend, _sampled(told)))) / usual_height(told)
    return bend if left <= MOST * bent + ROUGH else None  # what leaves more is not this page's


def bow(lines: Sequence[MidLine]) -> float:
    """How far lines leave their level, in heights of their core: from most to many, for short ones are straight."""
    told = _telling(lines)
    if not told:
        return 0.0
    sampled = _sampled(told)
    slope = float(np.median([np.polyfit(points[:, 0], points[:, 1], 1)[0] for points in sampled]))
    bows = np.array([np.ptp(points[:, 1] - slope * points[:, 0]) for points in sampled]) / usual_height(told)
    return float(np.median(bows) + np.quantile(bows, MANY)) / 2


def _telling(lines: Sequence[MidLine]) -> Sequence[MidLine]:
    """The long lines, or all where these are too few: of steep lines the detector sees pieces."""
    long_lines = [line for line in lines if line.wide > LONG and np.ptp(line.points[:, 0]) > LONG * line.height]
    if len(long_lines) >= FEWEST:
        return long_lines
    pieces = [line for line in lines if line.wide > TELLING]
    return pieces if len(pieces) >= FEWEST_PIECES else []


def usual_height(lines: Sequence[MidLine]) -> float:
    return float(np.median([line.height for line in lines])) if lines else 0.0


def _sampled(lines: Sequence[MidLine]) -> list[Points]:
    return [line.points[np.linspace(0, len(line.points) - 1, SAMPLES).astype(int)] for line in lines]


def _fitted(lines: Sequence[MidLine], width: int, height: int) -> Bend:
    stiff = _stiffness()
    sampled = _sampled(lines)
    usual = usual_height(lines)
    levels = [float(points[:, 1].mean()) for points in sampled]
    parts = np.ones(len(sampled))
    bend = Bend(STRAIGHT, width, height)
    for _ in range(ROUNDS):
        rows = [_terms(p[:, 0] / width, np.full(SAMPLES, y / height)) for p, y in zip(sampled, levels, strict=True)]
        equations = [part * (row - row.mean(axis=0)) for part, row in zip(parts, rows, strict=True)]
        values = [part * (points[:, 1] - points[:, 1].mean()) for part, points in zip(parts, sampled, strict=True)]
        wanted = np.concatenate([*values, np.zeros(len(stiff))])
        weights = np.linalg.lstsq(np.concatenate([*equations, stiff]), wanted)[0]
        bend = Bend(weights.reshape(PATCHES + 3, -1), width, height)
        levels = [float(_flat(bend, points).mean()) for points in sampled]
        off = _offs(bend, sampled)
        parts = 1 / (1 + (off / max(FAR_OFF * usual, 2 * float(np.median(off)))) ** 2)
    return bend


def fitted_to_steps(bend: Bend, steps: NDArray[np.float64]) -> Bend:
    """The bend with what is left when it is taken out: from left to right, at a level, a step down, and how sure."""
    left, right, level, down, sure = steps.T
    equations = _terms(right / bend.width, level / bend.height) - _terms(left / bend.width, level / bend.height)
    wanted, stiff = equations @ bend.weights.ravel() + down, _stiffness()
    weights, parts = bend.weights.ravel(), sure
    for _ in range(ROUNDS):
        rows = np.concatenate([parts[:, None] * equations, stiff])
        weights = np.linalg.lstsq(rows, np.concatenate([parts * wanted, np.zeros(len(stiff))]))[0]
        parts = sure / (1 + ((wanted - equations @ weights) / (OFF_STEP * bend.height)) ** 2)
    return replace(bend, weights=weights.reshape(bend.weights.shape))


def _offs(bend: Bend, sampled: Sequence[Points]) -> NDArray[np.float64]:
    """How far each line leaves its level on the flattened page, in pixels."""
    return np.array([np.ptp(_flat(bend, points)) for points in sampled])


def _flat(bend: Bend, points: Points) -> NDArray[np.float64]:
    """The levels of a line's points on the flattened page."""
    level = points[:, 1]
    for _ in range(2):
        level = points[:, 1] - bend.below(points[:, 0], np.full(SAMPLES, level.mean()))
    return np.asarray(level, np.float64)


def _stiffness() -> NDArray[np.float64]:
    """Equations: straight on where nothing is told, and nothing moved down the page's middle."""
    side = PATCHES + 3
    bends = np.diff(np.eye(side), n=2, axis=0)
    across, down = np.kron(np.eye(side), bends), np.kron(bends, np.eye(side))
    twists = np.kron(np.diff(np.eye(side), axis=0), np.diff(np.eye(side), axis=0))
    balance = np.kron(np.eye(side), _parts(np.array([0.5])))
    return np.concatenate([STIFF * across, STIFF * down, STIFF * twists / 10, balance])


def _parts(along: NDArray[np.floating]) -> NDArray[np.float64]:
    """Of points from 0 to 1 the part that each cubic B-spline has, in rows."""
    at = np.clip(along, 0, 1) * PATCHES
    first = np.minimum(at.astype(int), PATCHES - 1)
    t = at - first
    pieces = ((1 - t) ** 3, 3 * t**3 - 6 * t**2 + 4, -3 * t**3 + 3 * t**2 + 3 * t + 1, t**3)
    parts = np.zeros((len(at), PATCHES + 3))
    for n, piece in enumerate(pieces):
        parts[np.arange(len(at)), first + n] = piece / 6
    return parts


def _terms(across: NDArray[np.floating], down: NDArray[np.floating]) -> NDArray[np.float64]:
    """What each patch of the surface adds at these points."""
    return np.asarray((_parts(down)[:, :, None] * _parts(across)[:, None, :]).reshape(len(across), -1), np.float64)


# ---------------------------------------------------------------------------------------- rows of ink

LONG_LINES = ((8, 3), (4, 5))  # width over height, from which a line's slope is known; how many are needed
SEEN = 1000  # pixels of the longer side
PAPER = 41  # pixels around one that tell its paper
DARKEST = 60.0  # grey levels below its paper: a rule or a picture counts no more than letters
FANNED = 1.5  # degrees that slopes differ where a camera saw a page from the side; of 49 flat pages 0.9 at most
STRIPS = 32  # beside each other; each is moved up or down as a whole
STEEPEST, STEP, FINE = 3.0, 0.1, 0.02  # degrees
CLEARLY = 2.0  # than at the usual slope, or nothing stands in rows


def lean_of(image: Pixels, quads: Sequence[Quad]) -> float:
    """In degrees; from the lines' own slopes where the ink doesn't tell."""
    strips, apart = ink_strips(image)
    by_lines = skew(quads)
    start = by_lines if abs(by_lines) > STEEPEST - 1 else 0.0
    coarse = start + np.arange(-STEEPEST, STEEPEST + STEP, STEP)
    sharp = [row_sharpness(strips, apart, slope) for slope in coarse]
    if max(sharp) <= CLEARLY * float(np.median(sharp)):
        return by_lines
    best = coarse[int(np.argmax(sharp))]
    fine = best + np.arange(-STEP, STEP + FINE, FINE)
    return round(float(fine[int(np.argmax([row_sharpness(strips, apart, slope) for slope in fine]))]), 2)


def skew(quads: Sequence[Quad]) -> float:
    """By how many degrees the page leans, from its long lines, else from more shorter ones; 0 where they differ."""
    for long, fewest in LONG_LINES:
        angles = [quad.angle for quad in quads if quad.width > long * quad.height]
        if len(angles) >= fewest:
            middle = float(np.median(angles))
            return middle if float(np.median(np.abs(np.array(angles) - middle))) < LEVEL else 0.0
    return 0.0


def fan(quads: Sequence[Quad]) -> float:
    """By how many degrees lines' slopes differ over a page, from side to side and from top to foot."""
    told = np.array(
        [(quad.x, quad.y, 1.0, quad.angle, quad.width) for quad in quads if quad.width > TELLING * quad.height]
    )
    if len(told) < FEWEST_PIECES:
        return 0.0
    places, weights = told[:, :3], np.sqrt(told[:, 4:])
    return float(np.ptp(places @ np.linalg.lstsq(weights * places, weights[:, 0] * told[:, 3])[0]))


def ink_strips(image: Pixels) -> tuple[NDArray[np.float64], float]:
    """The ink in each row of each strip, and how far apart strips are."""
    scale = SEEN / max(image.shape[:2])
    grey = cv2.cvtColor(scaled(image, scale), cv2.COLOR_RGB2GRAY)
    ink = np.clip(cv2.blur(grey, (PAPER, PAPER)).astype(np.float64) - grey, 0.0, DARKEST)
    columns = ink.shape[1] // STRIPS * STRIPS
    strips = ink[:, :columns].reshape(len(ink), STRIPS, -1).sum(axis=2)
    return strips - strips.mean(axis=0), columns / STRIPS


def row_sharpness(strips: NDArray[np.float64], apart: float, slope: float) -> float:
    rows = np.arange(len(strips))
    down = math.tan(math.radians(slope)) * apart * (np.arange(STRIPS) - STRIPS / 2)
    moved = sum(np.interp(rows + by, rows, strip) for by, strip in zip(down, strips.T, strict=True))
    return float(np.square(np.diff(moved)).sum())


BETWEEN = ((1, 2, 3), (2, 4, 6), (3, 6, 9), (4, 8, 16))  # strips, round by round
WINDOW = 96  # rows of a strip that are compared with another's
MOST_ROWS = 4  # rows of a step: lines stand further apart
CLOSEST = 10.5  # rows of a line's box: between smaller ones a step may lead to the next line
INKED = 0.1  # of the usual ink
SHARPER = 1.1  # times as sharp as before: less is chance
Strips = NDArray[np.float64]


def bend_of_rows(image: Pixels, tall: float) -> Bend | None:
    """What is left of a bend of lines so `tall`; `None` where rows don't come out sharper without it, or are small."""
    height, width = image.shape[:2]
    strips, apart = ink_strips(image)
    row = height / len(strips)
    if tall < CLOSEST * row:
        return None
    middles = (np.arange(strips.shape[1]) + 0.5) * apart * row
    bend, flat = Bend(STRAIGHT, width, height), strips
    for lags in BETWEEN:
        steps = [
            (middles[left], middles[left + lag], row * level, row * down, sure)
            for lag in lags
            for left, level, down, sure in _steps(flat, lag)
        ]
        if len(steps) < len(middles):
            return None
        bend = fitted_to_steps(bend, np.array(steps))
        rows = np.arange(len(strips))
        below = (bend.below(np.full(len(rows), middle), rows * row) / row for middle in middles)
        flat = np.stack([np.interp(rows + by, rows, strip) for by, strip in zip(below, strips.T, strict=True)], axis=1)
    return bend if row_sharpness(flat, apart, 0.0) > SHARPER * row_sharpness(strips, apart, 0.0) else None


def _steps(strips: Strips, lag: int) -> Iterator[tuple[int, float, float, float]]:
    """Of strips, window by window: how far below what stands there the same stands `lag` strips on, how alike it is."""
    left, right = strips[:, :-lag], strips[:, lag:]
    ink = _windowed(left * left)
    alike = []
    for step in range(-MOST_ROWS, MOST_ROWS + 1):
        moved = np.roll(right, -step, axis=0)
        alike.append(_windowed(left * moved) / np.sqrt(ink * _windowed(moved * moved) + 1e-9))
    found = np.stack(alike)
    best = np.clip(found.argmax(axis=0), 1, 2 * MOST_ROWS - 1)
    before, at, behind = (np.take_along_axis(found, (best + n)[None], 0)[0] for n in (-1, 0, 1))
    curve = np.minimum(before - 2 * at + behind, 0.0)  # the top of a parabola; none where the step is longer than all
    finer = np.divide(before - behind, 2 * curve, out=np.zeros_like(at), where=curve < 0)
    for window, strip in np.argwhere((at > MOST) & (ink > INKED * ink.mean()) & (abs(finer) < 1)).tolist():
        down = best[window, strip] - MOST_ROWS + finer[window, strip]
        yield strip, (window + 1) * WINDOW / 2, float(down), float(at[window, strip])


def _windowed(values: Strips) -> Strips:
    """Sums over windows that overlap by half."""
    halves, half = len(values) // (WINDOW // 2), WINDOW // 2
    sums = values[: halves * half].reshape(halves, half, -1).sum(axis=1)
    return np.asarray(sums[:-1] + sums[1:])
