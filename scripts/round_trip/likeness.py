"""Finds a text among others though some of its letters were misread. Knows strings alone.

`alike` is the least similarity: 1.0 takes equal texts only, 0.9 lets one letter in ten or so be another.
"""

from __future__ import annotations

from collections.abc import Sequence


def nearest(text: str, texts: Sequence[str], alike: float) -> int | None:
    """The place of the text that is most like this one, if one is alike at all."""
    if text in texts:
        return texts.index(text)
    if alike >= 1 or not text:
        return None
    from rapidfuzz import fuzz, process

    found = process.extractOne(text, texts, scorer=fuzz.ratio, score_cutoff=100 * alike)
    return None if found is None else int(found[2])


def place_in(whole: str, text: str, alike: float) -> int | None:
    """Where the text begins in a longer one; `None` if it doesn't stand there, or more than once."""
    if whole.count(text) == 1:
        return whole.find(text)
    if alike >= 1 or text in whole:
        return None
    from rapidfuzz import fuzz

    found = fuzz.partial_ratio_alignment(text, whole, score_cutoff=100 * alike)
    return None if found is None else int(found.dest_start)
