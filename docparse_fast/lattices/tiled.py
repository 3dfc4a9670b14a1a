"""Tells a table's cells by their grounds: coloured boxes that lie side by side in rows and columns. Knows boxes only.

Such a table has no rules. The edges of its boxes are where rules would be.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise

from docparse_fast.document import Box

NEXT = 2.5  # points between two boxes side by side: a thin white line may part them
FEWEST_RULES, LEAST_RULE = 2, 8.0  # each way, and points, of a table that has rules
MOST_BOXES = 600  # more are a drawing's
FEWEST_CELLS = 4  # with a neighbour beside and one below or above


def edges_of_tiles(areas: Sequence[Box], rules: Sequence[Box], point: float) -> list[Box]:
    """The edges of boxes that tile a table, as thin boxes; where rules part its cells, of its head's alone."""
    beside = _neighbours(areas, point, lambda box: (box.y0, box.y1), lambda box: (box.x0, box.x1))
    stacked = _neighbours(areas, point, lambda box: (box.x0, box.x1), lambda box: (box.y0, box.y1))
    cells, partnered = beside & stacked, beside | stacked
    if len(partnered) > MOST_BOXES:
        return []
    found = _with_touching(areas, cells, partnered, point)
    if len(cells) < FEWEST_CELLS or _are_ruled([areas[n] for n in found], rules, point):
        found = _heads_of_ruled(areas, beside, rules, point)
    return [edge for n in sorted(found) for edge in _edges(areas[n])]


def _heads_of_ruled(areas: Sequence[Box], beside: set[int], rules: Sequence[Box], point: float) -> set[int]:
    """Rows of boxes right above rules that part the columns below them, and boxes on these: a head's have grounds."""
    tops = [rule for rule in rules if rule.width < rule.height and rule.height > LEAST_RULE * point]
    rows: dict[tuple[int, int], list[int]] = defaultdict(list)
    for n in beside:
        rows[round(areas[n].y0 / point), round(areas[n].y1 / point)].append(n)

    def goes_on(box: Box) -> bool:
        return any(max(abs(r.x0 - box.x1), abs(r.y0 - box.y1)) <= NEXT * point for r in tops)

    found = set[int]()
    for row in rows.values():
        boxes = sorted((areas[n] for n in row), key=lambda box: box.x0)
        inner = boxes if len(row) <= FEWEST_RULES else boxes[:-1]  # of two, the end of the last is one, too
        if all(map(goes_on, inner)) and not _are_ruled(boxes, rules, point):
            above = {n for n, area in enumerate(areas) if area.y1 <= boxes[0].y1 + NEXT * point}
            found |= _with_touching(areas, set(row), above, point)
    return found


def _neighbours(
    areas: Sequence[Box],
    point: float,
    across: Callable[[Box], tuple[float, float]],
    along: Callable[[Box], tuple[float, float]],
) -> set[int]:
    """The boxes that have another of the same extent right beside them; `along` runs from one to the next."""
    rows: dict[tuple[int, int], list[int]] = defaultdict(list)
    for n, box in enumerate(areas):
        low, high = across(box)
        rows[round(low / point), round(high / point)].append(n)
    found: set[int] = set()
    for row in rows.values():
        row.sort(key=lambda n: along(areas[n]))
        for one, other in pairwise(row):
            if abs(along(areas[other])[0] - along(areas[one])[1]) <= NEXT * point:
                found |= {one, other}
    return found


def _with_touching(areas: Sequence[Box], cells: set[int], others: set[int], point: float) -> set[int]:
    """The cells, those of the others that touch one, those that touch these, and so on."""
    found, latest = set(cells), set(cells)
    while latest:
        near = {n: areas[n].expanded(NEXT * point) for n in others - found}
        latest = {n for n, box in near.items() if any(box.intersection(areas[last]) > 0 for last in latest)}
        found |= latest
    return found


def _are_ruled(tiles: Sequence[Box], rules: Sequence[Box], point: float) -> bool:
    box = Box.around(tiles)
    inside = [rule for rule in rules if box.holds(rule) and max(rule.width, rule.height) > LEAST_RULE * point]
    down = sum(rule.width < rule.height for rule in inside)
    return min(down, len(inside) - down) >= FEWEST_RULES


def _edges(box: Box) -> Iterator[Box]:
    yield Box(box.x0, box.y0, box.x1, box.y0)
    yield Box(box.x0, box.y1, box.x1, box.y1)
    yield Box(box.x0, box.y0, box.x0, box.y1)
    yield Box(box.x1, box.y0, box.x1, box.y1)
