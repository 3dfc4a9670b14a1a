"""The order within one column: rows, and stacks of lines side by side, as signatures, read one by one. Knows lines."""

from __future__ import annotations

import re
from bisect import bisect
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from itertools import accumulate, chain, combinations, pairwise
from statistics import median

from docparse_fast.document import Box
from docparse_fast.drafting.blocks.line_ends import READS_ON, reads_on
from docparse_fast.drafting.blocks.panels import hangs_below, on_rules
from docparse_fast.drafting.lines import Line, extent
from docparse_fast.drafting.measures import (
    EDGE,
    ENOUGH,
    INDENT,
    LEADING,
    MOST_DRAWN,
    MOSTLY,
    ON_LEVEL,
    SEVERAL,
    SEVERAL_LINES,
    in_one_row,
    is_other_type,
    is_wide,
)
from docparse_fast.drafting.words import MARKER, PLAIN_BULLETS
from docparse_fast.geometry import around, level_rows
from docparse_fast.text.characters import COLONS, SQUARE_LETTERS

LEVEL_FEET = 0.35  # of the lower line's height, between the feet of lines that stand level
MOST_LINES, MOST_LEVEL_LINES = 9, 6  # of a stack; more that stand level are rows
FIGURES = re.compile(r"[\W\d]*\w{0,3}[\W\d]*")  # and a unit or currency
FIELD = re.compile(rf"[^\W\d_][^:：]{{0,30}}(?::\s+|(?<={SQUARE_LETTERS.pattern})[:：]\s*)\S")
MIXED = re.compile(r"(?=\D*\d)[\W\d_]*[^\W\d_]")
FULL_STOP = re.compile(r"(?<![\s.])(?<!\.\w)\.$|。$")  # `s.c.` and `S.A.` end names
MOST_OF_ROW = 100  # boxes that the next one is compared with, the lowest first; stacks beside each other


def rows(boxes: Sequence[Box], members: Sequence[int], pictures: Collection[int] = ()) -> list[list[int]]:
    """The members of one column, top to bottom; those that stand side by side are one row, left to right.

    A line that begins beside one of the `pictures` is, too: a title's last may end below a mark.

    >>> table, above, below = Box(0, 100, 200, 200), Box(230, 98, 400, 108), Box(231, 112, 390, 122)
    >>> rows([below, table, above, Box(0, 60, 400, 70)], range(4))
    [[3], [1, 2, 0]]
    """

    def begins_beside(n: int, index: int) -> bool:
        return n in pictures and boxes[n].y0 < boxes[index].y0 < boxes[n].y1

    def is_in_row(row: Sequence[int], index: int) -> bool:
        near = row[: -MOST_OF_ROW - 1 : -1]
        level = (boxes[n] for n in near if in_one_row(boxes[n], boxes[index]) or begins_beside(n, index))
        return any(box.overlap_x(boxes[index]) < 0.5 * min(box.width, boxes[index].width) for box in level)

    usual = median(boxes[i].height for i in members) if members else 0.0
    tops = {i: replace(boxes[i], y1=boxes[i].y0 + min(boxes[i].height, SEVERAL_LINES * usual)) for i in members}
    return [_from_left(row, boxes) for row in level_rows(members, is_in_row, tops.__getitem__)]


def _from_left(row: Sequence[int], boxes: Sequence[Box]) -> list[int]:
    """A row's members from the left, what stands over one another from above."""
    ends = accumulate((boxes[i].x1 for i in row), max)
    apart = [0, *accumulate(int(boxes[i].x0 >= end) for i, end in zip(row[1:], ends, strict=False))]
    return [i for _, i in sorted(zip(apart, row, strict=True), key=lambda each: (each[0], boxes[each[1]].y0))]


def parted_by_stacks(
    order: Sequence[int], lines: Mapping[int, Line], boxes: Sequence[Box], rules: Sequence[Box] = ()
) -> list[list[int]]:
    """One column's members in order, each stack that is read by itself apart; `lines` has those that are lines."""
    number = {id(line): n for n, line in lines.items()}
    others = [boxes[n] for n in order if n not in lines]
    rest, found = list(order), list[list[int]]()
    for row in _read_by_stacks(list(lines.values()), others, rules):
        stacks = [[number[id(line)] for line in stack] for stack in row]
        members = set(chain(*stacks))
        first = min(map(rest.index, members))
        found += [rest[:first], *stacks]
        rest = [n for n in rest[first:] if n not in members]
    return list(filter(None, (*found, rest)))


def level_stacks(
    lines: Sequence[Line], others: Sequence[Box], rules: Sequence[Box], bands: Sequence[Box] = ()
) -> list[list[list[int]]]:
    """Rows of stacks, by numbers of lines, that begin level and end together, as a bill's parties do: no prose.

    Where one of the `bands` is below them, they end.
    """
    number, boxes = {id(line): n for n, line in enumerate(lines)}, [*others, *bands, *(line.box for line in lines)]
    found: list[list[list[Line]]] = []
    for row in reversed(_read_by_stacks(lines, others, rules)):
        if _begin_level(row, lines) and _end_together(row, boxes, found):
            found.append(row)
    return [[[number[id(line)] for line in stack] for stack in row] for row in found]


def _begin_level(row: Sequence[Sequence[Line]], lines: Sequence[Line]) -> bool:
    items = all((at := MARKER.match(stack[0].plain)) and at["bullet"] and reads_on(stack, 0.0) for stack in row)
    text = items or any(map(is_wide, chain(*row))) or all(_fills_column(stack, lines) for stack in row)
    return not text and all(_are_level(a[0], b[0]) for a, b in pairwise(row))


def _fills_column(stack: Sequence[Line], lines: Sequence[Line]) -> bool:
    """Whether a line near above it begins and ends where it does: justified text."""
    box, near = around(stack), EDGE * stack[0].size
    above = (line.box for line in lines if 0 < box.y0 - line.box.y1 < ENOUGH * stack[0].box.height)
    return any(abs(line.x0 - box.x0) < near and abs(line.x1 - box.x1) < near for line in above)


def _end_together(
    stacks: Sequence[Sequence[Line]], boxes: Sequence[Box], found: Sequence[Sequence[Sequence[Line]]]
) -> bool:
    """Whether what follows below them runs across, or is a table, or is such a row itself: no column goes on."""
    foot, begins = around(chain(*stacks)).y1, [around(stack).x0 - EDGE * stack[0].size for stack in stacks]
    below = filter(lambda box: box.center[1] > foot, boxes)
    for row in level_rows(below, lambda row, box: in_one_row(row[0], box), lambda box: box):
        columns = [bisect(begins, box.x0) for box in row]
        if columns != [bisect(begins, box.x1) for box in row] or len(set(columns)) < len(row):
            return True
        if max(columns) > 1:
            return any(around(chain(*stacked)).holds(row[0]) for stacked in found)
    return True


def _read_by_stacks(lines: Sequence[Line], others: Sequence[Box], rules: Sequence[Box]) -> list[list[list[Line]]]:
    stacked = _in_rows(_over_rules(_stacks(lines), rules[:MOST_DRAWN]))
    rows = map(_without_fields, _with_names(list(map(_in_columns, stacked))))
    apart = (row for row in rows if _stand_apart(row, others))
    return [row for row in apart if _is_read_by_stacks(row) or _are_below_rules(row, rules)]


def _over_rules(stacks: Sequence[list[Line]], rules: Sequence[Box]) -> list[list[Line]]:
    """The stacks, a line on a rule as one with the small label below: a date that is filled in over `Place, date`."""
    alone = [stack for stack in stacks if len(stack) == 1]
    for n, below in on_rules(rules, [stack[0].box for stack in alone]):
        if len(alone[n]) == len(alone[below]) == 1 and alone[below][0].size < alone[n][0].size:
            alone[n].append(alone[below].pop())
    return list(filter(None, stacks))


def _without_fields(row: list[list[Line]]) -> list[list[Line]]:
    """What stands before labels and their values: a bill's number and date beside parties, in rows of their own."""
    named = len(row) > SEVERAL + 1 and _has_labels(row[-2:])
    return row[:-2] if named or (len(row) > SEVERAL and _are_rows_apart(row)) else row


def _are_rows_apart(row: Sequence[Sequence[Line]]) -> bool:
    """Whether nearly all lines of the last two are level, the first ones too, and few with those of any other."""
    *others, labels, values = row
    level = [sum(any(_are_level(a, b) for b in two[1]) for a in two[0]) for two in ((labels, values), (values, labels))]
    most = min(level) >= max(ENOUGH, MOSTLY * max(len(labels), len(values))) and _are_level(labels[0], values[0])
    return most and not any(_are_mostly_level(other, labels) for other in others)


def _with_names(rows: Sequence[list[list[Line]]]) -> list[list[list[Line]]]:
    """Each row of stacks with the line or two right above it that name each of them."""
    found: list[list[list[Line]]] = []
    for row in rows:
        if found and _are_names(found[-1], row):
            row = [[*name, *stack] for name, stack in zip(found.pop(), row, strict=True)]
        found.append(row)
    return found


def _are_names(above: Sequence[Sequence[Line]], row: Sequence[Sequence[Line]]) -> bool:
    if len(above) != len(row) or max(map(len, above)) > SEVERAL:
        return False
    pairs = [(name[-1], stack[0]) for name, stack in zip(above, row, strict=True)]
    other = all(_in_other_type(name, line) for name, line in pairs)
    if sum((other, max(map(len, row)) > 1, max(map(len, above)) == 1)) < SEVERAL:
        return False
    reach, boxes = (LEADING, SEVERAL_LINES)[other], [(name.box, line.box) for name, line in pairs]
    return all(abs(b.y0 - a.y1) < reach * max(a.height, b.height) and a.overlap_x(b) > 0 for a, b in boxes)


def _in_other_type(name: Line, line: Line) -> bool:
    return (name.is_exact and name.typeface != line.typeface) or is_other_type(line, name.size)


def paragraphs_among(lines: Sequence[Line]) -> list[list[int]]:
    """Stacks of wide lines that end with a full stop, no leader, by their lines' numbers."""
    number = {id(line): n for n, line in enumerate(lines)}
    ended = [stack for stack in _stacks(lines) if len(stack) > 1 and FULL_STOP.search(stack[-1].plain)]
    wide = (stack for stack in ended if all(line.box.width > READS_ON * line.size for line in stack[:-1]))
    return [[number[id(line)] for line in stack] for stack in wide]


def _stand_apart(row: Sequence[Sequence[Line]], others: Sequence[Box]) -> bool:
    """Whether white parts several stacks, and nothing else stands beside them."""
    boxes = [around(stack) for stack in row]
    alone = len(row) > 1 and not any(Box.around(boxes).overlap_y(other) > 0 for other in others)
    return alone and all(b.x0 - a.x1 > row[0][0].size for a, b in pairwise(boxes))


def _stacks(lines: Sequence[Line]) -> list[list[Line]]:
    """Lines right below each other that begin, end or have their middle at one place."""
    found: list[list[Line]] = []
    open_ones: list[list[Line]] = []
    for line in sorted(lines, key=lambda line: line.box.y1):
        apart = SEVERAL if MARKER.match(line.plain) else 1  # items stand farther apart
        reach = apart * LEADING * extent(line).height
        open_ones = [s for s in open_ones if extent(line).y0 - extent(s[-1]).y1 < reach]
        above = [s for s in open_ones if s[-1].box.overlap_x(line.box) > 0 and not in_one_row(s[-1].box, line.box)]
        if len(above) == 1 and _is_next(line, above[0], found[-MOST_LINES:]):
            above[0].append(line)
        else:
            found.append([line])
            open_ones.append(found[-1])
    return found


def _is_next(line: Line, stack: Sequence[Line], stacks: Sequence[Sequence[Line]]) -> bool:
    """Whether it goes on the stack; what runs across others beside that, too, is text below them all."""
    beside = (other for other in stacks if other is not stack and in_one_row(other[0].box, stack[0].box))
    return _goes_on(stack[-1], line) and not any(line.box.overlap_x(other[0].box) > 0 for other in beside)


def _goes_on(above: Line, line: Line) -> bool:
    a, b = above.box, line.box
    off = min(abs(a.x0 - b.x0), abs(a.x1 - b.x1), abs(a.center[0] - b.center[0]))
    return off < EDGE * line.size and not is_other_type(line, above.size)


def _in_rows(stacks: Sequence[list[Line]]) -> list[list[list[Line]]]:
    """Stacks that stand beside each other, from the left; of one stack there is no row."""
    found: list[list[list[Line]]] = []
    foot = -1.0
    for stack in sorted(stacks, key=lambda stack: stack[0].box.y0):
        first = extent(stack[0])
        if found and first.y0 < foot - LEVEL_FEET * first.height:
            found[-1].append(stack)
        else:
            found.append([stack])
        foot = max(foot, extent(stack[-1]).y1)
    return [sorted(row, key=lambda stack: stack[0].box.x0) for row in found if 1 < len(row) <= MOST_OF_ROW]


def _in_columns(row: Sequence[list[Line]]) -> list[list[Line]]:
    """Stacks that stand over one another as one: a heading and its text, in other type."""
    found: list[list[Line]] = []
    for stack in sorted(row, key=lambda stack: stack[0].box.y0):
        over = [each for each in found if any(line.box.overlap_x(stack[0].box) > 0 for line in each)]
        if len(over) == 1 and over[0][-1].box.y1 < stack[0].box.center[1]:
            over[0].extend(stack)
        else:
            found.append(list(stack))
    return sorted(found, key=lambda stack: stack[0].box.x0)


def _is_read_by_stacks(row: Sequence[Sequence[Line]]) -> bool:
    """Whether all are items or sentences, or some fields; no line has its like beside it; or several say something."""
    if _are_alike(row):
        return True
    *_, beside, most = sorted(map(len, row))
    if not 1 < most <= MOST_LINES or any(line.plain in PLAIN_BULLETS for line in chain(*row)):
        return False
    likes = any(_have_likes(one, other) for one, other in combinations(row, 2))
    few = beside <= MOST_LEVEL_LINES or all(map(_is_named, row))
    return not likes or (few and _say_something_each(row))


def _are_mostly_level(one: Sequence[Line], other: Sequence[Line]) -> bool:
    level = sum(any(abs(a.box.y1 - b.box.y1) < ON_LEVEL * b.box.height for b in other) for a in one)
    return 2 * level > min(len(one), len(other))


def _have_likes(one: Sequence[Line], other: Sequence[Line]) -> bool:
    """Whether lines of both stand level; one alone, in other type, is a title."""
    level = ((a, b) for a in one for b in other if _are_level(a, b))
    return any(min(len(one), len(other)) > 1 or not is_other_type(a, b.size) for a, b in level)


def _are_alike(row: Sequence[Sequence[Line]]) -> bool:
    """Whether all are items, not counted across, or sentences that go on, or begin larger; or some are fields."""
    fields = {are_fields([line.plain for line in stack]) for stack in row}
    text = all(len(stack) > SEVERAL and reads_on(stack, 0.0) for stack in row)
    return _are_items(row) or text or _begin_larger(row) or len(fields) > 1


def _begin_larger(row: Sequence[Sequence[Line]]) -> bool:
    return all(len(stack) > 1 and stack[0].size > stack[1].size and _in_other_type(*stack[:2]) for stack in row)


def _are_items(row: Sequence[Sequence[Line]]) -> bool:
    across = [_count(stack[0].plain) for stack in row]
    counted = all(a and b == a + 1 for a, b in pairwise(across))
    return not counted and all(sum(MARKER.match(line.plain) is not None for line in stack) >= SEVERAL for stack in row)


def _count(text: str) -> int:
    """The number or the letter that an item begins with; 0 for others."""
    said = match.group().strip(" ().[]") if (match := MARKER.match(text)) else ""
    return int(said) if said.isdecimal() else ord(said) if len(said) == 1 and said.isalpha() else 0


def _are_below_rules(row: Sequence[Sequence[Line]], rules: Sequence[Box]) -> bool:
    """Whether a rule of its own stands right above each, as signatures have; labels and values may be framed so."""
    if len(rules) > MOST_DRAWN or _has_labels(row):
        return False
    boxes = zip(map(around, row), row, strict=True)
    own = [{n for n, rule in enumerate(rules) if hangs_below(rule, box, stack[0].box)} for box, stack in boxes]
    return all(own) and not any(a & b for a, b in combinations(own, 2))


def _say_something_each(row: Sequence[Sequence[Line]]) -> bool:
    """Whether there are three or more, or sentences read on, or two apart; no labels, and no column of figures."""
    figures = sum(map(_is_figure, chain(*row)))
    words = sum(len(stack) > 1 for stack in row) > 1 and 2 * figures < sum(map(len, row))
    several = len(row) > 2 or any(map(reads_on, row)) or _are_apart(row)
    other = _has_labels(row) or any(all(map(_is_figure, stack)) for stack in row)
    return words and several and not other


def _is_figure(line: Line) -> bool:
    return FIGURES.fullmatch(line.plain) is not None


def _are_apart(row: Sequence[Sequence[Line]]) -> bool:
    """Whether a line in other type names each; or two lines of each are words and figures, one if one is longer."""
    longer = len(set(map(len, row))) > 1
    told = [
        [bool(MIXED.match(line.plain)) and (longer or not FIELD.match(line.plain)) for line in stack]
        for stack in row
        if not _is_set_right(stack)
    ]
    return all(map(_is_named, row)) or (bool(told) and min(map(sum, told)) >= SEVERAL - longer)


def _is_set_right(stack: Sequence[Line]) -> bool:
    """Whether its lines end in line, and don't begin so: no column of a table but of figures stands so."""
    begins, ends = [line.box.x0 for line in stack], [line.box.x1 for line in stack]
    return max(ends) - min(ends) < EDGE * stack[0].size < INDENT * stack[0].size < max(begins) - min(begins)


def _is_named(stack: Sequence[Line]) -> bool:
    """Whether its first line is in another type than the rest, or alone ends with a colon."""
    name, rest = stack[0], stack[1:]
    in_bold = name.bold and not any(line.bold for line in rest[:1])
    told = in_bold or (_is_label(name) and not any(map(_is_label, rest)))
    return bool(rest) and (told or all(_in_other_type(name, line) for line in rest))


def _is_label(line: Line) -> bool:
    return line.plain.endswith(COLONS)


def are_fields(texts: Sequence[str]) -> bool:
    """Whether each is a label of its own with its value: an address beside them has no part in them.

    >>> are_fields(["Order: A-17", "Shipped: 2 May"]), are_fields(["Ada Quill", "Room: 12"])
    (True, False)
    """
    labels = {re.split("[:：]", text)[0] for text in texts if FIELD.match(text)}
    return len(labels) == len(texts) >= SEVERAL


def _has_labels(row: Sequence[Sequence[Line]]) -> bool:
    """Whether the lines of one stack name, without a figure, what those of the next have figures for."""
    return any(
        all(any(_are_level(a, b) for b in values) for a in names)
        and not any(any(map(str.isdecimal, line.plain)) for line in names)
        and 2 * sum(any(map(str.isdecimal, line.plain)) for line in values) > len(values)
        for names, values in pairwise(row)
    )


def _are_level(a: Line, b: Line) -> bool:
    return abs(a.box.y1 - b.box.y1) < LEVEL_FEET * min(a.box.height, b.box.height)
