"""Finds what may be a table's rows: stacks of rules, of painted grounds, or of lines with white between them.

Knows lines, rules and painted areas; knows no cells and no columns.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from statistics import median

from docparse_fast.document import Box
from docparse_fast.drafting.lines import Line

FEWEST_BANDS = 3
FEWEST_COLUMNS = 3  # where white alone parts the rows: two columns may be terms and what explains them
APART = 2.0  # of the type's size: more white ends a table
TOUCH = 0.1  # of the type's size, by which lines of one cell may overlap
WIDER = 0.2  # of the type's size, by which the white between two rows exceeds that between two lines of a cell
CELL_WIDTH = 0.6  # of the table's: a wider line alone in its row is prose
SAME = 0.4  # of the type's size between two ends, or two levels, that count as one
TALLEST = 14.0  # of the type's size: a ground that is higher is no row's
PART = 0.6  # of the type's size: wider white is more than a blank


@dataclass(frozen=True, slots=True)
class Bands:
    """The levels between which a table's rows stand, and how far these reach."""

    left: float
    right: float
    levels: tuple[float, ...]
    columns: int = 2  # that there must be
    closed: bool = False  # a rule above and below every row: what stands between two of them is in the table
    headed: bool = False  # the first row stands above the first rule

    def with_head(self) -> Bands:
        """With a row more, above the first rule."""
        usual = median(below - above for above, below in pairwise(self.levels))
        return replace(self, levels=(self.levels[0] - usual, *self.levels), headed=True)


def ruled_bands(rules: Sequence[Box], size: float) -> Iterator[Bands]:
    """Stacks of rules of one width."""
    for stack in _stacks([rule for rule in rules if rule.width > 4 * rule.height], size):
        levels = distinct([rule.center[1] for rule in stack], SAME * size)
        if len(levels) > FEWEST_BANDS:
            yield Bands(stack[0].x0, stack[0].x1, tuple(levels), closed=True)


def shaded_bands(areas: Sequence[Box], size: float) -> Iterator[Bands]:
    """Stacks of grounds of one width, each as high as a row; a row without one may come before, between and behind."""
    rows = [row for row in _whole_rows(areas, size) if SAME * size < row.height < TALLEST * size]
    for stack in _stacks(rows, size):
        if len(stack) > 1:
            levels = distinct([level for row in stack for level in (row.y0, row.y1)], SAME * size)
            usual = max(row.height for row in stack)
            edges = (levels[0] - usual, *levels, levels[-1] + usual)
            yield Bands(stack[0].x0, stack[0].x1, edges)


def parted_at_captions(bands: Bands, lines: Sequence[Box], size: float) -> Iterator[Bands]:
    """The bands above and below words that run over both of their ends: two tables, and the second one's caption.

    Between rules, words that begin within and run on to the right part two boxes, and are the text between them.
    """
    begin = bands.right - size if bands.closed else bands.left - size
    over = [box for box in lines if box.x0 < begin and box.x1 > bands.right + size]
    rows = enumerate(pairwise(bands.levels), 1)
    cuts = [n for n, (top, bottom) in rows if any(top < box.center[1] < bottom for box in over)]
    parts = (bands.levels[start:end] for start, end in pairwise([0, *cuts, len(bands.levels)]))
    yield from (replace(bands, levels=part) for part in parts if len(part) > 1)


def spaced_bands(lines: Sequence[Line], members: Sequence[int], size: float) -> Iterator[Bands]:
    """Rows of cells with more white between two rows than between the lines of one."""
    run: list[_Slab] = []
    for slab in _slabs(lines, members, size):
        if run and slab.box.y0 - run[-1].box.y1 > APART * size:
            yield from _parted_by_white(run, size)
            run = []
        if slab.cells > 1 or (run and _fits(Box.around(other.box for other in run), slab.box, size)):
            run.append(slab)
            continue
        yield from _parted_by_white(run, size)
        run = []
    yield from _parted_by_white(run, size)


@dataclass(frozen=True, slots=True)
class _Slab:
    """Lines with no white below that reaches across all of them."""

    box: Box
    cells: int


def _slabs(lines: Sequence[Line], members: Sequence[int], size: float) -> list[_Slab]:
    groups: list[list[int]] = []
    bottom = float("-inf")
    for i in sorted((i for i in members if not lines[i].mono), key=lambda i: lines[i].box.y0):
        if lines[i].box.y0 < bottom - TOUCH * size:
            groups[-1].append(i)
        else:
            groups.append([i])
            bottom = lines[i].box.y1
        bottom = max(bottom, lines[i].box.y1)
    return [_Slab(Box.around(lines[i].box for i in g), len(ink(lines, g, PART * size))) for g in groups]


def _fits(table: Box, line: Box, size: float) -> bool:
    """Whether a line alone in its row may be a cell's."""
    return table.x0 - size < line.x0 and line.x1 < table.x1 + size and line.width < CELL_WIDTH * table.width


def _parted_by_white(slabs: Sequence[_Slab], size: float) -> Iterator[Bands]:
    while slabs and slabs[0].cells < 2:
        slabs = slabs[1:]
    whites = [below.box.y0 - above.box.y1 for above, below in pairwise(slabs)]
    if len(whites) < FEWEST_BANDS - 1:
        return
    narrow, wide = max(pairwise(sorted(whites)), key=lambda pair: pair[1] - pair[0])
    full = max(slab.cells for slab in slabs)
    levels = [
        (above.box.y1 + below.box.y0) / 2
        for above, below in pairwise(slabs)
        if below.box.y0 - above.box.y1 >= wide or above.cells == below.cells == full
    ]
    if wide - narrow > WIDER * size and len(levels) + 1 >= FEWEST_BANDS:
        whole = Box.around(slab.box for slab in slabs)
        yield Bands(whole.x0, whole.x1, (whole.y0, *levels, whole.y1), FEWEST_COLUMNS)


def _stacks(boxes: Sequence[Box], size: float) -> list[list[Box]]:
    """Boxes that begin and end at the same places, none far below the one before."""
    stacks: list[list[Box]] = []
    for box in sorted(boxes, key=lambda box: box.y0):
        near = (s for s in stacks if _alike(s[-1], box, SAME * size) and box.y0 - s[-1].y1 < TALLEST * size)
        stack = next(near, None)
        if stack is None:
            stacks.append([box])
        else:
            stack.append(box)
    return stacks


def _alike(a: Box, b: Box, near: float) -> bool:
    return abs(a.x0 - b.x0) < near and abs(a.x1 - b.x1) < near


def _whole_rows(areas: Sequence[Box], size: float) -> list[Box]:
    """Grounds painted cell by cell, as those of rows."""
    rows: list[Box] = []
    for area in sorted(areas, key=lambda box: (round(box.y0 / size), box.x0)):
        last = rows[-1] if rows else None
        level = last is not None and max(abs(last.y0 - area.y0), abs(last.y1 - area.y1)) < SAME * size
        if last is not None and level and -SAME * size < area.x0 - last.x1 < SAME * size:
            rows[-1] = Box.around((last, area))
        else:
            rows.append(area)
    return rows


def distinct(levels: Iterable[float], near: float) -> list[float]:
    found: list[float] = []
    for level in sorted(levels):
        if not found or level - found[-1] > near:
            found.append(level)
    return found


def ink(lines: Sequence[Line], band: Sequence[int], gap: float) -> list[tuple[float, float]]:
    """Where a band has ink, from left to right, blanks between words included."""
    return _merged((run for i in band for run in _merged(((b.x0, b.x1) for b, _ in lines[i].words), gap)), 0.0)


def _merged(stretches: Iterable[tuple[float, float]], gap: float) -> list[tuple[float, float]]:
    found: list[tuple[float, float]] = []
    for left, right in sorted(stretches):
        if found and left - found[-1][1] <= gap:
            found[-1] = found[-1][0], max(found[-1][1], right)
        else:
            found.append((left, right))
    return found
