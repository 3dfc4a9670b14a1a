"""What a block is in view of those before and behind it: a term, or a heading behind a list's number.

Knows blocks in reading order and their lines; does not know how they were found.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise

from docparse_fast.document import HEADINGS, Category, Region
from docparse_fast.drafting.blocks import headings
from docparse_fast.drafting.blocks.paragraphs import item_text, joined
from docparse_fast.drafting.lines import Line
from docparse_fast.marks import unmarked
from docparse_fast.markup import as_read

Made = tuple[Region, list[Line]]  # a region and the lines it was made of


def text_of(members: Sequence[Line], category: Category) -> str:
    if category is Category.FORMULA:
        return " \\\\ ".join(as_read(unmarked(line.text)) for line in members)
    text = joined([line.text for line in members])
    if category in HEADINGS:
        return unmarked(text, code=all(line.mono for line in members))
    return (item_text(text) or text) if category is Category.LIST_ITEM else text


def without_terms(made: Sequence[Made]) -> list[Made]:
    """Turns headings that the words right below explain into text: they are terms."""
    found = list(made)
    for n, ((region, members), (_, below)) in enumerate(pairwise(made)):
        exact = bool(members and below) and members[0].source == "text-layer"
        if exact and region.category in HEADINGS and headings.explained_below(members, below):
            draft = replace(region.drafts[0], text=text_of(members, Category.TEXT))
            found[n] = replace(region, category=Category.TEXT, drafts=(draft,)), members
    return found


def with_numbered(made: Sequence[Made], body: float) -> list[Made]:
    """Turns bold list items into headings where text follows, and no other item stands beside them."""
    found = list(made)
    items = [region.category is Category.LIST_ITEM for region, _ in made]
    for n, (region, members) in enumerate(made[:-1]):
        alone = items[n] and not items[n + 1] and not (n and items[n - 1] and _all_bold(made[n - 1][1]))
        if alone and members[0].source == "text-layer" and headings.is_numbered(members, body):
            draft = replace(region.drafts[0], text=text_of(members, Category.SECTION_HEADER))
            found[n] = replace(region, category=Category.SECTION_HEADER, drafts=(draft,)), members
    return found


def _all_bold(lines: Sequence[Line]) -> bool:
    return bool(lines) and all(line.bold for line in lines)
