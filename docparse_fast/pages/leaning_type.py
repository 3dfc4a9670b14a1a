"""Type that a file's own matrices lean: italics of fonts that have none. Knows matrices; knows no words.

Browsers and word processors write such words in the upright font, under a matrix that slants it. MuPDF tells only what
the font says, but its characters' corners still lean.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from itertools import groupby
from typing import Any

from docparse_fast.pages.word_splitting import FontRun
from docparse_fast.system.mupdf import pymupdf

LEAST, MOST = 0.1, 0.7  # tangents: of six degrees and of thirty-five
ITALIC = 2  # MuPDF's flag of a font
LONGEST = 8_000_000  # bytes of a page's commands: with more it is a drawing
MATRIX = re.compile(  # numbers of any length would take a hostile page minutes
    rb"\s-?(?:0\.?0{0,12}|\.0{1,12})\s++(-?\d{0,9}\.?\d{0,12}[1-9]\d{0,12})\s++(-?\d{0,9}\.?\d{1,12})\s++\S++\s++\S++"
    rb"\s++(?:Tm|cm)\b"
)

PlacedSign = tuple[str, float, float]


def tell_leaning(raw: Mapping[str, Any], page: pymupdf.Page, flags: int) -> None:
    """Flags the characters that lean as italic, in runs of their own; `raw` is MuPDF's rawdict."""
    if not _has_leaning(page.read_contents()):
        return
    leaning = frozenset(_leaning(page.get_textpage(flags=flags & ~pymupdf.TEXT_ACCURATE_BBOXES)))
    for line in (line for block in raw["blocks"] for line in block.get("lines", ()) if leaning):
        line["spans"] = [part for run in line["spans"] for part in _parts(run, leaning)]


def _has_leaning(commands: bytes) -> bool:
    if len(commands) > LONGEST:
        return False
    return any(_leans(float(across), float(up)) for across, up in MATRIX.findall(commands))


def _leans(across: float, up: float) -> bool:
    return LEAST * abs(up) < abs(across) < MOST * abs(up)


def _leaning(textpage: pymupdf.TextPage) -> Iterator[PlacedSign]:
    """The characters whose boxes lean, and where they stand."""
    for block in textpage.this:
        if block.m_internal.type == pymupdf.mupdf.FZ_STEXT_BLOCK_TEXT:
            for line in block:
                char = line.m_internal.first_char  # by its links: a wrapper for each is slow
                while char:
                    corners = char.quad
                    if corners.ul.x != corners.ll.x and _is_leaning(corners):
                        yield chr(char.c), char.origin.x, char.origin.y
                    char = char.next


def _is_leaning(corners: Any) -> bool:
    """Whether a box's sides stand aslant on its foot, whichever way the foot runs."""
    right, down = corners.lr.x - corners.ll.x, corners.lr.y - corners.ll.y
    across, up = corners.ul.x - corners.ll.x, corners.ul.y - corners.ll.y
    return _leans(right * across + down * up, right * up - down * across)


def _parts(run: FontRun, leaning: frozenset[PlacedSign]) -> Iterator[FontRun]:
    for leans, part in groupby(run["chars"], key=lambda char: (char["c"], *char["origin"]) in leaning):
        yield {**run, "flags": run["flags"] | ITALIC if leans else run["flags"], "chars": list(part)}
