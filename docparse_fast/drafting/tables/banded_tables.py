"""Tables whose rows are parted by what is drawn: a rule below each, or a painted ground behind every other one.

Such a row may be several lines high, so its words are placed by columns of white that reach through all rows. Knows
lines, rules and painted areas; where nothing is drawn between the rows, it finds no table.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from statistics import median

from docparse_fast.document import Box, TableCell
from docparse_fast.drafting.blocks.paragraphs import joined
from docparse_fast.drafting.lines import Line
from docparse_fast.drafting.tables.aligned_cells import AlignedTable, are_markers
from docparse_fast.drafting.tables.aligned_tables import groups

FEWEST_BANDS = 3
FEWEST_COLUMNS = 3  # where white alone parts the rows: two columns may be terms and what explains them
APART = 2.0  # of the type's size: more white ends a table
TOUCH = 0.1  # of the type's size, by which lines of one cell may overlap
WIDER = 0.2  # of the type's size, by which the white between two rows exceeds that between two lines of a cell
CELL_WIDTH = 0.6  # of the table's: a wider line alone in its row is prose
SAME = 0.4  # of the type's size between two ends, or two levels, that count as one
TALLEST = 14.0  # of the type's size: a ground that is higher is no row's
PART = 0.6  # of the type's size: wider white is more than a blank
GAP = 0.45  # of the type's size: narrowest white between two columns
CROSSED = 0.2  # of the bands may hold words across a gap: headings that span
FULL_BANDS = 0.6  # of the bands have two cells or more
LEAST_FILLED = 0.4  # of the places
ROWS_IN_BAND = 0.75  # of a band's columns have a line at each of its levels: then these are rows, too
LONGEST_CELL = 400  # letters; a longer one is a text in a frame
WORD_GAP = 0.15  # of the type's size

Word = tuple[Box, str]


@dataclass(frozen=True, slots=True)
class _Bands:
    """The levels between which a table's rows stand, and how far these reach."""

    left: float
    right: float
    levels: tuple[float, ...]
    columns: int = 2  # that there must be
    closed: bool = False  # a rule above and below every row: what stands between two of them is in the table


def banded_tables(lines: Sequence[Line], rules: Sequence[Box], areas: Sequence[Box]) -> list[AlignedTable]:
    """The tables among `lines`; each line belongs to one table at most."""
    if not lines:
        return []
    size = median(line.size for line in lines)
    found: list[AlignedTable] = []
    taken: set[int] = set()
    everywhere = list(range(len(lines)))
    drawn = [(bands, everywhere) for bands in (*_ruled(rules, size), *_shaded(areas, size))]
    white = [(bands, group) for group in groups(lines, everywhere) for bands in _spaced(lines, group, size)]
    for bands, members in (*drawn, *white):
        table = _table(bands, lines, [i for i in members if i not in taken], size)
        if table is not None:
            found.append(table)
            taken |= table.lines
    return found


# ------------------------------------------------------------------------------------------------- bands


def _ruled(rules: Sequence[Box], size: float) -> Iterator[_Bands]:
    """Stacks of rules of one width."""
    for stack in _stacks([rule for rule in rules if rule.width > 4 * rule.height], size):
        levels = _distinct([rule.center[1] for rule in stack], SAME * size)
        if len(levels) > FEWEST_BANDS:
            yield _Bands(stack[0].x0, stack[0].x1, tuple(levels), closed=True)


def _shaded(areas: Sequence[Box], size: float) -> Iterator[_Bands]:
    """Stacks of grounds of one width, each as high as a row; a row without one may come before, between and behind."""
    rows = [row for row in _whole_rows(areas, size) if SAME * size < row.height < TALLEST * size]
    for stack in _stacks(rows, size):
        if len(stack) > 1:
            levels = _distinct([level for row in stack for level in (row.y0, row.y1)], SAME * size)
            usual = max(row.height for row in stack)
            edges = (levels[0] - usual, *levels, levels[-1] + usual)
            yield _Bands(stack[0].x0, stack[0].x1, edges)


def _spaced(lines: Sequence[Line], members: Sequence[int], size: float) -> Iterator[_Bands]:
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
    return [_Slab(Box.around(lines[i].box for i in g), len(_runs(lines, g, PART * size))) for g in groups]


def _fits(table: Box, line: Box, size: float) -> bool:
    """Whether a line alone in its row may be a cell's."""
    return table.x0 - size < line.x0 and line.x1 < table.x1 + size and line.width < CELL_WIDTH * table.width


def _parted_by_white(slabs: Sequence[_Slab], size: float) -> Iterator[_Bands]:
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
        yield _Bands(whole.x0, whole.x1, (whole.y0, *levels, whole.y1), FEWEST_COLUMNS)


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


def _distinct(levels: Iterable[float], near: float) -> list[float]:
    found: list[float] = []
    for level in sorted(levels):
        if not found or level - found[-1] > near:
            found.append(level)
    return found


# ------------------------------------------------------------------------------------------------- cells


def _table(bands: _Bands, lines: Sequence[Line], members: Sequence[int], size: float) -> AlignedTable | None:
    held = [_within(bands, top, bottom, lines, members, size) for top, bottom in pairwise(bands.levels)]
    held = [band for band in held if band]
    edges = _edges([_runs(lines, band, GAP * size) for band in held], GAP * size)
    rows = [_Row(lines, band, edges, size) for band in held]
    while rows and len(rows[-1].cells) < 2 and not bands.closed:
        rows.pop()
    while rows and len(rows[0].cells) < 2 and not (bands.closed or rows[0].spans):
        rows.pop(0)
    if len(edges) + 1 < bands.columns or not _is_table(rows, len(edges) + 1):
        return None
    used = [i for row in rows for i in row.members]
    parted = [cells for row in rows for cells in row.parted()]
    cells = [TableCell(n, c.first, c.text, columns=c.last - c.first + 1) for n, row in enumerate(parted) for c in row]
    return AlignedTable(Box.around(lines[i].box for i in used), tuple(cells), frozenset(used))


def _within(
    bands: _Bands, top: float, bottom: float, lines: Sequence[Line], members: Sequence[int], size: float
) -> list[int]:
    """The lines that stand wholly within one band."""
    left, right = bands.left - size, bands.right + size
    return [
        i
        for i in members
        if top < lines[i].box.center[1] < bottom and left < lines[i].box.x0 and lines[i].box.x1 < right
    ]


def _runs(lines: Sequence[Line], band: Sequence[int], gap: float) -> list[tuple[float, float]]:
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


def _edges(bands: Sequence[Sequence[tuple[float, float]]], narrowest: float) -> list[float]:
    """The middles of white that few bands cross."""
    several = [runs for runs in bands if len(runs) > 1]
    events = sorted((x, step) for runs in several for left, right in runs for x, step in ((left, 1), (right, -1)))
    allowed = int(CROSSED * len(several))
    edges, depth, start = [], 0, None
    for x, step in events:
        before, depth = depth, depth + step
        if before > allowed >= depth:
            start = x
        elif before <= allowed < depth and start is not None and x - start >= narrowest:
            edges.append((start + x) / 2)
    return edges


@dataclass(frozen=True, slots=True)
class _Cell:
    first: int
    last: int
    lines: tuple[tuple[float, str], ...]  # level and words

    @property
    def text(self) -> str:
        return joined([text for _, text in self.lines])


class _Row:
    """The cells of one band."""

    def __init__(self, lines: Sequence[Line], members: Sequence[int], edges: Sequence[float], size: float) -> None:
        self.members = tuple(members)
        self.size = size
        words = [word for i in members for word in lines[i].words]
        crossed = [_crossed(words, edge, GAP * size) for edge in edges]
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
                yield _Cell(first, n, tuple(_levels(inside, self.size)))
            first = n + 1

    def parted(self) -> list[list[_Cell]]:
        """The row, or its rows if nothing is drawn between them: then each column has a line at each level."""
        levels = _distinct((level for cell in self.cells for level, _ in cell.lines), SAME * self.size)
        lines = sum(len(cell.lines) for cell in self.cells)
        full = lines >= ROWS_IN_BAND * len(levels) * len(self.cells) and len(self.cells[0].lines) == len(levels)
        if len(levels) < 3 or len(self.cells) < 2 or not full:
            return [list(self.cells)]
        return [[part for cell in self.cells if (part := _at(cell, level, SAME * self.size))] for level in levels]


def _at(cell: _Cell, level: float, near: float) -> _Cell | None:
    lines = tuple(line for line in cell.lines if -1e-6 <= line[0] - level <= near)
    return _Cell(cell.first, cell.last, lines) if lines else None


def _crossed(words: Sequence[Word], edge: float, gap: float) -> bool:
    """Whether a text runs over an edge: on one of its lines, no white stands around it."""
    for box, _ in words:
        beside = [other for other, _ in words if other.overlap_y(box) > 0.5 * box.height]
        left = max((other.x1 for other in beside if other.center[0] <= edge), default=float("-inf"))
        right = min((other.x0 for other in beside if other.center[0] > edge), default=float("inf"))
        if right - left < gap or box.x0 + gap / 2 < edge < box.x1 - gap / 2:
            return True
    return False


def _levels(words: Sequence[Word], size: float) -> Iterator[tuple[float, str]]:
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
            text += (" " if box.x0 - before.x1 > WORD_GAP * size else "") + words_
        yield row[0][0].center[1], text


def _is_table(rows: Sequence[_Row], columns: int) -> bool:
    """Whether enough rows have cells, and none is a text in a frame."""
    several = sum(len(row.cells) > 1 for row in rows)
    cells = [cell for row in rows for cell in row.cells]
    filled = sum(cell.last - cell.first + 1 for cell in cells)
    if columns == 2 and are_markers([row.cells[0].text for row in rows if row.cells]):
        return False
    short = max((len(cell.text) for cell in cells), default=0) <= LONGEST_CELL
    return (
        several >= max(FEWEST_BANDS, FULL_BANDS * len(rows)) and filled >= LEAST_FILLED * columns * len(rows) and short
    )
