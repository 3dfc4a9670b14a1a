"""Writes rows of code as text: each word keeps its column, and each vertical gap becomes empty lines."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from statistics import median

from docparse_fast.document import TextSpan

TIGHT = 0.3  # of a character's width: a narrower gap is none
ONE_BLANK = 1.5  # a narrower gap is one blank, also where letters are spaced out and columns drift
TYPED = str.maketrans("‘’‑", "`'-")  # as fonts draw what was typed
USUAL_PITCH = 0.6  # of the type's size

CodeRow = tuple[float, Sequence[TextSpan]]  # a baseline, and the words on it from the left


def laid_out(rows: Sequence[CodeRow], leading: float) -> str:
    """The rows' words in character columns, counted from the leftmost word."""
    spans = [span for _, row in rows for span in row]
    pitch = _pitch(spans)
    left = min(span.box.x0 for span in spans)
    text = ""
    for n, (baseline, row) in enumerate(rows):
        if n:
            steps = round((baseline - rows[n - 1][0]) / leading)
            text += "\n" * max(1, steps)
        text += _set(row, left, pitch)
    return text.translate(TYPED)


def _pitch(spans: Sequence[TextSpan]) -> float:
    widths = [span.box.width / _columns(span.text.strip()) for span in spans if len(span.text.strip()) > 1]
    return median(widths) if widths else USUAL_PITCH * spans[0].size


def _set(row: Sequence[TextSpan], left: float, pitch: float) -> str:
    text = ""
    end = left
    for span in sorted(row, key=lambda span: span.box.x0):
        gap = (span.box.x0 - end) / pitch
        if gap > TIGHT:
            at = round((span.box.x0 - left) / pitch)
            text = text.rstrip()
            blanks = max(at - _columns(text), 1 if text else 0)
            text += " " * (1 if text and gap < ONE_BLANK else blanks)
        text += span.text.strip()
        end = span.box.x1
    return text


def _columns(text: str) -> int:
    """The number of columns; Chinese, Japanese and Korean characters take two.

    >>> _columns("ab文")
    4
    """
    return sum(2 if unicodedata.east_asian_width(char) in "WF" else 1 for char in text)
