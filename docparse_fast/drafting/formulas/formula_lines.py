"""Tells the lines of formulas from those of prose. Knows words, signs and type."""

from __future__ import annotations

import re
from collections.abc import Sequence

from docparse_fast.document import Box, TextLine, TextSpan
from docparse_fast.drafting.formulas.signs import FUNCTIONS, MORE_FUNCTIONS, TAKE_LIMITS
from docparse_fast.drafting.formulas.type import is_math_font
from docparse_fast.writing import CJK

NAMES = FUNCTIONS | MORE_FUNCTIONS
BIG = frozenset("∑∏∐∫∬∭∮⋃⋂⨁⨂")
RELATION = re.compile(r"[=<>≤≥≠≈≡∼≃≅∝∈∉⊂⊆⊃⊇→⇒⇔↔↦≪≫:]")
OPERATOR = re.compile(r"[∑∏∫∮√∂∇∞±∓×÷⋅∘∀∃∅∧∨∩∪⊕⊗∥⟨⟩≤≥≠≈≡∼≃∝∈∉⊂⊆→⇒⇔↦ℝℕℤℚℂ\u0370-\u03ff\U0001d400-\U0001d7ff]")
LEADER = re.compile(r"(?:[.·]\s?){6}")
WORD = re.compile(r"[^\W\d_]{3,}")
FOREIGN = re.compile(r"[^\W\d_\u0000-\u007f\u0370-\u03ff]")  # letters that no formula has without type of its own
MOST_FOREIGN, MOST_FOREIGN_TYPED = 0.3, 0.5  # of the characters
MARKER = re.compile(r"[•◦▪‣●○■□]|(?:\d{1,3}|[a-z])[.)]|\([a-z0-9]{1,2}\)")
MARKER_GAP = 0.2  # of the type's size, between a list's number and what it counts
MOST_WORDS = 2  # of prose in a formula's line
MOSTLY_CODE = 0.4  # the share of typewriter type in code
SCRIPT = 0.92  # of the base's size: a script is smaller
OFF_LINE = 0.08  # of the type's size: how far off its line a script stands
LIMITS = 0.7  # of the type's size: how far above or below a sum its limits begin
MIDDLE = 0.3  # of the type's size: how far the middle of what is centred may lie off
LYING = frozenset("⏞⏟")  # braces, with notes over or under them
SEVERAL = 1.8  # times a line's height: a formula of several lines


def is_mathematical(line: TextLine) -> bool:
    return any(
        is_math_font(span.font) or OPERATOR.search(span.text) or RELATION.search(span.text) for span in line.spans
    )


def is_prose(line: TextLine) -> bool:
    """Whether a line consists of words rather than signs, or has a row of dots as contents have."""
    if LEADER.search(line.text):
        return True
    words = words_of(line.spans)
    total = sum(len(span.text.strip()) for span in line.spans)
    return len(words) > MOST_WORDS or sum(map(len, words)) > 0.55 * total


def is_limit(line: TextLine, bearing: Sequence[TextSpan]) -> bool:
    """Whether small words stand centred under or over a sum."""
    size = max(span.size for span in line.spans)
    return any(
        size < SCRIPT * sign.size
        and abs(line.box.center[0] - sign.box.center[0]) < MIDDLE * sign.size
        and max(line.box.y0 - sign.box.y1, sign.box.y0 - line.box.y1) < LIMITS * sign.size
        for sign in bearing
    )


def words_of(spans: Sequence[TextSpan]) -> list[str]:
    """Words of prose, of which Chinese says many in few characters. Scripts say what a letter stands for."""
    largest = max(spans, key=lambda span: span.size, default=None)
    plain = [span.text for span in spans if not is_math_font(span.font) and not _is_script(span, largest)]
    named = [word for text in plain for word in WORD.findall(CJK.sub(" ", text)) if word.lower() not in NAMES]
    return named + [character for text in plain for character in CJK.findall(text) if character.isalpha()]


def _is_script(span: TextSpan, largest: TextSpan | None) -> bool:
    if largest is None or span.size >= SCRIPT * largest.size:
        return False
    return abs(span.baseline - largest.baseline) > OFF_LINE * largest.size


def is_formula(spans: Sequence[TextSpan]) -> bool:
    """Whether the words have a relation sign, and either a second dimension or mathematical type."""
    text = "".join(span.text for span in spans)
    if _is_item(spans):
        return False
    if not (RELATION.search(text) or any(char in BIG for char in text)) or not re.search(r"\w", text):
        return False
    if sum(len(span.text) for span in spans if span.mono) > MOSTLY_CODE * len(text):
        return False
    largest = max(span.size for span in spans)
    scripts = any(span.size < SCRIPT * largest for span in spans)
    typed = any(is_math_font(span.font) or OPERATOR.search(span.text) for span in spans)
    slanted = any(span.italic and len(span.text.strip()) <= 4 for span in spans)
    foreign = len(FOREIGN.findall(text))
    if typed:
        return foreign <= MOST_FOREIGN_TYPED * len(text)
    if foreign > MOST_FOREIGN * len(text) or not RELATION.search(text.replace(":", "")):
        return False  # a row of an alphabet, or a word and what it means
    return len(words_of(spans)) <= MOST_WORDS and (slanted or (scripts and len(text) > 3))


def _is_item(spans: Sequence[TextSpan]) -> bool:
    """Whether a list's bullet or number stands before the formula."""
    first, *others = sorted(spans, key=lambda span: span.box.x0)
    if Box.around(span.box for span in spans).height > SEVERAL * first.size:
        return False  # a fraction, which no line of text can hold
    if not others or not MARKER.fullmatch(first.text.strip()):
        return False
    return min(span.box.x0 for span in others) - first.box.x1 > MARKER_GAP * first.size


def is_row(spans: Sequence[TextSpan]) -> bool:
    """Whether it could be a formula's next line: a formula, or a relation and what stands behind it."""
    first = min(spans, key=lambda span: span.box.x0)
    return is_formula(spans) or (len(spans) > 1 and RELATION.match(first.text.strip()) is not None)


def bears_limits(text: str) -> bool:
    return text.strip() in BIG or not LYING.isdisjoint(text) or not TAKE_LIMITS.isdisjoint(WORD.findall(text))
