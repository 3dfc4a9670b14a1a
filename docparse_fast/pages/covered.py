"""Words that a picture was painted over: a scan's guessed text may lie beneath it. Knows painting order."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from docparse_fast.document import Box, TextLine
from docparse_fast.system.mupdf import pymupdf

LARGE = 0.5  # of the page: smaller pictures over words are stamps and signatures
TEXT, PICTURE = ("fill-text", "stroke-text"), "fill-image"


def without_covered(
    page: pymupdf.Page, blocks: Sequence[Sequence[TextLine]], pictures: Sequence[Box], paper: Box
) -> tuple[tuple[TextLine, ...], ...]:
    """The blocks, words beneath a page-wide opaque picture marked as not to be seen."""
    as_they_are = tuple(map(tuple, blocks))
    if not blocks or not any(box.area > LARGE * paper.area for box in pictures):
        return as_they_are
    if any(info["has-mask"] for info in page.get_image_info()):
        return as_they_are
    beneath = _all_beneath(page)
    return tuple(tuple(map(_hidden, block)) for block in blocks) if beneath else as_they_are


def _all_beneath(page: pymupdf.Page) -> bool:
    """Whether the last page-wide picture comes after every word."""
    last_word = last_picture = -1
    for n, (kind, rect) in enumerate(page.get_bboxlog()):
        if kind in TEXT:
            last_word = n
        elif kind == PICTURE and abs(pymupdf.Rect(rect)) > LARGE * abs(page.mediabox):
            last_picture = n
    return last_picture > last_word >= 0


def _hidden(line: TextLine) -> TextLine:
    return replace(line, spans=tuple(replace(span, visible=False) for span in line.spans))
