"""What a block is in view of those beside it: a term, a numbered heading, a list's item, a caption or a footnote.

Knows blocks in reading order and their lines; does not know how they were found.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise

from docparse_fast.document import HEADINGS, Box, Category, Region
from docparse_fast.drafting.blocks import headings
from docparse_fast.drafting.blocks.contents_entries import names_contents
from docparse_fast.drafting.blocks.joined_text import joined
from docparse_fast.drafting.blocks.paragraphs import item_text
from docparse_fast.drafting.blocks.people import are_names, is_name, tells_where
from docparse_fast.drafting.lines import Line
from docparse_fast.marks import unmarked
from docparse_fast.markup import as_read, parted_at_formulas

CAPTIONED = frozenset({Category.FIGURE, Category.TABLE, Category.CODE})
CAPTION_LINES, CAPTION_GAP = 3, 2.5  # and sizes of its type between it and what it names
NAME = re.compile(  # `Figure 3-2 The parts`, but not `Figure 3 shows`
    r"(?:fig(?:ure|ura)?|table|tab|tableau|tabla|abb(?:ildung)?|example|listing|рис(?:унок)?|таблица)\.?\s*"
    r"(?:\d+|[IVX]+)(?:[.\-–]\d+)*[a-z]?\s+(?-i:[A-ZÀ-ÞА-Я])",
    re.IGNORECASE,
)
FEWEST_NUMBERED, FEWEST_GOING_ON = 2, 3  # items from 1 on, and those of a list that began on the page before
NUMBER = re.compile(r"[1-9]\d?")
NAME_OF_SOMEBODY = re.compile(r"(?:[A-ZÀ-ÞА-Я]\. ?)+(?:[A-ZÀ-ÞА-Я][\w'’-]+ ?){1,2}$")  # M. Okafor
FEWEST_HEADINGS = 3  # on a page where those below the title may be names
FEW_LINES = 2  # that say where somebody works
TITLE = 1.1  # of any other heading's size
PROSE = 18.0  # of the type's size: a line as wide is prose
NUMBER_GAP = 0.6  # of the type's size, between a bare number and its words
SAME_COLUMN = 0.4  # of the type's size
FOOT = 0.5  # of the page's height: footnotes stand below
SMALL = 0.95  # of the usual type
NOTE = re.compile(r"(?:[¹²³⁰⁴-⁹]{1,3}|[*∗†‡§]{1,3})\s*[^\W_]|<sup>\w{1,3}</sup>\s*\S")

Made = tuple[Region, list[Line]]  # a region and the lines it was made of


def text_of(members: Sequence[Line], category: Category, *, by_line: bool = False) -> str:
    """`by_line`: the lines stay apart, each on its own."""
    if category is Category.FORMULA:
        return " \\\\ ".join(_as_latex(line.text) for line in members)
    if by_line and category is Category.TEXT:
        return "\n".join(line.text for line in members)
    text = joined([line.text for line in members])
    if category in HEADINGS:
        return unmarked(text, code=all(line.mono for line in members))
    return (item_text(text) or text) if category is Category.LIST_ITEM else text


def _as_latex(text: str) -> str:
    """A line of a formula: what was read as LaTeX is, the rest as it was read."""
    parts = parted_at_formulas(text)
    return "".join(part.strip("$") if n % 2 else as_read(unmarked(part)) for n, part in enumerate(parts))


def in_view_of_others(made: Sequence[Made], body: float) -> list[Made]:
    """Each block as what it is beside its neighbours."""
    named = without_names(without_authors(without_terms(made), body), body)
    return with_captions(with_numbered(with_bare_numbers(named), body))


def without_terms(made: Sequence[Made]) -> list[Made]:
    """Turns headings that the words right below explain into text: they are terms."""
    found = list(made)
    for n, ((region, members), (_, below)) in enumerate(pairwise(made)):
        exact = bool(members and below) and members[0].source == "text-layer"
        if exact and region.category in HEADINGS and headings.explained_below(members, below):
            draft = replace(region.drafts[0], text=text_of(members, Category.TEXT))
            found[n] = replace(region, category=Category.TEXT, drafts=(draft,)), members
    return found


def without_names(made: Sequence[Made], body: float) -> list[Made]:
    """Turns a list's item that stands alone and is a name with its initials into text, unless it heads prose."""
    found = list(made)
    is_item = [False, *(region.category is Category.LIST_ITEM for region, _ in made), False]
    for n, (region, members) in enumerate(made):
        alone = is_item[n + 1] and not is_item[n] and not is_item[n + 2]
        heads = headings.is_numbered(members, body) if members else False
        if heads and n + 1 < len(made) and is_prose(made[n + 1][1]):
            continue
        if alone and members and NAME_OF_SOMEBODY.match(joined([line.plain for line in members])):
            draft = replace(region.drafts[0], text=text_of(members, Category.TEXT))
            found[n] = replace(region, category=Category.TEXT, drafts=(draft,)), members
    return found


def without_authors(made: Sequence[Made], body: float) -> list[Made]:
    """Turns headings between a page's title and its first text into text: names, versions, dates."""
    found = list(made)
    heads = [n for n, (region, members) in enumerate(made) if region.category in HEADINGS and members]
    sizes = [headings.size(made[n][1]) for n in heads]
    if len(heads) < 2 or sizes[0] < TITLE * max(sizes[1:]) or made[heads[0]][1][0].source != "text-layer":
        return found
    beneath = frozenset(heads[1:-1]) if len(heads) >= FEWEST_HEADINGS else frozenset()
    for n in heads[1:]:
        if not _names_people(made, n) and (n not in beneath or _may_head_text(made, n, body)):
            break
        region, members = made[n]
        draft = replace(region.drafts[0], text=text_of(members, Category.TEXT))
        found[n] = replace(region, category=Category.TEXT, drafts=(draft,)), members
    return found


def _may_head_text(made: Sequence[Made], n: int, body: float) -> bool:
    """Names and dates are larger than the text, but not bold and not numbered, and no text follows them."""
    members = made[n][1]
    if names_contents(joined([line.plain for line in members])):
        return True
    return _all_bold(members) or headings.is_numbered(members, body) or is_prose(made[n + 1][1])


def _names_people(made: Sequence[Made], n: int) -> bool:
    """Whether persons are named, or one whose institution stands right below."""
    name = joined([line.plain for line in made[n][1]])
    below = [line.plain for line in made[n + 1][1]] if n + 1 < len(made) else []
    works = is_name(name) and 0 < len(below) <= FEW_LINES and all(map(tells_where, below))
    return works or are_names(joined([line.text for line in made[n][1]]))


def is_prose(lines: Sequence[Line]) -> bool:
    return len(lines) > 1 and max(line.box.width / line.size for line in lines) > PROSE


def with_numbered(made: Sequence[Made], body: float) -> list[Made]:
    """Turns bold list items into headings where text follows, and no other item stands beside them."""
    found = list(made)
    items = [region.category is Category.LIST_ITEM for region, _ in made]
    for n, (region, members) in enumerate(made[:-1]):
        alone = items[n] and not items[n + 1] and not (n and items[n - 1] and _all_bold(made[n - 1][1]))
        if alone and members and members[0].source == "text-layer" and headings.is_numbered(members, body):
            draft = replace(region.drafts[0], text=text_of(members, Category.SECTION_HEADER))
            found[n] = replace(region, category=Category.SECTION_HEADER, drafts=(draft,)), members
    return found


def with_bare_numbers(made: Sequence[Made]) -> list[Made]:
    """Turns paragraphs that hang behind 1, 2, 3 into list items, though no dot follows their numbers."""
    found = list(made)
    run: list[int] = []
    for n, (region, members) in enumerate(made):
        number = _bare_number(members) if region.category is Category.TEXT else 0
        goes_on = run and number == _bare_number(made[run[-1]][1]) + 1 and _alike(made[run[-1]][1], members)
        run = [*run, n] if goes_on else [n] if number else []
        fewest = FEWEST_NUMBERED if run and _bare_number(made[run[0]][1]) == 1 else FEWEST_GOING_ON
        for at in run if len(run) >= fewest else ():
            item, lines = made[at]
            words = text_of(lines, Category.TEXT).split(maxsplit=1)
            draft = replace(item.drafts[0], text=f"{words[0]}. {words[1]}")
            found[at] = replace(item, category=Category.LIST_ITEM, drafts=(draft,)), lines
    return found


def _bare_number(lines: Sequence[Line]) -> int:
    """The number that stands apart before the words; 0 if there is none."""
    words = _first_words(lines)
    if len(words) < 2 or not NUMBER.fullmatch(words[0][1]) or not lines[0].text.startswith(words[0][1]):
        return 0
    apart = words[1][0].x0 - words[0][0].x1 > NUMBER_GAP * lines[0].size
    hangs = all(line.box.x0 > words[0][0].x1 for line in lines[1:])
    return int(words[0][1]) if apart and hangs and lines[0].source == "text-layer" else 0


def _first_words(lines: Sequence[Line]) -> tuple[tuple[Box, str], ...]:
    """Of a paragraph whose number may be a line of its own."""
    return tuple(word for line in lines[:2] for word in line.words)


def _alike(above: Sequence[Line], below: Sequence[Line]) -> bool:
    """Whether two items' words begin in one column."""
    return abs(_first_words(above)[1][0].x0 - _first_words(below)[1][0].x0) < SAME_COLUMN * below[0].size


def with_captions(made: Sequence[Made]) -> list[Made]:
    """Turns a short line beside a figure or a table that begins as its name does into its caption."""
    found = list(made)
    for n, (region, members) in enumerate(made):
        beside = [other for other, _ in made[max(0, n - 1) : n + 2] if other.category in CAPTIONED]
        named = region.category is Category.TEXT and len(members) <= CAPTION_LINES and bool(members)
        if named and NAME.match(members[0].plain) and any(_is_next_to(region, other, members) for other in beside):
            found[n] = replace(region, category=Category.CAPTION), members
    return found


def _is_next_to(region: Region, other: Region, lines: Sequence[Line]) -> bool:
    gap = max(region.box.y0 - other.box.y1, other.box.y0 - region.box.y1)
    return region.box.overlap_x(other.box) > 0 and gap < CAPTION_GAP * _size(lines)


def with_footnotes(made: Sequence[Made], body: float, height: float) -> list[Made]:
    """Turns small text at the foot of its column into footnotes from where one begins with a raised mark."""
    found = list(made)
    for n in reversed(range(len(made))):
        region, members = made[n]
        low = bool(members) and region.box.y0 > FOOT * height and members[0].source == "text-layer"
        if not low or region.category is not Category.TEXT or _size(members) > SMALL * body:
            continue
        last = all(other.category is Category.FOOTNOTE for other, _ in found if _is_below(other, region))
        if last and (NOTE.match(members[0].text) or NOTE.match(members[0].plain)):
            found[n] = replace(region, category=Category.FOOTNOTE), members
    return found


def _is_below(other: Region, region: Region) -> bool:
    return other.box.y0 >= region.box.y1 - 1 and other.box.overlap_x(region.box) > 0


def _size(lines: Sequence[Line]) -> float:
    return max(line.size for line in lines)


def _all_bold(lines: Sequence[Line]) -> bool:
    return bool(lines) and all(line.bold for line in lines)
