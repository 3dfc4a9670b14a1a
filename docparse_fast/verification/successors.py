"""Counts which token followed which in an answer: after the last token, and after the sorts of the last few.

Most of what is heard is never asked about, so it is counted only then.

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
        self._heard: dict[Context, list[tuple[int, float]]] = {}  # tokens that followed, not yet counted; their counts
        self._counts: dict[Context, dict[int, float]] = {}
        self._begins: dict[int, str] = {}  # of tokens: their first characters
        self._written: list[int] = []  # sorts of what was written
        for tokens in examples:
            sorts = [self.sort(token) for token in tokens]
            self._hear(tokens, sorts, 1, EXAMPLE)

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
        """Takes in what was written since the last call; returns the context at its end."""
        begin = len(self._written)
        self._written += [self.sort(token) for token in written[begin:]]
        self._hear(written, self._written, max(1, begin), 1.0)
        return tuple(self._written[-BEFORE:])

    def _hear(self, written: Sequence[int], sorts: Sequence[int], begin: int, count: float) -> None:
        heard = self._heard
        for place in range(begin, len(written)):
            said = (written[place], count)
            heard.setdefault((-1, written[place - 1]), []).append(said)
            heard.setdefault(tuple(sorts[max(0, place - BEFORE) : place]), []).append(said)

    def _counted(self, key: Context) -> dict[int, float] | None:
        heard = self._heard.pop(key, None)
        if not heard:
            return self._counts.get(key)
        counts = self._counts.setdefault(key, {})
        for token, count in heard:
            counts[token] = counts.get(token, 0.0) + count
            if len(counts) > MOST:
                del counts[min(counts, key=counts.__getitem__)]
        return counts

    def after(self, context: Context, token: int) -> tuple[dict[int, float], float]:
        """The chances of tokens that may follow, and of any other one.

        They are those after the last sorts, then, of what that leaves, those after the last token.
        """
        chances: dict[int, float] = {}
        left = 1.0
        for key in (context, (-1, token)):
            counts = self._counted(key) if left >= ENOUGH else None
            if counts is not None:
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
