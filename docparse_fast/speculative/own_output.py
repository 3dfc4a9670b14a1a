"""Finds earlier places of the last tokens in a row's own output: formulas and tables repeat themselves."""

from __future__ import annotations

from collections.abc import Sequence

PLACES = 4  # offered
REMEMBERED = 3  # of each n-gram: the last few


class OwnOutput:
    def __init__(self, window: int) -> None:
        self._window = window
        self._places: dict[tuple[int, ...], list[int]] = {}  # n-gram -> its continuations
        self._end = window  # the output is indexed up to here

    def after(self, written: Sequence[int]) -> list[int]:
        """Places where the answer may go on as it did after the same window, latest first, no two with one token."""
        self._remember(written)
        found: dict[int, int] = {}
        for place in self._places.get(tuple(written[-self._window :]), [])[: -REMEMBERED - 1 : -1]:
            found.setdefault(written[place], place)
        return list(found.values())[:PLACES]

    def _remember(self, written: Sequence[int]) -> None:
        """Indexes what was written since the last question; a row that never asks pays nothing."""
        for place in range(self._end, len(written)):
            self._places.setdefault(tuple(written[place - self._window : place]), []).append(place)
        self._end = max(self._end, len(written))
