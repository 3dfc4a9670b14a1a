"""Finds what of a text layer stands in no region of the page drafted from it: words, and any letter, figure or sign.

Knows characters; knows no geometry.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Sequence
from html import unescape

from docparse_fast.document import NOT_MARKDOWN, Category, Region, TextLine
from docparse_fast.evidence import Doubt
from docparse_fast.text.characters import SQUARE_LETTERS
from docparse_fast.text.markup import as_read, parted_at_formulas

LEAST_LETTERS = 4  # shorter words are found within others
WORD = re.compile(rf"[^\W\d_]{{{LEAST_LETTERS},}}")
SQUARE_RUN = re.compile(f"((?:{SQUARE_LETTERS.pattern})+)")
LINKED = re.compile(r"(?<!\[)\]\([^()\s]*\)")  # where a link leads
TAG = re.compile(r"<[^<>]*>")
FEWEST = 3  # one or two may be spelt otherwise in a formula or a figure
SHOWN = 5
TICKED, TYPED_TICK = "☒", "x"
SIGNS = frozenset("%+=<>$€£¥@#&/\\~^|[]{}")  # others may be set otherwise: hyphens, quotation marks, a list's `1)`


def doubt_about(lines: Iterable[TextLine], regions: Sequence[Region]) -> tuple[Doubt, ...]:
    layer, drafted = " ".join(line.text for line in lines), " ".join(map(_said, regions))
    lost: Sequence[str] = lost_words(layer, drafted)
    if len(lost) >= FEWEST:
        return (_doubt("lost_words", "words", lost),)
    lost = sorted(lost_characters(layer, drafted, only_figures=any(map(_has_formulas, regions))).elements())
    return (_doubt("lost_characters", "characters" if len(lost) > 1 else "character", lost),) if lost else ()


def _doubt(kind: str, what: str, lost: Sequence[str]) -> Doubt:
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
    keep = str.isdigit if only_figures else _counts
    there, said = (Counter(filter(keep, _plain(text))) for text in (layer, drafted.replace(TICKED, TYPED_TICK)))
    return there - said


def _counts(char: str) -> bool:
    return char.isalnum() or char in SIGNS


def _has_formulas(region: Region) -> bool:
    return region.category is Category.FORMULA or len(parted_at_formulas(region.text)) > 1


def _by_writing(word: str) -> list[str]:
    """Letters that fill squares and others stand in one word without a blank."""
    return [part for part in SQUARE_RUN.split(word) if len(part) >= LEAST_LETTERS]


def _stands_in(letters: str, word: str) -> bool:
    """Whether the word is there, or but for its first or last letter, which may be a raised sign of a note."""
    return word in letters or (len(word) > LEAST_LETTERS and (word[1:] in letters or word[:-1] in letters))


def _said(region: Region) -> str:
    if region.category is Category.TABLE:
        return unescape(TAG.sub("", region.text))
    return region.text if region.category in NOT_MARKDOWN else as_read(LINKED.sub("]", region.text))


def _plain(text: str) -> str:
    return unicodedata.normalize("NFKD", text).casefold()
