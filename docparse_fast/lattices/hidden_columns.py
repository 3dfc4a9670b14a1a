"""Columns of a lattice that no rule parts: LaTeX's `|lr|lr|` draws a rule after every second one.

Knows words' boxes only.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from itertools import pairwise

from docparse_fast.document import Box, TextSpan
from docparse_fast.geometry import Filed, runs

WHITE = 0.8  # of the type's size: the least white between two columns; words stand nearer
FEWEST_LINES = 3
BOTH_SIDES = 0.6  # of a column's lines have words on both sides of the white
IN_LINE = 0.8  # of these begin, or end, at one place on the right side
SAME = 0.25  # of the type's size: how far apart one place may be

_Line = list[TextSpan]


def hidden_rules(xs: Sequence[float], ys: Sequence[float], spans: Sequence[TextSpan]) -> list[Box]:
    """Where a column between two of `xs` falls in two, at the middle of the white: in all its height, or in the bands.

    A head is often set tighter than what it heads: then the band with the most words tells, and others follow it where
    they have words on both sides.
    """
    found = []
    for left, right in pairwise(xs):
        held = [span for span in spans if left < span.box.center[0] < right]
        if edges := _edges(held):
            found += [Box(x, ys[0], x, ys[-1]) for x in edges]
            continue
        filed = Filed(held, by=lambda span: span.box.center[1])
        bands = [(y0, y1, filed.between(y0, y1)) for y0, y1 in pairwise(ys)]
        edges = [_between(x, held) for x in _edges(max((words for *_, words in bands), key=len))]
        found += [Box(x, y0, x, y1) for x in edges for y0, y1, words in bands if _on_both_sides(words, x)]
    return found


def _edges(spans: Sequence[TextSpan]) -> list[float]:
    lines = _lines(spans)
    return [x for x in _whites(lines) if _parts(lines, x)] if len(lines) >= FEWEST_LINES else []


def _between(x: float, spans: Sequence[TextSpan]) -> float:
    """The place next to an edge that no word crosses whose middle lies on its side, if there is one."""
    left = max((span.box.x1 for span in spans if span.box.center[0] < x), default=x)
    right = min((span.box.x0 for span in spans if span.box.center[0] > x), default=x)
    return (left + right) / 2 if left < right else x


def _on_both_sides(words: Sequence[TextSpan], x: float) -> bool:
    return len({word.box.center[0] < x for word in words}) == 2 and not any(w.box.x0 < x < w.box.x1 for w in words)


def _lines(spans: Sequence[TextSpan]) -> list[_Line]:
    ordered = sorted(spans, key=lambda span: span.baseline)
    lines = runs(ordered, lambda line, span: span.baseline - line[0].baseline < 0.5 * span.size)
    return [sorted(line, key=lambda span: span.box.x0) for line in lines]


def _whites(lines: Sequence[_Line]) -> Iterator[float]:
    """The middles of stretches that no word of any line crosses."""
    words = sorted((span for line in lines for span in line), key=lambda span: span.box.x0)
    end = words[0].box.x1
    for word in words[1:]:
        if word.box.x0 - end > WHITE * word.size:
            yield (end + word.box.x0) / 2
        end = max(end, word.box.x1)


def _parts(lines: Sequence[_Line], middle: float) -> bool:
    """Whether most lines go on behind the white, and begin or end there in line."""
    behind = [[span for span in line if span.box.x0 > middle] for line in lines if line[0].box.x0 < middle]
    behind = [part for part in behind if part]
    if len(behind) < max(FEWEST_LINES, BOTH_SIDES * len(lines)):
        return False
    starts, ends = [part[0].box.x0 for part in behind], [part[-1].box.x1 for part in behind]
    return any(_in_line(places, SAME * behind[0][0].size) for places in (starts, ends))


def _in_line(places: Sequence[float], near: float) -> bool:
    ordered = sorted(places)
    most = max(bisect_right(ordered, place + near) - bisect_left(ordered, place - near) for place in places)
    return most >= IN_LINE * len(places)
