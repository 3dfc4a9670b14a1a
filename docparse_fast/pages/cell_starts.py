"""Cells whose text runs into the next cell's, or nearly: parted where that begins. Knows letters' places, no table.

Spreadsheets clip a value that is too long for its cell, and draw the next one over its last sign; narrow columns leave
less white between two cells than a blank is wide. MuPDF takes both for one word. Within a word letters begin on the one
before only as far as fonts set a pair closer, and apart from it only where all are set apart; at a column's edge
several rows do so.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import pairwise
from statistics import median
from typing import Any, NamedTuple

from docparse_fast.text.characters import CJK

LEAST = 0.1  # of the type's size, by which one digit stands on another: fonts set no pair of them closer
MOST_KERNED = 0.2  # the same of other pairs: up to that, fonts set "Te", "AV" or "P," closer
APART = 0.08  # the same of the white between two letters; MuPDF takes twice as much for a blank
COPY = 0.3  # of the letter before, by its left side: what begins there is a copy of it, drawn to make it bold
STEP = 0.25  # points between two places that are one column's edge
FEWEST_ROWS = 3
NOWHERE = -1e6  # off any page

RawLine = Mapping[str, Any]


def part_cells(blocks: Sequence[dict[str, Any]]) -> None:
    """Parts the lines of MuPDF's rawdict where a letter stands on the one before it, or apart, at an edge of others."""
    level = [(block, line) for block in blocks for line in block.get("lines", ()) if line["dir"] == (1.0, 0.0)]
    found = {id(line): seams for _, line in level if (seams := list(_seams(line)))}
    if not found:
        return
    told = [(line, seam) for _, line in level for seam in found.get(id(line), ()) if seam.is_told]
    begins = _edges([(line, line["bbox"][0]) for _, line in level] + [(line, seam.begin) for line, seam in told])
    ends = _edges([(line, line["bbox"][2]) for _, line in level] + [(line, seam.end) for line, seam in told])
    parted = {seam for _, seam in told if round(seam.begin / STEP) in begins or round(seam.end / STEP) in ends}
    columns = {round(seam.begin / STEP) for seam in parted}
    cuts = {
        key: [seam.begin for seam in seams if seam in parted or round(seam.begin / STEP) in columns]
        for key, seams in found.items()
    }
    for block in blocks:
        if any(cuts.get(id(line)) for line in block.get("lines", ())):
            block["lines"] = [part for line in block["lines"] for part in _parts(line, cuts.get(id(line), ()))]


class Seam(NamedTuple):
    end: float  # of the letter before; off the page where the next stands on it
    begin: float
    is_told: bool  # by a figure beside it, a capital behind it, or a letter on another; white alone may be a font's


def _edges(places: Iterable[tuple[RawLine, float]]) -> set[int]:
    """The places at which several rows have one, in steps."""
    rows: dict[int, set[int]] = defaultdict(set)
    for line, x in places:
        for near in (-1, 0, 1) if x != NOWHERE else ():
            rows[round(x / STEP) + near].add(round(line["bbox"][3]))
    return {place for place, heights in rows.items() if len(heights) >= FEWEST_ROWS}


def _seams(line: RawLine) -> Iterator[Seam]:
    """Where a letter begins on the one before it, or apart from it as no other does."""
    for run in line["spans"]:
        pairs = list(pairwise(run["chars"]))
        gaps = [char["bbox"][0] - before["bbox"][2] for before, char in pairs]
        usual = median(gaps or [0.0])
        for (before, char), gap in zip(pairs, gaps, strict=True):
            if _is_over(before, char, run["size"]):
                yield Seam(NOWHERE, char["origin"][0], True)
            elif gap - max(0.0, usual) > APART * run["size"]:
                sides = before["c"] + char["c"]
                if not CJK.search(sides) and " " not in sides:
                    told = any(map(str.isdecimal, sides)) or (sides[0].islower() and sides[1].isupper())
                    yield Seam(before["bbox"][2], char["origin"][0], told)


def _is_over(before: Mapping[str, Any], char: Mapping[str, Any], size: float) -> bool:
    (left, _, right, _), begins = before["bbox"], char["bbox"][0]
    close = LEAST if before["c"].isdecimal() and char["c"].isdecimal() else MOST_KERNED
    return bool(right - begins > close * size and begins - left > COPY * (right - left))


def _parts(line: RawLine, cuts: Sequence[float]) -> Iterator[RawLine]:
    bounds = [-math.inf, *sorted(cuts), math.inf]
    for left, right in pairwise(bounds):
        runs = [
            {**run, "chars": chars}
            for run in line["spans"]
            if (chars := [char for char in run["chars"] if left <= char["origin"][0] < right])
        ]
        if runs:
            boxes = [char["bbox"] for run in runs for char in run["chars"]]
            yield {**line, "spans": runs, "bbox": _around(boxes)} if cuts else line


def _around(boxes: Sequence[Sequence[float]]) -> tuple[float, ...]:
    lefts, tops, rights, bottoms = zip(*boxes, strict=True)
    return min(lefts), min(tops), max(rights), max(bottoms)
