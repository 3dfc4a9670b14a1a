"""Finds out why a step ended: what the drafts lacked there. Knows the answer's text and the drafts'; no tokens.

It decides by comparing words, so a cause is an estimate: a word that the drafts have elsewhere may have been misread
here.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from difflib import get_close_matches
from enum import StrEnum
from itertools import pairwise

ALIKE = 0.6  # difflib's ratio from which a word counts as misread, not as another word


class Cause(StrEnum):
    NONE = "all accepted"  # nothing was refused: the draft or the tree ended
    MARKUP = "markup"  # no letter or digit, a tag, a LaTeX command, a JSON key
    MISREAD = "misread"  # the drafts have a similar word, or this word in other case or accents
    RESYNC = "re-synchronising"  # the drafts have this word after the one before it
    ORDER = "order"  # ... they have it, with the one after it, but elsewhere
    MISSING = "missing from the draft"
    OWN = "the model's own words"  # boxes and descriptions of pictures


_MARKUP = re.compile(r"</?\w[^<>\n]*>|\\[A-Za-z]+|\"(?:bbox|category|text)\"|\"category\": \"[\w-]+\"|```\w*")
_OWN = re.compile(r"\"bbox\": \[[\d, ]*\]|!\[[^\]\n]*\]\([^)\n]*\)")
_WORD = re.compile(r"[^\W_]+")


def _plain(word: str) -> str:
    """The word without case, accents and width."""
    marked = unicodedata.normalize("NFKD", word).casefold()
    return "".join(letter for letter in marked if not unicodedata.combining(letter))


class Causes:
    """The causes on one page.

    >>> causes = Causes("# The cat's box", ["The cat", "his b0x"])
    >>> [causes.at(start, start + 2).name for start in (0, 2, 6, 12)]
    ['MARKUP', 'ORDER', 'RESYNC', 'MISREAD']
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
        """Why the target had to write the letters from `start` to `end` of the answer itself."""
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
