"""A tree of guesses that is made only as far as it is wanted. Knows tokens and chances; not how they are guessed."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple


class Guess(NamedTuple):
    chance: float  # if all before it is right and no likelier guess is
    token: int
    place: Any  # what the guesser needs to go on from here


class GuessTree(NamedTuple):
    """Guesses are in order, likeliest first. `after` says what may follow a guess that has a given chance in all.

    >>> ones = GuessTree([Guess(0.5, 1, None)], lambda guess, chance: [Guess(0.5, 1, None)] if chance > 0.2 else [])
    >>> [guess.token for guess in ones.after(ones.first[0], 0.5)], ones.after(ones.first[0], 0.1)
    ([1], [])
    """

    first: Sequence[Guess]
    after: Callable[[Guess, float], Sequence[Guess]]
