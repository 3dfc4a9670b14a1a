"""What is painted behind code. Knows boxes only."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from docparse_fast.document import Box

HELD = 0.7  # of a row, from which it stands on a ground
MOST_GROUNDS = 1000  # more painted areas are a drawing, and comparing them all would take minutes


def grounds_of(areas: Collection[Box]) -> list[Box]:
    """The painted areas; areas of single lines that lie one below the other are merged. None in a drawing of many."""
    if len(areas) > MOST_GROUNDS:
        return []
    found: list[Box] = []
    for area in sorted(areas, key=lambda box: (box.y0, box.x0)):
        at = next((n for n, box in enumerate(found) if _continues(box, area)), None)
        if at is None:
            found.append(area)
        else:
            found[at] = Box.around((found[at], area))
    return found


def _continues(box: Box, area: Box) -> bool:
    return abs(box.x0 - area.x0) < 2 and abs(box.x1 - area.x1) < 2 and -2 < area.y0 - box.y1 < 2


def ground_under(box: Box, grounds: Sequence[Box]) -> Box | None:
    holding = [ground for ground in grounds if ground.covers(box) > HELD and ground.width > box.width]
    return min(holding, key=lambda ground: ground.area, default=None)
