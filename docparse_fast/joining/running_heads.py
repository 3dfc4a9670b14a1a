"""Running heads, feet and page numbers that repeat from page to page at one height, and were taken for text.

What other pages have as such counts, too: a page of one listing shows too little to tell. Headings and captions stay:
slides repeat their titles, and "Chapter 3" differs from "Chapter 4" in a figure only. So does what stands alone on
its pages: labels, each on a page of its own. But a number that goes on counting the pages where others count them
makes a head of the words beside it, whatever they are.

A number that is another on each page and counts none tells of its page (an invoice's, a label's code), and a sender's
address has to be read once: these stay.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import Counter, defaultdict
from collections.abc import Container, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import islice, pairwise, takewhile
from operator import itemgetter

from docparse_fast.document import FURNITURE, HEADINGS, SUPPOSED, Block, Box, Category, ParsedPage
from docparse_fast.joining.places import BlockAt, blocks_of, said, with_blocks
from docparse_fast.text.marks import unmarked
from docparse_fast.text.markup import as_read

MARGIN = 0.12  # of the page's height, at its top and its foot
WIDE_MARGIN = 0.18  # likewise, where heads of other pages tell the place
SAME_HEIGHT = 0.012  # of the page's height
ABOUT = 1.001 * SAME_HEIGHT  # what is looked through for it
FEWEST = 3  # pages that have it
PAIR = 2  # pages of a short document: both have it, to the letter
LONGEST = 120  # characters
WORDS = HEADINGS | {Category.TEXT}
IN_PARENTHESES = re.compile(r"[_*]*[(（][^()（）]{3,60}[)）][_*]*")
NUMBERED = re.compile(r"^\d+\s|\s\d+$")
DIGITS = re.compile(r"\d+")
FIRST_COUNT = re.compile(r"(?:\d{1,4}|[ivxlc]{1,7})(?=[\s|]|$)")
LONE_NUMBER = re.compile(r"(?<!\S)\d{1,4}(?![^\s/])")
POSTCODE = re.compile(r"\b(?!(?:19|20)\d\d\b)(?:\d{4,5}|[A-Z]{1,2}\d\w{0,3})\b")
PARTS = re.compile(r"[,·|]")
LAST_COUNT = re.compile(r"(?:(?<=[\s|])[ivxlc]{1,7}|(?<=\D)\d{1,4})$")
ROMAN = {"i": 1, "v": 5, "x": 10, "l": 50, "c": 100}


def with_running_heads(pages: Sequence[ParsedPage]) -> list[ParsedPage]:
    found: dict[tuple[str, bool], list[tuple[BlockAt, Block, float]]] = defaultdict(list)
    edges = list(_at_edges(pages))
    filled = _filled(pages, edges)
    known = _known(pages)
    changed = _drawn_again(pages) | _turned_over(pages) | _alone_with_head(edges, filled, known)
    changed |= _counted(pages) | _in_company(pages) | _beside_counts(pages, edges)
    for place, block, height in edges:
        if block.category is Category.TEXT or block.because == SUPPOSED:
            found[DIGITS.sub("#", said(block)), height < 0.5].append((place, block, height))
        if place[0] in filled and _stand_at(height, known.get(DIGITS.sub("", said(block)), ())):
            changed[place] = replace(block, category=_kind("", at_top=height < 0.5), level=0)
    for (text, at_top), members in found.items():
        on_pages = sorted((height, at[0]) for at, _, height in members if at[0] in filled)
        for place, block, height in members:
            same = _pages_at(height, on_pages)
            if len(same) >= FEWEST or (len(same) == len(pages) == PAIR and len({said(b) for _, b, _ in members}) == 1):
                changed[place] = replace(block, category=_kind(text, at_top=at_top), level=0)
    stay = _telling_of_pages(pages, changed) | _senders(pages, changed)
    told = with_blocks(pages, {place: block for place, block in changed.items() if place not in stay})
    return with_blocks(told, _naming(told))


def _naming(pages: Sequence[ParsedPage]) -> dict[BlockAt, Block]:
    """The head of the document's first page as text, where it has no title and begins without a heading.

    That page says that it is page 1, or the next one that it is page 2; or no other page has a head.
    """
    first = pages[0].blocks if pages and pages[0].number == 1 else ()
    body = next((block for block in first if block.category not in FURNITURE), None)
    titled = body is None or body.category in HEADINGS or any(block.category is Category.TITLE for block in first)
    counts = blocks_of(pages[:2], lambda block: block.category is Category.PAGE_NUMBER)
    numbers = {int(match[0]) - n for (n, _), block in counts if (match := DIGITS.search(block.text))}
    heads = dict(blocks_of(pages, lambda block: block.category is Category.PAGE_HEADER and bool(block.text)))
    if titled or not numbers <= {1} or (not numbers and any(n for n, _ in heads)):
        return {}
    return {at: replace(block, category=Category.TEXT) for at, block in heads.items() if at[0] == 0}


def _telling_of_pages(pages: Sequence[ParsedPage], changed: Mapping[BlockAt, Block]) -> set[BlockAt]:
    """Those whose numbers are another on each page, and count none."""
    alike: dict[str, dict[BlockAt, str]] = defaultdict(dict)
    for place, block in changed.items():
        text = as_read(unmarked(block.text))
        if pages[place[0]].blocks[place[1]].category is Category.TEXT and DIGITS.search(text):
            alike[DIGITS.sub("#", text)][place] = text
    return {
        place
        for members in alike.values()
        if len(members) > 1 and len(set(members.values())) == len(members) and not _count(members)
        for place in members
    }


def _count(members: Mapping[BlockAt, str]) -> bool:
    """Whether one of their numbers, alone between blanks, goes up from page to page by one, or by two.

    >>> _count({(0, 0): "Report 7", (2, 0): "Report 9"}), _count({(0, 0): "Bill 7-118", (1, 0): "Bill 7-119"})
    (True, False)
    """
    places = sorted(members)
    numbers = [[int(number) for number in LONE_NUMBER.findall(members[place])] for place in places]
    steps = [
        {
            (second - first) / (b[0] - a[0])
            for (a, b), (first, second) in zip(pairwise(places), pairwise(one), strict=True)
        }
        for one in zip(*numbers, strict=False)
    ]
    return any(len(step) == 1 and step <= {1, 2} for step in steps)


def _senders(pages: Sequence[ParsedPage], changed: Mapping[BlockAt, Block]) -> set[BlockAt]:
    """The first of each address that stands as text on the first page."""
    text = (at for at in changed if at[0] == 0 and pages[0].blocks[at[1]].category is Category.TEXT)
    return {at for at in text if _is_address(as_read(unmarked(changed[at].text)))}


def _is_address(text: str) -> bool:
    """
    >>> _is_address("Weir & Co, 12 Mill Lane, Hexham NE46 1AA"), _is_address("Report 3, May 2026")
    (True, False)
    """
    first, *rest = PARTS.split(text)
    before = first + " ".join(rest[:-1])
    return "@" in text or (bool(DIGITS.search(before)) and any(POSTCODE.search(part) for part in rest))


def _in_company(pages: Sequence[ParsedPage]) -> dict[BlockAt, Block]:
    """What may be furniture on its page, where another page has some, or what may be some, at the same height."""
    heights: list[tuple[float, int]] = []
    supposed: list[tuple[BlockAt, Block, float]] = []
    for place, block in blocks_of(pages, lambda block: block.box is not None):
        page = pages[place[0]]
        if block.box is None or not page.height or not (block.category in FURNITURE or block.because == SUPPOSED):
            continue
        height = block.box.center[1] / page.height
        heights.append((height, place[0]))
        if block.because == SUPPOSED and block.category is Category.TEXT and not block.spans:
            supposed.append((place, block, height))
    heights.sort()
    return {
        place: replace(block, category=_kind("", at_top=height < 0.5), level=0)
        for place, block, height in supposed
        if _pages_at(height, heights) - {place[0]}
    }


def _drawn_again(pages: Sequence[ParsedPage]) -> dict[BlockAt, Block]:
    """Pictures at one place in the margins of several pages: emblems."""
    found: dict[tuple[int, ...], list[tuple[BlockAt, Block]]] = defaultdict(list)
    for place, block in blocks_of(pages, lambda block: block.category is Category.FIGURE and block.box is not None):
        page = pages[place[0]]
        if block.box and page.height and not block.spans:
            height = block.box.center[1] / page.height
            if min(height, 1 - height) <= MARGIN and block.box.height <= MARGIN * page.height:
                edges = (block.box.x0, block.box.y0, block.box.x1, block.box.y1)
                found[tuple(round(edge / page.height / SAME_HEIGHT) for edge in edges)].append((place, block))
    return {
        place: replace(block, category=_kind("", at_top=2 * block.box.center[1] < pages[place[0]].height))
        for members in found.values()
        if len(members) >= FEWEST
        for place, block in members
        if block.box
    }


def _alone_with_head(
    edges: Sequence[tuple[BlockAt, Block, float]], filled: Container[int], known: Mapping[str, Sequence[float]]
) -> dict[BlockAt, Block]:
    """Heads and feet of pages that have nothing else, as those at a chapter's end.

    One says what they say on other pages; one with a number stands where they stand.
    """
    heights = sorted(height for found in known.values() for height in found)
    found: dict[BlockAt, Block] = {}
    by_page: dict[int, list[tuple[BlockAt, Block, float]]] = defaultdict(list)
    for edge in edges:
        by_page[edge[0][0]].append(edge)
    for here in (by_page[n] for n in by_page if n not in filled):
        told = [edge for edge in here if _stand_at(edge[2], known.get(DIGITS.sub("", said(edge[1])), ()))]
        with_number = [edge for edge in here if NUMBERED.search(edge[1].text) and _stand_at(edge[2], heights)]
        for place, block, height in [*told, *with_number] if told else []:
            found[place] = replace(block, category=_kind("", at_top=height < 0.5), level=0)
    return found


def _counted(pages: Sequence[ParsedPage]) -> dict[BlockAt, Block]:
    """What counts its page as heads or feet at the same height count theirs."""
    known: dict[int, list[float]] = defaultdict(list)  # by how far the printed number is from the page's own
    for place, block in blocks_of(pages, lambda block: block.category in FURNITURE and block.box is not None):
        page = pages[place[0]]
        for number in _numbers(block):
            known[number - page.number].append(block.box.center[1] / page.height if block.box and page.height else 0.5)
    for heights in known.values():
        heights.sort()
    return {
        place: replace(block, category=_kind(DIGITS.sub("#", said(block)), at_top=height < 0.5), level=0)
        for place, block, height in _at_edges(pages, WIDE_MARGIN)
        if any(_stand_at(height, known[number - pages[place[0]].number]) for number in _numbers(block))
    }


def _beside_counts(pages: Sequence[ParsedPage], edges: Sequence[tuple[BlockAt, Block, float]]) -> dict[BlockAt, Block]:
    """What says the same beside the numbers of two pages or more, in whatever type."""
    found: dict[str, dict[BlockAt, Block]] = defaultdict(dict)
    for place, block, height in edges:
        numbers = (other for other in pages[place[0]].blocks if other.category is Category.PAGE_NUMBER)
        if any(_in_one_row(block.box, number.box) for number in numbers):
            found[said(block)][place] = replace(block, category=_kind("", at_top=height < 0.5), level=0)
    return {at: block for told in found.values() if len({n for n, _ in told}) >= PAIR for at, block in told.items()}


def _numbers(block: Block) -> set[int]:
    """The numbers at both ends of what it says.

    >>> [_numbers(Block(Category.TEXT, text)) for text in ("xii *Notation*", "1.4. Rigour15", "Notation")]
    [{12}, {15}, set()]
    """
    text = as_read(unmarked(block.text)).strip()
    found = [match[0] for match in (FIRST_COUNT.match(text), LAST_COUNT.search(text)) if match]
    return {int(number) if number.isdecimal() else _roman(number) for number in found}


def _roman(number: str) -> int:
    """
    >>> _roman("xxix"), _roman("xciv")
    (29, 94)
    """
    values = [ROMAN[letter] for letter in number]
    return sum(-value if value < after else value for value, after in zip(values, [*values[1:], 0], strict=True))


def _pages_at(height: float, on_pages: Sequence[tuple[float, int]]) -> set[int]:
    """The pages that have something at this height: all, or as many as are enough. From the top to the foot."""
    found: set[int] = set()
    for other, page in islice(on_pages, bisect_left(on_pages, height - ABOUT, key=itemgetter(0)), None):
        if other > height + ABOUT or len(found) == FEWEST:
            break
        if abs(other - height) <= SAME_HEIGHT:
            found.add(page)
    return found


def _stand_at(height: float, others: Sequence[float]) -> bool:
    """Whether enough stand there; from the top to the foot."""
    below = islice(others, bisect_left(others, height - ABOUT), None)
    near = takewhile(lambda other: other <= height + ABOUT, below)
    there = (other for other in near if abs(other - height) <= SAME_HEIGHT)
    return len(list(islice(there, FEWEST - 1))) == FEWEST - 1


def _turned_over(pages: Sequence[ParsedPage]) -> dict[BlockAt, Block]:
    """What says, below and above code that a page's end parts, that it goes on: two lines in parentheses."""
    bodies = [[m for m, block in enumerate(page.blocks) if block.category not in FURNITURE] for page in pages]
    found: dict[BlockAt, Block] = {}
    for n, (before, after) in enumerate(pairwise(bodies)):
        if len(before) < 2 or len(after) < 2:
            continue
        foot, head = (n, before[-1]), (n + 1, after[0])
        parted = (pages[n].blocks[before[-2]], pages[n + 1].blocks[after[1]])
        last, first = (pages[at[0]].blocks[at[1]] for at in (foot, head))
        if all(block.category is Category.CODE for block in parted) and all(map(_in_parentheses, (last, first))):
            found[foot] = replace(last, category=Category.PAGE_FOOTER, level=0)
            found[head] = replace(first, category=Category.PAGE_HEADER, level=0)
    return found


def _in_parentheses(block: Block) -> bool:
    return block.category in WORDS and not block.spans and IN_PARENTHESES.fullmatch(block.text) is not None


def _known(pages: Sequence[ParsedPage]) -> dict[str, list[float]]:
    """How far down their pages heads and feet stand, by their words."""
    found = defaultdict(list)
    for place, block in blocks_of(pages, lambda block: block.category in FURNITURE and block.box is not None):
        words = DIGITS.sub("", said(block))
        if words and block.box and pages[place[0]].height:
            found[words].append(block.box.center[1] / pages[place[0]].height)
    return {words: sorted(heights) for words, heights in found.items()}


def _at_edges(pages: Sequence[ParsedPage], margin: float = MARGIN) -> Iterator[tuple[BlockAt, Block, float]]:
    """The first and the last row of each page's text, where they stand in a margin, and how far down."""
    bodies = blocks_of(pages, lambda block: block.category not in FURNITURE and block.box is not None)
    by_page: dict[int, list[tuple[BlockAt, Block]]] = defaultdict(list)
    for place, block in bodies:
        by_page[place[0]].append((place, block))
    for n, members in by_page.items():
        ends = [block.box for _, block in (members[0], members[-1])]
        for place, block in members:
            if not any(_in_one_row(block.box, end) for end in ends):
                continue
            height = block.box.center[1] / pages[n].height if block.box and pages[n].height else 0.5
            short = block.category in WORDS and 0 < len(block.text) <= LONGEST and not block.spans
            if short and min(height, 1 - height) <= margin:
                yield place, block, height


def _in_one_row(box: Box | None, other: Box | None) -> bool:
    return box is not None and other is not None and 2 * box.overlap_y(other) > max(box.height, other.height)


def _filled(pages: Sequence[ParsedPage], edges: Sequence[tuple[BlockAt, Block, float]]) -> set[int]:
    """The pages on which something else stands."""
    at_edges = Counter(place[0] for place, _, _ in edges)
    texts = (sum(block.category not in FURNITURE for block in page.blocks) for page in pages)
    return {n for n, count in enumerate(texts) if count > at_edges[n]}


def _kind(text: str, *, at_top: bool) -> Category:
    if text == "#":
        return Category.PAGE_NUMBER
    return Category.PAGE_HEADER if at_top else Category.PAGE_FOOTER
