"""Finds words of a text layer that stand in no region of the page drafted from it. Knows letters; knows no geometry."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Sequence
from html import unescape

from docparse_fast.document import NOT_MARKDOWN, Category, Region, TextLine
from docparse_fast.evidence import Doubt
from docparse_fast.markup import as_read
from docparse_fast.writing import SQUARE_LETTERS

LEAST_LETTERS = 4  # shorter words are found within others
WORD = re.compile(rf"[^\W\d_]{{{LEAST_LETTERS},}}")
SQUARE_RUN = re.compile(f"((?:{SQUARE_LETTERS.pattern})+)")
LINKED = re.compile(r"\]\([^()\s]*\)")  # where a link leads
TAG = re.compile(r"<[^<>]*>")
FEWEST = 3  # one or two may be spelt otherwise in a formula or a figure
SHOWN = 5


def doubt_about(lines: Iterable[TextLine], regions: Sequence[Region]) -> tuple[Doubt, ...]:
    lost = lost_words(" ".join(line.text for line in lines), " ".join(map(_said, regions)))
    if len(lost) < FEWEST:
        return ()
    some = ", ".join(lost[:SHOWN]) + (", ..." if len(lost) > SHOWN else "")
    return (Doubt("lost_words", f"{len(lost)} words of the text layer are nowhere in the page's text: {some}"),)


def lost_words(layer: str, drafted: str) -> list[str]:
    """
    >>> lost_words("the obvious remark was hyphenated", "the obvi-ous **hyphenated**")
    ['remark']
    >>> lost_words("Krishnana 希腊字母ι", "Krishnan$^{a}$ 希腊字母 $\\\\iota$")
    []
    """
    words = dict.fromkeys(part for word in WORD.findall(_plain(layer)) for part in _by_writing(word))
    letters = re.sub(r"[\W_]+", "", _plain(drafted))
    return [word for word in words if not _stands_in(letters, word)]


def _by_writing(word: str) -> list[str]:
    """Letters that fill squares and others stand in one word without a blank."""
    return [part for part in SQUARE_RUN.split(word) if len(part) >= LEAST_LETTERS]


def _stands_in(letters: str, word: str) -> bool:
    """Whether the word is there, or but for its first or last letter, which may be a raised sign of a note."""
    return word in letters or (len(word) > LEAST_LETTERS and (word[1:] in letters or word[:-1] in letters))


def _said(region: Region) -> str:
    if region.category is Category.TABLE:
        return TAG.sub("", unescape(region.text))
    return region.text if region.category in NOT_MARKDOWN else as_read(LINKED.sub("]", region.text))


def _plain(text: str) -> str:
    return unicodedata.normalize("NFKD", text).casefold()
