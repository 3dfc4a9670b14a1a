"""Cuts lines at the gutter between two columns, where a detector read across it.

Knows where words stand; does not know reading order. A gutter is white that keeps its place over many lines, which
the gaps between words do not.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import islice, pairwise

import numpy as np
from numpy.typing import NDArray

from docparse_fast.document import Box
from docparse_fast.drafting.arrays import Floats
from docparse_fast.drafting.lines import Line
from docparse_fast.marks import unmarked
from docparse_fast.markup import as_read, as_text

WIDE = 0.6  # of the type's size: narrower gaps are never tried
CORRIDOR = (
    0.35  # of the type's size: the white that all lines of a gutter leave, word boxes being good to half a letter
)
REACH = 8.0  # in line heights, up and down, in which the gutter must be seen
FEWEST_ROWS = 6  # of text on each side of it there
COLUMN = 4.0  # in line heights: narrower text at a gutter's side is a label or a cell
FILLED = 0.65  # of that width taken by words, in prose
WORDY = 0.7  # part of the words there that hold a letter: columns of numbers are a table's


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
    words = [word for line in lines for word in line.words or ((line.box, line.plain),)]
    page = _Words(
        np.array([(box.x0, box.y0, box.x1, box.y1) for box, _ in words], np.float64).reshape(-1, 4),
        np.array([any(map(str.isalpha, text)) for _, text in words], np.bool_),
    )
    parted: list[Line] = []
    for line in lines:
        runs = [list(line.words[:1])]
        for before, word in pairwise(line.words):
            if _at_gutter(page, line, before[0].x1, word[0].x0):
                runs.append([])
            runs[-1].append(word)
        parted += [line] if len(runs) == 1 else pieces(line, runs)
    return parted


@dataclass(frozen=True, slots=True)
class _Words:
    edges: Floats  # (words, 4)
    lettered: NDArray[np.bool_]  # (words,)

    def near(self, chosen: NDArray[np.bool_]) -> _Words:
        return _Words(self.edges[chosen], self.lettered[chosen])


def _at_gutter(page: _Words, line: Line, left: float, right: float) -> bool:
    """Whether the gap from `left` to `right` is kept, and stands between columns of words, above and below the line."""
    if right - left < WIDE * line.size:
        return False
    tall = line.box.height
    x0, y0, x1, y1 = page.edges.T
    distance = (y0 + y1) / 2 - line.box.center[1]
    beside = (np.abs(distance) < REACH * tall) & (x1 > left - COLUMN * tall) & (x0 < right + COLUMN * tall)
    near, distance = page.near(beside), distance[beside]
    least = CORRIDOR * line.size
    for side in (distance <= 0, distance > 0):
        order = np.flatnonzero(side)[np.argsort(np.abs(distance[side]), kind="stable")]
        for index in order:
            x0, _, x1, _ = near.edges[index]
            narrower = (max(left, x1), right) if x0 + x1 < left + right else (left, min(right, x0))
            if narrower[1] - narrower[0] < least:
                distance[order[np.abs(distance[order]) >= np.abs(distance[index]) - 0.5 * tall]] = np.inf
                break
            left, right = narrower
    near, distance = near.near(np.isfinite(distance)), distance[np.isfinite(distance)]
    rows = len(np.unique(np.round(distance / (0.8 * tall))))
    return rows >= FEWEST_ROWS and all(
        _words_fill(near, start, start + COLUMN * tall, rows) for start in (left - COLUMN * tall, right)
    )


def _words_fill(words: _Words, x0: float, x1: float, rows: int) -> bool:
    """Whether the rows between `x0` and `x1` are prose."""
    widths = np.clip(np.minimum(words.edges[:, 2], x1) - np.maximum(words.edges[:, 0], x0), 0, None)
    there = widths > 0
    if not there.any() or float(words.lettered[there].mean()) < WORDY:
        return False
    return float(widths.sum()) > FILLED * rows * (x1 - x0)


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
