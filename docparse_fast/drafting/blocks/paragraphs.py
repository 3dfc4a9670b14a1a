"""Lines of one column into paragraphs, list items and headings-to-be.

Knows typography (leading, indents, list markers); does not know columns, labels or pages.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from docparse_fast.drafting.blocks.hanging_entries import entry_starts
from docparse_fast.drafting.blocks.leading import (
    FAR_DOWN,
    ONE_STEP,
    Leading,
    LineStep,
    leadings,
    step_down,
)
from docparse_fast.drafting.blocks.right_margins import goes_on_in_row, right_margins
from docparse_fast.drafting.lines import Line
from docparse_fast.drafting.measures import HEADING_ROWS, INDENT, PROSE, other_type
from docparse_fast.drafting.words import BOXES, CLAUSE, MARKER, NOTE_MARK, PLAIN_BULLETS
from docparse_fast.writing import CJK, TERMINAL

LEAST_LEADING = 1.2  # of the type's size, from a full line to the next: headings are larger than the text
LOOSE_LEADING = 1.4  # of the usual distance between two lines, from which a paragraph ends
A_LITTLE = 1.12  # of the usual distance, from which a line that ends a sentence, or leaves room, ends a paragraph
EXACT_SLACK, READ_SLACK = 0.5, 1.5  # of the type's size: blanks stretch, and an OCR's boxes are not exact
TORN = 3.0  # of the type's size: a gap within a row that no line of prose has


def paragraphs(lines: Sequence[Line], page: Sequence[LineStep] = ()) -> list[list[Line]]:
    """Parts a column's lines (top to bottom) where a new paragraph, item or heading begins.

    `page`: how far apart the lines on the page stand that run on.
    """
    if not lines:
        return []
    margins = right_margins(lines)
    leading = leadings(lines, page)
    found = [[lines[0]]]
    widest = max(line.box.x1 for line in lines)
    rooms = [
        (widest if _far_below(above, line, usual) else margin) - above.box.x1
        for (above, line), usual, margin in zip(pairwise(lines), leading[1:], margins, strict=False)
    ]
    listed = entry_starts(lines, [would_fit(line, room) for line, room in zip(lines[1:], rooms, strict=True)])
    for index in range(1, len(lines)):
        room = rooms[index - 1]
        following = lines[index + 1] if index + 1 < len(lines) else None
        entry = len(found) > 1 and _hangs_alike(found[-2], found[-1][0], lines[index])
        if _begins(found[-1], lines[index], following, room, leading[index], entry=entry, listed=listed[index]):
            found.append([])
        found[-1].append(lines[index])
    return found


def _begins(
    paragraph: list[Line],
    line: Line,
    following: Line | None,
    room: float,
    leading: Leading,
    *,
    entry: bool = False,
    listed: bool | None = None,
) -> bool:
    """Whether `line` is the first of another paragraph; `room` is what the line above leaves free at its end.

    `entry`: it stands as the second lines of hanging paragraphs do. `listed`: what its place in a list of entries says.
    """
    above = paragraph[-1]
    if goes_on_in_row(above, line):
        return False  # a form's label and what was filled in
    if _ends_torn_row(paragraph, line):
        return True
    step = step_down(above, line)
    usual = leading.usual or 1.6 * line.box.height
    broken_off = would_fit(line, room)  # its first word had room on the line above: somebody wanted a new line
    least = 0.0 if broken_off else LEAST_LEADING * line.size
    if step > LOOSE_LEADING * max(usual, 0.95 * line.box.height, least) or other_type(above, line):
        return True
    if listed is not None:
        return listed
    if NOTE_MARK.match(line.text) and NOTE_MARK.match(paragraph[0].text):
        return True
    if MARKER.match(line.plain) and _stands_as_item(paragraph, line):
        return True
    if _ends_slanted(paragraph, line):
        return True
    ended = bool(TERMINAL.search(above.plain))
    loose = step > A_LITTLE * usual or _far_below(above, line, leading)
    if (ended or broken_off) and CLAUSE.match(line.plain) and CLAUSE.match(paragraph[0].plain):
        return True
    if above.bold != line.bold and line.is_exact and (broken_off or loose or not line.words):
        return True
    if loose and line.is_exact and (broken_off or ended):
        return True
    if not _centred(above, line) and (placed := _by_place(paragraph, line, broken_off)) is not None:
        return placed
    alone = len(paragraph) == 1 and (broken_off or (ended and not entry))
    if alone and _is_first_of_more(paragraph, line, following):
        return True
    if entry and not broken_off:
        return False
    return ended and broken_off and (line.plain[:1].upper() == line.plain[:1] or bool(CJK.search(above.plain)))


def _hangs_alike(before: Sequence[Line], first: Line, second: Line) -> bool:
    """Whether these two lines stand as those of the paragraph before, references' as a rule.

    All but the first are farther in, and the step down to the second is the same. What a term means may have a second
    paragraph at that place, a larger step below its first.
    """
    if len(before) < 2:
        return False
    near = INDENT / 2 * first.size
    farther_in = second.box.x0 > first.box.x0 + near
    alike = abs(before[0].box.x0 - first.box.x0) < near
    usual = min(step_down(*pair) for pair in pairwise(before))
    return (
        farther_in
        and alike
        and step_down(first, second) <= ONE_STEP * usual
        and all(abs(other.box.x0 - second.box.x0) < near for other in before[1:])
    )


def _far_below(above: Line, line: Line, leading: Leading) -> bool:
    """Whether it stands as far down as the next paragraph does, or as a line of a thesis that shows no leading."""
    least = max(FAR_DOWN * line.size, ONE_STEP * leading.usual if leading.sure else 0.0)
    return step_down(above, line) > least and not _centred(above, line)


def _ends_slanted(paragraph: Sequence[Line], line: Line) -> bool:
    """Whether upright words begin below a few slanted ones that end without a stop: a heading's."""
    slanted = len(paragraph) <= HEADING_ROWS and all(above.italic for above in paragraph)
    upright = not line.italic and not line.text.startswith(("*", "_")) and line.plain[:1].isupper()
    return slanted and upright and line.is_exact and not TERMINAL.search(paragraph[-1].plain)


def _ends_torn_row(paragraph: Sequence[Line], line: Line) -> bool:
    """Whether the row above has a wide gap, as a definition's head has before what it defines, and this comes back."""
    if len(paragraph) < 2 or not goes_on_in_row(*paragraph[-2:]):
        return False
    start, end = paragraph[-2:]
    torn = end.box.x0 - start.box.x1 > TORN * line.size and end.box.width < PROSE * line.size
    return torn and line.box.x0 < end.box.x0


def _by_place(paragraph: list[Line], line: Line, broken_off: bool) -> bool | None:
    """What the line's left end says; None where it says nothing.

    Lines of a paragraph stand flush but for the first. So one that stands farther in than lines above it begins
    another, and so does one that comes back to where a hanging paragraph's first line stands.
    """
    first, above = paragraph[0], paragraph[-1]
    indent = INDENT * line.size
    own = _text_left(first)
    if own is not None and line.box.x0 < min(own, *(other.box.x0 for other in paragraph[1:]), own) - indent / 2:
        return broken_off or not line.plain[:1].islower()  # left of what the item says
    if own is not None and len(paragraph) == 1 and abs(line.box.x0 - own) < indent:
        return None
    moved = line.box.x0 - above.box.x0
    if abs(moved) > indent / 2 and broken_off:
        return True
    if moved > indent:
        return None if all(goes_on_in_row(*pair) for pair in pairwise(paragraph)) else True
    hanging = len(paragraph) > 1 and all(other.box.x0 > first.box.x0 + indent for other in paragraph[1:])
    return True if hanging and abs(line.box.x0 - first.box.x0) < 0.5 * line.size else None


def _is_first_of_more(paragraph: list[Line], line: Line, following: Line | None) -> bool:
    """Whether the next line comes back from where this one stands, which is no less far in than the one above it."""
    indent = INDENT * line.size
    back = following is None or following.box.x0 < line.box.x0 - indent / 2
    within = line.box.x0 > paragraph[0].box.x0 - indent / 2 and _text_left(paragraph[0]) is None
    return within and back and (following is not None or line.box.x0 > paragraph[0].box.x0 + indent)


def _text_left(first: Line) -> float | None:
    """Where the words of an item begin, behind its marker."""
    match = MARKER.match(first.plain)
    if match is None or len(first.words) < 2:
        return None
    return first.words[1][0].x0


def would_fit(line: Line, room: float) -> bool:
    """Whether the line's first word would have fitted where the line above ends, a blank before it."""
    width = line.words[0][0].width if line.words and not CJK.match(line.plain) else 2 * line.size
    slack = EXACT_SLACK if line.is_exact else READ_SLACK
    return room > width + slack * line.size


def runs_on(above: Line, line: Line, room: float) -> bool:
    """Whether nothing parts two lines of text: neither a sentence's end, nor room left, nor a step in or down."""
    ends = TERMINAL.search(above.plain) or MARKER.match(line.plain) or would_fit(line, room)
    left = _text_left(above) or above.box.x0
    beneath = abs(line.box.x0 - left) < INDENT * line.size
    near = 0 < step_down(above, line) < LOOSE_LEADING * line.box.height
    return not ends and beneath and near and not other_type(above, line)


def _centred(above: Line, line: Line) -> bool:
    """Lines of a title, each in the middle of the same space."""
    off = abs(above.box.center[0] - line.box.center[0])
    return off < 0.5 * line.size and abs(above.box.x0 - line.box.x0) > INDENT * line.size


def _stands_as_item(paragraph: list[Line], line: Line) -> bool:
    """A marker at a line's start is an item's if items stand there: a number may begin any line of prose."""
    first = paragraph[0]
    match = MARKER.match(line.plain)
    if match and match["bullet"] in PLAIN_BULLETS:
        return True
    if MARKER.match(first.plain):
        return line.box.x0 < first.box.x0 + 6 * line.size
    return bool(TERMINAL.search(paragraph[-1].plain)) or line.box.x0 > first.box.x0 + INDENT * line.size


def item_text(text: str) -> str | None:
    """A list item as Markdown writes it, or None if `text` doesn't begin with a marker.

    >>> item_text("・牛奶"), item_text("☒ by post")
    ('- 牛奶', '- ☒ by post')
    >>> item_text("•「牛奶」")
    '- 「牛奶」'
    >>> item_text("• milk"), item_text("2) eggs"), item_text("(a) flour"), item_text("（1）糖"), item_text("3.5 kg")
    ('- milk', '2. eggs', '- (a) flour', '- （1）糖', None)
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
