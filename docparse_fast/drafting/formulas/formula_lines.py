"""Tells the lines of formulas from those of prose, by words, signs, type and what is set off from the text.

Parts rows that have numbers of their own.
"""

from __future__ import annotations

import math
import re
from collections.abc import Sequence

from docparse_fast.document import Box, TextLine, TextSpan
from docparse_fast.drafting.formulas.signs import NAMES, TAKE_LIMITS
from docparse_fast.drafting.formulas.type import is_math_font
from docparse_fast.drafting.lines import letters_in, printed, text_in
from docparse_fast.drafting.measures import (
    EDGE,
    LEVEL,
    LOWERED,
    MOST,
    MUCH,
    SEVERAL,
    SEVERAL_LINES,
    SMALLER,
    WORD_GAP,
    in_one_row,
)
from docparse_fast.geometry import around
from docparse_fast.text.characters import CJK

BIG = frozenset("∑∏∐∫∬∭∮⋃⋂⨁⨂")
RELATION = re.compile(r"[=<>≤≥≠≈≡∼≃≅∝∈∉⊂⊆⊃⊇→⇒⇔↔↦≪≫]|(?<!\d):|:(?!\d)")  # no time's colon
OPERATOR = re.compile(r"[∑∏∫∮√∂∇∞±∓×÷⋅∘∀∃∅∧∨∩∪⊕⊗∥⟨⟩≤≥≠≈≡∼≃∝∈∉⊂⊆→⇒⇔↦ℝℕℤℚℂ\u0370-\u03ff\U0001d400-\U0001d7ff]")
ARROWS = re.compile(r"[→⇒⇔]")  # journeys and menus have them too
LEADER = re.compile(r"(?:[.·]\s?){6}")
WORD = re.compile(r"[^\W\d_]{3,}")
FIRST_WORD = re.compile(r"[^\W\d_]{3}|[a-z]\.[a-z]")  # where, e.g.
# Letters that no formula has without type of its own
FOREIGN = re.compile(r"[^\W\d_\u0000-\u007f\u0370-\u03ff\U0001d400-\U0001d7ff]")
MARKER = re.compile(r"[•◦▪‣●○■□]|(?:\d{1,3}|[a-z])[.)]|\([a-z0-9]{1,2}\)")
MOST_WORDS = 2  # of prose in a formula's line
LIMITS = 0.7  # of the type's size: how far above or below a sum its limits begin
MIDDLE = 0.3  # of the type's size: how far the middle of what is centred may lie off
LYING = frozenset("⏞⏟")  # braces, with notes over or under them
NUMBER_ASIDE = 30.0  # of the type's size: how far from a formula its number stands
NUMBERED = re.compile(r"^\(?(?P<number>[A-Z]?\.?\d{1,3}(?:\.\d{1,3}){0,2}[a-z]?)\)$")
BESIDE = 1.5  # of the type's size: how near to a formula the words of its sentence stand
NEXT_LINE = 1.45  # of the type's size: how far under a paragraph's line its next one stands at most
FULL_TO = 3.0  # of the type's size: how far before its column's edge a full line ends
LONE = 0.15  # of a formula's height: prose that shares less stands over or under it
INDENT = 1.5  # of the type's size, from the column's edge
LEAST_TYPED = 0.15  # of the signs: those in mathematical type
DOES = re.compile(r"[+−\-*/·×()\[\]{}|∥∑∏∫√]")


def is_mathematical(line: TextLine) -> bool:
    return any(
        is_math_font(each.font) or OPERATOR.search(each.text) or RELATION.search(each.text) for each in line.spans
    )


def is_prose(line: TextLine) -> bool:
    """Whether a line consists of words rather than signs, or has a row of dots as contents have."""
    if LEADER.search(line.text):
        return True
    words = words_of(line.spans)
    total = sum(len(span.text.strip()) for span in line.spans)
    return len(words) > MOST_WORDS or sum(map(len, words)) > 0.55 * total


def words_of(spans: Sequence[TextSpan]) -> list[str]:
    """Words of prose, of which Chinese says many in few characters. Scripts say what a letter stands for."""
    largest = max(spans, key=lambda span: span.size, default=None)
    plain = [span.text for span in spans if not is_math_font(span.font) and not _is_script(span, largest)]
    named = [word for text in plain for word in WORD.findall(CJK.sub(" ", text)) if word.lower() not in NAMES]
    return named + [character for text in plain for character in CJK.findall(text) if character.isalpha()]


def _is_script(span: TextSpan, largest: TextSpan | None) -> bool:
    if largest is None or span.size >= SMALLER * largest.size:
        return False
    return abs(span.baseline - largest.baseline) > LOWERED * largest.size


def is_formula(spans: Sequence[TextSpan]) -> bool:
    """Whether the words have a relation sign and mathematical type, or slanted letters."""
    text = text_in(spans)
    if _is_item(spans) or (RELATION.search(text) is None and BIG.isdisjoint(text)) or not re.search(r"\w", text):
        return False
    if letters_in(span for span in spans if span.mono) > MOST * len(text):
        return False
    foreign = len(FOREIGN.findall(text))
    if any(is_math_font(span.font) or OPERATOR.search(ARROWS.sub("", span.text)) for span in spans):
        return foreign <= MOST * len(text)
    if foreign > MUCH * len(text) or not RELATION.search(text.replace(":", "")):
        return False  # a row of an alphabet, or a word and what it means
    return len(words_of(spans)) <= MOST_WORDS and any(span.italic and len(span.text.strip()) <= 4 for span in spans)


def _is_item(spans: Sequence[TextSpan]) -> bool:
    """Whether a list's bullet or number stands before the formula."""
    first, *others = sorted(spans, key=lambda span: span.box.x0)
    if around(spans).height > SEVERAL_LINES * first.size:
        return False  # a fraction, which no line of text can hold
    if not others or not MARKER.fullmatch(first.text.strip()):
        return False
    return min(span.box.x0 for span in others) - first.box.x1 > WORD_GAP * first.size


def is_row(spans: Sequence[TextSpan]) -> bool:
    """Whether it could be a formula's next line: a formula, or a relation and what stands behind it."""
    first = min(spans, key=lambda span: span.box.x0)
    return is_formula(spans) or (len(spans) > 1 and RELATION.match(first.text.strip()) is not None)


def bears_limits(text: str) -> bool:
    return text.strip() in BIG or not LYING.isdisjoint(text) or not TAKE_LIMITS.isdisjoint(WORD.findall(text))


def by_number(cluster: Sequence[int], lines: Sequence[TextLine]) -> list[list[int]]:
    """The cluster's lines, in a part for each number at the right if there are several."""
    numbers = [i for i in cluster if NUMBERED.match(lines[i].text.strip())]
    others = [i for i in cluster if i not in numbers]
    if len(numbers) < 2 or not others or min(lines[i].box.x0 for i in numbers) < max(lines[i].box.x1 for i in others):
        return [list(cluster)]
    parts = {number: [number] for number in numbers}
    for i in others:
        parts[min(numbers, key=lambda n: abs(lines[n].box.center[1] - lines[i].box.center[1]))].append(i)
    found = list(map(sorted, parts.values()))
    return found if all(len(part) > 1 for part in found) else [list(cluster)]


def touches_prose(box: Box, size: float, prose: Sequence[TextLine]) -> bool:
    """Whether words stand on the formula's own line in its column, so that it is part of their sentence."""
    beside = [line.box for line in prose if in_one_row(line.box, box) and line.box.gap_x(box) < BESIDE * size]
    boxes = [line.box for line in prose] if beside else []
    return not all(are_in_columns(other, box, size, boxes) for other in beside)


def are_in_columns(a: Box, b: Box, size: float, prose: Sequence[Box]) -> bool:
    """Whether several lines of prose end between two level boxes, and as many begin there, nearer than any goes on."""
    left, right = sorted((a, b), key=lambda box: box.x0)
    if left.x1 >= right.x0:
        return False
    slack, whole = LEVEL * size, Box.around((a, b))
    across = (box for box in prose if box.x0 < left.x1 - slack and box.x1 > right.x0 + slack)
    reach = min((box.gap_y(whole) for box in across), default=math.inf)
    near = [box for box in prose if box.gap_y(whole) < reach]
    ends = (left.x1 - slack <= box.x1 <= right.x0 for box in near if box.overlap_x(left) > 0)
    begins = (left.x1 <= box.x0 <= right.x0 + slack for box in near if box.overlap_x(right) > 0)
    return min(sum(ends), sum(begins)) >= SEVERAL


def is_alone(box: Box, others: Sequence[TextLine]) -> bool:
    """Whether none of the other lines stands beside it."""
    return not any(line.box.overlap_y(box) > LONE * min(line.box.height, box.height) for line in others)


def ends_paragraph(spans: Sequence[TextSpan], prose: Sequence[TextLine]) -> bool:
    """Whether it is a line of a paragraph: under a full line of words that begins where it does."""
    first = min(spans, key=lambda span: span.box.x0)
    if around(spans).height > SEVERAL_LINES * first.size:
        return False
    column = [line for line in prose if abs(line.box.x0 - first.box.x0) < EDGE * first.size]
    above = [line for line in column if 0 < first.baseline - line.spans[0].baseline < NEXT_LINE * first.size]
    edge = max((line.box.x1 for line in column), default=0.0) - FULL_TO * first.size
    return any(max(other.box.x1 for other in prose if in_one_row(other.box, line.box)) > edge for line in above)


def fills_column(spans: Sequence[TextSpan], prose: Sequence[TextLine]) -> bool:
    """Whether it begins with a word where lines of prose do, and ends where they do: lines with much mathematics."""
    box, first = around(spans), min(spans, key=lambda span: span.box.x0)
    near = EDGE * first.size
    alike = sum(abs(line.box.x0 - box.x0) < near and abs(line.box.x1 - box.x1) < near for line in prose)
    begins = FIRST_WORD.match(first.text) is not None and first.text.strip() not in NAMES
    return alike >= SEVERAL and begins and not is_math_font(first.font)


def is_set_off(spans: Sequence[TextSpan], bars: Sequence[Box]) -> bool:
    """Whether mathematics without a relation is a formula: a fraction."""
    signs = printed(spans)
    typed = has_type(signs) and DOES.search(text_in(signs)) is not None
    return typed and len(words_of(signs)) <= MOST_WORDS and any(_is_fraction(bar, signs) for bar in bars)


def has_type(spans: Sequence[TextSpan]) -> bool:
    typed = letters_in(span for span in spans if is_math_font(span.font))
    return typed > LEAST_TYPED * letters_in(spans)


def _is_fraction(bar: Box, spans: Sequence[TextSpan]) -> bool:
    within = [span for span in spans if bar.covers(Box(span.box.x0, bar.y0, span.box.x1, bar.y1)) > 0.0]
    over = [span for span in within if 0 <= bar.center[1] - span.box.y1 < span.size]
    under = [span for span in within if 0 <= span.box.y0 - bar.center[1] < span.size]
    return bool(over and under) and any(is_math_font(span.font) for span in (*over, *under))
