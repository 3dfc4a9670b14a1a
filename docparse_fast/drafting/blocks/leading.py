"""How far apart a paragraph's lines stand. Knows the lines of one column, from top to bottom."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from statistics import median

from docparse_fast.drafting.lines import Line
from docparse_fast.drafting.measures import LOOSE_LEADING, SEVERAL, is_wide, other_type
from docparse_fast.drafting.words import INDEX
from docparse_fast.work import may_cost

ONE_STEP = 1.1  # ratio within which two steps from line to line are one
SHARED = 0.2  # of all steps, from which one is usual
FAR_DOWN = 1.75  # of the type's size, from one line to the next
INDENTED = 3.0  # of the type's size: lines that begin so near have one right margin
STEPS_A_LINE = 10  # for each place where lines begin


LineStep = tuple[Line, float]  # a line, and how far it stands below the one above it


@dataclass(frozen=True, slots=True)
class Leading:
    usual: float  # 0 where no two steps are alike: lines of a form or a title page show none
    sure: bool  # whether lines of this size show it, whose words run on


def leadings(lines: Sequence[Line], page: Sequence[LineStep] = ()) -> list[Leading]:
    """The leading at each line: that of its own size of type, if lines of it run on; else of the whole column.

    `page` has the steps of all lines on the page that run on, for where a few lines stand between listings. Lines of
    typewriter type are often commands, each on its own.
    """
    whole = Leading(_usual_step(lines), sure=False)
    own = steps_run_on(lines)
    of_type = {
        type_: _of_size(line, own) or _of_size(line, page) or whole
        for type_, line in {_type(line): line for line in lines}.items()
    }
    return [whole if line.mono else of_type[_type(line)] for line in lines]


def steps_run_on(lines: Sequence[Line]) -> list[LineStep]:
    pairs = [(above, below) for above, below in pairwise(lines) if _runs_on(above, below)]
    places = {(above.box.x0, INDENTED * above.size) for above, _ in pairs}
    if not may_cost(STEPS_A_LINE * len(places) * len(lines), "how far apart lines stand"):
        return []
    ends = {(x, near): max(line.box.x1 for line in lines if abs(line.box.x0 - x) < near) for x, near in places}
    return [(b, step_down(a, b)) for a, b in pairs if _is_full(a, b, ends[a.box.x0, INDENTED * a.size])]


def _type(line: Line) -> tuple[float, bool]:
    """What `other_type` looks at."""
    return line.size, line.is_exact


def _of_size(line: Line, found: Sequence[LineStep]) -> Leading | None:
    steps = [step for other, step in found if not other_type(other, line)]
    if len(steps) < SEVERAL:
        return None
    usual = median(steps)
    alike = sum(usual <= ONE_STEP * step and step <= ONE_STEP * usual for step in steps)
    return Leading(usual, sure=True) if alike >= max(SEVERAL, len(steps) / 2) else None


def _runs_on(above: Line, below: Line) -> bool:
    """Whether a line of prose ends within a sentence, and the one below it goes on in small letters."""
    wide = is_wide(above) and not (above.mono or below.mono or other_type(above, below))
    beneath = 0.5 * below.box.height < step_down(above, below) < 3 * below.box.height
    return wide and beneath and above.plain[-1:].islower() and below.plain[:1].islower()


def _is_full(above: Line, below: Line, end: float) -> bool:
    """Whether the next line's first word had no room: names of parameters begin lines in small letters, too."""
    first = below.words[0][0].width if below.words else above.size
    return end - above.box.x1 < first + above.size


def _usual_step(lines: Sequence[Line]) -> float:
    """The smallest step from line to line that many lines share: between paragraphs of one line it is larger."""
    steps = [step_down(above, below) for above, below in pairwise(lines)]
    rows = zip(steps, (line.box.height for line in lines), strict=False)
    near = sorted(step for step, height in rows if 0.5 * height < step < 3 * height)
    for step in near:
        alike = near[bisect_left(near, step) : bisect_right(near, ONE_STEP * step)]
        if len(alike) >= max(2, SHARED * len(near)):
            return median(alike)
    return 0.0


def step_down(above: Line, below: Line) -> float:
    return below.box.center[1] - above.box.center[1]


def stretched(above: Line, below: Line) -> float:
    """How many times as far they may stand: on web pages lines with raised or lowered signs do."""
    return LOOSE_LEADING if any(INDEX.search(each.text) or "$" in each.text for each in (above, below)) else 1.0
