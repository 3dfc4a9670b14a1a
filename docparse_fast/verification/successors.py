"""Counts which token followed which in an answer: after the last token, and after the sorts of the last few.

All single letters are of one sort, and so are all numbers: what follows "x_{1}" may follow "y_{2}". Knows tokens and
their texts; no draft.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence, Set
from typing import NamedTuple

from docparse_fast.verification.token_text import TokenText

LONG, SHORT = 4, 2  # tokens of the contexts that are compared by sort
MOST = 8  # successors remembered of each context
FADE = 0.95  # what a count keeps when another successor is seen
NEW_EACH, NEW = 0.5, 0.3  # counts of the event that a context goes on in a new way: for each successor, and for any
EXAMPLE = 0.4  # the count of a successor in an example

Context = tuple[int, ...]


class Likely(NamedTuple):
    """What may follow a context."""

    tokens: list[tuple[float, int]]  # chances, falling
    known: Set[int]  # the same tokens
    new: float  # the chance of any other token
    blank: float  # of the tokens that begin with a blank
    bare: float  # of those that begin with a letter or digit


class _Counts:
    """What followed one context."""

    __slots__ = ("changes", "tokens")

    def __init__(self) -> None:
        self.tokens: dict[int, float] = {}
        self.changes = 0

    def add(self, token: int, count: float) -> None:
        tokens = self.tokens
        for other in tokens:
            tokens[other] *= FADE
        tokens[token] = tokens.get(token, 0.0) + count
        if len(tokens) > MOST:
            del tokens[min(tokens, key=tokens.__getitem__)]
        self.changes += 1


_NONE = _Counts()


class Successors:
    def __init__(self, text: TokenText, examples: Iterable[Sequence[int]]) -> None:
        self._text = text
        self._sorts: dict[int, int] = {}  # of tokens
        self._numbers: dict[Hashable, int] = {}  # of sorts
        self._counts: dict[Context, _Counts] = {}
        self._known: dict[tuple[_Counts, _Counts, _Counts], tuple[int, Likely]] = {}
        self._written: list[int] = []  # sorts of what was written
        for tokens in examples:
            sorts = [self.sort(token) for token in tokens]
            for place in range(1, len(tokens)):
                self._count(tokens, sorts, place, EXAMPLE)

    def sort(self, token: int) -> int:
        found = self._sorts.get(token)
        if found is None:
            text = self._text.of(token)
            bare = text.strip()
            single = len(bare) == 1 and bare.isalpha()
            key = (single, text[:1] == " ") if single or bare.isdigit() else token
            found = self._sorts[token] = self._numbers.setdefault(key, len(self._numbers))
        return found

    def remember(self, written: Sequence[int]) -> Context:
        """Counts what was written since the last call; returns the context at its end."""
        begin = len(self._written)
        self._written += [self.sort(token) for token in written[begin:]]
        for place in range(max(1, begin), len(written)):
            self._count(written, self._written, place, 1.0)
        return tuple(self._written[-LONG:])

    def _count(self, written: Sequence[int], sorts: Sequence[int], place: int, count: float) -> None:
        keys: list[Context] = [(-1, written[place - 1])]
        keys += [tuple(sorts[place - length : place]) for length in (SHORT, LONG) if place >= length]
        for key in keys:
            counts = self._counts.get(key)
            if counts is None:
                counts = self._counts[key] = _Counts()
            counts.add(written[place], count)

    def after(self, context: Context, token: int) -> Likely:
        """What may follow: as after the longest context first, and what that leaves as after the shorter ones."""
        find = self._counts.get
        found = find(context, _NONE), find(context[-SHORT:], _NONE), find((-1, token), _NONE)
        changes = found[0].changes + found[1].changes + found[2].changes
        known = self._known.get(found)
        if known is None or known[0] != changes:
            known = self._known[found] = changes, self._worked_out(found)
        return known[1]

    def _worked_out(self, found: Iterable[_Counts]) -> Likely:
        chances: dict[int, float] = {}
        left = 1.0
        for counts in found:
            tokens = counts.tokens
            if tokens:
                share = left / (sum(tokens.values()) + NEW_EACH * len(tokens) + NEW)
                for token, count in tokens.items():
                    chances[token] = chances.get(token, 0.0) + share * count
                    left -= share * count
        blank = bare = 0.0
        for token, chance in chances.items():
            begin = self._text.of(token)[:1]
            if begin == " ":
                blank += chance
            elif begin.isalnum():
                bare += chance
        ranked = sorted(((chance, token) for token, chance in chances.items()), reverse=True)
        return Likely(ranked, chances.keys(), left, blank, bare)
