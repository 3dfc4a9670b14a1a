"""Tells what is set off from prose, as displayed formulas are, from words of a paragraph. Knows places."""

from __future__ import annotations

import re
from collections.abc import Sequence

from docparse_fast.document import Box, TextLine, TextSpan
from docparse_fast.drafting.formulas.formula_lines import MOST_WORDS, SCRIPT, SEVERAL, words_of
from docparse_fast.drafting.formulas.type import is_math_font

LEVEL = 0.4  # of the lower height: what shares as much stands on one line
BESIDE = 1.5  # of the type's size: how near to a formula the words of its sentence stand
NEXT_LINE = 1.45  # of the type's size: how far under a paragraph's line its next one stands at most
SAME_EDGE = 0.3  # of the type's size: how far apart lines begin that begin at one edge
FULL_TO = 3.0  # of the type's size: how far before its column's edge a full line ends
LONE = 0.15  # of a formula's height: prose that shares less stands over or under it
AROUND = 4.0  # of the type's size: how far from a formula its paragraph's lines stand
WHITE = 0.3  # of the type's size: white between them at least
OFF_MIDDLE = 2.0  # of the type's size: how far from its column's middle a formula stands that is centred
INDENT = 1.5  # of the type's size, from the column's edge
LEAST_TYPED = 0.15  # of the signs: those in mathematical type
DOES = re.compile(r"[+−\-*/·×()\[\]{}|∥∑∏∫√]")


def touches_prose(box: Box, size: float, prose: Sequence[TextLine]) -> bool:
    """Whether words stand on the formula's own line, so that it is part of their sentence."""
    return any(
        line.box.overlap_y(box) > LEVEL * min(line.box.height, box.height)
        and max(line.box.x0 - box.x1, box.x0 - line.box.x1) < BESIDE * size
        for line in prose
    )


def is_alone(box: Box, others: Sequence[TextLine]) -> bool:
    """Whether none of the other lines stands beside it."""
    return not any(line.box.overlap_y(box) > LONE * min(line.box.height, box.height) for line in others)


def ends_paragraph(spans: Sequence[TextSpan], prose: Sequence[TextLine]) -> bool:
    """Whether it is a line of a paragraph: under a full line of words that begins where it does."""
    first = min(spans, key=lambda span: span.box.x0)
    if Box.around(span.box for span in spans).height > SEVERAL * first.size:
        return False
    column = [line for line in prose if abs(line.box.x0 - first.box.x0) < SAME_EDGE * first.size]
    above = [line for line in column if 0 < first.baseline - line.spans[0].baseline < NEXT_LINE * first.size]
    edge = max((line.box.x1 for line in column), default=0.0) - FULL_TO * first.size
    return any(max(other.box.x1 for other in prose if _is_level(other, line)) > edge for line in above)


def _is_level(a: TextLine, b: TextLine) -> bool:
    return a.box.overlap_y(b.box) > LEVEL * min(a.box.height, b.box.height)


def is_typed_row(spans: Sequence[TextSpan], prose: Sequence[TextLine]) -> bool:
    """Whether it is mathematics on a line of its own."""
    box, size = Box.around(span.box for span in spans), max(span.size for span in spans)
    return _is_typed(spans) and len(words_of(spans)) <= MOST_WORDS and not touches_prose(box, size, prose)


def is_set_off(spans: Sequence[TextSpan], prose: Sequence[TextLine], bars: Sequence[Box]) -> bool:
    """Whether mathematics without a relation is a formula: a fraction, or centred under or over a paragraph's lines."""
    signs = [span for span in spans if span.text.strip()]
    if not _is_typed(signs) or len(words_of(signs)) > MOST_WORDS:
        return False
    return any(_is_fraction(bar, signs) for bar in bars) or _is_centred(signs, prose)


def _is_typed(spans: Sequence[TextSpan]) -> bool:
    return has_type(spans) and DOES.search("".join(span.text for span in spans)) is not None


def has_type(spans: Sequence[TextSpan]) -> bool:
    typed = sum(len(span.text) for span in spans if is_math_font(span.font))
    return typed > LEAST_TYPED * sum(len(span.text) for span in spans)


def _is_fraction(bar: Box, spans: Sequence[TextSpan]) -> bool:
    within = [span for span in spans if bar.covers(Box(span.box.x0, bar.y0, span.box.x1, bar.y1)) > 0.0]
    over = [span for span in within if 0 <= bar.center[1] - span.box.y1 < span.size]
    under = [span for span in within if 0 <= span.box.y0 - bar.center[1] < span.size]
    return bool(over and under) and any(is_math_font(span.font) for span in (*over, *under))


def _is_centred(spans: Sequence[TextSpan], prose: Sequence[TextLine]) -> bool:
    box, size = Box.around(span.box for span in spans), max(span.size for span in spans)
    near = [line for line in prose if line.box.overlap_x(box) > 0 and _white(line.box, box) < AROUND * size]
    if not near or any(_white(line.box, box) < WHITE * size for line in near):
        return False
    left = min(line.box.x0 for line in near)
    right = max(line.box.x1 for line in prose if abs(line.box.x0 - left) < SAME_EDGE * size)
    return box.x0 - left > INDENT * size and abs((left + right) / 2 - box.center[0]) < OFF_MIDDLE * size


def _white(a: Box, b: Box) -> float:
    return max(a.y0 - b.y1, b.y0 - a.y1)


def is_full_type(spans: Sequence[TextSpan], size: float) -> bool:
    return max(span.size for span in spans) > SCRIPT * size
