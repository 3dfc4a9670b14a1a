"""Parts of a proposed table that may be tables of their own. Knows its cells, lines and grounds; judges nothing.

A place may hold more than one table: two that stand side by side or one over the other, a table with the sums below it,
a sheet whose grid runs through letterhead, items and totals. Each part is proposed beside the whole.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Container, Iterable, Iterator, Sequence
from itertools import chain, combinations, pairwise
from statistics import median

from docparse_fast.document import Box, TableCell
from docparse_fast.drafting.blocks.line_ends import reads_on
from docparse_fast.drafting.lines import Line
from docparse_fast.drafting.measures import (
    EDGE,
    LARGER,
    SEVERAL,
    is_other_type,
    of_one_type,
)
from docparse_fast.drafting.tables.candidates import TableCandidate, part_of
from docparse_fast.drafting.tables.grid import box_of
from docparse_fast.drafting.tables.heads import is_figure
from docparse_fast.drafting.tables.side_by_side import open_gutters
from docparse_fast.drafting.words import CAPTION
from docparse_fast.geometry import Filed, parted

MOST_CUTS = 4  # between rows, the plainest: fifteen parts
WIDE_STEP = 1.5  # of the usual step from row to row


def parts_of(whole: TableCandidate, lines: Sequence[Line]) -> Iterator[TableCandidate]:
    """Runs of rows between the plainest cuts, and the columns left and right of the widest white."""
    cells = whole.filled
    ends = [0, *sorted(_cuts(whole.rows)), whole.height]
    for top, bottom in combinations(ends, 2):
        held = [cell for cell in cells if top <= cell.row < bottom]
        if bottom - top < whole.height and all(cell.row + cell.rows <= bottom for cell in held):
            yield from part_of(whole, held, lines)
    widest = max(open_gutters(cells, whole.width), key=lambda gutter: gutter[2] - gutter[1], default=None)
    if widest is not None:
        for side in parted(cells, lambda cell: cell.column < widest[0]):
            yield from part_of(whole, side, lines)


def at_heads(whole: TableCandidate, lines: Sequence[Line]) -> list[TableCandidate]:
    """The tables of a place whose head returns, or stands out below others; one line at the left above is a name."""
    said = whole.said
    fewest = max(SEVERAL, whole.width / 2)  # a group's name may run over a column's edge
    several = [n for n, row in enumerate(said) if len(row) >= SEVERAL and not _has_figures(row)]
    full = [n for n in several if len(said[n]) >= fewest]
    names = _names(whole, lines)
    ways = _returning(said, several, names), _below_headings(whole, names, lines), _in_other_type(whole, full, lines)
    starts = next(filter(any, ways), [])
    ends = [*(n - (n - 1 in names) for n in starts), whole.height]
    return _parts_between(whole, whole.filled, zip((0, *starts), ends, strict=True), lines) if starts else []


def _parts_between(
    whole: TableCandidate, cells: Sequence[TableCell], bounds: Iterable[tuple[int, int]], lines: Sequence[Line]
) -> list[TableCandidate]:
    parts = ([cell for cell in cells if top <= cell.row < bottom] for top, bottom in bounds)
    return [part for held in parts for part in part_of(whole, held, lines)]


def _names(whole: TableCandidate, lines: Sequence[Line]) -> set[int]:
    """The rows of one cell, or of one line over rows of several: its words may stand in several columns."""
    by_level = Filed((lines[n].box.center[1] for n in whole.lines), by=float)
    rows = [Box.around(map(box_of, row)) if row else None for row in whole.rows]
    counts = [len(by_level.between(row.y0, row.y1)) if row else 0 for row in rows]
    over = {n for n, (count, below) in enumerate(pairwise(counts)) if count == 1 < below}
    return over | {n for n, row in enumerate(whole.rows) if len(row) == 1}


def _below_headings(whole: TableCandidate, names: Iterable[int], lines: Sequence[Line]) -> list[int]:
    """The rows in another type, as heads are, below those names within the table that are in larger type than it."""
    usual = median(lines[n].size for n in whole.lines)
    large = [lines[n].box for n in whole.lines if lines[n].size > LARGER * usual and is_other_type(lines[n], usual)]
    apart = _rows_of(whole, _set_apart(whole, lines))
    stand_out = _rows_of(whole, lambda cell: any(box.holds(cell) for box in large))
    return [n + 1 for n in sorted(names) if 0 < n < whole.height - SEVERAL and apart[n + 1] and stand_out[n]]


def _returning(said: Sequence[tuple[str, ...]], heads: Sequence[int], names: Container[int]) -> list[int]:
    """Those that say the same, if one line stands above each, but for one at the top."""
    head, _ = next(iter(Counter(said[n] for n in heads).most_common(1)), ((), 0))
    starts = [n for n in heads if said[n] == head]
    unnamed = (n for n in starts if n - 1 not in names)
    return starts if len(starts) >= SEVERAL and not any(unnamed) else []


def _in_other_type(whole: TableCandidate, heads: Sequence[int], lines: Sequence[Line]) -> list[int]:
    """Those rows that are in another type than the table, as a head, below rows or a name that are not."""
    apart = _rows_of(whole, _set_apart(whole, lines))
    starts = [n for n in heads if apart[n] and (n == 0 or not apart[n - 1] or _may_end(whole.rows[n - 1]))]
    return starts if 2 * sum(apart) < len(apart) else []


def _set_apart(whole: TableCandidate, lines: Sequence[Line]) -> Callable[[Box], bool]:
    """Whether a line in another type than most stands in a cell, or the cell in it."""
    types = {n: lines[n].typeface for n in whole.lines}
    usual = Counter(types.values()).most_common(1)
    other = [lines[n].box for n, its in types.items() if its != usual[0][0]]
    return lambda box: any(box.holds(each) or each.holds(box) for each in other)


def _may_end(row: Sequence[TableCell]) -> bool:
    """Whether a head may follow: below a name, or figures."""
    return (len(row) == 1 and row[0].column == 0) or _has_figures([cell.text for cell in row])


def _has_figures(row: Sequence[str]) -> bool:
    return any(map(is_figure, row))


def _rows_of(whole: TableCandidate, is_so: Callable[[Box], bool]) -> list[bool]:
    return [bool(row) and all(is_so(box_of(cell)) for cell in row) for row in whole.rows]


def _cuts(rows: Sequence[Sequence[TableCell]]) -> list[int]:
    """The rows before which the table may end: after wide white, at a jump in their cells, where a head returns.

    A jump counts the less the more often it is made: notes below some rows are the table's own.
    """
    filled = [n for n, row in enumerate(rows) if row]
    if len(filled) < SEVERAL:
        return []
    boxes = {n: Box.around(map(box_of, rows[n])) for n in filled}
    steps = {below: boxes[below].y0 - boxes[above].y1 for above, below in pairwise(filled)}
    unit = median(max(1.0, boxes[below].y0 - boxes[above].y0) for above, below in pairwise(filled))
    usual = median(steps.values())
    head = [cell.text for cell in rows[filled[0]]]
    jumps = Counter((len(rows[above]), len(rows[below])) for above, below in pairwise(filled))
    worth = {}
    for above, below in pairwise(filled):
        wide = (steps[below] - usual) / unit
        counts = len(rows[above]), len(rows[below])
        jump = 1 - min(counts) / max(counts)
        again = [cell.text for cell in rows[below]] == head
        worth[below] = (wide if wide > WIDE_STEP - 1 else 0.0) + (jump / jumps[counts] if jump >= 0.5 else 0.0) + again
    plainest = sorted((n for n in worth if worth[n] > 0), key=lambda n: worth[n], reverse=True)
    return plainest[:MOST_CUTS]


def without_text(
    whole: TableCandidate, texts: Sequence[Sequence[int]], lines: Sequence[Line]
) -> Iterator[TableCandidate]:
    """The same without paragraphs, given by their lines, that stand beside rows: all else, or above and below."""
    beside = {n: cells for n, text in enumerate(texts) if (cells := _torn(text, whole, lines))}
    parts = _without(set(chain(*beside.values())), whole, lines) if beside else []
    words = frozenset(chain(*(texts[n] for n in beside)))
    yield from [part for part in parts if part.lines.isdisjoint(words)] or [whole]


def _without(torn: set[TableCell], whole: TableCandidate, lines: Sequence[Line]) -> list[TableCandidate]:
    rest, at = [cell for cell in whole.filled if cell not in torn], [cell.row for cell in torn]
    bounds = (0, min(at)), (min(at), whole.height), (max(at) + 1, whole.height)
    return list(dict.fromkeys([*part_of(whole, rest, lines), *_parts_between(whole, rest, bounds, lines)]))


def _torn(text: Sequence[int], whole: TableCandidate, lines: Sequence[Line]) -> list[TableCell]:
    """The cells that it fills, if others stand beside several, and it reads on or isn't level with them."""
    stack = [lines[n] for n in text]
    held = [cell for cell in whole.filled if any(box_of(cell).holds(line.box) for line in stack)]
    others = [cell for row in {cell.row for cell in held} for cell in whole.rows[row] if cell not in held]
    if not others:
        return held if len(held) > 1 else []
    beside = len({cell.row for cell in others}) > 1
    return held if beside and (reads_on(stack) or not _are_level(stack, others)) else []


def _are_level(stack: Sequence[Line], cells: Sequence[TableCell]) -> bool:
    return all(any(abs(line.box.y1 - box_of(cell).y1) < EDGE * line.size for cell in cells) for line in stack)


def in_its_sheet(whole: TableCandidate, lines: Sequence[Line]) -> TableCandidate:
    """A printed sheet's table alone: without what fills a cell or two of each row, beyond an empty row of the grid."""
    rows = Counter(row for cell in whole.cells if cell.text for row in range(cell.row, cell.row + cell.rows))
    full = sorted(row for row, count in rows.items() if count > SEVERAL) or [0]
    top = max(set(range(full[0])) - rows.keys(), default=-1) + 1
    bottom = min(set(range(full[-1], whole.height)) - rows.keys(), default=whole.height)
    held = [cell for cell in whole.cells if top <= cell.row < bottom]
    return whole if len(held) == len(whole.cells) else next(part_of(whole, held, lines), whole)


def without_name(whole: TableCandidate, lines: Sequence[Line]) -> TableCandidate | None:
    """The same without a first row that begins with a heading or is a caption; none if no rows are left then."""
    rows = whole.rows
    if whole.reader == "lattice" or not rows[0]:
        return whole
    alone, first = len(rows[0]) == 1, min(rows[0], key=lambda cell: cell.column)
    if (alone and _stands_over(rows, lines)) or _is_larger(first, whole, lines, alone=alone):
        rest = part_of(whole, [cell for cell in whole.filled if cell.row > 0], lines)
        return next(rest, whole if len(rows) > SEVERAL else None)
    return whole


def without_foot(whole: TableCandidate, lines: Sequence[Line]) -> TableCandidate:
    """The same without last rows of one cell that is set in another size: notes and other text."""
    if whole.reader == "lattice":
        return whole
    usual, last = median(lines[n].size for n in whole.lines), whole.height
    while last > SEVERAL and _is_note(whole.rows[last - 1], usual, whole, lines):
        last -= 1
    kept = [cell for cell in whole.filled if cell.row < last]
    return whole if last == whole.height else next(part_of(whole, kept, lines), whole)


def _is_note(row: Sequence[TableCell], usual: float, whole: TableCandidate, lines: Sequence[Line]) -> bool:
    held = _lines_of(row[0], whole.lines, lines) if len(row) == 1 else []
    return bool(held) and all(is_other_type(lines[n], usual) for n in held)


def _is_larger(cell: TableCell, whole: TableCandidate, lines: Sequence[Line], *, alone: bool) -> bool:
    """Whether it is in larger type than the table's: beside others than all of it, since articles' names may be so."""
    in_it = _lines_of(cell, whole.lines, lines)
    others = [lines[n].size for n in whole.lines.difference(in_it)]
    if not in_it or not others:
        return False
    size, usual = min(lines[n].size for n in in_it), median(others) if alone else max(others)
    return size > usual and not of_one_type(size, usual)


def _stands_over(rows: Sequence[Sequence[TableCell]], lines: Sequence[Line]) -> bool:
    """Whether the first row's one cell, no group's name, is a caption, or bold as nothing below is."""
    (name,), below = rows[0], rows[1] if len(rows) > 1 else ()
    grouped = any(len(row) == 1 for row in rows[1:])
    if CAPTION.match(name.text) or name.column > 0 or grouped or not below:
        return CAPTION.match(name.text) is not None
    return _is_bold(name, lines) and not any(_is_bold(cell, lines) for cell in below)


def _is_bold(cell: TableCell, lines: Sequence[Line]) -> bool:
    return any(lines[n].bold for n in _lines_of(cell, range(len(lines)), lines))


def _lines_of(cell: TableCell, numbers: Iterable[int], lines: Sequence[Line]) -> list[int]:
    return [n for n in numbers if box_of(cell).holds(lines[n].box)]
