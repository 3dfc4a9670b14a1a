"""Where a table may stand: rows of several lines side by side, one near below the other. Knows lines alone.

Columns of prose stand so too, and so do labels over their values: what it is is not decided here.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import accumulate, chain, groupby, pairwise, repeat
from statistics import median

from docparse_fast.document import Box, TextLine
from docparse_fast.drafting.lines import Line, extent
from docparse_fast.drafting.measures import (
    EDGE,
    LARGER,
    ON_LEVEL,
    ONE_LEVEL,
    SEVERAL,
    WIDE,
    WIDE_STEP,
    WORDY,
    in_one_row,
    is_other_type,
    is_wide,
)
from docparse_fast.drafting.tables.heads import is_figure
from docparse_fast.geometry import Filed, around, level_rows, runs

NEAR_ROWS = 3.2  # of a line's height, from the middle of a row to that of the next
MOST_SIDES = 4  # of a place: more are labels of a drawing
FEWEST_LINES = 4
PlaceRow = list[int]


def level_places(lines: Sequence[Line]) -> list[list[PlaceRow]]:
    """Each place's rows, from its first to its last with several lines; rows are lines' numbers from left to right.

    Also with the row above, where that is one line over the later columns: a head.
    """
    rows = rows_of(lines, range(len(lines)))
    apart = _in_columns(rows, lines)
    runs: list[list[PlaceRow]] = [[]]
    alone = 0  # rows without two lines apart at the run's end
    for above, row in pairwise([[], *rows]):
        if not above or step_between(above, row, lines) > NEAR_ROWS:
            runs.append([])
        elif alone > SEVERAL:
            runs.append([above])
        runs[-1].append(row)
        alone = 0 if row[0] in apart else alone + 1
    places = [place for run in runs for place in _from_first_to_last(run, apart, lines)]
    return [place for place in places if _has_rows(place, apart, lines)]


def ruled_places(rules: Sequence[Box], lines: Sequence[Line]) -> Iterator[list[int]]:
    """The lines between the first and the last of rules that begin and end alike; also with the row right below."""
    stacks: dict[tuple[int, int], list[Box]] = {}
    for rule in rules:
        if rule.width > rule.height:
            stacks.setdefault((round(rule.x0 / ONE_LEVEL), round(rule.x1 / ONE_LEVEL)), []).append(rule)
    for place in (Box.around(stack).expanded(ONE_LEVEL) for stack in stacks.values() if len(stack) > 1):
        inside = [n for n, line in enumerate(lines) if place.holds(line.box)]
        if len(inside) >= FEWEST_LINES:
            yield inside
            if foot := _row_below(place, inside, lines):
                yield sorted([*inside, *foot])


def between_names(rows: Sequence[PlaceRow], lines: Sequence[Line]) -> list[list[PlaceRow]]:
    """The rows of a place from one heading or line of prose to the next."""
    members = [lines[n] for row in rows for n in row]
    if not members:
        return []
    usual, room = median(line.size for line in members), around(members)
    steps = [0.0, *(step_between(above, row, lines) for above, row in pairwise(rows))]
    far = WIDE_STEP * median(steps)
    headed = _begin_with_heads(rows, lines)
    begins = [step > far and (not headed[0] or below) for step, below in zip(steps, [*headed[1:], False], strict=True)]
    parting = [
        len(row) == 1
        and (
            _is_name(lines[row[0]], usual, room, apart=apart or _has_larger_letters(row, rows, lines))
            or _is_prose(lines[row[0]], others, lines)
        )
        for row, others, apart in zip(rows, [*rows[1:], []], begins, strict=True)
    ]
    parts = runs(range(len(rows)), lambda part, n: parting[part[-1]] == parting[n])
    return [[rows[n] for n in part] for part in parts if not parting[part[0]]]


def _has_larger_letters(alone: PlaceRow, rows: Sequence[PlaceRow], lines: Sequence[Line]) -> bool:
    """Whether a line alone has larger letters than most, and than each other that is alone: groups have names, too."""
    own, others = lines[alone[0]].letter_size, [row for row in rows if row is not alone]
    usual = median([lines[n].letter_size for row in others for n in row if lines[n].letter_size] or [math.inf])
    return own > LARGER * max(usual, *(lines[row[0]].letter_size for row in others if len(row) == 1), 0.0)


def _begin_with_heads(rows: Sequence[PlaceRow], lines: Sequence[Line]) -> list[bool]:
    """For each row whether the next one with lines apart, itself maybe, is words alone."""
    found, head = list[bool](), False
    for row in reversed(rows):
        if is_apart(row, lines):
            head = not any(map(str.isdecimal, "".join(lines[n].plain for n in row)))
        found.append(head)
    return found[::-1]


def _is_name(line: Line, usual: float, room: Box, *, apart: bool) -> bool:
    """Whether a line alone is in larger type, at the left or in the middle; a bold one's may be little larger.

    A scan's sizes wander: bold type tells where it is `apart`: its letters are larger, or more white than usual stands
    above it, and below the head of a table another table with one.
    """
    off = min(line.box.x0 - room.x0, abs(line.box.center[0] - room.center[0]))
    of_text = 2 * sum(map(str.isalpha, line.plain)) > len(line.plain)
    larger = line.size > LARGER * usual and is_other_type(line, usual)
    bold = line.bold and (round(line.size) > round(usual) if line.is_exact else apart)
    return off < line.box.height and of_text and (larger or bold)


def _is_prose(line: Line, below: PlaceRow, lines: Sequence[Line]) -> bool:
    """Whether a line alone is as long as prose, and runs over several columns of the row below."""
    return len(line.plain) > WORDY and sum(lines[n].box.overlap_x(line.box) > 0 for n in below) > SEVERAL


def from_heads(rows: Sequence[PlaceRow], lines: Sequence[Line]) -> list[list[PlaceRow]]:
    """The rows of a place from one head to the next, several below each, two above the first; none without a head."""
    heads = _heads(rows, lines)
    held = [list(some) for _, some in groupby(range(len(rows)), heads.__getitem__)]
    parts = runs(held, lambda _, some: not any(heads[n] and is_apart(rows[n], lines) for n in some))
    found = [[rows[n] for some in part for n in some] for part in parts] if len(parts) > 1 else []
    fewest = chain([SEVERAL], repeat(SEVERAL + 1))
    return [part for part, least in zip(found, fewest, strict=False) if len(part) >= least]


def _heads(rows: Sequence[PlaceRow], lines: Sequence[Line]) -> list[bool]:
    """Which rows are words alone in another type than most; none if many are, as labels over their values.

    Next to a row with a figure in their own type they are one like it: fields above a table.
    """
    types = {n: lines[n].typeface for row in rows for n in row}
    usual = Counter(types.values()).most_common(1)
    beside = _types_beside_figures(rows, lines)
    told = [
        not any(types[n] == usual[0][0] or types[n] in near or is_figure(lines[n].plain) for n in row)
        for row, near in zip(rows, beside, strict=True)
    ]
    return told if (SEVERAL + 1) * sum(told) <= len(rows) else [False] * len(rows)


def _types_beside_figures(rows: Sequence[PlaceRow], lines: Sequence[Line]) -> list[set[object]]:
    """For each row the types of rows next to it that have figures, where a file tells them."""
    figures = [any(lines[n].is_exact and is_figure(lines[n].plain) for n in row) for row in rows]
    told = [set(), *({lines[n].typeface for n in row if has} for row, has in zip(rows, figures, strict=True)), set()]
    return [above | below for above, below in zip(told, told[2:], strict=False)]


def sides_off_level(place: Sequence[PlaceRow], lines: Sequence[Line]) -> list[list[PlaceRow]]:
    """What stands beside each other in a place by chance, parted by white: few lines are level with one beyond it."""
    columns = _columns_of(list(chain.from_iterable(place)), lines)
    sides = runs(columns, lambda side, right: _goes_on(side[-1], right, lines))
    if not 1 < len(sides) <= MOST_SIDES:
        return []
    rows = (rows_of(lines, list(chain.from_iterable(side))) for side in sides)
    return [side for side in rows if sum(is_apart(row, lines) for row in side) >= SEVERAL]


def _columns_of(numbers: Sequence[int], lines: Sequence[Line]) -> list[list[int]]:
    """What white parts from top to bottom, from the left."""
    from_left = sorted(numbers, key=lambda n: lines[n].box.x0)
    ends = dict(zip(from_left[1:], accumulate((lines[n].box.x1 for n in from_left), max), strict=False))
    return runs(from_left, lambda _, n: lines[n].box.x0 - ends[n] < WIDE * lines[n].box.height)


def goes_on_beside(place: Sequence[PlaceRow], others: Sequence[int], lines: Sequence[Line]) -> bool:
    """Whether most of it stands level with short lines beside it: it is a part of a table."""
    held = list(chain.from_iterable(place))
    around = Box.around(lines[n].box for n in held)
    return _are_level(held, [n for n in others if not is_wide(lines[n]) and lines[n].box.overlap_y(around) > 0], lines)


def _goes_on(column: Sequence[int], right: Sequence[int], lines: Sequence[Line]) -> bool:
    """Whether both are columns of one side: one or two lines may be level by chance, as a title is with fields."""
    return min(len(column), len(right)) > SEVERAL and _are_level(column, right, lines)


def _are_level(left: Sequence[int], right: Sequence[int], lines: Sequence[Line]) -> bool:
    """Whether most lines of the side with fewer stand level with one of the other."""
    fewer, more = sorted((left, right), key=len)
    feet = Filed((lines[n].box.y1 for n in more), by=float)
    reach = [(lines[n].box.y1, ON_LEVEL * lines[n].box.height) for n in fewer]
    return 2 * sum(bool(feet.between(foot - near, foot + near)) for foot, near in reach) > len(fewer)


def _row_below(place: Box, held: Sequence[int], lines: Sequence[Line]) -> list[int]:
    """The row of several lines right below, from its left side: rules may part rows alone, and none close the last."""
    end, left = place.y1 + NEAR_ROWS / 2 * median(lines[n].box.height for n in held), min(lines[n].box.x0 for n in held)
    row = next(iter(rows_of(lines, [n for n, line in enumerate(lines) if place.y1 <= line.box.center[1] < end])), [])
    begins = any(abs(lines[n].box.x0 - left) < EDGE * lines[n].box.height for n in row)
    within = all(place.x0 <= lines[n].box.x0 and lines[n].box.x1 <= place.x1 for n in row)
    return row if len(row) > 1 and begins and within else []


def _in_columns(rows: Sequence[PlaceRow], lines: Sequence[Line]) -> set[int]:
    """The first lines of rows with lines apart, and of rows whose other lines begin where those of a row next do."""
    apart = {row[0] for row in rows if is_apart(row, lines)}
    for row, other in chain(pairwise(rows), pairwise(reversed(rows))):
        starts, edge = [lines[n].box.x0 for n in row[1:]], EDGE * lines[row[0]].size
        alike = [any(abs(lines[n].box.x0 - start) < edge for start in starts) for n in other[1:]]
        if row[0] in apart and alike and all(alike):
            apart.add(other[0])
    return apart


def _has_rows(place: Sequence[PlaceRow], apart: set[int], lines: Sequence[Line]) -> bool:
    """Whether enough rows have lines apart; or, of rows of short lines, begin where those of one that has."""
    alike = sum(row[0] in apart and not is_wide(lines[row[-1]]) for row in place)
    return sum(is_apart(row, lines) for row in place) >= SEVERAL or alike >= FEWEST_LINES


def is_apart(row: PlaceRow, lines: Sequence[Line]) -> bool:
    """Whether two of the row's lines have more than a blank between them."""
    return any(b.x0 - a.x1 > WIDE * min(a.height, b.height) for a, b in pairwise(extent(lines[n]) for n in row))


def step_between(above: PlaceRow, row: PlaceRow, lines: Sequence[Line]) -> float:
    """From the middle of one row to that of the next, in line heights."""
    a, b = (Box.around(lines[n].box for n in each) for each in (above, row))
    return (b.center[1] - a.center[1]) / max(1.0, min(a.height, b.height))


def _from_first_to_last(run: list[PlaceRow], apart: set[int], lines: Sequence[Line]) -> list[list[PlaceRow]]:
    several = [n for n, row in enumerate(run) if row[0] in apart]
    if not several:
        return []
    place = run[several[0] : several[-1] + 1]
    above = run[several[0] - 1] if several[0] else []
    is_head = len(above) == 1 and lines[above[0]].box.x0 > lines[place[0][0]].box.x1
    return [place, [above, *place]] if is_head else [place]


def rows_of(lines: Sequence[Line | TextLine], members: Sequence[int]) -> list[list[int]]:
    """Members grouped into rows, top to bottom; each row from left to right."""

    def is_level(row: Sequence[int], i: int) -> bool:
        return all(in_one_row(lines[other].box, lines[i].box) for other in row)

    return level_rows(members, is_level, lambda i: lines[i].box)
