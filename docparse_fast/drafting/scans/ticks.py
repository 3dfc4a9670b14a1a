"""Boxes to be ticked, seen on a scan, as signs before their words; what was read for one goes. Knows lines, boxes."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise
from statistics import median

import cv2

from docparse_fast.document import Box, TickBox
from docparse_fast.drafting.arrays import Pixels
from docparse_fast.drafting.lines import Line, pieces
from docparse_fast.drafting.scans.seen_boxes import boxes_seen
from docparse_fast.text.placed_words import PlacedWord

BEFORE = 2.5  # of the type's size, between a box and its words
MISREAD = re.compile(r"^\\?(?:[^\w\s]|[口囗曰日回冈区図凶因]|[OoQDCXxVv0](?=[A-Z\W]|$))\s*")


def with_ticks(image: Pixels, lines: Sequence[Line]) -> list[Line]:
    if not lines:
        return []
    made, alone = [], boxes_seen(cv2.cvtColor(image, cv2.COLOR_RGB2GRAY), median(line.size for line in lines))
    for line in lines:
        ours = sorted((each for each in alone if _belongs(each.box, line)), key=lambda each: each.box.x0)
        alone = [each for each in alone if each not in ours]
        made.append(_with_signs(line, ours) if ours else line)
    return [*made, *(Line(each.box, each.sign, each.box.height, lines[0].source) for each in alone)]


def _belongs(box: Box, line: Line) -> bool:
    level = line.box.y0 < box.center[1] < line.box.y1
    return level and line.box.x0 - BEFORE * line.size < box.x0 < line.box.x1


def _with_signs(line: Line, boxes: Sequence[TickBox]) -> Line:
    """The line's words in parts, one behind each box."""
    starts = [float("-inf"), *(each.box.center[0] for each in boxes), float("inf")]
    words = line.words or ((line.box, line.plain),)
    runs = [[word for word in words if a <= word[0].x1 < b] for a, b in pairwise(starts)]
    parts = iter(pieces(line, [run for run in runs if run]))
    plain, text, placed = "", "", list[PlacedWord]()
    for run, each in zip(runs, [None, *boxes], strict=True):
        part = next(parts) if run else None
        said, written = (part.plain, part.text) if part else ("", "")
        if each is not None:
            over = bool(run) and run[0][0].x0 < each.box.center[0]
            said, written = (f"{each.sign} {MISREAD.sub('', words) if over else words}" for words in (said, written))
            placed.append((each.box, each.sign))
        plain, text = f"{plain} {said}", f"{text} {written}"
        placed += run
    around = Box.around((line.box, *(each.box for each in boxes)))
    return replace(line, box=around, plain=plain.strip(), text=text.strip(), words=tuple(placed))
