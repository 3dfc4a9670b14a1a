"""Headings taken for text or for an item, told by their numbers: `IV. RESULTS` behind section III, before section V.

Knows pages and blocks. A number counts only in a way in which the document's known headings are numbered.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from docparse_fast.document import FURNITURE, HEADINGS, Block, Category, ParsedPage
from docparse_fast.joining.places import BlockAt, blocks_of, with_blocks
from docparse_fast.text.marks import unmarked
from docparse_fast.text.markup import as_read

FEWEST = 2  # headings that are numbered in one way
LONGEST = 90  # characters
ROMAN = ("I", "II", "III", "IV", "V", "VI", "VII", "VIII", "IX", "X", "XI", "XII")
NUMBER = re.compile(r"(?:(\d{1,2}(?:\.\d{1,2}){0,3})\.?|([IVX]{1,4})\.|([A-Z])\.)\s+(?=\S*[^\W\d_]{2})")
ENDED = re.compile(r"[.:;,?!]$")
MAY_BE = frozenset({Category.TEXT, Category.LIST_ITEM})

Number = tuple[str, tuple[int, ...]]  # the way of numbering, and the number


@dataclass
class _Count:
    """The number of the last heading in each way, and those of other blocks since."""

    last: dict[str, tuple[int, ...]] = field(default_factory=dict)
    passed: set[Number] = field(default_factory=set)

    def heading(self, number: Number) -> None:
        way, at = number
        if way == "I":
            self.last.pop("A", None)
        self.last[way] = at
        self.passed.clear()

    def is_next(self, number: Number) -> bool:
        way, at = number
        last = self.last.get(way, (0,) if way == "A" and "I" in self.last else ())
        before = last[len(at) - 1] if len(at) <= len(last) else 0
        follows = bool(last) and len(at) <= len(last) + 1 and at == (*last[: len(at) - 1], before + 1)
        return follows and (way, (*at[:-1], before)) not in self.passed


def with_counted_headings(pages: Sequence[ParsedPage]) -> list[ParsedPage]:
    known = {at: _numbers(block) for at, block in blocks_of(pages, lambda block: block.category in HEADINGS)}
    ways = Counter(_way(number) for numbers in known.values() for number in numbers)
    taken = {number for numbers in known.values() for number in numbers if number[0] != "A"}
    count, found = _Count(), dict[BlockAt, Block]()
    for at, block in blocks_of(pages, lambda block: block.category in MAY_BE | HEADINGS and not block.spans):
        numbers = known.get(at) or _numbers(block)
        if at not in known:
            free = [n for n in numbers if ways[_way(n)] >= FEWEST and n not in taken and count.is_next(n)]
            if not free or not _may_head(pages, at, free[0]):
                count.passed.update(numbers)
                continue
            text = unmarked(block.text).removeprefix("- ")
            found[at] = replace(block, category=Category.SECTION_HEADER, text=text, level=2, because="number")
            numbers = free[:1]
        for number in [n for n in numbers if count.is_next(n)][:1] or numbers[:1]:
            count.heading(number)
    return with_blocks(pages, found)


def _way(number: Number) -> tuple[str, int]:
    return number[0], len(number[1])


def _numbers(block: Block) -> list[Number]:
    """What its number may be: `C.` and `V.` are Roman or letters.

    >>> _numbers(Block(Category.TEXT, "V. Results")), _numbers(Block(Category.TEXT, "- 3.1 On clay"))
    ([('I', (5,)), ('A', (22,))], [('1', (3, 1))])
    """
    match = NUMBER.match(_plain(block))
    if match is None:
        return []
    if match[1]:
        return [("1", tuple(map(int, match[1].split("."))))]
    said = match[2] or match[3]
    roman: list[Number] = [("I", (ROMAN.index(said) + 1,))] if said in ROMAN else []
    return [*roman, *([("A", (ord(said) - ord("A") + 1,))] if len(said) == 1 else [])]


def _plain(block: Block) -> str:
    return as_read(unmarked(block.text)).removeprefix("- ").strip()


def _may_head(pages: Sequence[ParsedPage], at: BlockAt, number: Number) -> bool:
    """Whether it is one short line without a full stop that no item of its list stands beside."""
    block, text = pages[at[0]].blocks[at[1]], _plain(pages[at[0]].blocks[at[1]])
    short = "\n" not in block.text and len(text) <= LONGEST and not ENDED.search(text)
    near = [other for page in pages[max(0, at[0] - 1) : at[0] + 2] for other in page.blocks]
    running = [other for other in near if other is block or other.category not in FURNITURE]
    n = next(n for n, other in enumerate(running) if other is block)
    others = [other for other in (*running[max(0, n - 1) : n], *running[n + 1 : n + 2]) if other.category in MAY_BE]
    counted = any(_way(each) == _way(number) for other in others for each in _numbers(other))
    return short and n + 1 < len(running) and not counted
