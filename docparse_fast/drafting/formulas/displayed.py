"""Finds displayed formulas among a page's lines: they stand apart from prose, and have mathematical signs.

Notes beside a formula, such as conditions, belong to it.
"""

from __future__ import annotations

import math
import re
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from itertools import chain

from docparse_fast.document import Box, TextLine, TextSpan
from docparse_fast.drafting.formulas.formula_lines import (
    LIMITS,
    MIDDLE,
    NUMBER_ASIDE,
    NUMBERED,
    RELATION,
    are_in_columns,
    bears_limits,
    by_number,
    ends_paragraph,
    fills_column,
    has_type,
    is_alone,
    is_formula,
    is_mathematical,
    is_prose,
    is_row,
    is_set_off,
    touches_prose,
)
from docparse_fast.drafting.formulas.glyphs import latex_of
from docparse_fast.drafting.formulas.inline import is_strong
from docparse_fast.drafting.formulas.type import glyphs_of
from docparse_fast.drafting.lines import largest_type, printed
from docparse_fast.drafting.measures import SAME_PLACE, SEVERAL_LINES, WITHIN, in_one_row
from docparse_fast.drafting.words import MARKER
from docparse_fast.geometry import around, merged, not_in, parted

THIN = 0.1  # pixels: lines may have no height at all
MOST_LINES = 250
OVER_BAR = 0.6  # of the type's size: how far off a bar a numerator or a denominator may stand
OPERATORS = "+−-±×·"
ROW_GAP = 0.9  # of the type's size: white between two lines of a formula
BRACES = frozenset("{⎧⎨⎩\uf8f1\uf8f2\uf8f3")
CONDITION_ASIDE = 18.0  # of a brace's width: how far right of cases a condition may stand
TABLE_WIDTH, TABLE_RULES = 8.0, 3  # of the type's size; how many rules of one width: formulas seldom have such
ASIDE = 4.0  # of the type's size: how near along the line parts of one formula stand, and its conditions
WORD = re.compile(r"[^\W\d_]{2}")
LONGEST_NOTE = 4  # words in a condition beside a formula

_Group = tuple[Box, float, list[int]]  # pieces: where they stand, the size of their type, their numbers


def _is_short(line: TextLine) -> bool:
    """Whether it has few words; the signs of a condition are not counted."""
    return sum(WORD.search(word) is not None for word in line.text.split()) <= LONGEST_NOTE


def with_notes(
    cluster: list[int], lines: Sequence[TextLine], clusters: Sequence[list[int]], columns: Sequence[Box]
) -> list[int]:
    """The cluster with the words beside it in its column, as in cases, and with its number."""
    taken = {i for other in clusters for i in other if len(other) > 1}
    box = Box.around(_boxes(cluster, lines))
    size = largest_type(_spans(cluster, lines))
    others = not_in(range(len(lines)), [cluster, taken])
    beside = [i for i in others if _is_note(lines[i], box, columns)]
    found = list(cluster)
    for i in sorted(beside, key=lambda i: across(lines[i].box, box)):
        numbered = NUMBERED.match(lines[i].text.strip())
        if across(lines[i].box, box) < (NUMBER_ASIDE if numbered else ASIDE) * size:
            found.append(i)
            box = Box.around([box, lines[i].box])
    return sorted(found)


def joined_by_notes(clusters: Sequence[list[int]], lines: Sequence[TextLine]) -> list[list[int]]:
    """Two clusters that share words are parts of one formula."""

    def shares(group: Sequence[Sequence[int]], cluster: Sequence[int]) -> bool:
        words = {i for i in cluster if not NUMBERED.match(lines[i].text.strip())}
        return any(not words.isdisjoint(other) for other in group)

    return [sorted({i for cluster in group for i in cluster}) for group in merged(clusters, shares)]


def _is_note(line: TextLine, box: Box, columns: Sequence[Box]) -> bool:
    """Words level with a formula, in its column: behind it, or beside one of several lines."""
    place = line.box.x0 > box.x1 or box.height > SEVERAL_LINES * line.box.height
    level = box.y0 < line.box.center[1] < box.y1 and place and _is_short(line) and not line.vertical
    return level and not are_in_columns(line.box, box, largest_type(line.spans), columns)


def across(a: Box, b: Box) -> float:
    return max(a.gap_x(b), 0.0)


def table_rules(level: Sequence[Box], size: float) -> list[list[Box]]:
    """Wide rules that begin and end at the same places, at least as many as a table has: no bars of fractions."""
    stacks: dict[tuple[int, int], list[Box]] = defaultdict(list)
    for rule in level:
        if rule.width > TABLE_WIDTH * size:
            stacks[round(rule.x0), round(rule.x1)].append(rule)
    return [stack for stack in stacks.values() if len(stack) >= TABLE_RULES]


def stands_in_table(cluster: Sequence[int], lines: Sequence[TextLine], tables: Sequence[Box]) -> bool:
    """Whether it is numbers and signs in cells: between a table's rules, or a comparison among a row's pieces."""
    box = Box.around(_boxes(cluster, lines))
    if len(cluster) > 1:
        return any(table.covers(box) > WITHIN for table in tables)
    return not has_type(_spans(cluster, lines)) and sum(_is_piece_beside(line, box) for line in lines) > 1


def _is_piece_beside(line: TextLine, box: Box) -> bool:
    """Whether a few words stand level with the box, that are no formula's number."""
    apart = line.box.x1 <= box.x0 or line.box.x0 >= box.x1
    return apart and in_one_row(line.box, box) and _is_short(line) and not NUMBERED.match(line.text.strip())


@dataclass(frozen=True, slots=True)
class Formula:
    box: Box
    latex: str
    lines: frozenset[int]  # indexes of the lines it is made of
    marker: str = ""  # of the list's item that it is


def formulas(lines: Sequence[TextLine], rules: Sequence[Box]) -> list[Formula]:
    """Displayed formulas among `lines`."""
    if not any(map(is_mathematical, lines)):
        return []
    bars, tables = _bars_and_tables(rules, max(line.spans[0].size for line in lines if line.spans))
    prose, others = parted(range(len(lines)), lambda i: is_prose(lines[i]))
    columns = _boxes(prose, lines)
    clusters = _rows_together(_with_conditions(_clusters(lines, others, bars, columns), lines), lines, prose)
    clusters = [cluster for cluster in clusters if not stands_in_table(cluster, lines, tables)]
    noted = joined_by_notes([with_notes(cluster, lines, clusters, columns) for cluster in clusters], lines)
    parts = chain.from_iterable(by_number(cluster, lines) for cluster in noted)
    return [formula for part in parts for formula in _formulas_of(part, lines, prose, bars)]


def _bars_and_tables(rules: Sequence[Box], size: float) -> tuple[list[Box], list[Box]]:
    level = [rule for rule in rules if rule.width > rule.height]
    stacks = table_rules(level, size)
    bars = [rule.expanded(THIN) for rule in level if not any(rule in stack for stack in stacks)]
    return bars, list(map(Box.around, stacks))


def _formulas_of(
    cluster: list[int], lines: Sequence[TextLine], prose: Sequence[int], bars: Sequence[Box]
) -> list[Formula]:
    """The cluster as a formula; if it touches prose, the formulas among those of its lines that don't."""
    formula = _formula(cluster, lines, prose, bars)
    if formula is not None:
        return [formula]
    words = _others(prose, cluster, lines)
    size = largest_type(_spans(cluster, lines))
    loose = [i for i in cluster if not touches_prose(lines[i].box, size, words)]
    if len(loose) == len(cluster):
        return []
    parts = _rows_together(_clusters(lines, loose, bars, _boxes(prose, lines)), lines, prose)
    left = filter(None, (_formula(part, lines, prose, bars) for part in parts))
    return [formula for formula in left if is_alone(formula.box, words)]


def _boxes(numbers: Sequence[int], lines: Sequence[TextLine]) -> list[Box]:
    return [lines[i].box for i in numbers]


def _spans(cluster: Sequence[int], lines: Sequence[TextLine]) -> list[TextSpan]:
    return [span for i in cluster for span in lines[i].spans]


def _formula(
    cluster: list[int], lines: Sequence[TextLine], prose: Sequence[int], bars: Sequence[Box]
) -> Formula | None:
    spans = printed(_spans(cluster, lines))
    box = around(spans)
    room = box.expanded(0.5 * spans[0].size)
    near = [bar for bar in bars if room.covers(bar) > WITHIN]
    if not is_formula(spans) and not (is_alone(box, not_in(lines, [cluster])) and is_set_off(spans, near)):
        return None
    words = _others(prose, cluster, lines)
    if touches_prose(box, largest_type(spans), words) or ends_paragraph(spans, words) or fills_column(spans, words):
        return None
    return _made(spans, near, cluster)


def _made(spans: Sequence[TextSpan], bars: Sequence[Box], cluster: Sequence[int]) -> Formula | None:
    """None for an item of a single line, which is text."""
    box, marker = around(spans), _marker(spans)
    text = _latex([span for span in spans if span is not marker], bars)
    if not text or (marker and box.height < SEVERAL_LINES * spans[0].size):
        return None
    return Formula(box, text, frozenset(cluster), marker.text.strip() if marker else "")


def _marker(spans: Sequence[TextSpan]) -> TextSpan | None:
    """What it begins with, if that is a list's marker, right before the first sign: an exercise."""
    first, *rest = sorted(spans, key=lambda span: span.box.x0)
    near = first.size > min((across(first.box, other.box) for other in rest), default=math.inf)
    return first if near and MARKER.match(f"{first.text.strip()} x") and not is_strong(first) else None


def _latex(spans: Sequence[TextSpan], bars: Sequence[Box]) -> str:
    number, rest = _number(spans)
    text = latex_of([glyph for span in rest for glyph in glyphs_of(span)], bars).latex
    return f"{text} \\tag{{{number}}}" if text and number else text


def _others(prose: Sequence[int], cluster: Sequence[int], lines: Sequence[TextLine]) -> list[TextLine]:
    """The lines of prose that are not the cluster's."""
    return [lines[i] for i in prose if i not in cluster]


# ----------------------------------------------------------------------------------------------- finding


def _clusters(
    lines: Sequence[TextLine], members: Sequence[int], bars: Sequence[Box], columns: Sequence[Box]
) -> list[list[int]]:
    """Groups pieces that stand close above or beside each other; a bar joins the parts above and below it."""
    groups: list[_Group] = []
    for index in sorted(members, key=lambda i: lines[i].box.y0):
        own = _reach(lines[index], bars), largest_type(lines[index].spans), [index]
        touching, groups = parted(groups, partial(_touch, own, columns))
        boxes, sizes, numbers = zip(own, *touching, strict=True)
        groups.append((Box.around(boxes), max(sizes), [i for each in numbers for i in each]))
    return [sorted(group) for _, _, group in groups if len(group) <= MOST_LINES]


def _with_conditions(clusters: Sequence[list[int]], lines: Sequence[TextLine]) -> list[list[int]]:
    """Cases with their conditions, which may stand far to the right."""
    boxes = [Box.around(_boxes(cluster, lines)) for cluster in clusters]
    owner = list(range(len(clusters)))
    for n, cluster in enumerate(clusters):
        braces = [box for span in _spans(cluster, lines) for box in _tall_braces(span)]
        for m, box in enumerate(boxes):
            if owner[m] == m and _is_condition(box, boxes[n], braces):
                owner[m] = n
    whole = defaultdict[int, list[int]](list)
    for n, cluster in zip(owner, clusters, strict=True):
        whole[n] += cluster
    return list(map(sorted, whole.values()))


def _is_condition(box: Box, cases: Box, braces: Sequence[Box]) -> bool:
    """Whether it stands right of one of the braces of these cases, level with it and not far from them."""
    beside = (brace for brace in braces if brace.y0 < box.center[1] < brace.y1 and brace.x1 < box.x0)
    brace = next(beside, None)
    return brace is not None and box.x0 - cases.x1 < CONDITION_ASIDE * brace.width


def _tall_braces(span: TextSpan) -> list[Box]:
    signs = [box for char, box in span.signs if char in BRACES]
    return [Box.around(signs)] if signs and Box.around(signs).height > SEVERAL_LINES * span.size else []


def _rows_together(clusters: Sequence[list[int]], lines: Sequence[TextLine], prose: Sequence[int]) -> list[list[int]]:
    """Formulas one right under the other are lines of one, unless prose stands between."""
    joined: list[tuple[Box, list[int]]] = []
    words = [lines[i] for i in prose]
    for cluster in sorted(clusters, key=lambda c: Box.around(_boxes(c, lines)).y0):
        spans = printed(_spans(cluster, lines))
        box, size = around(spans), largest_type(spans)
        n = next((n for n, (other, _) in enumerate(joined) if _is_next_row(other, box, size)), len(joined))
        above = joined[n : n + 1]
        row = above and is_row(spans) and not _parted(above[0][0], box, words)
        if row and _continues(above[0][1], cluster, lines):
            joined[n] = Box.around([above[0][0], box]), sorted([*above[0][1], *cluster])
        else:
            joined.append((box, cluster))
    return [cluster for _, cluster in joined]


def _is_next_row(above: Box, box: Box, size: float) -> bool:
    return -0.2 * size < box.y0 - above.y1 < ROW_GAP * size and above.overlap_x(box) > 0.3 * min(above.width, box.width)


def _continues(above: Sequence[int], cluster: Sequence[int], lines: Sequence[TextLine]) -> bool:
    """Whether a line goes on with the one above: a relation or sign stands between them, or they are aligned."""
    signs, before = _in_order(cluster, lines), _in_order(above, lines)
    if RELATION.match(signs[0][1]) or signs[0][1] in OPERATORS or before[-1][1] in OPERATORS:
        return True
    size = largest_type(_spans(cluster, lines))
    places = [x for x, char in signs if RELATION.match(char)][:1]
    others = [x for x, char in before if RELATION.match(char)]
    return any(abs(x - other) < SAME_PLACE * size for x in places for other in others)


def _in_order(cluster: Sequence[int], lines: Sequence[TextLine]) -> list[tuple[float, str]]:
    """The signs of the cluster's last line in order, each with its place."""
    signs = (span.signs or [(span.text.strip()[:1] or " ", span.box)] for span in _spans(cluster, lines))
    return sorted((box.x0, char) for char, box in chain.from_iterable(signs))


def _parted(above: Box, box: Box, prose: Sequence[TextLine]) -> bool:
    between = Box(min(above.x0, box.x0), above.center[1], max(above.x1, box.x1), box.y0)
    return any(line.box.intersection(between) > 0.3 * line.box.area for line in prose)


def _reach(line: TextLine, bars: Sequence[Box]) -> Box:
    """A piece's box with the bars right above or below it, and with room for what stands over and under a sum."""
    size = largest_type(line.spans)
    limits = [span.box for span in line.spans if bears_limits(span.text)]
    grown = line.box.expanded(0.5 * size)
    reaching = [Box(box.x0, box.y0 - LIMITS * size, box.x1, box.y1 + LIMITS * size) for box in limits]
    short = (bar for bar in bars if bar.width < 40 * size)
    near = (bar for bar in short if grown.covers(bar) > 0.3 or _is_centred(line.box, bar, size))
    return Box.around([line.box, *reaching, *near])


def _is_centred(box: Box, bar: Box, size: float) -> bool:
    """Whether a line stands over or under the middle of a longer bar, as near as a numerator or a denominator."""
    middle = abs(box.center[0] - bar.center[0]) < MIDDLE * size
    return middle and box.width < bar.width + size and -THIN < box.gap_y(bar) < OVER_BAR * size


def _touch(one: _Group, columns: Sequence[Box], other: _Group) -> bool:
    size = max(one[1], other[1])
    return _near(one[0], other[0], size) and not are_in_columns(one[0], other[0], size, columns)


def _near(a: Box, b: Box, size: float) -> bool:
    across, down = a.gap_x(b), a.gap_y(b)
    return (across < ASIDE * size and down < 0) or (across < 0.5 * size and down < 0.35 * size)


def _number(spans: Sequence[TextSpan]) -> tuple[str, list[TextSpan]]:
    """The equation's number, if one stands apart at the right, at the left or below, and the other words."""
    for span in sorted(spans, key=lambda span: -span.box.x0):
        match = NUMBERED.match(span.text.strip())
        others = [other for other in spans if other is not span]
        if match and others and _stands_apart(span, others):
            return match["number"], others
    return "", list(spans)


def _stands_apart(span: TextSpan, others: Sequence[TextSpan]) -> bool:
    box = around(others)
    outside = span.box.x0 > box.x1 or span.box.x1 < box.x0 or span.box.y0 > box.y1
    beside = [o for o in others if o.box.overlap_y(span.box) > 0 and across(o.box, span.box) < span.size]
    return outside and not beside
