"""Gathers a page's lines into rows, tells which are typed, and how far apart they stand."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from statistics import median

from docparse_fast.document import Box, TextLine, TextSpan
from docparse_fast.drafting.words import MARKER
from docparse_fast.geometry import runs
from docparse_fast.text.mail import is_mail

MOSTLY = 0.85  # of a line's letters in a font of one width
LEVEL = 0.3  # of the type's size between two baselines of one row
COUNTER = re.compile(r"\d{1,4}[.:]?")  # of lines of code
LEADING = 1.2  # of the type's size, where the page doesn't tell


def without_counter(spans: Sequence[TextSpan]) -> list[TextSpan]:
    """A line's words but for its number, where typed words follow it."""
    inked = [span for span in spans if span.text.strip()]
    counted = len(inked) > 1 and COUNTER.fullmatch(inked[0].text.strip()) and not inked[0].mono and inked[1].mono
    return inked[1:] if counted else inked


def letters(spans: Iterable[TextSpan]) -> int:
    return sum(len(span.text.strip()) for span in spans)


def main_type(spans: Sequence[TextSpan]) -> tuple[float, float]:
    """Size and baseline of most of the characters."""
    counts: dict[tuple[float, float], int] = {}
    for span in spans:
        key = round(span.size, 1), round(span.baseline, 1)
        counts[key] = counts.get(key, 0) + len(span.text.strip())
    return max(counts, key=lambda key: (counts[key], key[0]))


@dataclass(frozen=True, slots=True)
class TypedRow:
    members: tuple[int, ...]
    spans: tuple[TextSpan, ...]
    box: Box
    size: float
    baseline: float
    mono: bool

    @property
    def text(self) -> str:
        return " ".join(span.text.strip() for span in self.spans)


def is_mono(spans: Sequence[TextSpan]) -> bool:
    """Signs of another font, an arrow or a sum, are not counted; a list's marker is. A mail address is no code."""
    inked = without_counter(spans)
    if inked[0].mono and is_mail("".join(span.text for span in inked)):
        return False
    if not inked[0].mono and MARKER.match(inked[0].text.strip() + " x"):
        return False
    words = [span for span in inked if any(map(str.isalnum, span.text))]
    if not words:
        return all(span.mono for span in inked)
    return letters(span for span in words if span.mono) >= MOSTLY * letters(words)


def code_rows(lines: Sequence[TextLine], members: Sequence[int]) -> list[TypedRow]:
    """Lines on one baseline, from the top."""
    types = {i: main_type(lines[i].spans) for i in members}
    ordered = sorted(members, key=lambda i: (types[i][1], lines[i].box.x0))
    groups = runs(ordered, lambda group, i: abs(types[group[0]][1] - types[i][1]) < LEVEL * types[i][0])
    return [_row(lines, group) for group in groups]


def _row(lines: Sequence[TextLine], group: Sequence[int]) -> TypedRow:
    ordered = sorted(group, key=lambda i: lines[i].box.x0)
    counted = ordered[1:] if len(ordered) > 1 and COUNTER.fullmatch(lines[ordered[0]].text.strip()) else ordered
    spans = tuple(span for i in ordered for span in lines[i].spans if span.text.strip())
    size, baseline = main_type([span for i in counted for span in without_counter(lines[i].spans)])
    box = Box.around(span.box for span in without_counter(spans))
    mono = [is_mono(lines[i].spans) for i in counted]
    return TypedRow(tuple(ordered), spans, box, size, baseline, all(mono))


def leading_of(rows: Sequence[TypedRow], size: float) -> float:
    """The most frequent distance from one row to the next."""
    steps = [b.baseline - a.baseline for a, b in pairwise(rows)]
    near = [step for step in steps if 0.8 * size < step < 1.6 * size]
    return median(near) if near else LEADING * size
