"""Assigns lines of text to the slots of a table. Knows boxes and words; does not know what found the slots.

A slot is a cell before it has text. The proposed slots are only roughly placed, so the cuts between rows and columns
move into the white between the lines. Each line goes to the slot where it stands; a line across a cut is split between
words, and a head between columns. A column that has only a head is one with its neighbour that has all but that.
"""

from __future__ import annotations

import math
import re
from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import chain, pairwise
from statistics import median

from docparse_fast.document import Box, TableCell
from docparse_fast.drafting.lines import Line, words_of
from docparse_fast.drafting.measures import SEVERAL, in_one_row
from docparse_fast.geometry import around, level_rows, runs
from docparse_fast.sums.figures import CURRENCIES
from docparse_fast.text.characters import CJK
from docparse_fast.text.codes import goes_on_in
from docparse_fast.text.placed_words import PlacedWord, with_whole_figures

CORE = 0.25  # of a line's height, trimmed above and below: what a cut between rows must not go through
WIDE_GAP = 0.4  # between two words, in line heights: more than a space
FLUSH = 0.15  # of a line's height by which ends may differ that are in line
PULL = 1.0  # price of moving a cut by a row's height or a column's width, in lines cut through
EMPTY = 1.5  # price of a row or column that is left without text
BACKWARDS = 100.0  # price of a cut before the one before it: not to be paid
CANDIDATES = 24  # places looked at for a cut, the cheapest ones

_NUMBER = re.compile(
    rf"(?:[A-Z]{{3}}\s)?[(\[<>=≤≥~*±{CURRENCIES}+\-−–—]*\s?\d[\d\s.,:/%×xE()\[\]±+\-−–—’']*"
    rf"(?:[*†‡a-d%⁰¹²³⁴-⁹⁻]{{0,3}}|\s?(?:[{CURRENCIES}]|[A-Z]{{3}}|zł|kr))$"
)


_Span = tuple[float, float]
_Way = tuple[float, tuple[float, ...], int]  # price of the first cuts; these, behind one before all; middles passed


@dataclass(frozen=True, slots=True)
class Slot:
    row: int
    column: int
    box: Box
    rows: int = 1
    columns: int = 1
    header: bool = False

    def shifted(self, dx: float, dy: float) -> Slot:
        return replace(self, box=self.box.shifted(dx, dy))


@dataclass(frozen=True, slots=True)
class CellPiece:
    """A line, or the part of it that stands in one cell."""

    box: Box
    text: str


@dataclass(frozen=True, slots=True)
class Filling:
    """Slots with their pieces."""

    slots: tuple[Slot, ...]
    pieces: tuple[tuple[CellPiece, ...], ...]  # beside the slots, each in reading order

    def cells(self) -> tuple[TableCell, ...]:
        return tuple(
            TableCell(s.row, s.column, join(pieces), s.rows, s.columns, s.header, s.box)
            for s, pieces in zip(self.slots, self.pieces, strict=True)
        )

    def worded_cells(self) -> tuple[TableCell, ...]:
        """The cells, each with the box of its words."""
        boxes = [around(held) if held else None for held in self.pieces]
        return tuple(replace(cell, box=box) for cell, box in zip(self.cells(), boxes, strict=True))


def fill(
    slots: Sequence[Slot], lines: Sequence[Line], ruled: Callable[[Box], bool], seams: Sequence[float] = ()
) -> Filling:
    """Puts each line into one slot or, split between words, into several slots side by side.

    `ruled` says whether a narrow box parts columns for certain, as where a vertical rule is drawn through it. `seams`
    are cuts that are known, though a head may run across one.
    """
    grid = _Grid(slots, lines, seams)
    if len(apart := grid.with_heads_apart(lines)) > len(slots):
        slots, grid = apart, _Grid(apart, lines, seams)
    placed: list[list[CellPiece]] = [[] for _ in slots]
    for line in lines:
        row = grid.row_of(line.box)
        for piece in grid.split(line, row, ruled):
            placed[grid.slot_at(row, grid.column_of(piece.box))].append(piece)
    ordered = tuple(tuple(in_reading_order(pieces)) for pieces in placed)
    return Filling(tuple(slots), ordered)


def column_cuts(slots: Sequence[Slot], lines: Sequence[Line]) -> list[float]:
    """Where the columns of these slots end."""
    return _Grid(slots, lines).column_cuts


class _Grid:
    """The cuts between rows and columns, and the slot that owns each place between them."""

    def __init__(self, slots: Sequence[Slot], lines: Sequence[Line], seams: Sequence[float] = ()) -> None:
        self.height = max(slot.row + slot.rows for slot in slots)
        self.width = max(slot.column + slot.columns for slot in slots)
        self._owner = {
            (slot.row + down, slot.column + across): index
            for index, slot in reversed(list(enumerate(slots)))
            for down in range(slot.rows)
            for across in range(slot.columns)
        }
        self._slots = slots
        self._seams = seams
        self._usual = median(line.box.height for line in lines) if lines else 0.0
        self.row_cuts = self._cuts_between_rows(lines)
        self.column_cuts = self._cuts_between_columns(lines)
        self._starts = self._usual_starts(lines)

    def row_of(self, box: Box) -> int:
        return bisect_left(self.row_cuts, box.center[1])

    def column_of(self, box: Box) -> int:
        return bisect_left(self.column_cuts, box.center[0])

    def slot_at(self, row: int, column: int) -> int:
        """The slot that owns a place; if no slot does, the nearest to the left in the same row."""
        while (row, column) not in self._owner and column > 0:
            column -= 1
        found = self._owner.get((row, column))
        if found is not None:
            return found
        middles = [(abs(slot.row - row) + abs(slot.column - column), index) for index, slot in enumerate(self._slots)]
        return min(middles)[1]

    def split(self, line: Line, row: int, ruled: Callable[[Box], bool]) -> list[CellPiece]:
        """The line's pieces."""
        words = cell_words([line])

        def goes_on(piece: list[PlacedWord], word: PlacedWord) -> bool:
            last = piece[-1]
            apart = self.slot_at(row, self.column_of(last[0])) != self.slot_at(row, self.column_of(word[0]))
            heads = row == 0 and self._begins_column(piece[0][0]) and self._begins_column(word[0])
            told = heads or self._holds_seam(last[0].x1, word[0].x0)
            return not (apart and (told or _separable(last, word, self._usual, ruled)))

        return list(map(piece_of, runs(words, goes_on)))

    def with_heads_apart(self, lines: Sequence[Line]) -> list[Slot]:
        """The slots, those of the first row parted where a word of it begins in line with each column below."""
        heads = cell_words(line for line in lines if self.row_of(line.box) == 0)
        begun = {self.column_of(box) for box, _ in heads if self._begins_column(box)}

        def parts(slot: Slot) -> Iterable[Slot]:
            heads_all = begun.issuperset(range(slot.column, slot.column + slot.columns))
            return _by_column(slot, self.column_cuts) if slot.row == 0 and slot.rows == 1 and heads_all else [slot]

        return list(chain.from_iterable(map(parts, self._slots)))

    def _usual_starts(self, lines: Sequence[Line]) -> dict[int, float]:
        """Where lines of a column begin, if several do."""
        begun = defaultdict[int, list[float]](list)
        for line in lines:
            begun[self.column_of(line.box)].append(line.box.x0)
        return {column: median(found) for column, found in begun.items() if len(found) > SEVERAL}

    def _begins_column(self, box: Box) -> bool:
        """Whether a word begins in line with what stands in its column."""
        return begins_at(self._starts.get(self.column_of(box), -math.inf), box)

    def _cuts_between_rows(self, lines: Sequence[Line]) -> list[float]:
        placed = [(slot.row, slot.rows, (slot.box.y0, slot.box.y1)) for slot in self._slots]
        cores = [(box.y0 + CORE * box.height, box.y1 - CORE * box.height) for box in (line.box for line in lines)]
        return _cuts(tuple(_extents(placed, self.height)), tuple(cores))

    def _cuts_between_columns(self, lines: Sequence[Line]) -> list[float]:
        placed = [(slot.column, slot.columns, (slot.box.x0, slot.box.x1)) for slot in self._slots]
        rows = level_rows(lines, lambda row, line: in_one_row(row[0].box, line.box), lambda line: line.box)
        beside = [line for row in rows if len(row) > 1 for line in row]  # a group's name may stand across
        cores = [(box.x0, box.x1) for box, _ in words_of(beside or lines) if not self._holds_seam(box.x0, box.x1)]
        return _cuts(tuple(_extents(placed, self.width)), tuple(cores))

    def _holds_seam(self, start: float, end: float) -> bool:
        return any(start < seam < end for seam in self._seams)


def begins_at(x: float, box: Box) -> bool:
    return abs(box.x0 - x) < FLUSH * box.height


def _by_column(slot: Slot, cuts: Sequence[float]) -> Iterator[Slot]:
    ends = [slot.box.x0, *cuts[slot.column : slot.column + slot.columns - 1], slot.box.x1]
    for n, (left, right) in enumerate(pairwise(ends)):
        yield replace(slot, column=slot.column + n, columns=1, box=replace(slot.box, x0=left, x1=right))


def cell_words(lines: Iterable[Line]) -> list[PlacedWord]:
    """The lines' words, a figure whose thousands are set apart as one."""
    return [word for line in lines for word in with_whole_figures(words_of([line]), WIDE_GAP)]


def piece_of(words: Sequence[tuple[Box, str]]) -> CellPiece:
    return CellPiece(Box.around(box for box, _ in words), " ".join(text for _, text in words))


def _extents(placed: Sequence[tuple[int, int, tuple[float, float]]], count: int) -> list[tuple[float, float] | None]:
    """Where each row or column usually begins and ends: by slots that it has alone, or else by all over it."""
    alone: dict[int, list[tuple[float, float]]] = {}
    for first, n, span in placed:
        if n == 1:
            alone.setdefault(first, []).append(span)
    known = [alone.get(at) or [span for first, n, span in placed if first <= at < first + n] for at in range(count)]
    return [(median(a for a, _ in each), median(b for _, b in each)) if each else None for each in known]


@lru_cache(maxsize=64)  # slots are filled several times, with other columns in the same rows
def _cuts(spans: tuple[_Span | None, ...], cores: tuple[_Span, ...]) -> list[float]:
    """Places a cut between each pair of neighbours: the cuts cross as few cores as possible and leave no span empty.

    Takes the cheapest sequence of candidates, from the first cut to the last.
    """
    known = sorted((span or (0.0, 0.0) for span in spans), key=sum)  # two may be proposed in the wrong order
    if len(known) < 2:
        return []
    middles = sorted((start + end) / 2 for start, end in cores)
    ways: list[_Way] = [(0.0, (-math.inf,), 0)]
    for before, after in pairwise(known):
        wished = (before[1] + after[0]) / 2
        places = _candidates(before[0], after[1], wished, cores)
        ways = [_cheapest(ways, place, price, middles) for place, price in places]
    ended = ((price + EMPTY * bool(middles and passed == len(middles)), cuts) for price, cuts, passed in ways)
    return list(min(ended)[1][1:])


def _candidates(low: float, high: float, wished: float, cores: Iterable[_Span]) -> list[_Span]:
    """The candidate places of a cut with their prices: the white between cores, and the proposed place."""
    near = [(start, end) for start, end in cores if start < high and end > low]
    edges = sorted({low, high, *(e for core in near for e in core if low < e < high)})
    places = {wished, *((a + b) / 2 for a, b in pairwise(edges))}
    reach = max(1.0, (high - low) / 2)
    wide = [core for core in near if core[0] < core[1]]
    starts, ends = (sorted(edges) for edges in zip(*wide, strict=True)) if wide else ([], [])
    prices = [
        (place, bisect_left(starts, place) - bisect_right(ends, place) + PULL * abs(place - wished) / reach)
        for place in sorted(places)
    ]
    return sorted(prices, key=lambda priced: priced[1])[:CANDIDATES]


def _cheapest(ways: Sequence[_Way], place: float, price: float, middles: Sequence[float]) -> _Way:
    """Extends the cheapest way so far by one more place."""
    passed = bisect_right(middles, place)
    least, cuts, before = min(
        (so_far + price + BACKWARDS * (place < cuts[-1]) + EMPTY * (before >= passed), cuts, before)
        for so_far, cuts, before in ways
    )
    return least, (*cuts, max(place, cuts[-1])), max(passed, before)


def _separable(last: PlacedWord, word: PlacedWord, usual: float, ruled: Callable[[Box], bool]) -> bool:
    """`usual` is the height of the table's lines: one that stands askew has a taller box, and no wider blanks."""
    gap = word[0].x0 - last[0].x1
    height = min(usual, word[0].height)
    if gap > WIDE_GAP * height or (looks_like_number(last[1]) and looks_like_number(word[1])):
        return True
    reach = 0.3 * height
    return ruled(Box(last[0].x1 - reach, word[0].y0, word[0].x0 + reach, word[0].y1))


@lru_cache(maxsize=4096)
def looks_like_number(text: str) -> bool:
    """
    >>> [looks_like_number(text) for text in ("1,040E-09", "(12.5%)", "1 595,38 EUR", "<0.01", "4.9²", "3rd", "7 km")]
    [True, True, True, True, True, False, False]
    """
    return bool(_NUMBER.match(text.strip()))


def row_boxes(rows: Iterable[Sequence[TableCell]]) -> list[Box]:
    """Where the words of each row that has some stand."""
    return [Box.around(map(box_of, row)) for row in rows if row]


def box_of(cell: TableCell) -> Box:
    """Of a filled cell."""
    assert cell.box is not None
    return cell.box


def in_reading_order(pieces: Iterable[CellPiece]) -> list[CellPiece]:
    """The pieces row by row, each row from left to right."""
    return [piece for row in level_rows(pieces, lambda row, each: in_one_row(row[0].box, each.box)) for piece in row]


def join(pieces: Iterable[CellPiece]) -> str:
    """A cell's lines as one, without a blank in Chinese and behind a code's hyphen; in two where a word is broken."""
    text, above = "", None
    for piece in pieces:
        beside = above is not None and in_one_row(above, piece.box)
        text += (" " if beside else _between_lines(text, piece.text)) + piece.text
        above = piece.box
    return text


def _between_lines(before: str, after: str) -> str:
    if not before or goes_on_in(before, after) or (CJK.match(before[-1]) and CJK.match(after[:1])):
        return ""
    return "\n" if before.endswith(("-", "‐")) and after[:1].islower() else " "


MOST_HEADS = 3  # rows of a head


def mended(slots: Sequence[Slot], fill: Callable[[Sequence[Slot]], Filling]) -> Filling:
    """The slots, filled, and filled anew where two of their columns are one."""
    filled = fill(slots)
    better = _under_heads(filled)
    return fill(better) if len(better) != len(filled.slots) else filled


def _under_heads(filled: Filling) -> list[Slot]:
    """The slots, two columns as one where one is only the head and the other all that stands below it."""
    slots, rows = list(filled.slots), _rows_of_columns(filled)
    for column in sorted(rows, reverse=True):
        sides = rows[column], rows.get(column + 1, set())
        head, body = sorted(sides, key=min) if all(sides) else (set[int](), set[int]())
        names = body is rows[column] and column == 0  # they often have no head
        if head and max(head) < min(min(body), MOST_HEADS) and len(body) > len(head) and not names:
            ends = {slot.row: slot.box.x1 for slot in slots if slot.column == column + 1}
            slots = [part for slot in slots for part in _joined(slot, column, ends)]
            rows[column] = set()
    return slots


def _rows_of_columns(filled: Filling) -> dict[int, set[int]]:
    """In which rows each column has a cell of its own, or goes on in one with others."""
    found: dict[int, set[int]] = {}
    for slot, pieces in zip(filled.slots, filled.pieces, strict=True):
        for column in range(slot.column, slot.column + slot.columns) if pieces else ():
            found.setdefault(column, set()).add(slot.row)
    return found


def _joined(slot: Slot, column: int, ends: Mapping[int, float]) -> Iterator[Slot]:
    """A slot where a column is one with the next, which `ends` there: that one's slots leave, unless they go on."""
    if slot.column > column + 1:
        yield replace(slot, column=slot.column - 1)
    elif slot.column + slot.columns > column + 1 and slot.columns > 1:
        yield replace(slot, columns=slot.columns - 1)
    elif slot.column <= column:
        reach = ends.get(slot.row, slot.box.x1) if slot.column + slot.columns == column + 1 else slot.box.x1
        yield replace(slot, box=replace(slot.box, x1=max(slot.box.x1, reach)))
