"""What stands how high on a page, so that a box is compared with those beside it and not with all. Knows boxes only."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from statistics import median

from docparse_fast.document import Box

LEAST = 0.05  # of the greatest height: a page has no more levels than twenty for its tallest box


class Levels:
    """Numbers of boxes by the levels that they reach over.

    >>> levels = Levels([10, 10])
    >>> levels.add(0, Box(0, 0, 5, 10))
    >>> levels.add(1, Box(0, 80, 5, 90))
    >>> levels.at(Box(50, 5, 60, 15)), levels.at(Box(50, 60, 60, 70))
    ([0], [])
    """

    def __init__(self, heights: Iterable[float]) -> None:
        known = list(heights)
        self.height = max([median(known), LEAST * max(known), 1e-6]) if known else 1.0
        self.boxes: dict[int, set[int]] = defaultdict(set)

    def add(self, number: int, box: Box) -> None:
        """A box that is there already may have grown."""
        for level in self._levels(box):
            self.boxes[level].add(number)

    def at(self, box: Box) -> list[int]:
        """Those that may overlap it in height: all that do, and a few more."""
        return sorted(set().union(*(self.boxes[level] for level in self._levels(box) if level in self.boxes)))

    def _levels(self, box: Box) -> range:
        return range(int(box.y0 // self.height), int(box.y1 // self.height) + 1)
