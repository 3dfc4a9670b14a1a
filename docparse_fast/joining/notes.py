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
MARK = re.compile(rf"(?:(?<=[^\s\[{RAISED}])|(?<=\S\s))[{RAISED}]{{1,3}}(?![{RAISED}])")
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
        notes = _notes(page)
        links: dict[int, list[tuple[int, str, str]]] = {}
        for mark, places in (_places(page) if notes else {}).items():
            if mark in notes and len(places) == 1:
                ((m, at),) = places
                name = f"note-{page.number}-{mark.translate(DIGITS)}"
                links.setdefault(m, []).append((at, mark, name))
                note = page.blocks[notes[mark]]
                changed[n, notes[mark]] = replace(note, text=f'<a id="{name}"></a>{note.text}')
        for m, there in links.items():
            changed[n, m] = replace(page.blocks[m], text=_linked(page.blocks[m].text, there))
    return with_blocks(pages, changed) if changed else list(pages)


def _notes(page: ParsedPage) -> dict[str, int]:
    """The block of each footnote by its mark; the first, where two have the same."""
    found: dict[str, int] = {}
    for m, block in enumerate(page.blocks):
        if block.category is Category.FOOTNOTE and (note := NOTE.match(block.text)):
            found.setdefault(note["mark"], m)
    return found


def _places(page: ParsedPage) -> dict[str, list[tuple[int, int]]]:
    """By mark, the blocks and places where it stands in the page's text."""
    found: dict[str, list[tuple[int, int]]] = {}
    for m, block in enumerate(page.blocks):
        for mark in MARK.finditer(_masked(block.text)) if block.category in MARKED else ():
            found.setdefault(mark[0], []).append((m, mark.start()))
    return found


def _linked(text: str, links: Sequence[tuple[int, str, str]]) -> str:
    pieces, end = [], 0
    for at, mark, name in sorted(links):
        pieces += [text[end:at], f"[{mark}](#{name})"]
        end = at + len(mark)
    return "".join((*pieces, text[end:]))


def _masked(text: str) -> str:
    """The same length, without what stands in code, formulas and addresses."""
    return CODE_OR_LINK.sub(lambda found: "x" * len(found[0]), text)
