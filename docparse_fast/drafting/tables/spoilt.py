"""Which of two readings of a table is plainly worse, by where they differ. Knows candidates; judges none by itself."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Sequence
from itertools import pairwise, takewhile
from statistics import median

from docparse_fast.document import Box, TableCell
from docparse_fast.drafting.measures import MOSTLY, WORDY
from docparse_fast.drafting.tables.candidates import TableCandidate
from docparse_fast.drafting.tables.grid import WIDE_GAP, box_of, looks_like_number

BROKEN_OFF = re.compile(r"[^\W\d_]-$|,$|\s[–—]$")  # not the minus behind an amount
THOUSANDS = re.compile(r"\d{3}(?!\d)")  # what may go on in another group of a figure
RowTexts = dict[int, str]  # its words by column


def is_worse(one: TableCandidate, other: TableCandidate, near: bool) -> bool:
    """Whether the other shows what is wrong with it; some faults count only where the other is `near` in quality."""
    if _joins_columns(one, other) or _joins_rows(one, other):
        return True
    told = near and (_joins_two(one, other) or _joins_cells(one, other) or _cuts_row(one, other))
    return told or _takes_in_text(one, other, near) or _parts_rows(one, other, near)


def _joins_cells(one: TableCandidate, other: TableCandidate) -> bool:
    """Whether what one has other rows for is two neighbours of the other's rows as one cell."""
    if (one.lines, one.width) != (other.lines, other.width):
        return False
    rows = _by_column(other)
    own = {frozenset(row.items()) for row in _by_column(one)}.difference(frozenset(row.items()) for row in rows)
    return bool(own) and own <= {joined for two in pairwise([*rows, {}]) for joined in _with_two_as_one(*two)}


def _with_two_as_one(row: RowTexts, below: RowTexts) -> Iterator[frozenset[tuple[int, str]]]:
    """The row with two neighbours as one cell: two figures, or heads that stand right above a figure."""
    figures, under = _figures(row), _figures(below)
    for n in sorted(row.keys() & {column - 1 for column in row}):
        two = {n, n + 1}
        of_figures = figures >= two and not THOUSANDS.match(row[n + 1])
        if of_figures or (not figures and two <= below.keys() and n + 1 in under):
            yield frozenset((row | {n: f"{row[n]} {row[n + 1]}"}).items()) - {(n + 1, row[n + 1])}


def _cuts_row(one: TableCandidate, other: TableCandidate) -> bool:
    """Whether one ends within a row of the other, of which more rows follow."""
    last = len(one.said) - 1
    if not one.lines < other.lines or one.width != other.width or one.said[:last] != other.said[:last]:
        return False
    cells, whole = one.said[last], other.said[last]
    begun = len(cells) == len(whole) and all(map(str.startswith, whole, cells))
    return begun and cells != whole and len(other.said) > len(one.said)


def _takes_in_text(one: TableCandidate, other: TableCandidate, near: bool) -> bool:
    """Whether one goes on below the other in rows of one cell, of which one over most columns is prose."""
    if not near or one.reader == "lattice" or one.lines.isdisjoint(other.lines):
        return False
    alone = takewhile(lambda row: len(row) == 1, reversed(one.rows))
    below = [row[0] for row in alone if box_of(row[0]).center[1] > other.box.y1]
    return any(2 * cell.columns > one.width and len(cell.text) > WORDY for cell in below)


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
    same = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(known, texts, strict=False)))
    if known[same:] == [" ".join(texts[same : same + 2]), *texts[same + 2 :]]:
        return parted[same : same + 2]
    return [] if texts == known else None


def _joins_rows(one: TableCandidate, other: TableCandidate) -> bool:
    """Whether one has rows of the other as one, which have figures in the same columns."""
    joined, rows = (list(filter(None, _by_column(each))) for each in (one, other))
    if (one.lines, one.width) != (other.lines, other.width) or len(joined) >= len(rows):
        return False
    go_on = [False, *(a.keys() == b.keys() and bool(_figures(a) & _figures(b)) for a, b in pairwise(rows))]
    end = 0
    for whole in joined:
        end = _end_of(whole, rows, end, go_on)
    return end == len(rows)


def _joins_two(one: TableCandidate, other: TableCandidate) -> bool:
    """Whether one has two of the other's rows as one, which have figures in the same columns."""
    said = [set(row.values()) for row in _by_column(one)] if one.lines == other.lines else []
    alike = ((a, b) for a, b in pairwise(_by_column(other)) if a.keys() == b.keys() and _figures(a) & _figures(b))
    return any({f"{a[c]} {b[c]}" for c in a} <= row for a, b in alike for row in said)


def _figures(row: RowTexts) -> set[int]:
    return {column for column, text in row.items() if looks_like_number(text)}


def _parts_rows(one: TableCandidate, other: TableCandidate, near: bool) -> bool:
    """Whether one has rows of the other in two: lower than most rows are, in lower case, or broken off."""
    if (one.lines, one.width) != (other.lines, other.width) or one.height <= other.height:
        return False
    rows, end = _by_column(one), 0
    signs = zip(_are_low(one), _are_rests(rows), _are_close(one), pairwise([{}, *rows]), strict=True)
    go_on = [low or (near and (rest or _goes_on(*two, close))) for low, rest, close, two in signs]
    for whole in _by_column(other):
        end = _end_of(whole, rows, end, go_on)
    return end == len(rows)


def _goes_on(above: RowTexts, row: RowTexts, close: bool) -> bool:
    """Whether a row goes on in the one below: in lower case, alone or close below one cell, or at a comma or a dash."""
    small = row.keys() < above.keys() and all(text[:1].islower() for text in row.values())
    small = small or (close and len(above) == 1 and all(row.get(column, "")[:1].islower() for column in above))
    return small or any(BROKEN_OFF.search(above.get(column, "")) for column in row)


def _are_rests(rows: Sequence[RowTexts]) -> list[bool]:
    """Which rows are one cell, neither a name nor a figure, below a row of figures or such a cell."""
    found: list[bool] = []
    for above, row in pairwise([{}, *rows]):
        alone = len(row) == 1 and row.keys() <= above.keys() - {0} and not _figures(row)
        found.append(alone and (bool(_figures(above)) or found[-1]))
    return found


def _end_of(whole: RowTexts, rows: Sequence[RowTexts], start: int, go_on: Sequence[bool]) -> int:
    """Behind the rows from one on that are this row in several; behind all and one more if they aren't."""
    row: RowTexts = {}
    for n, more in enumerate(rows[start:], start):
        if row and not go_on[n]:
            break
        row = {c: f"{row.get(c, '')} {more.get(c, '')}".strip() for c in {**row, **more}}
        if row == whole:
            return n + 1
    return len(rows) + 1


def _are_low(table: TableCandidate) -> list[bool]:
    """Which rows are lower than most, fill less than the row above, and that is as low."""
    heights = [Box.around(map(box_of, row)).height if row else 0.0 for row in table.rows]
    low = [height < MOSTLY * median(heights) for height in heights]
    fewer = [b.keys() < a.keys() for a, b in pairwise(_by_column(table))]
    return [False, *(a and b and less for (a, b), less in zip(pairwise(low), fewer, strict=True))]


def _are_close(table: TableCandidate) -> list[bool]:
    """Which rows stand closer below another than most do."""
    boxes = [Box.around(map(box_of, row)) for row in table.rows if row]
    white = [below.y0 - above.y1 for above, below in pairwise(boxes)]
    close = [gap < MOSTLY * max(0.0, median(white)) for gap in white]
    return [False, *close] if len(boxes) == table.height else [False] * table.height


def _by_column(table: TableCandidate) -> list[RowTexts]:
    return [{cell.column: " ".join(cell.text.split()) for cell in row} for row in table.rows]


def _white(row: Sequence[TableCell]) -> float:
    """The narrowest white between its cells, by the height of the lower one."""
    boxes = list(map(box_of, row))
    return min(((b.x0 - a.x1) / min(a.height, b.height) for a, b in pairwise(boxes)), default=math.inf)
