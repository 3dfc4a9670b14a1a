"""The reading-order score: how far the pieces found in an answer are from the order they should stand in.

Knows places, not texts: 1 - edit distance between the order found and the true one, over the number of pieces that
count. A piece that was not found is missing from the order, and costs.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from rapidfuzz.distance import Levenshtein

Place = tuple[int, int]  # the answer's piece, and where in it


def order_score(expected: Sequence[int], found: Mapping[int, Place]) -> float | None:
    """
    >>> order_score([1, 2, 3, 4], {1: (0, 0), 3: (1, 0), 2: (2, 0)})
    50.0
    """
    if not expected:
        return None
    order = [piece for piece, _ in sorted(found.items(), key=lambda item: (item[1], item[0])) if piece in set(expected)]
    return 100 * (1 - Levenshtein.distance(order, list(expected)) / len(expected))
