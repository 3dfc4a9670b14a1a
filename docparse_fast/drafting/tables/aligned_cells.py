"""Turns rows of lines into a table's cells: finds the columns, checks that lines keep to them, finds cells that span.

Knows lines and rules only. Neither lines nor rules alone make a table: the cells must stand in columns, and only
headings may span several.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby, pairwise
from statistics import median

from docparse_fast.document import Box, TableCell
from docparse_fast.drafting.blocks.joined_text import joined
from docparse_fast.drafting.lines import Line
from docparse_fast.drafting.tables.wrapped_rows import NUMBER, PieceRow, RowPiece, wrapped_rows_joined
from docparse_fast.drafting.words import BULLET, MARKER
from docparse_fast.marks import unmarked
from docparse_fast.markup import as_read, unlinked
from docparse_fast.writing import CJK

FEWEST_ROWS = 3  # of several cells, in a table without rules; with rules two are enough
LONGEST_CELL = 60  # letters in a usual cell; more are prose
FULL = 0.85  # of a column's width: prose fills its columns, cells don't
PROSE_LETTERS = 15  # in a line that may be prose, of three words or more
SENTENCES = 0.4  # of the rows, beside their first words
RUNNING_ON = 0.6  # of the cells begin in lower case: lines of prose do, cells don't
UNEVEN_ROWS, FEW_FULL = 5, 0.25  # rows that tell, and the part of them that fill their column
GAP = 0.45  # of the type's size: narrowest gap between two columns
CROSSED = 0.2  # of the rows may cross a gap: they are headings that span
DISREGARDED = 0.25  # of all rows may hold a cell that reaches over a gap; more are prose that happens to be parted
PARTED = 0.15  # of the rows between rules have several cells; the others are the rest of a cell, or a heading
SECTION = re.compile(r"(?:\d{1,2}|[A-Z])(?:\.\d{1,2}){0,5}\.?")
LARGER = 1.1  # than the text between them: type of headings
CURRENCY = re.compile(r"(?:US|C|A|HK)?[$€£¥]|(?:USD|EUR|GBP|RMB|CNY)")
CLOSING = re.compile(r"[)%†‡*∗]{1,3}")


@dataclass(frozen=True, slots=True)
class AlignedTable:
    box: Box
    cells: tuple[TableCell, ...]
    lines: frozenset[int]  # indexes of the lines it is made of
    reader: str = "aligned"  # which rule found it


def table_of(
    rows: Sequence[list[int]], lines: Sequence[Line], rules: Sequence[Box], *, ruled: bool
) -> AlignedTable | None:
    if sum(len(row) > 1 for row in rows) < (2 if ruled else FEWEST_ROWS) or _are_headings(rows, lines):
        return None
    made = [PieceRow(_pieces(row, lines)) for row in rows]
    size = median(lines[i].size for row in rows for i in row)
    edges = _edges(made, GAP * size)
    if not edges or not _respected(made, edges, GAP * size) or not _is_tabular(made, edges, ruled):
        return None
    for row in made:
        _place(row, edges, rules if row is not made[-1] else ())  # a rule below the last row ends the table
    grouped = wrapped_rows_joined(made, len(edges) + 1, rules)
    cells = [
        TableCell(
            n,
            first,
            joined([piece.text for piece in pieces]),
            columns=last - first + 1,
            box=Box.around(piece.box for piece in pieces),
        )
        for n, row in enumerate(grouped)
        for (first, last), pieces in _by_place(row)
    ]
    box = Box.around(row.box for row in made)
    return AlignedTable(box, tuple(cells), frozenset(i for row in rows for i in row))


def _are_headings(rows: Sequence[list[int]], lines: Sequence[Line]) -> bool:
    """Whether all rows of several cells are in larger type than the lines between them: numbers and titles."""
    several = [row for row in rows if len(row) > 1]
    between = [lines[row[0]].size for row in rows if len(row) == 1]
    larger = bool(between) and min(lines[i].size for row in several for i in row) > LARGER * max(between)
    return larger and all(SECTION.fullmatch(lines[row[0]].plain) for row in several)


def _by_place(row: PieceRow) -> list[tuple[tuple[int, int], list[RowPiece]]]:
    ordered = sorted(row.pieces, key=lambda piece: (piece.first, piece.last, piece.box.y0, piece.box.x0))
    return [(place, list(pieces)) for place, pieces in groupby(ordered, key=lambda piece: (piece.first, piece.last))]


def _pieces(row: Sequence[int], lines: Sequence[Line]) -> list[RowPiece]:
    """The row's lines as pieces: a currency sign joins the number after it, a bracket the number before it."""
    pieces: list[RowPiece] = []
    for index in row:
        line = lines[index]
        text = as_read(unlinked(unmarked(line.text)))  # cells are HTML
        before = pieces[-1] if pieces else None
        close = before is not None and line.box.x0 - before.box.x1 < 12 * line.size
        if before is not None and close and CURRENCY.fullmatch(before.text) and line.plain[:1] in "0123456789(-–—−.":
            before.text, before.box = f"{before.text} {text}", Box.around((before.box, line.box))
            before.members.append(index)
        elif before is not None and CLOSING.fullmatch(line.plain) and NUMBER.fullmatch(before.text):
            before.text, before.box = before.text + text, Box.around((before.box, line.box))
            before.members.append(index)
        else:
            pieces.append(RowPiece(line.box, text, [index]))
    return pieces


def _edges(rows: Sequence[PieceRow], narrowest: float) -> list[float]:
    """The edges between columns: the middles of gaps that few rows of several cells cross."""
    several = [row for row in rows if len(row.pieces) > 1]
    pieces = [piece.box for row in several for piece in row.pieces]
    if not pieces:
        return []
    allowed = int(CROSSED * len(several))
    events = sorted([(box.x0, 1) for box in pieces] + [(box.x1, -1) for box in pieces])
    left, right = min(box.x0 for box in pieces), max(box.x1 for box in pieces)
    edges: list[float] = []
    depth, start = 0, left
    for x, step in events:
        before, depth = depth, depth + step
        if before > allowed >= depth:
            start = x
        elif before <= allowed < depth and x - start >= narrowest and left < start < right:
            edges.append((start + x) / 2)
    return [edge for n, edge in enumerate(edges) if _has_cells(rows, [left - 1, *edges, right + 1], n)]


def _has_cells(rows: Sequence[PieceRow], edges: Sequence[float], n: int) -> bool:
    """Whether the column that ends at edge `n` has cells: ragged line ends can make a gap beside an empty column."""
    return any(edges[n] < piece.box.center[0] < edges[n + 1] for row in rows for piece in row.pieces)


def _respected(rows: Sequence[PieceRow], edges: Sequence[float], slack: float) -> bool:
    """Whether the rows keep to the columns: a few headings may cross a gap; many lines, or most of all, may not."""
    over = [any(p.box.x0 + slack < edge < p.box.x1 - slack for p in row.pieces for edge in edges) for row in rows]
    several = sum(len(row.pieces) > 1 for row in rows)
    alone = sum(len(row.pieces) == 1 for row, crosses in zip(rows, over, strict=True) if crosses)
    return sum(over) <= DISREGARDED * len(rows) and alone < several


def _is_tabular(rows: Sequence[PieceRow], edges: Sequence[float], ruled: bool) -> bool:
    several = [row for row in rows if len(row.pieces) > 1]
    pieces = [piece for row in several for piece in row.pieces]
    texts = [piece.text for piece in pieces]
    firsts = [row.pieces[0].text for row in several]
    if len(edges) < 2 and (are_markers(firsts) or (not ruled and (_explained(several) or _count_up(several)))):
        return False  # a list, its markers or terms set apart
    if len(edges) == 1 and _runs_on_beside(several, edges[0]):
        return False
    numbers = sum(bool(NUMBER.fullmatch(text)) for text in texts)
    letters = median(len(text) for text in texts)
    if letters > LONGEST_CELL or (numbers < 0.2 * len(texts) and _prose(several, edges, ruled)):
        return False
    cased = [text for text in texts if text[:1].isalpha() and text[:1].lower() != text[:1].upper()]
    runs_on = sum(text[:1].islower() for text in cased) > RUNNING_ON * len(cased) > 2
    if numbers < 0.2 * len(texts) and runs_on and not _uneven(several, edges):
        return False
    if ruled:
        return len(several) >= PARTED * len(rows)
    across = sum(len({_column(piece, edges) for piece in row.pieces}) > 1 for row in several)
    if across < 0.5 * len(rows):
        return False  # as of two blocks of lines side by side
    if len(edges) == 1:
        return numbers > 0.3 * len(texts) or (letters <= 25 and len(several) > FEWEST_ROWS)
    return True


def _uneven(rows: Sequence[PieceRow], edges: Sequence[float]) -> bool:
    """Whether the last column's lines are of all lengths, which those of prose are not."""
    widths = [row.pieces[-1].box.width for row in rows if _column(row.pieces[-1], edges) == len(edges)]
    wide = sum(width > FULL * max(widths) for width in widths)
    return len(widths) > UNEVEN_ROWS and wide <= FEW_FULL * len(widths)


def _column(piece: RowPiece, edges: Sequence[float]) -> int:
    return sum(piece.box.center[0] > edge for edge in edges)


def are_markers(texts: Sequence[str]) -> bool:
    """Whether these are the markers of a list, most of them."""
    markers = sum(bool(MARKER.match(text + " x")) or bool(re.fullmatch(BULLET, text)) for text in texts)
    return markers > 0.5 * len(texts)


def _count_up(rows: Sequence[PieceRow]) -> bool:
    """Whether the rows are 1, 2, 3 and words: a numbered list."""
    counts = [row.pieces[0].text for row in rows] == [str(n + 1) for n in range(len(rows))]
    return counts and not any(NUMBER.fullmatch(row.pieces[-1].text) for row in rows)


def _explained(rows: Sequence[PieceRow]) -> bool:
    """Whether sentences stand beside most rows' first words: terms, and what they mean."""
    sentences = sum(len(row.pieces[-1].text) > PROSE_LETTERS and row.pieces[-1].text[-1] in ".。;:" for row in rows)
    return sentences > SENTENCES * len(rows)


def _runs_on_beside(rows: Sequence[PieceRow], edge: float) -> bool:
    """Whether a sentence goes on from row to row at the right, though each row has words of its own at the left."""
    column = [[piece for piece in row.pieces if piece.box.center[0] > edge] for row in rows]
    lines = [(pieces[0].text, Box.around(piece.box for piece in pieces)) for pieces in column if pieces]
    if len(lines) < FEWEST_ROWS:
        return False
    end = max(box.x1 for _, box in lines)
    goes_on = [
        text[:1].islower() and end - box.x1 < box.height and _may_be_prose(text)
        for (_, box), (text, _) in pairwise(lines)
    ]
    return sum(goes_on) > 0.5 * len(goes_on)


def _prose(rows: Sequence[PieceRow], edges: Sequence[float], ruled: bool) -> bool:
    """Whether the lines are prose: most lines, overall or in one column, fill the width of their column."""
    columns_of: list[list[RowPiece]] = [[] for _ in range(len(edges) + 1)]
    for row in rows:
        for piece in row.pieces:
            columns_of[_column(piece, edges)].append(piece)
    full = []
    for pieces in columns_of:
        widest = max((piece.box.width for piece in pieces), default=0.0)
        full.append(sum(p.box.width > FULL * widest and _may_be_prose(p.text) for p in pieces))
    most = 8 if ruled else 3
    if any(n > most and n > 0.6 * len(pieces) for n, pieces in zip(full, columns_of, strict=True)):
        return True
    return sum(full) > 0.4 * sum(map(len, columns_of))


def _may_be_prose(text: str) -> bool:
    return len(text) > PROSE_LETTERS and (text.count(" ") > 1 or CJK.search(text) is not None)


def _place(row: PieceRow, edges: Sequence[float], rules: Sequence[Box]) -> None:
    """Finds each cell's columns: those it reaches into or, for a heading, those that the rule below it spans."""
    for piece in row.pieces:
        left, right = piece.box.x0, piece.box.x1
        below = [
            rule
            for rule in rules
            if -0.3 * piece.box.height < rule.y0 - piece.box.y1 < 0.7 * piece.box.height
            and rule.x0 <= piece.box.center[0] <= rule.x1
            and not any(o is not piece and rule.x0 < o.box.center[0] < rule.x1 for o in row.pieces)
        ]
        if below and len(row.pieces) < len(edges) + 1 and not NUMBER.fullmatch(piece.text):
            left, right = min(left, below[0].x0 + 1), max(right, below[0].x1 - 1)
        inner = 0.15 * (right - left)
        piece.first = sum(left + min(inner, piece.box.height) > edge for edge in edges)
        piece.last = max(piece.first, sum(right - min(inner, piece.box.height) > edge for edge in edges))
