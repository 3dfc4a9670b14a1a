"""Blanks between letters, and whether they are set in a font of one width, by where the recogniser saw them.

In such a font a word's letters stand at even steps, and an m takes no more room than an i. A recogniser sees letters
only to within a few pixels, so one line alone tells little; lines that stand together tell enough.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise
from statistics import median
from typing import Any

import numpy as np
from numpy.typing import NDArray

from docparse_fast.geometry import runs

Seen = tuple[str, float]  # a letter, and its middle as a part of the line's width

FEWEST_LETTERS = 5  # in words of two letters and more
NARROW = frozenset("iljtfrI1.,:;'|!()[]")
WIDE = frozenset("mwMWCDGHKNOQRU@%")
# Log-odds of a font of one width, fitted on 1,900 lines of pages from TeX Live and Debian at 100 to 300 dpi.
BIAS, BY_SPREAD, BY_SLOPE = 2.5, -7.8, -32.0
RIDGE = 6.0  # draws the slope to 0 where few pairs of letters tell
MOST = 4.0  # log-odds that one line may have
FAR = 0.8  # of the line's height, between the middles of two letters: farther than in any word
PITCHES = 2.5  # between usual letters, that it must be too: letters may be set apart
SQUARE = re.compile(r"[\u1100-\u11ff\u2e80-\ud7af\uff00-\uffef]")  # scripts whose letters may be set far apart


def evenness(marks: Sequence[Seen]) -> float:
    """Log-odds that the line is set in a font of one width; 0 where its letters can't tell.

    >>> even = [(letter, 0.05 + 0.1 * n) for n, letter in enumerate("fill(mmww)")]
    >>> evenness(even) > 2
    True
    """
    words = [word for word in between_blanks(marks) if len(word) > 1]
    if sum(map(len, words)) < FEWEST_LETTERS:
        return 0.0
    centred = [(_centred(np.arange(len(word))), _centred([place for _, place in word])) for word in words]
    step = sum(float(k @ x) for k, x in centred) / sum(float(k @ k) for k, _ in centred)
    if step <= 0:
        return 0.0
    missed = sum(float(((x - step * k) ** 2).sum()) for k, x in centred)
    free = sum(len(word) - 1 for word in words) - 1
    spread = (missed / max(1, free)) ** 0.5 / step
    return float(np.clip(BIAS + BY_SPREAD * spread + BY_SLOPE * _slope(words, step), -MOST, MOST))


def between_blanks(marks: Sequence[Seen]) -> list[list[Seen]]:
    """The letters of each word."""
    found = runs(marks, lambda word, mark: bool(mark[0].strip() and word[-1][0].strip()))
    return [word for word in found if word[0][0].strip()]


def with_blanks(marks: Sequence[Seen], length: float) -> tuple[Seen, ...]:
    """The letters, with blanks between those far apart; `length` is the line's, in heights of it.

    >>> marks = [("f", 0.1), ("a", 0.13), ("r", 0.16), ("o", 0.3), ("f", 0.33), ("f", 0.36)]
    >>> "".join(letter for letter, _ in with_blanks(marks, 10))
    'far off'
    """
    pitches = [there - place for (letter, place), (after, there) in pairwise(marks) if letter.strip() and after.strip()]
    if not pitches:
        return tuple(marks)
    return tuple(_spaced(marks, max(FAR / length, PITCHES * median(pitches))))


def _spaced(marks: Sequence[Seen], far: float) -> Iterator[Seen]:
    yield from marks[:1]
    for (letter, place), (after, there) in pairwise(marks):
        words = letter.strip() and after.strip() and not SQUARE.match(letter) and not SQUARE.match(after)
        if words and there - place > far:
            yield " ", (place + there) / 2
        yield after, there


def _centred(values: Any) -> NDArray[np.float64]:
    array: NDArray[np.float64] = np.asarray(values, np.float64)
    centred: NDArray[np.float64] = array - array.mean()
    return centred


def _slope(words: Sequence[Sequence[Seen]], step: float) -> float:
    """How much more room wide letters take than narrow ones, in steps."""
    pairs = [pair for word in words for pair in pairwise(word)]
    usual = _centred([_width(a) + _width(b) for (a, _), (b, _) in pairs])
    room = _centred([(y - x) / step for (_, x), (_, y) in pairs])
    return float(usual @ room) / (float(usual @ usual) + RIDGE)


def _width(letter: str) -> int:
    return (letter in WIDE) - (letter in NARROW)
