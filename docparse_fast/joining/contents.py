"""Pages of contents as lists: entries that were taken for headings, paragraphs or tables, in their order.

A page is one of contents if nearly all of it are titles with a page's number, below a heading that says so, or named as
the file's bookmarks are; or if the page before it is one.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from html import unescape

from docparse_fast.document import FURNITURE, Block, Category, OutlineEntry, ParsedPage
from docparse_fast.drafting.words import CONTENTS_NAMES
from docparse_fast.joining.continued_tables import ROW
from docparse_fast.joining.places import compared, said
from docparse_fast.text.marks import unmarked
from docparse_fast.text.markup import as_read, as_text

PAGE = re.compile(r"\d{1,4}|[ivxlc]{1,7}")
LEADER = " .…·_-"  # between a title and its page
NUMBER = re.compile(r"(?:[A-Z](?=[.\s])|\d{1,2})(?:\.\d{1,2}){0,5}(?=\.?\s)")
TAG = re.compile(r"<[^<>]*>")
NAMES = frozenset(map(compared, CONTENTS_NAMES))
Key = tuple[tuple[bool, int], ...]  # orders entries; letters stand behind numbers
FEWEST = 5  # entries on a page
MOSTLY = 0.8  # of a page's pieces that are entries; of entries that have a place in the order
NAMED = 0.5  # of the entries that bookmarks name, where no heading says what the page is


@dataclass(frozen=True, slots=True)
class ListedHeading:
    title: str  # as Markdown
    page: str
    block: Block  # it was read in

    @property
    def number(self) -> str:
        found = NUMBER.match(self.title)
        return found[0] if found else ""

    @property
    def depth(self) -> int:
        return self.number.count(".")


def with_contents(pages: Sequence[ParsedPage], bookmarks: Sequence[OutlineEntry]) -> list[ParsedPage]:
    places = {compared(entry.title): n for n, entry in reversed(list(enumerate(bookmarks)))}
    made: list[ParsedPage] = []
    goes_on = False
    top = 0  # how deep the entries are that stand farthest out
    for page in pages:
        entries, others = _entries(page)
        enough = len(entries) >= FEWEST and len(entries) >= MOSTLY * (len(entries) + len(others))
        named = sum(_place(entry, places) is not None for entry in entries)
        told = goes_on or any(said(block) in NAMES for block in others) or named >= NAMED * max(1, len(entries))
        top = top if goes_on else min((entry.depth for entry in entries if entry.number), default=0)
        goes_on = enough and told
        if goes_on and not _is_listed(entries):
            page = _listed(page, entries, places, bookmarks)
        made.append(_with_depths(page, entries, top) if goes_on else page)
    return made


def _with_depths(page: ParsedPage, entries: Sequence[ListedHeading], top: int) -> ParsedPage:
    """Numbers tell how deep entries are; how far in they stand was told page by page, from the first one on it."""
    if sum(bool(entry.number) for entry in entries) < MOSTLY * len(entries):
        return page
    depths = {id(entry.block): max(0, entry.depth - top) for entry in entries if entry.number}
    items = (block.category is Category.LIST_ITEM and id(block) in depths for block in page.blocks)
    blocks = (replace(b, level=depths[id(b)]) if item else b for b, item in zip(page.blocks, items, strict=True))
    return replace(page, blocks=tuple(blocks))


def _is_listed(entries: Sequence[ListedHeading]) -> bool:
    items = sum(entry.block.category is Category.LIST_ITEM for entry in entries)
    return items >= MOSTLY * len(entries)


def _entries(page: ParsedPage) -> tuple[list[ListedHeading], list[Block]]:
    """The entries on a page, and what else stands in its text."""
    entries: list[ListedHeading] = []
    others: list[Block] = []
    for block in page.blocks:
        if block.category in FURNITURE:
            continue
        found = [] if block.spans else _entries_of(block)
        entries += found
        others += [] if found else [block]
    return entries, others


def _entries_of(block: Block) -> list[ListedHeading]:
    """The block's entries, if it has nothing else."""
    if block.category is Category.TABLE:
        lines = [" ".join(unescape(TAG.sub(" ", row)).split()) for row in ROW.findall(block.text)]
    else:
        lines = [" ".join(as_read(unmarked(block.text)).removeprefix("- ").split())]
    found = [line.rpartition(" ") for line in lines]
    if not all(title and PAGE.fullmatch(page) for title, _, page in found):
        return []
    return [ListedHeading(as_text(title.rstrip(LEADER) or title[0]), page, block) for title, _, page in found]


def _listed(
    page: ParsedPage, entries: Sequence[ListedHeading], places: Mapping[str, int], bookmarks: Sequence[OutlineEntry]
) -> ParsedPage:
    items = [_item(entry, places, bookmarks) for entry in _ordered(entries, places)]
    taken = {id(entry.block) for entry in entries}
    first = next(n for n, block in enumerate(page.blocks) if id(block) in taken)
    rest = [block for block in page.blocks[first:] if id(block) not in taken]
    return replace(page, blocks=(*page.blocks[:first], *items, *rest))


def _item(entry: ListedHeading, places: Mapping[str, int], bookmarks: Sequence[OutlineEntry]) -> Block:
    place = _place(entry, places)
    level = entry.number.count(".") if entry.number else bookmarks[place].level - 1 if place is not None else 0
    return replace(
        entry.block,
        category=Category.LIST_ITEM,
        text=f"- {entry.title} {entry.page}",
        level=level,
        type_size=0.0,
    )


def _ordered(entries: Sequence[ListedHeading], places: Mapping[str, int]) -> list[ListedHeading]:
    """By their numbers, or by the bookmarks; an entry that has neither follows the one before it."""
    found = [_place(entry, places) for entry in entries]
    by_bookmark: list[Key | None] = [None if place is None else ((False, place),) for place in found]
    by_number = [_in_order(entry.number) for entry in entries]
    for keys in (by_number, by_bookmark):
        if sum(key is not None for key in keys) >= MOSTLY * len(entries):
            filled = _filled(keys)
            return [entry for _, entry in sorted(zip(filled, entries, strict=True), key=lambda pair: pair[0])]
    return list(entries)


def _filled(keys: Sequence[Key | None]) -> list[Key]:
    filled: list[Key] = []
    first = next(key for key in keys if key is not None)
    for key in keys:
        filled.append(key if key is not None else filled[-1] if filled else first)
    return filled


def _in_order(number: str) -> Key | None:
    """
    >>> sorted(["A.1", "10", "2.10", "2.9"], key=_in_order)
    ['2.9', '2.10', '10', 'A.1']
    """
    parts = number.split(".")
    return tuple((part.isalpha(), ord(part) if part.isalpha() else int(part)) for part in parts) if number else None


def _place(entry: ListedHeading, places: Mapping[str, int]) -> int | None:
    title = as_read(entry.title)
    found = places.get(compared(title))
    return found if found is not None else places.get(compared(NUMBER.sub("", title)))
