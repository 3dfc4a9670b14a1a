"""Letters and digits that look alike: figures that were read with letters, told by the word and by what else was seen.

In type with old-style figures a one is a small capital I. The recogniser then gives the digit a chance of 0.005 to 0.5;
where a letter is printed, hardly ever as much. Knows a line's reading; looks at no pixels.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

DIGIT_OF = {"O": "0", "o": "0", "I": "1", "i": "1", "l": "1", "|": "1"}
POSSIBLE = 0.003  # chance of the digit, as a part of the letter's, from which it may stand there
SIGNS = rf"[\d{''.join(DIGIT_OF)}]"
FIGURE = re.compile(
    rf"(?<![^\s(€$£+\-−]){SIGNS}++(?:[.,:'’]{SIGNS}++|/(?=[^\W\d|]*+\d){SIGNS}++)*+(?=[.,:;)%€]*+(?:\s|$))"
)
LONE_FIGURE = re.compile(r"\d[\d., ]*[%€$£]?")  # all that a cell holds
MINUS, LIKELY_MINUS = "-−–", 0.01  # its chance before a figure: where none is printed, below 0.00005
VOLUME = re.compile(r"\d+[Il|]$")  # `5 l`, its blank lost
Digits = Mapping[int, str]  # by its place in a text, the digit that a letter may be


class Lookalikes:
    """For each of a recogniser's letters the digit that looks like it."""

    def __init__(self, characters: Sequence[str]) -> None:
        self._characters = characters
        of = {letter: n for n, letter in enumerate(characters)}
        self._minus = [of[sign] for sign in MINUS if sign in of]
        self._digits = np.array([of.get(DIGIT_OF.get(letter, ""), 0) for letter in characters], np.intp)  # 0 is none

    def with_minus(
        self, probabilities: NDArray[np.float32], best: NDArray[np.intp], kept: NDArray[np.intp]
    ) -> NDArray[np.intp]:
        """The letters' frames, with that of a minus before a figure: a faint or touching one has a small chance."""
        before, text = probabilities[: kept[0], self._minus], "".join(self._characters[best[at]] for at in kept)
        if not before.size or before.max() < LIKELY_MINUS or not LONE_FIGURE.fullmatch(text):
            return kept
        frame, sign = np.unravel_index(int(before.argmax()), before.shape)
        best[frame] = self._minus[int(sign)]
        return np.concatenate([[frame], kept])

    def beside(
        self, probabilities: NDArray[np.float32], best: NDArray[np.intp], kept: NDArray[np.intp]
    ) -> dict[int, str]:
        """By its place in a text, the digit that a letter may be."""
        digits = self._digits[best[kept]]
        parts = probabilities[kept, digits] / probabilities[kept, best[kept]]
        return {int(n): self._characters[digits[n]] for n in np.flatnonzero((digits > 0) & (parts >= POSSIBLE))}


def with_digits(text: str, digits: Digits) -> str:
    """Each figure with digits alone, if all its letters may be digits.

    >>> with_digits("on 3I.IO.2025 with 5l", {4: "1", 6: "1", 7: "0", 20: "1"})
    'on 31.10.2025 with 5l'
    """
    return FIGURE.sub(lambda match: _as_digits(match, digits), text)


def _as_digits(match: re.Match[str], digits: Digits) -> str:
    letters = [n for n in range(*match.span()) if not match.string[n].isdigit() and match.string[n] in DIGIT_OF]
    if VOLUME.match(match[0]) or not any(map(str.isdigit, match[0])) or not all(n in digits for n in letters):
        return match[0]
    return "".join(digits.get(n, sign) for n, sign in enumerate(match[0], match.start()))
