"""Footnotes of scanned pages: a recogniser reads raised figures as common ones, glued to the words beside them.

So `tubes1` in the text and, last in its column, `1or valves for some of us` tell each other.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace

from docparse_fast.document import Box, Category, Region
from docparse_fast.drafting.blocks.neighbours import FOOT, Made

NOTE = re.compile(r"(\d{1,2})\s?(?=[^\W\d_])")
LARGEST = 1.0  # of the usual type
HAS_MARKS = frozenset({Category.TEXT, Category.LIST_ITEM})
RAISED = str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹")


def with_scanned_notes(made: Sequence[Made], body: float, height: float) -> list[Made]:
    """Turns them into footnotes where the text has the mark of each once; the figures are raised in both."""
    notes: dict[int, str] = {}
    for n in reversed(range(len(made))):
        mark = _mark_of(made[n], body, height)
        ends_column = all(m in notes or not _is_below(other.box, made[n][0].box) for m, (other, _) in enumerate(made))
        if mark and ends_column:
            notes[n] = mark
    places = {n: place for n, mark in notes.items() if (place := _only_place(made, notes, mark)) is not None}
    found = list(made)
    for n, (at, start) in places.items():
        mark = notes[n]
        text = found[at][0].text
        raised = mark.translate(RAISED)
        found[at] = _saying(found[at], f"{text[:start]}{raised}{text[start + len(mark) :]}")
        words = found[n][0].text[len(mark) :].lstrip()
        region, members = _saying(found[n], f"{raised} {words}")
        found[n] = replace(region, category=Category.FOOTNOTE), members
    return found


def _mark_of(one: Made, body: float, height: float) -> str:
    """The figure that it begins with, if it may be a note; else an empty text."""
    region, members = one
    read = bool(members) and members[0].source == "embedded" and region.category is Category.TEXT
    match = NOTE.match(region.text) if read and region.box.y0 > FOOT * height else None
    return match[1] if match and max(line.size for line in members) <= LARGEST * body else ""


def _is_below(other: Box, box: Box) -> bool:
    return other.center[1] > box.center[1] and other.overlap_x(box) > 0.5 * min(other.width, box.width)


def _only_place(made: Sequence[Made], notes: Mapping[int, str], mark: str) -> tuple[int, int] | None:
    """Where the only word ends to which the mark is glued."""
    glued = re.compile(rf"(?:(?<=[^\W\d_]{{3}})|(?<=[^\W\d_][,.;:)])){mark}(?![\w%])")
    texts = [(n, region.text) for n, (region, _) in enumerate(made) if n not in notes and region.category in HAS_MARKS]
    found = [(n, place.start()) for n, text in texts for place in glued.finditer(text)]
    return found[0] if len(found) == 1 else None


def _saying(one: Made, text: str) -> Made:
    region: Region = one[0]
    draft = replace(region.drafts[0], text=text)
    return replace(region, drafts=(draft, *region.drafts[1:])), one[1]
