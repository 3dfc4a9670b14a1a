"""Tells what is read whole, whatever columns stand beside it: panels, a page's head, labels below rules. Knows boxes.

A panel is a ground or a frame with several lines on it, beside other text; the head stands alone above everything else.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from itertools import chain, pairwise

from docparse_fast.document import Box
from docparse_fast.drafting.measures import ACROSS, ENOUGH, MOST, MOSTLY, ON_LEVEL, ONE_TYPE, SET_APART, WITHIN
from docparse_fast.geometry import not_in, runs

BEGIN = 12.0  # pixels between the upper edges of panels that begin level
SAME = 2.0  # pixels between the sides of one ground, drawn in pieces
BESIDE = 0.3  # of a line's height that it shares with what stands beside it


def panels(grounds: Sequence[Box], boxes: Sequence[Box], placed: Sequence[Box] = ()) -> list[Box]:
    """The grounds that part a page: `boxes` are its lines, and `placed` its pictures and tables, which may reach out.

    >>> left = [Box(0, y, 90, y + 10) for y in (0, 20, 40)]
    >>> right = [Box(110, y, 190, y + 10) for y in (0, 20, 40)]
    >>> panels([Box(100, 0, 200, 300), Box(0, 0, 200, 300)], left + right)
    [Box(x0=100, y0=0, x1=200, y1=300)]
    """
    if not boxes:
        return []
    all_of_them = sorted([*boxes, *placed], key=_level)
    levels = list(map(_level, all_of_them))
    page = Box.around(all_of_them)
    found: list[Box] = []
    for ground in sorted(_rows_as_one(grounds), key=lambda box: box.area, reverse=True):
        near = all_of_them[bisect_left(levels, ground.y0) : bisect_right(levels, ground.y1)]
        held = [box for box in near if ground.covers(box) > WITHIN]
        if not _are_several(held, placed):
            continue
        across = any(ACROSS < ground.covers(box) <= WITHIN for box in boxes)
        if across or any(other.covers(ground) > WITHIN or any(map(other.holds, held)) for other in found):
            continue
        text, others = Box.around(held), [box for box in all_of_them if not ground.holds(box)]
        beside = any(text.overlap_y(box) > BESIDE * box.height for box in others)
        if beside and text.area < MOST * page.area:
            found.append(ground)
    return found


def cards(grounds: Sequence[Box], boxes: Sequence[Box], placed: Sequence[Box], most: float) -> list[Box]:
    """Grounds no higher than `most` that hold several: a ticket's head is no page's, though it stands at the top."""
    low = (ground for ground in grounds if ground.height < most)
    return [ground for ground in low if _are_several(list(filter(ground.holds, [*boxes, *placed])), placed)]


def _level(box: Box) -> float:
    return box.center[1]


def _are_several(held: Sequence[Box], placed: Sequence[Box]) -> bool:
    """A picture or a table has as much to say as two lines; what stands level is one, whatever its height."""
    down = sorted(held, key=lambda box: box.y1)
    levels = runs(down, lambda row, box: box.y1 - row[-1].y1 < ON_LEVEL * box.height)
    return len(levels) + sum(box in placed for box in held) >= ENOUGH


def standing_on(panels: Sequence[Box], boxes: Sequence[Box]) -> list[set[int]]:
    """For each panel, which of the boxes stand on it."""
    return [{n for n, box in enumerate(boxes) if panel.holds(box)} for panel in panels]


def standing_on_any(panels: Sequence[Box], boxes: Sequence[Box]) -> set[int]:
    return set[int]().union(*standing_on(panels, boxes))


def parting_panels(found: Sequence[Box], boxes: Sequence[Box]) -> list[Box]:
    """Those that no table goes across, among them cards in rows; a shaded column's lines stand level with its rows."""
    held = standing_on_any(found, boxes)
    free = not_in(boxes, [held])
    several = [row for row in level_panels(found, free) if len(row) > 1]
    cards = list(chain.from_iterable(several)) if len(several) > 1 else []
    apart = [panel for row in several if _stand_apart(row) for panel in row]
    return [panel for panel in found if panel in cards or not _is_level(panel, boxes, free, apart=panel in apart)]


def _stand_apart(row: Sequence[Box]) -> bool:
    return all(left.gap_x(right) > SAME for left, right in pairwise(row))


def _is_level(panel: Box, boxes: Sequence[Box], free: Sequence[Box], *, apart: bool) -> bool:
    """Whether nearly all its lines are level with others: with free ones, if white parts it or it has columns."""
    held = [box for box in boxes if panel.holds(box)]
    has_columns = 2 * sum(_has_level(box, held) for box in held) > len(held)
    others = free if apart or has_columns else [box for box in boxes if not panel.holds(box)]
    return sum(_has_level(box, others) for box in held) >= MOSTLY * len(held)


def _has_level(box: Box, others: Sequence[Box]) -> bool:
    return any(other is not box and abs(box.y1 - other.y1) < ON_LEVEL * box.height for other in others)


def level_panels(found: Sequence[Box], others: Sequence[Box]) -> list[list[Box]]:
    """Panels in rows: those that begin level, with nothing else between them, are read one after the other.

    >>> cards = [Box(x, y, x + 90, y + 50) for y in (0, 60) for x in (0, 100)]
    >>> [len(row) for row in level_panels(cards, [Box(0, 52, 190, 58)])]
    [2, 2]
    """

    def is_level(row: Sequence[Box], panel: Box) -> bool:
        between = any(Box.around([*row, panel]).covers(box) > ACROSS for box in others)
        return abs(panel.y0 - row[0].y0) < BEGIN and not between

    return runs(sorted(found, key=lambda box: (round(box.y0 / BEGIN), box.x0)), is_level)


def _rows_as_one(grounds: Sequence[Box]) -> list[Box]:
    """Grounds of cells that stand side by side in a row, as one; of two, one may be a sidebar.

    >>> _rows_as_one([Box(x, 0, x + 50, 40) for x in (0, 50, 100)])
    [Box(x0=0, y0=0, x1=150, y1=40)]
    """

    def is_beside(row: Sequence[Box], ground: Box) -> bool:
        last = row[-1]
        return (last.y0, last.y1) == (ground.y0, ground.y1) and abs(ground.x0 - last.x1) < SAME

    once = {ground.rounded(): ground for ground in grounds}
    rows = runs(sorted(once.values(), key=lambda box: (box.y0, box.y1, box.x0)), is_beside)
    return [box for row in rows for box in ([Box.around(row)] if len(row) >= ENOUGH else row)]


def seams_across(drawn: Sequence[Box], boxes: Sequence[Box]) -> list[Box]:
    """Level rules and edges of grounds that part all text from side to side; what is crossed parts nothing.

    >>> seams_across([Box(0, 20, 90, 21), Box(0, 5, 90, 5)], [Box(0, 0, 90, 10), Box(10, 30, 80, 40)])
    [Box(x0=0, y0=20, x1=90, y1=20)]
    """
    page = Box.around(boxes) if boxes else Box(0, 0, 0, 0)
    wide = WITHIN * page.width
    levels = sorted(y for box in drawn if box.width >= wide for y in (box.y0, box.y1) if page.y0 < y < page.y1)
    free = [y for y in levels if not any(box.y0 < y < box.y1 for box in boxes)]
    return [Box(page.x0, run[0], page.x1, run[0]) for run in runs(free, lambda run, y: y - run[-1] < SAME)]


def head_of(boxes: Sequence[Box], unit: float) -> list[int]:
    """What stands alone in its row at the page's top and ends apart from what is below: it is read first.

    Below a title also what stands side by side in the middle of the page: authors.

    >>> columns = [Box(x, y, x + 80, y + 10) for y in (40, 52, 64) for x in (0, 100)]
    >>> head_of([Box(100, 0, 160, 14), *columns], unit=10)
    [0]
    >>> head_of([Box(40, 0, 140, 9), Box(45, 16, 70, 26), Box(110, 16, 135, 26), *columns], unit=10)
    [0, 1, 2]
    """
    order, page = sorted(range(len(boxes)), key=lambda n: boxes[n].y0), Box.around(boxes)
    ends = 0
    for row in runs(order, lambda row, n: any(_is_beside(boxes[n], boxes[m], unit) for m in row)):
        if len(row) > 1 and not (ends and _is_centred([boxes[n] for n in row], page, unit)):
            break
        ends += len(row)
    if ends == len(order):
        return []  # one column
    while ends and not _ends_apart(order, ends, boxes, unit):
        ends -= 1
    return order[:ends]


def _is_beside(lower: Box, box: Box, unit: float) -> bool:
    slack = BESIDE if box.overlap_x(lower) > 0 else -BESIDE  # what is beside it, if a little lower
    return lower.y0 < box.y1 - slack * unit


def _is_centred(row: Sequence[Box], page: Box, unit: float) -> bool:
    """Whether it stands in the middle, farther in than any column begins."""
    across = Box.around(row)
    return abs(across.center[0] - page.center[0]) < unit < across.x0 - page.x0


def _ends_apart(order: Sequence[int], alone: int, boxes: Sequence[Box], unit: float) -> bool:
    last = boxes[order[alone - 1]]
    first = next((boxes[n] for n in order[alone:] if boxes[n].overlap_x(last) > 0), None)
    if first is None:
        return True
    ratio = last.height / max(1e-6, first.height)
    return first.y0 - last.y1 > SET_APART * unit or ratio > ONE_TYPE or ratio < 1 / ONE_TYPE


def on_rules(rules: Sequence[Box], boxes: Sequence[Box]) -> Iterator[tuple[int, int]]:
    """The number of each box on a rule, and that of the one below it: a date that is filled in, and its label."""
    for rule in rules:
        on = [n for n, box in enumerate(boxes) if 0 <= rule.y0 - box.y1 < box.height and rule.x0 < box.x1 < rule.x1]
        below = (n for n, box in enumerate(boxes) if on and hangs_below(rule, box, box))
        yield from zip(on, below, strict=False)


def hangs_below(rule: Box, box: Box, first: Box) -> bool:
    return 0 <= box.y0 - rule.y1 < first.height and 2 * rule.overlap_x(box) > box.width
