"""What followed an n-gram before: in the answer, in refused drafts, in answers to other pages (DOUBLE, 4.3).

One store is read on both sides: its continuations are candidates of the tree that the target verifies, and a drafting
model reads a whole one in a single pass. It belongs to one row, so nothing of a page reaches the next.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

WINDOW = 3  # the longest n-gram that is looked up; a shorter one only where it finds nothing
DEPTH = 10  # tokens of a continuation
OFFERED = 3  # continuations, no two with one first token
GAP = -1  # between stretches: no token, so that no n-gram spans them


class NGrams:
    """A growing text and the places after each of its n-grams.

    >>> grams = NGrams([[5, 6, 7, 5, 8]])
    >>> grams.after((5,)), grams.after((6, 7)), grams.after((7, 8))
    ([[8], [6, 7, 5, 8]], [[5, 8]], [])
    """

    def __init__(self, stretches: Iterable[Sequence[int]] = ()) -> None:
        self._text: list[int] = []
        self._places: dict[tuple[int, ...], list[int]] = {}
        for tokens in stretches:
            self.add_apart(tokens)

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

    def after(self, gram: tuple[int, ...]) -> list[list[int]]:
        """What followed, latest first, no two with one first token."""
        found: dict[int, list[int]] = {}
        for place in reversed(self._places.get(gram, ())):
            first = self._text[place]
            if first != GAP and first not in found:
                found[first] = self._stretch(place)
        return list(found.values())

    def _stretch(self, place: int) -> list[int]:
        tokens = self._text[place : place + DEPTH]
        return tokens[: tokens.index(GAP)] if GAP in tokens else tokens


NO_PRIOR = NGrams()


class TokenStore:
    """The layers in their order: the answer's own tokens, refused drafts, the prior.

    >>> store = TokenStore(prior=NGrams([[1, 2, 3]]))
    >>> store.learn([1, 2, 4])
    >>> store.after([9, 1, 2])
    [[4], [3]]
    """

    def __init__(
        self, *, prior: NGrams = NO_PRIOR, keep_refused: bool = True, to_target: bool = True, to_model: bool = True
    ) -> None:
        self._answer, self._refused = NGrams(), NGrams()
        self._layers = (self._answer, self._refused, prior)
        self._keep_refused = keep_refused
        self._to_target, self._to_model = to_target, to_model

    def learn(self, written: Sequence[int]) -> None:
        """Receives what the target wrote."""
        self._answer.add(written)

    def refuse(self, before: Sequence[int], drafted: Sequence[int], agreed: int, instead: int) -> None:
        """Receives a draft that was right for `agreed` tokens, and what the target wrote in place of the next one.

        It is kept as corrected: what follows the refused token may be right after the other one.
        """
        if self._keep_refused:
            self._refused.add_apart([*before[-WINDOW:], *drafted[:agreed], instead, *drafted[agreed + 1 :]])

    def after(self, text: Sequence[int], shortest: int = 1) -> list[list[int]]:
        """What may follow a text, likeliest first: by its longest last n-gram that is known."""
        for length in range(min(WINDOW, len(text)), shortest - 1, -1):
            gram = tuple(text[-length:])
            found: dict[int, list[int]] = {}
            for layer in self._layers:
                for tokens in layer.after(gram):
                    found.setdefault(tokens[0], tokens)
            if found:
                return list(found.values())[:OFFERED]
        return []

    def for_target(self, text: Sequence[int]) -> list[list[int]]:
        """Continuations for the target's tree, after whole windows only: their nodes cost."""
        return self.after(text, WINDOW) if self._to_target else []

    def for_model(self, text: Sequence[int]) -> list[int]:
        """The likeliest continuation, for a drafting model to read at once: a wrong one costs it little."""
        return next(iter(self.after(text)), []) if self._to_model else []
