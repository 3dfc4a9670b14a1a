"""What followed an n-gram before, in the answer and in refused drafts (DOUBLE, 4.3).

A drafting model reads a whole continuation in a single pass. A store belongs to one row, so nothing of a page reaches
the next. The paper's target reads it too; beside drafts that saves nothing (docs/log/drafting-models.md).
"""

from __future__ import annotations

from collections.abc import Sequence

WINDOW = 3  # the longest n-gram that is looked up; a shorter one only where it finds nothing
DEPTH = 10  # tokens of a continuation
GAP = -1  # between stretches: no token, so that no n-gram spans them


class NGrams:
    """A growing text and the places after each of its n-grams.

    >>> grams = NGrams()
    >>> grams.add_apart([5, 6, 7, 5, 8])
    >>> grams.after((5,)), grams.after((6, 7)), grams.after((7, 8))
    ([8], [5, 8], [])
    """

    def __init__(self) -> None:
        self._text: list[int] = []
        self._places: dict[tuple[int, ...], list[int]] = {}

    def add(self, tokens: Sequence[int]) -> None:
        """The text goes on."""
        start = len(self._text)
        self._text += tokens
        for place in range(start, len(self._text)):
            for length in range(1, min(WINDOW, place) + 1):
                self._places.setdefault(tuple(self._text[place - length : place]), []).append(place)

    def add_apart(self, tokens: Sequence[int]) -> None:
        """A text of its own."""
        self.add([*tokens, GAP])

    def after(self, gram: tuple[int, ...]) -> list[int]:
        """What followed last."""
        for place in reversed(self._places.get(gram, ())):
            if self._text[place] != GAP:
                tokens = self._text[place : place + DEPTH]
                return tokens[: tokens.index(GAP)] if GAP in tokens else tokens
        return []


class TokenStore:
    """The answer's own tokens, and behind them refused drafts.

    >>> store = TokenStore()
    >>> store.learn([1, 2, 4])
    >>> store.after([9, 1, 2])
    [4]
    """

    def __init__(self) -> None:
        self._answer, self._refused = NGrams(), NGrams()

    def learn(self, written: Sequence[int]) -> None:
        """Receives what the target wrote."""
        self._answer.add(written)

    def refuse(self, before: Sequence[int], drafted: Sequence[int], agreed: int, instead: int) -> None:
        """Receives a draft that was right for `agreed` tokens, and what the target wrote in place of the next one.

        It is kept as corrected: what follows the refused token may be right after the other one.
        """
        self._refused.add_apart([*before[-WINDOW:], *drafted[:agreed], instead, *drafted[agreed + 1 :]])

    def after(self, text: Sequence[int]) -> list[int]:
        """The likeliest continuation of a text, for a drafting model to read at once: a wrong one costs it little.

        The text's longest last n-gram that is known decides.
        """
        for length in range(min(WINDOW, len(text)), 0, -1):
            gram = tuple(text[-length:])
            if found := self._answer.after(gram) or self._refused.after(gram):
                return found
        return []
