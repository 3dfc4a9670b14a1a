"""Tells whether the white between two columns parts pieces of formulas that stand level. Knows boxes only."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from docparse_fast.document import Box
from docparse_fast.drafting.measures import LEVEL, SEVERAL


@dataclass(frozen=True)
class Gutters:
    """Between columns of `prose`."""

    prose: Sequence[Box]

    def part(self, a: Box, b: Box, size: float) -> bool:
        """Whether several lines end between the two, and as many begin there, nearer than any goes on."""
        left, right = sorted((a, b), key=lambda box: box.x0)
        if left.x1 >= right.x0:
            return False
        slack, whole = LEVEL * size, Box.around((a, b))
        across = [box for box in self.prose if box.x0 < left.x1 - slack and box.x1 > right.x0 + slack]
        reach = min((box.gap_y(whole) for box in across), default=math.inf)
        near = [box for box in self.prose if box.gap_y(whole) < reach]
        ends = (left.x1 - slack <= box.x1 <= right.x0 for box in near if box.overlap_x(left) > 0)
        begins = (left.x1 <= box.x0 <= right.x0 + slack for box in near if box.overlap_x(right) > 0)
        return min(sum(ends), sum(begins)) >= SEVERAL
