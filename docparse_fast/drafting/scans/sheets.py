"""Finds the sheet of paper that a photograph shows on a ground, and flattens it. Knows where lines stand.

A flat scan shows no ground: its edge looks as the paper between its lines does. Of a photograph a small copy is parted
into sheet and ground by colour, from what lies among the lines and what lies at the picture's edge. Four corners and
the four edges between them, straight or bent, say where each point of the flat sheet lies in the picture.
Two facing pages are parted.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

import cv2
import numpy as np
from numpy.typing import NDArray

from docparse_fast.document import Box
from docparse_fast.drafting.arrays import Pixels, scaled
from docparse_fast.drafting.scans.bending import Points
from docparse_fast.drafting.scans.quads import Quad
from docparse_fast.geometry import parted

SEEN = 288  # pixels of the copy's longer side
STROKE = 7  # pixels there: no line of letters is as high
FEWEST = 5  # lines on a sheet; of text on a page, and of those by which the light is told
EDGE = 0.02  # of the picture's shorter side: what is looked at for a ground
COLOURS = 4  # that the paper has, or the ground, where light and shadow fall on it
COMMON = 0.08  # of what lies there: a rarer colour is a spot's
APART = 18.0  # in CIELAB: a colour that is not the paper's
WEIGHTS = np.array([0.5, 1.5, 1.5], np.float32)  # in CIELAB: lightness counts half, for there are shadows
GROUND = 0.25  # of the picture's edge that must show a ground
ROUNDS = 4  # of parting
MARGIN = 49  # pixels there, half on each side of what is likely the sheet: it grows so much at a time
GROWN = 3  # times at most
SMOOTH = 7  # pixels: fingers and folds at the edge
LEAST = 0.15  # of the picture: a smaller sheet is a mistake
LEAST_SEEN = 0.12  # of the edges: sheets on white desks show 0.19 and more, shadows 0.07 at most
NEARLY = 0.9  # of the lines lie on the sheet whole; of its hull is full; of its edges, and a spine's height, is seen
CORNERS = 20  # points of the outline among which the corners are
POINTS = 33  # along an edge
BOW = 4  # degree of the curve that an edge may be
TALL = 64.0  # pixels of a flat sheet's lines: what the recogniser sees, and a third for what blurs
LARGEST = 2.0  # times as large as in the picture
MOST_PIXELS = 8e6
LEAST_WIDE = 1.15  # times as wide as high: two pages beside each other
MIDDLE = (0.4, 0.6)  # of the width: where the gutter may be
LEAST_GUTTER = 0.02  # of the width, without a line
AS_DARK = 0.6  # of the white around it: a spine, or its shadow
PROSE = 10  # times as wide as high: a line of text, and no cell and no label

Mask = NDArray[np.bool_]
Lines = Sequence[NDArray[np.float32]]  # of text, the four corners of each


def gutter(boxes: Sequence[Box], pixels: Pixels) -> float | None:
    """Where the left page ends, if these are the lines of two pages: with text, or with a book's spine between them."""
    height, width = pixels.shape[:2]
    left = max((box.x1 for box in boxes if box.center[0] < width / 2), default=0.0)
    right = min((box.x0 for box in boxes if box.center[0] >= width / 2), default=width)
    middle = (left + right) / 2
    if width < LEAST_WIDE * height or right <= left or not MIDDLE[0] < middle / width < MIDDLE[1]:
        return None
    pages = parted(boxes, lambda box: box.x1 <= left)
    are_texts = right - left >= LEAST_GUTTER * width and all(map(_is_text, pages))
    are_bound = min(map(len, pages)) >= FEWEST and _holds_spine(pixels[:, math.ceil(left) : int(right)])
    return middle if are_texts or are_bound else None


def _holds_spine(white: Pixels) -> bool:
    """Whether a dark line runs down the white between two pages, from edge to edge: a table's rule ends before."""
    grey = white.min(axis=2)
    dark = grey < AS_DARK * np.median(grey)
    return dark.size > 0 and bool(dark.any(axis=1).mean() > NEARLY and dark.mean() < 0.5)


def _is_text(boxes: Sequence[Box]) -> bool:
    prose = [box for box in boxes if box.width > PROSE * box.height]
    return len(prose) >= FEWEST and 2 * sum(box.width for box in prose) > sum(box.width for box in boxes)


@dataclass(frozen=True, slots=True)
class PaperSheet:
    """A sheet in a picture; `grid` says where points of the flat sheet, evenly spread over it, lie in the picture."""

    grid: NDArray[np.float32]  # (down, across, 2), x and y
    width: int  # of the flat sheet, in pixels
    height: int
    seen: tuple[int, int]  # the picture's width and height

    def flattened(self, pixels: Pixels) -> Pixels:
        down, across = self.grid.shape[:2]
        x = np.linspace(0, across - 1, self.width, dtype=np.float32)
        y = np.linspace(0, down - 1, self.height, dtype=np.float32)
        places = cv2.remap(self.grid, *np.meshgrid(x, y), cv2.INTER_LINEAR)
        return np.asarray(cv2.remap(pixels, places, None, cv2.INTER_CUBIC, borderMode=cv2.BORDER_REPLICATE), np.uint8)

    def turned(self, degrees: int) -> PaperSheet:
        """The same in the picture turned clockwise by a multiple of 90 degrees."""
        sheet = self
        for _ in range(degrees // 90 % 4):
            width, height = sheet.seen
            x, y = np.moveaxis(np.rot90(sheet.grid, -1), 2, 0)
            sheet = PaperSheet(np.stack([height - 1 - y, x], axis=2), sheet.height, sheet.width, (height, width))
        return sheet

    def bent(self, box: Box) -> Box:
        """A box of the flat sheet, where it stands in the picture."""
        along = np.linspace(0, 1, 9)
        x, y = box.x0 + along * box.width, box.y0 + along * box.height
        edges = [(x, np.full(9, box.y0)), (x, np.full(9, box.y1)), (np.full(9, box.x0), y), (np.full(9, box.x1), y)]
        xs, ys = (np.concatenate(each) for each in zip(*edges, strict=True))
        down, across = self.grid.shape[:2]
        at = (xs / self.width * (across - 1)).astype(np.float32), (ys / self.height * (down - 1)).astype(np.float32)
        places = cv2.remap(self.grid, at[0][None], at[1][None], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)[0]
        (x0, y0), (x1, y1) = places.min(axis=0).tolist(), places.max(axis=0).tolist()
        return Box(x0, y0, x1, y1).clipped(*self.seen)


def sheet_of(pixels: Pixels, quads: Sequence[Quad]) -> PaperSheet | None:
    """The sheet on which these lines stand; None where no ground is seen around it."""
    height, width = pixels.shape[:2]
    scale = SEEN / max(height, width)
    if len(quads) < FEWEST or scale >= 1:
        return None
    small = scaled(pixels, scale)
    paper = cv2.medianBlur(cv2.morphologyEx(small, cv2.MORPH_CLOSE, np.ones((STROKE, STROKE), np.uint8)), 5)
    colours = cv2.cvtColor(paper, cv2.COLOR_RGB2LAB)
    turned = (((quad.x, quad.y), (quad.width, quad.height), quad.angle) for quad in quads)
    lines = [np.asarray(cv2.boxPoints(each), np.float32) * scale for each in turned]
    weighed = colours.astype(np.float32) * WEIGHTS
    alien, side = _unlike(weighed, _filled(colours.shape, lines)), max(2, round(EDGE * min(colours.shape[:2])))
    edge = np.pad(np.zeros_like(alien[side:-side, side:-side]), side, constant_values=True)
    if (alien & edge).sum() < GROUND * edge.sum() or _is_banded(alien, side):
        return None
    outline = _best_outline(colours, weighed, lines, alien, alien & edge)
    if outline is None:
        return None
    edges = np.concatenate(_edges(outline[:, 0].astype(np.float64), small.shape[1::-1])).astype(np.float32)
    deep = (min(cv2.pointPolygonTest(edges, end, True) for end in line.tolist()) for line in lines)
    if sum(least > -STROKE / 2 for least in deep) < NEARLY * len(lines):
        return None
    tall = float(np.median([min(quad.width, quad.height) for quad in quads]))
    return _sheet(outline[:, 0].astype(np.float64), small.shape[1::-1], (width, height), TALL / tall)


def _is_banded(alien: Mask, side: int) -> bool:
    """Whether paper reaches both sides of the picture: above and below are bands of the page's own."""
    quarter = len(alien) // 4
    middle = alien[quarter:-quarter]
    return max(float(middle[:, :side].mean()), float(middle[:, -side:].mean())) < COMMON


def _filled(shape: tuple[int, ...], polygons: Sequence[NDArray[np.number]]) -> Mask:
    made = np.zeros(shape[:2], np.uint8)
    for polygon in polygons:
        cv2.fillPoly(made, [np.rint(polygon).astype(np.int32)], 1)
    return made > 0


def _unlike(weighed: NDArray[np.float32], known: Mask) -> Mask:
    """The pixels of a colour that is not common there."""
    among = weighed[known]
    if len(among) < COLOURS:
        return np.zeros(weighed.shape[:2], bool)
    cv2.setRNGSeed(1)
    stop = (cv2.TERM_CRITERIA_EPS + cv2.TERM_CRITERIA_MAX_ITER, 20, 1.0)
    _, kinds, colours = cv2.kmeans(among, COLOURS, None, stop, 2, cv2.KMEANS_PP_CENTERS)
    common = colours[np.bincount(kinds[:, 0], minlength=COLOURS) >= COMMON * len(among)]
    return np.asarray(np.min([np.linalg.norm(weighed - colour, axis=2) for colour in common], axis=0) > APART)


def _best_outline(
    colours: Pixels, weighed: NDArray[np.float32], lines: Lines, alien: Mask, ground: Mask
) -> NDArray[np.int32] | None:
    """The outline seen best: of what is unlike the ground; or grown from the lines, for grounds may be like paper."""
    likely, best, most = _unlike(weighed, ground), None, 0.0
    reached = _filled(colours.shape, [cv2.convexHull(np.concatenate(lines))])
    for n in range(GROWN + 1):
        outline = _outline(colours, lines, ground, likely)
        if outline is not None:
            best, most = max((best, most), (outline, _seen(outline, weighed)), key=lambda each: each[1])
            reached = _filled(colours.shape, [outline]) if n else reached
        if most >= NEARLY:
            break
        near = cv2.dilate(reached.astype(np.uint8), np.ones((MARGIN, MARGIN), np.uint8)) > 0
        likely = reached | (near & ~alien)
    return best if most >= LEAST_SEEN else None  # a shadow that grows darker has no edge


def _seen(outline: NDArray[np.int32], weighed: NDArray[np.float32]) -> float:
    """The part of its four edges, smooth as a sheet's, across which the colour changes."""
    size, changes = weighed.shape[1::-1], []
    for edge in _edges(outline[:, 0].astype(np.float64), size):
        along = np.gradient(edge, axis=0)
        across = along[:, ::-1] * (-SMOOTH, SMOOTH) / np.linalg.norm(2 * along, axis=1, keepdims=True)
        x, y = np.rint(np.clip([edge - across, edge + across], 0, np.array(size) - 1)).astype(int).transpose(2, 0, 1)
        one, other = weighed[y, x]
        changes.append(np.linalg.norm(one - other, axis=1) > APART / 2)
    return float(np.mean(changes))


def _outline(colours: Pixels, lines: Lines, ground: Mask, likely: Mask) -> NDArray[np.int32] | None:
    """The sheet's, as (points, 1, 2), of which some pixels are `likely` to be."""
    text = _filled(colours.shape, lines)
    kinds = np.where(likely, np.uint8(cv2.GC_PR_FGD), np.uint8(cv2.GC_PR_BGD))
    kinds[text], kinds[ground & ~text] = cv2.GC_FGD, cv2.GC_BGD
    cv2.setRNGSeed(1)
    cv2.grabCut(colours, kinds, None, np.zeros((1, 65)), np.zeros((1, 65)), ROUNDS, cv2.GC_INIT_WITH_MASK)
    sheet = ((kinds == cv2.GC_FGD) | (kinds == cv2.GC_PR_FGD)).astype(np.uint8)
    around = np.ones((SMOOTH, SMOOTH), np.uint8)
    sheet = cv2.morphologyEx(cv2.morphologyEx(sheet, cv2.MORPH_OPEN, around), cv2.MORPH_CLOSE, around)
    found, _ = cv2.findContours(sheet, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    outline = max(found, key=cv2.contourArea, default=None)
    if outline is None or cv2.contourArea(outline) < LEAST * sheet.size:
        return None
    if cv2.contourArea(outline) < NEARLY * cv2.contourArea(hull := cv2.convexHull(outline)):
        full = _filled(tuple(hull.max(axis=(0, 1))[::-1] + 2), [hull]).astype(np.uint8)
        (outline, *_), _ = cv2.findContours(full, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    return np.asarray(outline, np.int32)


def _sheet(outline: Points, small: tuple[int, ...], seen: tuple[int, int], times: float) -> PaperSheet:
    """`times` larger, in bounds: a page is worked out of another one several times, and small type would blur."""
    scale = np.array([seen[0] / small[0], seen[1] / small[1]])
    edges = [edge * scale for edge in _edges(outline, small)]
    top, right, foot, left = edges[0], edges[1], edges[2][::-1], edges[3][::-1]  # rightwards and downwards
    long = [cv2.arcLength(edge.astype(np.float32), closed=False) for edge in edges]
    width, height = max(long[::2]), max(long[1::2])
    times = max(1.0, min(times, LARGEST, math.sqrt(MOST_PIXELS / (width * height))))
    grid = _between(top, right, foot, left).astype(np.float32)
    return PaperSheet(grid, round(width * times), round(height * times), seen)


def _edges(outline: Points, small: tuple[int, ...]) -> list[Points]:
    area = _cross(outline, np.roll(outline, -1, axis=0)).sum()
    outline = outline if area > 0 else outline[::-1]  # clockwise
    places = _corners(outline)
    return [_edge(outline, places[n], places[(n + 1) % 4], small) for n in range(4)]


def _corners(outline: Points) -> list[int]:
    """The places in the outline of the four points that hold most of it, clockwise from the top left one."""
    dense = outline.astype(np.float32)
    hull = np.sort(cv2.convexHull(dense, returnPoints=False)[:, 0])
    while len(hull) > CORNERS:  # leave out the point that says least
        before, after = np.roll(dense[hull], 1, axis=0), np.roll(dense[hull], -1, axis=0)
        hull = np.delete(hull, int(np.argmin(np.abs(_cross(dense[hull] - before, after - before)))))
    chosen = np.array(list(combinations(hull.tolist(), 4)))
    held = outline[chosen]
    best = chosen[int(np.argmax(_cross(held, np.roll(held, -1, axis=1)).sum(axis=1)))].tolist()
    first = min(range(4), key=lambda n: float(outline[best[n]].sum()))
    return [best[(first + n) % 4] for n in range(4)]


def _edge(outline: Points, start: int, end: int, small: tuple[int, ...]) -> Points:
    """From one corner to the next, smooth; straight where the picture cuts the sheet off."""
    points = np.concatenate([outline, outline])[start : end + 1 if end > start else end + 1 + len(outline)]
    chord = points[-1] - points[0]
    length = float(np.linalg.norm(chord)) or 1.0
    along = (points - points[0]) @ chord / length**2
    aside = _cross(chord / length, points - points[0])
    at_border = (points <= 1) | (points >= np.array(small[:2]) - 2)
    weights = _curve(along, aside) if at_border.any(axis=1).mean() <= 0.5 else np.zeros(BOW - 1)
    even = np.linspace(0, 1, 4 * POINTS)
    line = points[0] + even[:, None] * chord
    line += (_terms(even) @ weights)[:, None] * np.array([-chord[1], chord[0]]) / length
    far = np.concatenate([[0.0], np.cumsum(np.linalg.norm(np.diff(line, axis=0), axis=1))])
    spaced = np.linspace(0, far[-1], POINTS)
    return np.stack([np.interp(spaced, far, line[:, n]) for n in (0, 1)], axis=1)


def _curve(along: NDArray[np.float64], aside: NDArray[np.floating]) -> NDArray[np.float64]:
    """Of a smooth edge, without the fingers and folds on it."""
    kept = np.ones(len(along), bool)
    weights = np.zeros(BOW - 1)
    for _ in range(3):
        weights = np.asarray(np.linalg.lstsq(_terms(along[kept]), aside[kept])[0], np.float64)
        off = np.abs(_terms(along) @ weights - aside)
        kept = off <= 3 * max(0.5, float(np.median(off)))
    return weights


def _terms(along: NDArray[np.float64]) -> NDArray[np.float64]:
    """Zero at both ends."""
    return np.stack([along * (1 - along) * (along - 0.5) ** n for n in range(BOW - 1)], axis=1)


def _between(top: Points, right: Points, foot: Points, left: Points) -> Points:
    """A surface whose edges are these."""
    u = np.linspace(0, 1, POINTS)[None, :, None]
    v = np.linspace(0, 1, POINTS)[:, None, None]
    level = (1 - v) * top[None] + v * foot[None]
    upright = (1 - u) * left[:, None] + u * right[:, None]
    corners = (1 - v) * ((1 - u) * top[0] + u * top[-1]) + v * ((1 - u) * foot[0] + u * foot[-1])
    return np.asarray(level + upright - corners, np.float64)


def _cross(one: NDArray[np.floating], other: NDArray[np.floating]) -> NDArray[np.floating]:
    made: NDArray[np.floating] = one[..., 0] * other[..., 1] - one[..., 1] * other[..., 0]
    return made
