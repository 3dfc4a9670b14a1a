"""Finds typewriter fonts by the widths that a file lists for them. Knows PDF's fonts; knows no text."""

from __future__ import annotations

import re

from docparse_fast.system.mupdf import pymupdf

SIMPLE = frozenset({"Type1", "MMType1", "TrueType", "Type3"})
NUMBER = re.compile(r"-?\d+\.?\d*")
DIGITS = range(ord("0"), ord("9") + 1)  # have one width in most fonts
FEWEST = 8  # characters that tell
SAME = 0.01  # of the widest


def fonts_of_one_width(page: pymupdf.Page) -> frozenset[str]:
    """The names of the page's fonts whose characters, figures apart, all have one width."""
    fonts = [(font[0], font[3].rpartition("+")[2]) for font in page.get_fonts() if font[2] in SIMPLE]
    # a font that stands in the page itself has no number
    told = [(xref, name) for xref, name in fonts if xref and _have_one_width(_widths(page.parent, xref))]
    return frozenset(name or f"Type3 ({xref} 0 R)" for xref, name in told)


def _widths(document: pymupdf.Document, xref: int) -> list[float]:
    kind, widths = document.xref_get_key(xref, "Widths")
    if kind == "xref":
        widths = document.xref_object(int(widths.split()[0]))
    start = document.xref_get_key(xref, "FirstChar")[1]
    first = int(start) if start.isdigit() else 0
    told = [float(width) for n, width in enumerate(NUMBER.findall(widths), first) if n not in DIGITS]
    return [width for width in told if width > 0]


def _have_one_width(widths: list[float]) -> bool:
    return len(widths) >= FEWEST and max(widths) - min(widths) < SAME * max(widths)
