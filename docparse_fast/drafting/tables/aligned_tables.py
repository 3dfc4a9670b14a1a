"""Tables without a lattice: rows that stand level and columns that stand in line. Knows lines and rules only.

Two signs count: a stack of rules of equal width (top, middle and bottom rule), and successive rows with gaps at the
same places. Columns of prose fail both tests, because their lines fill the columns.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import pairwise
from statistics import median

from docparse_fast.document import Box, TableCell
from docparse_fast.drafting.blocks.reading_order import columns
from docparse_fast.drafting.lines import Line
from docparse_fast.drafting.measures import SHORT_PROSE
from docparse_fast.drafting.tables.aligned_cells import FEWEST_ROWS, PROSE_LETTERS, AlignedTable, table_of
from docparse_fast.drafting.words import BULLET

LEVEL = 0.5  # of the lower line's height shared by two lines of one row
CLOSE_ROWS = 3.2  # line heights from one row's middle to the next within a table
FULL_LINE = 0.8  # of the widest line: a line as long, alone in its row, ends a table
FEWEST_STEPS = 2  # from row to row between rules: then rows beyond the first and the last rule are known by theirs
FEWEST_CELLS = 3  # of a row beyond them
FARTHEST_STEP = 1.4  # of the usual step from row to row
TYPED_PAGE = 0.8  # of a page's lines: as many in typewriter's type, and all of it is
SAME_ENDS = 6.0  # pixels per 10 of type size by which rules of one table may differ in where they begin and end
CONTENTS = "contents"  # the reader of lists with leaders
LEADER = re.compile(r"(?:[.·_]\s?){4}|…")  # quick to look for; few lines have one
LED = re.compile(r"(?:(?:[.·_]\s?+){4,}+|…{2,}+\s?+)[.…\s]*+")
PAGE, LONGEST_PAGE = re.compile(r"[\w-]*"), 8
WORD = re.compile(r"\w")


def aligned_tables(
    lines: Sequence[Line], rules: Sequence[Box], taken: Iterable[int] = (), strips: Sequence[Sequence[int]] = ()
) -> list[AlignedTable]:
    """The tables among `lines`, but for those `taken`; each line belongs to one table at most.

    `strips` are the columns of a sheet.
    """
    found: list[AlignedTable] = []
    taken = set(taken)
    level_rules = [rule for rule in rules if rule.width > 4 * rule.height]
    typed = _typed(lines)
    for box in _ruled_boxes(level_rules, lines):
        free = [i for i in range(len(lines)) if i not in typed and i not in taken]
        inside = [i for i in free if _holds(box, lines[i].box)]
        rows = rows_of(lines, inside)
        rows = _with_rows_beyond(
            rows, rows_of(lines, [i for i in free if _over(box, lines[i].box)]), level_rules, lines
        )
        table = table_of(rows, lines, level_rules, ruled=True)
        if table is not None:
            table = replace(table, box=Box.around((table.box, box)))
        else:
            table = table_of(_inner(rows), lines, level_rules, ruled=True)
        if table is not None:
            found.append(table)
            taken |= table.lines
    rest = [i for i in range(len(lines)) if i not in taken and i not in typed]
    left = set(rest)
    for table in _contents(lines, rest):
        found.append(table)
        taken |= table.lines
    for group in strips or groups(lines, [i for i in rest if i not in taken]):
        for run in _runs(rows_of(lines, [i for i in group if i in left and i not in taken]), lines):
            table = table_of(run, lines, level_rules, ruled=False)
            if table is not None:
                found.append(table)
                taken |= table.lines
    return found


def _typed(lines: Sequence[Line]) -> set[int]:
    """Typed lines with nothing else beside them: code, and not a cell's word. On a typed page they tell nothing."""
    typed = [i for i, line in enumerate(lines) if line.mono]
    if len(typed) > TYPED_PAGE * len(lines):
        return set()
    others = [line.box for line in lines if not line.mono] if typed else []
    return {i for i in typed if not any(lines[i].box.overlap_y(o) > LEVEL * lines[i].box.height for o in others)}


def _with_rows_beyond(
    rows: list[list[int]], around: Sequence[list[int]], rules: Sequence[Box], lines: Sequence[Line]
) -> list[list[int]]:
    """The rows between rules, with as full a row above the first rule or below the last, if a rule parts every two."""
    boxes = [Box.around(lines[i].box for i in row) for row in rows]
    steps = [below.center[1] - above.center[1] for above, below in pairwise(boxes)]
    full = max(map(len, rows), default=0)
    if len(steps) < FEWEST_STEPS or full < FEWEST_CELLS or not all(_parted(a, b, rules) for a, b in pairwise(boxes)):
        return rows
    reach = FARTHEST_STEP * median(steps)
    first = next((n for n, row in enumerate(around) if row[0] == rows[0][0]), None)
    if first is None:  # a row among those around begins elsewhere than the same row between rules
        return rows
    before, after = list(around[:first]), list(around[first + len(rows) :])
    while before and len(before[-1]) == full and _middle(rows[0], lines) - _middle(before[-1], lines) < reach:
        rows = [before.pop(), *rows]
    while after and len(after[0]) == full and _middle(after[0], lines) - _middle(rows[-1], lines) < reach:
        rows = [*rows, after.pop(0)]
    return rows


def _middle(row: Sequence[int], lines: Sequence[Line]) -> float:
    return Box.around(lines[i].box for i in row).center[1]


def _parted(above: Box, below: Box, rules: Sequence[Box]) -> bool:
    return any(above.center[1] < rule.y0 < below.center[1] and rule.overlap_x(below) for rule in rules)


def _over(box: Box, other: Box) -> bool:
    return box.x0 <= other.x0 and other.x1 <= box.x1


def _holds(box: Box, other: Box) -> bool:
    x, y = other.center
    return box.x0 <= x <= box.x1 and box.y0 <= y <= box.y1


# ------------------------------------------------------------------------------------------- candidates


def _ruled_boxes(rules: Sequence[Box], lines: Sequence[Line]) -> list[Box]:
    """Boxes from the first to the last of two or more rules with the same start and end, and no prose between them."""
    if not lines:
        return []
    near = SAME_ENDS * median(line.size for line in lines) / 10
    lines = sorted(lines, key=_level)
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


def _level(line: Line) -> float:
    return line.box.center[1]


def _prose_between(above: Box, below: Box, lines: Sequence[Line]) -> bool:
    """`lines` are ordered by their levels."""
    between = Box(above.x0, above.y0, above.x1, below.y1)
    first, end = bisect_left(lines, between.y0, key=_level), bisect_right(lines, between.y1, key=_level)
    inside = [line for line in lines[first:end] if _holds(between, line.box)]
    long = sum(line.box.width > 0.8 * between.width and len(line.plain) > 3 * PROSE_LETTERS for line in inside)
    return bool(inside) and long > 0.3 * len(inside)


def groups(lines: Sequence[Line], members: Sequence[int]) -> list[list[int]]:
    """The groups of lines to search: each column of the page that has prose, and the whole page.

    Without prose, a column may be one of a table's. There is none where too few lines stand side by side.
    """
    if sum(len(row) > 1 for row in rows_of(lines, members)) < FEWEST_ROWS:
        return []
    boxes = [lines[i].box for i in members]
    unit = median(box.height for box in boxes)
    parts = [[members[n] for n in part] for part in columns(boxes, unit)]
    prose = [part for part in parts if any(lines[i].box.width > SHORT_PROSE * lines[i].size for i in part)]
    rest = [i for part in parts if part not in prose for i in part]
    if _side_by_side([Box.around(lines[i].box for i in part) for part in prose]):
        return [*prose, rest]
    return [list(members)] if len(parts) == 1 else [*prose, list(members)]


def _side_by_side(columns: Sequence[Box]) -> bool:
    return any(a.overlap_y(b) > 0 and a.overlap_x(b) == 0 for a in columns for b in columns if a is not b)


def rows_of(lines: Sequence[Line], members: Sequence[int]) -> list[list[int]]:
    """Members grouped into rows, top to bottom; each row from left to right."""
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
    """Runs of successive rows with several cells; a run may include one or two rows of one cell between them."""
    runs: list[list[list[int]]] = []
    gap = 0
    widest = max((lines[i].box.width for row in rows for i in row), default=0.0)
    for above, row in pairwise([[], *rows]):
        several = len(row) > 1 and not (len(row) == 2 and re.fullmatch(BULLET, lines[row[0]].plain))
        if len(row) == 1 and lines[row[0]].box.width > max(SHORT_PROSE * lines[row[0]].size, FULL_LINE * widest):
            gap = 3
            continue
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


def _inner(rows: Sequence[list[int]]) -> list[list[int]]:
    """The rows from the first to the last with several cells: a sentence may stand between a rule and a table."""
    several = [n for n, row in enumerate(rows) if len(row) > 1]
    return list(rows[several[0] : several[-1] + 1]) if several else []


def _trimmed(run: list[list[int]]) -> list[list[int]]:
    while len(run[-1]) < 2:
        run = run[:-1]
    return run


def _from_heading(run: list[list[int]], rows: Sequence[list[int]], lines: Sequence[Line]) -> list[list[int]]:
    """Adds the row above if it is one heading over the later columns."""
    at = next(n for n, row in enumerate(rows) if row == run[0])
    if at == 0 or len(rows[at - 1]) > 1:
        return run
    above, first = lines[rows[at - 1][0]].box, lines[run[0][0]].box
    left = min(lines[row[0]].box.x0 for row in run)
    over = above.x0 > left + 3 * first.height and _distance(rows[at - 1], run[0], lines) < 2
    return [rows[at - 1], *run] if over else run


def _distance(above: Sequence[int], row: Sequence[int], lines: Sequence[Line]) -> float:
    """The distance between two successive rows, in line heights."""
    a = Box.around(lines[i].box for i in above)
    b = Box.around(lines[i].box for i in row)
    return (b.center[1] - a.center[1]) / max(1.0, min(a.height, b.height))


def _title_and_page(text: str) -> tuple[str, str] | None:
    """What stands before a row's leader, and after it.

    >>> _title_and_page("1 Nets . . . . . 12"), _title_and_page("Name ______"), _title_and_page("a . . . . b c")
    (('1 Nets', '12'), ('Name', ''), None)
    """
    text = text.rstrip()
    word = WORD.search(text)
    for led in LED.finditer(text, word.end()) if word else ():
        if len(text) - led.end() <= LONGEST_PAGE and PAGE.fullmatch(text, led.end()):
            return text[: led.start()].rstrip(), text[led.end() :]
    return None


def _contents(lines: Sequence[Line], members: Sequence[int]) -> list[AlignedTable]:
    """Tables of contents with dot leaders, as tables of two columns without the dots."""
    runs: list[list[list[int]]] = []
    for row in rows_of(lines, members):
        text = " ".join(lines[i].plain for i in row)
        leads = LEADER.search(text) is not None and _title_and_page(text) is not None
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
            found_here = _title_and_page(" ".join(lines[i].plain for i in row)) or ("", "")
            cells += [TableCell(n, c, words) for c, words in enumerate(found_here)]
        indexes = [i for row in run for i in row]
        found.append(
            AlignedTable(Box.around(lines[i].box for i in indexes), tuple(cells), frozenset(indexes), CONTENTS)
        )
    return found
