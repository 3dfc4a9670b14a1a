"""Algorithms as papers print them: steps that are counted, `1:` and so on, in any type, some farther in than others."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Sequence
from itertools import chain

from docparse_fast.document import Box, TextLine
from docparse_fast.drafting.blocks.code_blocks import CodeBlock
from docparse_fast.drafting.lines import printed
from docparse_fast.drafting.measures import EDGE, ENOUGH, FEWEST, MOST, NARROW_PROSE, SEVERAL
from docparse_fast.geometry import Levels, levels_of

STEP = re.compile(r"\s*(\d{1,3}):\s*")


def algorithms(lines: Sequence[TextLine], typed: Iterable[int] = ()) -> list[CodeBlock]:
    """`typed`: the lines that are code already."""
    taken, levels = frozenset(typed), levels_of([line.box for line in lines])
    steps = ([_step(n, lines, levels) for n in run] for run in _runs(lines) if len(run) > ENOUGH)
    return [block for block in (_block(run, lines) for run in steps) if block and block.lines.isdisjoint(taken)]


def _runs(lines: Sequence[TextLine]) -> list[list[int]]:
    """Lines one below the other, each with the next number."""
    counts = {n: int(told[1]) for n, line in enumerate(lines) if (told := STEP.match(line.text))}
    found: list[list[int]] = []
    waiting = defaultdict[int, list[list[int]]](list)  # for a number: the run that ended last stands last
    for n in sorted(counts, key=lambda n: lines[n].box.y0):
        runs = waiting[counts[n]]
        run = next((run for run in reversed(runs[-FEWEST:]) if _is_below(lines[run[-1]], lines[n])), None)
        if run is None:
            found.append(run := [])
        else:
            runs.remove(run)
        run.append(n)
        waiting[counts[n] + 1].append(run)
    return found


def _is_below(above: TextLine, line: TextLine) -> bool:
    size = line.spans[0].size
    return abs(line.box.x0 - above.box.x0) < size and 0 < line.box.y0 - above.box.y0 < ENOUGH * size


def _step(first: int, lines: Sequence[TextLine], levels: Levels) -> list[int]:
    """The line with the number, and those that stand behind it, one after the other."""
    box, size = lines[first].box, lines[first].spans[0].size
    level = [n for n in levels.at(box) if lines[n].box.overlap_y(box) > MOST * lines[n].box.height]
    step, far = [first], NARROW_PROSE
    for n in sorted(level, key=lambda n: lines[n].box.x0):
        if -EDGE * size < lines[n].box.x0 - lines[step[-1]].box.x1 < far * size:
            step, far = [*step, n], SEVERAL
    return step


def _block(steps: Sequence[Sequence[int]], lines: Sequence[TextLine]) -> CodeBlock | None:
    """None where no step is set in: then it is a list."""
    lefts, size = [_left(step, lines) for step in steps], lines[steps[0][0]].spans[0].size
    if max(lefts) - min(lefts) < size:
        return None
    rows = []
    for step, left in zip(steps, lefts, strict=True):
        number, words = " ".join(" ".join(lines[n].text for n in step).split()).split(":", 1)
        rows.append(f"{number:>3}: {' ' * round(SEVERAL * (left - min(lefts)) / size)}{words.strip()}")
    members = frozenset(chain.from_iterable(steps))
    return CodeBlock(Box.around(lines[n].box for n in members), "\n".join(rows), members)


def _left(step: Sequence[int], lines: Sequence[TextLine]) -> float:
    """Where its words begin, behind the number."""
    number, *others = (span for n in step for span in printed(lines[n].spans))
    end = found.end() if (found := STEP.match(number.text)) else 0
    behind = number.box.x0 + number.box.width * end / max(1, len(number.text))
    return others[0].box.x0 if others and 0 < end == len(number.text) else behind
