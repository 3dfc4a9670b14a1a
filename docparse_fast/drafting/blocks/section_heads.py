"""Headings in the size of the text, by the number of a section's part. Knows blocks in reading order, and lines."""

from __future__ import annotations

from collections.abc import Sequence

from docparse_fast.document import Category
from docparse_fast.drafting.blocks.drafted_block import DraftedBlock
from docparse_fast.drafting.blocks.neighbours import is_prose
from docparse_fast.drafting.measures import Measures
from docparse_fast.drafting.words import PART_OF_SECTION
from docparse_fast.text.marks import unmarked

ONE_ROW = 1.6  # of a line's height
LONGEST_SECTION = 100  # characters
PARTED = 0.5  # of a line's height, above such a heading
MOST = 2  # in a row: a section and its first part; more are a table of contents


def with_sections(made: Sequence[DraftedBlock], _: Measures) -> list[DraftedBlock]:
    """Turns a line of its own with the number of a section's part, as `2.1 Usage`, into a heading."""
    found = list(made)
    told = [_may_be_section(made, n) for n in range(len(made))]
    for n, block in enumerate(made):
        if told[n] and n + 1 < len(made) and _near(made, told, n) <= MOST:
            text = unmarked(block.region.text, code=False, struck=False)
            found[n] = block.saying(text).labelled(Category.SECTION_HEADER)
    return found


def _near(made: Sequence[DraftedBlock], told: Sequence[bool], n: int) -> int:
    """How many such lines stand around this one with no prose between them."""
    before, after = range(n - 1, max(-1, n - MOST - 1), -1), range(n + 1, min(len(made), n + MOST + 1))
    found = 1
    for way in (before, after):
        for m in way:
            if is_prose(made[m].lines):
                break
            found += told[m]
    return found


def _may_be_section(made: Sequence[DraftedBlock], n: int) -> bool:
    block = made[n]
    if block.category is not Category.TEXT or not block.is_exact:
        return False
    text = block.plain
    one_row = block.box.height < ONE_ROW * block.lines[0].box.height and len(text) <= LONGEST_SECTION
    ends = text[-1:] in ".:;,-" or (text[-1:].isdigit() and not block.region.text.startswith("**"))
    return one_row and PART_OF_SECTION.match(text) is not None and not ends and _stands_apart(made, n)


def _stands_apart(made: Sequence[DraftedBlock], n: int) -> bool:
    box = made[n].box
    above = made[n - 1].box if n else None
    beneath = above is not None and above.overlap_x(box) > 0 and above.y1 < box.y1
    return above is None or not beneath or box.y0 - above.y1 > PARTED * box.height
