"""What was found apart but is one line: a marker and its words, a drop cap and its line, a label and its value."""

from __future__ import annotations

from bisect import bisect
from collections.abc import Sequence
from dataclasses import replace

from docparse_fast.document import Box, TextLine
from docparse_fast.drafting.lines import Line
from docparse_fast.drafting.measures import EDGE, FEWEST, FILLED_IN, NARROW_PROSE, VALUE_GAP, WORD_GAP
from docparse_fast.drafting.words import LONGEST_MARKER, MARKER, SECTION_NUMBER
from docparse_fast.evidence import summed
from docparse_fast.geometry import Levels, levels_of
from docparse_fast.text.characters import CJK, COLONS
from docparse_fast.text.marks import seamless

EXACT_WORD_GAP = 0.4  # the same in a text layer, whose lines are whole but for marks beside them
MARKER_SIZES = 3.0  # ratio to the words' size that a bullet may have, large or small
MARKER_GAP = 3.5  # in type sizes, where the first is only a list marker or a number


def whole_lines(lines: Sequence[Line]) -> list[Line]:
    """Joins what a detector found apart."""
    whole: list[Line] = []
    begins = sorted(line.box.x0 for line in lines)
    found = _with_values(_with_drop_caps(lines), begins)
    levels = Levels(line.box.height for line in found)
    for line in sorted(found, key=lambda line: line.box.x0):
        beside = (n for n in levels.at(line.box) if _continues(whole[n], line))
        before = next((n for n in beside if not _are_columns(whole[n], line, begins)), None)
        if before is None:
            before = len(whole)
            whole.append(line)
        else:
            whole[before] = together(whole[before], line)
        levels.add(before, whole[before].box)
    return sorted(whole, key=lambda line: line.box.y0)


def _are_columns(before: Line, line: Line, begins: Sequence[float]) -> bool:
    """Whether both are of columns of prose, however narrow the gutter: many lines begin where the other one does."""
    return before.box.width > NARROW_PROSE * before.size and many_begin(begins, line.box.x0, line.size)


def begins_of_prose(lines: Sequence[TextLine]) -> list[float]:
    return sorted(line.box.x0 for line in lines if line.box.width > NARROW_PROSE * line.spans[0].size)


def many_begin(begins: Sequence[float], x: float, size: float) -> bool:
    """Whether many lines do so at one place: `begins` are in order."""
    return bisect(begins, x + EDGE * size) - bisect(begins, x - EDGE * size) >= FEWEST


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


def _with_values(lines: Sequence[Line], begins: Sequence[float]) -> list[Line]:
    """Each label that a colon ends as one line with the value behind it on a scan, though filled in off its level."""
    levels = levels_of([line.box for line in lines])
    values = dict[int, tuple[float, int]]()  # the label of each that shares most of its height
    for n in filter(lambda n: _is_label(lines[n]), range(len(lines))):
        if (value := _value_of(lines[n], lines, levels)) is not None and not _are_columns(
            lines[n], lines[value], begins
        ):
            shared = lines[value].box.overlap_y(lines[n].box), n
            values[value] = max(values.get(value, shared), shared)
    named = {label: value for value, (_, label) in values.items()}
    others = ((n, line) for n, line in enumerate(lines) if n not in values)
    return [together(line, lines[named[n]]) if n in named else line for n, line in others]


def _value_of(label: Line, lines: Sequence[Line], levels: Levels) -> int | None:
    """The number of the first line behind it, if it is near and no label itself."""
    behind = (n for n in levels.at(label.box) if _is_filled_in(label, lines[n]))
    first = min(behind, key=lambda n: lines[n].box.x0, default=None)
    if first is None or _is_label(lines[first]):
        return None
    return first if lines[first].box.x0 - label.box.x1 < VALUE_GAP * label.size else None


def _is_label(line: Line) -> bool:
    return not line.is_exact and line.plain.endswith(COLONS)


def _is_filled_in(label: Line, line: Line) -> bool:
    shared = line.box.overlap_y(label.box) > FILLED_IN * min(line.box.height, label.box.height)
    return shared and line.box.x0 > label.box.center[0]


def _with_drop_caps(lines: Sequence[Line]) -> list[Line]:
    """A capital as tall as two lines or more belongs before the first line to its right."""
    capitals = [line for line in lines if len(line.plain) == 1 and line.plain.isupper()]
    rest = list(lines)
    for capital in capitals:
        beside = [line for line in rest if _goes_on_behind(capital, line)]
        if first := min(beside, key=lambda line: line.box.y0, default=None):
            rest.remove(capital)
            rest[rest.index(first)] = replace(first, text=capital.text + first.text, plain=capital.plain + first.plain)
    return rest


def _goes_on_behind(capital: Line, line: Line) -> bool:
    tall = capital.box.height > 1.7 * line.box.height and capital.box.overlap_y(line.box) > 0.5 * line.box.height
    return tall and line.plain[:1].islower() and -0.5 * line.size < line.box.x0 - capital.box.x1 < line.size
