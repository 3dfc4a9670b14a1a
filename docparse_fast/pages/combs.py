"""Words written letter by letter into a row of small boxes, as forms ask for names and numbers: each is one word.

The boxes stand at even steps, with nothing like them above or below: those would be rows of a table.
Knows words and bars; knows no font.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from statistics import median

from docparse_fast.document import Box, TextLine, TextSpan
from docparse_fast.geometry import runs
from docparse_fast.lattices.rules import JOIN, SAME, Drawn

LOWEST, HIGHEST = 6.0, 26.0  # points, of a side that parts two letters
NARROWEST, WIDEST = 6.0, 26.0  # points, of a letter's box
EVEN = 0.15  # of a step, by which another may differ
FEWEST = 4  # boxes side by side

_Blocks = tuple[tuple[TextLine, ...], ...]


@dataclass(frozen=True, slots=True)
class Comb:
    box: Box
    sides: tuple[float, ...]  # of its boxes, from the left

    def place(self, span: TextSpan) -> int | None:
        """In which box the middle of the words stands."""
        x, y = span.box.center
        inside = self.box.y0 <= y <= self.box.y1 and self.sides[0] <= x < self.sides[-1]
        return next(n for n, (left, right) in enumerate(pairwise(self.sides)) if left <= x < right) if inside else None


def with_combs(blocks: _Blocks, ink: Drawn) -> tuple[_Blocks, Drawn]:
    """The same lines, with the letters in each such row as a word, and what is drawn without the boxes' sides."""
    for comb in _combs(ink.bars, ink.point):
        spans = [span for block in blocks for line in block for span in line.spans if comb.place(span) is not None]
        letters = [span for span in spans if span.text.strip()]
        places = [comb.place(span) for span in letters]
        said = [span.text.strip() for span in letters]
        if any(len(text) > 1 for text in said) or len(set(places)) < len(places) or _is_scale(sorted(said)):
            continue
        blocks = _written(blocks, comb, letters) if letters else blocks
        rules, bars = (_beyond(comb, drawn, ink.point) for drawn in (ink.rules, ink.bars))
        ink = replace(ink, rules=rules, bars=bars)
    return blocks, ink


def _is_scale(letters: Sequence[str]) -> bool:
    """Whether they count, as marks to choose from do: `1 2 3 4 5`."""
    return len(letters) >= FEWEST and all(ord(b) - ord(a) == 1 for a, b in pairwise(letters))


def _combs(bars: Sequence[Box], point: float) -> list[Comb]:
    """Rows of sides of one height at even steps; two sides near each other, of neighbours, are one."""
    by_level: dict[tuple[int, int], list[Box]] = defaultdict(list)
    for bar in bars:
        if bar.width < bar.height and LOWEST * point <= bar.height <= HIGHEST * point:
            by_level[round(bar.y0 / (SAME * point)), round(bar.y1 / (SAME * point))].append(bar)
    found = [comb for level in by_level.values() for comb in _on_level(level, point)]
    return [comb for comb in found if not any(_is_next_row(comb, other, point) for other in found)]


def _on_level(sides: Sequence[Box], point: float) -> Iterator[Comb]:
    near = runs(sorted(side.center[0] for side in sides), lambda run, x: x - run[-1] < JOIN * point)
    places = [sum(run) / len(run) for run in near]
    steps = [(left, right) for left, right in pairwise(places) if NARROWEST * point <= right - left <= WIDEST * point]
    for row in runs(steps, lambda run, step: run[-1][1] == step[0] and _is_even(run, step)):
        if len(row) >= FEWEST:
            xs = (row[0][0], *(right for _, right in row))
            around = Box.around(sides)
            yield Comb(replace(around, x0=xs[0] - SAME * point, x1=xs[-1] + SAME * point), xs)


def _is_even(run: Sequence[tuple[float, float]], step: tuple[float, float]) -> bool:
    usual = median(right - left for left, right in run)
    return abs(step[1] - step[0] - usual) < EVEN * usual


def _is_next_row(comb: Comb, other: Comb, point: float) -> bool:
    """Whether the other's boxes touch its own from above or below and have sides where it has."""
    if other is comb or comb.box.gap_y(other.box) >= SAME * point:
        return False
    return 2 * sum(any(abs(a - b) < SAME * point for b in other.sides) for a in comb.sides) > len(comb.sides)


def _written(blocks: _Blocks, comb: Comb, letters: Sequence[TextSpan]) -> _Blocks:
    """The letters as one word where the first of them stands, with blanks for boxes left free among them."""
    placed = {comb.place(span): span.text.strip() for span in letters}
    filled = sorted(n for n in placed if n is not None)
    text = "".join(placed.get(n, " ") for n in range(filled[0], filled[-1] + 1))
    first = min(letters, key=lambda span: span.box.x0)
    word = replace(first, text=" ".join(text.split()), box=Box.around(span.box for span in letters), signs=())
    made = {id(span): None for span in letters} | {id(first): word}
    return tuple(tuple(kept for line in block if (kept := _line(line, made)) is not None) for block in blocks)


def _line(line: TextLine, made: Mapping[int, TextSpan | None]) -> TextLine | None:
    if made.keys().isdisjoint(map(id, line.spans)):
        return line
    spans = tuple(span for each in line.spans if (span := made.get(id(each), each)) is not None)
    return replace(line, spans=spans, box=Box.around(span.box for span in spans)) if spans else None


def _beyond(comb: Comb, drawn: Sequence[Box], point: float) -> tuple[Box, ...]:
    """What goes on beyond its boxes, as a table's rule does."""
    room = comb.box.expanded(SAME * point)
    return tuple(
        bar
        for bar in drawn
        if not (room.x0 <= bar.x0 and bar.x1 <= room.x1 and room.y0 <= bar.y0 and bar.y1 <= room.y1)
    )
