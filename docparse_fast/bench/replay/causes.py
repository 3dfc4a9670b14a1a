"""Why a step ended where it did: what the drafts lacked there. Knows the answer's text and the drafts'; no tokens.

The causes are told apart by words, so they are an account and no proof: a word that the drafts have elsewhere may have
been misread here.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from difflib import get_close_matches
from enum import StrEnum
from itertools import pairwise

ALIKE = 0.6  # of difflib's ratio: a word that was misread, not another one


class Cause(StrEnum):
    NONE = "all accepted"  # nothing was refused: the draft or the tree had come to its end
    MARKUP = "markup"  # no letter and no digit, a tag, a command of LaTeX, a key of JSON
    MISREAD = "misread"  # the drafts have nearly this word, or have it in other letters
    RESYNC = "re-synchronising"  # the drafts have this word after the one before it
    ORDER = "order"  # ... they have it, with the one after it, but elsewhere
    MISSING = "missing from the draft"
    OWN = "the model's own words"  # boxes, and what it says of pictures


_MARKUP = re.compile(r"</?\w+[^<>\n]*>|\\[A-Za-z]+|\"(?:bbox|category|text)\"|\"category\": \"[\w-]+\"|```\w*")
_OWN = re.compile(r"\"bbox\": \[[\d, ]*\]|!\[[^\]\n]*\]\([^)\n]*\)")
_WORD = re.compile(r"[^\W_]+")


def _plain(word: str) -> str:
    """Without case, accents and width."""
    marked = unicodedata.normalize("NFKD", word).casefold()
    return "".join(letter for letter in marked if not unicodedata.combining(letter))


class Causes:
    """Of one page.

    >>> causes = Causes("# The cat's box", ["The cat", "his b0x"])
    >>> [causes.at(start, start + 2).name for start in (0, 2, 6, 12)]
    ['MARKUP', 'MISSING', 'RESYNC', 'MISREAD']
    """

    def __init__(self, answer: str, drafts: Iterable[str]) -> None:
        self._spans = [found.span() for found in _WORD.finditer(answer)]
        self._words = [answer[start:end] for start, end in self._spans]
        self._markup = [found.span() for found in _MARKUP.finditer(answer)]
        self._own = [found.span() for found in _OWN.finditer(answer)]
        said = [_WORD.findall(draft) for draft in drafts]
        self._exact = {word for words in said for word in words}
        self._plain = {_plain(word) for word in self._exact}
        self._pairs = {(_plain(a), _plain(b)) for words in said for a, b in pairwise(words)}

    def at(self, start: int, end: int) -> Cause:
        """Of the letters from `start` to `end` of the answer, which the target had to write itself."""
        if _touches(self._own, start, end):
            return Cause.OWN
        number = next((n for n, span in enumerate(self._spans) if span[0] < end and start < span[1]), None)
        if number is None or _touches(self._markup, start, end):
            return Cause.MARKUP
        word = _plain(self._words[number])
        if self._words[number] in self._exact:
            if number and (_plain(self._words[number - 1]), word) in self._pairs:
                return Cause.RESYNC
            return Cause.ORDER
        if word in self._plain or get_close_matches(word, self._plain, 1, ALIKE):
            return Cause.MISREAD
        return Cause.MISSING


def _touches(spans: Iterable[tuple[int, int]], start: int, end: int) -> bool:
    return any(low < end and start < high for low, high in spans)
