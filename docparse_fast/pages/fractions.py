"""Fractions whose figures are set in a font of text: `½` in an exercise of arithmetic was read as `2 1`.

Knows runs of type and drawn bars. Small figures over and under a bar, level with the middle of larger type beside them,
are mathematics, whatever their font is called.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import chain

from docparse_fast.document import Box, TextLine, TextSpan

SMALLER = 0.87  # than the type of the line, by this ratio
OVER, UNDER = (-0.6, 0.0), (0.6, 1.4)  # of the figures' size: how far below the bar their baseline stands
AXIS = (0.1, 0.4)  # of the line's type: how far above its baseline a bar stands
NEAR = 2.0  # of the line's type, to its next word

_Blocks = tuple[tuple[TextLine, ...], ...]


def with_fractions(blocks: _Blocks, bars: Sequence[Box]) -> _Blocks:
    """The same lines; figures of fractions are in a font of mathematics."""
    spans = [span for span in chain.from_iterable(line.spans for line in chain(*blocks)) if span.text.strip()]
    level = sorted(spans, key=lambda span: span.baseline)
    feet = [span.baseline for span in level]
    found: set[int] = set()
    for bar in bars:
        if bar.width > bar.height:
            reach = 2 * bar.width + bar.height  # figures are hardly wider than their bar
            near = level[bisect_left(feet, bar.y0 - reach) : bisect_right(feet, bar.y1 + reach)]
            found.update(map(id, _figures(bar, near)))
    if not found:
        return blocks
    return tuple(tuple(_marked(line, found) for line in block) for block in blocks)


def _marked(line: TextLine, found: set[int]) -> TextLine:
    if not any(id(span) in found for span in line.spans):
        return line
    spans = (replace(span, font=f"{span.font} Math") if id(span) in found else span for span in line.spans)
    return replace(line, spans=tuple(spans))


def _figures(bar: Box, near: Sequence[TextSpan]) -> Iterator[TextSpan]:
    """The figures over and under the bar, if it is a fraction's."""
    held = [span for span in near if span.text.strip().isdecimal() and _is_at(span, bar)]
    over, under = ([span for span in held if _stands(bar, span, within)] for within in (OVER, UNDER))
    if over and under and any(_is_beside(word, bar, over[0]) for word in near):
        yield from (*over, *under)


def _is_at(span: TextSpan, bar: Box) -> bool:
    within = bar.x0 - span.size / 2 < span.box.x0 and span.box.x1 < bar.x1 + span.size / 2
    return within and bar.width < span.box.width + span.size


def _stands(bar: Box, span: TextSpan, within: tuple[float, float]) -> bool:
    return within[0] < (span.baseline - bar.center[1]) / span.size < within[1]


def _is_beside(word: TextSpan, bar: Box, figure: TextSpan) -> bool:
    above = (word.baseline - bar.center[1]) / word.size
    return figure.size < SMALLER * word.size and AXIS[0] < above < AXIS[1] and word.box.gap_x(bar) < NEAR * word.size
