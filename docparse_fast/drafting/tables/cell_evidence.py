"""What is measured on the cells of a proposed table: kinds that agree, heads, counting, type, rules, grounds.

Knows cells, their words and lines, and what is drawn in them; judges nothing.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import pairwise
from operator import eq
from statistics import fmean, median

from docparse_fast.document import Box, TableCell
from docparse_fast.drafting.lines import Line
from docparse_fast.drafting.measures import ENOUGH, FEWEST, MOSTLY, ON_BASELINE, ON_LEVEL, ONE_LEVEL
from docparse_fast.drafting.tables.candidates import TableCandidate
from docparse_fast.drafting.tables.grid import box_of, looks_like_number, row_boxes
from docparse_fast.drafting.tables.table_html import places_of
from docparse_fast.drafting.words import BOXES, INDEX
from docparse_fast.geometry import Filed, parted

_DATE = re.compile(r"\d{1,4}[./-]\d{1,2}(?:[./-]\d{1,4})?\.?|\d{1,2}:\d{2}")


@lru_cache(maxsize=4096)
def kind(text: str) -> str:
    """
    >>> [kind(text) for text in ("1,200.50", "03.04.2026", "AB-12", "Flour")]
    ['number', 'date', 'code', 'words']
    """
    text = text.strip()
    if _DATE.fullmatch(text):
        return "date"
    if looks_like_number(text) or sum(map(str.isdigit, text)) > sum(map(str.isalpha, text)):
        return "number"
    return "code" if any(map(str.isdigit, text)) and " " not in text else "words"


def pure(columns: Sequence[Sequence[TableCell]]) -> float:
    """The share of cells that are of their column's usual kind."""
    counts = [Counter(kind(cell.text) for cell in column) for column in columns if column]
    total = sum(sum(count.values()) for count in counts)
    return sum(max(count.values()) for count in counts) / total if total else 1.0


def numeric(column: Sequence[TableCell]) -> bool:
    return bool(column) and 2 * sum(kind(cell.text) == "number" for cell in column) > len(column)


def headed(rows: Sequence[Sequence[TableCell]], columns: Sequence[Sequence[TableCell]]) -> float:
    """The share of columns of numbers that begin with a word."""
    figures = {n for n, column in enumerate(columns) if numeric(column)}
    named = {cell.column for cell in rows[0] if kind(cell.text) == "words"} if rows else set()
    return len(figures & named) / max(1, len(figures))


def returning(rows: Sequence[Sequence[TableCell]]) -> float:
    """The share of the head's texts that a head beside it says again, or another row one of its words."""
    head = [cell.text for cell in rows[0]] if rows else []
    below = {cell.text for row in rows[1:] for cell in row if kind(cell.text) == "words"}
    counts = Counter(head)
    return sum(counts[text] > 1 or text in below for text in head) / max(1, len(head))


def twofold(columns: Sequence[Sequence[TableCell]]) -> float:
    """How much it looks like two tables side by side: unlike labels begin anew behind figures, the rest is alike."""
    kinds = ["figures" if numeric(column) else "labels" if column else "" for column in columns]
    cuts = [n for n in range(2, len(kinds) - 1) if kinds[n - 1] == "figures" and kinds[n] == "labels"]
    alike = {n: sum(map(eq, kinds[:n], kinds[n:])) / max(n, len(kinds) - n) for n in cuts}
    return max((alike[n] * len({cell.text for cell in columns[n]}) / len(columns[n]) for n in cuts), default=0.0)


def lines_of_cells(cells: Sequence[TableCell], held: Sequence[Line]) -> list[list[Line]]:
    """The lines that stand in each cell."""
    filed = Filed(held, by=lambda line: line.box.center[1])
    boxes = map(box_of, cells)
    return [[line for line in filed.between(box.y0, box.y1) if box.holds(line.box)] for box in boxes]


def off_level(rows: Sequence[Sequence[TableCell]], held: Sequence[Line]) -> float:
    """The share of neighbours in rows whose first lines, last lines and middles all stand on other baselines.

    Rows have one; what stands beside each other by chance, as an address and fields, hardly does, and many rows do not
    nearly: an OCR's layer knows no more. A cell with an index may stand lower.
    """
    many = len(rows) > 2 * FEWEST
    filed = Filed((line for line in held if line.plain not in BOXES), by=lambda line: line.box.center[1])
    ordered = (sorted(row, key=lambda cell: cell.column) for row in rows)
    told = [[lines for cell in row if (lines := _lines_in(cell, filed))] for row in ordered]
    level = [_are_level(a, b, many=many) or _have_index([*a, *b]) for row in told for a, b in pairwise(row)]
    return level.count(False) / max(1, len(level))


def _have_index(lines: Iterable[Line]) -> bool:
    return any(INDEX.search(line.text) for line in lines)


def _lines_in(cell: TableCell, filed: Filed[Line]) -> list[Line]:
    """The lines of which words stand in a cell of one row, from above."""
    if (box := cell.box) is None or cell.rows > 1:
        return []
    return sorted((n for n in filed.between(box.y0, box.y1) if n.box.overlap_x(box) > 0), key=lambda n: n.baseline)


def _are_level(a: Sequence[Line], b: Sequence[Line], *, many: bool) -> bool:
    """Larger type in the same row stands lower by as much as it is larger."""
    first, last = b[0].baseline - a[0].baseline, b[-1].baseline - a[-1].baseline
    least = ON_BASELINE if a[0].is_exact and not many else ON_LEVEL
    near = least * min(a[0].size, b[0].size) + abs(a[0].size - b[0].size)
    return min(abs(first), abs(last), abs(first + last) / 2) <= near


def in_other_type(
    cells: Sequence[TableCell], inside: Sequence[Sequence[Line]], is_first: Callable[[TableCell], bool]
) -> float:
    """How much type differs in size and weight: that of labels from that of values, of a head from its rows."""
    of_cell = list(zip(cells, inside, strict=True))
    ours, theirs = (
        [line for cell, lines in of_cell if is_first(cell) is first for line in lines] for first in (True, False)
    )
    if not ours or not theirs:
        return 0.0
    sizes = math.log(median(line.size for line in ours) / median(line.size for line in theirs))
    weights = fmean(map(_weight, ours)) - fmean(map(_weight, theirs))
    return abs(sizes) + abs(weights)


def steps(inside: Sequence[Sequence[Line]], rows: Sequence[Sequence[TableCell]], unit: float) -> tuple[float, float]:
    """The widest step from line to line in a cell, and the least from one row to the next, in lines' heights."""
    levels = [sorted(line.box.center[1] for line in lines) for lines in inside]
    within = [below - above for each in levels for above, below in pairwise(each)]
    between = [below.y0 - above.y1 for above, below in pairwise(row_boxes(rows))]
    return max(within, default=0.0) / unit, 1 + min(between, default=0.0) / unit


def lone_near(rows: Sequence[Sequence[TableCell]]) -> float:
    """The white above rows of one cell, in that above the others: little where a cell's text goes on in them."""
    boxes = zip((len(row) for row in rows if row), row_boxes(rows), strict=True)
    white = [(count, max(0.0, box.y0 - above.y1)) for (_, above), (count, box) in pairwise(boxes)]
    lone, others = ([gap for count, gap in white if (count == 1) is single] for single in (True, False))
    return min(3.0, median(lone) / max(1.0, median(others))) if lone and others else 1.0


def _weight(line: Line) -> float:
    return line.weight or float(line.bold)


NEAR_END = 1.5  # of a line's height, from a table's end to the rule that closes it
INNER = 0.3  # of a line's height: a rule as near to a cell's edge underlines its words


def crossed(whole: TableCandidate, held: Sequence[Line], rules: Sequence[Box]) -> int:
    """How many cells have a rule through the whole table between their lines: below it stands another row."""
    drawn = Filed((rule.center[1] for rule in rules if rule.overlap_x(whole.box) > MOSTLY * whole.box.width), by=float)
    inner = INNER * median([line.box.height for line in held] or [0.0])
    boxes = (box_of(cell) for cell in whole.filled if cell.rows == 1)
    return sum(bool(drawn.between(box.y0 + inner, box.y1 - inner)) for box in boxes if 2 * inner < box.height)


def rules_across(rows: Sequence[Sequence[TableCell]], rules: Sequence[Box], around: Box) -> float:
    """The share of gaps between rows in which a rule is drawn."""
    wide = [rule.center[1] for rule in rules if rule.width > 0.5 * around.width and rule.overlap_x(around) > 0]
    middles = [box.center[1] for box in row_boxes(rows)]
    drawn = Filed(wide, by=float)
    gaps = [any(above < y < below for y in drawn.between(above, below)) for above, below in pairwise(middles)]
    return sum(gaps) / len(gaps) if gaps else 0.0


def in_bands(rows: Sequence[Sequence[TableCell]], areas: Sequence[Box], around: Box) -> tuple[float, float]:
    """How many rows a ground holds, usually, and the share of grounds whose edges cut a row; nothing without bands."""
    bands = _bands(areas, around)
    if len(bands) < ENOUGH:
        return 0.0, 0.0
    boxes = row_boxes(rows)
    on = [[box for box in boxes if box.overlap_y(band) > INNER * min(box.height, band.height)] for band in bands]
    cut = [any(box.overlap_y(band) < MOSTLY * box.height for box in held) for band, held in zip(bands, on, strict=True)]
    return float(median(map(len, on))), sum(cut) / len(bands)


def over_bands(whole: TableCandidate, held: Sequence[Line], areas: Sequence[Box]) -> bool:
    """Whether a cell has lines on one of several rows' grounds and lines off it."""
    bands = _bands(areas, whole.box)
    if len(bands) < ENOUGH:
        return False
    inside = lines_of_cells([cell for cell in whole.filled if cell.rows == 1], held)
    return any(
        len({band.y0 < line.box.center[1] < band.y1 for line in lines}) > 1 for lines in inside for band in bands
    )


def _bands(areas: Sequence[Box], around: Box) -> list[Box]:
    """Grounds as wide as the table, also where each cell has one of its own."""
    level: dict[tuple[int, int], list[Box]] = {}
    for area in areas:
        if 2 * area.height < around.height and around.y0 < area.center[1] < around.y1 and area.overlap_x(around) > 0:
            level.setdefault((round(area.y0 / ONE_LEVEL), round(area.y1 / ONE_LEVEL)), []).append(area)
    bands = (Box.around(cells) for cells in level.values())
    return [band for band in bands if band.overlap_x(around) > MOSTLY * around.width]


def closed(rows: Sequence[Sequence[TableCell]], rules: Sequence[Box], around: Box, unit: float) -> tuple[float, float]:
    """Whether a rule as wide as the table stands right above its first row, and right below its last."""
    boxes = row_boxes(rows)
    if not boxes:
        return 0.0, 0.0
    wide = [rule for rule in rules if rule.height < rule.width < around.width / MOSTLY]
    levels = [rule.center[1] for rule in wide if rule.overlap_x(around) > MOSTLY * around.width]
    above, below = boxes[0].y0 + INNER * unit, boxes[-1].y1 - INNER * unit
    near = NEAR_END * unit
    return float(any(above - near < y < above for y in levels)), float(any(below < y < below + near for y in levels))


def as_drawn(cells: Sequence[TableCell], rules: Sequence[Box], *, by_lines: bool = False) -> float:
    """How well rules part the cells: the share of neighbouring places with a rule between cells, none within one.

    `by_lines`: rows without any rule between them don't count, since their lines tell them.
    """
    owner = {place: n for n, cell in enumerate(cells) for place in places_of(cell)}
    levels, middles = _middles(cells)
    turned = {(column, row): cell for (row, column), cell in owner.items()}
    level, upright = parted(rules, lambda rule: rule.width > rule.height)
    below = list(_joints(turned, middles, levels, [Box(rule.y0, rule.x0, rule.y1, rule.x1) for rule in level]))
    joints = [*_joints(owner, levels, middles, upright), *(_at_rules(below) if by_lines else below)]
    drawn = any(between for _, between, _ in joints)
    return sum(between is two for _, between, two in joints) / len(joints) if drawn else 0.0


def _at_rules(below: Sequence[tuple[int, bool, bool]]) -> list[tuple[int, bool, bool]]:
    ruled = {row for row, between, _ in below if between}
    return [joint for joint in below if joint[0] in ruled]


def _joints(
    owner: Mapping[tuple[int, int], int],
    levels: Mapping[int, float],
    middles: Mapping[int, float],
    rules: Sequence[Box],
) -> Iterator[tuple[int, bool, bool]]:
    """Of places side by side: the first's column, if an upright rule stands between, if they are two cells."""
    filed = Filed(rules, by=lambda rule: rule.center[0])
    for (row, column), cell in owner.items():
        beside = row, column + 1
        if beside in owner and row in levels and {column, column + 1} <= middles.keys():
            between = filed.between(middles[column], middles[column + 1])
            yield column, any(rule.y0 <= levels[row] <= rule.y1 for rule in between), cell != owner[beside]


def _middles(cells: Sequence[TableCell]) -> tuple[dict[int, float], dict[int, float]]:
    """The height at which each row's words stand, and where the middle of each column's is."""
    rows: dict[int, list[float]] = {}
    columns: dict[int, list[Box]] = {}
    for cell in cells:
        if cell.box is not None and cell.text and cell.rows == 1:
            rows.setdefault(cell.row, []).append(cell.box.center[1])
        if cell.box is not None and cell.text and cell.columns == 1:
            columns.setdefault(cell.column, []).append(cell.box)
    return (
        {row: median(places) for row, places in rows.items()},
        {column: Box.around(boxes).center[0] for column, boxes in columns.items()},
    )


def gutter(
    cells: Sequence[TableCell], width: int, unit: float, rules: Sequence[Box], around: Box
) -> tuple[float, float]:
    """The widest white between two columns, beside the usual one; and the share of level rules that run through it."""
    ends: dict[int, float] = {}
    starts: dict[int, float] = {}
    for cell in cells:
        start, end, box = cell.column, cell.column + cell.columns, box_of(cell)
        ends[end] = max(ends.get(end, -math.inf), box.x1)
        starts[start] = min(starts.get(start, math.inf), box.x0)
    inner = [(ends[n], starts[n]) for n in range(1, width) if n in ends and n in starts]
    white = [(max(0.0, right - left), (left + right) / 2) for left, right in inner]
    if not white:
        return 0.0, 1.0
    widest, middle = max(white)
    level = [rule for rule in rules if rule.width > rule.height and around.holds(rule)]
    through = sum(rule.x0 < middle < rule.x1 for rule in level) / len(level) if level else 1.0
    return math.log((unit + widest) / (unit + median(gap for gap, _ in white))), through
