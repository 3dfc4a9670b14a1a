"""Which unit stands in a cell of a column of units: `U/l` was read `UA`, `fl` `f`. The recogniser's frames tell it."""

from __future__ import annotations

import re
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from docparse_fast.drafting.words import UNITS

LEAST = 0.001  # of the reading's chance: of misread units most have more, `h` for the flag `H` has 0.0002
MAY_BE_UNIT = re.compile(r"(?![^\W\d]{5})(?=.*(?:[^\W\d]|[%°/]))\S{1,9}")  # no figure, no word
NEVER = -np.inf  # the logarithm of no chance


class UnitReader:
    """For frames of a recogniser's letters the likeliest of all known units."""

    def __init__(self, characters: Sequence[str]) -> None:
        of = {letter: n for n, letter in enumerate(characters)}
        self._units = [unit for unit in sorted(UNITS) if all(letter in of for letter in unit)]
        longest = max(map(len, self._units), default=0)
        self._states = np.zeros((len(self._units), 2 * longest + 1), np.intp)  # a blank before and behind each letter
        for row, unit in zip(self._states, self._units, strict=True):
            row[1 : 2 * len(unit) : 2] = [of[letter] for letter in unit]
        self._ends = 2 * np.array([len(unit) for unit in self._units], np.intp)
        same = np.pad(self._states, ((0, 0), (2, 0)))[:, :-2] == self._states
        self._used, self._places = (used := np.unique(self._states)), np.searchsorted(used, self._states)
        self._barred = np.where((self._states == 0) | same, NEVER, 0.0)  # from one letter to the next without a blank

    def unit(self, probabilities: NDArray[np.float32], text: str) -> str:
        """The likeliest that may stand where another text was read, with a small `l`; "" of figures and words."""
        if text in UNITS or not MAY_BE_UNIT.fullmatch(text) or not self._units:
            return ""
        paths = self._best_paths(np.log(np.maximum(probabilities[:, self._used], np.finfo(np.float32).tiny)))
        likeliest = int(paths.argmax())
        is_likely = paths[likeliest] >= np.log(LEAST) + np.log(probabilities.max(axis=1)).sum()
        return self._units[likeliest].replace("L", "l") if is_likely else ""

    def _best_paths(self, chances: NDArray[np.float32]) -> NDArray[np.float64]:
        """For each unit the logarithm of its likeliest way through all frames."""
        paths = np.full(self._states.shape, NEVER)
        paths[:, :2] = chances[0, self._places[:, :2]]
        for frame in chances[1:]:
            one, two = (np.pad(paths, ((0, 0), (by, 0)), constant_values=NEVER)[:, :-by] for by in (1, 2))
            paths = np.maximum(np.maximum(paths, one), two + self._barred) + frame[self._places]
        units = np.arange(len(self._units))
        return np.asarray(np.maximum(paths[units, self._ends], paths[units, self._ends - 1]))
