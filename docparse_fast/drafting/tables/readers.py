"""Reads the grid of a table at a known place, in several ways. Knows its lines, its rules and its picture.

Each way is a reader that knows nothing of the others; which one is right is not decided here.
"""

from __future__ import annotations

import math
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from itertools import pairwise, takewhile
from operator import itemgetter
from statistics import median
from typing import get_args

import numpy as np

from docparse_fast.document import Box
from docparse_fast.drafting.lines import Line
from docparse_fast.drafting.measures import ENOUGH, MOSTLY
from docparse_fast.drafting.tables.candidates import TableCandidate, candidate_of
from docparse_fast.drafting.tables.grid import (
    FLUSH,
    MOST_HEADS,
    WIDE_GAP,
    Slot,
    column_cuts,
    fill,
    looks_like_number,
    mended,
)
from docparse_fast.drafting.tables.gutters import below_heads, gutters_below_head
from docparse_fast.drafting.tables.heads import are_counts
from docparse_fast.drafting.tables.places import FEWEST_LINES
from docparse_fast.drafting.tables.structure import GridLines, TableReader
from docparse_fast.drafting.tables.white_rows import BegunBy, Ruled
from docparse_fast.drafting.tables.white_slots import (
    Read,
    SeenWord,
    WhiteGap,
    rows_in,
    white_slots,
    word_levels,
)
from docparse_fast.geometry import around, parted
from docparse_fast.system.late import Image

EDGE = 4.0  # pixels of paper around a table's picture
MOST_WORDS = 1200  # the networks see 488 pixels: more they can't tell apart, and grids cost the square of the words
FEWEST = 4  # rows that begin with a figure


class GridReaders:
    """The readings of the grid at a place that see it: by two networks, one of them by the white between words, too."""

    def __init__(self, tables: TableReader, grid_lines: GridLines, *, noisy: bool = False) -> None:
        self._tables = tables
        self._grid_lines = grid_lines
        self._noisy = noisy

    def read(
        self, picture: Callable[[], Image.Image], lines: Sequence[Line], numbers: Sequence[int], rules: Sequence[Box]
    ) -> Iterator[TableCandidate]:
        """`lines` stand in the table, `numbers` are their places on the page; all boxes are the picture's."""
        if not _can_be_read(lines):
            return
        upright, level = _drawn_through(rules, upright=True), _drawn_through(rules, upright=False)
        for reader, seen in self._looks(picture(), lines):
            slots, seams = at_seams(seen, lines)
            grids = [(reader, slots)]
            if slots and reader == "grid":
                grids.append(("grid-white", white_slots(rows_in(lines, column_cuts(slots, lines)), level)))
            for name, each in grids:
                if each:
                    filled = mended(each, partial(fill, lines=lines, ruled=upright, seams=seams))
                    yield candidate_of(name, filled, lines, numbers)

    def _looks(self, picture: Image.Image, lines: Sequence[Line]) -> Iterator[tuple[str, list[Slot]]]:
        box = around(lines).expanded(EDGE).clipped(picture.width, picture.height)
        left, top = math.floor(box.x0), math.floor(box.y0)
        crop = np.asarray(picture.crop((left, top, math.ceil(box.x1), math.ceil(box.y1))).convert("RGB"))
        there = [line.shifted(-left, -top) for line in lines]
        yield "grid", [slot.shifted(left, top) for slot in self._grid_lines.slots(crop, there)]
        seen = self._tables.look(crop, [line.box for line in there], noisy=self._noisy)
        yield "model", [slot.shifted(left, top) for slot in seen]


def white_grids(
    lines: Sequence[Line], numbers: Sequence[int], rules: Sequence[Box], areas: Sequence[Box]
) -> Iterator[TableCandidate]:
    """Readings that need no picture: by the white between words alone."""
    if not _can_be_read(lines):
        return
    level = _drawn_through([*rules, *ends_of(areas)], upright=False)
    by_white = _by_white(lines, below := gutters_below_head(lines))
    ways = [*((by_white[0], by) for by in get_args(BegunBy)), *((read, "room") for read in by_white[1:])]
    stays = lines[0].is_exact or bool(below)  # an OCR's words wander, but not all figures
    known: dict[tuple[Slot, ...], TableCandidate] = {}
    for read, begun_by in ways:
        slots = tuple(white_slots(read, level, begun_by))
        if slots and slots not in known:
            cuts = read[1] if stays else ()
            filled = mended(slots, partial(fill, lines=lines, ruled=lambda _: True, seams=cuts))
            known[slots] = candidate_of("white", filled, lines, numbers)
        if slots in known:
            yield known[slots]  # what is read twice alike agrees with itself


def _by_white(lines: Sequence[Line], gutters_below: Sequence[float]) -> list[Read]:
    """What stands between the gutters of all rows, and between those below a head if these part more, with seams."""
    ways = []
    for gutters in (rows_in(lines)[1], gutters_below):
        seams = [x for _, x in _seams(gutters, lines)] if gutters else []
        ways.append(rows_in(lines, sorted([*gutters, *seams])))
    plain, below = ways
    parted = [[sorted(row.cells) for row in rows] for rows, _ in ways]
    return [plain, below] if len(below[1]) >= len(plain[1]) and parted[0] != parted[1] else [plain]


def _can_be_read(lines: Sequence[Line]) -> bool:
    return len(lines) >= FEWEST_LINES and sum(max(1, len(line.words)) for line in lines) <= MOST_WORDS


def ends_of(areas: Sequence[Box]) -> Iterator[Box]:
    """Where grounds begin and end, from above: rows do, too."""
    for box in areas:
        yield replace(box, y1=box.y0)
        yield replace(box, y0=box.y1)


def _drawn_through(rules: Sequence[Box], *, upright: bool) -> Ruled:
    """Whether an upright rule, or a level one, runs through a box."""
    across = 0 if upright else 1
    alike = ((rule.center[across], rule) for rule in rules if (rule.height > rule.width) is upright)
    drawn = sorted(alike, key=itemgetter(0))
    places = [place for place, _ in drawn]

    def ruled(box: Box) -> bool:
        low, high = (box.x0, box.x1) if upright else (box.y0, box.y1)
        within = drawn[bisect_left(places, low) : bisect_right(places, high)]
        if upright:
            return any(rule.overlap_y(box) > 0.5 * box.height for _, rule in within)
        return any(rule.overlap_x(box) > 0.5 * box.width for _, rule in within)

    return ruled


def at_seams(slots: Sequence[Slot], lines: Sequence[Line]) -> tuple[list[Slot], list[float]]:
    """The slots, parted where a column holds a seam; and where the seams are.

    Figures end in line there, before different words that begin in line: two cells, however narrow the white between.
    """
    seams = _seams(column_cuts(slots, lines) if slots else (), lines)
    for column, x in reversed(seams):
        slots = [part for slot in slots for part in _parted(slot, column, x)]
    return list(slots), [x for _, x in seams]


def _seams(gutters: Sequence[float], lines: Sequence[Line]) -> list[tuple[int, float]]:
    """Columns that hold a seam, and where."""
    levels, columns = word_levels(tuple(lines)), list(pairwise([-math.inf, *gutters, math.inf]))
    bare = [-math.inf, *(_end_of_bare_head(levels, *two) for two in pairwise(columns))]
    rows = [_rows_within(levels, *column) for column in columns]
    heads = [list(takewhile(lambda row: not looks_like_number(row[0][1]), column[:MOST_HEADS])) for column in rows]
    named = [[box.x0 for row in head for box, _ in row[1:]] for head in heads]
    gaps = [_seam(column, head, names) for column, head, names in zip(rows, bare, named, strict=False)]
    return [(n, below_heads([gap], heads[n])[0]) for n, gap in enumerate(gaps) if gap]


def _rows_within(levels: Sequence[Sequence[SeenWord]], low: float, high: float) -> list[list[SeenWord]]:
    rows = [[word for word in level if low < word[0].center[0] < high] for level in levels]
    return [row for row in rows if row]


def _end_of_bare_head(levels: Sequence[Sequence[SeenWord]], left: WhiteGap, right: WhiteGap) -> float:
    """Where the head of a column ends that has nothing else, beside a column with a head; minus infinity for others."""
    here, there = (
        {n: box.x1 for n, level in enumerate(levels) for box, _ in level if low < box.center[0] < high}
        for low, high in (left, right)
    )
    return max(here.values()) if here and max(here) < MOST_HEADS and here.keys() & there.keys() else -math.inf


def _seam(rows: Sequence[Sequence[SeenWord]], head: float, names: Sequence[float]) -> WhiteGap | None:
    """From where the figures that begin a column's rows end in line to where what follows them begins in line.

    Where they stand below a column's bare `head`, which ends there, or count the rows, or are counts more than a blank
    before names, it is enough that they end before all the others begin. `names` are where words of its head begin:
    behind one, fewer words are enough where figures alone end so, too.
    """
    if not (led := _led(rows)):
        return None
    ends, starts = [figure[0].x1 for figure, _ in led], [word[0].x0 for _, word in led]
    counted = are_counts([figure[1] for figure, _ in led])
    told = counted or min(figure[0].x0 for figure, _ in led) - head < led[0][0][0].height
    near = FLUSH * led[0][0][0].height
    named = any(abs(x - median(starts)) < near for x in names)
    fewest = ENOUGH if told else FEWEST
    many = len(led) >= fewest and 2 * len(led) >= len(rows)
    if not many and not (named and len(led) >= ENOUGH and _end_alone(rows, median(ends), near)):
        return None
    if (told or _are_apart(led)) and max(ends) < min(starts):
        return max(ends), min(starts)
    return (median(ends), median(starts)) if _are_flush(led, near, counted=counted, named=named) else None


def _end_alone(rows: Sequence[Sequence[SeenWord]], end: float, near: float) -> bool:
    """Whether several figures that nothing follows end there."""
    alone = (row[0][0].x1 for row in rows if len(row) == 1 and looks_like_number(row[0][1]))
    return sum(abs(x - end) < near for x in alone) >= FEWEST


def _are_apart(led: Sequence[Sequence[SeenWord]]) -> bool:
    """Whether whole numbers stand more than a blank before words: not one unit of all, nor what a sign begins."""
    worded = all(figure[1].isdecimal() and word[1][:1].isalpha() for figure, word in led)
    return worded and _are_away(led) and 2 * len({word[1] for _, word in led}) > len(led)


def _are_away(led: Sequence[Sequence[SeenWord]]) -> bool:
    return all(word[0].x0 - figure[0].x1 > WIDE_GAP * word[0].height for figure, word in led)


def _are_flush(led: Sequence[Sequence[SeenWord]], near: float, *, counted: bool, named: bool) -> bool:
    """Whether figures end in line before words that begin in line, and both differ, or, below a name, the words do."""
    end, start = median(figure[0].x1 for figure, _ in led), median(word[0].x0 for _, word in led)
    kept = [(a[1], b[1]) for a, b in led if abs(a[0].x1 - end) < near and abs(b[0].x0 - start) < near]
    return len(kept) >= MOSTLY * len(led) and (counted or _differ(kept, named=named))


def _differ(kept: Sequence[tuple[str, str]], *, named: bool) -> bool:
    return len({word for _, word in kept}) > 1 and (named or len({len(figure) for figure, _ in kept}) > 1)


def _led(rows: Sequence[Sequence[SeenWord]]) -> list[Sequence[SeenWord]]:
    """The first two words of rows, a count of these, or a figure (with its currency) and no other."""
    whole = [_with_its_currency(row) for row in rows]
    named = sum(1 < len(row) < len(words) for row, words in zip(whole, rows, strict=True))
    rows = whole if 2 * named > len(rows) else rows
    told = [row[:2] for row in rows if len(row) > 1 and looks_like_number(row[0][1])]
    _, worded = parted(told, lambda row: looks_like_number(row[1][1]))
    return told if _are_counted(told) else worded


def _are_counted(led: Sequence[Sequence[SeenWord]]) -> bool:
    return _are_away(led) and are_counts([count[1] for count, _ in led])


def _with_its_currency(row: Sequence[SeenWord]) -> Sequence[SeenWord]:
    figures = [looks_like_number(" ".join(text for _, text in row[:n])) for n in (1, 2)]
    if len(row) < 2 or looks_like_number(row[1][1]) or not all(figures):
        return row
    return [(Box.around(box for box, _ in row[:2]), " ".join(text for _, text in row[:2])), *row[2:]]


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
