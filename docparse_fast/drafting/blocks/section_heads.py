"""Headings that only a section's number tells: the type is the text's, or bold but for a word of code.

Knows blocks in reading order and their lines.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from docparse_fast.document import HEADINGS, Box, Category, Region
from docparse_fast.drafting.blocks.headings import SECTION
from docparse_fast.drafting.blocks.neighbours import Made, is_prose
from docparse_fast.marks import unmarked

ONE_ROW = 1.6  # of a line's height
LONGEST = 100  # characters
APART = 0.5  # of a line's height, above such a heading
COUNTED = 3.0  # of the number's height, down from what it counts
DIVISION = re.compile(
    r"chapter|part|appendix|kapitel|teil|anhang|chapitre|partie|annexe|cap[ií]tulo|parte|ap[eé]ndice|capitolo|appendice"
    r"|hoofdstuk|deel|bijlage|глава|часть|приложение",
    re.IGNORECASE,
)
MOST = 2  # in a row: a section and its first part; more are a table of contents


def with_sections(made: Sequence[Made]) -> list[Made]:
    """Turns a line of its own with the number of a section's part, as `2.1 Usage`, into a heading."""
    found = list(made)
    told = [_may_head(made, n) for n in range(len(made))]
    for n, (region, members) in enumerate(made):
        if told[n] and n + 1 < len(made) and _near(made, told, n) <= MOST:
            text = unmarked(region.text, code=False)
            draft = replace(region.drafts[0], text=text)
            found[n] = replace(region, category=Category.SECTION_HEADER, drafts=(draft,)), members
    return found


def with_counted(made: Sequence[Made]) -> list[Made]:
    """Makes one heading of two: CHAPTER and, in a line of its own below, FOUR or 4."""
    found: list[Made] = []
    for region, members in made:
        before = found[-1][0] if found else None
        if before and before.category in HEADINGS and region.category in HEADINGS and _counts(before, region):
            label, lines = found.pop()
            draft = replace(region.drafts[0], text=f"{label.text} {region.text}")
            region = replace(region, box=Box.around((label.box, region.box)), drafts=(draft,))
            members = [*lines, *members]
        found.append((region, members))
    return found


def _counts(label: Region, number: Region) -> bool:
    """Whether `number` is one word below the word for a book's part, and both end or begin at one place."""
    one_word = DIVISION.fullmatch(label.text) and re.fullmatch(r"\w+", number.text)
    near = 0 < number.box.center[1] - label.box.center[1] < COUNTED * number.box.height
    flush = min(abs(label.box.x1 - number.box.x1), abs(label.box.x0 - number.box.x0)) < number.box.height
    return bool(one_word) and near and flush


def _near(made: Sequence[Made], told: Sequence[bool], n: int) -> int:
    """How many such lines stand around this one with no prose between them."""
    before, after = range(n - 1, max(-1, n - MOST - 1), -1), range(n + 1, min(len(made), n + MOST + 1))
    found = 1
    for way in (before, after):
        for m in way:
            if is_prose(made[m][1]):
                break
            found += told[m]
    return found


def _may_head(made: Sequence[Made], n: int) -> bool:
    region, members = made[n]
    if region.category is not Category.TEXT or not members or members[0].source != "text-layer":
        return False
    text = " ".join(line.plain for line in members)
    one_row = region.box.height < ONE_ROW * members[0].box.height and len(text) <= LONGEST
    ends = text[-1:] in ".:;,-" or (text[-1:].isdigit() and not region.text.startswith("**"))
    return one_row and SECTION.match(text) is not None and not ends and _stands_apart(made, n)


def _stands_apart(made: Sequence[Made], n: int) -> bool:
    box = made[n][0].box
    above = made[n - 1][0].box if n else None
    beneath = above is not None and above.overlap_x(box) > 0 and above.y1 < box.y1
    return above is None or not beneath or box.y0 - above.y1 > APART * box.height
