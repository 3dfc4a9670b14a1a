"""Judges whether a page's text layer can be trusted. Knows the layer's characters and boxes; looks at no pixels.

A layer can be missing, be an older OCR's guess under a scan, spell gibberish because its fonts don't say which letters
their glyphs are, or speak for a part of the page only.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

from docparse_fast.document import Box, TextLayer

Verdict = Literal["empty", "sound", "partial", "doubtful", "missing", "hidden", "broken"]

SCAN = 0.7  # of the page under pictures: they are the page
LARGE = 0.3  # of the page under one picture: it may hold text
MOSTLY_HIDDEN = 2  # hidden letters for each shown one: what is shown is a stamp on a scan
FEW_LETTERS = 100  # beside a picture as large as the page: a stamp on a scan
SPARSE = 600  # letters beside a large picture: the page's text may be in the picture
OUTLINES = 300  # drawn pieces without letters: text turned into outlines
UNMAPPED = 0.05  # of the characters without a meaning, from which the mapping is broken
FEWEST_TO_JUDGE = 40  # letters; fewer prove nothing
MIXED = 0.25  # of the words with digits or signs amid their letters
VOWELS = (0.18, 0.65)  # of the letters, in any language in Latin script
UPPER_LATIN = 0.3  # of the letters from Latin-1's accented half: another script read byte by byte
GARBLED = re.compile(r"Ã[\u0080-\u00bf©¨¶¼¤±]|â€.|Â[\u00a0-\u00bf]|ï»¿|ðŸ")
AMID = re.compile(r"[^\W\d_][^\w\s'’\-‐–—./@&·:,()\[\]*ʼ][^\W\d_]|[^\W\d_]{2}\d+[^\W\d_]{2}|\d[^\W\d_]{2}.*\d[^\W\d_]")
VOWEL = frozenset("aeiouyàáâãäåæèéêëìíîïòóôõöøùúûüýœęąăâîıěůőű")


@dataclass(frozen=True, slots=True)
class Soundness:
    """`areas` are pictures whose text the layer doesn't speak for (of a `partial` layer)."""

    verdict: Verdict
    reason: str  # in words, for the record
    areas: tuple[Box, ...] = ()


def judge(layer: TextLayer, width: float, height: float) -> Soundness:
    """The verdict on a page's text layer.

    >>> judge(TextLayer(), 100, 100).verdict
    'empty'
    """
    spans = [span for line in layer.lines for span in line.spans]
    shown = "".join(span.text for span in spans if span.visible)
    hidden = sum(_letters(span.text) for span in spans if not span.visible)
    letters = _letters(shown)
    page = width * height
    pictured = covered(layer.images, width, height)
    if not (spans or layer.images or layer.rules or layer.areas):
        return Soundness("empty", "nothing is drawn on the page")
    if pictured > SCAN and (letters < FEW_LETTERS or hidden > MOSTLY_HIDDEN * letters):
        if hidden:
            return Soundness("hidden", "a scan with an older OCR's text behind it")
        return Soundness("missing", "a picture covers the page and the text layer is silent")
    if not letters:
        verdict: Verdict = "hidden" if hidden else "missing"
        return Soundness(verdict, "the text layer is invisible" if hidden else "the page has no text layer")
    if trouble := _trouble(shown):
        return Soundness("broken", trouble)
    if doubt := _doubt(shown):
        return Soundness("doubtful", doubt)
    if len(layer.areas) > OUTLINES and letters < FEWEST_TO_JUDGE:
        return Soundness("missing", "the page's letters are drawn as outlines")
    large = tuple(box for box in layer.images if box.area > LARGE * page)
    if large and letters < SPARSE and pictured <= SCAN:
        return Soundness("partial", "a large picture may hold text beside a sparse text layer", large)
    return Soundness("sound", "the text layer is sound")


def covered(boxes: Sequence[Box], width: float, height: float, steps: int = 40) -> float:
    """The part of the page under `boxes`, however they overlap: strips and tiles of a scan count as one picture."""
    if not boxes:
        return 0.0
    cells = {
        (row, column)
        for box in boxes
        for row in _steps(box.y0 / height, box.y1 / height, steps)
        for column in _steps(box.x0 / width, box.x1 / width, steps)
    }
    return len(cells) / steps**2


def _steps(start: float, end: float, steps: int) -> Iterable[int]:
    """The cells with their middle between `start` and `end`."""
    return range(max(0, round(start * steps)), min(steps, round(end * steps)))


def _letters(text: str) -> int:
    return sum(char.isalnum() or unicodedata.category(char) in ("Co", "So", "Cn") for char in text)


def _trouble(text: str) -> str:
    """The reason why `text` can't be the page's text; empty if there is none."""
    characters = Counter(char for char in text if not char.isspace())
    total = sum(characters.values())
    unmapped = sum(
        n for char, n in characters.items() if char == "\ufffd" or unicodedata.category(char) in ("Co", "Cn")
    )
    if unmapped > UNMAPPED * total:
        return f"{unmapped / total:.0%} of the text layer's characters have no meaning"
    letters = {char: n for char, n in characters.items() if char.isalpha()}
    count = sum(letters.values())
    if count < FEWEST_TO_JUDGE:
        return ""
    accented = sum(n for char, n in letters.items() if "\u00a1" <= char <= "\u00ff")
    if accented > UPPER_LATIN * count or len(GARBLED.findall(text)) > 0.01 * total:
        return "the text layer spells another script byte by byte"
    return ""


def _doubt(text: str) -> str:
    """Why `text` may not be what stands on the page: so do other codes for letters look, and so do codes themselves."""
    characters = Counter(char for char in text if not char.isspace())
    letters = {char: n for char, n in characters.items() if char.isalpha()}
    count = sum(letters.values())
    if count < FEWEST_TO_JUDGE:
        return _doubt_without_letters(characters, sum(characters.values()))
    latin = {char.lower(): 0 for char in letters if char < "\u0250"}
    for char, n in letters.items():
        if char < "\u0250":
            latin[char.lower()] += n
    roman = sum(latin.values())
    if roman < 0.5 * count or roman < FEWEST_TO_JUDGE:
        return ""
    words = text.split()
    mixed = sum(bool(AMID.search(word)) for word in words)
    vowels = sum(n for char, n in latin.items() if char in VOWEL) / roman
    if mixed > MIXED * len(words) or not VOWELS[0] <= vowels <= VOWELS[1]:
        return "the text layer's letters form no words"
    return ""


def _doubt_without_letters(characters: Counter[str], total: int) -> str:
    """A layer of signs where letters should be: codes that some font shifts to letters."""
    signs = sum(n for char, n in characters.items() if not char.isalnum() and char not in ".,-–—_·…$%()/:|•=+")
    if total > 2 * FEWEST_TO_JUDGE and signs > 0.5 * total:
        return "the text layer's characters are signs, not letters"
    return ""
