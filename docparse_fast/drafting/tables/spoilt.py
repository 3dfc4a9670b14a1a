"""Which of two readings of a table is plainly worse, by where they differ. Knows candidates; judges none by itself."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import pairwise, takewhile
from statistics import median

from docparse_fast.document import Box, TableCell
from docparse_fast.drafting.measures import MOSTLY, SEVERAL
from docparse_fast.drafting.tables.candidates import TableCandidate, box_of
from docparse_fast.drafting.tables.grid import WIDE_GAP


def is_worse(one: TableCandidate, other: TableCandidate, near: bool) -> bool:
    """Whether the other shows what is wrong with it; some faults count only where the other is `near` in quality."""
    return (
        _joins_columns(one, other)
        or _parts_rows(one, other, near)
        or (near and (_parts_a_head(one, other) or _parts_a_column(one, other)))
    )


def _parts_a_head(one: TableCandidate, other: TableCandidate) -> bool:
    """Whether it parts words at a blank in a few rows, as of a head, in which alone the other differs."""
    if (one.lines, one.height, one.width) != (other.lines, other.height, other.width):
        return False
    rows = [n for n, (a, b) in enumerate(zip(one.said, other.said, strict=True)) if a != b]
    few = 0 < len(rows) < (1 - MOSTLY) * one.height
    return few and min(_white(one.rows[n]) for n in rows) < WIDE_GAP <= min(_white(other.rows[n]) for n in rows)


def _parts_a_column(one: TableCandidate, other: TableCandidate) -> bool:
    """Whether one has two columns below one head, parted by hardly a blank, for one column of the other."""
    if one.width != other.width + 1 or 2 * len(one.lines & other.lines) < len(one.lines):
        return False
    over_two = [cell.column for cell in one.rows[0] if cell.columns == SEVERAL]
    if len(over_two) != 1:
        return False
    below = [[cell for cell in row if cell.column - over_two[0] in (0, 1)] for row in one.rows[1:]]
    return sum(_white(two) < WIDE_GAP for two in below) > MOSTLY * len(below)  # of one cell there is none


def _joins_columns(one: TableCandidate, other: TableCandidate) -> bool:
    """Whether one has all cells of the other, but for two columns in one that white parts in most rows."""
    if (one.lines, one.height, one.width + 1) != (other.lines, other.height, other.width):
        return False
    pairs = [_joined(a, b) for a, b in zip(one.rows, other.rows, strict=True)]
    joined = [two for two in pairs if two]
    differ = bool(joined) and min(len({cell.text for cell in side}) for side in zip(*joined, strict=True)) > 1
    apart = sum(_white(two) > WIDE_GAP for two in joined) >= MOSTLY * sum(map(bool, one.rows))  # names may stand nearer
    return apart and differ and None not in pairs and len({(a.column, b.column) for a, b in joined}) == 1


def _joined(row: Sequence[TableCell], parted: Sequence[TableCell]) -> Sequence[TableCell] | None:
    """The two cells that are one in the row, or none; None where the rows differ otherwise."""
    known, texts = [cell.text for cell in row], [cell.text for cell in parted]
    same = _alike(known, texts)
    if known[same:] == [" ".join(texts[same : same + 2]), *texts[same + 2 :]]:
        return parted[same : same + 2]
    return [] if texts == known else None


def _parts_rows(one: TableCandidate, other: TableCandidate, near: bool) -> bool:
    """Whether one has rows of the other in two: lower than most rows are, or gone on below in lower case."""
    if (one.lines, one.width) != (other.lines, other.width) or one.height <= other.height:
        return False
    rows, end = _by_column(one), 0
    goes_on = [(near and small) or low for small, low in zip(_are_small(rows), _are_low(one), strict=True)]
    for whole in _by_column(other):
        end = _end_of(whole, rows, end, goes_on)
    return end == len(rows)


def _end_of(whole: dict[int, str], rows: Sequence[dict[int, str]], start: int, goes_on: Sequence[bool]) -> int:
    """Behind the rows from one on that are this row in several; behind all and one more if they aren't."""
    row: dict[int, str] = {}
    for n, more in enumerate(rows[start:], start):
        if row and not (goes_on[n] and more.keys() < row.keys()):
            break
        row = {c: f"{text} {more.get(c, '')}".strip() for c, text in (row or dict.fromkeys(more, "")).items()}
        if row == whole:
            return n + 1
    return len(rows) + 1


def _are_small(rows: Sequence[dict[int, str]]) -> list[bool]:
    return [all(text[:1].islower() for text in row.values()) for row in rows]


def _are_low(table: TableCandidate) -> list[bool]:
    """Which rows are lower than most, and the one above it is."""
    heights = [Box.around(map(box_of, row)).height if row else 0.0 for row in table.rows]
    low = [height < MOSTLY * median(heights) for height in heights]
    return [False, *(above and below for above, below in pairwise(low))]


def _by_column(table: TableCandidate) -> list[dict[int, str]]:
    return [{cell.column: cell.text for cell in row} for row in table.rows]


def _alike(some: Sequence[object], others: Sequence[object]) -> int:
    """How many of the first are the same."""
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(some, others, strict=False)))


def _white(row: Sequence[TableCell]) -> float:
    """The narrowest white between its cells, by the height of the lower one."""
    boxes = list(map(box_of, row))
    return min(((b.x0 - a.x1) / min(a.height, b.height) for a, b in pairwise(boxes)), default=math.inf)
