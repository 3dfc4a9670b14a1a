"""Tells contents from a table: their rows are a title, perhaps with a number, and a page at their end.

Also tells an index. Knows lines that stand beside each other; looks at no pixels.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from docparse_fast.document import Category, Region
from docparse_fast.drafting.lines import Line, draft_of, plain_of, words_of
from docparse_fast.drafting.measures import LEVEL, MOSTLY, SEVERAL
from docparse_fast.drafting.words import CONTENTS_NAMES, ENTRY_PAGE, LEADER, LEADER_END, SECTION_ENTRY
from docparse_fast.geometry import around, level_rows, runs
from docparse_fast.text.markup import as_text

FLUSH = 1.5  # of the type's size: how far from the right edge a page's number ends
LED, NUMBERED = 0.15, 0.4  # of the rows that have a leader, or a section's number: a table may count upwards, too


@dataclass(frozen=True, slots=True)
class _Row:
    lines: tuple[Line, ...]
    title: str
    page: str  # empty where a title goes on in the next row
    has_leader: bool


def parted_from_contents(lines: Sequence[Line]) -> tuple[list[Region], list[Line]]:
    """The entries below a heading that says they are contents, as list items, and the page's other lines."""
    entries: list[Region] = []
    rest = list(lines)
    heads = sorted((line for line in lines if names_contents(line.plain)), key=lambda line: line.box.y0)
    for n, heading in enumerate(heads):
        end = heads[n + 1].box.y0 if n + 1 < len(heads) else math.inf
        below = [line for line in rest if heading.box.center[1] < line.box.y0 < end]
        levels = level_rows(below, lambda row, one: one.box.center[1] - row[-1].box.center[1] < LEVEL * one.box.height)
        rows = _run([_read(row) for row in levels])
        if _are_entries([row for row in rows if row.page], len(rows)):
            entries += map(_item, runs(rows, lambda entry, _: not entry[-1].page))
            taken = {id(line) for row in rows for line in row.lines}
            rest = [line for line in rest if id(line) not in taken]
    return entries, rest


def names_contents(text: str) -> bool:
    """
    >>> names_contents("Contents"), names_contents("Inhalt:"), names_contents("Contents of a box")
    (True, True, False)
    """
    return text.strip(" .:").casefold() in CONTENTS_NAMES


def _run(rows: Sequence[_Row]) -> list[_Row]:
    """The rows up to the first two that end with no page: a title may take two."""
    last = -1
    for n, row in enumerate(rows):
        if row.page:
            last = n
        elif n - last > 1:
            break
    return list(rows[: last + 1])


def _read(row: Sequence[Line]) -> _Row:
    text = plain_of(row)
    found = ENTRY_PAGE.search(text)
    title = text[: found.start()].strip() if found else ""
    if found is None or not title or not (len(row) > 1 or found["leader"].strip()):
        return _Row(tuple(row), LEADER_END.sub("", text).strip(), "", has_leader=False)
    led = LEADER_END.search(text[: found.start("page")].rstrip()) is not None
    return _Row(tuple(row), title, found["page"], led)


def _are_entries(paged: Sequence[_Row], rows: int) -> bool:
    if len(paged) < max(SEVERAL, MOSTLY * rows):
        return False
    right = max(row.lines[-1].box.x1 for row in paged)
    flush = sum(right - row.lines[-1].box.x1 < FLUSH * row.lines[-1].size for row in paged)
    pages = [int(row.page) for row in paged if row.page.isdecimal()]
    rising = sum(before <= after for before, after in pairwise(pages))
    cells = sum(len(_titles(row)) <= SEVERAL for row in paged)
    if min(flush, cells) < MOSTLY * len(paged) or rising < MOSTLY * (len(pages) - 1):
        return False
    led = sum(row.has_leader for row in paged)
    numbered = sum(SECTION_ENTRY.match(row.title) is not None for row in paged)
    return led >= LED * len(paged) or numbered >= NUMBERED * len(paged)


def _titles(row: _Row) -> list[Line]:
    return [line for line in row.lines if line.plain != row.page and not LEADER.fullmatch(line.plain)]


def _item(rows: Sequence[_Row]) -> Region:
    lines = [line for row in rows for line in row.lines]
    text = " ".join(row.title for row in rows)
    draft = draft_of(lines, f"- {as_text(text)} {rows[-1].page}".rstrip(), lines[0].source)
    return Region(around(lines), Category.LIST_ITEM, (draft,), words=words_of(lines))
