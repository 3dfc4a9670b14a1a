"""Compares the letters of two pages, to show how drafts get worse. The official tools judge accuracy."""

from __future__ import annotations

import re
from html import unescape

from docparse_fast.errors import UsageError

MARKUP = re.compile(r"<!--.*?-->|!\[[^\]]*\]\([^)]*\)|</?[A-Za-z][^<>]*>", re.DOTALL)


def likeness(truth: str, answer: str) -> float:
    """100 × (1 - edit distance of letters and digits / length of the longer text); 100 for two empty texts.

    >>> likeness("# A *heading*", "A heading"), likeness("<td>abcd</td>", "abxd"), likeness("", "a")
    (100.0, 75.0, 0.0)
    """
    try:
        from rapidfuzz.distance import Levenshtein
    except ImportError as error:
        raise UsageError(
            "comparing texts needs rapidfuzz", remedy="run `pip install 'docparse-fast[bench]'`"
        ) from error
    return 100 * float(Levenshtein.normalized_similarity(_letters(truth), _letters(answer)))


def _letters(markdown: str) -> str:
    return re.sub(r"[\W_]+", "", unescape(MARKUP.sub(" ", markdown)))
