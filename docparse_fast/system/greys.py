"""What greys a picture has. Knows pixels only."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray


def percentiles(greys: NDArray[np.uint8], *percents: float) -> list[float]:
    """As numpy's, several times as fast: greys are counted, not put in order.

    >>> percentiles(np.array([7, 1, 3, 2], np.uint8), 50, 100)
    [2.5, 7.0]
    """
    places = (greys.size - 1) * (np.array(percents) / 100)
    counts, below = np.bincount(greys.ravel(), minlength=256).cumsum(), places.astype(np.intp)
    low, high = np.searchsorted(counts, [below, np.minimum(below + 1, greys.size - 1)], side="right")
    share = places - below
    found: list[float] = np.where(share < 0.5, low + (high - low) * share, high - (high - low) * (1 - share)).tolist()
    return found
