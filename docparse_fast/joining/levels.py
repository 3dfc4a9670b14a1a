"""Heading levels over a whole document: from its bookmarks, from numbers, and from the type of headings alike.

A target's own headings keep the levels it gave them.
"""

from __future__ import annotations

import math
import re
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import pairwise

from docparse_fast.document import FURNITURE, HEADINGS, Block, Category, OutlineEntry, ParsedPage
from docparse_fast.geometry import runs
from docparse_fast.joining.places import BlockAt, blocks_of, compared, said, with_blocks
from docparse_fast.text.marks import unmarked
from docparse_fast.text.markup import as_read

POINTS_PER_INCH = 72.0
BELOW_TITLE = 1  # a document's title is level 1: what is first in the bookmarks, or numbered 1, is level 2
DEEPEST = 6
NUMBER = re.compile(r"(?:\d{1,2}|[A-Z](?=\.\d))(?:\.\d{1,2}){0,4}(?=\.?\s+\S)")
CHAPTER = re.compile(
    r"(?:chapter|appendix|kapitel|anhang|chapitre|annexe|cap[ií]tulo|ap[eé]ndice|capitolo|appendice|hoofdstuk|bijlage|глава"
    r"|приложение)\s+(?:\d{1,2}|[A-Z])(?=[.:\s]|$)",
    re.IGNORECASE,
)
ROMAN = re.compile(r"(?:I|II|III|IV|V|VI{1,3}|IX|X)\.?\s+\S")
OUTLINE = re.compile(r"(?:([IVX]{1,5})|([A-Z])|(\d{1,2}))[.)]\s+\S")  # from the first level to the third
FEWEST_ROMAN = 2  # headings
FEWEST_CAPITAL = 2  # headings in capitals with others of their size below them
CAPITAL = 1.15  # times their size
FEWEST_PARTS = 3  # headings of one depth, whose smallest type tells what is no heading above them
NEAR = 1  # pages between a bookmark's and the heading's: a bookmark may lead to the page before
ALIKE = 1.04  # ratio of two sizes of type in headings of one kind
SAME_KIND = 1.12  # ratio of two sizes whose headings are of one level, where no other heading tells it
LEAST_AGREED = 0.6  # of the headings of one size, from which their level is its level
NUMBERED = re.compile(r"^(?:\d{1,2}(?:\.\d{1,2}){0,4}|[A-Z](?:\.\d{1,2})+)\.?\s+")


def with_levels(pages: Sequence[ParsedPage], bookmarks: Sequence[OutlineEntry]) -> list[ParsedPage]:
    headings = dict(blocks_of(pages, lambda block: block.category in HEADINGS and not block.spans))
    types = _types(pages, headings)
    known = {
        **_without_smaller_than_their_parts(_by_number(headings), types),
        **_by_outline(headings),
        **_by_bookmark(pages, headings, _rooted(bookmarks, headings)),
    }
    known |= _in_type_of_known(types, known)
    titled = _title(pages, headings, types)
    known |= levels_by_rank(_with_capitals_larger(types, headings), known, titled=titled, alike=SAME_KIND)
    known |= _with_their_titles(headings, known)
    return with_blocks(pages, {at: _at_level(headings[at], level) for at, level in known.items()})


def _title(
    pages: Sequence[ParsedPage], headings: Mapping[BlockAt, Block], types: Mapping[BlockAt, float]
) -> BlockAt | None:
    """The document's title: its first heading, if its own page took that for one, or else what is the largest.

    What the document begins with, right above the first part's heading, is its title in any type.
    """
    first = min(headings, default=None)
    if first is None or headings[first].level == 1 or _begins_above_another(pages, first, headings, types):
        return first
    on_first = [at for at in types if at[0] == first[0]]
    later = max((size for at, size in types.items() if at[0] != first[0]), default=0.0)
    largest = max(on_first, key=lambda at: types[at], default=first)
    return largest if later and types.get(largest, 0.0) > SAME_KIND * later else None


def _begins_above_another(
    pages: Sequence[ParsedPage], first: BlockAt, headings: Mapping[BlockAt, Block], types: Mapping[BlockAt, float]
) -> bool:
    """Whether a document begins with two headings, one right below the other, and none is in larger type."""
    n, m = first
    before = [block for page in pages[:n] for block in page.blocks] + list(pages[n].blocks[:m])
    smaller = min(types.get(at, 0.0) for at in (first, (n, m + 1)))
    largest = ALIKE * smaller >= max(types.values(), default=math.inf)
    return largest and (n, m + 1) in headings and all(block.category in FURNITURE for block in before)


def _at_level(block: Block, level: int) -> Block:
    level = max(1, min(DEEPEST, level))
    return replace(block, level=level, category=Category.TITLE if level == 1 else Category.SECTION_HEADER)


def _rooted(bookmarks: Sequence[OutlineEntry], headings: Mapping[BlockAt, Block]) -> list[OutlineEntry]:
    """Bookmarks from level 1 on. A single one above all others is the document's title, unless it is a chapter.

    A chapter has a number itself, or the numbers of the sections below it count it.
    """
    tops = [entry for entry in bookmarks if entry.level == 1]
    if len(tops) == 1 and len(bookmarks) > 1 and bookmarks[0] is tops[0]:
        numbered = {compared(NUMBERED.sub("", _plain(block))) for block in headings.values() if _number(block)}
        if compared(NUMBERED.sub("", tops[0].title)) in numbered:
            return list(bookmarks)
        levels = {compared(NUMBERED.sub("", entry.title)): entry.level for entry in bookmarks}
        numbers = [(compared(NUMBERED.sub("", _plain(block))), _number(block)) for block in headings.values()]
        depths = [(levels.get(text), number.count(".") + 1) for text, number in numbers if number]
        if sum(level == depth for level, depth in depths) > sum(level == depth + 1 for level, depth in depths):
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


def _without_smaller_than_their_parts(
    numbered: Mapping[BlockAt, int], types: Mapping[BlockAt, float]
) -> dict[BlockAt, int]:
    """`2 generalised pivoting`, in smaller type than 2.1, 2.2 and 2.3 have, is no section 2: its number counts else."""
    sizes: dict[int, list[float]] = defaultdict(list)
    for at, level in numbered.items():
        if at in types:
            sizes[level].append(types[at])
    least = {level: min(found) for level, found in sizes.items() if len(found) >= FEWEST_PARTS}
    return {at: level for at, level in numbered.items() if types.get(at, math.inf) * ALIKE >= least.get(level + 1, 0.0)}


def _by_outline(headings: Mapping[BlockAt, Block]) -> dict[BlockAt, int]:
    """Levels of sections that are numbered I, II, III, their parts A, B, C and the parts of these 1, 2, 3.

    >>> heads = ("I. INTRODUCTION", "II. METHODS", "A. Samples", "1. Tubes", "References")
    >>> _by_outline({(0, n): Block(Category.SECTION_HEADER, text) for n, text in enumerate(heads)})
    {(0, 0): 2, (0, 1): 2, (0, 2): 3, (0, 3): 4}
    """
    found = {at: ROMAN.match(_plain(block)) for at, block in headings.items()}
    if sum(match is not None for match in found.values()) < FEWEST_ROMAN:
        return {}
    found = {at: OUTLINE.match(_plain(block)) for at, block in headings.items()}
    return {at: BELOW_TITLE + match.lastindex for at, match in found.items() if match and match.lastindex}


def _with_their_titles(headings: Mapping[BlockAt, Block], known: Mapping[BlockAt, int]) -> dict[BlockAt, int]:
    """`Chapter 2` on a line of its own is as high as the title below it, which may stand under a part of the book."""
    labels = ((n, m) for (n, m), block in headings.items() if CHAPTER.fullmatch(_plain(block).strip()))
    return {(n, m): known[n, m + 1] for n, m in labels if (n, m + 1) in known}


def _number(block: Block) -> str:
    """As it stands before the heading's words; of a chapter, what names it."""
    match = NUMBER.match(_plain(block)) or CHAPTER.match(_plain(block))
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
    dpi = {n: page.dpi or POINTS_PER_INCH for n, page in enumerate(pages)}
    return {at: POINTS_PER_INCH * block.type_size / dpi[at[0]] for at, block in headings.items() if block.type_size}


def _with_capitals_larger(types: Mapping[BlockAt, float], headings: Mapping[BlockAt, Block]) -> dict[BlockAt, float]:
    """Headings in capitals count for larger where, time and again, others of their size stand below them: the parts."""
    found = dict(types)
    for size in set(types.values()):
        alike = sorted(at for at, other in types.items() if other == size)
        capital = [_plain(headings[at]).isupper() for at in alike]
        if capital[0] and sum(above and not below for above, below in pairwise(capital)) >= FEWEST_CAPITAL:
            found |= {at: CAPITAL * size for at, is_so in zip(alike, capital, strict=True) if is_so}
    return found


def _in_type_of_known(types: Mapping[BlockAt, float], known: Mapping[BlockAt, int]) -> dict[BlockAt, int]:
    """The level that most known headings of the same size have."""
    counts = Counter((types[at], level) for at, level in known.items() if at in types)
    agreed = {size: _agreed(size, counts) for size in set(types.values())}
    found = ((at, agreed[size]) for at, size in types.items() if at not in known)
    return {at: level for at, level in found if level is not None}


def _agreed(size: float, counts: Mapping[tuple[float, int], int]) -> int | None:
    alike: Counter[int] = Counter()
    for (other, level), count in counts.items():
        if _alike(size, other):
            alike[level] += count
    level, count = alike.most_common(1)[0] if alike else (0, 0)
    return level if alike and count >= LEAST_AGREED * alike.total() else None


def levels_by_rank(
    types: Mapping[BlockAt, float],
    known: Mapping[BlockAt, int],
    *,
    titled: BlockAt | None = None,
    alike: float = SAME_KIND,
) -> dict[BlockAt, int]:
    """Levels of the headings in sizes that no known heading has: one below the larger headings that they stand under.

    >>> levels_by_rank({(0, 0): 20.0, (0, 1): 12.0, (1, 0): 15.0, (1, 1): 12.0}, {}, titled=(0, 0))
    {(0, 0): 1, (1, 0): 2, (0, 1): 2, (1, 1): 3}
    """
    placed = dict(known)
    for members in _kinds({at: size for at, size in types.items() if at not in known}, alike):
        above = _levels_above(members, types, placed, known)
        counts = Counter(level + 1 for level in above.values())
        usual = max(counts, key=lambda level: (counts[level], level))
        smaller = (level for at, level in placed.items() if 0 < types.get(at, 0) < types[members[0]])
        most = min(usual, min(smaller, default=DEEPEST))
        for at in members:
            placed[at] = 1 if at == titled else max(BELOW_TITLE + 1, min(most, above[at] + 1))
    return {at: level for at, level in placed.items() if at not in known}


def _kinds(types: Mapping[BlockAt, float], alike: float) -> list[list[BlockAt]]:
    """Headings grouped by size, the largest first."""
    ordered = sorted(types, key=lambda at: (-types[at], at))
    kinds = runs(ordered, lambda kind, at: types[kind[0]] <= alike * types[at])
    return [sorted(kind) for kind in kinds]


def _levels_above(
    members: Sequence[BlockAt],
    types: Mapping[BlockAt, float],
    placed: Mapping[BlockAt, int],
    known: Mapping[BlockAt, int],
) -> dict[BlockAt, int]:
    """For each of them, the level of the nearest larger heading before it, or one above the nearest known one alike."""
    size = max(types[at] for at in members)
    larger = {at: level for at, level in placed.items() if types.get(at, 0.0) > size}
    alike = {at: level - 1 for at, level in known.items() if at in types and _alike(types[at], size)}
    wanted = frozenset(members)
    found: dict[BlockAt, int] = {}
    level = BELOW_TITLE
    for at in sorted({*larger, *alike, *wanted}):
        if at in wanted:
            found[at] = level
        else:
            level = alike.get(at, larger.get(at, level))
    return found


def _alike(one: float, other: float) -> bool:
    return max(one, other) <= ALIKE * min(one, other)
