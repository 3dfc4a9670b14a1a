"""Who belongs to whom: pieces of the truth and pieces of an answer, by likeness alone. Knows no kind of piece."""

from __future__ import annotations

from collections.abc import Callable, Sequence


def pair(
    truths: Sequence[str],
    answers: Sequence[str],
    likeness: Callable[[str, str], float],
    *,
    least: float,
) -> dict[int, int]:
    """For each truth that has one, its answer: the most alike first, and among equals those at the same place.

    >>> same = lambda one, other: float(one == other)
    >>> pair(["a", "b", "a"], ["a", "a", "b"], same, least=0.5)
    {0: 0, 1: 2, 2: 1}
    """
    found = [
        (-alike, abs(at / len(truths) - to / len(answers)), at, to)
        for at, truth in enumerate(truths)
        for to, answer in enumerate(answers)
        if (alike := likeness(truth, answer)) >= least
    ]
    pairs: dict[int, int] = {}
    taken: set[int] = set()
    for _, _, at, to in sorted(found):
        if at not in pairs and to not in taken:
            pairs[at] = to
            taken.add(to)
    return dict(sorted(pairs.items()))
