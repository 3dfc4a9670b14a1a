"""Finds columns that a grid has as one: figures that end in line, before different words that begin in line.

No one cell keeps both in line: where both are, two stand there, however narrow the white between them. Figures that
count up from one are the rows' places, whatever follows them.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from statistics import median

from docparse_fast.drafting.lines import Line
from docparse_fast.drafting.tables.grid import Slot, column_cuts, looks_like_number
from docparse_fast.drafting.tables.white_slots import FLUSH, SeenWord, word_levels

NEARLY_ALL = 0.9  # of the rows that begin with a figure
FEWEST, FEWEST_COUNTED = 4, 3  # of these


def at_seams(slots: Sequence[Slot], lines: Sequence[Line]) -> tuple[list[Slot], list[float]]:
    """The slots, parted where a column holds a seam; and where the seams are."""
    edges = [float("-inf"), *(column_cuts(slots, lines) if slots else ()), float("inf")]
    levels = word_levels(lines)
    seams = [(n, x) for n in range(len(edges) - 1) for x in _seam(levels, edges[n], edges[n + 1])]
    for column, x in reversed(seams):
        slots = [part for slot in slots for part in _parted(slot, column, x)]
    return list(slots), [x for _, x in seams]


def _seam(levels: Sequence[Sequence[SeenWord]], low: float, high: float) -> Iterator[float]:
    """Where the figures that begin a column's rows end in line, and what follows them begins in line."""
    rows = [[word for word in level if low < word[0].center[0] < high] for level in levels]
    begun = [(row[0], row[1]) for row in rows if len(row) > 1]
    led = [(a, b) for a, b in begun if looks_like_number(a[1]) and not looks_like_number(b[1])]
    counted = [figure[1] for figure, _ in led] == [str(n) for n in range(1, len(led) + 1)]
    if len(led) < (FEWEST_COUNTED if counted else FEWEST) or 2 * len(led) < sum(map(bool, rows)):
        return
    end, start = median(figure[0].x1 for figure, _ in led), median(word[0].x0 for _, word in led)
    near = FLUSH * median(figure[0].height for figure, _ in led)
    kept = [(a, b) for a, b in led if abs(a[0].x1 - end) < near and abs(b[0].x0 - start) < near]
    differ = len({len(figure[1]) for figure, _ in kept}) > 1 and len({word[1] for _, word in kept}) > 1
    if (differ or counted) and len(kept) >= NEARLY_ALL * len(led):
        yield (end + start) / 2


def _parted(slot: Slot, column: int, x: float) -> Iterator[Slot]:
    if slot.column > column:
        yield replace(slot, column=slot.column + 1)
    elif slot.column + slot.columns <= column:
        yield slot
    elif slot.columns > 1:
        yield replace(slot, columns=slot.columns + 1)
    else:
        yield replace(slot, box=replace(slot.box, x1=x))
        yield replace(slot, column=column + 1, box=replace(slot.box, x0=x))
