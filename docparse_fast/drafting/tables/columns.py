"""Columns of a proposed table set right: two that are one, heads beside theirs, torn words.

Knows its cells; judges nothing.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import chain, pairwise
from statistics import median

from docparse_fast.document import Box, TableCell
from docparse_fast.drafting.measures import SEVERAL
from docparse_fast.drafting.tables.candidates import TableCandidate
from docparse_fast.drafting.tables.grid import WIDE_GAP, begins_at, box_of
from docparse_fast.drafting.tables.heads import is_figure
from docparse_fast.drafting.tables.white_slots import PLAIN
from docparse_fast.drafting.words import NUMBER_CELL


def with_columns_right(whole: TableCandidate) -> TableCandidate:
    """The same; a lattice's columns are drawn."""
    if whole.reader == "lattice":
        return whole
    return _with_names_first(_with_phrases_whole(_with_heads_in_order(_without_split_columns(whole))))


def _with_phrases_whole(whole: TableCandidate) -> TableCandidate:
    """The same; words a blank apart are one cell where white is wide elsewhere, but for what begins in line there."""
    torn = next(_torn_phrases(whole), None)
    if torn is None:
        return whole
    (a, b), box = torn, Box.around(map(box_of, torn))
    one = replace(a, text=f"{a.text} {b.text}", columns=a.columns + b.columns, box=box)
    return _with_phrases_whole(replace(whole, cells=tuple(one if c is a else c for c in whole.cells if c is not b)))


def _torn_phrases(whole: TableCandidate) -> Iterator[tuple[TableCell, TableCell]]:
    rows = (row for row in whole.rows if len(row) < whole.width or not _are_names(row))  # no heads
    pairs = [pair for row in rows for pair in pairwise(row) if _are_side_by_side(*pair)]
    for column in range(1, whole.width):
        yield from _a_blank_apart([pair for pair in pairs if pair[1].column == column])


def _a_blank_apart(pairs: Sequence[tuple[TableCell, TableCell]]) -> Iterator[tuple[TableCell, TableCell]]:
    if pairs and median(_white(*pair) for pair in pairs) > PLAIN:
        start = median(box_of(b).x0 for _, b in pairs)
        near = (pair for pair in pairs if _white(*pair) < WIDE_GAP and _are_names(pair))
        yield from (pair for pair in near if not begins_at(start, box_of(pair[1])))


def _white(a: TableCell, b: TableCell) -> float:
    """In heights of the line."""
    return box_of(a).gap_x(box_of(b)) / max(1.0, box_of(b).height)  # none of one that a reader cut to nothing


def _are_side_by_side(a: TableCell, b: TableCell) -> bool:
    return a.column + a.columns == b.column and a.rows == b.rows and "\n" not in a.text + b.text


def _with_names_first(whole: TableCandidate) -> TableCandidate:
    """The same, what stands alone in its row and begins where the first column does in that column."""
    start = median([box_of(cell).x0 for cell in whole.filled if cell.column == 0] or [-math.inf])
    alone = {row[0] for row in whole.rows if len(row) == 1 and row[0].column and begins_at(start, box_of(row[0]))}
    return replace(whole, cells=tuple(replace(c, column=0, columns=1) if c in alone else c for c in whole.cells))


def _without_split_columns(whole: TableCandidate) -> TableCandidate:
    """The same with two columns as one: the second holds units, figures or names of sums of the first."""
    for column in range(1, whole.width):
        left, right = ({cell.row: cell for cell in whole.filled if cell.column == n} for n in (column - 1, column))
        if any(told(left, right) for told in (_are_units, _are_below_head, _name_sums)):
            return _without_split_columns(_joined_at(whole, column, left, right))
    return whole


def _with_heads_in_order(whole: TableCandidate) -> TableCandidate:
    """The same where as many heads stand as columns hold cells: each over one, though white be below it."""
    heads, body = whole.rows[0], list(chain.from_iterable(whole.rows[1:]))
    held = {column: n for n, column in enumerate(sorted({cell.column for cell in body}))}
    spans = {cell.columns for cell in whole.filled} | {cell.rows for cell in whole.filled}
    if not len(heads) == len(held) < whole.width or spans != {1} or not _are_names(heads):
        return whole
    named = (replace(cell, column=n) for n, cell in enumerate(heads))
    return replace(whole, cells=(*named, *(replace(cell, column=held[cell.column]) for cell in body)))


def _are_names(heads: Sequence[TableCell]) -> bool:
    return not any(is_figure(head.text) for head in heads)


def _are_below_head(left: Mapping[int, TableCell], right: Mapping[int, TableCell]) -> bool:
    """Whether the right column has only figures, in rows that are free at the left, below a head at the left."""
    apart = 0 in left and _are_names([left[0]]) and 1 not in left and right.keys().isdisjoint(left)
    return apart and len(right) >= SEVERAL and all(is_figure(cell.text) for cell in right.values())


def _name_sums(left: Mapping[int, TableCell], right: Mapping[int, TableCell]) -> bool:
    """Whether the right column has nothing but names, farther right, below all that the left one has."""
    return bool(left and right) and SEVERAL <= max(left) < min(right) and _are_names(list(right.values()))


def _joined_at(
    whole: TableCandidate, column: int, left: Mapping[int, TableCell], right: Mapping[int, TableCell]
) -> TableCandidate:
    pairs = ((cell, right[row]) for row, cell in left.items() if row in right)
    moved = {id(a): replace(a, text=f"{a.text} {b.text}", box=Box.around((box_of(a), box_of(b)))) for a, b in pairs}
    moved |= {id(cell): replace(cell, column=column - 1) for row, cell in right.items() if row not in left}
    cells = (moved.get(id(cell), cell) for cell in whole.cells)
    return replace(whole, cells=tuple(_without_column(cells, column)))


def _are_units(left: Mapping[int, TableCell], right: Mapping[int, TableCell]) -> bool:
    """Whether all stand near behind figures, several of them, and are the same unit; a head may stand over them."""
    pairs = [(left[row], unit) for row, unit in right.items() if row in left]
    near = all(box_of(a).gap_x(box_of(b)) < box_of(b).height and is_figure(a.text) for a, b in pairs)
    texts, headed = {unit.text for _, unit in pairs}, right.keys() - left.keys() <= {0}
    return near and headed and len(texts) == 1 and len(pairs) >= SEVERAL and not NUMBER_CELL.fullmatch(texts.pop())


def _without_column(cells: Iterable[TableCell], column: int) -> Iterator[TableCell]:
    for cell in cells:
        start, end = (edge - (edge > column) for edge in (cell.column, cell.column + cell.columns))
        if end > start:
            yield replace(cell, column=start, columns=end - start)
