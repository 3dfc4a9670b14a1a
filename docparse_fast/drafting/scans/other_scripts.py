"""Has lines that the recogniser could not read, or not wholly, read by another reader. Opens no model.

The recogniser knows Latin, Chinese and Japanese. Of a letter it doesn't know it says nothing, so its reading leaves ink
without a letter. Such a line is looked at again: its script by its looks, its text by Tesseract, where the data for
that script is here. Where it is not, the line is left out and counted: rubbish is worse than a gap that is said.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple, Protocol

import numpy as np

from docparse_fast.document import Failure
from docparse_fast.drafting.arrays import Pixels
from docparse_fast.drafting.measures import FROM_NEARER
from docparse_fast.drafting.scans.known_words import KnownWords, LineReading, known_words
from docparse_fast.drafting.scans.languages import READ_WELL, UNICODE_NAMES, VIETNAMESE, is_vietnamese, reads
from docparse_fast.drafting.scans.page_scripts import (
    BADLY_READ,
    DOUBTFUL,
    OWN,
    UNREAD,
    Signs,
    among,
    likeliest,
    lost_lines,
    main_script,
    scripts_of_lines,
    sureness,
)
from docparse_fast.drafting.scans.quoted_words import (
    SURE,
    Recognise,
    has_unread_words,
    inked_columns,
    unread_ink,
    with_quoted,
)
from docparse_fast.drafting.scans.tesseract import ReadPiece, Tesseract, alone
from docparse_fast.drafting.scans.word_ink import FEWEST_LETTERS
from docparse_fast.system.language_data import BY_LANGUAGE, LanguageData, best_for, data_here, wanted_for

# the least gap that is a blank, in heights of the line
UNSPACED = {"thai": 0.19, "lao": 0.35, "khmer": 0.35, "myanmar": 0.35, "hangul": 0.22}
APART_FROM_LATIN = frozenset({"thai", "lao", "khmer"})  # scripts with blanks around Latin words
WRITTEN_WORD = re.compile(r"[^\W\d_]{3}")  # a formula's Greek letters stand one by one
LATIN_WORD = re.compile(r"[A-Za-z]{4,}")
SCRIPT_NAMES = {name: script for script, name in UNICODE_NAMES.items() if name not in READ_WELL}
PLAUSIBLE = 0.2  # part of the letters in known words, from which a script is the page's
CHANCE = {"hangul": 0.4, "lao": 0.4}  # the same, where words are short: other scripts' lines have 0.35 and 0.19 at most
RUBBISH = 0.1  # the same, below which nothing was read; by so much another language's data must read better
LINES_TRIED, SCRIPTS_TRIED = 5, 4
ARABIC_SIGNS = {",": "،", ";": "؛", "?": "؟"}
DOUBLED_TONE = re.compile(r"([่้๊๋])\1า")
ARABIC_SIGN = re.compile(r"(?<=[\u0600-\u06ff])[,;?](?!\d)")


class Looks(Protocol):
    def of(self, crop: Pixels) -> Mapping[str, float]: ...


@dataclass(frozen=True, slots=True)
class OtherLine:
    """A line read in another script; `pieces` in the order in which they are read."""

    text: str
    pieces: tuple[ReadPiece, ...]
    known: float | None = None  # the part of the page's letters that stand in known words, if hardly any do


@dataclass(frozen=True, slots=True)
class SecondLook:
    """A line of another script at its place, None where the first reading stands, "" where nothing could read it."""

    lines: tuple[OtherLine | str | None, ...]
    unread: tuple[float, ...] = ()  # the part of each line's ink that the first reading has no letter for
    scripts: tuple[str, ...] = ()  # of each line, "" where the first reading stands
    failure: Failure | None = None


ReadAgain = dict[int, OtherLine | str | None]


class _Tried(NamedTuple):
    """The lines' scripts, and the lines that were read to find them."""

    scripts: list[str]
    lines: ReadAgain


@dataclass(frozen=True, slots=True)
class _PageLines:
    """A page's lines as they look, what the recogniser read in them, and what speaks for other scripts in each."""

    crops: Sequence[Pixels]
    readings: Sequence[LineReading]
    signs: Sequence[Signs]
    photographed: bool = False

    def longest(self, lines: Sequence[int]) -> list[Pixels]:
        return [self.crops[n] for n in sorted(lines, key=lambda n: -self.signs[n].length)[:LINES_TRIED]]

    def doubted(self, scripts: Sequence[str]) -> list[int]:
        """The lines that may be of a script that nothing has told yet."""
        if sureness(self.signs) >= BADLY_READ:
            return lost_lines(self.signs, scripts)
        return [n for n, sign in enumerate(self.signs) if sign.confidence < DOUBTFUL]


class OtherScripts:
    """Looks again at what the recogniser left unread."""

    def __init__(
        self, looks: Looks, reader: Tesseract, languages: Iterable[str] = (), recognise: Recognise | None = None
    ) -> None:
        self._looks = looks
        self._reader = reader
        self._recognise = recognise
        self._languages = tuple(languages)
        self._asked = frozenset(BY_LANGUAGE[name].script for name in self._languages if name in BY_LANGUAGE)

    def look(
        self, crops: Sequence[Pixels], readings: Sequence[LineReading], *, photographed: bool = False
    ) -> SecondLook:
        own = list(zip(crops, readings, strict=True))
        signs = [_by_letters(self._signs(crop, reading), reading.text) for crop, reading in own]
        unread = tuple(sign.unread for sign in signs)
        if is_vietnamese("".join(reading.text for reading in readings)) or VIETNAMESE in self._asked:
            signs = [_vietnamese(sign, reading) for sign, reading in zip(signs, readings, strict=True)]
        page = _PageLines(crops, readings, signs, photographed)
        tried = self._tried(page, scripts_of_lines(signs, self._readable))
        scripts = tried.scripts
        if (main := main_script(signs, scripts)) and self._readable(main):
            scripts = [each or (main if has_unread_words(*own[n]) else "") for n, each in enumerate(scripts)]
        lines, scripts = self._read_rest(page, tried, scripts)
        read = tuple(map(lines.get, range(len(crops))))
        return SecondLook(read, unread, tuple(scripts), self._failure(scripts, len(readings)))

    def _read_rest(self, page: _PageLines, tried: _Tried, scripts: list[str]) -> tuple[ReadAgain, list[str]]:
        """With the lines of other scripts that have not been read yet; a script of which rubbish comes out is none."""
        lines = dict(tried.lines)
        left = [n for n, script in enumerate(scripts) if script and n not in lines]
        for script in sorted({scripts[n] for n in left}):
            fresh = self._read(page, [n for n in left if scripts[n] == script], script)
            if self._is_rubbish(script, fresh.values()):  # small blurred type looks like Korean
                scripts = ["" if n in fresh else each for n, each in enumerate(scripts)]
                continue
            kept = (n for n, line in fresh.items() if tried.scripts[n] or keeps_words(line, page.readings[n]))
            lines |= {n: fresh[n] for n in kept}
        return lines, scripts

    def _is_rubbish(self, script: str, lines: Iterable[OtherLine | str | None]) -> bool:
        if script in self._asked or script == VIETNAMESE or not self._readable(script):
            return False
        words = self._known(script, lines)
        return words is not None and words < RUBBISH

    def _tried(self, page: _PageLines, found: list[str]) -> _Tried:
        """The page's own script is tried: if what comes out is no words, another is."""
        script = next((script for script, _ in Counter(filter(None, found)).most_common(1)), "")
        mine = [n for n, each in enumerate(found) if each == script]
        if not script or 2 * len(mine) < len(found):
            return self._as_another(page, found, page.doubted(found), "") or _Tried(found, {})
        read = self._read(page, mine, script)
        known = self._known(script, read.values())
        if script == VIETNAMESE or known is None:
            return _Tried(found, read)
        if (better := self._better_data(page.longest(mine), script, known)) is not None:
            return _Tried(found, self._read(page, mine, script, better))
        another = self._as_another(page, found, mine, script) if known < PLAUSIBLE else None
        if another is not None or known >= RUBBISH or not self._readable(script):
            return another or _Tried(found, read)
        told = {n: replace(line, known=known) if isinstance(line, OtherLine) else line for n, line in read.items()}
        return _Tried(found, told)

    def _as_another(self, page: _PageLines, found: Sequence[str], mine: Sequence[int], tried: str) -> _Tried | None:
        """These lines in another script than the one that was tried, if they come out as words in it."""
        others = [other for other in likeliest(page.signs) if other not in (VIETNAMESE, tried)]
        for other in list(filter(self._readable, others))[:SCRIPTS_TRIED] if mine else ():
            share = self.words(page.longest(mine), other)
            if share is not None and share >= CHANCE.get(other, PLAUSIBLE):
                again = self._read(page, mine, other)
                return _Tried([other if n in again else each for n, each in enumerate(found)], again)
        return None

    def _known(self, script: str, lines: Iterable[OtherLine | str | None]) -> float | None:
        """The part of what was read that is known words; of what nothing here reads it is none."""
        data = best_for(script, self._languages)
        texts = [line.text for line in lines if isinstance(line, OtherLine)]
        return 0.0 if data is None else _share_of_words(data, texts)

    def _all_here(self, script: str) -> list[LanguageData]:
        """The data that reads a script here, the usual one first; that alone where the user has named languages."""
        usual = best_for(script, self._languages)
        if usual is None or self._asked:
            return [usual] if usual else []
        return [usual, *(data for data in data_here() if data.script == script and data != usual)]

    def words(self, crops: Sequence[Pixels], script: str) -> float | None:
        """The part of known words in lines, read in a script; None where that can't be told here."""
        shares: list[float] = []
        for data in self._all_here(script):
            if (share := self._share(crops, data)) is not None:
                shares.append(share)
                if share >= PLAUSIBLE:
                    break
        return max(shares, default=None)

    def _share(self, crops: Sequence[Pixels], data: LanguageData) -> float | None:
        read = self._reader.read(crops, data)
        texts = [joined(pieces, data.script, crop) for pieces, crop in zip(read, crops, strict=True)]
        return _share_of_words(data, texts)

    def _better_data(self, crops: Sequence[Pixels], script: str, known: float) -> LanguageData | None:
        """The data of another language of the script, if more of what it reads is words: Persian is not Arabic."""
        shares = {data: self._share(crops, data) or 0.0 for data in self._all_here(script)[1:]}
        best = max(shares, key=lambda data: shares[data], default=None)
        return best if best is not None and shares[best] >= max(known + RUBBISH, PLAUSIBLE) else None

    def _readable(self, script: str) -> bool:
        return best_for(script, self._languages) is not None

    def _signs(self, crop: Pixels, reading: LineReading) -> Signs:
        height, width = crop.shape[:2]
        unread = unread_ink(crop, [at for letter, at in reading.marks if letter.strip()])
        asked = unread >= UNREAD or reading.confidence < DOUBTFUL
        scripts = self._looks.of(crop) if asked else {}
        if self._asked and scripts:
            scripts = among(scripts, self._asked | OWN)
            if max(scripts, key=lambda name: scripts[name]) in self._asked and reading.confidence < DOUBTFUL:
                unread = 1.0  # the user knows what the page holds
        return Signs(width / height, unread, reading.confidence, scripts)

    def _read(self, page: _PageLines, lines: Sequence[int], script: str, data: LanguageData | None = None) -> ReadAgain:
        data = data or best_for(script, self._languages)
        if data is None:
            return dict.fromkeys(lines, None if script == VIETNAMESE else "")
        crops = [page.crops[n] for n in lines]
        read = self._twice(crops, data) if page.photographed else self._reader.read(crops, data)
        told = zip(lines, read, strict=True)
        return {n: self._line(page.crops[n], each, page.readings[n], script) for n, each in told}

    def _twice(self, crops: Sequence[Pixels], data: LanguageData) -> list[list[ReadPiece]]:
        """What comes out as more letters in no words than in known ones is read from nearer, too: words tell."""
        words = _words_of(data)

        def lead(pieces: Sequence[ReadPiece], crop: Pixels) -> int:
            return words.lead(joined(pieces, data.script, crop)) if words and pieces else -1

        crops = list(map(alone, crops))
        read = self._reader.read(crops, data)
        leads = {n: lead for n, lead in enumerate(map(lead, read, crops)) if lead < 0}
        nearer = [crops[n][(margin := round(FROM_NEARER * len(crops[n]))) : len(crops[n]) - margin] for n in leads]
        again = self._reader.read(nearer, data) if nearer else ()
        for n, crop, pieces in zip(leads, nearer, again, strict=True):
            read[n] = pieces if not read[n] or lead(pieces, crop) > leads[n] else read[n]
        return read

    def _line(self, crop: Pixels, pieces: list[ReadPiece], first: LineReading, script: str) -> OtherLine | None:
        if self._recognise is not None and script != VIETNAMESE:
            pieces = with_quoted(crop, pieces, script, self._looks.of, self._recognise, first)
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


def _words_of(data: LanguageData) -> KnownWords | None:
    folder = data.find()
    return known_words(folder / data.file) if folder is not None else None


def _share_of_words(data: LanguageData, texts: Sequence[str]) -> float | None:
    words = _words_of(data)
    return words.share(texts) if words is not None else None


def joined(pieces: Sequence[ReadPiece], script: str, crop: Pixels) -> str:
    """The text of pieces; in scripts that set no blanks, or whose words come in parts, by the paper between them."""
    least = UNSPACED.get(script)
    apart = set(range(len(pieces))) if least is None else _after_gaps(pieces, crop, least)
    latin = [piece.text.isascii() and len(piece.text) > 1 and piece.text[0].isalpha() for piece in pieces]
    for n in range(1, len(pieces)):
        if (latin[n - 1] and latin[n]) or (script in APART_FROM_LATIN and latin[n - 1] != latin[n]):
            apart.add(n)
    text = "".join((" " if n in apart else "") + piece.text for n, piece in enumerate(pieces))
    return " ".join(text.split())


def _after_gaps(pieces: Sequence[ReadPiece], crop: Pixels, least: float) -> set[int]:
    """The pieces that begin where a gap ends; no word begins with a mark over or under a letter."""
    inked = np.flatnonzero(inked_columns(crop))
    ends = inked[1:][np.diff(inked) > least * crop.shape[0]] / crop.shape[1]
    able = [n for n, piece in enumerate(pieces) if n and not unicodedata.category(piece.text[0]).startswith("M")]
    return {min(able, key=lambda n: abs(pieces[n].x0 - end)) for end in ends.tolist()} if able else set()


def keeps_words(line: OtherLine | str | None, first: LineReading) -> bool:
    """Whether a second reading has the Latin words that the first one was sure of."""
    return isinstance(line, OtherLine) and all(word in line.text for word in sure_words(first))


def sure_words(reading: LineReading) -> list[str]:
    """The Latin words of which every letter was read surely."""
    sureness = dict(enumerate(reading.sureness))
    text = "".join(letter for letter, _ in reading.marks)
    spans = [match.span() for match in LATIN_WORD.finditer(text)]
    return [text[start:end] for start, end in spans if min(sureness.get(n, 0.0) for n in range(start, end)) >= SURE]


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


def _vietnamese(sign: Signs, reading: LineReading) -> Signs:
    """A line may hold letters that the recogniser doesn't know, unless it surely read it without an accent."""
    plain = reading.text.isascii() and reading.confidence >= SURE
    latin = any(map(str.isalpha, reading.text)) and not plain
    return Signs(sign.length, 1.0, sign.confidence, {VIETNAMESE: 1.0}) if latin else sign
