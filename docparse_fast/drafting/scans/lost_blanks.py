"""Puts blanks back that the recogniser left out between words far apart, as in rows of tables. Looks at no pixels."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise
from statistics import median

SeenLetter = tuple[str, float]  # a letter, and its middle as a part of the line's width

FAR = 0.8  # of the line's height, between the middles of two letters: farther than in any word
PITCHES = 2.5  # between usual letters, that it must be too: letters may be set apart
SQUARE = re.compile(r"[\u1100-\u11ff\u2e80-\ud7af\uff00-\uffef]")  # scripts whose letters may be set far apart


def with_blanks(marks: Sequence[SeenLetter], length: float) -> tuple[SeenLetter, ...]:
    """The letters, with blanks between those far apart; `length` is the line's, in heights of it.

    >>> marks = [("f", 0.1), ("a", 0.13), ("r", 0.16), ("o", 0.3), ("f", 0.33), ("f", 0.36)]
    >>> "".join(letter for letter, _ in with_blanks(marks, 10))
    'far off'
    """
    pitches = [there - place for (letter, place), (after, there) in pairwise(marks) if letter.strip() and after.strip()]
    if not pitches:
        return tuple(marks)
    return tuple(_spaced(marks, max(FAR / length, PITCHES * median(pitches))))


def _spaced(marks: Sequence[SeenLetter], far: float) -> Iterator[SeenLetter]:
    yield from marks[:1]
    for (letter, place), (after, there) in pairwise(marks):
        words = letter.strip() and after.strip() and not SQUARE.match(letter) and not SQUARE.match(after)
        if words and there - place > far:
            yield " ", (place + there) / 2
        yield after, there
