"""Which of two readings of a table is plainly worse, by where they differ. Knows candidates; judges none by itself."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from itertools import pairwise, takewhile
from statistics import median

from docparse_fast.document import Box, TableCell
from docparse_fast.drafting.measures import MOSTLY
from docparse_fast.drafting.tables.candidates import TableCandidate
from docparse_fast.drafting.tables.grid import WIDE_GAP, box_of, looks_like_number

BROKEN_OFF = re.compile(r"[^\W\d_]-$|,$|\s[–—]$")  # not the minus behind an amount
RowTexts = dict[int, str]  # its words by column


def is_worse(one: TableCandidate, other: TableCandidate, near: bool) -> bool:
    """Whether the other, of the same lines, shows what is wrong with it; some faults if it is `near` in quality."""
    joins = _joins_columns(one, other) or _joins_heads(one, other) or _joins_rows(one, other)
    return joins or _parts_rows(one, other, near)


def _joins_columns(one: TableCandidate, other: TableCandidate) -> bool:
    """Whether one has all cells of the other, but for two columns in one that white parts in most rows."""
    if (one.height, one.width + 1) != (other.height, other.width):
        return False
    pairs = [_joined(a, b) for a, b in zip(one.rows, other.rows, strict=True)]
    joined = [two for two in pairs if two]
    differ = bool(joined) and min(len({cell.text for cell in side}) for side in zip(*joined, strict=True)) > 1
    apart = sum(_white(two) > WIDE_GAP for two in joined) >= MOSTLY * sum(map(bool, one.rows))  # names may stand nearer
    return apart and differ and None not in pairs and len({(a.column, b.column) for a, b in joined}) == 1


def _joins_heads(one: TableCandidate, other: TableCandidate) -> bool:
    """Whether they differ in their heads alone: the other has a name over each column, the one two of them in one."""
    body = {cell.column for row in other.rows[1:] for cell in row}
    if one.said[1:] != other.said[1:] or not len(other.said[0]) == len(body) == other.width:
        return False
    return not any(map(looks_like_number, other.said[0])) and bool(_joined(one.rows[0], other.rows[0]))


def _joined(row: Sequence[TableCell], parted: Sequence[TableCell]) -> Sequence[TableCell] | None:
    """The two cells that are one in the row, or none; None where the rows differ otherwise."""
    known, texts = [cell.text for cell in row], [cell.text for cell in parted]
    same = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(known, texts, strict=False)))
    if known[same:] == [" ".join(texts[same : same + 2]), *texts[same + 2 :]]:
        return parted[same : same + 2]
    return [] if texts == known else None


def _figures(row: RowTexts) -> set[int]:
    return {column for column, text in row.items() if looks_like_number(text)}


def _joins_rows(one: TableCandidate, other: TableCandidate) -> bool:
    """Whether one has rows of the other in one, each with a name, and a figure in one column but the first (dates)."""
    rows, end, joined = other.by_column, 0, list[Sequence[RowTexts]]()
    if one.width != other.width or one.height >= other.height:
        return False
    for whole in one.by_column:
        start, end = end, _end_of(whole, rows, end, [True] * len(rows))
        joined.append(rows[start:end])
    return end == len(rows) and any(len(some) > 1 and _are_rows(some) for some in joined)


def _are_rows(rows: Sequence[RowTexts]) -> bool:
    figures = list(map(_figures, rows))
    named = all(len(held) < len(row) for held, row in zip(figures, rows, strict=True))
    return named and bool(set.intersection(*figures) - {0})


def _parts_rows(one: TableCandidate, other: TableCandidate, near: bool) -> bool:
    """Whether one has rows of the other in two: lower than most rows are, in lower case, or broken off."""
    if one.width != other.width or one.height <= other.height:
        return False
    rows, end = one.by_column, 0
    signs = zip(_are_low(one), _are_rests(rows), _are_close(one), pairwise([{}, *rows]), strict=True)
    go_on = [low or _ends_name(*two) or (near and (rest or _goes_on(*two, close))) for low, rest, close, two in signs]
    for whole in other.by_column:
        end = _end_of(whole, rows, end, go_on)
    return end == len(rows)


def _ends_name(above: RowTexts, row: RowTexts) -> bool:
    """Whether a row is nothing but words in lower case below a name that begins with a capital."""
    return row.keys() == {0} and row[0][:1].islower() and above.get(0, "")[:1].isupper()


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
    fewer = [b.keys() < a.keys() for a, b in pairwise(table.by_column)]
    return [False, *(a and b and less for (a, b), less in zip(pairwise(low), fewer, strict=True))]


def _are_close(table: TableCandidate) -> list[bool]:
    """Which rows stand closer below another than most do."""
    boxes = [Box.around(map(box_of, row)) for row in table.rows if row]
    white = [below.y0 - above.y1 for above, below in pairwise(boxes)]
    close = [gap < MOSTLY * max(0.0, median(white)) for gap in white]
    return [False, *close] if len(boxes) == table.height else [False] * table.height


def _white(row: Sequence[TableCell]) -> float:
    """The narrowest white between its cells, by the height of the lower one."""
    boxes = list(map(box_of, row))
    return min(((b.x0 - a.x1) / max(1.0, min(a.height, b.height)) for a, b in pairwise(boxes)), default=math.inf)
