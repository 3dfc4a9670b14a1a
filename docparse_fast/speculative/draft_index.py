"""Indexes drafts by n-grams to find how a draft continues. Knows tokens and places, not their order or worth."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence


def reference_window(accepted: Sequence[int], window: int) -> tuple[int, ...]:
    """w: the last n accepted tokens, or all of them while there are fewer."""
    return tuple(accepted[-window:])


class DraftIndex:
    """Drafts laid end to end, and the places after each of their n-grams.

    >>> index = DraftIndex()
    >>> index.add((5, 6, 7, 5, 6))
    >>> [index.text[place:] for place in index.after((5, 6))]
    [[7, 5, 6]]
    """

    def __init__(self) -> None:
        self.text: list[int] = []
        self.starts: list[int] = []
        self.ends: list[int] = []
        self._tables: dict[int, dict[tuple[int, ...], list[int]]] = {}  # by n; made when first asked for

    def add(self, tokens: Sequence[int]) -> None:
        self.starts.append(len(self.text))
        self.text.extend(tokens)
        self.ends.append(len(self.text))
        for length, table in self._tables.items():
            self._enter(table, length, len(self.starts) - 1)

    def after(self, window: Sequence[int]) -> Sequence[int]:
        """Every place right after an occurrence of `window` with a token to read, in rising order.         (Eq. 4-5)"""
        table = self._tables.get(len(window))
        if table is None:
            table = self._tables[len(window)] = {}
            for draft in range(len(self.starts)):
                self._enter(table, len(window), draft)
        return table.get(tuple(window), ())

    def scan(self, window: Sequence[int]) -> list[int]:
        """The same without a table, for the few windows that are still short."""
        text, size, found = self.text, len(window), []
        window, at = list(window), -1
        for _ in range(text.count(window[0])):
            at = text.index(window[0], at + 1)
            if text[at : at + size] == window and at + size < self.ends[self.draft_at(at)]:
                found.append(at + size)
        return found

    def draft_at(self, place: int) -> int:
        return bisect_right(self.starts, place) - 1

    def _enter(self, table: dict[tuple[int, ...], list[int]], length: int, draft: int) -> None:
        start = self.starts[draft]
        tokens = self.text[start : max(start, self.ends[draft] - 1)]  # a match at the very end has no continuation
        grams = zip(*(tokens[skip:] for skip in range(length)), strict=False)
        for place, gram in enumerate(grams, start + length):
            table.setdefault(gram, []).append(place)

    def holds(self, tokens: Sequence[int], window: int) -> bool:
        """Whether a draft contains `tokens`, which must be longer than the window."""
        tokens = list(tokens)
        lasts = self.after(tokens[-window - 1 : -1])  # one short, so that a draft's end counts here too
        begins = ((last + 1 - len(tokens), last + 1) for last in lasts)
        return any(
            begin >= self.starts[self.draft_at(end - 1)] and self.text[begin:end] == tokens for begin, end in begins
        )


def agreement(candidate: Sequence[int], written: Sequence[int]) -> int:
    """How many tokens of `candidate` were written."""
    if candidate[: len(written)] == written:
        return len(written)
    agreed = 0
    for token, other in zip(candidate, written, strict=False):
        if token != other:
            break
        agreed += 1
    return agreed
