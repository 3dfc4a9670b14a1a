"""Tables whose rows are parted: by rules, by a ground behind every other one, or by white around cells of lines.

Such a row may be several lines high, so its words are placed by columns of white that reach through all rows.
Knows lines and bands; how bands are found is told in `bands`.
"""

from __future__ import annotations

import math
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from statistics import median

from docparse_fast.document import Box, TableCell
from docparse_fast.drafting.blocks.joined_text import joined
from docparse_fast.drafting.lines import Line
from docparse_fast.drafting.tables.bands import (
    Bands,
    distinct,
    ink,
    parted_at_captions,
    ruled_bands,
    shaded_bands,
    spaced_bands,
)
from docparse_fast.drafting.tables.candidates import TableCandidate
from docparse_fast.drafting.tables.places import groups
from docparse_fast.drafting.words import NUMBER_CELL

READER = "banded"
FEWEST_BANDS = 3
SAME = 0.4  # of the type's size between two ends, or two levels, that count as one
GAP = 0.45  # of the type's size: narrowest white between two columns
CROSSED = 0.2  # of the bands may hold words across a gap: headings that span
FULL_BANDS = 0.6  # of the bands have two cells or more
LEAST_FILLED = 0.4  # of the places
ROWS_IN_BAND = 0.75  # of a band's columns have a line at each of its levels: then these are rows, too
FEWEST_LEVELS = 3  # of a band that holds such rows of words
MOST_COLUMNS = 40  # the dots of leaders stand in more
LONGEST_CELL = 400  # letters; a longer one is a text in a frame
WORD_GAP = 0.15  # of the type's size

Word = tuple[Box, str]


def banded_tables(
    lines: Sequence[Line], rules: Sequence[Box], areas: Sequence[Box], taken: frozenset[int] = frozenset()
) -> list[TableCandidate]:
    """The tables among the lines that are not `taken`, between rules also with a head above the first one."""
    size = median(line.size for line in lines) if lines else 0.0
    if not size:  # of a damaged file's type, too
        return []
    found: list[TableCandidate] = []
    everywhere = list(range(len(lines)))
    boxes = [line.box for line in lines]
    bands_drawn = (*ruled_bands(rules, size), *shaded_bands(areas, size))
    drawn = [(part, everywhere) for bands in bands_drawn for part in parted_at_captions(bands, boxes, size)]
    white = [(bands, group) for group in groups(lines, everywhere) for bands in spaced_bands(lines, group, size)]
    for bands, members in (*drawn, *white):
        free = [i for i in members if i not in taken]
        for each in (bands, bands.with_head()) if bands.closed else (bands,):
            table = _table(each, lines, free, size)
            if table is not None:
                found.append(table)
                taken |= table.lines
    return found


# ------------------------------------------------------------------------------------------------- cells


def _table(bands: Bands, lines: Sequence[Line], members: Sequence[int], size: float) -> TableCandidate | None:
    levels = sorted((lines[i].box.center[1], n) for n, i in enumerate(members))
    held = [_within(bands, top, bottom, lines, members, levels, size) for top, bottom in pairwise(bands.levels)]
    if bands.headed and not held[0]:
        return None
    held = [band for band in held if band]
    edges = _edges([ink(lines, band, GAP * size) for band in held], GAP * size)
    if len(edges) >= MOST_COLUMNS:
        return None
    rows = [_Row(lines, band, edges, size) for band in held]
    while rows and len(rows[-1].cells) < 2 and not bands.closed:
        rows.pop()
    while rows and len(rows[0].cells) < 2 and not (bands.closed or rows[0].spans):
        rows.pop(0)
    if len(edges) + 1 < bands.columns or not _is_table(rows, len(edges) + 1):
        return None
    used = [i for row in rows for i in row.members]
    parted = [cells for row in rows for cells in row.parted()]
    cells = [
        TableCell(n, c.first, c.text, columns=c.last - c.first + 1, box=c.box)
        for n, row in enumerate(parted)
        for c in row
    ]
    return TableCandidate(READER, Box.around(lines[i].box for i in used), tuple(cells), frozenset(used))


def _within(
    bands: Bands,
    top: float,
    bottom: float,
    lines: Sequence[Line],
    members: Sequence[int],
    levels: Sequence[tuple[float, int]],
    size: float,
) -> list[int]:
    """The lines that stand wholly within one band; `levels` are those of the members' middles, each with its place."""
    left, right = bands.left - size, bands.right + size
    between = levels[bisect_right(levels, (top, len(members))) : bisect_left(levels, (bottom, -1))]
    within = (members[n] for n in sorted(n for _, n in between))
    return [i for i in within if left < lines[i].box.x0 and lines[i].box.x1 < right]


def corridors_between(
    spans: Sequence[tuple[float, float]], allowed: int, narrowest: float
) -> list[tuple[float, float]]:
    """White between the first span and the last, from the left; at most `allowed` spans reach across."""
    events = sorted([(start, 1) for start, _ in spans] + [(end, -1) for _, end in spans])
    found: list[tuple[float, float]] = []
    depth, start = 0, None
    for x, step in events:
        before, depth = depth, depth + step
        if before > allowed >= depth:
            start = x
        elif before <= allowed < depth and start is not None and x - start >= narrowest:
            found.append((start, x))
    return found


def _edges(bands: Sequence[Sequence[tuple[float, float]]], narrowest: float) -> list[float]:
    """The middles of white that few bands cross; where there is white in it that none crosses, the middle of that."""
    several = [runs for runs in bands if len(runs) > 1]
    spans = [run for runs in several for run in runs]
    found = corridors_between(spans, int(CROSSED * len(several)), narrowest)
    free = corridors_between(spans, 0, 0.0)
    inner = [[white for white in free if start <= white[0] and white[1] <= end] for start, end in found]
    widest = [max(some, key=lambda w: w[1] - w[0], default=white) for some, white in zip(inner, found, strict=True)]
    return [(start + end) / 2 for start, end in widest]


@dataclass(frozen=True, slots=True)
class _Cell:
    first: int
    last: int
    lines: tuple[tuple[float, str], ...]  # level and words
    box: Box

    @property
    def text(self) -> str:
        return joined([text for _, text in self.lines])


class _Row:
    """The cells of one band."""

    def __init__(self, lines: Sequence[Line], members: Sequence[int], edges: Sequence[float], size: float) -> None:
        self.members = tuple(members)
        self.size = size
        self.blank = WORD_GAP * size if all(lines[i].is_exact for i in members) else -math.inf  # else words are whole
        words = [word for i in members for word in _level(lines[i])]
        levels = {(box.y0, box.y1): box for box, _ in words}.values()
        beside = [[box for box, _ in words if box.overlap_y(level) > 0.5 * level.height] for level in levels]
        crossed = [_crossed(beside, edge, GAP * size) for edge in edges]
        cells = tuple(self._cells(words, edges, crossed))
        self.cells = (replace(cells[0], first=0, last=len(edges)),) if len(cells) == 1 and cells[0].first else cells
        self.spans = any(cell.last > cell.first for cell in self.cells)

    def _cells(self, words: Sequence[Word], edges: Sequence[float], crossed: Sequence[bool]) -> Iterator[_Cell]:
        first = 0
        for n in range(len(edges) + 1):
            if n < len(edges) and crossed[n]:
                continue
            left = edges[first - 1] if first else float("-inf")
            right = edges[n] if n < len(edges) else float("inf")
            inside = [word for word in words if left < word[0].center[0] <= right]
            if inside:
                around = Box.around(box for box, _ in inside)
                yield _Cell(first, n, tuple(_levels(inside, self.size, self.blank)), around)
            first = n + 1

    def parted(self) -> list[list[_Cell]]:
        """The row, or its rows if nothing is drawn between them: then each column has a line at each level."""
        levels = distinct((level for cell in self.cells for level, _ in cell.lines), SAME * self.size)
        lines = sum(len(cell.lines) for cell in self.cells)
        full = lines >= ROWS_IN_BAND * len(levels) * len(self.cells) and len(self.cells[0].lines) == len(levels)
        rows = (full and len(levels) >= FEWEST_LEVELS) or self._counted(levels)
        if not rows or len(self.cells) < 2:
            return [list(self.cells)]
        return [[part for cell in self.cells if (part := _at(cell, level, SAME * self.size))] for level in levels]

    def _counted(self, levels: Sequence[float]) -> bool:
        """Whether most levels have a number beside the first column: no number is the rest of a cell."""
        numbers = [level for cell in self.cells[1:] for level, words in cell.lines if NUMBER_CELL.fullmatch(words)]
        found = distinct(numbers, SAME * self.size)
        return len(levels) > 1 and len(found) >= ROWS_IN_BAND * len(levels)


def _level(line: Line) -> list[Word]:
    """The line's words, each as high as the line: a sign's own box may be of another height."""
    return [(Box(box.x0, line.box.y0, box.x1, line.box.y1), text) for box, text in line.words]


def _at(cell: _Cell, level: float, near: float) -> _Cell | None:
    lines = tuple(line for line in cell.lines if -1e-6 <= line[0] - level <= near)
    if not lines:
        return None
    row = replace(cell.box, y0=max(cell.box.y0, level - near), y1=min(cell.box.y1, level + near))
    return _Cell(cell.first, cell.last, lines, row)


def _crossed(levels: Sequence[Sequence[Box]], edge: float, gap: float) -> bool:
    """Whether a text runs over an edge: on one of its levels, no white stands around it."""
    for boxes in levels:
        left = max((box.x1 for box in boxes if box.center[0] <= edge), default=float("-inf"))
        right = min((box.x0 for box in boxes if box.center[0] > edge), default=float("inf"))
        if right - left < gap or any(box.x0 + gap / 2 < edge < box.x1 - gap / 2 for box in boxes):
            return True
    return False


def _levels(words: Sequence[Word], size: float, blank: float) -> Iterator[tuple[float, str]]:
    """A cell's words line by line."""
    rows: list[list[Word]] = []
    for word in sorted(words, key=lambda word: word[0].center[1]):
        if rows and word[0].center[1] - rows[-1][0][0].center[1] < SAME * size:
            rows[-1].append(word)
        else:
            rows.append([word])
    for row in rows:
        ordered = sorted(row, key=lambda word: word[0].x0)
        text = ordered[0][1]
        for (before, _), (box, words_) in pairwise(ordered):
            text += (" " if box.x0 - before.x1 > blank else "") + words_
        yield row[0][0].center[1], text


def _is_table(rows: Sequence[_Row], columns: int) -> bool:
    """Whether enough rows have cells, and none is a text in a frame."""
    several = sum(len(row.cells) > 1 for row in rows)
    cells = [cell for row in rows for cell in row.cells]
    filled = sum(cell.last - cell.first + 1 for cell in cells)
    names = [row.cells[0].text for row in rows if row.cells]
    if columns == 2 and len(set(names)) <= len(names) / 2:
        return False  # notes that all begin with the same word
    short = max((len(cell.text) for cell in cells), default=0) <= LONGEST_CELL
    return (
        several >= max(FEWEST_BANDS, FULL_BANDS * len(rows)) and filled >= LEAST_FILLED * columns * len(rows) and short
    )
