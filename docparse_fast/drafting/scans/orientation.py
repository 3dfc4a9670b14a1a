"""Finds which way up a page stands: a small classifier of pages proposes, the looks of lines decide. Knows no layout.

The classifier (PP-LCNet_x1_0_doc_ori) sees 224 pixels. Shown a page in all four turns, three crops of each, it was
never wrong at 0.7 or more on 204 made pages and 26 real ones, with one exception: what is written from right to left it
takes for its own reverse, with up to 0.92. The looks of single lines know these scripts, but take blurred Hindi, Thai
and Russian upside down for Lao or Khmer, Hindi for Arabic, and Korean for Chinese. So each script in each of two ways
is one guess, and both speak for or against it; where they leave it open, the guesses are tried by reading.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum, auto
from functools import cache

import cv2
import numpy as np
from numpy.typing import NDArray

from docparse_fast.drafting.arrays import Pixels, standardised
from docparse_fast.drafting.scans.languages import FROM_RIGHT
from docparse_fast.drafting.scans.ocr import TextRecognizer
from docparse_fast.drafting.scans.other_scripts import PLAUSIBLE, Looks
from docparse_fast.drafting.scans.page_scripts import LEAST_LIKELY
from docparse_fast.drafting.scans.quads import Quad, crop
from docparse_fast.drafting.scans.word_ink import FEWEST_LETTERS
from docparse_fast.system.onnx import Network

SURE = 0.7  # least confidence at which a page may be turned; training smoothed the labels, so 0.925 is the most
PLAINLY_UPRIGHT = 0.85  # one look will do: a look costs 0.02 CPU seconds, and most pages stand upright
SHORT_SIDE = 256  # the page's, before 224 x 224 are cut out of it
SEEN = 224
PLACES = (0.15, 0.5, 0.85)  # of the three crops along the page's longer side
LINES_ASKED = 8
LINES_READ = 4
READ = 0.9  # mean confidence of upright lines that the recogniser knows: 0.97 at least; upside down 0.84 at most
READ_FAINTLY, AHEAD = 0.75, 0.1  # the same, if so far ahead of upside down
RECOGNISED = frozenset({"latin", "han"})
WEIGHT = 0.5  # of the classifier's word against the lines'; from 0.3 to 1 the same pages are guessed wrong
PLAIN = 1.0  # lead at which a guess stands unread; clean Latin, Chinese and Japanese pages lead by 1.1 or more

KnownShare = Callable[[Sequence[Pixels], str], float | None]  # the part of known words in lines, read in a script


class PageOrientation(Network):
    """Finds the clockwise degrees by which an image must be turned to stand upright."""

    weights = "page_orientation.onnx"

    def ways(self, image: Pixels) -> dict[int, float]:
        """A probability for each of the four turns that may set it upright."""
        page = _small(image)
        likely = self._look(page)
        if likely[0] < PLAINLY_UPRIGHT:
            looks = [likely, *(np.roll(self._look(np.rot90(page, -turn)), -turn) for turn in (1, 2, 3))]
            likely = np.mean(looks, axis=0)
        # quarters clockwise by which it has been turned, to degrees by which it must be
        return {(360 - 90 * quarter) % 360: round(float(likely[quarter]), 4) for quarter in range(4)}

    def _look(self, page: Pixels) -> NDArray[np.float32]:
        """Probability of each quarter turn that the page may have been given: 0, 90, 180, 270 degrees clockwise."""
        crops = np.stack([standardised(crop) for crop in _crops(page)])
        probabilities = self._session.run(None, {"x": np.ascontiguousarray(crops.transpose(0, 3, 1, 2))})[0]
        return np.asarray(probabilities.mean(axis=0), np.float32)


def upright(image: Pixels, degrees: int) -> Pixels:
    """The image turned clockwise by a multiple of 90 degrees."""
    return np.ascontiguousarray(np.rot90(image, -degrees // 90)) if degrees else image


class WayUp(Enum):
    UPRIGHT = auto()
    UPSIDE_DOWN = auto()
    UNKNOWN = auto()  # nothing to read, or the lines run down


@dataclass(frozen=True, slots=True)
class Stand:
    way: WayUp
    likely: float = -math.inf  # a logarithm: of its looks and the classifier's chances; PLAIN more where it is plain
    is_plain: bool = False  # by its lead, or by what comes out of it


def way_up(
    image: Pixels,
    quads: Sequence[Quad],
    recognizer: TextRecognizer,
    looks: Looks,
    chances: tuple[float, float] = (0.5, 0.5),
    words: KnownShare = lambda lines, script: None,
) -> Stand:
    """Which way up the lines stand, by their looks and by the classifier's chances of upright and upside down.

    Where these are not plain, a few lines must be readable in the script that they are thought to be in.
    """
    lines = _longest_lines(image, quads)
    ways = {WayUp.UPRIGHT: lines, WayUp.UPSIDE_DOWN: [np.ascontiguousarray(line[::-1, ::-1]) for line in lines]}
    guesses = _guesses(ways, looks, chances) if lines else []
    if not guesses:
        return Stand(WayUp.UNKNOWN)
    best, way, _ = guesses[0]
    near = [guess for guess in guesses if best - guess[0] < PLAIN]
    if all(other is way for _, other, _ in near):
        return Stand(way, best + PLAIN, is_plain=True)
    read = cache(lambda way: _confidence(recognizer, ways[way]))

    def proven(way: WayUp, script: str) -> bool | None:
        if script in RECOGNISED:
            ahead = read(way) - max(read(other) for other in ways if other is not way) if read(way) < READ else AHEAD
            return read(way) >= READ_FAINTLY and ahead >= AHEAD
        share = words(ways[way][:LINES_READ], script)
        return None if share is None else share >= PLAUSIBLE

    open_still: list[Stand] = []
    # the surest proof first: reading, known words, faint reading
    for likely, each, script in sorted(near, key=lambda it: 2 * (read(it[1]) < READ) if it[2] in RECOGNISED else 1):
        if verdict := proven(each, script):
            return Stand(each, likely + PLAIN, is_plain=True)
        open_still += [Stand(each, likely)] if verdict is None else []
    return next(iter([*open_still, Stand(way, best)]))


def _guesses(
    ways: Mapping[WayUp, Sequence[Pixels]], looks: Looks, chances: tuple[float, float]
) -> list[tuple[float, WayUp, str]]:
    """Each way in each script that some line looks like, by the mean logarithm of its likelihoods, the best first."""
    guesses = []
    for way, lines in ways.items():
        seen = [looks.of(line) for line in lines]
        for script in sorted({name for each in seen for name, p in each.items() if p > LEAST_LIKELY} - {"none"}):
            chance = chances[(way is WayUp.UPRIGHT) == (script in FROM_RIGHT)]  # these it takes for their reverse
            likely = sum(math.log(max(each.get(script, 0.0), LEAST_LIKELY)) for each in seen) / len(seen)
            guesses.append((likely + WEIGHT * math.log(chance), way, script))
    return sorted(guesses, key=lambda guess: -guess[0])


def is_read(image: Pixels, quads: Sequence[Quad], recognizer: TextRecognizer) -> bool:
    """Whether the recogniser reads the longest lines as they stand."""
    return _confidence(recognizer, _longest_lines(image, quads)) >= READ


def _longest_lines(image: Pixels, quads: Sequence[Quad]) -> list[Pixels]:
    """A few lines that run across; none if most run down."""
    across = [quad for quad in quads if quad.width > 2 * quad.height]
    down = [quad for quad in quads if quad.height > 2 * quad.width]
    if sum(q.width * q.height for q in across) <= sum(q.width * q.height for q in down):
        return []
    longest = sorted(across, key=lambda quad: quad.width / quad.height, reverse=True)[:LINES_ASKED]
    return [crop(image, quad) for quad in longest]


def _confidence(recognizer: TextRecognizer, lines: list[Pixels]) -> float:
    """The mean over letters and digits; none if there are few, or faint capitals: Hebrew reads so upside down."""
    readings = recognizer.read(lines)
    letters = [sum(map(str.isalnum, reading.text)) for reading in readings]
    sure = sum(reading.confidence * count for reading, count in zip(readings, letters, strict=True))
    text = "".join(reading.text for reading in readings)
    faint = sure < READ * sum(letters) and sum(map(str.isupper, text)) > sum(map(str.islower, text))
    return 0.0 if sum(letters) < FEWEST_LETTERS or faint else sure / sum(letters)


def _small(pixels: Pixels) -> Pixels:
    height, width = pixels.shape[:2]
    scale = SHORT_SIDE / min(height, width)
    # a strip a thousand times longer than wide says nothing about orientation, and must not fill the memory
    size = tuple(min(max(SEEN, round(side * scale)), 8 * SHORT_SIDE) for side in (width, height))
    interpolation = cv2.INTER_AREA if scale < 1 else cv2.INTER_CUBIC
    return np.asarray(cv2.resize(pixels, size, interpolation=interpolation), np.uint8)


def _crops(page: Pixels) -> list[Pixels]:
    height, width = page.shape[:2]
    places = [(place if height >= width else 0.5, place if width > height else 0.5) for place in PLACES]
    corners = [(round((height - SEEN) * down), round((width - SEEN) * across)) for down, across in places]
    return [page[top : top + SEEN, left : left + SEEN] for top, left in corners]
