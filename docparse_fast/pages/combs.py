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
from docparse_fast.geometry import Filed, runs
from docparse_fast.lattices.rules import JOIN, SAME, Drawn

LEAST, MOST = 6.0, 26.0  # points, of a letter's box, across and down
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
    spans = (span for block in blocks for line in block for span in line.spans if span.text.strip())
    words = Filed(spans, by=lambda span: span.box.center[1])
    made: dict[int, TextSpan | None] = {}
    rooms: list[Box] = []
    for comb in _combs(ink.bars, ink.point):
        letters = [span for span in words.between(comb.box.y0, comb.box.y1) if comb.place(span) is not None]
        if _are_letters(letters, comb):
            made |= _written(letters, comb)
            rooms.append(comb.box.expanded(SAME * ink.point))
    if not rooms:
        return blocks, ink
    kept = (tuple(made_of for line in block if (made_of := _line(line, made)) is not None) for block in blocks)
    placed = Filed(rooms, by=_middle)
    rules, bars = (_beyond(placed, drawn, MOST * ink.point) for drawn in (ink.rules, ink.bars))
    return tuple(filter(None, kept)), replace(ink, rules=rules, bars=bars)


def _middle(box: Box) -> float:
    return box.center[1]


def _are_letters(spans: Sequence[TextSpan], comb: Comb) -> bool:
    """Whether no box holds more than one letter, and they are no marks to choose from."""
    said = [span.text.strip() for span in spans]
    single = all(len(text) == 1 for text in said) and len({comb.place(span) for span in spans}) == len(spans)
    return single and not _is_scale(sorted(said))


def _is_scale(letters: Sequence[str]) -> bool:
    """Whether they count, as marks to choose from do: `1 2 3 4 5`."""
    return len(letters) >= FEWEST and all(ord(b) - ord(a) == 1 for a, b in pairwise(letters))


def _combs(bars: Sequence[Box], point: float) -> list[Comb]:
    """Rows of sides of one height at even steps; two sides near each other, of neighbours, are one."""
    by_level: dict[tuple[int, int], list[Box]] = defaultdict(list)
    for bar in bars:
        if bar.width < bar.height and LEAST * point <= bar.height <= MOST * point:
            by_level[round(bar.y0 / (SAME * point)), round(bar.y1 / (SAME * point))].append(bar)
    found = [comb for level in by_level.values() for comb in _on_level(level, point)]
    placed = Filed(found, by=lambda comb: _middle(comb.box))
    reach = (MOST + SAME) * point
    near = ((comb, placed.between(_middle(comb.box) - reach, _middle(comb.box) + reach)) for comb in found)
    return [comb for comb, others in near if not any(_is_next_row(comb, other, point) for other in others)]


def _on_level(sides: Sequence[Box], point: float) -> Iterator[Comb]:
    near = runs(sorted(side.center[0] for side in sides), lambda run, x: x - run[-1] < JOIN * point)
    places = [sum(run) / len(run) for run in near]
    steps = [(left, right) for left, right in pairwise(places) if LEAST * point <= right - left <= MOST * point]
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


def _written(letters: Sequence[TextSpan], comb: Comb) -> dict[int, TextSpan | None]:
    """The letters as one word where the first of them stands, with blanks for boxes left free among them."""
    placed = {comb.place(span): span.text.strip() for span in letters}
    text = "".join(placed.get(n, " ") for n in range(len(comb.sides)))
    first = min(letters, key=lambda span: span.box.x0, default=None)
    if first is None:
        return {}
    word = replace(first, text=" ".join(text.split()), box=Box.around(span.box for span in letters), signs=())
    return dict.fromkeys(map(id, letters)) | {id(first): word}


def _line(line: TextLine, made: Mapping[int, TextSpan | None]) -> TextLine | None:
    if made.keys().isdisjoint(map(id, line.spans)):
        return line
    spans = tuple(span for each in line.spans if (span := made.get(id(each), each)) is not None)
    return replace(line, spans=spans, box=Box.around(span.box for span in spans)) if spans else None


def _beyond(rooms: Filed[Box], drawn: Sequence[Box], reach: float) -> tuple[Box, ...]:
    """What goes on beyond all of them, as a table's rule does."""
    near = ((bar, rooms.between(_middle(bar) - reach, _middle(bar) + reach)) for bar in drawn)
    return tuple(bar for bar, rooms_near in near if not any(_lies_in(bar, room) for room in rooms_near))


def _lies_in(bar: Box, room: Box) -> bool:
    return room.x0 <= bar.x0 and bar.x1 <= room.x1 and room.y0 <= bar.y0 and bar.y1 <= room.y1
