"""Lines of one column into paragraphs, list items, entries of an index and headings-to-be.

Knows typography (leading, indents, list markers); does not know columns, labels or pages.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from docparse_fast.drafting.blocks.leading import LineStep, leadings, step_down
from docparse_fast.drafting.blocks.paragraph_starts import (
    A_LITTLE,
    LOOSE_LEADING,
    Joint,
    begins,
    far_below,
    text_left,
    would_fit,
)
from docparse_fast.drafting.blocks.right_margins import right_margins
from docparse_fast.drafting.lines import Line
from docparse_fast.drafting.measures import INDENT, MOSTLY, other_type
from docparse_fast.drafting.words import BOXES, MARKER
from docparse_fast.text.characters import TERMINAL

LEAST_INDENTED = 3  # lines that stand farther in than the one above, from which a column is known


def entry_starts(lines: Sequence[Line], leaves_room: Sequence[bool]) -> list[bool | None]:
    """For each line whether it begins a paragraph of entries; None where its place doesn't say it.

    `leaves_room`: whether the next line's first word had fitted behind it.
    """
    indented = [n for n in range(1, len(lines)) if lines[n].box.x0 > lines[n - 1].box.x0 + INDENT * lines[n].size]
    going_on = sum(_goes_on(lines[n - 1], lines[n]) for n in indented)
    if len(indented) < LEAST_INDENTED or going_on < MOSTLY * len(indented):
        return [None] * len(lines)
    rest = {n for n in indented if not leaves_room[n - 1]}
    return [False if n in rest else True if n + 1 in rest else None for n in range(len(lines))]


def _goes_on(above: Line, line: Line) -> bool:
    begins = line.plain[:1]
    return not TERMINAL.search(above.plain) and (begins.islower() or begins.isdigit())


def paragraphs(lines: Sequence[Line], page: Sequence[LineStep] = (), margins: Sequence[float] = ()) -> list[list[Line]]:
    """Parts a column's lines (top to bottom) where a new paragraph, item or heading begins.

    `page`: how far apart the lines on the page stand that run on. `margins`: how far each could have gone in its
    column, which is believed where a sentence ends.
    """
    own = right_margins(lines)
    ended = [TERMINAL.search(line.plain) is not None for line in lines]
    margins = [there if is_end else here for here, there, is_end in zip(own, margins or own, ended, strict=True)]
    leading = leadings(lines, page)
    found = [[lines[0]]]
    widest = max(line.box.x1 for line in lines)
    rooms = [
        (widest if far_below(above, line, usual) else margin) - above.box.x1
        for (above, line), usual, margin in zip(pairwise(lines), leading[1:], margins, strict=False)
    ]
    listed = entry_starts(lines, [would_fit(line, room) for line, room in zip(lines[1:], rooms, strict=True)])
    for index in range(1, len(lines)):
        room = rooms[index - 1]
        following = lines[index + 1] if index + 1 < len(lines) else None
        if begins(Joint(found[-1], lines[index], following, leading[index], room, listed[index])):
            found.append([])
        found[-1].append(lines[index])
    return found


def runs_on(above: Line, line: Line, room: float, usual: float = 0.0) -> bool:
    """Whether nothing parts two lines of text: neither a sentence's end, nor room left, nor a step in or down."""
    ends = TERMINAL.search(above.plain) or MARKER.match(line.plain) or would_fit(line, room)
    left = text_left(above) or above.box.x0
    beneath = abs(line.box.x0 - left) < INDENT * line.size
    near = 0 < step_down(above, line) < max(LOOSE_LEADING * line.box.height, A_LITTLE * usual)
    return not ends and beneath and near and not other_type(above, line)


def item_text(text: str) -> str | None:
    """A list item as Markdown writes it, or None if `text` doesn't begin with a marker.

    >>> item_text("・牛奶"), item_text("☒ by post")
    ('- 牛奶', '- ☒ by post')
    >>> item_text("•「牛奶」")
    '- 「牛奶」'
    >>> item_text("• milk"), item_text("2) eggs"), item_text("(a) flour"), item_text("（1）糖"), item_text("3.5 kg")
    ('- milk', '2. eggs', '- (a) flour', '- （1）糖', None)
    >>> item_text("15. Januar 2027: Abnahme"), item_text("i. A. Tobias Huber")
    (None, None)
    """
    match = MARKER.match(text)
    if match is None:
        return None
    rest = text[match.end() :]
    if match["bullet"] in BOXES:
        return f"- {match['bullet']} {rest}"
    if match["bullet"] or match["dot"]:
        return f"- {rest}"
    if match["number"]:
        return f"{match['number']}. {rest}"
    return f"- {match['other']} {rest}" if match["other"] else f"- {match['wide']}{rest}"
