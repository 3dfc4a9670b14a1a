"""What a block is in view of the whole page, above all of those beside it: all rules, and at the end their order.

Knows blocks in reading order and their lines; does not know how they were found.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import pairwise, takewhile

from docparse_fast.document import HEADINGS, Box, Category
from docparse_fast.drafting.blocks import headings
from docparse_fast.drafting.blocks.drafted_block import DraftedBlock
from docparse_fast.drafting.blocks.headings import LONGEST_BOLD, with_levels
from docparse_fast.drafting.lines import Line, words_of
from docparse_fast.drafting.measures import INDENT, Measures, is_wide
from docparse_fast.drafting.words import CAPITAL_MARKER, NAME_OF_FIGURE, NOTE, PART_OF_SECTION
from docparse_fast.text.marks import unmarked

CAPTIONED = frozenset({Category.FIGURE, Category.TABLE, Category.CODE})
CAPTION_LINES, CAPTION_GAP = 3, 2.5  # and sizes of its type between it and what it names
NUMBER = re.compile(r"[1-9]\d?")
NUMBER_GAP = 0.6  # of the type's size, between a bare number and its words
FOOT = 0.5  # of the page's height: footnotes stand below
SMALL = 0.95  # of the usual type
ONE_ROW = 1.6  # of a line's height
PARTED = 0.5  # of a line's height, above such a heading
MOST = 2  # in a row: a section and its first part; more are a table of contents


def without_terms(made: Sequence[DraftedBlock], _: Measures) -> list[DraftedBlock]:
    """Turns headings that the words right below explain into text: they are terms."""
    found = list(made)
    for n, (block, below) in enumerate(pairwise(made)):
        may = block.is_exact and block.category in HEADINGS and below.lines
        if may and headings.explained_below(block.lines, below.lines):
            found[n] = block.retyped(Category.TEXT)
    return found


def without_initials(made: Sequence[DraftedBlock], _: Measures) -> list[DraftedBlock]:
    """Turns a list's item into text whose letter is nobody's neighbour, unless it heads prose: it is an initial."""
    found = list(made)
    letters = [_capital(block) for block in made]
    for n, block in enumerate(made):
        heads = bool(block.lines) and headings.is_numbered(block.lines)
        if not letters[n] or (heads and n + 1 < len(made) and is_prose(made[n + 1].lines)):
            continue
        before = next(filter(None, reversed(letters[:n])), 0)
        after = next(filter(None, letters[n + 1 :]), 0)
        if letters[n] - before != 1 and after - letters[n] != 1:
            found[n] = block.retyped(Category.TEXT)
    return found


def _capital(block: DraftedBlock) -> int:
    """The code of the capital and full stop that mark a list's item; 0 if it has none."""
    begins = block.category is Category.LIST_ITEM and CAPITAL_MARKER.match(block.plain)
    return ord(block.plain[0]) if begins else 0


def is_prose(lines: Sequence[Line]) -> bool:
    return len(lines) > 1 and any(map(is_wide, lines))


def with_numbered(made: Sequence[DraftedBlock], _: Measures) -> list[DraftedBlock]:
    """Turns bold list items into headings where text follows, and no other item stands beside them."""
    found = list(made)
    items = [block.category is Category.LIST_ITEM for block in made]
    for n, block in enumerate(made[:-1]):
        beside = items[n + 1] or (n and items[n - 1] and all(line.bold for line in made[n - 1].lines))
        if items[n] and not beside and block.is_exact and headings.is_numbered(block.lines):
            found[n] = block.retyped(Category.SECTION_HEADER)
    return found


def with_bare_numbers(made: Sequence[DraftedBlock], _: Measures) -> list[DraftedBlock]:
    """Turns paragraphs that hang behind 1, 2, 3 into list items, though no dot follows their numbers."""
    found = list(made)
    numbers = [_bare_number(block) for block in made]
    for n, number in enumerate(numbers):
        counted = numbers[max(0, n + 1 - number) : n + 1] == [*range(1, number + 1)]
        if number and counted and (number > 1 or numbers[n + 1 : n + 2] == [2]):
            said = made[n].region.text.removeprefix(f"{number} ")
            found[n] = made[n].saying(f"{number}. {said}").labelled(Category.LIST_ITEM)
    return found


def _bare_number(block: DraftedBlock) -> int:
    """The number that stands apart before the words; 0 if there is none."""
    words = words_of(block.lines[:2])  # it may be a line of its own
    if block.category is not Category.TEXT or not block.is_exact or len(words) < 2:
        return 0
    number = NUMBER.fullmatch(words[0][1]) and block.region.text.startswith(f"{words[0][1]} ")
    apart = words[1][0].x0 - words[0][0].x1 > NUMBER_GAP * block.lines[0].size
    return int(words[0][1]) if number and apart else 0


def with_captions(made: Sequence[DraftedBlock], _: Measures) -> list[DraftedBlock]:
    """Turns a short line beside a figure or a table that begins as its name does into its caption."""
    found = list(made)
    for n, block in enumerate(made):
        beside = [other.box for other in made[max(0, n - 1) : n + 2] if other.category in CAPTIONED]
        short = block.category is Category.TEXT and 0 < len(block.lines) <= CAPTION_LINES
        if short and NAME_OF_FIGURE.match(block.lines[0].plain) and any(_is_next_to(block, other) for other in beside):
            found[n] = block.labelled(Category.CAPTION)
    return found


def _is_next_to(block: DraftedBlock, other: Box) -> bool:
    return block.box.overlap_x(other) > 0 and block.box.gap_y(other) < CAPTION_GAP * _size(block.lines)


def with_footnotes(made: Sequence[DraftedBlock], measures: Measures) -> list[DraftedBlock]:
    """Turns small text at the foot of its column into footnotes from where one begins with a raised mark."""
    found = list(made)
    for n in reversed(range(len(made))):
        block = made[n]
        low = block.is_exact and block.box.y0 > FOOT * measures.height
        if not low or block.category is not Category.TEXT or _size(block.lines) > SMALL * measures.body:
            continue
        last = all(other.category is Category.FOOTNOTE for other in found if _is_below(other.box, block.box))
        first = block.lines[0]
        if last and (NOTE.match(first.text.lstrip("*")) or NOTE.match(first.plain)):
            found[n] = block.labelled(Category.FOOTNOTE)
    return found


def _is_below(other: Box, box: Box) -> bool:
    return other.y0 >= box.y1 - 1 and other.overlap_x(box) > 0


def _size(lines: Sequence[Line]) -> float:
    return max(line.size for line in lines)


def with_nesting(made: Sequence[DraftedBlock], measures: Measures) -> list[DraftedBlock]:
    found = list(made)
    lefts: list[float] = []
    deeper = INDENT * measures.body
    for n, block in enumerate(made):
        in_another_column = n > 0 and block.box.y1 < made[n - 1].box.y0
        if block.category is not Category.LIST_ITEM or in_another_column:
            lefts = []
        if block.category is not Category.LIST_ITEM:
            continue
        while lefts and block.box.x0 < lefts[-1] - deeper:
            lefts.pop()
        if not lefts or block.box.x0 > lefts[-1] + deeper:
            lefts.append(block.box.x0)
        if block.region.level != len(lefts) - 1:
            found[n] = replace(block, region=replace(block.region, level=len(lefts) - 1))
    return found


def figures_before_lists(made: Sequence[DraftedBlock], _: Measures) -> list[DraftedBlock]:
    """A figure beside a list stands before it, not between two of its items."""
    found: list[DraftedBlock] = []
    for n, block in enumerate(made):
        at = len(found)
        if 0 < n < len(made) - 1 and _is_beside(block, made[n - 1], made[n + 1]):
            while at and found[at - 1].category is Category.LIST_ITEM:
                at -= 1
        found.insert(at, block)
    return found


def _is_beside(block: DraftedBlock, before: DraftedBlock, after: DraftedBlock) -> bool:
    items = before.category is after.category is Category.LIST_ITEM
    apart = not (block.box.overlap_x(before.box) or block.box.overlap_x(after.box))
    return block.category is Category.FIGURE and items and apart


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
    beside = (m for way in (before, after) for m in takewhile(lambda m: not is_prose(made[m].lines), way))
    return 1 + sum(told[m] for m in beside)


def _may_be_section(made: Sequence[DraftedBlock], n: int) -> bool:
    block = made[n]
    if block.category is not Category.TEXT or not block.is_exact:
        return False
    text = block.plain
    one_row = block.box.height < ONE_ROW * block.lines[0].box.height and len(text) <= LONGEST_BOLD
    ends = text[-1:] in ".:;,-…" or (text[-1:].isdigit() and not block.region.text.startswith("**"))
    return one_row and PART_OF_SECTION.match(text) is not None and not ends and _stands_apart(made, n)


def _stands_apart(made: Sequence[DraftedBlock], n: int) -> bool:
    box = made[n].box
    above = made[n - 1].box if n else None
    beneath = above is not None and above.overlap_x(box) > 0 and above.y1 < box.y1
    return above is None or not beneath or box.y0 - above.y1 > PARTED * box.height


Rule = Callable[[Sequence[DraftedBlock], Measures], list[DraftedBlock]]

RULES: tuple[Rule, ...] = (
    without_terms,  # a heading that the words below explain is a term
    without_initials,  # `M. Okafor` is no item M
    with_bare_numbers,  # items whose numbers have no dot
    with_numbered,  # bold items that stand alone are headings: items must be known
    with_captions,
    with_sections,  # lines that only a section's number makes headings
    figures_before_lists,  # a slide's picture beside its items
    with_footnotes,
    with_levels,  # of headings: all must be known
    with_nesting,  # of items
)


def ruled(blocks: Sequence[DraftedBlock], measures: Measures) -> list[DraftedBlock]:
    """The blocks after all rules. One that became something else bears the name of the rule that made it so."""
    found = list(blocks)
    for rule in RULES:
        kinds = {id(block.box): block.category for block in found}
        made = rule(found, measures)
        found = [one if kinds.get(id(one.box)) is one.category else one.because(rule.__name__) for one in made]
    return found
