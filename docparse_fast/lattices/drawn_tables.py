"""Finds tables with drawn borders: a lattice of rules, its cells, and the words in each. Knows no fonts and no prose.

A lattice is a set of rules that touch. Its outer edges need not be drawn; two cells without a line between them are
one cell.
"""

from __future__ import annotations

import math
import re
from bisect import bisect_left
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import chain, compress, pairwise
from statistics import median

import numpy as np
from numpy.typing import NDArray

from docparse_fast.document import Box, TableCell, TextLine, TextSpan, TextTable
from docparse_fast.geometry import parted, runs
from docparse_fast.lattices.hidden_columns import hidden_rules
from docparse_fast.lattices.rules import Drawn, joined_rules
from docparse_fast.lattices.tiled import edges_of_tiles
from docparse_fast.work import may_cost

TOUCH = 3.0  # points by which touching rules may miss each other
TO_TICK = "☐☑☒"
BROKEN = re.compile(r"[^\W\d_]-\s*$")  # a word that goes on in the next line
SAME = 3.0  # points between two levels of rules that count as one
COVERS = 0.6  # of a cell's side: with this share drawn, the whole side counts as drawn
MOST_AREAS = 600
STEPS_A_WORD = 20  # for each lattice, to see which words stand in it
STEPS_A_PLACE = 1000  # of a grid: whose rules are looked at, and which is kept
LEAST_FILLED = 0.3  # of a lattice's cells have words; fewer mean the grid of a plot
MOST_LETTERS = 600  # in a typical cell; more mean columns of prose with lines between them
FRAME = 0.5  # of all letters in one long cell: the lattice is a frame around prose
WORD_GAP = 0.15  # of the type's size: the least gap between two words
WIDEST_BLANK = 1.0  # of the type's size: no gap between words of justified prose is wider
SHAPE = 0.4  # of a lattice's width and height: larger areas are grounds
MOST_SHAPES = 3  # that sit on a lattice's rules
MOST_THROUGH = 0.5  # of the lines with words in a lattice
FEWEST_FREE = 3  # cells with words on both sides of an edge, from which it parts columns that no rule parts
NAME = 0.9  # of the type of what fills a form's box: the box's name is smaller
ON_BASELINE = 0.1  # of the type's size, between baselines of one row
ALIGNED = 0.75  # of a band's places have a line: its lines are rows, although no rule separates them
OFF_LEVEL, WIDE_STEP = 0.2, 1.3  # of the type: how far off lines beside wraps stand; of a wrap: steps from row to row


def drawn_tables(ink: Drawn, lines: Sequence[TextLine]) -> list[TextTable]:
    spans = [span for line in lines for span in line.spans if span.text.strip(" \ufffd")]
    edges = edges_of_tiles(_with_words(ink.areas, spans, ink.point), ink.rules, ink.point)
    rules = joined_rules([*ink.rules, *edges], ink.point) if edges else ink.rules
    if len(rules) < 4 or not may_cost(len(rules) ** 2, "tables with rules"):
        return []
    tables: list[TextTable] = []
    lattices = sorted(_lattices(rules, ink.point), key=lambda rules: -Box.around(rules).area)
    if not may_cost(STEPS_A_WORD * len(lattices) * len(spans), "tables with rules"):
        return []
    for lattice in lattices:
        table = None if _is_drawing(lattice, ink.areas) else _table(lattice, ink.point, spans, lines)
        if table is not None and not any(_lies_in(table, other) for other in tables):
            tables.append(table)
            spans = [span for span in spans if not table.box.holds(span.box)]  # a word belongs to one table only
    return tables


def _with_words(areas: Sequence[Box], spans: Sequence[TextSpan], point: float) -> list[Box]:
    """The areas that are words' ground, or an empty cell's in their rows and columns; typed words stand on code's."""
    words = [span.box.center for span in spans if not span.mono and any(c.isalnum() or c in TO_TICK for c in span.text)]
    if len(areas) > MOST_AREAS or not words:
        return []
    x, y = np.array(words).T
    worded = [bool(((a.x0 <= x) & (x <= a.x1) & (a.y0 <= y) & (y <= a.y1)).any()) for a in areas]
    rows = [(round(a.y0 / point), round(a.y1 / point)) for a in areas]
    columns = [(round(a.x0 / point), round(a.x1 / point)) for a in areas]
    among, over = set(compress(rows, worded)), set(compress(columns, worded))
    return [a for a, row, column in zip(areas, rows, columns, strict=True) if row in among and column in over]


def _lies_in(table: TextTable, other: TextTable) -> bool:
    return other.box.covers(table.box) > 0.9


def _lattices(rules: Sequence[Box], point: float) -> list[list[Box]]:
    """Groups of rules that touch, directly or through others; only groups with rules in both directions."""
    across = [i for i, box in enumerate(rules) if box.width >= box.height]
    down = [i for i, box in enumerate(rules) if box.width < box.height]
    parent = list(range(len(rules)))

    def root(i: int) -> int:
        while parent[i] != i:
            parent[i] = parent[parent[i]]
            i = parent[i]
        return i

    reach = TOUCH * point
    x0, y0, x1, y1 = _edges([rules[j] for j in down])
    for i in across:
        a = rules[i]
        touch = (a.x0 - reach <= x1) & (x0 <= a.x1 + reach) & (y0 - reach <= a.y1) & (a.y0 <= y1 + reach)
        for j in np.flatnonzero(touch):
            parent[root(i)] = root(down[j])
    groups: dict[int, list[Box]] = {}
    for i in [*across, *down]:
        groups.setdefault(root(i), []).append(rules[i])
    return [group for group in groups.values() if len({box.width >= box.height for box in group}) == 2]


def _edges(boxes: Sequence[Box]) -> NDArray[np.float64]:
    return np.array([(box.x0, box.y0, box.x1, box.y1) for box in boxes], np.float64).reshape(-1, 4).T


@dataclass
class _Grid:
    """The positions of a lattice's rules, and the sides of its places that are drawn."""

    xs: list[float]
    ys: list[float]
    across: list[Box]
    down: list[Box]
    point: float

    def place(self, x: float, y: float) -> tuple[int, int]:
        """The row and column of a point, or the nearest ones."""
        row, column = (bisect_left(edges, at, 1, len(edges) - 1) - 1 for edges, at in ((self.ys, y), (self.xs, x)))
        return row, column

    def parts_columns(self, row: int, column: int) -> bool:
        """Whether a rule is drawn to the right of this place."""
        return bool(self._beside[column + 1][row] >= COVERS * (self.ys[row + 1] - self.ys[row]))

    def parts_rows(self, row: int, column: int) -> bool:
        """Whether a rule is drawn below this place."""
        return bool(self._below[row + 1][column] >= COVERS * (self.xs[column + 1] - self.xs[column]))

    @cached_property
    def _beside(self) -> list[NDArray[np.float64]]:
        """How much is drawn of each row's side, at each of `xs`."""
        x0, y0, x1, y1 = _edges(self.down)
        near = (np.flatnonzero(np.abs((x0 + x1) / 2 - x) <= SAME * self.point) for x in self.xs)
        return [_drawn(np.array(self.ys), y0[here], y1[here]) for here in near]

    @cached_property
    def _below(self) -> list[NDArray[np.float64]]:
        x0, y0, x1, y1 = _edges(self.across)
        near = (np.flatnonzero(np.abs((y0 + y1) / 2 - y) <= SAME * self.point) for y in self.ys)
        return [_drawn(np.array(self.xs), x0[here], x1[here]) for here in near]


def _drawn(edges: NDArray[np.float64], begins: NDArray[np.float64], ends: NDArray[np.float64]) -> NDArray[np.float64]:
    """How much of each stretch between two of `edges` is covered by lines from one of `begins` to its end."""
    drawn = np.zeros(len(edges) - 1)
    first = np.maximum(np.searchsorted(edges, begins, "right") - 1, 0)
    last = np.minimum(np.searchsorted(edges, ends), len(drawn))
    for begin, end, low, high in zip(begins, ends, first, last, strict=True):
        drawn[low:high] += np.minimum(edges[low + 1 : high + 1], end) - np.maximum(edges[low:high], begin)
    return drawn


# A cell under construction: its first row and column, the ones after its last, and its lines of words by baseline.
@dataclass(slots=True)
class _Cell:
    row: int
    column: int
    rows: int
    columns: int
    lines: list[tuple[float, str]]
    sizes: list[float] = field(default_factory=list)  # of each line's type
    boxes: list[Box | None] = field(default_factory=list)  # around each line's words
    right: float = 0.0  # where the last word ended

    @property
    def box(self) -> Box | None:
        inked = [box for box in self.boxes if box is not None]
        return Box.around(inked) if inked else None


def _is_drawing(lattice: Sequence[Box], areas: Sequence[Box]) -> bool:
    """Whether shapes sit on the rules, as the parts of a circuit do or notes on a staff; a table's fill its cells."""
    box = Box.around(lattice)
    small = [a for a in areas if box.holds(a) and a.width < SHAPE * box.width and a.height < SHAPE * box.height]
    rules = _edges(lattice)
    return sum(_sits_on(area, rules) for area in small) >= MOST_SHAPES


def _sits_on(area: Box, rules: NDArray[np.float64]) -> bool:
    (x, y), right, down = area.center, area.width / 4, area.height / 4
    x0, y0, x1, y1 = rules
    return bool(((x - right <= x1) & (x0 <= x + right) & (y - down <= y1) & (y0 <= y + down)).any())


def _cuts_lines(box: Box, held: Sequence[TextSpan], lines: Sequence[TextLine]) -> bool:
    """Whether most lines with words in the box run on over both its sides: shapes drawn upon prose, no table."""
    inside = {id(span) for span in held}
    crossed = [line for line in lines if any(id(span) in inside for span in line.spans)]
    through = sum(line.box.x0 < box.x0 and line.box.x1 > box.x1 and _is_tight(line) for line in crossed)
    return through > MOST_THROUGH * len(crossed)


def _is_tight(line: TextLine) -> bool:
    """Whether only blanks part its words, as in prose; a row of a table has wider gaps."""
    words = sorted((span for span in line.spans if span.text.strip()), key=lambda span: span.box.x0)
    return all(after.box.x0 - word.box.x1 < WIDEST_BLANK * word.size for word, after in pairwise(words))


def _table(
    lattice: Sequence[Box], point: float, spans: Sequence[TextSpan], lines: Sequence[TextLine]
) -> TextTable | None:
    box = Box.around(lattice)
    across = [rule for rule in lattice if rule.width >= rule.height]
    down = [rule for rule in lattice if rule.width < rule.height]
    xs = _levels([*((r.x0 + r.x1) / 2 for r in down), box.x0, box.x1], SAME * point)
    ys = _levels([*((r.y0 + r.y1) / 2 for r in across), box.y0, box.y1], SAME * point)
    held = [span for span in spans if box.holds(span.box)]
    xs = _without_overhang(xs, down, held, SAME * point)
    if len(xs) < 3 or len(ys) < 2:
        return None
    if not may_cost(len(xs) * (STEPS_A_PLACE * len(ys) + STEPS_A_WORD * len(held)), "tables with rules"):
        return None
    hidden = hidden_rules(xs, ys, held)
    xs, down = sorted({*xs, *(rule.x0 for rule in hidden)}), [*down, *hidden]
    cells = _filled(_Grid(xs, ys, across, down, point), held)
    letters = [sum(len(text) for _, text in cell.lines) for cell in cells if cell.lines]
    if len(letters) < max(2, LEAST_FILLED * len(cells)) or median(letters) > MOST_LETTERS:
        return None
    if max(letters) > max(MOST_LETTERS / 2, FRAME * sum(letters)) or _cuts_lines(box, held, lines):
        return None
    cells = _with_rows_parted(_with_names_parted(cells), len(ys) - 1)
    return TextTable(
        box,
        tuple(
            TableCell(c.row, c.column, "\n".join(t.strip() for _, t in c.lines), c.rows, c.columns, box=c.box)
            for c in cells
        ),
    )


def _without_overhang(xs: list[float], down: Sequence[Box], spans: Sequence[TextSpan], near: float) -> list[float]:
    """Drops columns at either end where rules stick out: no rule closes them and no word is in them."""
    for outer, inner in ((0, 1), (-1, -2)):
        if len(xs) < 3:
            break
        left, right = sorted((xs[outer], xs[inner]))
        closed = any(abs((rule.x0 + rule.x1) / 2 - xs[outer]) <= near for rule in down)
        if not closed and not any(left < span.box.center[0] < right for span in spans):
            xs = xs[1:] if outer == 0 else xs[:-1]
    return xs


def _filled(grid: _Grid, spans: Sequence[TextSpan]) -> list[_Cell]:
    """The lattice's cells with their words."""
    cells: dict[tuple[int, int], _Cell] = {}
    for row in range(len(grid.ys) - 1):
        for column in range(len(grid.xs) - 1):
            if (row, column) not in cells:
                cell = _cell_from(grid, row, column, cells)
                cells.update(((row + r, column + c), cell) for r in range(cell.rows) for c in range(cell.columns))
    places = [grid.place(*span.box.center) for span in spans]
    for cell in _torn_at_edges(grid, cells, [(cells[place], span) for place, span in zip(places, spans, strict=True)]):
        cells.update(((cell.row + r, cell.column + c), cell) for r in range(cell.rows) for c in range(cell.columns))
    for place, span in zip(places, spans, strict=True):
        _write(cells[place], span)
    return list({id(cell): cell for cell in cells.values()}.values())


def _torn_at_edges(
    grid: _Grid, cells: Mapping[tuple[int, int], _Cell], held: Sequence[tuple[_Cell, TextSpan]]
) -> list[_Cell]:
    """The cells below a head whose columns no rule parts: the words part them, at the edges that the head has."""
    wide = {id(cell): cell for cell in cells.values() if cell.columns > 1}
    words: dict[int, list[TextSpan]] = {key: [] for key in wide}
    for cell, span in held:
        if id(cell) in wide:
            words[id(cell)].append(span)
    free: dict[int, list[_Cell]] = {}  # for each edge, the cells with words on both its sides and none across
    crossed: Counter[int] = Counter()
    for key, cell in wide.items():
        for edge in range(cell.column + 1, cell.column + cell.columns):
            x = grid.xs[edge]
            if any(span.box.x0 < x - grid.point and span.box.x1 > x + grid.point for span in words[key]):
                crossed[edge] += 1
            elif len({span.box.center[0] < x for span in words[key]}) == 2:
                free.setdefault(edge, []).append(cell)
    parting = {edge for edge, those in free.items() if len(those) >= FEWEST_FREE and crossed[edge] < len(those)}
    torn = {(edge, id(cell)) for edge in parting for cell in free[edge]}
    made = []
    for cell in wide.values():
        starts = [cell.column, *sorted(edge for edge in parting if (edge, id(cell)) in torn)]
        ends = [*starts[1:], cell.column + cell.columns]
        if len(starts) > 1:
            made += [_Cell(cell.row, x0, cell.rows, x1 - x0, []) for x0, x1 in zip(starts, ends, strict=True)]
    return made


def _cell_from(grid: _Grid, row: int, column: int, taken: dict[tuple[int, int], _Cell]) -> _Cell:
    """Extends the cell to the right, then down, until a rule stops it."""
    columns = 1
    while (
        column + columns < len(grid.xs) - 1
        and (row, column + columns) not in taken
        and not grid.parts_columns(row, column + columns - 1)
    ):
        columns += 1
    rows = 1
    while row + rows < len(grid.ys) - 1 and not any(
        (row + rows, c) in taken or grid.parts_rows(row + rows - 1, c) for c in range(column, column + columns)
    ):
        rows += 1
    return _Cell(row, column, rows, columns, [])


def _write(cell: _Cell, span: TextSpan) -> None:
    """Adds a word to its line; superscripts stay on the line of their word."""
    if cell.lines and abs(cell.lines[-1][0] - span.baseline) < 0.5 * span.size:
        level, text = cell.lines[-1]
        apart = not text.endswith(" ") and span.box.x0 > cell.right + WORD_GAP * span.size
        cell.lines[-1] = level, text + (" " if apart else "") + span.text
    else:
        cell.lines.append((span.baseline, span.text))
        cell.sizes.append(span.size)
        cell.boxes.append(None)
    cell.right = span.box.x1
    if span.text.strip():
        cell.boxes[-1] = Box.around(box for box in (cell.boxes[-1], span.box) if box is not None)


def _with_names_parted(cells: Sequence[_Cell]) -> list[_Cell]:
    """Splits a cell over several rows each of whose lines is level with a figure of its row: sums have names so."""
    figures = {
        cell.row: cell.lines[0][0] for cell in cells if cell.rows == len(cell.lines) == 1 and _have_figures(cell)
    }

    def are_names(cell: _Cell) -> bool:
        beside = [figures.get(cell.row + n, math.inf) for n in range(cell.rows)]
        same = len(cell.lines) == cell.rows > 1 and not _read_on([cell])
        near = ON_BASELINE * max(cell.sizes, default=0.0)
        return same and all(abs(level - y) < near for (level, _), y in zip(cell.lines, beside, strict=True))

    told = (_parted(cell, [level for level, _ in cell.lines]) if are_names(cell) else [cell] for cell in cells)
    return list(chain.from_iterable(told))


def _with_rows_parted(cells: list[_Cell], height: int) -> list[_Cell]:
    """Splits bands whose cells have several lines each, all at the same levels: those lines are rows without rules.

    One band alone, without a column of figures, is addresses in boxes.
    """
    found: list[_Cell] = []
    shift = 0
    bands: list[list[_Cell]] = [[] for _ in range(height)]
    tall = [False] * height  # whether a cell of several rows runs through
    for each in cells:  # gathered before any is shifted into a later band
        bands[each.row].append(each)
        if each.rows > 1:
            tall[each.row : each.row + each.rows] = [True] * min(each.rows, height - each.row)
    for here, through in zip(bands, tall, strict=True):
        told = height > 1 or any(cell.lines and _have_figures(cell) for cell in here)
        levels = _band_levels(here) if told and not through else []
        for cell in here:
            cell.row += shift
            found += _parted(cell, levels) if len(levels) > 1 else [cell]
        shift += max(0, len(levels) - 1)
    return found


def _band_levels(cells: Sequence[_Cell]) -> list[float]:
    """The levels of a band's rows; empty if each of its cells is one text of several lines."""
    full = [cell for cell in cells if cell.lines]
    broken = any(BROKEN.search(text) for cell in full for _, text in cell.lines[:-1])
    if len(full) < 2 or broken or _read_on(full) or _are_fields(full):
        return []
    levels = _levels([level for cell in full for level, _ in cell.lines], _half_leading(full))
    lines = sum(len(cell.lines) for cell in full)
    named = len(full[0].lines) >= ALIGNED * len(levels)
    counted = sum(_have_figures(cell) for cell in full if len(cell.lines) > 1)  # not `Sold in / 2024`
    sure = len(levels) > 2 or (len(levels) == 2 and counted > 1)
    return levels if sure and named and lines >= ALIGNED * len(full) * len(levels) else _beside_wraps(full)


def _beside_wraps(cells: Sequence[_Cell]) -> list[float]:
    """The levels of most cells, a column of figures among them, if what stands beside wraps, nearer than they do."""
    count = Counter(len(cell.lines) for cell in cells).most_common(1)[0][0]
    told, others = parted(cells, lambda cell: len(cell.lines) == count)
    levels = [median(cell.lines[n][0] for cell in told) for n in range(count)]
    near = OFF_LEVEL * min((size for cell in told for size in cell.sizes), default=0.0)
    level = all(abs(y - at) < near for cell in told for (y, _), at in zip(cell.lines, levels, strict=True))
    steps, wraps = ([b - a for a, b in pairwise(ys)] for ys in (levels, [y for cell in others for y, _ in cell.lines]))
    wide = min(steps, default=0.0) > WIDE_STEP * min(filter(lambda step: step > 0, wraps), default=math.inf)
    sure = len(told) > 2 and cells[0] in told and any(map(_have_figures, told))
    return levels if level and wide and sure else []


def _have_figures(cell: _Cell) -> bool:
    return all(any(map(str.isdigit, text)) for _, text in cell.lines)


def _read_on(cells: Sequence[_Cell]) -> bool:
    """Whether most of their texts begin with a capital and go on below in lower case."""
    texts = [[text.strip()[:1] for _, text in cell.lines] for cell in cells if len(cell.lines) > 1]
    going_on = sum(first.isupper() and 2 * sum(map(str.islower, rest)) > len(rest) for first, *rest in texts)
    return 2 * going_on > len(texts)


def _are_fields(cells: Sequence[_Cell]) -> bool:
    """Whether what fills a box stands below its name in smaller type, as on a form."""
    boxes = [cell.sizes for cell in cells if len(cell.lines) > 1]
    return bool(boxes) and all(name < NAME * size for name, *rest in boxes for size in rest[:1])


def _half_leading(cells: Sequence[_Cell]) -> float:
    steps = [b[0] - a[0] for cell in cells for a, b in zip(cell.lines, cell.lines[1:], strict=False) if b[0] > a[0]]
    return 0.4 * min(steps) if steps else 0.0


def _parted(cell: _Cell, levels: Sequence[float]) -> list[_Cell]:
    made = [_Cell(cell.row + n, cell.column, 1, cell.columns, []) for n in range(len(levels))]
    for (level, text), box in zip(cell.lines, cell.boxes, strict=True):
        nearest = min(range(len(levels)), key=lambda n: abs(levels[n] - level))
        made[nearest].lines.append((level, text))
        made[nearest].boxes.append(box)
    return made


def _levels(values: Sequence[float], near: float) -> list[float]:
    """The distinct levels; those at most `near` apart count as one."""
    found = runs(sorted(values), lambda group, value: value - group[-1] <= near)
    return [sum(group) / len(group) for group in found]
