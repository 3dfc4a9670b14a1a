"""Finds Latin words and numbers that stand in lines of other scripts, and has the recogniser read them.

Tesseract's data for another script writes everything in that script's letters, Latin words too. Opens no model.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from docparse_fast.drafting.arrays import Pixels
from docparse_fast.drafting.measures import SEVERAL
from docparse_fast.drafting.scans.known_words import LineReading
from docparse_fast.drafting.scans.languages import FROM_RIGHT, UNICODE_NAMES
from docparse_fast.drafting.scans.tesseract import ReadPiece
from docparse_fast.geometry import runs

INK = 0.4  # of a line's contrast, from which a column of pixels holds ink
STRONG = 95  # percentile of the columns' contrasts that is the line's contrast
FAINT = 24  # grey levels, below which a column holds no ink
BLANK = 0.16  # of a line's height: a gap this wide parts words
BESIDE = 0.12  # of a line's height: paper left beside a word
LOOKS_FOREIGN = 0.9  # probability of the line's script, below which a word may be of another
SURE = 0.97  # confidence of a reading that is taken
AGREED = 0.9  # of one that says what the whole line's reading said
LIKELY_READ = 0.85  # mean confidence in a word of the whole line's reading, from which it is looked at
LOOKS_LATIN = 0.5  # probability of the line's script, below which such a word is taken
UNREAD = 0.1  # part of a word's ink that may be without a letter
REACH = 0.75  # of a line's height: as far as a letter accounts for the ink beside it
ROOM = 1.0  # letters for a line's height of a word's width, below which some were not read
NEAR = 0.2  # of a line's height: so far beside its word a letter may be found, and behind its beginning its first one
ALIKE = frozenset("ABCEHKMNOPTUXYZaceghikmnoprtuvxy3")  # these letters stand for Greek or Cyrillic ones too
FEWEST_LETTERS = 3
MOSTLY = 0.6  # of a quoted text's characters: letters and figures
SHARE_LETTERS = frozenset({"cyrillic", "greek"})
LATIN = re.compile(r"[!-~]+")
NUMBER = re.compile(r"[\d.,:;/%()-]+")
WITHIN_PIECE = 0.3  # of the piece's width, likewise
SHORTEST = 0.6  # of a line's height: a narrower word is left as it is


Recognise = Callable[[list[Pixels]], Sequence[LineReading]]
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
    return _ink_spans(crop, BLANK * crop.shape[0])


def _ink_spans(crop: Pixels, gap: float) -> list[WordSpan]:
    """Where ink stands without a gap wider than this."""
    inked = np.flatnonzero(inked_columns(crop))
    if not len(inked):
        return []
    ends = np.flatnonzero(np.diff(inked) > gap)
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


def has_unread_words(crop: Pixels, reading: LineReading) -> bool:
    """Whether words of a line have far fewer letters in its reading than they have room for."""
    height, width = crop.shape[:2]
    letters = [at * width for letter, at in reading.marks if letter.strip()]
    for span in word_spans(crop):
        wide = (span.x1 - span.x0) / height
        inside = sum(span.x0 - NEAR * height <= x <= span.x1 + NEAR * height for x in letters)
        if wide > SHORTEST and inside < ROOM * wide:
            return True
    return False


def with_quoted(
    crop: Pixels, pieces: Sequence[ReadPiece], script: str, looks: LookAt, recognise: Recognise, whole: LineReading
) -> list[ReadPiece]:
    """Pieces, those that stand for Latin words and numbers read by the recogniser; `whole` is how it read the line."""
    made = list(pieces)
    taken: list[WordSpan] = []
    for word, span in words_read(crop, whole):
        if script in SHARE_LETTERS and not _is_apart(crop, span):
            continue
        cut = _cut(crop, span)
        if looks(cut).get(script, 0.0) >= LOOKS_LATIN or not _is_quoted(word, script, SEVERAL):
            continue
        reading = recognise([cut])[0]
        agreed = reading.text.strip() == word and reading.confidence >= AGREED
        if agreed and _put(made, word, span, crop, script):
            taken.append(span)
    for span in [*_foreign_runs(made, script, crop.shape[1]), *_foreign_looking(crop, script, looks)]:
        if any(span.x0 < other.x1 and other.x0 < span.x1 for other in taken):
            continue
        cut = _cut(crop, span)
        reading = recognise([cut])[0]
        text = reading.text.strip()
        unread = unread_ink(cut, [at for letter, at in reading.marks if letter.strip()])
        if reading.confidence >= SURE and _is_quoted(text, script, FEWEST_LETTERS) and unread <= UNREAD:
            _put(made, text, span, crop, script)
    return made


def words_read(crop: Pixels, whole: LineReading) -> list[tuple[str, WordSpan]]:
    """The words of Latin letters in a line's reading that are probably right, and where they stand."""
    found: list[tuple[str, WordSpan]] = []
    edges = _ink_spans(crop, 1)  # letters, or some that touch
    for match in LATIN.finditer("".join(letter for letter, _ in whole.marks)):
        start, end = match.span()
        if not edges or sum(whole.sureness[start:end]) < LIKELY_READ * (end - start):
            continue
        first, last = (round(whole.marks[n][1] * crop.shape[1]) for n in (start, end - 1))
        span = WordSpan(_nearest(edges, first).x0, _nearest(edges, last).x1)
        if len(word_spans(crop[:, span.x0 : span.x1])) == 1:
            found.append((match[0], span))
    return found


def _is_apart(crop: Pixels, span: WordSpan) -> bool:
    """Whether paper is left on both sides, as between words."""
    return any(abs(span.x0 - word.x0) <= 1 and abs(span.x1 - word.x1) <= 1 for word in word_spans(crop))


def _nearest(edges: Sequence[WordSpan], column: int) -> WordSpan:
    return min(edges, key=lambda edge: max(edge.x0 - column, column - edge.x1, 0))


def _put(made: list[ReadPiece], text: str, span: WordSpan, crop: Pixels, script: str) -> bool:
    """Puts a word in place of the pieces that begin where it stands; where there are none, between its neighbours."""
    width = crop.shape[1]
    piece = ReadPiece(text, span.x0 / width, span.x1 / width)
    inside = [n for n, one in enumerate(made) if span.x0 - 1 <= _begins(one, crop) < span.x1]
    middle = (piece.x0 + piece.x1) / 2
    if not inside and script not in FROM_RIGHT and not any(one.x0 <= middle <= one.x1 for one in made):
        at = sum(_begins(one, crop) < span.x0 for one in made)
        made.insert(at, piece)
        return True
    if not inside or inside != list(range(inside[0], inside[-1] + 1)):
        return False
    made[inside[0] : inside[-1] + 1] = [piece]
    return True


def _begins(piece: ReadPiece, crop: Pixels) -> float:
    """A column of a piece's first letter: where pieces end is not known as well."""
    height, width = crop.shape[:2]
    return float(piece.x0 * width + min(WITHIN_PIECE * (piece.x1 - piece.x0) * width, NEAR * height))


def _foreign_looking(crop: Pixels, script: str, looks: LookAt) -> Iterator[WordSpan]:
    for span in word_spans(crop):
        wide = span.x1 - span.x0 > SHORTEST * crop.shape[0]
        if wide and looks(_cut(crop, span)).get(script, 0.0) < LOOKS_FOREIGN:
            yield span


def _foreign_runs(pieces: Sequence[ReadPiece], script: str, width: int) -> list[WordSpan]:
    """Pieces in a row without a letter of the script, up to where the next begins; figures are read well."""
    foreign = [n for n, piece in enumerate(pieces) if not _is_read(script, piece.text)]
    begins = [*(piece.x0 for piece in pieces), 1.0]
    spans = [(begins[run[0]], begins[run[-1] + 1]) for run in runs(foreign, lambda run, n: run[-1] == n - 1)]
    return [WordSpan(round(start * width), round(end * width)) for start, end in spans if end > start]


def _is_read(script: str, text: str) -> bool:
    name = UNICODE_NAMES.get(script, "LATIN")
    own = any(unicodedata.name(character, "").startswith(name) for character in text)
    return own or NUMBER.fullmatch(text) is not None


def _cut(crop: Pixels, span: WordSpan) -> Pixels:
    beside = round(BESIDE * crop.shape[0])
    return np.ascontiguousarray(crop[:, max(0, span.x0 - beside) : span.x1 + beside])


def _is_quoted(text: str, script: str, fewest: int) -> bool:
    """Whether a text is a Latin word or a number, and no letters that merely look so."""
    if script in SHARE_LETTERS and all(character in ALIKE for character in text if character.isalpha()):
        return False
    letters, figures = (sum(map(test, text)) for test in (str.isalpha, str.isdigit))
    long = letters >= fewest or (figures >= SEVERAL and script in FROM_RIGHT)
    return text.isascii() and long and letters + figures >= MOSTLY * len(text.replace(" ", ""))
