"""The people of a paper, each a few centred lines side by side with others: name, institution, mail address.

Knows lines. A table of people has a name in each row; here each column begins with one.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise

from docparse_fast.document import Box, Category, Region
from docparse_fast.drafting.blocks.people import is_name, tells_where
from docparse_fast.drafting.lines import Line, draft_of, words_of
from docparse_fast.text.mail import holds_mail

AXIS = 0.8  # of the type's size: how far the middles of centred lines lie apart
STEP = 1.75  # of the larger type's size, from one line of a person to the next
WIDER = 1.1  # of the narrowest step, from one person to the next below
ALIKE = 1.6  # ratio of the sizes of a name and of what stands below it
TOP = 0.6  # of the type's size between the first lines of people side by side
MOST_LINES = 9
PERSONS = 0.5  # of the blocks in a row tell themselves by an institution or an address


@dataclass(frozen=True, slots=True)
class AuthorRow:
    """People side by side, from the left; each is the indexes of his or her lines."""

    box: Box
    people: tuple[tuple[int, ...], ...]


@dataclass(frozen=True, slots=True)
class PlacedAuthors:
    """`whole` stands for the `people` while a page is put in order: no column begins or ends between them."""

    whole: Region
    people: tuple[Region, ...]


def parted_from_authors(lines: Sequence[Line]) -> tuple[list[PlacedAuthors], list[Line]]:
    """Rows of authors, and the lines that are left."""
    rows = author_rows(lines)
    taken = {i for row in rows for person in row.people for i in person}
    return [_placed(lines, row) for row in rows], [line for n, line in enumerate(lines) if n not in taken]


def one_by_one(regions: Iterable[Region], authors: Sequence[PlacedAuthors]) -> list[Region]:
    """The page's regions with each author as a region of its own."""
    found: list[Region] = []
    for region in regions:
        row = next((row for row in authors if row.whole.drafts is region.drafts), None)
        found += row.people if row else [region]
    return found


def _placed(lines: Sequence[Line], row: AuthorRow) -> PlacedAuthors:
    people = tuple(_region([lines[i] for i in person]) for person in row.people)
    whole = _region([lines[i] for person in row.people for i in person])
    return PlacedAuthors(whole, people)


def _region(lines: Sequence[Line]) -> Region:
    text = "\n".join(line.text for line in lines)
    draft = draft_of(lines, text, lines[0].source)
    return Region(Box.around(line.box for line in lines), Category.TEXT, (draft,), words=words_of(lines))


def author_rows(lines: Sequence[Line]) -> list[AuthorRow]:
    if not any(tells_where(line.plain) for line in lines):
        return []
    stacks = [stack for stack in _stacks(lines) if 1 < len(stack) <= MOST_LINES]
    rows = (_side_by_side(lines, stacks, n) for n in range(len(stacks)))
    found = [AuthorRow(_around(lines, (i for stack in row for i in stack)), tuple(row)) for row in rows if row]
    return [row for row in found if _are_people(lines, row) and _alone(lines, row)]


def _stacks(lines: Sequence[Line]) -> list[tuple[int, ...]]:
    """Lines below each other around one axis."""
    stacks: list[list[int]] = []
    for i in sorted(range(len(lines)), key=lambda i: (round(lines[i].box.center[1]), lines[i].box.x0)):
        stack = next((s for s in stacks if _below(lines[s[-1]], lines[i])), None)
        if stack is None or _ends(lines, stack, i):
            stacks.append([i])
        else:
            stack.append(i)
    return [tuple(stack) for stack in stacks]


def _below(above: Line, line: Line) -> bool:
    larger, smaller = max(above.size, line.size), min(above.size, line.size)
    step = line.box.center[1] - above.box.center[1]
    centred = abs(line.box.center[0] - above.box.center[0]) < AXIS * larger
    return centred and 0.5 * smaller < step < STEP * larger and larger < ALIKE * smaller


def _ends(lines: Sequence[Line], stack: Sequence[int], below: int) -> bool:
    """Whether a name follows a mail address, a wider step below: another person's."""
    name = not tells_where(lines[below].plain) and is_name(lines[below].plain)
    steps = [lines[b].box.y1 - lines[a].box.y1 for a, b in pairwise([*stack, below])]
    return name and holds_mail(lines[stack[-1]].plain) and steps[-1] > WIDER * min(steps)


def _side_by_side(lines: Sequence[Line], stacks: Sequence[tuple[int, ...]], first: int) -> list[tuple[int, ...]]:
    """The stacks level with the first, if it is the leftmost of several."""
    top, size = lines[stacks[first][0]].box.y1, lines[stacks[first][0]].size
    level = [stack for stack in stacks if abs(lines[stack[0]].box.y1 - top) < TOP * size]
    row = sorted(level, key=lambda stack: lines[stack[0]].box.center[0])
    return row if len(row) > 1 and row[0] is stacks[first] and _apart(lines, row) else []


def _apart(lines: Sequence[Line], row: Sequence[Sequence[int]]) -> bool:
    return all(not _around(lines, a).overlap_x(_around(lines, b)) for a, b in pairwise(row))


def _are_people(lines: Sequence[Line], row: AuthorRow) -> bool:
    named = all(is_name(lines[person[0]].plain) for person in row.people)
    told = sum(any(tells_where(lines[i].plain) for i in person[1:]) for person in row.people)
    return named and told >= PERSONS * len(row.people)


def _alone(lines: Sequence[Line], row: AuthorRow) -> bool:
    """Whether no other words stand beside the people: they would be a row's."""
    members = {i for person in row.people for i in person}
    return not any(
        row.box.overlap_y(line.box) > line.box.height / 2 for n, line in enumerate(lines) if n not in members
    )


def _around(lines: Sequence[Line], members: Iterable[int]) -> Box:
    return Box.around(lines[i].box for i in members)
