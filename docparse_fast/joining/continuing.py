"""Which blocks go on in the next column or on the next page: sentences that don't end, tables whose rows run on.

Figures, tables, captions and notes between the two halves of a sentence are passed over.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache
from itertools import chain, pairwise

from docparse_fast.document import FURNITURE, Block, Category, ParsedPage
from docparse_fast.drafting.words import NUMBER_COMES
from docparse_fast.joining.continued_tables import REST, continued_label, is_named
from docparse_fast.joining.continued_tables import goes_on as table_goes_on
from docparse_fast.joining.places import BlockAt, with_blocks
from docparse_fast.text.marks import unmarked
from docparse_fast.text.markup import as_read

FLOATS = frozenset({Category.FIGURE, Category.TABLE, Category.CAPTION})
PASSED_OVER = FURNITURE | {Category.FOOTNOTE}
GOES_ON = frozenset({Category.TEXT, Category.LIST_ITEM})
ENDED = re.compile(r"[.!?:;…。！？：；।؟።၊။៖]['\"”’»)\]]*$")
SHORTENED = re.compile(
    r"\b(?:e\.g|i\.e|cf|vs|etc|ca|approx|fig|no|pp?|resp|bzw|z\.\s?B|usw|p\.\s?ex)\.$", re.IGNORECASE
)
CLOSES = re.compile(r"[^()\[\]]*+[)\]]")  # a bracket
COUNT = re.compile(r"\(?\d{1,3}\)?,?\s")
OPENING = re.compile(r"[*_]{0,3}[(\[“\"‘'«]?[^\W_]")
BROKEN_WORD = re.compile(r"[^\W\d_]{2}[-‐\u00ad]$")
ITEM = re.compile(r"(?:[-*+•]|\d{1,3}[.)]|[a-z][.)])\s")
LEAST = 24  # characters of both halves; less is a label
LEAST_UNSURE = 40  # of either half, where only the missing full stop speaks for one sentence
LEAST_IN_COLUMN = 60  # characters above a column's end: less may be an entry of a list of names
NOTE_BELOW = 0.012  # of the page's height, at most, below its table
SAME_EDGE = 0.02  # of the page's width, likewise


def with_continuations(pages: Sequence[ParsedPage]) -> list[ParsedPage]:
    pages = _without_continued_captions(pages)
    found = [((n, one), (n, other)) for n, page in enumerate(pages) for one, other in _over_columns(page)]
    for n, (page, following) in enumerate(pairwise(pages)):
        if following.number == page.number + 1:
            found += [((n, one), (n + 1, other)) for one, other in _pairs(page, following)]
    changed: dict[BlockAt, Block] = {}
    for (n, one), (m, other) in found:
        changed[n, one] = replace(changed.get((n, one), pages[n].blocks[one]), goes_on=True)
        changed[m, other] = replace(changed.get((m, other), pages[m].blocks[other]), continues=True)
    return with_blocks(pages, changed)


def unbegun(blocks: Sequence[Block]) -> list[int]:
    """Texts of a page that begin within a sentence that none of the others begins, by their places.

    >>> rest = Block(Category.TEXT, "and of those who came to the hall, some left.")
    >>> unbegun([Block(Category.TEXT, "The price is agreed."), rest])
    [1]
    """
    (page,) = with_continuations([ParsedPage(1, blocks=tuple(blocks))])
    pairs = pairwise(_running(page))
    return [other for one, other in pairs if _is_unbegun(page.blocks[one], page.blocks[other])]


def _is_unbegun(above: Block, block: Block) -> bool:
    text = _plain(block)
    flows = {above.category, block.category} <= GOES_ON and block.category is Category.TEXT and "\n" not in block.text
    within = text[:1].islower() and _begins_within(block) and not _plain(above).endswith((":", ",", ";"))
    return flows and within and not block.continues and len(text) >= LEAST_UNSURE


def _without_continued_captions(pages: Sequence[ParsedPage]) -> list[ParsedPage]:
    """`Table 2.3 (continued)`, above the rest of a table, is a head of its page: the rest then comes first on it."""
    found: dict[BlockAt, Block] = {}
    for n, (page, following) in enumerate(pairwise(pages), 1):
        last = [block for block in page.blocks if block.category not in PASSED_OVER][-1:]
        first = [m for m, block in enumerate(following.blocks) if block.category not in PASSED_OVER][:2]
        if last and len(first) == 2 and following.number == page.number + 1:
            caption, rest = (following.blocks[m] for m in first)
            label = continued_label(caption)
            if label is not None and is_named(page, label) and table_goes_on(page, last[0], following, rest):
                found[n, first[0]] = replace(caption, category=Category.PAGE_HEADER)
    return with_blocks(pages, found)


def _over_columns(page: ParsedPage) -> list[tuple[int, int]]:
    """Blocks by their places, of which the second stands in the next column, or below, and goes on."""
    rests = (n for n, block in enumerate(page.blocks) if block.because == REST)
    found = {n - 1: n for n in rests if n and table_goes_on(page, page.blocks[n - 1], page, page.blocks[n])}
    begun = set(found.values())
    for one, other in chain.from_iterable(pairwise(blocks_of(page)) for blocks_of in WAYS):
        before, after = page.blocks[one], page.blocks[other]
        if (
            one not in found
            and other not in begun
            and (_in_next_column(before, after) or (_may_be_below(page, one, other) and _is_right_below(before, after)))
            and len(_plain(before)) >= (LEAST if before.category is Category.LIST_ITEM else LEAST_IN_COLUMN)
            and sentence_goes_on(page, before, page, after)
        ):
            found[one] = other
            begun.add(other)
    return list(found.items())


def _running(page: ParsedPage) -> list[int]:
    """All but floats, as listings below their names are."""
    pairs = zip([None, *page.blocks], page.blocks, strict=False)
    floats = [b.category in FLOATS or (b.category is Category.CODE and _is_caption(a)) for a, b in pairs]
    return [n for n, block in enumerate(page.blocks) if block.category not in PASSED_OVER and not floats[n]]


def _is_caption(block: Block | None) -> bool:
    return block is not None and block.category is Category.CAPTION


def _without_notes(page: ParsedPage) -> list[int]:
    """The same without sentences that stand right below a table: notes of it."""
    near = NOTE_BELOW * page.height
    return [n for n in _running(page) if not (n and _is_note(page.blocks[n - 1], page.blocks[n], near))]


def _is_note(above: Block, block: Block, near: float) -> bool:
    if above.category is not Category.TABLE or block.category is not Category.TEXT or _begins_within(block):
        return False
    right_below = above.box and block.box and block.box.overlap_x(above.box) > 0 and block.box.gap_y(above.box) < near
    return bool(right_below and ENDED.search(_plain(block)))


def _without_labels(page: ParsedPage) -> list[int]:
    """The same without what is too short for a sentence and has no end: words of a picture."""
    return [n for n in _without_notes(page) if not _is_label(page.blocks[n])]


def _is_label(block: Block) -> bool:
    text = _plain(block)
    return block.category is Category.TEXT and len(text) < LEAST and not ENDED.search(text)


def _may_be_below(page: ParsedPage, one: int, other: int) -> bool:
    """Whether a float stands between, or a line with a high sign, which is no end of a sentence."""
    text = page.blocks[one].text + page.blocks[other].text
    return other > one + 1 or (_begins_within(page.blocks[other]) and "\n" not in text)


def _is_right_below(before: Block, after: Block) -> bool:
    """Whether one stands right below the other, beside which a float ends: its lines are longer."""
    if before.box is None or after.box is None:
        return False
    line = min(before.box.height, after.box.height)
    return 0 <= after.box.y0 - before.box.y1 < line and after.box.overlap_x(before.box) > 0


def _in_next_column(before: Block, after: Block) -> bool:
    if before.box is None or after.box is None:
        return False
    higher = after.box.center[1] < before.box.center[1] and after.box.y0 < before.box.y0
    level = after.text[:1].islower() and after.box.y0 <= before.box.y0  # of columns made equal
    return (higher or level) and before.box.overlap_x(after.box) == 0


def _pairs(page: ParsedPage, following: ParsedPage) -> list[tuple[int, int]]:
    """Blocks by their places on the two pages, of which the second goes on with the first: one pair at most."""
    last = [n for n, block in enumerate(page.blocks) if block.category not in PASSED_OVER][-1:]
    first = [n for n, block in enumerate(following.blocks) if block.category not in PASSED_OVER][:1]
    if last and first and table_goes_on(page, page.blocks[last[0]], following, following.blocks[first[0]]):
        return [(last[0], first[0])]
    for blocks_of in WAYS:
        pairs = list(zip(blocks_of(page)[-1:], blocks_of(following)[:1], strict=False))
        if any(sentence_goes_on(page, page.blocks[one], following, following.blocks[other]) for one, other in pairs):
            return pairs
    return []


def sentence_goes_on(page: ParsedPage, before: Block, following: ParsedPage, after: Block) -> bool:
    if before.category not in GOES_ON or after.category is not Category.TEXT:
        return False
    one, other = _plain(before), _plain(after)
    if not one or not other or ITEM.match(other) or len(one) + len(other) < LEAST:
        return False
    if BROKEN_WORD.search(one):
        return other[0].islower() or (other[0].isalpha() and page is not following)
    if _begins_within(after):
        return not ENDED.search(one) or SHORTENED.search(one) is not None
    if (NUMBER_COMES.search(one) and COUNT.match(other)) or (_is_open(one) and CLOSES.match(other)):
        return True
    if ENDED.search(one) or not OPENING.match(after.text) or min(len(one), len(other)) < LEAST_UNSURE:
        return False
    if "\n" in before.text or "\n" in after.text:
        return False  # set line by line, as addresses are
    return before.category is after.category and _same_width(page, before, following, after)


def _is_open(text: str) -> bool:
    """Whether a bracket is open at its end."""
    return max(map(text.rfind, "([")) > max(map(text.rfind, ")]"))


def _begins_within(block: Block) -> bool:
    """In small letters, but not with the letter of a note, or, as no sentence should, with a formula."""
    return (_plain(block)[:1].islower() and not _plain(block)[1:2].isupper()) or block.text.startswith("$")


def _plain(block: Block) -> str:
    return _plain_text(block.text)


@lru_cache(maxsize=1024)
def _plain_text(markdown: str) -> str:
    return " ".join(as_read(unmarked(markdown)).split())


def _same_width(page: ParsedPage, before: Block, following: ParsedPage, after: Block) -> bool:
    if before.box is None or after.box is None or not page.width or not following.width:
        return False
    return abs(before.box.width / page.width - after.box.width / following.width) <= SAME_EDGE


WAYS = (_without_notes, _running, _without_labels)  # in which blocks follow each other
