"""Lines of one column into paragraphs, list items, entries and headings-to-be.

The first sign that says something about the joint of two lines decides whether another paragraph begins. Knows
typography (leading, indents, list markers); does not know columns, labels or pages.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise

from docparse_fast.drafting.blocks.entries import entry_starts
from docparse_fast.drafting.blocks.leading import FAR_DOWN, ONE_STEP, Leading, LineStep, leadings, step_down, stretched
from docparse_fast.drafting.blocks.line_ends import goes_on_in_row, right_margins, would_fit
from docparse_fast.drafting.lines import Line, extent
from docparse_fast.drafting.measures import (
    EDGE,
    INDENT,
    LARGER,
    LOOSE_LEADING,
    PROSE,
    USUAL_LEADING,
    is_wide,
    other_type,
)
from docparse_fast.drafting.words import (
    ABBREVIATED,
    ABSTRACT_BEGINS,
    BOXES,
    CAPITAL_MARKER,
    CLAUSE,
    MARKER,
    NOTE_MARK,
    NUMBER_COMES,
    PLAIN_BULLETS,
)
from docparse_fast.text.characters import CJK, COLONS, TERMINAL

A_LITTLE = 1.12  # of the usual distance, from which a line that ends a sentence, or leaves room, ends a paragraph
IN_TYPE = re.compile(r"(?P<type>\*{1,3})(?P<marker>[^\s*]{1,6})(?P<end>(?P=type))?(?P<gap>\s+)")  # a bold marker
TORN = 3.0  # of the type's size: a gap within a row that no line of prose has


@dataclass(frozen=True, slots=True)
class Joint:
    """A line and the paragraph above it."""

    paragraph: Sequence[Line]
    line: Line
    following: Line | None
    leading: Leading
    room: float  # that the line above leaves free at its end
    before: Sequence[Line] = ()  # the paragraph before that
    listed: bool | None = None  # what its place in a list of entries says

    @property
    def above(self) -> Line:
        return self.paragraph[-1]

    @property
    def step(self) -> float:
        return step_down(self.above, self.line)

    @property
    def usual(self) -> float:
        return self.leading.usual or 1.6 * self.line.box.height

    @property
    def broken_off(self) -> bool:
        """Whether its first word had room on the line above: somebody wanted a new line."""
        return would_fit(self.line, self.room)

    @property
    def ended(self) -> bool:
        shortened = ABBREVIATED.search(self.above.plain) and not is_wide(self.above)  # a firm's name, a street's
        amid = self.above.plain[-1:] in ";:" and self.line.plain[:1].islower() and not self.broken_off
        return bool(TERMINAL.search(self.above.plain)) and not (shortened or amid)

    @property
    def within(self) -> bool:
        """Whether a sentence goes on: the line above, of prose, ends none and leaves no room."""
        return is_wide(self.above) and not (self.ended or self.broken_off)

    @property
    def loose(self) -> bool:
        return self.step > A_LITTLE * self.usual or far_below(self.above, self.line, self.leading)


def begins(joint: Joint) -> bool:
    """Whether the line is the first of another paragraph."""
    return next((told for sign in SIGNS if (told := sign(joint)) is not None), False)


def in_one_row(joint: Joint) -> bool | None:
    """A form's label and what was filled in; far from a title, or from the same label, stands something else."""
    if not goes_on_in_row(joint.above, joint.line):
        return None
    small, large = sorted((joint.above.size, joint.line.size))
    label, first = (line.plain.split()[0] for line in (joint.above, joint.line))
    told = large > LARGER * small or (label == first and label.endswith(COLONS))
    return told and joint.line.box.x0 - joint.above.box.x1 > TORN * large


def comes_back(joint: Joint) -> bool | None:
    """Left of all that stands above it, as below a line at the right or in the middle; no row's end goes on so."""
    if joint.before and goes_on_in_row(joint.before[-1], joint.paragraph[0]):
        return None
    end = joint.line.box.x1 + INDENT * joint.line.size
    return (end < joint.above.box.x0 and all(end < line.box.x0 for line in joint.paragraph)) or None


def below_torn_row(joint: Joint) -> bool | None:
    return _ends_torn_row(joint.paragraph, joint.line) or None


def set_apart(joint: Joint) -> bool | None:
    """White above it, or another size of type."""
    least = 0.0 if joint.broken_off else USUAL_LEADING * joint.line.size
    far = LOOSE_LEADING * (stretched(joint.above, joint.line) if joint.within else 1.0)
    apart = joint.step > far * max(joint.usual, 0.95 * joint.line.box.height, least)
    return apart or other_type(joint.above, joint.line) or None


def listed(joint: Joint) -> bool | None:
    return joint.listed


def next_note(joint: Joint) -> bool | None:
    return bool(NOTE_MARK.match(joint.line.text) and NOTE_MARK.match(joint.paragraph[0].text)) or None


def next_item(joint: Joint) -> bool | None:
    return bool(MARKER.match(joint.line.plain) and _stands_as_item(joint)) or None


def next_clause(joint: Joint) -> bool | None:
    counted = CLAUSE.match(joint.line.plain) and CLAUSE.match(joint.paragraph[0].plain)
    abstract = joint.broken_off and ABSTRACT_BEGINS.match(joint.line.plain)
    return bool((counted and (joint.ended or joint.broken_off)) or abstract) or None


def other_weight(joint: Joint) -> bool | None:
    changes = joint.above.bold != joint.line.bold
    return (changes and (joint.broken_off or joint.loose)) or None


def loose_end(joint: Joint) -> bool | None:
    if not joint.line.is_exact:  # of 742 joints in scans' paragraphs 1.18 at most, of 39 between them 1.25 at least
        near = joint.following and step_down(joint.line, joint.following) < ONE_STEP**2 * joint.leading.usual
        return ((joint.ended or (joint.leading.sure and near)) and joint.step > ONE_STEP**2 * joint.usual) or None
    return ((joint.broken_off or joint.ended) and joint.loose) or None


def by_place(joint: Joint) -> bool | None:
    if _centred(joint.above, joint.line) or _flush_right([*joint.paragraph, joint.line]):
        return None
    torn = joint.following is not None and goes_on_in_row(joint.line, joint.following)
    return _by_place(joint, _lefts_below(joint.paragraph, torn=torn))


def first_of_more(joint: Joint) -> bool | None:
    alone = len(joint.paragraph) == 1 and (joint.broken_off or joint.ended)
    in_middle = joint.line.box.x0 - joint.above.box.x0 > TORN * joint.line.size and _centred(joint.above, joint.line)
    return (alone and not in_middle and _is_first_of_more(joint.paragraph, joint.line, joint.following)) or None


def next_sentence(joint: Joint) -> bool | None:
    capital = joint.line.plain[:1].upper() == joint.line.plain[:1] or bool(CJK.search(joint.above.plain))
    return capital and joint.broken_off and joint.ended


SIGNS: tuple[Callable[[Joint], bool | None], ...] = (
    in_one_row,
    comes_back,
    below_torn_row,
    set_apart,
    listed,
    next_note,
    next_item,
    next_clause,
    other_weight,
    loose_end,
    by_place,
    first_of_more,
    next_sentence,
)


def far_below(above: Line, line: Line, leading: Leading) -> bool:
    """Whether it stands as far down as the next paragraph does, or as a line of a thesis that shows no leading."""
    least = max(FAR_DOWN * line.size, ONE_STEP * leading.usual if leading.sure else 0.0)
    return step_down(above, line) > least and not _centred(above, line)


def _ends_torn_row(paragraph: Sequence[Line], line: Line) -> bool:
    """Whether the row above has a wide gap, as a definition's head has before what it defines, and this comes back."""
    if len(paragraph) < 2 or not goes_on_in_row(*paragraph[-2:]):
        return False
    start, end = paragraph[-2:]
    torn = end.box.x0 - start.box.x1 > TORN * line.size and end.box.width < PROSE * line.size
    return torn and line.box.x0 < end.box.x0


def _by_place(joint: Joint, others: Sequence[float]) -> bool | None:
    """What the line's left end says; None where it says nothing.

    Lines of a paragraph stand flush but for the first. So one that stands farther in than lines above it begins
    another, and so does one that comes back to where a hanging paragraph's first line stands.
    """
    first, above, line, indent = joint.paragraph[0], joint.above, joint.line, INDENT * joint.line.size
    own = text_left(first)
    if own is not None and line.box.x0 < min([own, *others]) - indent / 2:
        flush = not joint.loose and abs(line.box.x0 - first.box.x0) < indent / 2  # as a clause that doesn't hang
        goes_on = joint.within or line.plain[:1].islower() or (above.bold and line.bold)
        return joint.broken_off or not (flush or goes_on)
    if own is not None and not others and abs(line.box.x0 - own) < indent:
        return None
    moved = line.box.x0 - above.box.x0
    if abs(moved) > indent / 2 and joint.broken_off:
        return True
    if moved > indent:
        return None if all(goes_on_in_row(*pair) for pair in pairwise(joint.paragraph)) else True
    hanging = bool(others) and min(others) > first.box.x0 + indent
    return True if hanging and abs(line.box.x0 - first.box.x0) < 0.5 * line.size else None


def _lefts_below(paragraph: Sequence[Line], *, torn: bool) -> list[float]:
    """Where the lines below its first begin. Words beside that count where the next row is `torn`, too, as with terms.

    Else they stand right behind a clause's number, or far from what they belong to.
    """
    first, *others = paragraph
    beside = bool(others) and goes_on_in_row(first, others[0])
    numbered = beside and not torn and others[0].box.x0 - first.box.x1 < TORN * first.size
    return [line.box.x0 for line in (others[1:] if numbered else others)]


def _is_first_of_more(paragraph: Sequence[Line], line: Line, following: Line | None) -> bool:
    """Whether the next line comes back from where this one stands, which is no less far in than the one above it."""
    indent = INDENT * line.size
    back = following is None or following.box.x0 < line.box.x0 - indent / 2
    within = line.box.x0 > paragraph[0].box.x0 - indent / 2 and text_left(paragraph[0]) is None
    return within and back and (following is not None or line.box.x0 > paragraph[0].box.x0 + indent)


def text_left(first: Line) -> float | None:
    """Where the words of an item begin, behind its marker."""
    match = MARKER.match(first.plain)
    if match is None or len(first.words) < 2:
        return None
    return first.words[1][0].x0


def _centred(above: Line, line: Line) -> bool:
    """Lines of a title, each in the middle of the same space."""
    off, moved = abs(above.box.center[0] - line.box.center[0]), abs(above.box.x0 - line.box.x0)
    near = 0.5 * line.size if moved > INDENT * line.size else moved / 4
    return off < near and moved > EDGE * line.size


def _flush_right(lines: Sequence[Line]) -> bool:
    """Whether short lines end in line, and none begins where the one above it does."""
    near, ends = EDGE * lines[-1].size, [line.box.x1 for line in lines]
    short = not any(map(is_wide, lines))
    return short and max(ends) - min(ends) < near and all(abs(a.box.x0 - b.box.x0) > near for a, b in pairwise(lines))


def _stands_as_item(joint: Joint) -> bool:
    """A marker at a line's start is an item's if items stand there: a number or a dash may begin any line of prose."""
    paragraph, line, first = joint.paragraph, joint.line, joint.paragraph[0]
    match = MARKER.match(line.plain)
    if CAPITAL_MARKER.match(line.plain) and not _goes_on_list(paragraph, line):
        return False
    if match and match["bullet"] in PLAIN_BULLETS:
        return True
    farther_in = line.box.x0 > first.box.x0 + INDENT * line.size
    if not (farther_in or joint.broken_off) and _is_amid(joint, match):
        return False
    if MARKER.match(first.plain):
        return line.box.x0 < first.box.x0 + 6 * line.size
    return farther_in or bool(TERMINAL.search(paragraph[-1].plain))


def _is_amid(joint: Joint, marker: re.Match[str] | None) -> bool:
    """Whether a dash begins it within a sentence, or a number that belongs to the word above."""
    bullet = marker["bullet"] if marker else None
    dash = bullet and not joint.ended and joint.paragraph[0].plain[:1] != bullet
    return bool(dash) or NUMBER_COMES.search(joint.above.plain) is not None


def _goes_on_list(paragraph: Sequence[Line], line: Line) -> bool:
    """Whether a list's letters run on from the item above, or begin below a sentence: other capitals are initials."""
    letter, above = line.plain[0], paragraph[0].plain
    if letter == "A":
        return TERMINAL.search(paragraph[-1].plain) is not None
    return CAPITAL_MARKER.match(above) is not None and ord(letter) - ord(above[0]) == 1


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
        before = found[-2] if len(found) > 1 else ()
        if begins(Joint(found[-1], lines[index], following, leading[index], room, before, listed[index])):
            found.append([])
        found[-1].append(lines[index])
    return found


def runs_on(above: Line, line: Line, room: float, usual: float = 0.0) -> bool:
    """Whether nothing parts two lines of text: neither a sentence's end, nor room left, nor a step in or down."""
    small = line.text[:1].islower() and line.text[:2].islower()  # not `<sup>b</sup>Of` or, scanned, `bOf`
    ends = (TERMINAL.search(above.plain) and not small) or MARKER.match(line.plain) or would_fit(line, room)
    left = text_left(above) or above.box.x0
    beneath = abs(line.box.x0 - left) < INDENT * line.size
    far = max(LOOSE_LEADING * extent(line).height, A_LITTLE * usual)
    near = 0 < step_down(above, line) < far * stretched(above, line)
    return not ends and beneath and near and not other_type(above, line)


def item_text(text: str) -> str | None:
    """A list item as Markdown writes it, or None if `text` doesn't begin with a marker.

    >>> item_text("・牛奶"), item_text("•「牛奶」"), item_text("☒ by post")
    ('- 牛奶', '- 「牛奶」', '- ☒ by post')
    >>> item_text("• milk"), item_text("2) eggs"), item_text("(a) flour"), item_text("（1）糖"), item_text("3.5 kg")
    ('- milk', '2. eggs', '- (a) flour', '- （1）糖', None)
    >>> item_text("15. Januar 2027: Abnahme"), item_text("i. A. Tobias Huber")
    (None, None)
    >>> item_text("**1. Flour** and milk"), item_text("**a)** Flour")
    ('1. **Flour** and milk', '- a) Flour')
    """
    marked = IN_TYPE.match(text)
    if marked and MARKER.match(f"{marked['marker']} x"):
        text = marked["marker"] + marked["gap"] + ("" if marked["end"] else marked["type"]) + text[marked.end() :]
    match = MARKER.match(text)
    if match is None:
        return None
    rest = text[match.end() :]
    if match["bullet"] in BOXES:
        return f"- {match['bullet']} {rest}"
    if match["number"]:
        return f"{match['number']}. {rest}"
    marker = f"{match['other']} " if match["other"] else match["wide"] or ""
    return f"- {marker}{rest}"
