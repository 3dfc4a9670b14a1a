"""What is drawn on a page: rules whose pieces are joined, and areas. Knows boxes only, not what drew them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from docparse_fast.document import Box, TickBox

LEAST_RULE = 4.0  # points: a shorter line is a dash, a tick or a part of a letter
JOIN = 3.0  # points between two pieces of the same rule
SAME = 1.5  # points between two rules that count as one


@dataclass(frozen=True, slots=True)
class Drawn:
    rules: tuple[Box, ...] = ()  # thin, straight, horizontal or vertical; the pieces of a line are joined
    areas: tuple[Box, ...] = ()  # the boxes of everything else: shaded cells, curves, slanted lines
    point: float = 1.0  # in pixels
    bars: tuple[Box, ...] = ()  # rules as they are drawn, each by itself, short ones too
    placed: tuple[Box, ...] = ()  # where drawings from other files were put, such as plots
    boxes: tuple[TickBox, ...] = ()  # to be ticked; they are neither rules nor areas


def joined_rules(rules: Sequence[Box], point: float) -> list[Box]:
    """Joins rules that lie end to end, so that dashes, dots and borders drawn cell by cell become whole lines."""
    across = [box for box in rules if box.width >= box.height]
    down = [Box(box.y0, box.x0, box.y1, box.x1) for box in rules if box.width < box.height]
    found = _joined(across, point)
    found += [Box(box.y0, box.x0, box.y1, box.x1) for box in _joined(down, point)]
    return [box for box in found if max(box.width, box.height) >= LEAST_RULE * point]


def _joined(rules: Sequence[Box], point: float) -> list[Box]:
    rows: list[list[Box]] = []
    for box in sorted(rules, key=lambda box: box.y0 + box.y1):
        if rows and abs(_level(rows[-1][-1]) - _level(box)) <= SAME * point:
            rows[-1].append(box)
        else:
            rows.append([box])
    found: list[Box] = []
    for row in rows:
        run: Box | None = None
        for box in sorted(row, key=lambda box: box.x0):
            if run is not None and box.x0 <= run.x1 + JOIN * point:
                run = Box.around((run, box))
                continue
            if run is not None:
                found.append(run)
            run = box
        if run is not None:
            found.append(run)
    return found


def _level(box: Box) -> float:
    return (box.y0 + box.y1) / 2
