"""Heading levels over a whole document: from its bookmarks, from numbers, and from the type of headings alike.

A target's own headings keep the levels it gave them.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import replace

from docparse_fast.document import HEADINGS, Block, Category, OutlineEntry, ParsedPage
from docparse_fast.joining.places import BlockAt, blocks_of, compared, said, with_blocks
from docparse_fast.marks import unmarked
from docparse_fast.markup import as_read

BELOW_TITLE = 1  # a document's title is level 1: what is first in the bookmarks, or numbered 1, is level 2
DEEPEST = 6
NUMBER = re.compile(r"(?:\d{1,2}|[A-Z](?=\.\d))(?:\.\d{1,2}){0,4}(?=\.?\s+\S)")
NEAR = 1  # pages between a bookmark's and the heading's: a bookmark may lead to the page before
ALIKE = 1.04  # ratio of two sizes of type in headings of one kind
LEAST_AGREED = 0.6  # of the headings of one size, from which their level is its level
NUMBERED = re.compile(r"^(?:\d{1,2}(?:\.\d{1,2}){0,4}|[A-Z](?:\.\d{1,2})+)\.?\s+")


def with_levels(pages: Sequence[ParsedPage], bookmarks: Sequence[OutlineEntry]) -> list[ParsedPage]:
    headings = dict(blocks_of(pages, lambda block: block.category in HEADINGS and not block.spans))
    known = {**_by_number(headings), **_by_bookmark(pages, headings, _rooted(bookmarks, headings))}
    if not known:
        return list(pages)
    types = _types(pages, headings)
    for place in headings:
        if place not in known and (level := _by_type(place, types, known)) is not None:
            known[place] = level
    return with_blocks(pages, {at: _at_level(headings[at], level) for at, level in known.items()})


def _at_level(block: Block, level: int) -> Block:
    level = max(1, min(DEEPEST, level))
    return replace(block, level=level, category=Category.TITLE if level == 1 else Category.SECTION_HEADER)


def _rooted(bookmarks: Sequence[OutlineEntry], headings: Mapping[BlockAt, Block]) -> list[OutlineEntry]:
    """Bookmarks from level 1 on. A single one above all others is the document's title, unless it has a number."""
    tops = [entry for entry in bookmarks if entry.level == 1]
    if len(tops) == 1 and len(bookmarks) > 1 and bookmarks[0] is tops[0]:
        numbered = {compared(NUMBERED.sub("", _plain(block))) for block in headings.values() if _number(block)}
        if compared(NUMBERED.sub("", tops[0].title)) in numbered:
            return list(bookmarks)
        return [replace(entry, level=entry.level - 1) for entry in bookmarks]
    return list(bookmarks)


def _by_number(headings: Mapping[BlockAt, Block]) -> dict[BlockAt, int]:
    """
    >>> _by_number({(0, 0): Block(Category.SECTION_HEADER, "2.3 Results"), (0, 1): Block(Category.TEXT, "2026")})
    {(0, 0): 3}
    """
    found = {place: _number(block) for place, block in headings.items()}
    return {place: BELOW_TITLE + 1 + number.count(".") for place, number in found.items() if number}


def _number(block: Block) -> str:
    match = NUMBER.match(_plain(block))
    return match[0] if match else ""


def _plain(block: Block) -> str:
    return as_read(unmarked(block.text))


def _by_bookmark(
    pages: Sequence[ParsedPage], headings: Mapping[BlockAt, Block], bookmarks: Sequence[OutlineEntry]
) -> dict[BlockAt, int]:
    """Levels of headings that a bookmark near their page names, with or without their number."""
    named: dict[str, list[OutlineEntry]] = defaultdict(list)
    for entry in bookmarks:
        for text in {entry.title, NUMBERED.sub("", entry.title)}:
            named[compared(text)].append(entry)
    found: dict[BlockAt, int] = {}
    for place, block in headings.items():
        page = pages[place[0]].number
        texts = (said(block), compared(NUMBERED.sub("", _plain(block))))
        entries = [entry for text in texts for entry in named.get(text, ()) if text and abs(entry.page - page) <= NEAR]
        if entries:
            nearest = min(entries, key=lambda entry: abs(entry.page - page))
            found[place] = BELOW_TITLE + nearest.level
    return found


# ------------------------------------------------------------------------------------------------- by type


def _types(pages: Sequence[ParsedPage], headings: Mapping[BlockAt, Block]) -> dict[BlockAt, float]:
    """Sizes of type in points; headings whose size isn't known are left out."""
    dpi = {n: page.dpi or 72.0 for n, page in enumerate(pages)}
    return {at: 72 * block.type_size / dpi[at[0]] for at, block in headings.items() if block.type_size}


def _by_type(place: BlockAt, types: Mapping[BlockAt, float], known: Mapping[BlockAt, int]) -> int | None:
    """The level that most known headings of this size have; if there are none, one below the next larger ones."""
    size = types.get(place)
    if size is None:
        return None
    alike = Counter(known[at] for at, other in types.items() if at in known and _alike(size, other))
    if alike:
        level, count = alike.most_common(1)[0]
        return level if count >= LEAST_AGREED * alike.total() else None
    larger = [known[at] for at, other in types.items() if at in known and other > size]
    return 1 + max(larger) if larger else None


def _alike(one: float, other: float) -> bool:
    return max(one, other) <= ALIKE * min(one, other)
