"""Headings in the size of the text: in the middle of their column, in capitals or slanted, with white above.

Knows blocks in reading order and their lines. The text that follows tells where the middle is.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from docparse_fast.document import HEADINGS, Box, Category
from docparse_fast.drafting.blocks.neighbours import Made, is_prose, text_of
from docparse_fast.drafting.blocks.people import tells_where
from docparse_fast.drafting.lines import Line
from docparse_fast.writing import TERMINAL

OUTLINE = re.compile(r"(?:[IVX]{1,5}|[A-Z]|\d{1,2}(?:\.\d{1,2}){0,3})\.?\s+[^\W\d_]")
LETTERED = re.compile(r"(?:[IVX]{1,5}|[A-Z])\.\s+[^\W\d_]")
LONGEST = 120  # characters
MOST_ROWS = 3
CAPITALS = 0.85  # of the letters
FEWEST_LETTERS = 4
APART = 0.5  # of a line's height, white above a heading
FARTHEST = 6.0  # of its size from a heading to its text
CENTRED = 0.6  # of the type's size, from the column's middle
ROOM = 1.5  # of the type's size, at either side
FLUSH = 2.5  # of the type's size, from where the text begins: its first line may be indented


def with_set_off(made: Sequence[Made]) -> list[Made]:
    found = list(made)
    for n, (region, members) in enumerate(made):
        if not _may_head(made, n):
            continue
        text = _below(made, n)
        beneath = n > 0 and found[n - 1][0].category in HEADINGS
        if text is not None and (beneath or _white_above(made, n)) and _stands_out(made, n, text):
            draft = replace(region.drafts[0], text=text_of(members, Category.SECTION_HEADER))
            found[n] = replace(region, category=Category.SECTION_HEADER, drafts=(draft,)), members
    return found


def _may_head(made: Sequence[Made], n: int) -> bool:
    region, members = made[n]
    if region.category not in (Category.TEXT, Category.LIST_ITEM) or not members or members[0].source != "text-layer":
        return False
    text = _plain(members)
    short = len(text) <= LONGEST and _rows(members) <= MOST_ROWS and not any(line.mono for line in members)
    letters = sum(map(str.isalpha, text))
    return (
        short and letters >= FEWEST_LETTERS and not TERMINAL.search(text) and text[-1] not in ",-" and text[0].isalnum()
    )


def _below(made: Sequence[Made], n: int) -> Box | None:
    """The prose that follows, right away or after one heading more."""
    own, size = made[n][0].box, made[n][1][0].size
    for region, members in made[n + 1 : n + 3]:
        if region.box.y0 < own.y1 - size or region.box.y0 - own.y1 > FARTHEST * size:
            return None
        if is_prose(members) and not all(line.italic for line in members):
            return region.box if region.box.overlap_x(own) > 0 else None
        if not members or len(members) > MOST_ROWS or not _plain(members)[:1].isalnum():
            return None
    return None


def _stands_out(made: Sequence[Made], n: int, text: Box) -> bool:
    members = made[n][1]
    box, size = made[n][0].box, members[0].size
    centred = abs(box.center[0] - text.center[0]) < CENTRED * size
    inset = any(min(line.box.x0 - text.x0, text.x1 - line.box.x1) > ROOM * size for line in members)
    words = _plain(members)
    slanted = all(line.italic for line in members) or _is_slanted_behind(members)
    begun = any(is_prose(lines) for _, lines in made[:n])
    if centred and inset:
        named = OUTLINE.match(words) or _is_capital(words) or all(line.bold for line in members)
        return bool(named) or (slanted and begun and not tells_where(words))
    flush = -CENTRED * size < box.x0 - text.x0 < FLUSH * size and box.x0 - text.x0 < box.width
    if LETTERED.match(words):
        return flush and (slanted or _is_capital(words))
    if made[n][0].category is not Category.TEXT or not begun or tells_where(words):
        return False
    return flush and (slanted or (_is_capital(words) and len(members) == 1))


def _is_slanted_behind(members: Sequence[Line]) -> bool:
    """Whether all is slanted but for an upright number or letter."""
    return re.fullmatch(r"(?:\w{1,5}\.?\s+)?\*[^*]+\*", " ".join(line.text for line in members)) is not None


def _is_capital(text: str) -> bool:
    letters = [char for char in text if char.lower() != char.upper()]
    return len(letters) >= FEWEST_LETTERS and sum(map(str.isupper, letters)) > CAPITALS * len(letters)


def _white_above(made: Sequence[Made], n: int) -> bool:
    box, height = made[n][0].box, made[n][1][0].box.height
    above = [region.box for region, _ in made[:n] if region.box.overlap_x(box) > 0 and region.box.y1 < box.y0 + height]
    return not above or box.y0 - max(other.y1 for other in above) > APART * height


def _plain(members: Sequence[Line]) -> str:
    return " ".join(line.plain for line in members)


def _rows(members: Sequence[Line]) -> int:
    return len({round(line.box.center[1] / (0.5 * line.box.height)) for line in members})
