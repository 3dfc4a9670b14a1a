"""Headings in the size of the text: by a section's number, or in the middle, in capitals or slanted, with white above.

Knows blocks in reading order and their lines. The text that follows tells where the middle is.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from docparse_fast.document import HEADINGS, Box, Category
from docparse_fast.drafting.blocks.drafted_block import DraftedBlock
from docparse_fast.drafting.blocks.headings import rows
from docparse_fast.drafting.blocks.neighbours import is_prose
from docparse_fast.drafting.blocks.people import tells_where
from docparse_fast.drafting.lines import Line
from docparse_fast.drafting.measures import HEADING_ROWS, Measures
from docparse_fast.drafting.words import LETTERED, OUTLINE, PART_OF_SECTION
from docparse_fast.marks import unmarked
from docparse_fast.writing import TERMINAL

LONGEST = 120  # characters
CAPITALS = 0.85  # of the letters
FEWEST_LETTERS = 4
APART = 0.5  # of a line's height, white above a heading
FARTHEST = 6.0  # of its size from a heading to its text
CENTRED = 0.6  # of the type's size, from the column's middle
ROOM = 1.5  # of the type's size, at either side
FLUSH = 2.5  # of the type's size, from where the text begins: its first line may be indented
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


def with_set_off(made: Sequence[DraftedBlock], _: Measures) -> list[DraftedBlock]:
    found = list(made)
    for n, block in enumerate(made):
        if not _may_head(block):
            continue
        text = _below(made, n)
        beneath = n > 0 and found[n - 1].category in HEADINGS
        if text is not None and (beneath or _white_above(made, n)) and _stands_out(made, n, text):
            found[n] = block.retyped(Category.SECTION_HEADER)
    return found


def _may_head(block: DraftedBlock) -> bool:
    if block.category not in (Category.TEXT, Category.LIST_ITEM) or not block.is_exact:
        return False
    members = block.lines
    text = block.plain
    short = len(text) <= LONGEST and rows(members) <= HEADING_ROWS and not any(line.mono for line in members)
    letters = sum(map(str.isalpha, text))
    return (
        short and letters >= FEWEST_LETTERS and not TERMINAL.search(text) and text[-1] not in ",-" and text[0].isalnum()
    )


def _below(made: Sequence[DraftedBlock], n: int) -> Box | None:
    """The prose that follows, right away or after one heading more."""
    own, size = made[n].box, made[n].lines[0].size
    for block in made[n + 1 : n + 3]:
        if block.box.y0 < own.y1 - size or block.box.y0 - own.y1 > FARTHEST * size:
            return None
        if is_prose(block.lines) and not all(line.italic for line in block.lines):
            return block.box if block.box.overlap_x(own) > 0 else None
        if not block.lines or len(block.lines) > HEADING_ROWS or not block.plain[:1].isalnum():
            return None
    return None


def _stands_out(made: Sequence[DraftedBlock], n: int, text: Box) -> bool:
    members = made[n].lines
    box, size = made[n].box, members[0].size
    centred = abs(box.center[0] - text.center[0]) < CENTRED * size
    inset = any(min(line.box.x0 - text.x0, text.x1 - line.box.x1) > ROOM * size for line in members)
    words = made[n].plain
    slanted = all(line.italic for line in members) or _is_slanted_behind(members)
    begun = any(is_prose(block.lines) for block in made[:n])
    if centred and inset:
        named = OUTLINE.match(words) or _is_capital(words) or all(line.bold for line in members)
        return bool(named) or (slanted and begun and not tells_where(words))
    flush = -CENTRED * size < box.x0 - text.x0 < FLUSH * size and box.x0 - text.x0 < box.width
    if LETTERED.match(words):
        return flush and (slanted or _is_capital(words))
    if made[n].category is not Category.TEXT or not begun or tells_where(words):
        return False
    return flush and (slanted or (_is_capital(words) and len(members) == 1))


def _is_slanted_behind(members: Sequence[Line]) -> bool:
    """Whether all is slanted but for an upright number or letter."""
    return re.fullmatch(r"(?:\w{1,5}\.?\s+)?\*[^*]+\*", " ".join(line.text for line in members)) is not None


def _is_capital(text: str) -> bool:
    letters = [char for char in text if char.lower() != char.upper()]
    return len(letters) >= FEWEST_LETTERS and sum(map(str.isupper, letters)) > CAPITALS * len(letters)


def _white_above(made: Sequence[DraftedBlock], n: int) -> bool:
    box, height = made[n].box, made[n].lines[0].box.height
    above = [block.box for block in made[:n] if block.box.overlap_x(box) > 0 and block.box.y1 < box.y0 + height]
    return not above or box.y0 - max(other.y1 for other in above) > APART * height
