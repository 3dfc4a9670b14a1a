"""Which lines the recogniser could not read, in which script they are, and who reads them instead. Opens no model.

The recogniser knows Latin, Chinese and Japanese. Of a letter it doesn't know it says nothing, so its reading leaves ink
without a letter. Such a line is looked at again: its script by its looks, its text by Tesseract, where the data for
that script is here. Where it is not, the line is left out and counted: rubbish is worse than a gap that is said.
"""

from __future__ import annotations

import unicodedata
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from docparse_fast.document import Failure
from docparse_fast.drafting.arrays import Pixels
from docparse_fast.drafting.scans.language_data import BY_LANGUAGE, LanguageData, best_for, wanted_for
from docparse_fast.drafting.scans.languages import UNICODE_NAMES, VIETNAMESE, is_vietnamese
from docparse_fast.drafting.scans.tesseract import ReadPiece

OWN = frozenset({"latin", "han", "none"})  # what the recogniser reads, or nothing at all
REACH = 0.75  # of a line's height: as far as a letter accounts for the ink beside it
INK = 0.4  # of a line's contrast, from which a column of pixels holds ink
UNREAD = 0.12  # part of the ink without a letter, from which a line is looked at again
DOUBTFUL = 0.93  # confidence, the same
LIKELY = 0.5  # probability of a script that the page is known to hold
CERTAIN = 0.9  # of one it isn't
MOSTLY_UNREAD = 0.5
LONG = 5.0  # times its height: a line long enough to be judged alone
PAGE_SHARE = 0.1  # of the page's text, from which it holds a script
UNSPACED = {
    "thai": 0.35,
    "lao": 0.35,
    "khmer": 0.35,
    "myanmar": 0.35,
    "hangul": 0.17,
}  # gap that is a blank, in heights


class FirstReading(Protocol):
    @property
    def text(self) -> str: ...
    @property
    def confidence(self) -> float: ...
    @property
    def marks(self) -> tuple[tuple[str, float], ...]: ...


class Looks(Protocol):
    def of(self, crop: Pixels) -> Mapping[str, float]: ...


class LineReader(Protocol):
    def read(self, crop: Pixels, data: LanguageData) -> list[ReadPiece]: ...


@dataclass(frozen=True, slots=True)
class Signs:
    """What speaks for and against another script in one line."""

    length: float  # in heights of the line
    unread: float  # part of its ink that no letter accounts for
    confidence: float
    scripts: Mapping[str, float]  # empty where nothing made us ask

    @property
    def best(self) -> tuple[str, float]:
        others = {name: p for name, p in self.scripts.items() if name not in OWN}
        return max(others.items(), key=lambda item: item[1], default=("", 0.0))


@dataclass(frozen=True, slots=True)
class OtherLine:
    """A line read in another script; `pieces` in the order in which they are read."""

    text: str
    pieces: tuple[ReadPiece, ...]


@dataclass(frozen=True, slots=True)
class SecondLook:
    """A line of another script at its place, None where the first reading stands, "" where nothing could read it."""

    lines: tuple[OtherLine | str | None, ...]
    unread: tuple[float, ...] = ()  # the part of each line's ink that the first reading has no letter for
    failure: Failure | None = None


class OtherScripts:
    """Looks again at what the recogniser left unread.

    >>> OtherScripts(LineScripts(), Tesseract()).look(crops, readings).lines        # doctest: +SKIP
    (None, OtherLine('Глава 3', ...))
    """

    def __init__(self, looks: Looks, reader: LineReader, languages: Iterable[str] = ()) -> None:
        self._looks = looks
        self._reader = reader
        self._languages = tuple(languages)
        self._asked = frozenset(BY_LANGUAGE[name].script for name in self._languages if name in BY_LANGUAGE)

    def look(self, crops: Sequence[Pixels], readings: Sequence[FirstReading]) -> SecondLook:
        signs = [self._signs(crop, reading) for crop, reading in zip(crops, readings, strict=True)]
        unread = tuple(sign.unread for sign in signs)
        if is_vietnamese("".join(reading.text for reading in readings)) or VIETNAMESE in self._asked:
            signs = [_vietnamese(sign, reading) for sign, reading in zip(signs, readings, strict=True)]
        scripts = scripts_of_lines(signs)
        lines = [
            self._read(crop, reading, script) if script else None
            for crop, reading, script in zip(crops, readings, scripts, strict=True)
        ]
        return SecondLook(tuple(lines), unread, self._failure(scripts, len(readings)))

    def _signs(self, crop: Pixels, reading: FirstReading) -> Signs:
        height, width = crop.shape[:2]
        unread = unread_ink(crop, [at for letter, at in reading.marks if letter.strip()])
        asked = unread >= UNREAD or reading.confidence < DOUBTFUL
        scripts = self._looks.of(crop) if asked else {}
        if self._asked:
            scripts = {name: p for name, p in scripts.items() if name in self._asked | OWN}
        return Signs(width / height, unread, reading.confidence, scripts)

    def _read(self, crop: Pixels, reading: FirstReading, script: str) -> OtherLine | str | None:
        data = best_for(script, self._languages)
        if data is None:
            return None if script == VIETNAMESE else ""
        pieces = with_latin(self._reader.read(crop, data), reading, crop.shape[0] / crop.shape[1], script)
        text = joined(pieces, script, crop.shape[1] / crop.shape[0])
        return OtherLine(text, tuple(pieces)) if is_mostly(script, text) else None

    def _failure(self, scripts: Sequence[str], lines: int) -> Failure | None:
        missing = Counter(script for script in scripts if script and best_for(script, self._languages) is None)
        if not missing:
            return None
        script, count = missing.most_common(1)[0]
        data = wanted_for(script, self._languages)
        what = f"in {script.title()} script" if script != VIETNAMESE else "in Vietnamese"
        loss = "which nothing here reads" if script != VIETNAMESE else "whose letters are not all read here"
        others = sum(missing.values()) - count
        more = f", {others} in others" if others else ""
        remedy = data.remedy if data else "have a target read the page"
        return Failure("model_missing", f"{count} of {lines} lines are {what}, {loss}{more}; {remedy}")


def scripts_of_lines(signs: Sequence[Signs]) -> list[str]:
    """Each line's script, where it is one that the recogniser doesn't read; "" where its reading stands.

    One odd line is a logo or a smudge, unless it is long, mostly unread and plainly of one script. A page has a script
    only if lines with unread ink say so: handwriting is read with doubt, but all its ink is read as letters.
    """
    total = sum(sign.length for sign in signs)
    shares: Counter[str] = Counter()
    for sign in signs:
        script, probability = sign.best
        if probability >= LIKELY and sign.unread >= UNREAD:
            shares[script] += sign.length / total  # type: ignore[assignment]
    held = {script for script, share in shares.items() if share >= PAGE_SHARE and script}
    main = max(held, key=lambda script: shares[script], default="")
    return [_script_of(sign, held, main) for sign in signs]


def _script_of(sign: Signs, held: set[str], main: str) -> str:
    script, probability = sign.best
    if script in held and probability >= (LIKELY if script == main else CERTAIN):
        return script
    if probability >= CERTAIN and sign.unread >= MOSTLY_UNREAD and sign.length >= LONG:
        return script
    is_text = bool(sign.scripts) and sign.scripts.get("none", 0.0) < LIKELY
    return main if is_text and sign.unread >= MOSTLY_UNREAD else ""


def unread_ink(crop: Pixels, letters: Sequence[float]) -> float:
    """The part of a line's inked columns that has no letter near; `letters` stand at parts of its width.

    >>> line = np.full((20, 200, 3), 255, np.uint8)
    >>> line[5:15, 10:190:4] = 0
    >>> unread_ink(line, [0.1, 0.2]), unread_ink(line, [n / 20 for n in range(20)])
    (0.73, 0.0)
    """
    grey = crop[:, :, 1].astype(np.int16)
    paper = np.median(grey)
    contrast = np.abs(grey - paper).max(axis=0)
    inked = np.flatnonzero(contrast >= max(INK * np.percentile(contrast, 95), 24))
    if not len(inked):
        return 0.0
    if not letters:
        return 1.0
    height, width = crop.shape[:2]
    places = np.sort(np.asarray(letters)) * width
    right = np.searchsorted(places, inked).clip(0, len(places) - 1)
    left = (right - 1).clip(0)
    distance = np.minimum(np.abs(places[right] - inked), np.abs(places[left] - inked))
    return round(float((distance > REACH * height).mean()), 2)


def with_latin(pieces: Sequence[ReadPiece], reading: FirstReading, em: float, script: str) -> list[ReadPiece]:
    """Pieces, those taken from the recogniser that it could read: words in Latin letters, and numbers."""
    known = latin_words(reading, em)
    made: list[ReadPiece] = []
    for piece in pieces:
        over = [word for word in known if _overlap(word, piece) > 0.5 * (piece.x1 - piece.x0)]
        inside = [word for word in known if _overlap(word, piece) > 0.5 * (word.x1 - word.x0)]
        if over:
            known = [word for word in known if word is not over[0]]
            made.append(over[0])
        elif inside and sum(word.x1 - word.x0 for word in inside) > 0.7 * (piece.x1 - piece.x0):
            known = [word for word in known if word not in inside]
            made += inside
        elif not any(_overlap(piece, taken) > 0.5 * (piece.x1 - piece.x0) for taken in made):
            made.append(piece)
    return made


def latin_words(reading: FirstReading, em: float) -> list[ReadPiece]:
    """Words of at least three Latin letters, or numbers of two figures, with where they stand."""
    words: list[ReadPiece] = []
    run: list[tuple[str, float]] = []
    half = 0.25 * em
    for letter, at in (*reading.marks, (" ", 1.0)):
        if letter.strip() and (not run or at - run[-1][1] < em):
            run.append((letter, at))
            continue
        word = "".join(letter for letter, _ in run)
        if _is_latin(word):
            words.append(ReadPiece(word, run[0][1] - half, run[-1][1] + half))
        run = [(letter, at)] if letter.strip() else []
    return words


def _is_latin(word: str) -> bool:
    letters = sum(c.isascii() and c.isalpha() for c in word)
    figures = sum(c.isascii() and c.isdigit() for c in word)
    return word.isascii() and (letters >= 3 or (figures >= 2 and figures + letters >= 0.6 * len(word)))


def joined(pieces: Sequence[ReadPiece], script: str, length: float) -> str:
    """The text of pieces; in scripts that set no blanks, or whose words come in parts, by the gaps between them."""
    least = UNSPACED.get(script, 0.0)
    text = ""
    before: ReadPiece | None = None
    for piece in pieces:
        gap = (piece.x0 - before.x1) * length if before else 0.0
        text += (" " if before and (not least or gap >= least) else "") + piece.text
        before = piece
    return " ".join(text.split())


def is_mostly(script: str, text: str) -> bool:
    """Whether at least half of the letters are the script's, or Latin words stand among some that are.

    >>> is_mostly("cyrillic", "файл config"), is_mostly("thai", "abc")
    (True, False)
    """
    if script == VIETNAMESE:
        return any(map(str.isalpha, text))
    letters = [c for c in text if c.isalpha() and not c.isascii()]
    own = sum(unicodedata.name(c, "").startswith(UNICODE_NAMES[script]) for c in letters)
    return own > 0 and own >= 0.5 * len(letters)


def _vietnamese(sign: Signs, reading: FirstReading) -> Signs:
    latin = any(map(str.isalpha, reading.text))
    return Signs(sign.length, 1.0, sign.confidence, {VIETNAMESE: 1.0}) if latin else sign


def _overlap(one: ReadPiece, other: ReadPiece) -> float:
    return max(0.0, min(one.x1, other.x1) - max(one.x0, other.x0))
