"""The numbers beside a page's lines, as those of pleadings and manuscripts are counted. Knows no columns."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise

from docparse_fast.drafting.blocks.leading import step_down
from docparse_fast.drafting.lines import Line
from docparse_fast.drafting.measures import ENOUGH, FEWEST, MOST, SCRIPT, is_wide
from docparse_fast.geometry import gathered

NUMBER = re.compile(r"[0-9]{1,4}")


def line_numbers(lines: Sequence[Line]) -> set[int]:
    """Those that count the lines beside them down the page, one by one or each fifth.

    A table's rows are counted, too, but prose goes on from one line to the next, or has larger type than its numbers.
    """
    numbers = [n for n, line in enumerate(lines) if NUMBER.fullmatch(line.plain)]
    numbers.sort(key=lambda n: lines[n].box.y0)
    rising = gathered((lines[n] for n in numbers), _goes_on)
    runs = [run for run in rising if len(run) >= FEWEST and _count_prose(run, lines)]
    return {n for n in numbers if any(_is_below(run[0], lines[n]) for run in runs)}


def _is_below(above: Line, line: Line) -> bool:
    return min(abs(above.box.x0 - line.box.x0), abs(above.box.x1 - line.box.x1)) < line.size


def _goes_on(run: Sequence[Line], line: Line) -> bool:
    """Whether it stands below the others and rises by their step."""
    steps = (_step(*run[:2]),) if len(run) > 1 else (1, 5)
    return _is_below(run[-1], line) and _step(run[-1], line) in steps


def _step(above: Line, below: Line) -> int:
    return int(below.plain) - int(above.plain)


def _count_prose(run: Sequence[Line], lines: Sequence[Line]) -> bool:
    """Whether words go on from one of the lines that are counted to the next, thrice, or once where some are empty."""
    text = _beside(run, lines)
    step = MOST * min(step_down(*pair) for pair in pairwise(run)) / _step(*run[:2])
    going = sum(_runs_on(*rows) and step_down(*rows) > step for rows in pairwise(text))
    goes_on = going >= ENOUGH or (going > 0 and _beside_nothing(run, text, step) >= ENOUGH)
    return goes_on or sum(is_wide(line) and SCRIPT * line.size > run[0].size for line in text) >= FEWEST


def _beside(run: Sequence[Line], lines: Sequence[Line]) -> list[Line]:
    """The column beside the numbers, from the first to the last, if nothing stands on their other side."""
    top, foot = run[0].box.y0, run[-1].box.y1
    text = [line for line in lines if top < line.box.center[1] < foot and not _is_below(run[0], line)]
    left, right = (
        any(line.box.x0 < run[-1].box.x1 for line in text),
        any(line.box.x1 > run[-1].box.x0 for line in text),
    )
    nearest = min(text, key=lambda line: line.box.gap_x(run[0].box), default=run[0])
    column = (line for line in text if line.box.overlap_x(nearest.box) > 0)
    return [] if left and right else sorted(column, key=lambda line: line.box.y0)


def _beside_nothing(run: Sequence[Line], text: Sequence[Line], near: float) -> int:
    return sum(all(abs(step_down(line, number)) >= near for line in text) for number in run)


def _runs_on(above: Line, below: Line) -> bool:
    return is_wide(above) and above.plain[-1:].isalpha() and below.plain[:1].islower() and not above.mono
