"""Boxes to be ticked that are drawn: small squares and circles, empty, crossed or filled.

Knows MuPDF's paths and the sizes of boxes; does not know what a box is about, nor which words stand beside it.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, combinations, product
from typing import Any

from docparse_fast.document import Box, TickBox
from docparse_fast.geometry import Filed
from docparse_fast.work import may_cost

SMALLEST, LARGEST = 5.0, 16.0  # points, a box's side
EVEN = 0.25  # of its longer side, by which the other may be shorter
WHITE, DARK = 0.9, 0.4  # of each colour: a ground that shows nothing; a box filled in
MARK = (0.35, 1.8)  # of a box's side, by the longer side of what ticks it
OTHER_BOX = 0.7  # of a box's side: a box within is its second edge
SAME = 1.0  # points between two edges at one place
BESIDE = 0.25  # of a box's side, between two for letters of one word
CURVES = range(4, 17)  # pieces of a circle, and of a square with round corners
MOST_BOXES, MOST_SIDES = 300, 400  # on a page; a drawing has more
THIN = 1.6  # points: what is thinner is a line

Path = dict[str, Any]


def boxes_to_tick(paths: Sequence[Path]) -> list[TickBox]:
    """Squares and circles that are hollow, and filled ones of their size; none that touch, as cells do."""
    shapes = [(Box(*map(float, path["rect"])), path) for path in paths if path["type"] in ("f", "s", "fs")]
    small = [(box, path) for box, path in shapes if max(box.width, box.height) <= MARK[1] * LARGEST]
    hollow = [box for box, path in small if _is_square(box) and _is_closed(path) and _is_hollow(path)]
    hollow = _apart([*hollow, *_of_four_sides(box for box, _ in small if min(box.width, box.height) < THIN)])
    if not hollow or len(hollow) > MOST_BOXES:
        return []
    sizes = {round(box.width / SAME) for box in hollow}
    filled = [
        box
        for box, path in small
        if _is_square(box) and _is_closed(path) and _is_dark(path) and round(box.width / SAME) in sizes
    ]
    marks = Filed(((box, path) for box, path in small if not _is_white(path)), by=lambda mark: mark[0].center[1])
    plots = [box for box, path in shapes if _is_plotted(path) and max(box.width, box.height) > 2 * LARGEST]
    found = [TickBox(box, any(_ticks(*mark, box) for mark in marks.between(box.y0, box.y1))) for box in hollow]
    placed = _Placed(hollow)
    found += [TickBox(box, True) for box in filled if not any(box.intersection(other) for other in placed.near(box))]
    if not may_cost(len(found) * len(plots), "boxes to tick"):
        return []
    return [each for each in found if not any(plot.intersection(each.box) for plot in plots)]


class _Placed:
    """Small boxes by their places: those near another are found without a look at all."""

    def __init__(self, boxes: Iterable[Box] = ()) -> None:
        self._held: dict[tuple[int, int], list[Box]] = defaultdict(list)
        for box in boxes:
            self.add(box)

    def add(self, box: Box) -> None:
        self._held[_place(box)].append(box)

    def near(self, box: Box) -> Iterator[Box]:
        x, y = _place(box)
        return chain.from_iterable(self._held.get((x + a, y + b), ()) for a, b in product((-1, 0, 1), repeat=2))


def _place(box: Box) -> tuple[int, int]:
    """No box touches one that is two places away."""
    x, y = box.center
    return int(x // (LARGEST + SAME)), int(y // (LARGEST + SAME))


def _is_square(box: Box) -> bool:
    short, long = sorted((box.width, box.height))
    return SMALLEST <= long <= LARGEST and short >= (1 - EVEN) * long


def _is_closed(path: Path) -> bool:
    """Whether it is a rectangle, four lines, or the curves of a circle; a ring is two of them."""
    kinds = [item[0] for item in path["items"]]
    if all(kind in ("re", "qu") for kind in kinds):
        return len(kinds) <= 2
    if set(kinds) == {"l"}:
        straight = all(min(abs(a[0] - b[0]), abs(a[1] - b[1])) < SAME / 2 for _, a, b in path["items"])
        return straight and len(kinds) == 4
    return set(kinds) <= {"c", "l"} and len(kinds) in CURVES


def _is_hollow(path: Path) -> bool:
    if path["type"] == "f":
        return len(path["items"]) == 2 and bool(path.get("even_odd")) and not _is_white(path)
    fill = path.get("fill")
    return (fill is None or min(fill) > WHITE) and max(path.get("color") or (0.0,)) <= WHITE


def _is_dark(path: Path) -> bool:
    return "f" in path["type"] and max(path.get("fill") or (1.0,)) < DARK and len(path["items"]) != 2


def _is_white(path: Path) -> bool:
    return all(min(path[side]) > WHITE for side in ("fill", "color") if path.get(side) is not None)


def _is_plotted(path: Path) -> bool:
    """Whether it is a slanted or bent line, as a plot has, on which its markers stand."""
    return path["type"] == "s" and any(
        item[0] == "c" or (item[0] == "l" and min(abs(item[1][0] - item[2][0]), abs(item[1][1] - item[2][1])) > SAME)
        for item in path["items"]
    )


def _ticks(mark: Box, path: Path, box: Box) -> bool:
    x, y = mark.center
    inside = min(x - box.x0, box.x1 - x, y - box.y0, box.y1 - y)
    least, most = MARK
    edge = _is_square(mark) and _is_closed(path) and _is_hollow(path) and mark.width > OTHER_BOX * box.width
    side = inside < THIN and min(mark.width, mark.height) < THIN
    return inside > 0 and not (edge or side) and least * box.width < max(mark.width, mark.height) < most * box.width


def _of_four_sides(lines: Iterable[Box]) -> Iterator[Box]:
    """Squares whose sides are lines of their own."""
    sides = [line for line in lines if SMALLEST <= max(line.width, line.height) <= LARGEST]
    if len(sides) > MOST_SIDES:
        return
    level = [side for side in sides if side.width > side.height]
    upright = [side for side in sides if side.width <= side.height]
    for above, below in combinations(level, 2):
        box = Box.around((above, below))
        same = abs(above.x0 - below.x0) < SAME and abs(above.x1 - below.x1) < SAME
        if (
            same
            and _is_square(box)
            and all(any(_stands_at(side, x, box) for side in upright) for x in (box.x0, box.x1))
        ):
            yield box


def _stands_at(side: Box, x: float, box: Box) -> bool:
    return (
        abs(side.center[0] - x) < SAME + THIN and abs(side.y0 - box.y0) < 2 * SAME and abs(side.y1 - box.y1) < 2 * SAME
    )


def _apart(boxes: Iterable[Box]) -> list[Box]:
    """Each place once, without boxes that touch another, or nearly do beside it: letters are written into those."""
    once, placed = list[Box](), _Placed()
    for box in sorted(boxes, key=lambda box: -box.area):
        if not any(other.covers(box) > OTHER_BOX for other in placed.near(box)):
            once.append(box)
            placed.add(box)
    return [
        box for box in once if not any(other is not box and _nearly_touch(box, other) for other in placed.near(box))
    ]


def _nearly_touch(box: Box, other: Box) -> bool:
    return box.gap_y(other) < SAME and box.gap_x(other) < max(SAME, BESIDE * box.width)
