"""Finds which way up a page stands: a small classifier proposes, the recogniser confirms. Knows no layout.

The classifier (PP-LCNet_x1_0_doc_ori) sees 224 pixels and can be sure of itself and wrong: it takes an upright Persian
page for one standing on its head, with 0.92. Shown a page in all four turns, three crops of each, it was never wrong at
0.7 or more on 204 synthetic pages and 26 real ones in four turns. The Persian page was the 27th: for it and all that it
stands for, a page should be turned only where `way_up` agrees.
"""

from __future__ import annotations

from collections.abc import Sequence
from enum import Enum, auto
from functools import cached_property
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray
from PIL import Image

from docparse_fast.drafting.arrays import Pixels
from docparse_fast.drafting.onnx import open_session, packaged
from docparse_fast.drafting.scans.ocr import TextRecognizer
from docparse_fast.drafting.scans.other_scripts import Looks
from docparse_fast.drafting.scans.quads import Quad, crop

SURE = 0.7  # least confidence at which a page may be turned; training smoothed the labels, so 0.925 is the most
PLAINLY_UPRIGHT = 0.85  # one look will do: a look costs 0.02 CPU seconds, and most pages stand upright
SHORT_SIDE = 256  # the page's, before 224 x 224 are cut out of it
SEEN = 224
PLACES = (0.15, 0.5, 0.85)  # of the three crops along the page's longer side
LINES_ASKED = 8
SURE_READING = 0.9  # mean confidence at which a page is in a script that the recogniser knows
LEAST_LEAD = 0.08  # of such a reading over the one upside down; 0.09 is the least seen, on Cyrillic
LEAST_CERTAINTY = 0.06  # by which lines must look more surely like some script than upside down

_MEAN = np.array([0.485, 0.456, 0.406], np.float32)
_DEVIATION = np.array([0.229, 0.224, 0.225], np.float32)


class PageOrientation:
    """Finds the clockwise degrees by which an image must be turned to stand upright, and a confidence from 0 to 1.

    >>> degrees, confidence = PageOrientation().turned(image)      # doctest: +SKIP
    >>> if confidence >= SURE:                                      # doctest: +SKIP
    ...     image = upright(image, degrees)
    """

    def __init__(self, threads: int = 1) -> None:
        self._threads = threads

    @cached_property
    def _session(self) -> Any:
        return open_session(packaged("page_orientation.onnx"), self._threads)

    def turned(self, image: Image.Image) -> tuple[int, float]:
        page = _small(image)
        likely = self._look(page)
        if likely[0] < PLAINLY_UPRIGHT:
            looks = [likely, *(np.roll(self._look(np.rot90(page, -turn)), -turn) for turn in (1, 2, 3))]
            likely = np.mean(looks, axis=0)
        quarter = int(likely.argmax())  # quarters clockwise by which it has been turned
        return (360 - 90 * quarter) % 360, round(float(likely[quarter]), 4)

    def _look(self, page: Pixels) -> NDArray[np.float32]:
        """Probability of each quarter turn that the page may have been given: 0, 90, 180, 270 degrees clockwise."""
        crops = np.stack([(crop.astype(np.float32) / 255 - _MEAN) / _DEVIATION for crop in _crops(page)])
        probabilities = self._session.run(None, {"x": np.ascontiguousarray(crops.transpose(0, 3, 1, 2))})[0]
        mean: NDArray[np.float32] = probabilities.mean(axis=0)
        return mean


def upright(image: Image.Image, degrees: int) -> Image.Image:
    """The image turned clockwise by a multiple of 90 degrees."""
    turns = {90: Image.Transpose.ROTATE_270, 180: Image.Transpose.ROTATE_180, 270: Image.Transpose.ROTATE_90}
    return image.transpose(turns[degrees]) if degrees else image


class WayUp(Enum):
    UPRIGHT = auto()
    UPSIDE_DOWN = auto()
    UNKNOWN = auto()  # nothing to read, or the lines run down


def way_up(image: Pixels, quads: Sequence[Quad], recognizer: TextRecognizer, looks: Looks) -> WayUp:
    """Which way up the lines read better; in scripts that the recogniser doesn't know, which way up they look like any.

    Hebrew upside down reads as Latin capitals, not even badly, but looks like no script in particular.
    """
    lines = _longest_lines(image, quads)
    if not lines:
        return WayUp.UNKNOWN
    confidences = _confidence(recognizer, lines), _confidence(recognizer, _turned(lines))
    if max(confidences) < SURE_READING:
        return _way(_lead_in_looks(looks, lines), LEAST_CERTAINTY)
    return _way(confidences[0] - confidences[1], LEAST_LEAD)


def looks_upside_down(image: Pixels, quads: Sequence[Quad], looks: Looks) -> bool:
    """Whether the page must be asked about, though nothing proposes to turn it. Costs a hundredth of a second."""
    lines = _longest_lines(image, quads)
    return bool(lines) and _way(_lead_in_looks(looks, lines), LEAST_CERTAINTY) is WayUp.UPSIDE_DOWN


def _longest_lines(image: Pixels, quads: Sequence[Quad]) -> list[Pixels]:
    """A few lines that run across; none if most run down."""
    across = [quad for quad in quads if quad.width > 2 * quad.height]
    down = [quad for quad in quads if quad.height > 2 * quad.width]
    if sum(q.width * q.height for q in across) <= sum(q.width * q.height for q in down):
        return []
    longest = sorted(across, key=lambda quad: quad.width / quad.height, reverse=True)[:LINES_ASKED]
    return [crop(image, quad) for quad in longest]


def _turned(lines: Sequence[Pixels]) -> list[Pixels]:
    return [np.ascontiguousarray(line[::-1, ::-1]) for line in lines]


def _way(lead: float, least: float) -> WayUp:
    return WayUp.UPRIGHT if lead >= least else WayUp.UPSIDE_DOWN if lead <= -least else WayUp.UNKNOWN


def _lead_in_looks(looks: Looks, lines: Sequence[Pixels]) -> float:
    """How much more surely the lines look like one script or another this way up."""
    this_way, upside_down = (
        float(np.mean([max(looks.of(line).values()) for line in each])) for each in (lines, _turned(lines))
    )
    return this_way - upside_down


def _confidence(recognizer: TextRecognizer, lines: list[Pixels]) -> float:
    """The mean over characters."""
    readings = recognizer.read(lines)
    characters = sum(len(reading.text) for reading in readings)
    return sum(reading.confidence * len(reading.text) for reading in readings) / max(1, characters)


def _small(image: Image.Image) -> Pixels:
    pixels = np.asarray(image.convert("RGB"))
    height, width = pixels.shape[:2]
    scale = SHORT_SIDE / min(height, width)
    # a strip a thousand times longer than wide says nothing about orientation, and must not fill the memory
    size = tuple(min(max(SEEN, round(side * scale)), 8 * SHORT_SIDE) for side in (width, height))
    interpolation = cv2.INTER_AREA if scale < 1 else cv2.INTER_CUBIC
    return np.asarray(cv2.resize(pixels, size, interpolation=interpolation), np.uint8)


def _crops(page: Pixels) -> list[Pixels]:
    height, width = page.shape[:2]
    crops = []
    for place in PLACES:
        top = round((height - SEEN) * (place if height >= width else 0.5))
        left = round((width - SEEN) * (place if width > height else 0.5))
        crops.append(page[top : top + SEEN, left : left + SEEN])
    return crops
