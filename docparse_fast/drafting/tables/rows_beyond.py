"""What stands right above and below a table and belongs to it: rows, its head, its sums, words of its last row.

Knows its cells and the lines that no table has; judges nothing.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from docparse_fast.document import Box, TableCell
from docparse_fast.drafting.blocks.line_ends import STOP
from docparse_fast.drafting.lines import Line
from docparse_fast.drafting.measures import EDGE, LEADING, SEVERAL, in_one_row, is_other_type
from docparse_fast.drafting.tables.candidates import TableCandidate
from docparse_fast.drafting.tables.cell_evidence import kind
from docparse_fast.drafting.tables.grid import begins_at, box_of, cell_words, piece_of
from docparse_fast.drafting.tables.heads import is_figure
from docparse_fast.drafting.tables.places import rows_of
from docparse_fast.drafting.tables.white_slots import PLAIN, runs_of


def with_rest(whole: TableCandidate, lines: Sequence[Line], free: frozenset[int]) -> TableCandidate:
    """The same with what goes on below a cell of its last row, not the first, where nothing stands beside it."""
    for cell in whole.rows[-1][1:] if whole.reader != "lattice" else ():
        rest = _below(box_of(cell), whole, lines, free)
        if rest is not None:
            line = lines[rest]
            longer = replace(cell, text=f"{cell.text}\n{line.text}", box=Box.around((box_of(cell), line.box)))
            cells = tuple(longer if each is cell else each for each in whole.cells)
            box, held = Box.around((whole.box, line.box)), whole.lines | {rest}
            return with_rest(replace(whole, box=box, cells=cells, lines=held), lines, free - {rest})
    return whole


def with_rows_beyond(table: TableCandidate, lines: Sequence[Line], free: frozenset[int]) -> TableCandidate:
    """The same with free rows right above and below it: where rules stand between rows alone, two have one rule."""
    return with_sums_below(with_rows_above(table, lines, free), lines, free)


def with_rows_above(table: TableCandidate, lines: Sequence[Line], free: frozenset[int]) -> TableCandidate:
    """The same with rows like one of its own, and a head: words in a row right above, one over each column.

    A head may stand over the name of a group.
    """
    row = _row_above(table, lines, free)
    cells = _cells([lines[n] for n in row], table, 0)
    longer = _longer(table, (*cells, *(replace(cell, row=cell.row + 1) for cell in table.cells)), cells, row)
    if _name_columns(cells, table):
        return longer
    if _is_like_some(cells, table):
        return with_rows_above(longer, lines, free.difference(row))
    headed = with_rows_above(longer, lines, free.difference(row)) if _may_name_group(cells) else longer
    return headed if _name_columns(headed.rows[0], headed) else table


def _is_like_some(cells: Sequence[TableCell], table: TableCandidate) -> bool:
    """Whether it is like a row of a table that begins without a head."""
    headless = any(is_figure(cell.text) for cell in table.rows[0])
    return len(cells) > SEVERAL and headless and any(_are_alike(cells, row) for row in table.rows)


def _may_name_group(cells: Sequence[TableCell]) -> bool:
    """Whether it is words alone, no sentence's end."""
    return len(cells) == 1 and kind(cells[0].text) == "words" and not STOP.search(cells[0].text)


def _row_above(table: TableCandidate, lines: Sequence[Line], free: frozenset[int]) -> list[int]:
    near = [n for n in free if 0 < table.box.y0 - lines[n].box.center[1] < _step(table) and _is_along(lines[n], table)]
    return rows_of(lines, near)[-1] if near else []


def with_sums_below(table: TableCandidate, lines: Sequence[Line], free: frozenset[int]) -> TableCandidate:
    """The same with a row right below it of figures, each below a column's: sums, or one more as its last."""
    row = [n for n in free if 0 < lines[n].box.center[1] - table.box.y1 < _step(table) and _is_along(lines[n], table)]
    sums = _cells([lines[n] for n in row], table, table.height)
    if not _are_sums(sums, table.rows[-1]):
        return table
    return _longer(table, (*table.cells, *sums), sums, row)


def _step(table: TableCandidate) -> float:
    return table.box.height / max(table.height, 1)


def _is_along(line: Line, table: TableCandidate) -> bool:
    return line.box.overlap_x(table.box.expanded(line.box.height)) > 0


def _longer(
    table: TableCandidate, cells: tuple[TableCell, ...], added: Sequence[TableCell], row: Sequence[int]
) -> TableCandidate:
    box = Box.around((table.box, *map(box_of, added)))
    return replace(table, box=box, cells=cells, lines=table.lines.union(row))


def _cells(row: Sequence[Line], table: TableCandidate, number: int) -> list[TableCell]:
    """What stands side by side in a row, each in the one column that it stands over or under; none if one has none."""
    if not all(in_one_row(row[0].box, line.box) for line in row):
        return []
    words = sorted(cell_words(row), key=lambda word: word[0].x0)
    parts = [piece_of(run) for run in runs_of(words, PLAIN * max((line.box.height for line in row), default=0.0))]
    columns = _columns(table)
    over = [n for part in parts for n in _along(part.box, columns)]
    if len(over) != len(parts) or len(set(over)) < len(over):
        return []
    return [TableCell(number, column, part.text, box=part.box) for part, column in zip(parts, over, strict=True)]


def _along(box: Box, columns: Mapping[int, Sequence[Box]]) -> list[int]:
    """The columns that it stands over or under: of several the one with its middle, without any the nearest.

    What begins where the first one does is in that.
    """
    if any(begins_at(each.x0, box) for each in columns.get(0, ())):
        return [0]
    off = {n: min(map(box.gap_x, boxes)) for n, boxes in columns.items()}
    over = [n for n, white in off.items() if white < 0] or [min(off, key=lambda n: off[n])]
    return _with_middle(box, over, columns) or over


def _with_middle(box: Box, over: Sequence[int], columns: Mapping[int, Sequence[Box]]) -> list[int]:
    """The one column in which its middle is, if there is one."""
    under = [n for n in over if any(each.x0 <= box.center[0] <= each.x1 for each in columns[n])]
    return under if len(under) == 1 else []


def _columns(table: TableCandidate) -> dict[int, list[Box]]:
    """Where the cells of each column stand; one that may run over an empty one beside it only where no other tells."""
    full = {(cell.row, cell.column + n) for cell in table.filled for n in range(cell.columns)}
    found: dict[int, list[TableCell]] = {}
    for cell in table.filled:
        if cell.columns == 1:
            found.setdefault(cell.column, []).append(cell)
    closed = {n: [cell for cell in cells if _is_closed(cell, full, table.width)] or cells for n, cells in found.items()}
    return {n: list(map(box_of, cells)) for n, cells in closed.items()}


def _is_closed(cell: TableCell, full: set[tuple[int, int]], width: int) -> bool:
    return all(n in (-1, width) or (cell.row, n) in full for n in (cell.column - 1, cell.column + 1))


def _are_sums(row: Sequence[TableCell], last: Sequence[TableCell]) -> bool:
    """Whether it is figures, behind a name as a rule, or words and figures stand where the last row has them."""
    figures = [is_figure(cell.text) for cell in row]
    named = len(row) > 1 and kind(row[0].text) == "words" and all(figures[1:])
    return named or (all(figures) and len(row) >= SEVERAL) or _are_alike(row, last)


def _are_alike(row: Sequence[TableCell], other: Sequence[TableCell]) -> bool:
    """Whether words and figures stand where another row has them."""
    here, there = ([(cell.column, kind(cell.text) == "words") for cell in cells] for cells in (row, other))
    return here == there and any(is_figure(cell.text) for cell in row)


def _name_columns(heads: Sequence[TableCell], table: TableCandidate) -> bool:
    return SEVERAL < len(heads) == table.width and not any(is_figure(head.text) for head in heads)


def _below(cell: Box, whole: TableCandidate, lines: Sequence[Line], free: frozenset[int]) -> int | None:
    """The one free line right below a cell, if it begins where the cell does and is in its last line's type."""
    held = [lines[n] for n in whole.lines if cell.holds(lines[n].box)]
    near = [n for n in free if lines[n].box.overlap_x(whole.box) > 0 and _is_near(cell, lines[n].box)]
    if not held or len(near) != 1:
        return None
    last, line = max(held, key=lambda line: line.box.y1), lines[near[0]]
    alike = abs(line.box.x0 - cell.x0) < EDGE * line.size and not is_other_type(line, last.size)
    return near[0] if alike else None


def _is_near(cell: Box, line: Box) -> bool:
    return 0 <= line.y0 - cell.y1 < LEADING * line.height
