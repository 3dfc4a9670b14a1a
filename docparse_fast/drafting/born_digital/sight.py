"""How a page with a text layer looks: its picture, and what the layout model sees on it. Made when first asked for."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from itertools import pairwise, product
from statistics import median

import numpy as np

from docparse_fast.document import Box, Page
from docparse_fast.drafting.learned import LearnedReaders
from docparse_fast.drafting.lines import LayoutBox, Line
from docparse_fast.drafting.measures import LEVEL
from docparse_fast.drafting.tables.candidates import TableCandidate
from docparse_fast.drafting.tables.readers import GridReaders
from docparse_fast.drafting.words import LONGEST_MARKER
from docparse_fast.geometry import parted
from docparse_fast.system.late import Image
from docparse_fast.work import may_cost

POINTS = 72  # to the inch
FEWEST_RULES = 3  # across and open, from which they may part rows
FEWEST_ROWS = 3  # of pieces side by side; a running head and a formula with its number are two
MARKER_GAP = 3.0  # of a line's height, from a marker to its item
LEADERS = (".", "…", "·", "_")
MOST_LINES = 700  # about 2 ms each in the layout model: a map's labels would take many seconds


class PageSight:
    """One page, set upright, for readers that look."""

    def __init__(self, page: Page, turned: int, readers: LearnedReaders, *, always: bool = False) -> None:
        self._always = always
        self._page = page
        self._turned = turned
        self._readers = readers

    @cached_property
    def picture(self) -> Image.Image:
        image = self._page.image
        return image.rotate(-self._turned, expand=True) if self._turned else image

    def looks(self, lines: Sequence[Line], rules: Sequence[Box]) -> bool:
        """Whether the page is worth it: what is one flow of lines needs no picture and no network."""
        return bool(lines) and (self._always or is_worth_a_look(lines, rules))

    def grids(self, lines: Sequence[Line], numbers: Sequence[int], rules: Sequence[Box]) -> Iterator[TableCandidate]:
        """The readings of a table of these lines that see it."""
        readers = GridReaders(self._readers.tables, self._readers.grid_lines)
        return readers.read(lambda: self.picture, lines, numbers, rules)

    def labels(self, lines: Sequence[Line]) -> list[LayoutBox]:
        """The layout model's; none of a page that has too many lines, or too much to draw."""
        if len(lines) > MOST_LINES or not may_cost(self._page.drawing_steps(), "what the layout model would see"):
            return []
        as_drawn = None if self._turned else self._page.as_drawn()
        if as_drawn is not None:
            return self._readers.layout.seen(as_drawn, self._page.dpi / POINTS)
        return self._readers.layout.find(np.asarray(self.picture.convert("RGB")), lines)


def is_worth_a_look(lines: Sequence[Line], rules: Sequence[Box]) -> bool:
    """Whether the page may hold more than one flow of lines: rules across it, or rows of pieces side by side."""
    return _rows_of_pieces(lines) >= FEWEST_ROWS or _open_rules(lines, rules) >= FEWEST_RULES


def _open_rules(lines: Sequence[Line], rules: Sequence[Box]) -> int:
    """How many rules across may part rows: none under the page's head or over its foot, no edge of a frame.

    Manuals frame their code and notes: of 148 of their pages with three rules 137 have fewer that are open.
    """
    near = max(1.0, median(line.box.height for line in lines) / 2)
    levels = sorted(line.box.center[1] for line in lines)
    across, upright = parted(rules, lambda rule: rule.width > rule.height)
    corners = _near_ends(upright, near)
    inner = [rule for rule in across if levels[:2][-1] < rule.center[1] < levels[-2:][0]]
    return sum(not {_place(x, rule.center[1], near) for x in (rule.x0, rule.x1)} <= corners for rule in inner)


def _near_ends(upright: Iterable[Box], near: float) -> set[tuple[int, int]]:
    ends = (_place(rule.center[0], y, near) for rule in upright for y in (rule.y0, rule.y1))
    return {(x + a, y + b) for x, y in ends for a, b in product((-1, 0, 1), repeat=2)}


def _place(x: float, y: float, near: float) -> tuple[int, int]:
    return round(x / near), round(y / near)


def _rows_of_pieces(lines: Sequence[Line]) -> int:
    """How many lines have another one level with them: no code, no marker before its item, no page behind leaders."""
    ordered = sorted((line for line in lines if not line.mono), key=lambda line: (line.box.center[1], line.box.x0))
    return sum(
        abs(a.box.center[1] - b.box.center[1]) < LEVEL * min(a.box.height, b.box.height) and not _is_one_flow(a, b)
        for a, b in pairwise(ordered)
    )


def _is_one_flow(before: Line, after: Line) -> bool:
    left, right = sorted((before, after), key=lambda line: line.box.x0)
    marker = len(left.plain) <= LONGEST_MARKER and right.box.x0 - left.box.x1 < MARKER_GAP * right.box.height
    return marker or (right.plain.isalnum() and len(right.plain) <= LONGEST_MARKER and left.plain.endswith(LEADERS))
