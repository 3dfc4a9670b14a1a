"""Finds Latin words and numbers that stand in lines of other scripts, and has the recogniser read them.

Tesseract's data for another script writes everything in that script's letters, Latin words too. Opens no model.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from docparse_fast.drafting.arrays import Pixels
from docparse_fast.drafting.scans.languages import UNICODE_NAMES
from docparse_fast.drafting.scans.tesseract import ReadPiece

INK = 0.4  # of a line's contrast, from which a column of pixels holds ink
STRONG = 95  # percentile of the columns' contrasts that is the line's contrast
FAINT = 24  # grey levels, below which a column holds no ink
BLANK = 0.16  # of a line's height: a gap this wide parts words
BESIDE = 0.12  # of a line's height: paper left beside a word
LOOKS_FOREIGN = 0.9  # probability of the line's script, below which a word may be of another
SURE = 0.97  # confidence of a reading that is taken
UNREAD = 0.1  # part of a word's ink that may be without a letter
REACH = 0.75  # of a line's height: as far as a letter accounts for the ink beside it
ALIKE = frozenset("ABCEHKMNOPTUXYZaceghikmnoprtuvxy3")  # these letters stand for Greek or Cyrillic ones too
LETTERS_FOR_FIGURES = frozenset({"arabic", "hebrew"})  # their data takes figures for letters
FEWEST_LETTERS, FEWEST_FIGURES = 3, 2
MOSTLY = 0.6  # of a quoted text's characters: letters and figures
SHARE_LETTERS = frozenset({"cyrillic", "greek"})
NUMBER = re.compile(r"[\d.,:;/%()-]+")
WITHIN = 0.2  # of a line's height: a column so far behind a beginning is in the first letter
WITHIN_PIECE = 0.3  # of the piece's width, likewise
SHORTEST = 0.6  # of a line's height: a narrower word is left as it is


class Reading(Protocol):
    @property
    def text(self) -> str: ...
    @property
    def confidence(self) -> float: ...
    @property
    def marks(self) -> tuple[tuple[str, float], ...]: ...


Recognise = Callable[[list[Pixels]], Sequence[Reading]]
LookAt = Callable[[Pixels], Mapping[str, float]]


@dataclass(frozen=True, slots=True)
class WordSpan:
    """From where to where a word stands, in columns of its line."""

    x0: int
    x1: int


def inked_columns(crop: Pixels) -> np.ndarray[tuple[int], np.dtype[np.bool_]]:
    grey = crop[:, :, 1].astype(np.int16)
    contrast = np.abs(grey - np.median(grey)).max(axis=0)
    return np.asarray(contrast >= max(INK * np.percentile(contrast, STRONG), FAINT))


def word_spans(crop: Pixels) -> list[WordSpan]:
    """
    >>> line = np.full((20, 100, 3), 255, np.uint8)
    >>> line[5:15, 10:30] = line[5:15, 32:40] = line[5:15, 60:90] = 0
    >>> [(span.x0, span.x1) for span in word_spans(line)]
    [(10, 40), (60, 90)]
    """
    inked = np.flatnonzero(inked_columns(crop))
    if not len(inked):
        return []
    ends = np.flatnonzero(np.diff(inked) > BLANK * crop.shape[0])
    firsts, lasts = [0, *(ends + 1).tolist()], [*ends.tolist(), len(inked) - 1]
    return [WordSpan(int(inked[a]), int(inked[b]) + 1) for a, b in zip(firsts, lasts, strict=True)]


def unread_ink(crop: Pixels, letters: Sequence[float]) -> float:
    """The part of a line's inked columns that has no letter near; `letters` stand at parts of its width.

    >>> line = np.full((20, 200, 3), 255, np.uint8)
    >>> line[5:15, 10:190:4] = 0
    >>> unread_ink(line, [0.1, 0.2]), unread_ink(line, [n / 20 for n in range(20)])
    (0.73, 0.0)
    """
    inked = np.flatnonzero(inked_columns(crop))
    if not len(inked):
        return 0.0
    if not letters:
        return 1.0
    height, width = crop.shape[:2]
    places = np.sort(np.asarray(letters)) * width
    right = np.searchsorted(places, inked).clip(0, len(places) - 1)
    left = (right - 1).clip(0)
    distance = np.minimum(np.abs(places[right] - inked), np.abs(places[left] - inked))
    return round(float(np.mean(distance > REACH * height)), 2)


def with_quoted(
    crop: Pixels, pieces: Sequence[ReadPiece], script: str, looks: LookAt, recognise: Recognise
) -> list[ReadPiece]:
    """Pieces, those that stand for Latin words and numbers read by the recogniser."""
    width = crop.shape[1]
    made = list(pieces)
    for span in [*_foreign_runs(made, script, width), *_foreign_looking(crop, script, looks)]:
        inside = [n for n, piece in enumerate(made) if span.x0 - 1 <= _begins(piece, crop) < span.x1]
        if not inside or inside != list(range(inside[0], inside[-1] + 1)):
            continue
        cut = _cut(crop, span)
        reading = recognise([cut])[0]
        text = reading.text.strip()
        if reading.confidence >= SURE and _is_quoted(text, script) and _is_read_wholly(cut, reading):
            made[inside[0] : inside[-1] + 1] = [ReadPiece(text, span.x0 / width, span.x1 / width)]
    return made


def _begins(piece: ReadPiece, crop: Pixels) -> float:
    """A column of a piece's first letter: where pieces end is not known as well."""
    height, width = crop.shape[:2]
    return float(piece.x0 * width + min(WITHIN_PIECE * (piece.x1 - piece.x0) * width, WITHIN * height))


def _foreign_looking(crop: Pixels, script: str, looks: LookAt) -> Iterator[WordSpan]:
    for span in word_spans(crop):
        wide = span.x1 - span.x0 > SHORTEST * crop.shape[0]
        if wide and looks(_cut(crop, span)).get(script, 0.0) < LOOKS_FOREIGN:
            yield span


def _foreign_runs(pieces: Sequence[ReadPiece], script: str, width: int) -> list[WordSpan]:
    """Pieces in a row without a letter of the script, up to where the next begins; figures are read well."""
    runs: list[WordSpan] = []
    start: float | None = None
    for piece in [*pieces, None]:
        foreign = piece is not None and not _is_read(script, piece.text)
        if piece is not None and foreign and start is None:
            start = piece.x0
        elif start is not None and not foreign:
            end = 1.0 if piece is None else piece.x0
            if end > start:
                runs.append(WordSpan(round(start * width), round(end * width)))
            start = None
    return runs


def _is_read(script: str, text: str) -> bool:
    name = UNICODE_NAMES.get(script, "LATIN")
    own = any(unicodedata.name(character, "").startswith(name) for character in text)
    return own or NUMBER.fullmatch(text) is not None


def _cut(crop: Pixels, span: WordSpan) -> Pixels:
    beside = round(BESIDE * crop.shape[0])
    return np.ascontiguousarray(crop[:, max(0, span.x0 - beside) : span.x1 + beside])


def _is_read_wholly(crop: Pixels, reading: Reading) -> bool:
    return unread_ink(crop, [at for letter, at in reading.marks if letter.strip()]) <= UNREAD


def _is_quoted(text: str, script: str) -> bool:
    """Whether a text is a Latin word or a number, and no letters that merely look so."""
    if script in SHARE_LETTERS and all(character in ALIKE for character in text if character.isalpha()):
        return False
    letters, figures = (sum(map(test, text)) for test in (str.isalpha, str.isdigit))
    long = letters >= FEWEST_LETTERS or (figures >= FEWEST_FIGURES and script in LETTERS_FOR_FIGURES)
    return text.isascii() and long and letters + figures >= MOSTLY * len(text.replace(" ", ""))
