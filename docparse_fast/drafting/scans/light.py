"""Makes a page's picture as if it were new: even light, dark print, no specks, sharp. Knows where lines stand."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from docparse_fast.drafting.arrays import Pixels, scaled
from docparse_fast.drafting.scans.quads import Quad, crop
from docparse_fast.drafting.scans.sheets import FEWEST
from docparse_fast.system.greys import percentiles

LIT = 512  # pixels of the copy's longer side
THICKEST = 9  # pixels there: no letter's stroke is as thick
WHITE = 245.0  # what paper becomes
DARKEST = 0.3  # of the brightest paper: what is darker is printed; a shadow leaves 0.35 or more
BRIGHT = 99  # in a hundred pixels are darker than paper, or than a light
DIM = 150.0  # paper that is no lighter; that of 40 flat scans is 200 or more
SHADED = 0.6  # of the lightest lines' paper: a shadow
INK = 3  # in a hundred of a line's pixels: its print at its darkest
FAINT = 0.35  # of the paper's grey: of faint copies print is 0.30 darker at most, of 60 other pages 0.38 at least
SPECK = 64  # greys between a speck and what is around it
PARTS = 32  # of a page, each way
SPECKED = 0.001  # of each part, of nine parts in ten: of 17 specked copies 0.002 at least, of 80 other pages 0
BLURRED = 1.7  # times two pixels' steepest change from paper to ink: 24 sharp pages have 1.64 at most, 7 blurred 1.89
LINE_HEIGHT = 48  # pixels, the recogniser's
STROKE, SHARPENED = 1.2, 2.0  # pixels; how much is added of what differs from so much around it
Greys = NDArray[np.float64]


def evened(pixels: Pixels) -> Pixels:
    """The page as if it lay in even light."""
    small = scaled(pixels, min(1.0, LIT / max(pixels.shape)))
    light = cv2.medianBlur(cv2.dilate(small, np.ones((THICKEST, THICKEST), np.uint8)), 2 * THICKEST + 1)
    light = cv2.GaussianBlur(light, (0, 0), THICKEST / 3).astype(np.float32)
    light = np.maximum(light, max(1.0, DARKEST * float(np.percentile(light, 95))))
    gain = cv2.resize(WHITE / light, pixels.shape[1::-1], interpolation=cv2.INTER_LINEAR)
    return np.asarray(np.clip(pixels * gain, 0, 255), np.uint8)


def lightened(pixels: Pixels) -> Pixels:
    """A picture that was taken in the dark, as if there had been light: lines are looked for in it first of all."""
    (light,) = percentiles(pixels[::4, ::4], BRIGHT)
    return np.asarray(np.clip(pixels * (WHITE / light), 0, 255), np.uint8) if 0 < light < DIM else pixels


def is_ill_lit(papers: Greys) -> bool:
    """Whether the paper under the lines is dark, or in the shade in places."""
    dark, light = np.quantile(papers, (0.1, 0.9)) if len(papers) >= FEWEST else (WHITE, WHITE)
    return bool(light < DIM or dark < SHADED * light)


def shades(pixels: Pixels, quads: Sequence[Quad]) -> Greys:
    """The greys of paper and of ink, a column for each line of dark letters."""
    greys = [crop(pixels, quad)[::2, ::4, 1] for quad in quads]
    found = [(*percentiles(grey[[0, -1]], 50), *percentiles(grey, INK), grey.mean()) for grey in greys]
    return np.array([(paper, ink) for paper, ink, mean in found if mean < paper]).reshape(-1, 2).T


def faint_print(papers: Greys, inks: Greys) -> float:
    """By how many greys a faint copy's print is darker than its paper; 0 of any other page."""
    depth, paper = np.median([papers - inks, papers], axis=1).tolist() if len(papers) >= FEWEST else (0.0, 0.0)
    return float(depth) if depth < FAINT * paper else 0.0


def darkened(pixels: Pixels, depth: float) -> Pixels:
    """A faint copy with print as dark as print is, and its grain evened out."""
    darker = np.median(pixels[::4, ::4]) - cv2.GaussianBlur(pixels, (3, 3), 0).astype(np.float32)
    return np.asarray(np.clip(WHITE * (1 - darker / depth), 0, 255), np.uint8)


def despecked(pixels: Pixels) -> Pixels:
    """A copy without its specks, if even the emptiest parts of it hold some; elsewhere thin strokes would be lost."""
    grey = cv2.cvtColor(pixels, cv2.COLOR_RGB2GRAY)
    specks = (cv2.absdiff(grey, cv2.medianBlur(grey, 3)) > SPECK).astype(np.float32)
    parts = cv2.resize(specks, (PARTS, PARTS), interpolation=cv2.INTER_AREA)
    return np.asarray(cv2.medianBlur(pixels, 3)) if np.quantile(parts, 0.1) >= SPECKED else pixels


def are_blurred(lines: Sequence[Pixels]) -> bool:
    """Whether the print of most is: blanks between words are lost then, and thin strokes."""
    return bool(lines) and float(np.median(list(map(_edge, lines)))) > BLURRED


def _edge(line: Pixels) -> float:
    """How many times two pixels' steepest change it is from paper to ink, in a line as the recogniser sees it."""
    wide = max(4, round(LINE_HEIGHT * line.shape[1] / len(line)))
    grey = cv2.resize(cv2.cvtColor(line, cv2.COLOR_RGB2GRAY), (wide, LINE_HEIGHT))
    steepest = _shade(cv2.absdiff(grey[:, 2:], grey[:, :-2]), 0.99)
    return (_shade(grey, 0.98) - _shade(grey, 0.02)) / max(1, steepest)


def sharpened(line: Pixels) -> Pixels:
    around = cv2.GaussianBlur(line, (0, 0), STROKE)
    return np.asarray(cv2.addWeighted(line, 1 + SHARPENED, around, -SHARPENED, 0), np.uint8)


def _shade(greys: NDArray[Any], share: float) -> int:
    """The grey than which so many are no lighter."""
    counts = np.bincount(greys.ravel(), minlength=256).cumsum()
    return int(np.searchsorted(counts, share * counts[-1]))
