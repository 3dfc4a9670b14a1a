"""Cells whose text runs into the next cell's, parted where the next begins. Knows characters' places; knows no table.

Spreadsheets clip a value that is too long for its cell, and draw the next one over its last sign. MuPDF takes both for
one word, for there is no gap. Within a word letters begin on the one before only as far as fonts set a pair closer; at
a column's edge several rows do so.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Any

LEAST = 0.1  # of the type's size, by which one digit stands on another: fonts set no pair of them closer
MOST_KERNED = 0.2  # the same of other pairs: up to that, fonts set "Te", "AV" or "P," closer
COPY = 0.3  # of the letter before, by its left side: what begins there is a copy of it, drawn to make it bold
STEP = 0.25  # points between two places that are one column's edge
FEWEST_ROWS = 3

RawLine = Mapping[str, Any]


def part_cells(blocks: Sequence[dict[str, Any]]) -> None:
    """Parts the lines of MuPDF's rawdict where a letter stands on the one before it, at a place where others begin."""
    level = [(block, line) for block in blocks for line in block.get("lines", ()) if line["dir"] == (1.0, 0.0)]
    over = {id(line): places for _, line in level if (places := _begun_over(line))}
    if not over:
        return
    rows: dict[int, set[int]] = defaultdict(set)
    for _, line in level:
        for x in (line["bbox"][0], *over.get(id(line), ())):
            for near in (-1, 0, 1):
                rows[round(x / STEP) + near].add(round(line["bbox"][3]))
    edges = {place for place, heights in rows.items() if len(heights) >= FEWEST_ROWS}
    for block in blocks:
        if any(id(line) in over for line in block.get("lines", ())):
            block["lines"] = [part for line in block["lines"] for part in _parts(line, over.get(id(line), ()), edges)]


def _begun_over(line: RawLine) -> list[float]:
    """Where a letter begins on the one before it."""
    return [
        char["origin"][0]
        for run in line["spans"]
        for before, char in pairwise(run["chars"])
        if _is_over(before, char, run["size"])
    ]


def _is_over(before: Mapping[str, Any], char: Mapping[str, Any], size: float) -> bool:
    (left, _, right, _), begins = before["bbox"], char["bbox"][0]
    close = LEAST if before["c"].isdecimal() and char["c"].isdecimal() else MOST_KERNED
    return bool(right - begins > close * size and begins - left > COPY * (right - left))


def _parts(line: RawLine, places: Sequence[float], edges: set[int]) -> Iterator[RawLine]:
    cuts = sorted(x for x in places if round(x / STEP) in edges)
    bounds = [float("-inf"), *cuts, float("inf")]
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
