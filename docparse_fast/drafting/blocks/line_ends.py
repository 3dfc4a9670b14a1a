"""How far right lines could have gone, and whether they end where somebody wanted them to, as those of an address do.

Knows the lines of a column and the room that each leaves at its end; does not know what a page is about.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Sequence
from itertools import compress, pairwise
from statistics import median

import numpy as np
from numpy.typing import NDArray

from docparse_fast.document import Box
from docparse_fast.drafting.lines import Line, plain_of
from docparse_fast.drafting.measures import EDGE, ENOUGH, MOSTLY, PROSAIC, SEVERAL, in_one_row, is_wide, of_one_type
from docparse_fast.drafting.words import INDEX_ENTRY
from docparse_fast.text.characters import CJK
from docparse_fast.text.mail import is_mail

EXACT_SLACK, READ_SLACK = 0.5, 1.5  # of the type's size: blanks stretch, and an OCR's boxes are not exact
ASIDE = 6.0  # of the type's size: a line that begins so far from the left is set to the right
MIDDLE = 2.0  # the same for a line in the middle of its column, which stands no farther from it than one size
NEIGHBOURS = 6  # lines above and below that tell where a line could have ended
CAPITALS = 0.6  # of the lines begin with no small letter, where their ends could be those of a narrow column
SHORTENED = re.compile(r"^\w{1,3}[./]\s*")  # "ul. Lipowa 3", "c/ Olmo 3"
READS_ON = 8.0  # of the type's size: a line as wide may go on in the next one
STOP = re.compile(r"[.!?:;。！？：；]$")
BROKEN_WORD = re.compile(r"[^\W\d_][-‐\u00ad]$")


def rooms(lines: Sequence[Line], others: Sequence[Box], left: float = math.inf) -> list[float]:
    """What each line of a column leaves free: at its end and, where it is set in the middle or to the right, at both.

    Short lines don't tell how wide their column is: it may be as wide as the page, or reach to `others`. What else
    stands in it may begin farther `left`.
    """
    if not lines:
        return []
    left, margin = min(left, *(line.box.x0 for line in lines)), _margin(lines) or _reach(lines)
    limits = _limits(lines, others) if margin is None else [margin] * len(lines)
    found = []
    flush = _set_flush_right(lines)
    lefts = _left_limits([line.box for line in compress(lines, flush)], others)
    for line, limit, is_flush in zip(lines, limits, flush, strict=True):
        after = limit - line.box.x1
        before = line.box.x0 - left
        if is_flush:
            found.append(line.box.x0 - next(lefts))
            continue
        placed = before > ASIDE * line.size or (before > MIDDLE * line.size > abs(after - before) * MIDDLE)
        found.append(after + before if placed else after)
    return found


def _set_flush_right(lines: Sequence[Line]) -> list[bool]:
    """For each line whether it ends where a neighbour does that begins elsewhere, and has none flush left with it."""
    narrow = [not is_wide(line) for line in lines]
    return [narrow[n] and _is_set_right(line, _neighbours(lines, n)) for n, line in enumerate(lines)]


def _neighbours(lines: Sequence[Line], n: int) -> list[Box]:
    """The nearest line above and the nearest below, without prose."""
    sides = (reversed(lines[max(0, n - NEIGHBOURS) : n]), lines[n + 1 : n + 1 + NEIGHBOURS])
    nearest = (next((other for other in side if other.box.overlap_x(lines[n].box) > 0), None) for side in sides)
    return [other.box for other in nearest if other is not None and not is_wide(other)]


def _is_set_right(line: Line, beside: Sequence[Box]) -> bool:
    edge = EDGE * line.size
    ends = [abs(box.x1 - line.box.x1) < edge for box in beside]
    away = [abs(box.x0 - line.box.x0) for box in beside]
    steps_in = any(end and far > edge for end, far in zip(ends, away, strict=True))
    return steps_in and all(end or far >= edge for end, far in zip(ends, away, strict=True))


def _left_limits(boxes: Sequence[Box], others: Sequence[Box]) -> Iterator[float]:
    """Where what stands left of each line ends; where nothing does, the leftmost end of all."""
    x0, y0, x1, y1 = _sides(others)
    for box in boxes:
        beside = x1[(x1 <= box.x0) & (np.minimum(y1, box.y1) > np.maximum(y0, box.y0))]
        yield float(beside.max()) if len(beside) else min(box.x0, float(x0.min()))


def _sides(boxes: Sequence[Box]) -> NDArray[np.float64]:
    return np.array([(box.x0, box.y0, box.x1, box.y1) for box in boxes]).T


def _margin(lines: Sequence[Line]) -> float | None:
    """Where most lines of prose end, the rightmost such place; None without prose."""
    prose = [line for line in lines if is_wide(line)]
    if len(prose) < PROSAIC:
        return None
    near = EDGE * median(line.size for line in prose)
    ends = np.array([line.box.x1 for line in prose])
    rightmost_first: list[float] = sorted(set(ends.tolist()), reverse=True)
    return max(rightmost_first, key=lambda end: int(np.count_nonzero(np.abs(ends - end) < near)))


def _reach(lines: Sequence[Line]) -> float | None:
    """How far those go that others go on below in small letters; None with few of them."""
    ends = [above.box.x1 for above, below in pairwise(lines) if below.plain[:1].islower()]
    return max(ends) if len(ends) >= ENOUGH else None


def _limits(lines: Sequence[Line], others: Sequence[Box]) -> list[float]:
    """Where what stands beside each line begins; where nothing does, the farthest end of all."""
    x0, y0, x1, y1 = _sides(others)
    farthest = float(x1.max())
    found = []
    for box in (line.box for line in lines):
        beside = x0[(x0 >= box.x1) & (np.minimum(y1, box.y1) > np.maximum(y0, box.y0))]
        found.append(float(beside.min()) if len(beside) else max(box.x1, farthest))
    return found


def would_fit(line: Line, room: float) -> bool:
    """Whether the line's first word would have fitted where the line above ends, a blank before it."""
    width = line.words[0][0].width if line.words and not CJK.match(line.plain) else 2 * line.size
    slack = EXACT_SLACK if line.is_exact else READ_SLACK
    return room > width + slack * line.size


def set_line_by_line(lines: Sequence[Line], rooms: Sequence[float]) -> bool:
    """Whether the lines of one paragraph are to stay apart."""
    joints = [(two, room) for two, room in zip(pairwise(lines), rooms, strict=False) if not goes_on_in_row(*two)]
    pairs = [two for two, _ in joints]
    if not pairs or any(in_one_row(above.box, below.box) or BROKEN_WORD.search(above.plain) for above, below in pairs):
        return False
    if sum(INDEX_ENTRY.match(line.plain) is not None for line in lines) >= MOSTLY * len(lines) or _is_address(lines):
        return True
    ends = sum(would_fit(below, room) for (_, below), room in joints)
    if ends < MOSTLY * len(pairs):
        return False
    widest = max(line.box.width for line in lines)
    uneven = any(would_fit(below, widest - above.box.width) for above, below in pairs)
    text = plain_of(lines)
    if text.lower() == text.upper():
        return uneven
    begin_large = sum(not _begins_small(below.plain) for _, below in pairs) >= CAPITALS * len(pairs)
    return begin_large or (uneven and len(pairs) > 1)


def _begins_small(text: str) -> bool:
    return SHORTENED.sub("", text)[:1].islower() and not is_mail(text)


def _is_address(lines: Sequence[Line]) -> bool:
    """Whether one line is a mail address, and no other begins small."""
    others = [line for line in lines if not is_mail(line.plain)]
    return SEVERAL <= len(others) < len(lines) and not any(line.plain[:1].islower() for line in others)


def right_margins(lines: Sequence[Line]) -> list[float]:
    """How far to the right each line could have gone: as far as several near it, set as far in, do."""
    row_ends = [not goes_on_in_row(line, after) for line, after in pairwise(lines)] + [True]
    ends = list(compress(lines, row_ends))
    whole = _shared_end(ends) or max(line.box.x1 for line in ends)
    found = []
    for n, line in enumerate(lines):
        around = slice(max(0, n - NEIGHBOURS), n + NEIGHBOURS + 1)
        beside = (other for other in compress(lines[around], row_ends[around]) if of_one_type(other.size, line.size))
        near = [other for other in beside if abs(other.box.x0 - line.box.x0) < 3 * line.size]
        flush = [other for other in lines[max(0, n - 1) : n + 2] if _is_flush_prose(other, line)]
        found.append(max(_shared_end(flush) or _end_near(near) or whole, line.box.x1))
    return found


def _is_flush_prose(other: Line, line: Line) -> bool:
    """Whether neighbours begin at one left end: a note's box may be little narrower than the text around it."""
    return abs(other.box.x0 - line.box.x0) < EDGE * line.size and is_wide(other)


def _end_near(lines: Sequence[Line]) -> float | None:
    """Their shared end; where no two that follow each other share it, as with terms, what two lines of prose reach."""
    shared = _shared_end(lines)
    ends = [_shared_end(pair) for pair in pairwise(lines)]
    prose = sorted(line.box.x1 for line in lines if is_wide(line))
    return shared if shared is None or shared in ends or len(prose) < 2 else prose[-2]


def _shared_end(lines: Sequence[Line]) -> float | None:
    """The rightmost place at which two lines or more end."""
    ends = sorted((line.box.x1 for line in lines), reverse=True)
    near = EDGE * median(line.size for line in lines) if lines else 0.0
    return next((a for a, b in pairwise(ends) if a - b < near), None)


def goes_on_in_row(above: Line, line: Line) -> bool:
    return in_one_row(above.box, line.box) and line.box.x0 > above.box.x1


def reads_on(stack: Sequence[Line], wide: float = READS_ON) -> bool:
    """Whether most of its lines, below its name, are so wide, end no sentence and go on in small letters."""
    pairs = [(above, below) for above, below in pairwise(stack) if above.bold <= below.bold]
    going_on = sum(
        above.box.width > wide * above.size and not STOP.search(above.plain) and below.plain[:1].islower()
        for above, below in pairs
    )
    return 2 * going_on > len(pairs)
