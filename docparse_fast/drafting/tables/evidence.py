"""What can be measured on a table that a reader proposes. Knows cells, lines and rules; judges nothing.

Each measure says how well the cells explain the words: kinds of columns that agree, edges in line, rows on one level,
no column of numbers squeezed into one cell, nothing level with a row left outside. `choosing.py` weighs them.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import pairwise
from operator import attrgetter
from statistics import median

from docparse_fast.document import Box, Category, TableCell
from docparse_fast.drafting.lines import LayoutBox, Line, words_of
from docparse_fast.drafting.measures import EDGE, SEVERAL, SEVERAL_LINES, WIDE, WORDY
from docparse_fast.drafting.tables.candidates import Marks, TableCandidate
from docparse_fast.drafting.tables.cell_evidence import (
    as_drawn,
    closed,
    gutter,
    headed,
    in_bands,
    in_other_type,
    kind,
    lines_of_cells,
    lone_near,
    numeric,
    pure,
    returning,
    rules_across,
    steps,
    twofold,
)
from docparse_fast.drafting.tables.grid import box_of, looks_like_number, row_boxes
from docparse_fast.drafting.words import BOXES
from docparse_fast.geometry import Filed, Item, not_in
from docparse_fast.text.characters import COLONS

READERS = ("lattice", "model", "white", "grid", "grid-white", "fields")
NETWORKS = ("grid", "model")  # who looks at the picture
_ALONE = """
rows columns filled lone_rows tall stacked torn_apart pure numeric flush spanning partly_spanning level outside
letters wordy going_on several_numbers headed colons uneven rules_across labelled other_label places typed
gutter gutter_ruled returning first_row last_row empty_rows as_drawn row_above row_below column_type head_type
proven exact rows_a_band bands_cut closed_above closed_below step_in_cells step_of_rows twofold lone_near
"""
MEASURES = (*_ALONE.split(), *READERS, "agreed", "agreed_best", "better_proven", "heard")
HEARD = MEASURES.index("heard")  # whether a network looked at the place
BESIDE = 8.0  # of a line's height, from a row's end to a line that stands level with it
DRAWN = 0.98  # of the places side by side, from which a lattice is as it is drawn
_MEASURE = re.compile(r"\d\s?(?=[a-z%])")
_AMOUNT = re.compile(r"\d{1,3}(?:\s\d{3})+(?!\d)[.,\d]*|\d[\d.,'’]*")

Known = dict[TableCandidate, tuple[float, ...]]
FARTHEST = 1.6  # of the usual step from row to row, to the next row beyond a table


def measured_all(
    candidates: Sequence[TableCandidate], lines: Sequence[Line], marks: Marks, known: Known | None = None
) -> list[tuple[float, ...]]:
    """A value for each of MEASURES, for each candidate; what other readers make of the same lines is among them.

    What was measured on one alone is `known` when it is weighed again beside others.
    """
    known = {} if known is None else known
    for each in candidates:
        if each not in known:
            known[each] = _measured_alone(each, lines, marks)
    return [(*known[each], *_beside(each, candidates)) for each in candidates]


def stands_as_drawn(candidate: TableCandidate, marks: Marks, lines: Sequence[Line]) -> bool:
    """Whether rules part all its cells and nothing else, or each has a ground of its own: nothing is to judge then.

    It is if a cell holds a column of figures, or two columns where lines tell the rows.
    """
    rows = _rows_are_drawn(candidate, marks.rules, lines)
    drawn = rows or _on_own_grounds(candidate, marks.areas)
    full = len({cell.column for cell in candidate.filled}) == candidate.width  # else its rules are double
    return drawn and full and not _hold_rows(candidate)


def _rows_are_drawn(candidate: TableCandidate, rules: Sequence[Box], lines: Sequence[Line]) -> bool:
    if as_drawn(candidate.cells, rules) >= DRAWN:
        return True
    held = [lines[n] for n in candidate.lines]
    unit = median(line.box.height for line in held) if held else 1.0
    return as_drawn(candidate.cells, rules, by_lines=True) >= DRAWN and not any(_gaps(candidate.filled, held, unit))


def _on_own_grounds(candidate: TableCandidate, areas: Sequence[Box]) -> bool:
    held = ([cell for cell in candidate.filled if area.holds(box_of(cell))] for area in areas)
    return len({cell for cells in held if len(cells) == 1 for cell in cells}) == len(candidate.filled)


def _hold_rows(candidate: TableCandidate) -> bool:
    """Whether a cell holds rows, or may, beside another of several lines: a note may be wrapped, alone."""
    tall = Counter(cell.row for cell in candidate.filled if "\n" in cell.text)
    return any(
        _holds_rows(cell.text) or (tall[cell.row] > 1 and _holds_measures(cell.text)) for cell in candidate.filled
    )


def _holds_rows(text: str) -> bool:
    """Whether a cell holds two figures or boxes, or three lines that mostly end in figures.

    Times are none, nor are the figures of an address.
    """
    lines = text.split("\n")
    figures = sum(line in BOXES or (looks_like_number(line) and ":" not in line) for line in lines)
    ended = sum(looks_like_number(line.split()[-1]) for line in lines if line.strip())
    return figures > 1 or (len(lines) > SEVERAL and 2 * ended > len(lines))


def _holds_measures(text: str) -> bool:
    return text.count("\n") >= SEVERAL and len(_MEASURE.findall(text)) > 1


def _beside(one: TableCandidate, candidates: Sequence[TableCandidate]) -> tuple[float, ...]:
    others = [each for each in candidates if each is not one and 2 * len(each.lines & one.lines) > len(one.lines)]
    return (
        *_agreement(one, others),
        one.proof - max((other.proof for other in others), default=0.0),
        float(any(each.reader in NETWORKS for each in (one, *others))),
    )


def _measured_alone(candidate: TableCandidate, lines: Sequence[Line], marks: Marks) -> tuple[float, ...]:
    cells, rows = candidate.filled, candidate.rows
    rules, labels = marks.rules, marks.labels
    held = [lines[n] for n in sorted(candidate.lines)]
    unit = median(line.box.height for line in held) if held else 1.0
    height, width = candidate.height, candidate.width
    columns = _columns(cells, width)
    body = [row for row in rows[1:] if row]
    inside = lines_of_cells(cells, held)
    tables = [label.box for label in labels if label.category is Category.TABLE]
    return (
        math.log(max(1, height)),
        math.log(max(1, width)),
        len(cells) / max(1, height * width),
        _share(body, lambda row: len(row) == 1),
        _part(cells, lambda cell: box_of(cell).height > SEVERAL_LINES * unit),
        _part(cells, lambda cell: box_of(cell).height > SEVERAL_LINES * unit and len(_AMOUNT.findall(cell.text)) > 1),
        _part(_gaps(cells, held, unit), bool),
        pure(columns),
        sum(map(numeric, columns)) / max(1, width),
        _flush(columns, unit),
        _share(body, lambda row: any(cell.columns == width > 1 for cell in row)),
        _share(body, lambda row: any(1 < cell.columns < width for cell in row)),
        _level(rows, unit),
        _outside(candidate, lines, rows, unit) / max(1, height),
        math.log1p(median(len(cell.text) for cell in cells)) if cells else 0.0,
        _part(cells, lambda cell: len(cell.text) > WORDY),
        _going_on(columns),
        _part(cells, lambda cell: len(_AMOUNT.findall(cell.text)) > 1 and kind(cell.text) == "number"),
        headed(rows, columns),
        _part(cells, lambda cell: cell.text.rstrip().endswith(COLONS)),
        _uneven(rows),
        rules_across(rows, rules, candidate.box),
        max((box.iou(candidate.box) for box in tables), default=0.0),
        _labelled_otherwise(held, labels),
        _places(held, tables),
        _share(held, attrgetter("mono")),
        *gutter(cells, width, unit, rules, candidate.box),
        returning(rows),
        *_ends(rows, width),
        as_drawn(candidate.cells, rules),
        *rows_beyond(candidate, lines, rows, unit),
        in_other_type(cells, inside, lambda cell: cell.column == 0),
        in_other_type(cells, inside, lambda cell: cell.row == 0),
        candidate.proof,
        float(all(line.is_exact for line in held)),
        *in_bands(rows, marks.areas, candidate.box),
        *closed(rows, rules, candidate.box, unit),
        *steps(inside, rows, unit),
        twofold(columns),
        lone_near(rows),
        *(float(candidate.reader == reader) for reader in READERS),
    )


def _share(items: Sequence[Item], is_so: Callable[[Item], bool]) -> float:
    return sum(map(is_so, items)) / max(1, len(items))


def _part(cells: Sequence[Item], is_so: Callable[[Item], bool]) -> float:
    return 1 / max(1, len(cells)) * sum(map(is_so, cells))


def _columns(cells: Sequence[TableCell], width: int) -> list[list[TableCell]]:
    """The cells of one column each, the first row's left out: it may be a head."""
    found: list[list[TableCell]] = [[] for _ in range(width)]
    for cell in cells:
        if cell.columns == 1 and cell.row > 0:
            found[cell.column].append(cell)
    return found


def _flush(columns: Sequence[Sequence[TableCell]], unit: float) -> float:
    """The share of cells that begin, end or stand in the middle where their column does."""
    kept = total = 0
    for column in columns:
        boxes = list(map(box_of, column))
        if len(boxes) < 2:
            continue
        ways = ([box.x0 for box in boxes], [box.x1 for box in boxes], [box.center[0] for box in boxes])
        middles = ((median(edges), edges) for edges in ways)
        kept += max(sum(abs(edge - middle) < EDGE * unit for edge in edges) for middle, edges in middles)
        total += len(boxes)
    return kept / total if total else 1.0


def _level(rows: Sequence[Sequence[TableCell]], unit: float) -> float:
    """The share of rows in which some two cells stand on one level."""
    several = [list(map(box_of, row)) for row in rows if len(row) > 1]
    level = sum(
        any(abs(a.y0 - b.y0) < EDGE * unit or abs(a.center[1] - b.center[1]) < EDGE * unit for a, b in pairwise(row))
        for row in several
    )
    return level / len(several) if several else 1.0


def _gaps(cells: Sequence[TableCell], held: Sequence[Line], unit: float) -> list[bool]:
    """For each cell, whether white stands between its words on one level that no blank explains."""
    boxes = [replace(line.box, x0=box.x0, x1=box.x1) for line in held for box, _ in words_of([line])]
    from_left = sorted(boxes, key=lambda box: box.x0)  # as high as their lines: a dash's ink is thin
    words = Filed(enumerate(from_left), by=lambda word: word[1].center[1])
    found = []
    for box in map(box_of, cells):
        inside = [word for _, word in sorted(words.between(box.y0, box.y1)) if box.holds(word)]
        found.append(
            any(
                after.overlap_y(before) > EDGE * unit and after.x0 - before.x1 > WIDE * unit
                for before, after in _neighbours(inside)
            )
        )
    return found


def _neighbours(words: Sequence[Box]) -> list[tuple[Box, Box]]:
    """Each word with the next to its right on its level; `words` are sorted by their left ends."""
    found = []
    for n, word in enumerate(words):
        after = next((other for other in words[n + 1 :] if other.overlap_y(word) > 0.5 * word.height), None)
        if after is not None:
            found.append((word, after))
    return found


def _outside(candidate: TableCandidate, lines: Sequence[Line], rows: Sequence[Sequence[TableCell]], unit: float) -> int:
    """How many rows have a line level with them, and near, that the table leaves out."""
    around, near = candidate.box, BESIDE * unit
    others = not_in([line.box for line in lines], [candidate.lines])
    beside = (box.center[1] for box in others if around.y0 < box.center[1] < around.y1 and around.gap_x(box) < near)
    levels = [median(box.center[1] for box in map(box_of, row)) for row in rows if row]
    middles = Filed(beside, by=float)
    by = EDGE * unit
    return sum(any(abs(other - level) < by for other in middles.between(level - by, level + by)) for level in levels)


def _going_on(columns: Sequence[Sequence[TableCell]]) -> float:
    """The share of cells that begin in lower case below one that no full stop ends: one cell, torn in two."""
    pairs = [(a, b) for column in columns for a, b in pairwise(sorted(column, key=lambda cell: cell.row))]
    torn = sum(b.text[:1].islower() and a.text[-1:].isalpha() and b.row == a.row + a.rows for a, b in pairs)
    return torn / max(1, len(pairs))


def _uneven(rows: Sequence[Sequence[TableCell]]) -> float:
    """How much farther the widest step from row to row is than the usual one."""
    tops = [box.y0 for box in row_boxes(rows)]
    steps = [max(1.0, below - above) for above, below in pairwise(tops)]
    return math.log(max(steps) / median(steps)) if steps else 0.0


def _ends(rows: Sequence[Sequence[TableCell]], width: int) -> tuple[float, float, float]:
    """How full the first and the last row are, and the share of empty rows."""
    if not rows or not width:
        return 0.0, 0.0, 0.0
    return len(rows[0]) / width, len(rows[-1]) / width, sum(not row for row in rows) / len(rows)


def _labelled_otherwise(held: Sequence[Line], labels: Sequence[LayoutBox]) -> float:
    """The share of lines that the layout model takes for something that is no table."""
    boxes = [label.box for label in labels if label.category not in (Category.TABLE, Category.FIGURE)]
    return sum(any(box.holds(line.box) for box in boxes) for line in held) / max(1, len(held))


def _places(held: Sequence[Line], tables: Sequence[Box]) -> float:
    """How many tables the layout model sees where this is one."""
    return float(sum(sum(box.holds(line.box) for line in held) > 1 for box in tables))


def _agreement(candidate: TableCandidate, others: Sequence[TableCandidate]) -> tuple[float, float]:
    """The share of cells that it has in common with other readings: the usual and the best, by their words."""
    mine, size = candidate.texts, candidate.texts.total()
    shared = [sum(min(count, each.texts.get(text, 0)) for text, count in mine.items()) for each in others]
    shares = [2 * n / max(1, size + each.texts.total()) for n, each in zip(shared, others, strict=True)] or [0.0]
    return sum(shares) / len(shares), max(shares)


def rows_beyond(
    candidate: TableCandidate, lines: Sequence[Line], rows: Sequence[Sequence[TableCell]], unit: float
) -> tuple[float, float]:
    """How far the next row above and the next below, which it leaves out, stand in line with its cells."""
    around = candidate.box.expanded(EDGE * unit)
    tops = [box.center[1] for box in row_boxes(rows)]
    reach = FARTHEST * (median(below - above for above, below in pairwise(tops)) if len(tops) > 1 else unit)
    ends = [x for row in rows for box in map(box_of, row) for x in (box.x0, box.x1)]
    if not tops:
        return 0.0, 0.0
    near = Filed((n for n in range(len(lines)) if n not in candidate.lines), by=lambda n: lines[n].box.center[1])
    beside = near.between(tops[0] - reach, tops[0]), near.between(tops[-1], tops[-1] + reach)
    above, below = ([lines[n].box for n in row if lines[n].box.overlap_x(around) > 0] for row in beside)
    return _in_line(above, around, ends, unit), _in_line(below, around, ends, unit)


def _in_line(row: Sequence[Box], around: Box, ends: Sequence[float], unit: float) -> float:
    """The share of a row's lines that begin or end where cells do; none of a row of one line, or one that runs out."""
    if len(row) < 2 or any(box.x0 < around.x0 or box.x1 > around.x1 for box in row):
        return 0.0
    edges, near = Filed(ends, by=float), EDGE * unit
    in_line = (any(edges.between(x - near, x + near) for x in (box.x0, box.x1)) for box in row)
    return sum(in_line) / len(row)
