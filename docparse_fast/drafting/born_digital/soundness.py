"""Judges whether a page's text layer can be trusted. Knows the layer's characters and boxes; looks at no pixels.

A layer can be missing, be an older OCR's guess under a scan, spell gibberish because its fonts don't say which letters
their glyphs are, or speak for a part of the page only. Words of a sound one that no region has raise a doubt.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from html import unescape
from itertools import pairwise
from typing import Literal

from docparse_fast.document import NOT_MARKDOWN, Box, Category, Region, TextLayer, TextLine, TextSpan
from docparse_fast.drafting.measures import BACKGROUND, ENOUGH, MUCH, PROVING_LETTERS, SEVERAL
from docparse_fast.drafting.words import VOWELS
from docparse_fast.evidence import Doubt
from docparse_fast.geometry import parted
from docparse_fast.text.characters import SQUARE_LETTERS
from docparse_fast.text.markup import as_read, parted_at_formulas

Verdict = Literal["empty", "sound", "partial", "doubtful", "missing", "hidden", "broken"]

LARGE = 0.3  # of the page under one picture: it may hold text
MOSTLY_HIDDEN = 2  # hidden letters for each shown one: what is shown is a stamp on a scan
FEW_LETTERS = 100  # beside a picture as large as the page: a stamp on a scan
SPARSE = 600  # letters beside a large picture: the page's text may be in the picture
OUTLINES = 300  # drawn pieces without letters: text turned into outlines
UNMAPPED = 0.05  # of the characters without a meaning, from which the mapping is broken
LEGIBLE = 0.3  # the same, up to which the others can be read: better than an OCR that can't read the script
FEWEST_TO_JUDGE = 40  # letters; fewer prove nothing
FEWEST_VOWELS, MOST_VOWELS = 0.18, 0.65  # of the letters, in any language in Latin script
UPPER_LATIN = 0.3  # of the letters from Latin-1's accented half: another script read byte by byte
ACCENTED = re.compile(rf"\b[\u00c0-\u00ff]{{{PROVING_LETTERS},}}\b")  # no word of a language in Latin script
GARBLED = re.compile(r"Ã[\u0080-\u00bf©¨¶¼¤±]|â€.|Â[\u00a0-\u00bf]|ï»¿|ðŸ")
AMID = re.compile(r"[^\W\d_][^\w\s'’\-‐–—./@&·:,()\[\]*ʼ][^\W\d_]|[^\W\d_]{2}\d+[^\W\d_]{2}|\d[^\W\d_]{2}.*\d[^\W\d_]")
# What mixes letters and figures by its nature: numbers of parts, measures, hashes
CODE = re.compile(r"(?=\S*\d)(?:[A-Z\d]++|[a-f\d]{6,}+|[a-zA-Z]{1,3}\d++(?:[x×]\d++)?+)(?:[-./_:][A-Za-z\d]++)*+")
NO_WORDS = "the text layer's letters form no words"
LETTERS = re.compile(r"[^\W\d_]+")
AROUND = "()[]{}.,;:'\"“”‘’„«»*#"
MOST_TIMES = 3  # that one word tells, or one run of letters amid signs: units stand in every row; no run is enough
FEWEST_SIGNS = 6  # different ones in a layer of codes; a page of marks has one or two


@dataclass(frozen=True, slots=True)
class Soundness:
    """What a text layer is worth; `areas` are pictures whose text it doesn't speak for (of a `partial` layer)."""

    verdict: Verdict
    reason: str  # in words, for the record
    areas: tuple[Box, ...] = ()
    legible: bool = False  # of a `broken` layer: most of it has a meaning


def judge(layer: TextLayer, width: float, height: float) -> Soundness:
    """The verdict on a page's text layer.

    >>> judge(TextLayer(), 100, 100).verdict
    'empty'
    """
    spans = [span for line in layer.lines for span in line.spans]
    if not (spans or layer.images or layer.rules or layer.areas):
        return Soundness("empty", "nothing is drawn on the page")
    seen, unseen = parted(spans, lambda span: span.visible)
    shown = " ".join(span.text for span in seen)  # a column's words end without a blank
    hidden, letters = sum(_letters(span.text) for span in unseen), _letters(shown)
    pictured = covered(layer.images, width, height)
    if (found := _silence(pictured, letters, hidden) or _trouble(shown)) is not None:
        return found
    if letters >= FEWEST_TO_JUDGE and _are_drawn_one_by_one(seen):
        return Soundness("doubtful", NO_WORDS)
    if len(layer.areas) > OUTLINES and letters < FEWEST_TO_JUDGE:
        return Soundness("missing", "the page's letters are drawn as outlines")
    large = tuple(box for box in layer.images if box.area > LARGE * width * height)
    if large and letters < SPARSE and pictured <= BACKGROUND:
        return Soundness("partial", "a large picture may hold text beside a sparse text layer", large)
    return Soundness("sound", "the text layer is sound")


def _silence(pictured: float, letters: int, hidden: int) -> Soundness | None:
    """What speaks against a layer that says little, at least openly."""
    if pictured > BACKGROUND and (letters < FEW_LETTERS or hidden > MOSTLY_HIDDEN * letters):
        if hidden:
            return Soundness("hidden", "a scan with an older OCR's text behind it")
        return Soundness("missing", "a picture covers the page and the text layer is silent")
    if letters:
        return None
    if hidden:
        return Soundness("hidden", "the text layer is invisible")
    return Soundness("missing", "the page has no text layer")


def _trouble(shown: str) -> Soundness | None:
    """What speaks against the letters themselves."""
    unmapped = _unmapped_share(shown)
    if unmapped > UNMAPPED:
        reason = f"{unmapped:.0%} of the text layer's characters have no meaning"
        return Soundness("broken", reason, legible=unmapped <= LEGIBLE)
    if reason := _spelt_otherwise(shown):
        return Soundness("broken", reason)
    reason = _doubt(shown)
    return Soundness("doubtful", reason) if reason else None


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


def _unmapped_share(text: str) -> float:
    characters = [char for char in text if not char.isspace()]
    unmapped = sum(char == "\ufffd" or unicodedata.category(char) in ("Co", "Cn") for char in characters)
    return unmapped / len(characters) if characters else 0.0


def _spelt_otherwise(text: str) -> str:
    """The reason why `text` can't be the page's text; empty if there is none."""
    letters = [char for char in text if char.isalpha()]
    if len(letters) < FEWEST_TO_JUDGE:
        return ""
    accented = sum("\u00a1" <= char <= "\u00ff" for char in letters)
    total = sum(not char.isspace() for char in text)
    several = len(set(ACCENTED.findall(text))) >= SEVERAL
    if several or accented > UPPER_LATIN * len(letters) or len(GARBLED.findall(text)) > 0.01 * total:
        return "the text layer spells another script byte by byte"
    return ""


def _doubt(text: str) -> str:
    """Why `text` may not be what stands on the page: so do other codes for letters look, and so do codes themselves."""
    if sum(map(str.isalpha, text)) < FEWEST_TO_JUDGE:
        return _doubt_without_letters(Counter("".join(text.split())))
    times = Counter(word for word in text.split() if not CODE.fullmatch(word.strip(AROUND)))
    told = [word for word, n in times.items() for _ in range(min(n, MOST_TIMES))]
    runs = Counter(run for word in told for run in LETTERS.findall(word.lower()))
    letters = "".join((run * min(n, MOST_TIMES))[: FEWEST_TO_JUDGE // MOST_TIMES] for run, n in runs.items())
    latin = [char for char in letters if char < "\u0250"]
    if len(latin) < 0.5 * len(letters) or len(latin) < FEWEST_TO_JUDGE:
        return ""
    mixed = all(sum(bool(AMID.search(word)) for word in each) > MUCH * len(each) for each in (told, times))
    vowels = sum(char in VOWELS for char in latin) / len(latin)
    if mixed or not FEWEST_VOWELS <= vowels <= MOST_VOWELS:
        return NO_WORDS
    return ""


def stand_alone(text: str) -> bool:
    """Whether most letters stand alone, with a blank or a sign on either side."""
    runs = LETTERS.findall(text)
    return 2 * sum(len(run) == 1 for run in runs) > sum(map(len, runs))


def _are_drawn_one_by_one(spans: Sequence[TextSpan]) -> bool:
    """Whether most letters are words of their own, one right behind the other: nothing tells where words end."""
    lone = [span for span in spans if span.text.strip().isalpha() and len(span.text.strip()) == 1]
    near = sum(a.box.overlap_y(b.box) > 0 and 0 < b.box.x0 - a.box.x0 < a.size for a, b in pairwise(lone))
    return 2 * near > sum(sum(map(str.isalpha, span.text)) for span in spans)


def _doubt_without_letters(characters: Counter[str]) -> str:
    """A layer of signs where letters should be: codes that some font shifts to letters."""
    signs = {char: n for char, n in characters.items() if not char.isalnum() and char not in ".,-–—_·…$%()/:|•=+"}
    many = sum(signs.values()) > 0.5 * characters.total() and characters.total() > 2 * FEWEST_TO_JUDGE
    if many and sum(map(str.isascii, signs)) >= FEWEST_SIGNS:
        return "the text layer's characters are signs, not letters"
    return ""


WORD = re.compile(rf"[^\W\d_]{{{PROVING_LETTERS},}}")
SQUARE_RUN = re.compile(f"((?:{SQUARE_LETTERS.pattern})+)")
LINKED = re.compile(r"(?<!\[)\]\([^()\s]*\)")  # where a link leads
TAG = re.compile(r"<[^<>]*>")
SHOWN = 5
TICKED, TYPED_TICK = "☒", "x"
SIGNS = frozenset("%+=<>$€£¥@#&/\\~^|[]{}")  # others may be set otherwise: hyphens, quotation marks, a list's `1)`


def doubt_about(lines: Iterable[TextLine], regions: Sequence[Region]) -> tuple[Doubt, ...]:
    layer, drafted = " ".join(line.text for line in lines), " ".join(map(_said, regions))
    lost: Sequence[str] = lost_words(layer, drafted)
    if len(lost) >= ENOUGH:  # one or two may be spelt otherwise in a formula or a figure
        return (_doubt_of_words("lost_words", "words", lost),)
    set_otherwise = any(r.category is Category.FORMULA or len(parted_at_formulas(r.text)) > 1 for r in regions)
    lost = sorted(lost_characters(layer, drafted, only_figures=set_otherwise).elements())
    return (_doubt_of_words("lost_characters", "characters" if len(lost) > 1 else "character", lost),) if lost else ()


def _doubt_of_words(kind: str, what: str, lost: Sequence[str]) -> Doubt:
    some = ", ".join(lost[:SHOWN]) + (", ..." if len(lost) > SHOWN else "")
    are = "are" if len(lost) > 1 else "is"
    return Doubt(kind, f"{len(lost)} {what} of the text layer {are} nowhere in the page's text: {some}")


def lost_words(layer: str, drafted: str) -> list[str]:
    """
    >>> lost_words("the obvious remark was hyphenated", "the obvi-ous **hyphenated**")
    ['remark']
    >>> lost_words("Krishnana 希腊字母ι", "Krishnan$^{a}$ 希腊字母 $\\\\iota$")
    []
    """
    words = dict.fromkeys(part for word in WORD.findall(_plain(layer)) for part in _by_writing(word))
    said = _plain(drafted)
    whole, letters = set(WORD.findall(said)), re.sub(r"[\W_]+", "", said)
    return [word for word in words if word not in whole and not _stands_in(letters, word)]


def lost_characters(layer: str, drafted: str, *, only_figures: bool = False) -> Counter[str]:
    """Characters that the layer has more often than the draft; `only_figures` where LaTeX names letters and signs.

    >>> lost_characters("'objnum' = 2; 5 €", "`'objnum' = ;` 5")
    Counter({'2': 1, '€': 1})
    """
    keep = str.isdigit if only_figures else lambda char: char.isalnum() or char in SIGNS
    there, said = (Counter(filter(keep, _plain(text))) for text in (layer, drafted.replace(TICKED, TYPED_TICK)))
    return there - said


def _by_writing(word: str) -> list[str]:
    """Letters that fill squares and others stand in one word without a blank."""
    return [part for part in SQUARE_RUN.split(word) if len(part) >= PROVING_LETTERS]


def _stands_in(letters: str, word: str) -> bool:
    """Whether the word is there, or but for its first or last letter, which may be a raised sign of a note."""
    return word in letters or (len(word) > PROVING_LETTERS and (word[1:] in letters or word[:-1] in letters))


def _said(region: Region) -> str:
    if region.category is Category.TABLE:
        return unescape(TAG.sub("", region.text))
    return region.text if region.category in NOT_MARKDOWN else as_read(LINKED.sub("]", region.text))


def _plain(text: str) -> str:
    return unicodedata.normalize("NFKD", text).casefold()
