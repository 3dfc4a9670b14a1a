"""What a block is in view of the whole page, above all of those beside it: all rules, and at the end their order.

Knows blocks in reading order and their lines; does not know how they were found.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import wraps
from itertools import takewhile

from docparse_fast.document import HEADINGS, Box, Category
from docparse_fast.drafting.blocks import headings
from docparse_fast.drafting.blocks.drafted_block import DraftedBlock
from docparse_fast.drafting.blocks.headings import LONGEST_BOLD, with_levels
from docparse_fast.drafting.blocks.paragraphs import text_left
from docparse_fast.drafting.lines import Line, largest_type
from docparse_fast.drafting.measures import EDGE, INDENT, MOST, ONE_TYPE, SEVERAL, SEVERAL_LINES, Measures, is_wide
from docparse_fast.drafting.words import (
    ABSTRACT_BEGINS,
    CAPITAL_MARKER,
    CAPTION,
    NAME_OF_FIGURE,
    NOTE,
    NUMBER_ALONE,
    PART_OF_SECTION,
)
from docparse_fast.geometry import runs
from docparse_fast.text.characters import TERMINAL
from docparse_fast.text.marks import unmarked

CAPTIONED = frozenset({Category.FIGURE, Category.TABLE, Category.CODE})
CAPTION_LINES, CAPTION_GAP = 3, 2.5  # and sizes of its type between it and what it names
SMALL = 0.95  # of the usual type
PARTED = 0.5  # of a line's height, above such a heading
NOTED = ("*", "✓", "✔")  # what may mark a note, or an item


Rule = Callable[[Sequence[DraftedBlock], Measures], list[DraftedBlock]]


def of_each(told: Callable[[Sequence[DraftedBlock], int], DraftedBlock | None]) -> Rule:
    """The rule that asks of each block, in view of all, what it is now; where nothing is said it stays."""

    @wraps(told)
    def rule(made: Sequence[DraftedBlock], _: Measures) -> list[DraftedBlock]:
        return [told(made, n) or block for n, block in enumerate(made)]

    return rule


@of_each
def without_terms(made: Sequence[DraftedBlock], n: int) -> DraftedBlock | None:
    """A heading that the words right below explain is text: a term. Items explain none: they are set further in."""
    block, below = made[n], [line for after in made[n + 1 : n + 2] if not _is_item(after) for line in after.lines]
    may = block.is_exact and block.category in HEADINGS and below
    return block.retyped(Category.TEXT) if may and headings.explained_below(block.lines, below) else None


def with_their_likes(made: Sequence[DraftedBlock], measures: Measures) -> list[DraftedBlock]:
    """A bold line of its own is a heading, too, where half of the lines in its type are, on the page."""
    types = [_type_of_name(block, measures.body) for block in made]
    alike = Counter(types)
    headed = Counter(one for one, block in zip(types, made, strict=True) if block.category in HEADINGS)

    def is_one(one: tuple[int, bool] | None, block: DraftedBlock) -> bool:
        return one is not None and block.category is Category.TEXT and 2 * headed[one] >= alike[one]

    told = zip(types, made, strict=True)
    return [block.retyped(Category.SECTION_HEADER) if is_one(one, block) else block for one, block in told]


def _type_of_name(block: DraftedBlock, body: float) -> tuple[int, bool] | None:
    """The size of a bold line's type, and whether it slants; None if it can't be a heading."""
    lines, kind = block.lines, block.category in HEADINGS or block.category is Category.TEXT
    if not (kind and block.is_exact and headings.is_bold(lines) and headings.rows(lines) == 1):
        return None
    return (round(largest_type(lines)), lines[0].italic) if headings.looks_like_heading(lines, body) else None


@of_each
def without_initials(made: Sequence[DraftedBlock], n: int) -> DraftedBlock | None:
    """A list's item is text whose letter is nobody's neighbour, unless it heads prose: it is an initial."""
    block, letter = made[n], _capital(made[n])
    heads = bool(block.lines) and headings.is_numbered(block.lines)
    if not letter or (heads and n + 1 < len(made) and is_prose(made[n + 1].lines)):
        return None
    before = next(filter(None, map(_capital, reversed(made[:n]))), 0)
    after = next(filter(None, map(_capital, made[n + 1 :])), 0)
    return block.retyped(Category.TEXT) if letter - before != 1 and after - letter != 1 else None


def _capital(block: DraftedBlock) -> int:
    """The code of the capital and full stop that mark a list's item; 0 if it has none."""
    begins = block.category is Category.LIST_ITEM and CAPITAL_MARKER.match(block.plain)
    return ord(block.plain[0]) if begins else 0


def is_prose(lines: Sequence[Line]) -> bool:
    return len(lines) > 1 and any(map(is_wide, lines))


@of_each
def without_stars(made: Sequence[DraftedBlock], n: int) -> DraftedBlock | None:
    """A star or a tick begins an item beside others, else a note, whose mark it is."""
    alone = not any(map(_is_item, [*made[max(0, n - 1) : n], *made[n + 1 : n + 2]]))
    return made[n].retyped(Category.TEXT) if alone and _is_item(made[n]) and made[n].plain.startswith(NOTED) else None


@of_each
def with_numbered(made: Sequence[DraftedBlock], n: int) -> DraftedBlock | None:
    """A bold list item is a heading where something follows, and no other item stands beside it."""
    block, above, below = made[n], made[max(0, n - 1) : n], made[n + 1 : n + 2]
    beside = any(map(_is_item, below)) or any(_is_item(each) and headings.is_bold(each.lines) for each in above)
    may = _is_item(block) and below and not beside and block.is_exact
    return block.retyped(Category.SECTION_HEADER) if may and headings.is_numbered(block.lines) else None


def _is_item(block: DraftedBlock) -> bool:
    return block.category is Category.LIST_ITEM


@of_each
def with_captions(made: Sequence[DraftedBlock], n: int) -> DraftedBlock | None:
    """What begins beside a figure or a table as its name does is its caption; so is what stands below `TABLE I`."""
    beside = [other.box for other in made[max(0, n - 1) : n + 2] if other.category in CAPTIONED]
    named = made[n].lines and _is_named(made[n], made[n - 1].plain if n else "")
    told = named and any(_is_next_to(made[n], other) for other in beside)
    return made[n].retyped(Category.CAPTION) if told else None


def _is_named(block: DraftedBlock, above: str) -> bool:
    """Whether it begins as a figure's name does, or stands below its number."""
    if block.category is Category.TEXT and (CAPTION.match(block.plain) or NUMBER_ALONE.fullmatch(above)):
        return True
    short = block.category in HEADINGS | {Category.TEXT} and len(block.lines) <= CAPTION_LINES
    return short and NAME_OF_FIGURE.match(block.plain) is not None


def _is_next_to(block: DraftedBlock, other: Box) -> bool:
    return block.box.overlap_x(other) > 0 and block.box.gap_y(other) < CAPTION_GAP * largest_type(block.lines)


def with_footnotes(made: Sequence[DraftedBlock], measures: Measures) -> list[DraftedBlock]:
    """Turns small text at the foot of its column into footnotes from where one begins with a raised mark.

    Beside a footnote others may be in any type, and above it may stand the rest of one of the page before.
    """
    found = list(made)
    for n in reversed(range(len(made))):
        if not _is_low_text(made[n], measures) or not _is_note(found, n, measures):
            continue
        if all(other.category is Category.FOOTNOTE for other in found if _is_below(other.box, made[n].box)):
            found[n] = made[n].labelled(Category.FOOTNOTE)
    return found


def _is_low_text(block: DraftedBlock, measures: Measures) -> bool:
    text = block.category in {Category.TEXT, Category.LIST_ITEM}  # `1. On the weights`, if small, may be a note
    return block.is_exact and text and block.box.y0 > MOST * measures.height


def _is_note(made: Sequence[DraftedBlock], n: int, measures: Measures) -> bool:
    small, first = _is_small_print(made[n], measures), made[n].lines[0]
    beside = [other.category is Category.FOOTNOTE for other in (*made[n + 1 : n + 2], *made[max(0, n - 1) : n])]
    if any(map(NOTE.match, (first.text.lstrip("*"), first.plain))):
        return small or any(beside)
    return small and beside[:1] == [True] and first.plain[:1].islower()


def _is_below(other: Box, box: Box) -> bool:
    return other.y0 >= box.y1 - 1 and other.overlap_x(box) > 0


def with_notes_amid_text(made: Sequence[DraftedBlock], measures: Measures) -> list[DraftedBlock]:
    """Small print at the foot of a column is a note where the sentence above it goes on in the next column."""
    small = [_is_small_print(block, measures) for block in made]
    notes: set[int] = set()
    for part in runs(range(1, len(made) - 1), lambda run, n: small[n] is small[run[-1]]):
        if small[part[0]] and _goes_on_beside(made[part[0] - 1], made[part[0]], made[part[-1] + 1]):
            notes.update(part)
    return [block.labelled(Category.FOOTNOTE) if n in notes else block for n, block in enumerate(made)]


def _is_small_print(block: DraftedBlock, measures: Measures) -> bool:
    return _is_low_text(block, measures) and largest_type(block.lines) <= SMALL * measures.body


def _goes_on_beside(above: DraftedBlock, note: DraftedBlock, following: DraftedBlock) -> bool:
    text = above.category is following.category is Category.TEXT and following.plain[:1].islower()
    beside = following.box.y0 < note.box.y0 and following.box.overlap_x(note.box) == 0
    return text and beside and TERMINAL.search(above.plain) is None


def with_nesting(made: Sequence[DraftedBlock], measures: Measures) -> list[DraftedBlock]:
    """Each item as deep as it stands in its list, and a paragraph between two that stands where an item's words do."""
    found = list(made)
    lefts: list[tuple[float, float]] = []  # of the marker, and of the words behind it
    deeper = INDENT * measures.body
    for n, block in enumerate(made):
        lefts = _lists_around(made, n, lefts, deeper)
        if _is_item(block) and (not lefts or block.box.x0 > lefts[-1][0] + deeper):
            lefts.append((block.box.x0, _left_of_words(block)))
        if lefts:
            found[n] = replace(block, region=replace(block.region, level=len(lefts) - _is_item(block)))
    return found


def _lists_around(
    made: Sequence[DraftedBlock], n: int, lefts: Sequence[tuple[float, float]], deeper: float
) -> list[tuple[float, float]]:
    """Those that it goes on with: it is an item, or text in line with an item's words above the next item."""
    block = made[n]
    if n and block.box.center[1] < made[n - 1].box.y1:
        return []  # in another column
    if _is_item(block):
        return [left for left in lefts if block.box.x0 >= left[0] - deeper]
    return [left for left in lefts if block.box.x0 > left[0] + deeper] if _is_within(made, n, lefts) else []


def _is_within(made: Sequence[DraftedBlock], n: int, lefts: Sequence[tuple[float, float]]) -> bool:
    block = made[n]
    if block.category is not Category.TEXT or not block.lines:
        return False
    near = EDGE * largest_type(block.lines)
    following = next((other for other in made[n + 1 :] if abs(other.box.x0 - block.box.x0) > near), block)
    is_above = _is_item(following) and following.box.y0 > block.box.y0
    return is_above and any(abs(block.box.x0 - words) < near for _, words in lefts)


def _left_of_words(item: DraftedBlock) -> float:
    return text_left(item.lines[0]) or item.box.x0 if item.lines else item.box.x0


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


@of_each
def with_sections(made: Sequence[DraftedBlock], n: int) -> DraftedBlock | None:
    """A line of its own with the number of a section's part, as `2.1 Usage`, is a heading."""
    if n + 1 == len(made) or not _may_be_section(made, n) or _near(made, n) > SEVERAL:
        return None
    text = unmarked(made[n].region.text, code=False, struck=False)
    return made[n].saying(text).labelled(Category.SECTION_HEADER)


def _near(made: Sequence[DraftedBlock], n: int) -> int:
    """How many such lines stand around this one with no prose between them."""
    before = range(n - 1, max(-1, n - SEVERAL - 1), -1)
    after = range(n + 1, min(len(made), n + SEVERAL + 1))
    beside = (m for way in (before, after) for m in takewhile(lambda m: not is_prose(made[m].lines), way))
    return 1 + sum(_may_be_section(made, m) for m in beside)


def _may_be_section(made: Sequence[DraftedBlock], n: int) -> bool:
    block = made[n]
    if block.category is not Category.TEXT or not block.is_exact:
        return False
    text = block.plain
    one_row = block.box.height < SEVERAL_LINES * block.lines[0].box.height and len(text) <= LONGEST_BOLD
    ends = text[-1:] in ".:;,-…" or (text[-1:].isdigit() and not block.region.text.startswith("**"))
    return one_row and PART_OF_SECTION.match(text) is not None and not ends and _stands_apart(made, n)


def _stands_apart(made: Sequence[DraftedBlock], n: int) -> bool:
    box = made[n].box
    above = made[n - 1].box if n else None
    beneath = above is not None and above.overlap_x(box) > 0 and above.y1 < box.y1
    return above is None or not beneath or box.y0 - above.y1 > PARTED * box.height


def without_authors(made: Sequence[DraftedBlock], _: Measures) -> list[DraftedBlock]:
    """Between a paper's title and its abstract nothing heads anything but sentences or a list.

    The title is the longest heading, or the largest, as where a journal's name stands above it.
    """
    abstract = next((n for n, block in enumerate(made) if ABSTRACT_BEGINS.match(block.plain)), 0)
    names = {n for n in _below_title(made[:abstract]) if not _heads_sentences(made[n + 1])}
    return [block.retyped(Category.TEXT) if n in names else block for n, block in enumerate(made)]


def _below_title(made: Sequence[DraftedBlock]) -> list[int]:
    sizes = {n: headings.size(block.lines) for n, block in enumerate(made) if block.category in HEADINGS}
    longest = max(sizes, key=lambda n: len(made[n].plain), default=0)
    return [n for n, size in sizes.items() if size * ONE_TYPE < max(sizes.values()) and n != longest]


def _heads_sentences(below: DraftedBlock) -> bool:
    return _is_item(below) or (is_prose(below.lines) and TERMINAL.search(below.plain) is not None)


RULES: tuple[Rule, ...] = (
    without_terms,  # a heading that the words below explain is a term
    with_their_likes,  # bold lines in the type of headings are headings
    without_initials,  # `M. Okafor` is no item M
    without_stars,  # `* net of tax`, alone, is a note
    with_numbered,  # bold items that stand alone are headings: items must be known
    with_captions,
    with_sections,  # lines that only a section's number makes headings
    without_authors,
    figures_before_lists,  # a slide's picture beside its items
    with_footnotes,
    with_notes_amid_text,
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
