"""Dashes that the recogniser took for the Chinese numeral one. Knows a page's lines alone."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from docparse_fast.drafting.lines import Line
from docparse_fast.text.characters import SQUARE_LETTERS

ONE, DASH = "一", "–"


def with_dashes(lines: Sequence[Line]) -> list[Line]:
    """Where nothing else is Chinese or Japanese, a `一` that stands alone is a dash."""
    if any(SQUARE_LETTERS.search(line.plain.strip(ONE)) for line in lines):
        return list(lines)
    return [_as_dash(line) if line.plain == ONE else line for line in lines]


def _as_dash(line: Line) -> Line:
    return replace(line, text=DASH, plain=DASH, words=tuple((box, DASH) for box, _ in line.words))
