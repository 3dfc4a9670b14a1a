"""Code that stands beside what it makes, as manuals show examples: its lines, apart from those of the other side.

Knows boxes, and which lines are set in a font of one width. A name beside what it means stands level with it line by
line; of an example's lines few do.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence

from docparse_fast.document import Box, TextLine, TextSpan
from docparse_fast.drafting.measures import ROW

COUNTER = re.compile(r"\d{1,4}[.:]?")  # of lines of code
FEWEST = 3  # lines of such code
STEP = 2.2  # line heights from one of them to the next
MOST_LEVEL = 0.65  # of them stand level with a line of the other side; more are names
APART = 1.0  # of a line's height between the two sides


def parted_beside(lines: Sequence[TextLine], column: Sequence[int], mono: Collection[int]) -> list[list[int]]:
    """The column without such code, then each block of it."""
    prose = [lines[i].box for i in column if i not in mono and not COUNTER.fullmatch(lines[i].text.strip())]
    blocks = [block for block in _blocks(lines, [i for i in column if i in mono]) if _is_example(lines, block, prose)]
    taken = {i for block in blocks for i in block}
    return [[i for i in column if i not in taken], *blocks]


def _blocks(lines: Sequence[TextLine], members: Sequence[int]) -> list[list[int]]:
    found: list[list[int]] = []
    for i in sorted(members, key=lambda i: lines[i].box.y0):
        last = lines[found[-1][-1]].box if found else None
        if last is not None and lines[i].box.center[1] - last.center[1] < STEP * last.height:
            found[-1].append(i)
        else:
            found.append([i])
    return found


def _is_example(lines: Sequence[TextLine], block: Sequence[int], prose: Sequence[Box]) -> bool:
    if len(block) < FEWEST:
        return False
    whole = Box.around(lines[i].box for i in block)
    beside = [box for box in prose if box.overlap_y(whole) > ROW * box.height]
    apart = APART * lines[block[0]].box.height
    aside = all(box.x0 > whole.x1 + apart for box in beside) or all(box.x1 < whole.x0 - apart for box in beside)
    level = sum(any(lines[i].box.overlap_y(box) > ROW * box.height for box in beside) for i in block)
    return aside and 0 < level < MOST_LEVEL * len(block)


def without_counter(spans: Sequence[TextSpan]) -> list[TextSpan]:
    """A line's words but for its number, where typed words follow it."""
    inked = [span for span in spans if span.text.strip()]
    counted = len(inked) > 1 and COUNTER.fullmatch(inked[0].text.strip()) and not inked[0].mono and inked[1].mono
    return inked[1:] if counted else inked


def number_of(spans: Sequence[TextSpan]) -> int | None:
    """The number that the line begins with; None if it begins with none."""
    first = next((span.text.strip() for span in spans if span.text.strip()), "")
    return int(first.rstrip(".:")) if COUNTER.fullmatch(first) else None
