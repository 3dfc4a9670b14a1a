"""Links a page's footnotes with the marks that lead to them. For document.md alone; knows blocks' Markdown.

A mark is linked only if it stands once in the page's text: an exponent looks like a mark, too.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from docparse_fast.document import Block, Category, ParsedPage
from docparse_fast.joining.places import BlockAt, with_blocks

RAISED = "⁰¹²³⁴⁵⁶⁷⁸⁹"
NOTE = re.compile(rf"(?P<mark>[{RAISED}]{{1,3}})\s*\S")
DIGITS = str.maketrans(RAISED, "0123456789")
MARKED = frozenset({Category.TEXT, Category.LIST_ITEM, Category.CAPTION})
CODE_OR_LINK = re.compile(r"`[^`]*`|\$[^$]*\$|\]\([^()\s]*\)")


def with_linked_notes(pages: Sequence[ParsedPage]) -> list[ParsedPage]:
    """
    >>> words, note = Block(Category.TEXT, "It is so.¹"), Block(Category.FOOTNOTE, "¹ So it seems.")
    >>> (page,) = with_linked_notes([ParsedPage(7, blocks=(words, note))])
    >>> [block.text for block in page.blocks]
    ['It is so.[¹](#note-7-1)', '<a id="note-7-1"></a>¹ So it seems.']
    """
    changed: dict[BlockAt, Block] = {}
    for n, page in enumerate(pages):
        for m, block in enumerate(page.blocks):
            note = NOTE.match(block.text) if block.category is Category.FOOTNOTE else None
            at = _only_place(page, note["mark"]) if note else None
            if note is None or at is None:
                continue
            name = f"note-{page.number}-{note['mark'].translate(DIGITS)}"
            marked = changed.get((n, at[0]), page.blocks[at[0]])
            changed[n, at[0]] = replace(marked, text=_linked(marked.text, note["mark"], name))
            changed[n, m] = replace(block, text=f'<a id="{name}"></a>{block.text}')
    return with_blocks(pages, changed) if changed else list(pages)


def _only_place(page: ParsedPage, mark: str) -> tuple[int, int] | None:
    """The block and the place of the only such mark in the page's text."""
    texts = [(m, block.text) for m, block in enumerate(page.blocks) if block.category in MARKED]
    found = [(m, place.start()) for m, text in texts for place in _marks(mark).finditer(_masked(text))]
    return found[0] if len(found) == 1 else None


def _linked(text: str, mark: str, name: str) -> str:
    place = next(_marks(mark).finditer(_masked(text))).start()
    return f"{text[:place]}[{mark}](#{name}){text[place + len(mark) :]}"


def _marks(mark: str) -> re.Pattern[str]:
    return re.compile(rf"(?<=\S)(?<![{RAISED}\[]){mark}(?![{RAISED}])|(?<=\S\s){mark}(?![{RAISED}])")


def _masked(text: str) -> str:
    """The same length, without what stands in code, formulas and addresses."""
    return CODE_OR_LINK.sub(lambda found: "x" * len(found[0]), text)
