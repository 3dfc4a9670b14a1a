"""Cuts lines at the gutter between two columns, where a detector read across it, and takes notes out of margins.

Knows where words stand; does not know reading order. A gutter is white that keeps its place over many lines, which
the gaps between words do not.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import islice, pairwise
from statistics import median

from docparse_fast.document import Box, Region
from docparse_fast.drafting.lines import Line, words_of
from docparse_fast.drafting.measures import EDGE, PROSE, in_one_row, is_wide
from docparse_fast.geometry import Filed
from docparse_fast.text.marks import unmarked
from docparse_fast.text.markup import as_read, as_text
from docparse_fast.text.placed_words import PlacedWord

WIDE = 0.6  # of the type's size: narrower gaps are never tried
CORRIDOR = (
    0.35  # of the type's size: the white that all lines of a gutter leave, word boxes being good to half a letter
)
REACH = 8.0  # in line heights, up and down, in which the gutter must be seen
FEWEST_ROWS = 6  # of text on each side of it there
COLUMN = 4.0  # in line heights: narrower text at a gutter's side is a label or a cell
WORDY = 0.7  # part of the words there that hold a letter: columns of numbers are a table's
FEWEST_PROSE = 5  # lines, which tell where the column stands
MOST_PROSE = 0.6  # of them begin at its left edge
INDENT = 4.0  # of the type's size, by which lines of the text may begin farther in
CLEAR = 0.4  # of the type's size between a note and the text
WIDER_STEP = 1.2  # of the usual step from line to line
NOTE_STEP = 1.8  # line heights from one line of a note to the next
WIDEST = 0.4  # of the text's width, by a line beside it; a wider one is a column's
LEVEL = 0.15  # of a line's height, between the feet of lines that stand level
FILLED = 0.5  # of that width taken by words, in prose; of the height of a side that is a column, by its lines
COLUMN_LINES = 6  # of such a side
AT_EDGE = 0.3  # of the type's size between the text's edge and a word at it
NOTE = re.compile(r"[^\W\d_]{3}")  # and no item's marker


def extent(line: Line) -> Box:
    """A line's box without the detector's margin on either side, if the line has word boxes.

    >>> words = (Box(4, 0, 20, 10), "a"), (Box(30, 0, 46, 10), "b")
    >>> extent(Line(Box(0, 0, 50, 10), "a b", 8, "embedded", words=words))
    Box(x0=4, y0=0, x1=46, y1=10)
    """
    if not line.words:
        return line.box
    x0 = max(line.box.x0, line.words[0][0].x0)
    x1 = min(line.box.x1, line.words[-1][0].x1)
    return replace(line.box, x0=x0, x1=x1) if x1 > x0 else line.box


def parted_at_gutters(lines: Sequence[Line]) -> list[Line]:
    """The same words, in lines that do not cross a gutter."""
    words = Filed(words_of(lines), by=lambda word: word[0].center[1])
    parted: list[Line] = []
    for line in lines:
        near: _Near | None = None
        runs = [list(line.words[:1])]
        for before, word in pairwise(line.words):
            left, right = before[0].x1, word[0].x0
            if right - left >= WIDE * line.size:
                near = near or _Near(words, line)
                if _at_gutter(near, line, left, right):
                    runs.append([])
            runs[-1].append(word)
        parted += [line] if len(runs) == 1 else pieces(line, runs)
    return parted


class _Near:
    """The words above and below a line, by where they begin."""

    def __init__(self, words: Filed[PlacedWord], line: Line) -> None:
        level, reach = line.box.center[1], REACH * line.box.height
        found = words.between(level - reach, level + reach)
        self._words = Filed(found, by=lambda word: word[0].x0)
        self._widest = max((box.width for box, _ in found), default=0.0)

    def between(self, left: float, right: float) -> Iterator[PlacedWord]:
        return (word for word in self._words.between(left - self._widest, right) if word[0].x1 > left)


def _at_gutter(words: _Near, line: Line, left: float, right: float) -> bool:
    """Whether the gap from `left` to `right` is kept, and stands between columns of words, above and below the line."""
    tall, level = line.box.height, line.box.center[1]
    column, least = COLUMN * tall, CORRIDOR * line.size
    beside = [(box.center[1] - level, box, text) for box, text in words.between(left - column, right + column)]
    kept: list[tuple[float, Box, str]] = []
    for below in (False, True):
        side = sorted((each for each in beside if (each[0] > 0) == below), key=lambda each: abs(each[0]))
        for distance, box, _ in side:
            narrower = (max(left, box.x1), right) if box.x0 + box.x1 < left + right else (left, min(right, box.x0))
            if narrower[1] - narrower[0] < least:
                side = [each for each in side if abs(each[0]) < abs(distance) - 0.5 * tall]
                break
            left, right = narrower
        kept += side
    rows = len({round(distance / (0.8 * tall)) for distance, *_ in kept})
    return rows >= FEWEST_ROWS and all(_words_fill(kept, x0, x0 + column, rows) for x0 in (left - column, right))


def _words_fill(words: Sequence[tuple[float, Box, str]], x0: float, x1: float, rows: int) -> bool:
    """Whether the rows between `x0` and `x1` are prose."""
    there = [(width, text) for _, box, text in words if (width := min(box.x1, x1) - max(box.x0, x0)) > 0]
    lettered = sum(any(map(str.isalpha, text)) for _, text in there)
    return lettered >= WORDY * len(there) > 0 and sum(width for width, _ in there) > FILLED * rows * (x1 - x0)


def pieces(line: Line, runs: Sequence[Sequence[tuple[Box, str]]]) -> list[Line]:
    """The line's parts, each with its Markdown; plain text if a Markdown mark goes on from one to the next."""
    tokens, rest = iter(line.text.split()), line.plain
    found = []
    for run in runs:
        plain, rest = _taken(rest, sum(len("".join(text.split())) for _, text in run))
        share = " ".join(islice(tokens, len(plain.split())))
        text = share if as_read(unmarked(share)) == plain else as_text(plain)
        box = replace(line.box, x0=run[0][0].x0, x1=run[-1][0].x1)
        found.append(replace(line, box=box, text=text, plain=plain, words=tuple(run)))
    return found


def _taken(text: str, letters: int) -> tuple[str, str]:
    """As much of the text as has so many letters, and what follows.

    >>> _taken("a bc d", 3)
    ('a bc', 'd')
    """
    end = 0
    while letters and end < len(text):
        letters -= not text[end].isspace()
        end += 1
    return text[:end].strip(), text[end:].strip()


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
    ends = sorted(lines[i].box.y1 for i in members if lines[i].box.overlap_x(Box(left, 0, right, 0)) > 0)
    sides = {at: side for at, side in sides.items() if not _is_column([lines[i].box for i in side], ends)}
    text = [lines[i].box for i in members if abs(lines[i].box.x0 - left) < INDENT * lines[i].size]
    firsts = _firsts(text)
    groups = [group for side in sides.values() for group in _together(lines, side, firsts)]
    return [group for group in groups if any(in_one_row(lines[group[0]].box, box) for box in text)]


def _is_column(side: Sequence[Box], ends: Sequence[float]) -> bool:
    """Whether a side is filled from its first line to its last, most of it not level with the text's lines."""
    near = [(box.y1, LEVEL * box.height) for box in side]
    level = sum(bisect_right(ends, foot - most) < bisect_left(ends, foot + most) for foot, most in near)
    few = len(side) < COLUMN_LINES or 2 * level >= len(side)
    return not few and sum(box.height for box in side) > FILLED * Box.around(side).height


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
    places = [_place(block, lines) for block in blocks] if notes else []
    before: dict[int, list[list[int]]] = {}
    for note in notes:
        level = (box := lines[note[0]].box).center[1]
        beside = [n for n, place in enumerate(places) if place.y0 <= level < place.y1]
        below = next((n for n, place in enumerate(places) if place.y1 > level), len(blocks))
        nearest = min(beside, key=lambda n: max(places[n].x0 - box.x1, box.x0 - places[n].x1), default=below)
        before.setdefault(nearest, []).append(note)
    placed = [each for n, block in enumerate(blocks) for each in (*before.get(n, ()), block)]
    return [*placed, *before.get(len(blocks), ())]


def _place(block: list[int] | Region, lines: Sequence[Line]) -> Box:
    return block.box if isinstance(block, Region) else Box.around(lines[index].box for index in block)
