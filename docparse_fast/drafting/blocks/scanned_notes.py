"""Footnotes of scanned pages: a recogniser reads raised figures as common ones, glued to the words beside them.

So `tubes1` in the text and, last in its column, `1or valves for some of us` tell each other.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from docparse_fast.document import Box, Category
from docparse_fast.drafting.blocks.drafted_block import DraftedBlock
from docparse_fast.drafting.blocks.neighbours import FOOT
from docparse_fast.drafting.measures import Measures
from docparse_fast.drafting.words import SCANNED_NOTE

LARGEST = 1.0  # of the usual type
HAS_MARKS = frozenset({Category.TEXT, Category.LIST_ITEM})
RAISED = str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹")


def with_scanned_notes(made: Sequence[DraftedBlock], measures: Measures) -> list[DraftedBlock]:
    """Turns them into footnotes where the text has the mark of each once; the figures are raised in both."""
    notes: dict[int, str] = {}
    for n in reversed(range(len(made))):
        mark = _mark_of(made[n], measures)
        if mark and all(m in notes or not _is_below(other.box, made[n].box) for m, other in enumerate(made)):
            notes[n] = mark
    places = {n: place for n, mark in notes.items() if (place := _only_place(made, notes, mark)) is not None}
    found = list(made)
    for n, (at, start) in places.items():
        mark = notes[n]
        text = found[at].region.text
        raised = mark.translate(RAISED)
        found[at] = found[at].saying(f"{text[:start]}{raised}{text[start + len(mark) :]}")
        words = found[n].region.text[len(mark) :].lstrip()
        found[n] = found[n].saying(f"{raised} {words}").labelled(Category.FOOTNOTE)
    return found


def _mark_of(block: DraftedBlock, measures: Measures) -> str:
    """The figure that it begins with, if it may be a note; else an empty text."""
    read = bool(block.lines) and not block.is_exact and block.category is Category.TEXT
    match = SCANNED_NOTE.match(block.region.text) if read and block.box.y0 > FOOT * measures.height else None
    return match[1] if match and max(line.size for line in block.lines) <= LARGEST * measures.body else ""


def _is_below(other: Box, box: Box) -> bool:
    return other.center[1] > box.center[1] and other.overlap_x(box) > 0.5 * min(other.width, box.width)


def _only_place(made: Sequence[DraftedBlock], notes: Mapping[int, str], mark: str) -> tuple[int, int] | None:
    """Where the only word ends to which the mark is glued."""
    glued = re.compile(rf"(?:(?<=[^\W\d_]{{3}})|(?<=[^\W\d_][,.;:)])){mark}(?![\w%])")
    texts = [(n, one.region.text) for n, one in enumerate(made) if n not in notes and one.category in HAS_MARKS]
    found = [(n, place.start()) for n, text in texts for place in glued.finditer(text)]
    return found[0] if len(found) == 1 else None
