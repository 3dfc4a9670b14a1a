"""Takes away a page's back that shines through: fainter lines that are read better in a mirror. Knows no layout.

Faint ink alone is no proof: grey and coloured words are faint too, but they are read as they stand.
Also evens the light on a photographed page.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import cv2
import numpy as np

from docparse_fast.drafting.arrays import Pixels
from docparse_fast.drafting.scans.quads import Quad, crop
from docparse_fast.drafting.scans.quoted_words import Reading, Recognise

FAINTER = 0.6  # of the ink of the page's front: what is fainter may be its back
LEAST_INK = 0.12  # of the front's ink, and of black: fainter is paper
SHORTEST = 3.0  # heights of its line: a piece that says something
INKED = 0.5  # of such a piece's columns
FRONT = 0.7  # of all lines, by width, whose ink is no darker than the front's
ASKED = 8  # pieces that are read in a mirror
LEAST_MIRRORED = 0.85  # confidence of what is read so
LEAST_LEAD = 0.15  # over what is read as it stands
BESIDE = 0.1  # of a line's height: paper so near to a stroke may be its edge
SEEN = 8  # times smaller is the page that its paper is told from
LIT = 512  # pixels of the copy's longer side
STROKE = 9  # pixels there: no letter's stroke is as thick
WHITE = 245.0  # what paper becomes
DARKEST = 0.3  # of the brightest paper: what is darker is printed; a shadow leaves 0.35 or more
LEAST = 8.0  # light below which nothing can be seen
DIM = 150.0  # paper that is no lighter; that of 40 flat scans is 200 or more
SHADED = 0.6  # of the lightest lines' paper: a shadow
FEWEST_LIT = 5  # lines by whose paper the light is told


def evened(pixels: Pixels) -> Pixels:
    """The page as if it lay in even light."""
    height, width = pixels.shape[:2]
    scale = min(1.0, LIT / max(height, width))
    size = max(1, round(width * scale)), max(1, round(height * scale))
    small = cv2.resize(pixels, size, interpolation=cv2.INTER_AREA)
    light = cv2.medianBlur(cv2.dilate(small, np.ones((STROKE, STROKE), np.uint8)), 2 * STROKE + 1)
    light = cv2.GaussianBlur(light, (0, 0), STROKE / 3).astype(np.float32)
    light = np.maximum(light, max(LEAST, DARKEST * float(np.percentile(light, 95))))
    gain = cv2.resize(WHITE / light, (width, height), interpolation=cv2.INTER_LINEAR)
    return np.asarray(np.clip(pixels * gain, 0, 255), np.uint8)


def is_ill_lit(pixels: Pixels, quads: Sequence[Quad]) -> bool:
    """Whether the paper under the lines is dark, or in the shade in places."""
    papers = []
    for quad in quads:
        grey = crop(pixels, quad)[::2, ::4, 1]
        paper = float(np.median(np.concatenate([grey[0], grey[-1]])))
        if grey.mean() < paper:  # dark letters
            papers.append(paper)
    if len(papers) < FEWEST_LIT:
        return False
    dark, light = np.quantile(papers, (0.1, 0.9))
    return bool(light < DIM or dark < SHADED * light)


def without_back(image: Pixels, quads: Sequence[Quad], read: Recognise) -> Pixels | None:
    """The page without the back that shines through; None if none does."""
    paper, ink = _paper_and_ink(image)
    cuts = [(quad, crop(ink, quad)) for quad in quads if quad.width > quad.height]
    front = _front(cuts)
    found = [(quad, piece) for quad, cut in cuts for piece in _faint_pieces(cut, front)]
    longest = sorted(found, key=lambda each: each[1].start - each[1].stop)[:ASKED]
    if not longest or not _is_mirrored([crop(image, quad)[:, piece] for quad, piece in longest], read):
        return None
    height = float(np.median([quad.height for quad, _ in cuts]))
    dark = (ink >= FAINTER * front).astype(np.uint8)
    side = 2 * max(1, round(BESIDE * height)) + 1
    kept = cv2.dilate(dark, np.ones((side, side), np.uint8))
    return np.where(kept[:, :, None] > 0, image, paper)


def _paper_and_ink(image: Pixels) -> tuple[Pixels, Pixels]:
    """The page as if nothing stood on it, and from 0 to 255 how far each pixel is darker than that."""
    height, width = image.shape[:2]
    small = cv2.resize(image, (max(1, width // SEEN), max(1, height // SEEN)), interpolation=cv2.INTER_AREA)
    light = cv2.medianBlur(cv2.dilate(small, np.ones((7, 7), np.uint8)), 11)
    paper = np.asarray(cv2.resize(light, (width, height), interpolation=cv2.INTER_LINEAR), np.uint8)
    grey, ground = cv2.cvtColor(image, cv2.COLOR_RGB2GRAY), cv2.cvtColor(paper, cv2.COLOR_RGB2GRAY)
    ink = 255 - cv2.divide(grey, np.maximum(ground, 1), scale=255)
    return paper, np.asarray(ink, np.uint8)


def _front(cuts: Sequence[tuple[Quad, Pixels]]) -> float:
    """How dark the front's ink is: as that of most lines, by their width."""
    if not cuts:
        return 0.0
    levels = np.array([np.percentile(cut[::2, ::4], 98) for _, cut in cuts])
    order = np.argsort(levels)
    widths = np.cumsum(np.array([quad.width for quad, _ in cuts])[order])
    return float(levels[order][np.searchsorted(widths, FRONT * widths[-1])])


def _faint_pieces(ink: Pixels, front: float) -> Iterator[slice]:
    """The columns of a line, some heights long, that hold ink and none as dark as the front's."""
    darkest = ink.max(axis=0)
    faint = np.concatenate([[False], darkest < FAINTER * front, [False]])
    edges = np.flatnonzero(np.diff(faint.astype(np.int8)))
    inked = darkest > LEAST_INK * max(front, 255 * FAINTER)
    for start, stop in zip(edges[::2].tolist(), edges[1::2].tolist(), strict=True):
        if stop - start >= SHORTEST * ink.shape[0] and inked[start:stop].mean() > INKED:
            yield slice(start, stop)


def _is_mirrored(pieces: list[Pixels], read: Recognise) -> bool:
    """The first, which is the longest, is asked alone: faint words of the page's own end it there."""
    turned = [np.ascontiguousarray(piece[:, ::-1]) for piece in pieces]
    first = read(turned[:1])
    if _confidence(first) < LEAST_MIRRORED:
        return False
    mirrored = _confidence([*first, *read(turned[1:])])
    return (
        mirrored >= LEAST_MIRRORED
        and mirrored >= _confidence(read([np.ascontiguousarray(piece) for piece in pieces])) + LEAST_LEAD
    )


def _confidence(readings: Sequence[Reading]) -> float:
    """Of all letters together."""
    letters = sum(len(reading.text) for reading in readings)
    return sum(reading.confidence * len(reading.text) for reading in readings) / max(1, letters)
