"""PP-OCRv6 on ONNX Runtime: where text stands on an image, and what it says. Knows no layout and no page.

The weights are those of rapidocr's wheel; the detector's and an eight-bit recogniser's ship with the package
(scripts/training/make_ocr_weights.py). A line is recognised alone, at its own width (in a padded batch of six it takes
nearly twice as long), and the detector sees a page at the scale at which its text is 12 to 30 pixels tall.
"""

from __future__ import annotations

import importlib.util
import math
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from functools import cached_property, partial
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from docparse_fast.document import Box, Failure
from docparse_fast.drafting.arrays import Pixels
from docparse_fast.drafting.lines import Line
from docparse_fast.drafting.measures import DOWNWARDS
from docparse_fast.drafting.scans.bending import MidLine, midline
from docparse_fast.drafting.scans.certainty import MANY_MORE, certainty_of, lost_words, may_hide_letters
from docparse_fast.drafting.scans.known_words import (
    A_WORD,
    RIVAL,
    AccentedForms,
    LineReading,
    in_known_words,
    joined_dots,
    language_of,
    sure_words,
)
from docparse_fast.drafting.scans.languages import is_written_in, names_in, scripts_of
from docparse_fast.drafting.scans.light import LINE_HEIGHT, are_blurred, sharpened
from docparse_fast.drafting.scans.lone_signs import with_lone_signs
from docparse_fast.drafting.scans.other_scripts import OtherLine, OtherScripts
from docparse_fast.drafting.scans.page_scripts import DOUBTFUL
from docparse_fast.drafting.scans.quads import Quad, crop, level_crop
from docparse_fast.drafting.scans.read_figures import Lookalikes, in_columns, points_of, with_digits, with_points
from docparse_fast.drafting.scans.recognizer_weights import EIGHT_BITS, recognizer_weights
from docparse_fast.drafting.scans.stacked_lines import nearer_by, parted, with_stacked_marks
from docparse_fast.drafting.scans.tesseract import Tesseract
from docparse_fast.drafting.scans.units import UnitReader
from docparse_fast.drafting.scans.word_ink import (
    Seen,
    between_blanks,
    evenness,
    with_blanks,
    with_litres,
    with_parted_counts,
    with_units,
    word_spans,
)
from docparse_fast.errors import ModelError
from docparse_fast.evidence import Certainty
from docparse_fast.system.onnx import Network, open_session, packaged
from docparse_fast.text.characters import SQUARE_LETTERS
from docparse_fast.text.placed_words import PlacedWord

FIRST_LOOK = 960  # longest side of the detector's first input
MOST_PIXELS = 1920 * 1472  # of a detector's input, whatever the page
SMALLEST_TEXT = 12.0  # median height in the detector's input below which it looks again, larger
WIDEST_LINE = 3200  # in the recogniser's pixels; longer lines are squeezed, not cut
INK_THRESHOLD = 0.3  # of the detector's map, and the mean a box needs
UNCLIP = 1.6  # the detector draws shrunken boxes; grow them by area / perimeter times this
LEAST_CONFIDENCE = 0.5  # of a box, and of a reading
STACKED = frozenset({"thai", "lao", "khmer", "myanmar"})  # scripts with marks over marks
MARGIN = 0.12  # of a line's box, above and below its letters: without it more is seen of each
SOFT = 0.03  # of a line's box, where a photograph is read again: of 6,216 words 4,501 are right, not 4,372
HALFWIDTH = {code: code - 0xFEE0 for code in range(0xFF01, 0xFF5F)}
HEIGHT = 32  # pixels of a line, as the network was trained
WIDEST = 1024


class LineScripts(Network):
    """Tells how likely a line is in each script."""

    weights = "line_script.onnx"

    @cached_property
    def _names(self) -> list[str]:
        return self._noted("classes").split()

    def of(self, crop: NDArray[np.uint8]) -> Mapping[str, float]:
        """A probability for each script; `none` is a picture, a rule, a smudge."""
        height, width = crop.shape[:2]
        columns = min(max(round(width * HEIGHT / height), HEIGHT), WIDEST)
        grey = cv2.resize(cv2.cvtColor(np.ascontiguousarray(crop), cv2.COLOR_RGB2GRAY), (columns, HEIGHT))
        line = (grey.astype(np.float32) / 127.5 - 1.0)[None, None]
        found = self._session.run(None, {"line": line})[0][0]
        return dict(zip(self._names, map(float, found), strict=True))


@dataclass(frozen=True, slots=True)
class FoundLines:
    quads: list[Quad]
    midlines: list[MidLine]


@dataclass(frozen=True, slots=True)
class ReadLines:
    lines: list[Line]
    failure: Failure | None  # what is to be said of lines that nothing here can read
    unread_words: float  # about how many words stand in lines that were left out


class TextDetector(Network):
    """Finds lines of text: a probability map, thresholded, each blob's rectangle grown back to full size."""

    weights = "PP-OCRv6_det_small.onnx"

    def find(self, image: Pixels) -> list[Quad]:
        return self.look(image).quads

    def look(self, image: Pixels) -> FoundLines:
        height, width = image.shape[:2]
        scale = min(1.0, FIRST_LOOK / max(height, width))
        if max(height, width) * 2 <= FIRST_LOOK:
            scale = 2.0  # a small crop: its text is small too
        largest = min(3.0, math.sqrt(MOST_PIXELS / (height * width)))  # from nearer no more is seen
        found = self._find_at(image, scale)
        if scale < largest and may_hide_letters(image, len(found.quads)):
            closer = self._find_at(image, largest)  # a newspaper's letters were two pixels tall
            if len(closer.quads) > MANY_MORE * len(found.quads):
                scale, found = largest, closer
        elif (nearer := min(scale * nearer_by(image, found.quads, found.midlines), largest)) > scale:
            scale, found = nearer, self._find_at(image, nearer)
        if quads := found.quads:
            tall = float(np.median([quad.height for quad in quads])) * scale
            better = min(scale * SMALLEST_TEXT * 1.4 / tall, largest)
            if tall < SMALLEST_TEXT and better > 1.15 * scale:
                found = self._find_at(image, better)
        return replace(found, quads=parted(image, found.quads))

    def _find_at(self, image: Pixels, scale: float) -> FoundLines:
        height, width = image.shape[:2]
        rows, columns = (max(32, round(side * scale / 32) * 32) for side in (height, width))
        interpolation = cv2.INTER_AREA if scale < 1 else cv2.INTER_CUBIC
        resized = cv2.resize(image, (columns, rows), interpolation=interpolation)
        heat = self._session.run(None, {"x": _normalised(resized)})[0][0, 0]
        ink = cv2.dilate((heat > INK_THRESHOLD).astype(np.uint8), np.ones((2, 2), np.uint8))
        contours, _ = cv2.findContours(ink, cv2.RETR_LIST, cv2.CHAIN_APPROX_SIMPLE)
        x_scale, y_scale = width / columns, height / rows
        found = [(quad, contour) for contour in contours if (quad := _grown_rectangle(contour, heat)) is not None]
        quads = [Quad(q.x * x_scale, q.y * y_scale, q.width * x_scale, q.height * y_scale, q.angle) for q, _ in found]
        midlines = [
            midline(contour, x_scale, y_scale, quad.width / quad.height)
            for quad, contour in found
            if quad.width > quad.height
        ]
        return FoundLines(quads, midlines)


class TextRecognizer:
    """Reads one line: a CTC head over 18,710 characters, Latin, Chinese and Japanese ones.

    `lang` ("en", "zh", "en+el") keeps it from answering in the script of a language that isn't there.
    """

    def __init__(self, threads: int, lang: str = "") -> None:
        # one thread a line and several lines at once: lines are too small to be shared
        name = recognizer_weights()
        self._session = open_session(packaged(name) if name == EIGHT_BITS else _weights(name), 1)
        self._pool = ThreadPoolExecutor(threads) if threads > 1 else None
        characters = self._session.get_modelmeta().custom_metadata_map["character"].splitlines()
        self._characters = ["", *characters, " "]
        self._barred = _barred(self._characters, lang)
        self._accents = AccentedForms(self._characters)
        self._lookalikes = Lookalikes(self._characters)
        self._units = UnitReader(self._characters)

    def read(self, crops: list[Pixels], *, photographed: bool = False) -> list[LineReading]:
        blurred = not photographed and are_blurred(crops)
        read = partial(self._read, photographed=photographed, blurred=blurred)
        return list(map(read, crops) if self._pool is None else self._pool.map(read, crops))

    def _read(self, crop: Pixels, *, photographed: bool, blurred: bool) -> LineReading:
        """What is doubted is read twice; of a photograph from nearer, then words without grain: `£` would be `E`."""
        margin = int(MARGIN * len(crop))
        inner = crop[margin : len(crop) - margin]
        first, second = (inner, crop) if photographed else (crop, inner)
        reading = self._seen(first, blurred=blurred)
        if not 0 < reading.confidence < DOUBTFUL:
            return reading
        if photographed and A_WORD.search(reading.text):
            second = cv2.GaussianBlur(inner, (0, 0), SOFT * len(crop))
        return max(reading, self._seen(second, blurred=blurred), key=lambda r: r.confidence)

    def _seen(self, crop: Pixels, *, blurred: bool = False) -> LineReading:
        height, width = crop.shape[:2]
        columns = min(max(16, math.ceil(LINE_HEIGHT * width / height)), WIDEST_LINE)
        padded = max(64, math.ceil(columns / 16) * 16)
        line = np.zeros((1, 3, LINE_HEIGHT, padded), np.float32)
        small = np.asarray(cv2.resize(crop, (columns, LINE_HEIGHT)), np.uint8)
        line[:, :, :, :columns] = _normalised(sharpened(small) if blurred else small)
        probabilities = self._session.run(None, {"x": line})[0][0]  # (frames, characters)
        if len(self._barred):
            probabilities[:, self._barred] = 0.0
        best = probabilities.argmax(axis=1)
        kept = np.flatnonzero((best != 0) & (best != np.concatenate([[-1], best[:-1]])))
        if not len(kept):
            return LineReading("", 0.0, ())
        confidence = float(probabilities[kept, best[kept]].mean())
        kept = self._lookalikes.with_faint_signs(probabilities, best, kept)
        per_frame = padded / len(best) / columns
        text = [self._characters[best[frame]] for frame in kept]
        sureness = probabilities[kept, best[kept]]
        marks = tuple((letter, (frame + 0.5) * per_frame) for letter, frame in zip(text, kept, strict=True))
        others = self._accents.beside(probabilities, best, kept)
        digits, points = self._lookalikes.beside(probabilities, best, kept)
        doubted = kept if confidence < DOUBTFUL else kept[:0]
        parts = probabilities[doubted] / sureness[: len(doubted), None]
        near = np.argwhere((parts >= RIVAL) & (parts < 1)).tolist()
        rivals = [(n, self._characters[m], float(parts[n, m])) for n, m in near if self._characters[m].isalpha()]
        said, sure = "".join(text), tuple(map(float, sureness))
        cell = self._lookalikes.count(probabilities, best, kept) or self._units.unit(probabilities, said)
        return LineReading(said, confidence, marks, sure, others, digits, points, rivals, cell)


class Ocr:
    """Detector and both recognisers together: an upright image's lines, unordered."""

    def __init__(self, threads: int = 1, lang: str = "") -> None:
        self._threads = threads
        self._lang = lang

    @cached_property
    def detector(self) -> TextDetector:
        return TextDetector(self._threads)

    @cached_property
    def recognizer(self) -> TextRecognizer:
        return TextRecognizer(self._threads, self._lang)

    @cached_property
    def looks(self) -> LineScripts:
        return LineScripts()

    @cached_property
    def other_scripts(self) -> OtherScripts:
        return OtherScripts(self.looks, Tesseract(), names_in(self._lang), self.recognizer.read)

    def read(self, image: Pixels, quads: Sequence[Quad] | None = None, *, photographed: bool = False) -> ReadLines:
        """`photographed`: what the recogniser doubts is read as words of the page's language."""
        quads = self.detector.find(image) if quads is None else quads
        crops = [crop(image, quad) for quad in quads]
        said = self.recognizer.read(crops, photographed=photographed)
        said = list(self.in_language(said, photographed=photographed))
        texts = in_columns([(quad.box, one.text, one.cell) for quad, one in zip(quads, said, strict=True)])
        readings = [one.said(text) for one, text in zip(said, texts, strict=True)]
        down = sorted(range(len(quads)), key=lambda n: quads[n].y)  # as a page is read
        seen = [crops[n] for n in down], [readings[n] for n in down]
        second = self.other_scripts.look(*seen, photographed=photographed)
        if STACKED.intersection(second.scripts) and len(whole := with_stacked_marks(quads)) < len(quads):
            return self.read(image, whole, photographed=photographed)
        looked = {n: (line, unread) for n, line, unread in zip(down, second.lines, second.unread, strict=True)}
        lines, left_out = [], 0.0
        for n, (quad, reading) in enumerate(zip(quads, readings, strict=True)):
            other, unread = looked[n]
            if isinstance(other, OtherLine):
                lines.append(_other_line(quad, other))
            elif other is None and reading.confidence >= LEAST_CONFIDENCE and reading.text.strip():
                lines.append(_line(quad, reading, unread, crops[n]))
            else:
                left_out += lost_words(1.0, _length(quad)) if reading.text.strip() or unread else 0.0
        return ReadLines(with_lone_signs(lines), second.failure, left_out)

    def in_language(self, readings: Sequence[LineReading], *, photographed: bool) -> Iterator[LineReading]:
        """With its language's accents and one sign in its figures; a photograph's doubted words as sure ones."""
        sure = sure_words(readings) if photographed else []
        told = filter(str.islower, sure) if photographed else (each.text for each in readings)
        is_asked = any(each.others or (photographed and each.rivals) for each in readings)
        words = language_of(told, names_in(self._lang)) if is_asked else None
        language, here = "" if words is None else words.language, set(map(str.lower, sure))

        def knows(word: str) -> bool:
            return word.lower() in here or (words is not None and words.knows(word))

        signs = points_of([(each.text, each.points) for each in readings], language)
        joined = joined_dots(each.text for each in readings)
        for each in readings:
            text = in_known_words(each.text, each.others, knows).translate(joined)
            text = in_known_words(text, each.rivals if photographed else (), knows, RIVAL)
            yield each.said(with_points(with_digits(text, each.digits), each.points, signs, photographed=photographed))

    def read_in(self, image: Pixels, box: Box) -> LineReading:
        (reading,) = self.recognizer.read([level_crop(image, Quad(*box.center, box.width, box.height, 0.0))])
        return reading


def _length(quad: Quad) -> float:
    """Of a line, in heights of it."""
    return max(quad.width, quad.height) / max(1.0, min(quad.width, quad.height))


def _line(quad: Quad, reading: LineReading, unread: float, seen: Pixels) -> Line:
    box = quad.box
    upright = quad.height > DOWNWARDS * quad.width
    marks = _ordinary(reading.marks)
    if not upright:
        marks = with_litres(seen, with_parted_counts(seen, with_units(with_blanks(marks, _length(quad)))))
    words = () if upright else _words(box, marks, seen)
    text = " ".join("".join(letter for letter, _ in marks).split())
    certainty = certainty_of([letter for letter, _ in reading.marks], reading.sureness, unread, _length(quad))
    confidence = round(reading.confidence, 4)
    even = 0.0 if upright else evenness(reading.marks)
    return Line(
        box, text, _size(quad), "embedded", evenness=even, confidence=confidence, certainty=certainty, words=words
    )


def _size(quad: Quad) -> float:
    """Of its type: a line's box is taller."""
    return 0.72 * min(quad.width, quad.height)


def _other_line(quad: Quad, other: OtherLine) -> Line:
    """Tesseract's confidence doesn't pass through MuPDF: such a line has none, unless the page is rubbish."""
    box, pieces = quad.box, other.pieces if quad.height <= DOWNWARDS * quad.width else ()
    across = ((box.x0 + box.width * piece.x0, box.x0 + box.width * piece.x1, piece.text) for piece in pieces)
    words = tuple((Box(x0, box.y0, x1, box.y1), text) for x0, x1, text in across)
    count = float(len(other.text.split()))
    certainty = Certainty(count, count * other.known) if other.known is not None else None
    return Line(box, other.text, _size(quad), "embedded", certainty=certainty, words=words)


def _ordinary(marks: Sequence[Seen]) -> Sequence[Seen]:
    """The recogniser likes full-width signs; outside Chinese text they are ordinary ones. A point has no degrees."""
    signs = "".join(sign for sign, _ in marks)
    if SQUARE_LETTERS.search(signs):
        return marks
    return [(sign, at) for sign, (_, at) in zip(signs.translate(HALFWIDTH).replace(".°", ".º"), marks, strict=True)]


def _words(box: Box, marks: Sequence[Seen], seen: Pixels) -> tuple[PlacedWord, ...]:
    words = between_blanks(marks)
    spans = word_spans(seen, words)
    across = [Box(box.x0 + x0 * box.width, box.y0, box.x0 + x1 * box.width, box.y1) for x0, x1 in spans]
    return tuple((there, "".join(letter for letter, _ in word)) for there, word in zip(across, words, strict=True))


def _grown_rectangle(contour: NDArray[Any], heat: NDArray[np.float32]) -> Quad | None:
    (x, y), (width, height), angle = cv2.minAreaRect(contour)
    if min(width, height) < 3:
        return None
    left, top, across, down = cv2.boundingRect(contour)
    inside = np.zeros((down, across), np.uint8)
    cv2.drawContours(inside, [contour], -1, 1, cv2.FILLED, offset=(-left, -top))
    if cv2.mean(heat[top : top + down, left : left + across], inside)[0] < LEAST_CONFIDENCE:
        return None
    grow = UNCLIP * width * height / (width + height)  # twice area * ratio / perimeter
    width, height = width + grow, height + grow
    if abs(angle) > 45:  # OpenCV calls either side the width
        width, height, angle = height, width, angle - math.copysign(90, angle)
    return Quad(x + 0.5, y + 0.5, width, height, angle)


def _normalised(image: Pixels) -> NDArray[np.float32]:
    """(1, 3, height, width), BGR, -1 to 1."""
    return np.ascontiguousarray(image.transpose(2, 0, 1)[None, ::-1], np.float32) / 127.5 - 1.0


def _barred(characters: list[str], lang: str) -> NDArray[np.intp]:
    scripts = scripts_of(lang) if lang else frozenset[str]()
    if not scripts:
        return np.empty(0, np.intp)
    barred = [n for n, character in enumerate(characters) if character and not is_written_in(character, scripts)]
    return np.array(barred, np.intp)


def _weights(name: str) -> Path:
    found = importlib.util.find_spec("rapidocr")
    folders = found.submodule_search_locations if found else None
    path = Path(next(iter(folders))) / "models" / name if folders else Path(name)
    if not path.is_file():
        raise ModelError(
            "model_missing", f"the OCR weights {name} are not there", remedy="pip install 'rapidocr>=3.10'"
        )
    return path
