"""Tells what is stamped over a page from what is set on it: large words aslant, or pale behind the text.

Knows directions, sizes and shades of type; does not know columns. Such words belong to no column, row or cell.
"""

from __future__ import annotations

from collections.abc import Sequence
from statistics import median

from docparse_fast.document import TextLine
from docparse_fast.geometry import parted

MOST = 0.5  # of the page's letters: a page that is slanted as a whole has no watermark
LARGE = 2.0  # of the usual type's size, from which words aslant are stamped on the page
HUGE = 3.0  # likewise for level words, which must be pale and lie under others too
FEWEST_CROSSED = 2  # lines of the text that run over it


def parted_from_watermarks(lines: Sequence[TextLine]) -> tuple[list[TextLine], list[TextLine]]:
    """Watermarks, and all other lines."""
    unusual = [line for line in lines if line.slanted or _is_pale(line)]
    if not unusual or _letters(unusual) > MOST * _letters(lines):
        return [], list(lines)
    usual = median(_size(line) for line in lines for _ in line.text)
    found = {id(line) for line in unusual if _is_stamped(line, lines, usual)}
    return parted(lines, lambda line: id(line) in found)


def _is_stamped(line: TextLine, lines: Sequence[TextLine], usual: float) -> bool:
    if line.slanted:
        return _size(line) >= LARGE * usual
    if _size(line) < HUGE * usual:
        return False
    crossed = sum(line.box.intersection(other.box) > 0 for other in lines if other is not line and not _is_pale(other))
    return crossed >= FEWEST_CROSSED


def _is_pale(line: TextLine) -> bool:
    return all(span.pale for span in line.spans if span.text.strip())


def _size(line: TextLine) -> float:
    return max(span.size for span in line.spans)


def _letters(lines: Sequence[TextLine]) -> int:
    return sum(len(line.text) for line in lines)
