"""Puts rows of text together to rows of a table: knows cells, steps and rules, not how columns were found."""

from __future__ import annotations

from bisect import bisect
from collections import Counter
from collections.abc import Callable, Mapping, Sequence, Set
from dataclasses import dataclass
from functools import partial
from itertools import pairwise
from statistics import median
from typing import Literal

from docparse_fast.document import Box
from docparse_fast.drafting.measures import LARGER, MOSTLY, SEVERAL, WIDE_STEP
from docparse_fast.drafting.tables.grid import FLUSH, CellPiece, looks_like_number
from docparse_fast.geometry import runs

LEAST_STEP = 0.15  # the part of the steps that are smaller than the least usual one
UNENDED = ("-", "–", "/")  # a range of dates or a code goes on below
SLACK = 0.6  # of a line's height: how much narrower than its column a full line may be
Ruled = Callable[[Box], bool]
BegunBy = Literal["room", "names", "figures"]  # rows of a table


@dataclass(frozen=True, slots=True)
class TextRow:
    """What stands on one level, by column; a heading over several columns is in the first of them."""

    cells: dict[int, list[CellPiece]]  # line by line
    spans: dict[int, int]  # how many columns a cell reaches over
    box: Box
    bold: bool = False
    size: float = 0.0  # of its type, where a file tells it


def table_rows(rows: Sequence[TextRow], ruled: Ruled, begun_by: BegunBy) -> list[list[TextRow]]:
    """Rows of text, those of one row of the table together."""
    steps = [_step(above, below) for above, below in pairwise(rows)]
    least = sorted(steps)[int(LEAST_STEP * len(steps))] if steps else 0.0
    widths = _widths(rows)
    figures = _columns_of_figures(rows)
    ruled_off = [n for n in range(1, len(rows)) if _is_ruled(rows[n - 1], rows[n], ruled)]
    wraps = partial(_wraps, rows, widths=widths, ruled=ruled)
    far = [n for n, step in enumerate(steps, start=1) if step > WIDE_STEP * least]
    loose = _names_of_groups(rows).union(ruled_off, far)
    going_on = _between_rules(rows, ruled_off, figures) | _begun_above(rows, loose, figures, wraps)
    going_on |= _between_white(rows, far, figures)
    made = [[rows[0]]]
    for n, row in enumerate(rows[1:], start=1):
        apart = n in loose or (begun_by == "names" and 0 in row.cells)
        told = begun_by == "figures" and not _stands_out(made[-1][-1], row)
        below = told and figures.isdisjoint(row.cells) and any(figures & _figures(text) for text in made[-1])
        if n not in going_on and (apart or (not below and _begins(made[-1], row, widths))):
            made.append([row])
        else:
            made[-1].append(row)
    return made


def _names_of_groups(rows: Sequence[TextRow]) -> set[int]:
    """Bold lines alone in the first column: where one surely names a group, those below its bold sums do, too."""
    alone = {n for n, row in enumerate(rows) if n and row.bold and row.cells.keys() == {0}}
    sure = any(not rows[n - 1].bold or 0 not in rows[n - 1].cells for n in alone)
    return {n for n in alone if sure and not rows[n].cells[0][0].text[:1].islower()}


def _between_rules(rows: Sequence[TextRow], ruled_off: Sequence[int], figures: frozenset[int]) -> set[int]:
    """The rows of text that go on with those above them, where rules leave one figure of some column between them."""
    bands = [range(start, end) for start, end in pairwise([0, *ruled_off, len(rows)])][1:-1]  # sums may follow
    for column in figures:
        held = [sum(column in rows[n].cells for n in band) for band in bands]
        if max(held, default=0) == 1 and sum(held) >= max(SEVERAL, MOSTLY * len(held)):
            return {n for band, count in zip(bands, held, strict=True) if count == 1 for n in band[1:]}
    return set()


def _between_white(rows: Sequence[TextRow], far: Sequence[int], figures: frozenset[int]) -> set[int]:
    """The same where white does, and no column of figures but the first, of dates, has several: a bank's bookings.

    Nearly all of one column stand in their band's first row.
    """
    starts = {0, *far}
    several = len(far) >= SEVERAL and SEVERAL * len(rows) > (SEVERAL + 1) * len(starts)
    held = [[n for n, row in enumerate(rows) if column in row.cells] for column in figures - {0}]
    one_each = all(map(partial(_stand_one_each, far), held))
    first = max((len(starts.intersection(found)) for found in held), default=0) >= MOSTLY * len(starts)
    return set(range(len(rows))) - starts if several and one_each and first else set()


def _stand_one_each(far: Sequence[int], numbers: Sequence[int]) -> bool:
    return len({bisect(far, n) for n in numbers}) == len(numbers)


def _begun_above(
    rows: Sequence[TextRow], loose: Set[int], figures: frozenset[int], wraps: Callable[[int, int], bool]
) -> set[int]:
    """The rows of text that go on with those above, where some cells begin above the figures of their row.

    They do where all stand at the foot, or in the middle, of their row. `loose` are those apart from the one above.
    """
    going_on: set[int] = set()
    for band in runs(range(len(rows)), lambda _, n: n not in loose):
        said = [_figures(rows[n]) & figures for n in band]
        row = band[max(range(len(band)), key=lambda n: len(said[n]))] if any(said) else band[-1 if band[0] == 0 else 0]
        above, one_each = range(band[0], row), sum(map(len, said)) == len(frozenset[int]().union(*said))
        if above and one_each and all(wraps(n, row) for n in above):
            going_on.update(band[1:])
    return going_on


def _wraps(rows: Sequence[TextRow], n: int, last: int, widths: dict[int, float], ruled: Ruled) -> bool:
    """Whether the few cells of a row of text go on below where the next word had no room; a head's, where in line."""
    if _stands_out(rows[last], rows[n]):
        return False
    for column, pieces in rows[n].cells.items():
        above = pieces[-1]
        below = next((rows[m].cells[column][0] for m in range(n + 1, last + 1) if column in rows[m].cells), None)
        if below is None or column not in widths:
            return False
        goes_on = _is_one_head(above, below, ruled) if n == 0 else not would_have_fitted(above, below, widths[column])
        if not goes_on:
            return False
    return 2 * len(rows[n].cells) <= len(rows[last].cells)


def _is_one_head(above: CellPiece, below: CellPiece, ruled: Ruled) -> bool:
    """Whether both begin, end or have their middle in line, and the upper one is no name of a group."""
    a, b = above.box, below.box
    in_line = min(abs(a.x0 - b.x0), abs(a.x1 - b.x1), abs(a.center[0] - b.center[0])) < FLUSH * b.height
    between = Box(min(a.x0, b.x0), a.center[1], max(a.x1, b.x1), b.center[1])
    return in_line and not looks_like_number(above.text) and not ruled(between)


def _columns_of_figures(rows: Sequence[TextRow]) -> frozenset[int]:
    """The columns in which most cells begin with a figure."""
    filled = Counter(column for row in rows for column in row.cells)
    figures = Counter(column for row in rows for column in _figures(row))
    return frozenset(column for column in figures if 2 * figures[column] > filled[column])


def _figures(row: TextRow) -> set[int]:
    return {column for column, pieces in row.cells.items() if looks_like_number(pieces[0].text)}


def _step(above: TextRow, below: TextRow) -> float:
    """From the last line of one to the first of the other."""
    lowest = max(pieces[-1].box.center[1] for pieces in above.cells.values())
    return min(pieces[0].box.center[1] for pieces in below.cells.values()) - lowest


def _widths(rows: Sequence[TextRow]) -> dict[int, float]:
    held: dict[int, list[Box]] = {}
    for row in rows:
        for column, pieces in row.cells.items():
            if row.spans[column] == 1:
                held.setdefault(column, []).extend(piece.box for piece in pieces)
    usual = {column: LARGER * median(box.height for box in boxes) for column, boxes in held.items()}
    return {n: Box.around(box for box in boxes if box.height <= usual[n]).width for n, boxes in held.items()}


def _is_ruled(above: TextRow, row: TextRow, ruled: Ruled) -> bool:
    x0, x1 = min(above.box.x0, row.box.x0), max(above.box.x1, row.box.x1)
    top = max(pieces[-1].box.center[1] for pieces in above.cells.values())
    return ruled(Box(x0, top, x1, min(pieces[0].box.center[1] for pieces in row.cells.values())))


def _begins(above: Sequence[TextRow], row: TextRow, widths: dict[int, float]) -> bool:
    """Whether a row of text begins a row of the table."""
    held = {column: text.cells[column][-1] for text in above for column in text.cells}
    first = {column: pieces[0] for column, pieces in row.cells.items()}
    spans = any(span > 1 for text in (*above, row) for span in text.spans.values())
    if spans or _stands_out(above[-1], row) or not held.keys() >= first.keys():
        return True
    unended = {column for column in first if held[column].text.endswith(UNENDED)}
    if _begins_with_kind(held, first, unended) or any(
        would_have_fitted(held[column], piece, widths[column]) for column, piece in first.items()
    ):
        return True
    return 0 in first and len(first) == len(held) and not unended


def _begins_with_kind(held: Mapping[int, CellPiece], first: Mapping[int, CellPiece], unended: Set[int]) -> bool:
    """Whether it has a figure, or is a group's name below a count, which does not go on in words."""
    has_figure = any(looks_like_number(piece.text) for column, piece in first.items() if column not in unended)
    return has_figure or (first.keys() == {0} and not unended and looks_like_number(held[0].text))


def _stands_out(above: TextRow, row: TextRow) -> bool:
    """Whether another type begins, as that of a group's name does: in the first column, or over several."""
    named = 0 in row.cells or any(span > 1 for span in row.spans.values())
    return (named and row.bold and not above.bold) or row.size > LARGER * above.size > 0


def would_have_fitted(upper: CellPiece, lower: CellPiece, width: float) -> bool:
    """Whether the lower line's first word had room behind the upper line, in a column of this width."""
    words = lower.text.split() or [lower.text]
    first = words[0][:1] if words[0] > "\u2e80" else words[0]  # Chinese and Japanese break anywhere
    letter = lower.box.width / max(1, len(lower.text))
    return upper.box.width + (len(first) + 1) * letter < width - SLACK * lower.box.height
