"""How large a page image may become. Knows arithmetic only.

Two limits: the user's pixel cap, and the longest side that image libraries further on can still address.
"""

from __future__ import annotations

from math import sqrt

LONGEST_SIDE = 20_000  # OpenCV's remap stops at 32,767; a page of such proportions is no page anyway


def fitting_scale(width: float, height: float, wanted: float, max_pixels: int) -> float:
    """The largest scale up to `wanted` that keeps an area of `width` x `height` within the limits.

    >>> fitting_scale(595, 842, 200 / 72, 6_000_000) == 200 / 72
    True
    >>> round(fitting_scale(14400, 14400, 200 / 72, 6_000_000) * 14400)
    2449
    """
    return min(wanted, sqrt(max_pixels / (width * height)), LONGEST_SIDE / max(width, height))


def scaled_size(width: float, height: float, max_pixels: int) -> tuple[int, int]:
    """Whole pixels of a `width` x `height` image brought within the limits; never enlarged.

    >>> scaled_size(30_000, 30_000, 6_000_000)
    (2449, 2449)
    """
    scale = fitting_scale(width, height, 1.0, max_pixels)
    return max(1, int(width * scale + 1e-6)), max(1, int(height * scale + 1e-6))
