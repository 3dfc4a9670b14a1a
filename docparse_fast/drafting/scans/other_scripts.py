"""Which lines the recogniser could not read, in which script they are, and who reads them instead. Opens no model.

The recogniser knows Latin, Chinese and Japanese. Of a letter it doesn't know it says nothing, so its reading leaves ink
without a letter. Such a line is looked at again: its script by its looks, its text by Tesseract, where the data for
that script is here. Where it is not, the line is left out and counted: rubbish is worse than a gap that is said.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from docparse_fast.document import Failure
from docparse_fast.drafting.arrays import Pixels
from docparse_fast.drafting.scans.language_data import BY_LANGUAGE, LanguageData, best_for, wanted_for
from docparse_fast.drafting.scans.languages import READ_WELL, UNICODE_NAMES, VIETNAMESE, is_vietnamese, reads
from docparse_fast.drafting.scans.quoted_words import Reading, Recognise, inked_columns, unread_ink, with_quoted
from docparse_fast.drafting.scans.tesseract import ReadPiece

OWN = frozenset({"latin", "han", "none"})  # what the recogniser reads, or nothing at all
UNREAD = 0.12  # part of the ink without a letter, from which a line is looked at again
DOUBTFUL = 0.93  # confidence, the same
LIKELY = 0.5  # probability of a script that the page is known to hold
CERTAIN = 0.9  # of one it isn't
MOSTLY_UNREAD = 0.5
LONG = 5.0  # times its height: a line long enough to be judged alone
BADLY_READ = 0.8  # mean confidence of a page
PARTLY_UNREAD = 0.15  # of the page's text
LITTLE_OWN = 0.15  # of a page's looks
PAGE_SHARE = 0.1  # of the page's text, from which it holds a script
# the least gap that is a blank, in heights of the line
UNSPACED = {"thai": 0.19, "lao": 0.35, "khmer": 0.35, "myanmar": 0.35, "hangul": 0.22}
FEWEST_LETTERS = 5  # of a line, to tell its script by them
WRITTEN_WORD = re.compile(r"[^\W\d_]{3}")  # a formula's Greek letters stand one by one
SCRIPT_NAMES = {name: script for script, name in UNICODE_NAMES.items() if name not in READ_WELL}
ARABIC_SIGNS = {",": "،", ";": "؛", "?": "؟"}
DOUBLED_TONE = re.compile(r"([่้๊๋])\1า")
ARABIC_SIGN = re.compile(r"(?<=[\u0600-\u06ff])[,;?](?!\d)")


class Looks(Protocol):
    def of(self, crop: Pixels) -> Mapping[str, float]: ...


class LineReader(Protocol):
    def read(self, crops: Sequence[Pixels], data: LanguageData) -> list[list[ReadPiece]]: ...


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

    def __init__(
        self, looks: Looks, reader: LineReader, languages: Iterable[str] = (), recognise: Recognise | None = None
    ) -> None:
        self._looks = looks
        self._reader = reader
        self._recognise = recognise
        self._languages = tuple(languages)
        self._asked = frozenset(BY_LANGUAGE[name].script for name in self._languages if name in BY_LANGUAGE)

    def look(self, crops: Sequence[Pixels], readings: Sequence[Reading]) -> SecondLook:
        signs = [
            _by_letters(self._signs(crop, reading), reading.text) for crop, reading in zip(crops, readings, strict=True)
        ]
        unread = tuple(sign.unread for sign in signs)
        if is_vietnamese("".join(reading.text for reading in readings)) or VIETNAMESE in self._asked:
            signs = [_vietnamese(sign, reading) for sign, reading in zip(signs, readings, strict=True)]
        scripts = scripts_of_lines(signs)
        lines: list[OtherLine | str | None] = [None] * len(crops)
        for script in sorted(filter(None, set(scripts))):
            mine = [n for n, each in enumerate(scripts) if each == script]
            for n, line in zip(mine, self._read([crops[n] for n in mine], script), strict=True):
                lines[n] = line
        return SecondLook(tuple(lines), unread, self._failure(scripts, len(readings)))

    def _signs(self, crop: Pixels, reading: Reading) -> Signs:
        height, width = crop.shape[:2]
        unread = unread_ink(crop, [at for letter, at in reading.marks if letter.strip()])
        asked = unread >= UNREAD or reading.confidence < DOUBTFUL
        scripts = self._looks.of(crop) if asked else {}
        if self._asked and scripts:
            scripts = among(scripts, self._asked | OWN)
            if max(scripts, key=lambda name: scripts[name]) in self._asked and reading.confidence < DOUBTFUL:
                unread = 1.0  # the user knows what the page holds
        return Signs(width / height, unread, reading.confidence, scripts)

    def _read(self, crops: Sequence[Pixels], script: str) -> list[OtherLine | str | None]:
        data = best_for(script, self._languages)
        if data is None:
            return [None if script == VIETNAMESE else ""] * len(crops)
        read = self._reader.read(crops, data)
        return [self._line(crop, pieces, script) for crop, pieces in zip(crops, read, strict=True)]

    def _line(self, crop: Pixels, pieces: list[ReadPiece], script: str) -> OtherLine | None:
        if self._recognise is not None and script != VIETNAMESE:
            pieces = with_quoted(crop, pieces, script, self._looks.of, self._recognise)
        text = in_own_signs(joined(pieces, script, crop), script)
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
    other = script_of_page(signs)
    if other:
        return [other if _may_be_other(sign) else "" for sign in signs]
    main = max(held, key=lambda script: shares[script], default="")
    return [_script_of(sign, held, main) for sign in signs]


def _may_be_other(sign: Signs) -> bool:
    own = sum(probability for name, probability in sign.scripts.items() if name in OWN)
    return bool(sign.scripts) and own < LIKELY and (sign.confidence < DOUBTFUL or sign.unread >= MOSTLY_UNREAD)


def script_of_page(signs: Sequence[Signs]) -> str:
    """The script of a page that is read badly throughout and does not look like any that the recogniser reads."""
    total = sum(sign.length for sign in signs) or 1.0
    sure = sum(sign.length * sign.confidence for sign in signs) / total
    unread = sum(sign.length for sign in signs if sign.unread >= UNREAD) / total
    shares: dict[str, float] = {}
    for sign in signs:
        for name, probability in (sign.scripts or {"latin": 1.0}).items():
            shares[name] = shares.get(name, 0.0) + sign.length * probability / total
    own = sum(shares.get(name, 0.0) for name in OWN)
    if sure >= BADLY_READ or unread < PARTLY_UNREAD or own >= LITTLE_OWN:
        return ""
    return max((name for name in shares if name not in OWN), key=lambda name: shares[name], default="")


def among(scripts: Mapping[str, float], names: frozenset[str]) -> dict[str, float]:
    """Probabilities of some scripts alone.

    >>> among({"thai": 0.2, "lao": 0.6, "latin": 0.05}, frozenset({"thai", "latin"}))
    {'thai': 0.8, 'latin': 0.2}
    """
    kept = {name: p for name, p in scripts.items() if name in names}
    total = sum(kept.values()) or 1.0
    return {name: round(p / total, 3) for name, p in kept.items()}


def _script_of(sign: Signs, held: set[str], main: str) -> str:
    script, probability = sign.best
    if script in held and probability >= (LIKELY if script == main else CERTAIN):
        return script
    if probability >= CERTAIN and sign.unread >= MOSTLY_UNREAD and sign.length >= LONG:
        return script
    is_text = bool(sign.scripts) and sign.scripts.get("none", 0.0) < LIKELY
    return main if is_text and sign.unread >= MOSTLY_UNREAD else ""


def joined(pieces: Sequence[ReadPiece], script: str, crop: Pixels) -> str:
    """The text of pieces; in scripts that set no blanks, or whose words come in parts, by the paper between them."""
    least = UNSPACED.get(script)
    apart = set(range(len(pieces))) if least is None else _after_gaps(pieces, crop, least)
    text = "".join((" " if n in apart else "") + piece.text for n, piece in enumerate(pieces))
    return " ".join(text.split())


def _after_gaps(pieces: Sequence[ReadPiece], crop: Pixels, least: float) -> set[int]:
    """The pieces that begin where a gap ends; no word begins with a mark over or under a letter."""
    inked = np.flatnonzero(inked_columns(crop))
    ends = inked[1:][np.diff(inked) > least * crop.shape[0]] / crop.shape[1]
    able = [n for n, piece in enumerate(pieces) if n and not unicodedata.category(piece.text[0]).startswith("M")]
    return {min(able, key=lambda n: abs(pieces[n].x0 - end)) for end in ends.tolist()} if able else set()


def in_own_signs(text: str, script: str) -> str:
    """Language data of Arabic answers in Latin signs, that of Greek in the micro sign, that of Thai reads
    the ring of a sara am as the tone mark beside it.

    >>> in_own_signs("حول البئر, 1,5", "arabic")
    'حول البئر، 1,5'
    """
    if script == "greek":
        return text.replace("µ", "μ")
    if script == "thai":
        return DOUBLED_TONE.sub("\\1ำ", text)
    if script != "arabic":
        return text
    return ARABIC_SIGN.sub(lambda match: ARABIC_SIGNS[match[0]], text)


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


def _by_letters(sign: Signs, text: str) -> Signs:
    """Of Greek and some other scripts the recogniser knows a part of the letters: what it answers tells the script."""
    letters = [c for c in text if c.isalpha()]
    if len(letters) < FEWEST_LETTERS or reads(text) or not WRITTEN_WORD.search(text):
        return sign
    names = Counter(unicodedata.name(c, "").split(" ")[0] for c in letters)
    script = next((SCRIPT_NAMES[name] for name, _ in names.most_common() if name in SCRIPT_NAMES), "")
    return Signs(sign.length, 1.0, sign.confidence, {script: 1.0}) if script else sign


def _vietnamese(sign: Signs, reading: Reading) -> Signs:
    latin = any(map(str.isalpha, reading.text))
    return Signs(sign.length, 1.0, sign.confidence, {VIETNAMESE: 1.0}) if latin else sign
