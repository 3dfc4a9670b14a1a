"""How likely each word of a reading is right, and whether a page holds words that were left unread.

A logistic model over a few signs, fitted by `scripts/training/fit_confidence.py` to words whose truth is known
(docs/confidence.md). It was fitted to Latin and Chinese text; the recogniser's other failures look alike to it.
"""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import fmean

import numpy as np

from docparse_fast.document import Failure, PageDraft
from docparse_fast.drafting.arrays import Pixels
from docparse_fast.drafting.measures import PROVING_LETTERS
from docparse_fast.drafting.words import VOWELS
from docparse_fast.evidence import Certainty
from docparse_fast.geometry import runs
from docparse_fast.text.characters import SQUARE_LETTERS

AMID = re.compile(r"[^\W\d_][^\w\s'’\-‐–—./@&·:,()\[\]][^\W\d_]|[^\W\d_]\d+[^\W\d_]|[a-zß-ÿ][A-ZÀ-Þ]{1,2}[a-zß-ÿ]")
LEAST_DOUBT = 0.001
WORDS_PER_HEIGHT = 0.43  # words in a piece of a line as wide as the line is high

SIGNS = ("least", "word", "line", "unread", "odd", "odd_line", "long")
WEIGHTS = dict(zip(SIGNS, (-0.064, -2.264, -0.915, -7.246, -0.98, -1.451, -0.66), strict=True))
BIAS = -2.205


@dataclass(frozen=True, slots=True)
class ReadWord:
    text: str
    sureness: tuple[float, ...]  # of each letter


def words_in(letters: Sequence[str], sureness: Sequence[float]) -> list[ReadWord]:
    """
    >>> [word.text for word in words_in(list("ab 文档 c"), [0.9] * 7)]
    ['ab', '文', '档', 'c']
    """
    alone = [not letter.strip() or SQUARE_LETTERS.match(letter) is not None for letter in letters]
    words = runs(range(len(letters)), lambda word, n: not (alone[word[-1]] or alone[n]))
    inked = (word for word in words if letters[word[0]].strip())
    return [ReadWord("".join(letters[n] for n in word), tuple(sureness[n] for n in word)) for word in inked]


def signs_of(words: Sequence[ReadWord], unread: float) -> list[dict[str, float]]:
    """The signs of each word of one line. `unread` is the part of the line's ink that no letter accounts for."""
    line = fmean(sure for word in words for sure in word.sureness) if words else 0.0
    odd = [is_odd(word.text) for word in words]
    return [
        {
            "least": _doubt(min(word.sureness)),
            "word": _doubt(fmean(word.sureness)),
            "line": _doubt(line),
            "unread": unread,
            "odd": float(strange),
            "odd_line": fmean(odd),
            "long": math.log(len(word.text)),
        }
        for word, strange in zip(words, odd, strict=True)
    ]


def probability(signs: dict[str, float]) -> float:
    return 1 / (1 + math.exp(-BIAS - sum(WEIGHTS[name] * value for name, value in signs.items())))


def certainty_of(letters: Sequence[str], sureness: Sequence[float], unread: float, width: float) -> Certainty:
    """`width` of the line is in heights of it. Ink without letters counts as words that were not read."""
    words = words_in(letters, sureness)
    lost = lost_words(unread, width)
    right = sum(probability(signs) for signs in signs_of(words, unread))
    return Certainty(len(words) + lost, right)


def lost_words(unread: float, width: float) -> float:
    """About how many words stand in this part of a line's ink."""
    return unread * width * WORDS_PER_HEIGHT


def is_odd(word: str) -> bool:
    """Whether signs or digits stand amid letters, capitals amid small ones, or no vowel among many letters.

    >>> [is_odd(word) for word in ("word", "w0rd", "woRd", "wrdst", "2026", "e-mail", "HTTP")]
    [False, True, True, True, False, False, False]
    """
    letters = [letter for letter in word if letter.isalpha() and letter < "\u0250"]
    plain = len(letters) >= PROVING_LETTERS and not word.isupper()
    return AMID.search(word) is not None or (plain and not VOWELS.intersection(word.lower()))


def _doubt(sure: float) -> float:
    """From -3 (none) to 0 (all): the recogniser is most often sure to three figures."""
    return math.log10(max(LEAST_DOUBT, 1 - sure))


MANY_UNREAD = 5.0  # words
EDGE = 64  # grey levels between two neighbours: more than paper, stains or a back that shines through
MANY_EDGES = 0.03  # of the pixels; a page of text has 0.15 to 0.22, most drawings and dirty sheets below 0.01

FEW_LINES = 5  # on a printed page: a photograph, or letters too small to be seen
MANY_MORE = 4  # times as many lines, seen from closer: then they are letters


def nothing_read(draft: PageDraft, pixels: Pixels) -> Failure | None:
    """What to say of a page without regions, unless it is blank."""
    if draft.regions:
        return None
    if draft.unread_words >= MANY_UNREAD:
        told = f"about {draft.unread_words:.0f} words could not be read; have a target read the page"
    elif is_printed(pixels):
        told = "no line was found, yet much is printed on it; if its letters are very small, convert parts of the page"
    else:
        return None
    return Failure("draft_failed", told)


def may_hide_letters(pixels: Pixels, lines: int) -> bool:
    """Whether a closer look may find more than so many lines."""
    return lines < FEW_LINES and is_printed(pixels)


def is_printed(pixels: Pixels) -> bool:
    """Whether as much stands there as a fifth of a page of text, whatever it is."""
    green = pixels[..., 1].astype(np.int16)
    return green.shape[1] > 1 and float((np.abs(np.diff(green, axis=1)) > EDGE).mean()) >= MANY_EDGES
