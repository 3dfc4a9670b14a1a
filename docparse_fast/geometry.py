"""Boxes on a page. Knows numbers only."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from operator import attrgetter
from statistics import median
from typing import Generic, Protocol, TypeVar

Item = TypeVar("Item")
Size = tuple[int, int]  # width and height in pixels
LEAST_LEVEL = 0.05  # of the greatest height: a page has no more levels than twenty for its tallest box


@dataclass(frozen=True, slots=True)
class Box:
    x0: float
    y0: float
    x1: float
    y1: float

    @property
    def width(self) -> float:
        return max(0.0, self.x1 - self.x0)

    @property
    def height(self) -> float:
        return max(0.0, self.y1 - self.y0)

    @property
    def area(self) -> float:
        return self.width * self.height

    @property
    def center(self) -> tuple[float, float]:
        return (self.x0 + self.x1) / 2, (self.y0 + self.y1) / 2

    def intersection(self, other: Box) -> float:
        """Area shared with `other`."""
        width = min(self.x1, other.x1) - max(self.x0, other.x0)
        height = min(self.y1, other.y1) - max(self.y0, other.y0)
        return width * height if width > 0 and height > 0 else 0.0

    def overlap_x(self, other: Box) -> float:
        return max(0.0, min(self.x1, other.x1) - max(self.x0, other.x0))

    def overlap_y(self, other: Box) -> float:
        return max(0.0, min(self.y1, other.y1) - max(self.y0, other.y0))

    def gap_x(self, other: Box) -> float:
        """The white between two boxes beside each other; negative where they overlap."""
        return max(self.x0 - other.x1, other.x0 - self.x1)

    def gap_y(self, other: Box) -> float:
        return max(self.y0 - other.y1, other.y0 - self.y1)

    def holds(self, other: Box) -> bool:
        """Whether the middle of `other` lies within this box."""
        return self.x0 <= (other.x0 + other.x1) / 2 <= self.x1 and self.y0 <= (other.y0 + other.y1) / 2 <= self.y1

    def covers(self, other: Box) -> float:
        """The part of `other` that lies within this box, 0 to 1."""
        shared = self.intersection(other)
        return shared / other.area if shared else 0.0

    def iou(self, other: Box) -> float:
        shared = self.intersection(other)
        return shared / (self.area + other.area - shared) if shared else 0.0

    def expanded(self, by: float) -> Box:
        return Box(self.x0 - by, self.y0 - by, self.x1 + by, self.y1 + by)

    def clipped(self, width: float, height: float) -> Box:
        return Box(
            min(max(self.x0, 0), width),
            min(max(self.y0, 0), height),
            min(max(self.x1, 0), width),
            min(max(self.y1, 0), height),
        )

    def scaled(self, by: float) -> Box:
        return Box(self.x0 * by, self.y0 * by, self.x1 * by, self.y1 * by)

    def turned_left(self, width: float) -> Box:
        """On a page of this width, turned by a quarter to the left."""
        return Box(self.y0, width - self.x1, self.y1, width - self.x0)

    def turned_right(self, height: float) -> Box:
        """On a page of this height, turned by a quarter to the right.

        >>> Box(1, 2, 3, 5).turned_left(10).turned_right(10)
        Box(x0=1, y0=2, x1=3, y1=5)
        """
        return Box(height - self.y1, self.x0, height - self.y0, self.x1)

    def rounded(self) -> Box:
        """To a tenth of a pixel, as it is stored."""
        return Box(round(self.x0, 1), round(self.y0, 1), round(self.x1, 1), round(self.y1, 1))

    def shifted(self, dx: float, dy: float) -> Box:
        return Box(self.x0 + dx, self.y0 + dy, self.x1 + dx, self.y1 + dy)

    @staticmethod
    def around(boxes: Iterable[Box]) -> Box:
        """The smallest box that holds them all.

        >>> Box.around([Box(0, 0, 1, 1), Box(2, 1, 3, 5)])
        Box(x0=0, y0=0, x1=3, y1=5)
        """
        boxes = list(boxes)
        if len(boxes) == 1:
            return boxes[0]
        x0, y0 = min([b.x0 for b in boxes]), min([b.y0 for b in boxes])
        x1, y1 = max([b.x1 for b in boxes]), max([b.y1 for b in boxes])
        return Box(x0, y0, x1, y1)


class HasBox(Protocol):
    @property
    def box(self) -> Box: ...


def around(placed: Iterable[HasBox]) -> Box:
    """The smallest box that holds all of these things."""
    return Box.around(one.box for one in placed)


def runs(items: Iterable[Item], goes_on: Callable[[list[Item], Item], bool]) -> list[list[Item]]:
    """Items in runs: each goes on with the run before it, or begins the next.

    >>> runs([1, 2, 5, 6, 9], lambda run, item: item - run[-1] == 1)
    [[1, 2], [5, 6], [9]]
    """
    found: list[list[Item]] = []
    for item in items:
        if found and goes_on(found[-1], item):
            found[-1].append(item)
        else:
            found.append([item])
    return found


def gathered(items: Iterable[Item], belongs: Callable[[list[Item], Item], bool]) -> list[list[Item]]:
    """Items in groups: each joins the first one that it belongs to, or begins another.

    >>> gathered([1, 5, 2, 6, 9], lambda group, item: item - group[-1] == 1)
    [[1, 2], [5, 6], [9]]
    """
    found: list[list[Item]] = []
    for item in items:
        group = next((group for group in found if belongs(group, item)), None)
        if group is None:
            found.append([item])
        else:
            group.append(item)
    return found


def merged(items: Iterable[Item], touches: Callable[[list[Item], Item], bool]) -> list[list[Item]]:
    """Items in groups: each makes one of all groups that it touches.

    >>> merged([1, 3, 2, 9], lambda group, item: any(abs(item - other) == 1 for other in group))
    [[1, 3, 2], [9]]
    """
    found: list[list[Item]] = []
    for item in items:
        near = [touches(group, item) for group in found]
        whole = [*(other for group, is_near in zip(found, near, strict=True) if is_near for other in group), item]
        found = [*(group for group, is_near in zip(found, near, strict=True) if not is_near), whole]
    return found


def level_rows(
    items: Iterable[Item],
    is_level: Callable[[list[Item], Item], bool],
    box: Callable[[Item], Box] = attrgetter("box"),
) -> list[list[Item]]:
    """Items in rows from the top, each row from left to right: `is_level` says which stand in the row before them."""
    ordered = sorted(items, key=lambda item: box(item).center[1])
    return [sorted(row, key=lambda item: box(item).x0) for row in runs(ordered, is_level)]


def parted(items: Sequence[Item], belongs: Callable[[Item], bool]) -> tuple[list[Item], list[Item]]:
    """What belongs, and what does not."""
    return [item for item in items if belongs(item)], [item for item in items if not belongs(item)]


def not_in(items: Iterable[Item], taken: Iterable[Iterable[int]]) -> list[Item]:
    """Those whose places nothing has taken.

    >>> not_in("abcd", [{0}, {2}])
    ['b', 'd']
    """
    gone = frozenset[int]().union(*taken)
    return [item for n, item in enumerate(items) if n not in gone]


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
        self.height = max([median(known), LEAST_LEVEL * max(known), 1e-6]) if known else 1.0
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


def levels_of(boxes: Sequence[Box]) -> Levels:
    found = Levels(box.height for box in boxes)
    for n, box in enumerate(boxes):
        found.add(n, box)
    return found


class Filed(Generic[Item]):
    """Things filed by a number, such as the height they stand at: those of a stretch are found without a look at all.

    >>> Filed((9, 1, 5, 2), by=lambda item: item).between(2, 8)
    [2, 5]
    """

    def __init__(self, items: Iterable[Item], by: Callable[[Item], float]) -> None:
        self._items = sorted(items, key=by)
        self._at = [by(item) for item in self._items]

    def between(self, low: float, high: float) -> Sequence[Item]:
        return self._items[bisect_left(self._at, low) : bisect_right(self._at, high)]
