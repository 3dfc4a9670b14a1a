"""What was found apart but is one line: a list's marker and its words, a drop cap and the line it begins."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import replace
from statistics import median

from docparse_fast.document import Box
from docparse_fast.drafting.lines import Line
from docparse_fast.drafting.measures import WORD_GAP
from docparse_fast.drafting.words import LONGEST_MARKER, MARKER, SECTION_NUMBER
from docparse_fast.evidence import summed
from docparse_fast.text.characters import CJK
from docparse_fast.text.marks import seamless

EXACT_WORD_GAP = 0.4  # the same in a text layer, whose lines are whole but for marks beside them
MARKER_SIZES = 3.0  # ratio to the words' size that a bullet may have, large or small
MARKER_GAP = 3.5  # in type sizes, where the first is only a list marker or a number
LEAST = 0.05  # of the greatest height: a page has no more levels than twenty for its tallest box


class Levels:
    """Numbers of boxes by the levels that they reach over.

    >>> levels = Levels([10, 10])
    >>> levels.add(0, Box(0, 0, 5, 10))
    >>> levels.add(1, Box(0, 80, 5, 90))
    >>> levels.at(Box(50, 5, 60, 15)), levels.at(Box(50, 60, 60, 70))
    ([0], [])
    """

    def __init__(self, heights: Iterable[float]) -> None:
        known = list(heights)
        self.height = max([median(known), LEAST * max(known), 1e-6]) if known else 1.0
        self.boxes: dict[int, set[int]] = defaultdict(set)

    def add(self, number: int, box: Box) -> None:
        """A box that is there already may have grown."""
        for level in self._levels(box):
            self.boxes[level].add(number)

    def at(self, box: Box) -> list[int]:
        """Those that may overlap it in height: all that do, and a few more."""
        return sorted(set().union(*(self.boxes[level] for level in self._levels(box) if level in self.boxes)))

    def _levels(self, box: Box) -> range:
        return range(int(box.y0 // self.height), int(box.y1 // self.height) + 1)


def whole_lines(lines: Sequence[Line]) -> list[Line]:
    """Joins what a detector found apart: a list marker and its text, a drop cap and its line."""
    whole: list[Line] = []
    found = _with_drop_caps(lines)
    levels = Levels(line.box.height for line in found)
    for line in sorted(found, key=lambda line: line.box.x0):
        before = next((n for n in levels.at(line.box) if _continues(whole[n], line)), None)
        if before is None:
            before = len(whole)
            whole.append(line)
        else:
            whole[before] = together(whole[before], line)
        levels.add(before, whole[before].box)
    return sorted(whole, key=lambda line: line.box.y0)


def _continues(before: Line, line: Line) -> bool:
    if before.box.overlap_y(line.box) <= 0.6 * min(before.box.height, line.box.height):
        return False
    gap = line.box.x0 - before.box.x1
    marker = _is_marker(before) or bool(before.bold and line.bold and SECTION_NUMBER.fullmatch(before.plain))
    alike = max(before.size, line.size) < (MARKER_SIZES if marker else 1.6) * min(before.size, line.size)
    size = min(before.size, line.size)
    word_gap = EXACT_WORD_GAP if line.is_exact else WORD_GAP
    return alike and -1.5 * size < gap < (MARKER_GAP if marker else word_gap) * size


def _is_marker(line: Line) -> bool:
    return len(line.plain) <= LONGEST_MARKER and MARKER.match(line.plain + " x") is not None


def together(before: Line, line: Line) -> Line:
    tight = bool(CJK.match(before.plain[-1:]) and CJK.match(line.plain[:1]))
    blank = "" if tight else " "
    known = [line.confidence for line in (before, line) if line.confidence is not None]
    return replace(
        before,
        box=Box.around((before.box, line.box)),
        text=blank.join(seamless(before.text, line.text)),
        plain=before.plain + blank + line.plain,
        size=line.size if _is_marker(before) else max(before.size, line.size),
        bold=before.bold and line.bold,
        confidence=min(known) if known else None,
        certainty=summed((before.certainty, line.certainty)),
        words=before.words + line.words,
    )


def _with_drop_caps(lines: Sequence[Line]) -> list[Line]:
    """A capital as tall as two lines or more belongs before the first line to its right."""
    tall = [line for line in lines if len(line.plain) == 1 and line.plain.isupper()]
    rest = list(lines)
    for capital in tall:
        beside = [
            line
            for line in rest
            if capital.box.height > 1.7 * line.box.height
            and line.plain[:1].islower()
            and capital.box.overlap_y(line.box) > 0.5 * line.box.height
            and -0.5 * line.size < line.box.x0 - capital.box.x1 < line.size
        ]
        if first := min(beside, key=lambda line: line.box.y0, default=None):
            rest.remove(capital)
            rest[rest.index(first)] = replace(first, text=capital.text + first.text, plain=capital.plain + first.plain)
    return rest
