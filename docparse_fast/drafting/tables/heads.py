"""Finds the head of a born-digital table: bold rows, rows above a rule that no other rows have, rows on a ground.

Knows cells with their boxes, and what is set and drawn there; reads no word but to tell numbers.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import pairwise, takewhile

from docparse_fast.document import Box, TableCell, TextSpan
from docparse_fast.drafting.blocks.code_rows import letters
from docparse_fast.drafting.measures import LEADING, MOST, MOSTLY, SAME_DRAWN
from docparse_fast.drafting.tables.grid import MOST_HEADS, looks_like_number
from docparse_fast.drafting.words import NUMBER_CELL
from docparse_fast.geometry import Filed, parted
from docparse_fast.text.joined_text import hyphenated, joined

YEAR = range(1900, 2101)


@dataclass(frozen=True)
class SetAndDrawn:
    """What is set and drawn on the page."""

    spans: Sequence[TextSpan]
    rules: Sequence[Box]
    areas: Sequence[Box]

    @cached_property
    def terms(self) -> frozenset[str]:
        return hyphenated(span.text for span in self.spans)


def with_whole_texts(table: Box, cells: Sequence[TableCell], looks: SetAndDrawn) -> list[TableCell]:
    """The same cells, each one's lines joined, those that span others and those of the head told."""
    whole = [replace(cell, text=joined(cell.text.split("\n"), looks.terms)) for cell in cells]
    return with_heads(table, spanned_evenly(spanned_by_rules(table, whole, looks.rules)), looks)


def with_heads(table: Box, cells: Sequence[TableCell], looks: SetAndDrawn) -> list[TableCell]:
    """The same cells, those of the head marked."""
    rows = _rows(cells)
    if len(rows) < 2 or any(cell.header for cell in cells):
        return list(cells)
    most = min(MOST_HEADS, len(rows) - 1)
    drawn, bold = _above_rule(table, rows, looks.rules), _bold(rows[: most + 1], looks.spans)
    heights = (_without_group(way, cells) for way in (drawn, bold, _on_ground(table, rows, looks.areas)))
    height = next((each for each in heights if 0 < each <= most and not _hold_figures(cells, each, len(rows))), 0)
    return [replace(cell, header=cell.row < height) for cell in cells]


def _without_group(height: int, cells: Sequence[TableCell]) -> int:
    """How many rows of a head are left if its last one names a group, as rows below do: it has the first cell alone."""
    filled = Counter(cell.row for cell in cells if cell.text)
    names = {cell.row for cell in cells if cell.text and cell.column == 0 and filled[cell.row] == 1}
    return height - 1 if height > 1 and height - 1 in names and max(names) >= height else height


def spanned_by_rules(table: Box, cells: Sequence[TableCell], rules: Sequence[Box]) -> list[TableCell]:
    """The same cells; one that stands right above a rule over several columns, alone there, spans them."""
    middles = _middles(cells)
    across, down = parted(rules, lambda rule: rule.width > rule.height)
    filed = Filed(across, by=lambda rule: rule.y0)
    spans = {}
    for cell in (head := [cell for cell in cells if cell.row < MOST_HEADS]):
        under = (_between(down, rule, cell) for rule in _underlining(cell, filed))
        over = _over([rule for rule in under if rule.width < MOSTLY * table.width][:1], middles)
        level = (other for other in head if other.row <= cell.row < other.row + other.rows)
        if len(over) > 1 and not any(each.text and each is not cell and each.column in over for each in level):
            spans[cell.row, cell.column] = replace(cell, column=over[0], columns=len(over))
    taken = {(span.row, span.column + n) for span in spans.values() for n in range(span.columns)}
    kept = [c for c in cells if (c.row, c.column) not in spans and (c.text or (c.row, c.column) not in taken)]
    return sorted([*kept, *spans.values()], key=_place)


def spanned_evenly(cells: Sequence[TableCell]) -> list[TableCell]:
    """The same cells; names in the first row span as many heads below each, if each is near the middle of its own."""
    heads = [cell for cell in _filled(cells, 1) if cell.columns == 1]
    under = {head.column for head in heads}
    names = _names_over(cells, under)
    parts = _equal_parts(heads, len(names))
    if not parts or not all(map(_is_over_middle, names, parts)):
        return list(cells)
    spans = [replace(c, column=part[0].column, columns=len(part)) for c, part in zip(names, parts, strict=True)]
    kept = [cell for cell in cells if cell.row > 0 or cell.column not in under]
    return sorted([*kept, *spans], key=_place)


def _names_over(cells: Sequence[TableCell], columns: set[int]) -> list[TableCell]:
    return [cell for cell in _filled(cells, 0) if columns & set(range(cell.column, cell.column + cell.columns))]


def _filled(cells: Sequence[TableCell], row: int) -> list[TableCell]:
    return sorted((cell for cell in cells if cell.row == row and cell.text), key=_place)


def _equal_parts(heads: Sequence[TableCell], count: int) -> list[Sequence[TableCell]]:
    size = len(heads) // max(1, count)
    if min(size, count) < 2 or size * count < len(heads) or any(is_figure(head.text) for head in heads):
        return []
    return [heads[n : n + size] for n in range(0, len(heads), size)]


def _place(cell: TableCell) -> tuple[int, int]:
    return cell.row, cell.column


def _is_over_middle(name: TableCell, heads: Sequence[TableCell]) -> bool:
    """Whether it stands over the middle of heads side by side: figures set right move it by half a column at most."""
    boxes = [head.box for head in heads if head.box]
    side_by_side = heads[-1].column - heads[0].column == len(heads) - 1
    if name.box is None or len(boxes) < len(heads) or not side_by_side:
        return False
    around = Box.around(boxes)
    return abs(name.box.center[0] - around.center[0]) < around.width / len(heads) / 2


def _between(down: Sequence[Box], rule: Box, cell: TableCell) -> Box:
    """The piece of a rule below a cell from one of those that come down on it to the next."""
    middle = cell.box.center[0] if cell.box else rule.x0
    ends = [each.center[0] for each in down if each.y0 < rule.y0 - SAME_DRAWN <= each.y1]
    left, right = ([x for x in ends if x < middle], [x for x in ends if x > middle])
    return Box(max([rule.x0, *left]), rule.y0, min([rule.x1, *right]), rule.y1)


def _over(rules: Sequence[Box], middles: Mapping[int, float]) -> range:
    """The columns over a rule, if they are side by side."""
    over = sorted(n for n, x in middles.items() if any(rule.x0 <= x <= rule.x1 for rule in rules))
    whole = range(over[0], over[-1] + 1) if over else range(0)
    return whole if len(whole) == len(over) else range(0)


def _underlining(cell: TableCell, rules: Filed[Box]) -> list[Box]:
    """The rules right below a cell's words; none below a number."""
    box = cell.box
    if box is None or not cell.text or NUMBER_CELL.fullmatch(cell.text):
        return []
    near = rules.between(box.y1 - LEADING / 2 * box.height, box.y1 + LEADING * box.height)
    return [rule for rule in near if rule.x0 <= box.center[0] <= rule.x1]


def _middles(cells: Sequence[TableCell]) -> dict[int, float]:
    """Where the middle of each column's words is."""
    of_column: dict[int, list[Box]] = {}
    for cell in cells:
        if cell.columns == 1 and cell.box is not None:
            of_column.setdefault(cell.column, []).append(cell.box)
    return {column: Box.around(boxes).center[0] for column, boxes in of_column.items()}


def _rows(cells: Sequence[TableCell]) -> list[Box]:
    """Where each row's words stand, as far as every row has some: cells of several rows don't tell."""
    of_row: list[list[Box]] = [[] for _ in range(max((cell.row for cell in cells), default=-1) + 1)]
    for cell in cells:
        if cell.rows == 1 and cell.box is not None:
            of_row[cell.row].append(cell.box)
    return [Box.around(boxes) for boxes in takewhile(bool, of_row)]


def _counts(cells: Sequence[TableCell], row: int) -> bool:
    """Whether most of a row's cells are numbers, years aside."""
    texts = [cell.text for cell in cells if cell.row == row and cell.text]
    return sum(NUMBER_CELL.fullmatch(text) is not None and not is_year(text) for text in texts) > MOST * len(texts)


def _hold_figures(cells: Sequence[TableCell], height: int, rows: int) -> bool:
    """Whether one of the upper rows counts; or has a figure, where one row is below them: that is their sum."""
    above = (cell.text for cell in cells if cell.row < height) if height == rows - 1 else ()
    return any(_counts(cells, row) for row in range(height)) or any(map(_is_counted, above))


def _is_counted(text: str) -> bool:
    return NUMBER_CELL.fullmatch(text) is not None and not is_year(text)


def is_figure(text: str) -> bool:
    return looks_like_number(text) and not is_year(text)


def are_counts(texts: Sequence[str]) -> bool:
    return bool(texts) and list(texts) == [str(n) for n in range(1, len(texts) + 1)]


def is_year(text: str) -> bool:
    return text.isdecimal() and int(text) in YEAR


def _above_rule(table: Box, rows: Sequence[Box], rules: Sequence[Box]) -> int:
    """The number of rows above the first rule between two, if few others are parted so; the last may be a sum."""
    wide = [rule for rule in rules if rule.width > MOSTLY * table.width and rule.overlap_x(table) > 0]
    levels = Filed((rule.center[1] for rule in wide), by=float)
    gaps = [bool(levels.between(above.y1 - SAME_DRAWN, below.y0 + SAME_DRAWN)) for above, below in pairwise(rows)]
    few = sum(gaps[:-1]) < max(2, MOST * len(gaps)) and not all(gaps)
    return gaps.index(True) + 1 if any(gaps) and few else 0


def _bold(rows: Sequence[Box], spans: Sequence[TextSpan]) -> int:
    """The number of bold rows at the top; none if all that are looked at are bold."""
    for n, row in enumerate(rows):
        level = [span for span in spans if row.holds(span.box) and any(map(str.isalnum, span.text))]
        if not level or letters(span for span in level if span.bold) < MOSTLY * letters(level):
            return n
    return 0


def _on_ground(table: Box, rows: Sequence[Box], areas: Sequence[Box]) -> int:
    """The number of rows on the topmost ground, if nothing else is painted behind the rest."""
    wide = [area for area in areas if area.width > MOSTLY * table.width and area.overlap_y(table) > 0]
    grounds = [area for area in wide if area.covers(rows[0]) > MOSTLY]
    if not grounds:
        return 0
    ground = min(grounds, key=lambda area: area.height)
    on = [ground.covers(row) > MOSTLY for row in rows]
    height = on.index(False) if False in on else 0
    others = [area for area in wide if area.height < table.height / 2 and area is not ground]
    return 0 if any(area.covers(row) > MOSTLY for area in others for row in rows[height:]) else height
