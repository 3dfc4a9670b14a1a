"""Counts which token followed which in an answer: after the last token, and after the sorts of the last few.

All single letters are of one sort, and so are all numbers: what follows "x_{1}" may follow "y_{2}". Knows tokens and
their texts; no draft.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence

from docparse_fast.verification.token_text import TokenText

BEFORE = 2  # tokens that are compared by sort
MOST = 6  # successors remembered of each context
NEW_EACH, NEW = 0.5, 0.3  # counts of the event that a context goes on in a new way: for each successor, and for any
EXAMPLE = 0.4  # the count of a successor in an example
ENOUGH = 0.1  # of the chances is left: the shorter context would hardly change the others

Context = tuple[int, ...]


class Successors:
    def __init__(self, text: TokenText, examples: Iterable[Sequence[int]]) -> None:
        self._text = text
        self._sorts: dict[int, int] = {}  # of tokens
        self._numbers: dict[Hashable, int] = {}  # of sorts
        self._counts: dict[Context, dict[int, float]] = {}
        self._begins: dict[int, str] = {}  # of tokens: their first characters
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
        return tuple(self._written[-BEFORE:])

    def _count(self, written: Sequence[int], sorts: Sequence[int], place: int, count: float) -> None:
        token = written[place]
        for key in ((-1, written[place - 1]), tuple(sorts[max(0, place - BEFORE) : place])):
            counts = self._counts.setdefault(key, {})
            counts[token] = counts.get(token, 0.0) + count
            if len(counts) > MOST:
                del counts[min(counts, key=counts.__getitem__)]

    def after(self, context: Context, token: int) -> tuple[dict[int, float], float]:
        """The chances of tokens that may follow, and of any other one.

        They are those after the last sorts, then, of what that leaves, those after the last token.
        """
        chances: dict[int, float] = {}
        left = 1.0
        for key in (context, (-1, token)):
            counts = self._counts.get(key)
            if counts is not None and left >= ENOUGH:
                total = sum(counts.values())
                share = left / (total + NEW_EACH * len(counts) + NEW)
                for successor, count in counts.items():
                    chances[successor] = chances.get(successor, 0.0) + share * count
                left -= share * total
        return chances, left

    def blanks(self, chances: Mapping[int, float]) -> tuple[float, float]:
        """The chances that the next token begins with a blank, and with a letter or digit."""
        blank = bare = 0.0
        for token, chance in chances.items():
            begin = self._begins.get(token)
            if begin is None:
                begin = self._begins[token] = self._text.of(token)[:1]
            if begin == " ":
                blank += chance
            elif begin.isalnum():
                bare += chance
        return blank, bare
