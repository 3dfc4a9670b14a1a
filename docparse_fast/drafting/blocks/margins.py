"""What stands in the margins beside a page's one column of text: notes and labels.

Knows lines. Beside a text means level with it, wholly left or right of where its lines begin and end.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from itertools import pairwise
from statistics import median

from docparse_fast.document import Box, Region
from docparse_fast.drafting.blocks.gutters import pieces
from docparse_fast.drafting.lines import Line
from docparse_fast.drafting.measures import EDGE, PROSE, in_one_row, is_wide

FEWEST_PROSE = 5  # lines, which tell where the column stands
MOST_PROSE = 0.6  # of them begin at its left edge
INDENT = 4.0  # of the type's size, by which lines of the text may begin farther in
CLEAR = 0.4  # of the type's size between a note and the text
WIDER_STEP = 1.2  # of the usual step from line to line
NOTE_STEP = 1.8  # line heights from one line of a note to the next
WIDEST = 0.4  # of the text's width, by a line beside it; a wider one is a column's
AT_EDGE = 0.3  # of the type's size between the text's edge and a word at it
NOTE = re.compile(r"[^\W\d_]{3}")  # and no item's marker


def parted_at_margins(lines: Sequence[Line]) -> list[Line]:
    """The same words, in lines that don't begin in the margin and go on in the text."""
    edges = _edges([line for line in lines if is_wide(line)])
    if edges is None:
        return list(lines)
    return [part for line in lines for part in _parts(line, edges[0])]


def _parts(line: Line, left: float) -> list[Line]:
    clear = CLEAR * line.size
    runs = [[word for word in line.words if word[0].x1 < left - clear]]
    runs.append([word for word in line.words if word[0].x0 > left - AT_EDGE * line.size])
    note = " ".join(text for _, text in runs[0])
    parted = len(runs[0]) + len(runs[1]) == len(line.words) and NOTE.search(note) and runs[1]
    at_edge = bool(parted) and runs[1][0][0].x0 < left + AT_EDGE * line.size
    long = bool(parted) and runs[1][-1][0].x1 - runs[1][0][0].x0 > PROSE / 2 * line.size
    return pieces(line, runs) if at_edge and long else [line]


def margin_notes(lines: Sequence[Line], members: Sequence[int]) -> list[list[int]]:
    """The lines of each note beside the text, from the top; none on a page of several columns."""
    prose = [lines[i] for i in members if is_wide(lines[i])]
    edges = _edges(prose)
    if edges is None:
        return []
    left, right = edges
    sides: dict[bool, list[int]] = {False: [], True: []}
    for i in sorted(members, key=lambda i: lines[i].box.y0):
        box, clear = lines[i].box, CLEAR * lines[i].size
        if box.x1 < left - clear or box.x0 > right + clear:
            sides[box.x0 > right].append(i)
    if any(lines[i].box.width > WIDEST * (right - left) for side in sides.values() for i in side):
        return []
    text = [lines[i].box for i in members if abs(lines[i].box.x0 - left) < INDENT * lines[i].size]
    firsts = _firsts(text)
    groups = [group for side in sides.values() for group in _together(lines, side, firsts)]
    return [group for group in groups if any(in_one_row(lines[group[0]].box, box) for box in text)]


def _edges(prose: Sequence[Line]) -> tuple[float, float] | None:
    """Where most lines of prose begin, and where they end at most."""
    if len(prose) < FEWEST_PROSE:
        return None
    near = EDGE * median(line.size for line in prose)
    lefts = [line.box.x0 for line in prose]
    ordered = sorted(lefts)
    left = max(dict.fromkeys(lefts), key=lambda x: bisect_left(ordered, x + near) - bisect_right(ordered, x - near))
    there = [line.box.x1 for line in prose if abs(line.box.x0 - left) < near]
    return (left, max(there)) if len(there) >= MOST_PROSE * len(prose) else None


def _firsts(text: Sequence[Box]) -> list[Box]:
    """Lines with more white above than most have: terms stand beside such."""
    ordered = sorted(text, key=lambda box: box.y0)
    steps = [below.y1 - above.y1 for above, below in pairwise(ordered)]
    least = WIDER_STEP * median(steps) if steps else 0.0
    return [below for (_, below), step in zip(pairwise(ordered), steps, strict=True) if step > least]


def _together(lines: Sequence[Line], side: Sequence[int], firsts: Sequence[Box]) -> list[list[int]]:
    groups: list[list[int]] = []
    for i in side:
        above = lines[groups[-1][-1]].box if groups else None
        near = above is not None and lines[i].box.center[1] - above.center[1] < NOTE_STEP * above.height
        if near and not any(in_one_row(lines[i].box, first) for first in firsts):
            groups[-1].append(i)
        else:
            groups.append([i])
    return groups


def with_notes(
    blocks: Sequence[list[int] | Region], notes: Sequence[list[int]], lines: Sequence[Line]
) -> list[list[int] | Region]:
    """Each note before the block that it stands beside: within its sentence it would say nothing."""
    found = list(blocks)
    for note in notes:
        level = lines[note[0]].box.center[1]
        at = next((n for n, block in enumerate(found) if _foot(block, lines) > level), len(found))
        found.insert(at, note)
    return found


def _foot(block: list[int] | Region, lines: Sequence[Line]) -> float:
    return block.box.y1 if isinstance(block, Region) else max(lines[index].box.y1 for index in block)
