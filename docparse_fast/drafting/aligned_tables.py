"""Tables without a lattice: rows that stand level and columns that stand in line. Knows lines and rules only.

Two signs are trusted: a stack of rules as wide as each other (top, middle and bottom rule), and successive rows parted
by the same gaps. Columns of prose pass neither: their lines fill the columns they stand in.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from itertools import groupby, pairwise
from statistics import median

from docparse_fast.document import Box, TableCell
from docparse_fast.drafting.lines import Line
from docparse_fast.drafting.paragraphs import BULLET, CJK, MARKER
from docparse_fast.drafting.reading_order import columns

LEVEL = 0.5  # of the lower line's height shared by two lines of one row
FEWEST_ROWS = 3  # of several cells, in a table without rules; with rules two are enough
CLOSE_ROWS = 3.2  # line heights from one row's middle to the next within a table
LONGEST_CELL = 60  # letters in a usual cell; more are prose
FULL = 0.85  # of a column's width: prose fills its columns, cells don't
PROSE_LETTERS = 15  # in a line that may be prose, of three words or more
RUNNING_ON = 0.6  # of the cells begin in lower case: lines of prose do, cells don't
GAP = 0.45  # of the type's size: narrowest gap between two columns
CROSSED = 0.2  # of the rows may cross a gap: they are headings that span
SAME_ENDS = 6.0  # pixels per 10 of type size by which rules of one table may differ in where they begin and end
CURRENCY = re.compile(r"(?:US|C|A|HK)?[$€£¥]|(?:USD|EUR|GBP|RMB|CNY)")
CLOSING = re.compile(r"[)%†‡*]{1,3}")
NUMBER = re.compile(r"[(\[~≈<>≤≥±+−–-]*\s*[$€£¥]?\s*\d[\d.,\s%()\]/±×·–−:+e-]*[%†‡*]*|[-–—]+|n/?a", re.IGNORECASE)
CONTENTS = re.compile(r"^(?P<title>.*?\w.*?)\s*(?:(?:[.·_]\s?){4,}|…{2,}\s?)[.…\s]*(?P<page>[\w-]{1,8})?\s*$")


@dataclass(frozen=True, slots=True)
class AlignedTable:
    box: Box
    cells: tuple[TableCell, ...]
    lines: frozenset[int]  # indexes of the lines it is made of


def aligned_tables(lines: Sequence[Line], rules: Sequence[Box]) -> list[AlignedTable]:
    """Tables among `lines`, none sharing a line with another."""
    found: list[AlignedTable] = []
    taken: set[int] = set()
    level_rules = [rule for rule in rules if rule.width > 4 * rule.height]
    for box in _ruled_boxes(level_rules, lines):
        inside = [i for i in range(len(lines)) if not lines[i].mono and i not in taken and _holds(box, lines[i].box)]
        table = _table(_rows(lines, inside), lines, level_rules, ruled=True)
        if table is not None:
            found.append(replace(table, box=Box.around((table.box, box))))
            taken |= table.lines
    rest = [i for i in range(len(lines)) if i not in taken and not lines[i].mono]
    for table in _contents(lines, rest):
        found.append(table)
        taken |= table.lines
    for group in _groups(lines, [i for i in rest if i not in taken]):
        for run in _runs(_rows(lines, [i for i in group if i not in taken]), lines):
            table = _table(run, lines, level_rules, ruled=False)
            if table is not None:
                found.append(table)
                taken |= table.lines
    return found


def _holds(box: Box, other: Box) -> bool:
    x, y = other.center
    return box.x0 <= x <= box.x1 and box.y0 <= y <= box.y1


# ------------------------------------------------------------------------------------------- candidates


def _ruled_boxes(rules: Sequence[Box], lines: Sequence[Line]) -> list[Box]:
    """Between the first and the last of at least two rules that begin and end alike, with no prose between them."""
    if not lines:
        return []
    near = SAME_ENDS * median(line.size for line in lines) / 10
    stacks: list[list[Box]] = []
    for rule in sorted(rules, key=lambda rule: rule.y0):
        stack = next((s for s in stacks if _alike(s[-1], rule, near) and not _prose_between(s[-1], rule, lines)), None)
        if stack is None:
            stacks.append([rule])
        else:
            stack.append(rule)
    boxes = [Box.around(stack).expanded(1) for stack in stacks if len(stack) > 1]
    return sorted((box for box in boxes if box.height > 2 * near), key=lambda box: -box.area)


def _alike(a: Box, b: Box, near: float) -> bool:
    return abs(a.x0 - b.x0) < near and abs(a.x1 - b.x1) < near


def _prose_between(above: Box, below: Box, lines: Sequence[Line]) -> bool:
    between = Box(above.x0, above.y0, above.x1, below.y1)
    inside = [line for line in lines if _holds(between, line.box)]
    long = sum(line.box.width > 0.8 * between.width and len(line.plain) > 3 * PROSE_LETTERS for line in inside)
    return bool(inside) and long > 0.3 * len(inside)


def _groups(lines: Sequence[Line], members: Sequence[int]) -> list[list[int]]:
    """Where to look: each column of the page, and the page as a whole."""
    if not members:
        return []
    boxes = [lines[i].box for i in members]
    parts = [[members[n] for n in part] for part in columns(boxes, median(box.height for box in boxes))]
    return [list(members)] if len(parts) == 1 else [*parts, list(members)]


def _rows(lines: Sequence[Line], members: Sequence[int]) -> list[list[int]]:
    """Members that stand level, from the top; in a row from the left."""
    rows: list[list[int]] = []
    for index in sorted(members, key=lambda i: lines[i].box.center[1]):
        box = lines[index].box
        if rows and all(
            lines[other].box.overlap_y(box) > LEVEL * min(lines[other].box.height, box.height) for other in rows[-1]
        ):
            rows[-1].append(index)
        else:
            rows.append([index])
    return [sorted(row, key=lambda i: lines[i].box.x0) for row in rows]


def _runs(rows: Sequence[list[int]], lines: Sequence[Line]) -> list[list[list[int]]]:
    """Successive rows of several cells; one or two rows of one cell between them belong to the run."""
    runs: list[list[list[int]]] = []
    gap = 0
    for above, row in pairwise([[], *rows]):
        several = len(row) > 1
        near = bool(above) and _distance(above, row, lines) < CLOSE_ROWS
        if runs and near and gap <= 2:
            runs[-1].append(row)
            gap = 0 if several else gap + 1
        elif several:
            runs.append([row])
            gap = 0
        else:
            gap = 3
    return [
        _from_heading(_trimmed(run), rows, lines) for run in runs if sum(len(row) > 1 for row in run) >= FEWEST_ROWS
    ]


def _trimmed(run: list[list[int]]) -> list[list[int]]:
    while len(run[-1]) < 2:
        run = run[:-1]
    return run


def _from_heading(run: list[list[int]], rows: Sequence[list[int]], lines: Sequence[Line]) -> list[list[int]]:
    """With the row above it that is one heading over its later columns."""
    at = next(n for n, row in enumerate(rows) if row == run[0])
    if at == 0 or len(rows[at - 1]) > 1:
        return run
    above, first = lines[rows[at - 1][0]].box, lines[run[0][0]].box
    left = min(lines[row[0]].box.x0 for row in run)
    over = above.x0 > left + 3 * first.height and _distance(rows[at - 1], run[0], lines) < 2
    return [rows[at - 1], *run] if over else run


def _distance(above: Sequence[int], row: Sequence[int], lines: Sequence[Line]) -> float:
    """From one row to the next, in line heights."""
    a = Box.around(lines[i].box for i in above)
    b = Box.around(lines[i].box for i in row)
    return (b.center[1] - a.center[1]) / max(1.0, min(a.height, b.height))


def _contents(lines: Sequence[Line], members: Sequence[int]) -> list[AlignedTable]:
    """Lists of titles with dots that lead to their pages: tables of two columns, without the dots."""
    runs: list[list[list[int]]] = []
    for row in _rows(lines, members):
        leads = bool(CONTENTS.match(" ".join(lines[i].plain for i in row)))
        near = bool(runs) and _distance(runs[-1][-1], row, lines) < CLOSE_ROWS
        if leads and near:
            runs[-1].append(row)
        elif leads:
            runs.append([row])
    found = []
    for run in runs:
        if len(run) < FEWEST_ROWS:
            continue
        cells = []
        for n, row in enumerate(run):
            match = CONTENTS.match(" ".join(lines[i].plain for i in row))
            cells += [TableCell(n, c, (match[name] if match else "") or "") for c, name in enumerate(("title", "page"))]
        indexes = [i for row in run for i in row]
        found.append(AlignedTable(Box.around(lines[i].box for i in indexes), tuple(cells), frozenset(indexes)))
    return found


# ------------------------------------------------------------------------------------------------- table


@dataclass(slots=True)
class _Piece:
    """One or more neighbouring lines that are one cell's."""

    box: Box
    text: str
    members: list[int]
    first: int = 0  # column
    last: int = 0


@dataclass(slots=True)
class _Row:
    pieces: list[_Piece]
    box: Box = field(init=False)

    def __post_init__(self) -> None:
        self.box = Box.around(piece.box for piece in self.pieces)


def _table(
    rows: Sequence[list[int]], lines: Sequence[Line], rules: Sequence[Box], *, ruled: bool
) -> AlignedTable | None:
    if sum(len(row) > 1 for row in rows) < (2 if ruled else FEWEST_ROWS):
        return None
    made = [_Row(_pieces(row, lines)) for row in rows]
    size = median(lines[i].size for row in rows for i in row)
    edges = _edges(made, GAP * size)
    if not edges or not _is_tabular(made, edges, ruled):
        return None
    for row in made:
        _place(row, edges, rules)
    grouped = _wrapped_rows_joined(made, len(edges) + 1, rules)
    cells = [
        TableCell(n, first, " ".join(piece.text for piece in pieces), columns=last - first + 1)
        for n, row in enumerate(grouped)
        for (first, last), pieces in _by_place(row)
    ]
    box = Box.around(row.box for row in made)
    return AlignedTable(box, tuple(cells), frozenset(i for row in rows for i in row))


def _by_place(row: _Row) -> list[tuple[tuple[int, int], list[_Piece]]]:
    ordered = sorted(row.pieces, key=lambda piece: (piece.first, piece.last, piece.box.y0, piece.box.x0))
    return [(place, list(pieces)) for place, pieces in groupby(ordered, key=lambda piece: (piece.first, piece.last))]


def _pieces(row: Sequence[int], lines: Sequence[Line]) -> list[_Piece]:
    """A row's lines as cells-to-be: a currency sign goes with the number behind it, a bracket with the one before."""
    pieces: list[_Piece] = []
    for index in row:
        line = lines[index]
        before = pieces[-1] if pieces else None
        close = before is not None and line.box.x0 - before.box.x1 < 12 * line.size
        if before is not None and close and CURRENCY.fullmatch(before.text) and line.plain[:1] in "0123456789(-–—−.":
            before.text, before.box = f"{before.text} {line.text}", Box.around((before.box, line.box))
            before.members.append(index)
        elif before is not None and CLOSING.fullmatch(line.plain) and NUMBER.fullmatch(before.text):
            before.text, before.box = before.text + line.text, Box.around((before.box, line.box))
            before.members.append(index)
        else:
            pieces.append(_Piece(line.box, line.text, [index]))
    return pieces


def _edges(rows: Sequence[_Row], narrowest: float) -> list[float]:
    """Where columns part: middles of the gaps that hardly a row of several cells crosses."""
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


def _has_cells(rows: Sequence[_Row], edges: Sequence[float], n: int) -> bool:
    """Whether something stands in the column that ends at edge `n`: ragged ends make gaps that part nothing."""
    return any(edges[n] < piece.box.center[0] < edges[n + 1] for row in rows for piece in row.pieces)


def _is_tabular(rows: Sequence[_Row], edges: Sequence[float], ruled: bool) -> bool:
    several = [row for row in rows if len(row.pieces) > 1]
    pieces = [piece for row in several for piece in row.pieces]
    texts = [piece.text for piece in pieces]
    first = [row.pieces[0].text for row in several]
    markers = sum(bool(MARKER.match(text + " x")) or bool(re.fullmatch(BULLET, text)) for text in first)
    if len(edges) < 2 and markers > 0.5 * len(first):
        return False  # a list, its markers set apart
    numbers = sum(bool(NUMBER.fullmatch(text)) for text in texts)
    letters = median(len(text) for text in texts)
    if letters > LONGEST_CELL or (numbers < 0.2 * len(texts) and _prose(several, edges, ruled)):
        return False
    cased = [text for text in texts if text[:1].isalpha() and text[:1].lower() != text[:1].upper()]
    if numbers < 0.2 * len(texts) and sum(text[:1].islower() for text in cased) > RUNNING_ON * len(cased) > 2:
        return False
    if ruled:
        return True
    if len(several) < 0.5 * len(rows):
        return False
    if len(edges) == 1:
        return numbers > 0.3 * len(texts) or (letters <= 25 and len(several) > FEWEST_ROWS)
    return True


def _prose(rows: Sequence[_Row], edges: Sequence[float], ruled: bool) -> bool:
    """Whether lines fill their columns, as text set in columns does: most lines of all, or of one column."""
    columns_of: list[list[_Piece]] = [[] for _ in range(len(edges) + 1)]
    for row in rows:
        for piece in row.pieces:
            columns_of[sum(piece.box.center[0] > edge for edge in edges)].append(piece)
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


def _place(row: _Row, edges: Sequence[float], rules: Sequence[Box]) -> None:
    """Each cell's columns: those it reaches into, or, of a heading, those that the rule below it spans."""
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


def _wrapped_rows_joined(rows: Sequence[_Row], count: int, rules: Sequence[Box]) -> list[_Row]:
    """Rows whose cells all go on from the cells above them are the rest of those."""
    steps = [b.box.center[1] - a.box.center[1] for a, b in pairwise(rows)]
    usual = median(steps) if steps else 0.0
    named = sum(row.pieces[0].first == 0 for row in rows) > 0.6 * len(rows)
    joined = [_Row(list(rows[0].pieces))]
    for above, row, step in zip(rows, rows[1:], steps, strict=False):
        parted = any(above.box.center[1] < rule.y0 < row.box.center[1] and rule.overlap_x(row.box) for rule in rules)
        if not parted and named and step < 1.05 * usual and _goes_on(joined[-1], row, count):
            joined[-1] = _Row([*joined[-1].pieces, *row.pieces])
        else:
            joined.append(_Row(list(row.pieces)))
    return joined


def _goes_on(above: _Row, row: _Row, count: int) -> bool:
    places = {(piece.first, piece.last) for piece in above.pieces}
    return (
        row.pieces[0].first > 0
        and len({piece.first for piece in row.pieces}) <= max(1, count // 2)
        and all((piece.first, piece.last) in places for piece in row.pieces)
        and not any(NUMBER.fullmatch(piece.text) for piece in row.pieces)
        and len(row.pieces) < len(above.pieces)
    )
