"""Finds which way up a page stands: a small classifier proposes, the recogniser confirms. Knows no layout.

The classifier (PP-LCNet_x1_0_doc_ori) sees 224 pixels and can be sure of itself and wrong: it takes an upright Persian
page for one standing on its head, with 0.92. Shown a page in all four turns, three crops of each, it was never wrong at
0.7 or more on 204 synthetic pages and 26 real ones in four turns. The Persian page was the 27th: for it and all that it
stands for, a page should be turned only where `reads_upright` agrees.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray
from PIL import Image

from docparse_fast.drafting.arrays import Pixels
from docparse_fast.drafting.onnx import open_session, packaged
from docparse_fast.drafting.scans.ocr import TextRecognizer
from docparse_fast.drafting.scans.quads import Quad, crop
from docparse_fast.drafting.scans.quoted_words import unread_ink

SURE = 0.7  # least confidence at which a page may be turned; training smoothed the labels, so 0.925 is the most
PLAINLY_UPRIGHT = 0.85  # one look will do: a look costs 0.02 CPU seconds, and most pages stand upright
SHORT_SIDE = 256  # the page's, before 224 x 224 are cut out of it
SEEN = 224
PLACES = (0.15, 0.5, 0.85)  # of the three crops along the page's longer side
LINES_ASKED = 8
LEAST_READING = 0.7  # mean confidence below which the recogniser doesn't know the script at all
MUCH_UNREAD = 0.4  # of the ink, from which a page may be in a script that the recogniser doesn't know
SURE_READING = 0.9  # at which it is in one that it knows
LEAST_LEAD = 0.08  # of the reading this way up over the one upside down; 0.09 is the least seen, on Cyrillic

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


def reads_upright(image: Pixels, quads: list[Quad], recognizer: TextRecognizer) -> bool:
    """Whether the lines run across and read better this way up than upside down.

    The second opinion before a page is turned: `image` and `quads` are those of the page as it would be.
    """
    across = [quad for quad in quads if quad.width > 2 * quad.height]
    down = [quad for quad in quads if quad.height > 2 * quad.width]
    if sum(q.width * q.height for q in across) <= sum(q.width * q.height for q in down):
        return False
    longest = sorted(across, key=lambda quad: quad.width / quad.height, reverse=True)[:LINES_ASKED]
    lines = [crop(image, quad) for quad in longest]
    this_way = _reading_of(recognizer, lines)
    upside_down = _reading_of(recognizer, [np.ascontiguousarray(line[::-1, ::-1]) for line in lines])
    if upside_down.unread > MUCH_UNREAD > this_way.unread and this_way.confidence < SURE_READING:
        return False  # so another script looks upside down: read as some letters or other, and badly
    return this_way.confidence >= LEAST_READING and this_way.confidence >= upside_down.confidence + LEAST_LEAD


@dataclass(frozen=True, slots=True)
class _Reading:
    confidence: float  # mean over characters
    unread: float  # mean part of the lines' ink that no letter accounts for


def _reading_of(recognizer: TextRecognizer, lines: list[Pixels]) -> _Reading:
    readings = recognizer.read(lines)
    characters = sum(len(reading.text) for reading in readings)
    confidence = sum(reading.confidence * len(reading.text) for reading in readings) / max(1, characters)
    unread = [
        unread_ink(line, [at for letter, at in reading.marks if letter.strip()])
        for line, reading in zip(lines, readings, strict=True)
    ]
    return _Reading(confidence, float(np.mean(unread)))


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
