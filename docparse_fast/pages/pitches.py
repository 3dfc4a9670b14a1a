"""Finds fonts whose characters all have one width, whatever their names are. Knows characters and where they begin."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from itertools import pairwise
from statistics import median
from typing import Any

NARROW, WIDE = frozenset("iljtfr.,;:'|!I1"), frozenset("mwMWOQGD@%&")  # in fonts of several widths
FEWEST = 12  # characters that tell
ENOUGH = 200
SAME = 0.02  # of the type's size between two widths that are one
NEARLY_ALL = 0.95


def typed_fonts(blocks: Iterable[Mapping[str, Any]]) -> frozenset[str]:
    """The fonts of one width among those of MuPDF's `rawdict` blocks."""
    widths: dict[str, list[tuple[str, float]]] = defaultdict(list)
    for run in (run for block in blocks for line in block.get("lines", ()) for run in line["spans"]):
        if len(widths[run["font"]]) < ENOUGH:
            widths[run["font"]] += _widths(run)
    return frozenset(font for font, found in widths.items() if _have_one_width(found))


def _widths(run: Mapping[str, Any]) -> Iterable[tuple[str, float]]:
    for char, after in pairwise(run["chars"]):
        if char["c"].isascii() and not (char["c"].isspace() or after["c"].isspace()):
            (x, y), (right, below) = char["origin"], after["origin"]
            yield char["c"], (abs(right - x) + abs(below - y)) / run["size"]


def _have_one_width(found: list[tuple[str, float]]) -> bool:
    """Narrow and wide letters must be among them: figures have one width in most fonts."""
    told = [width for char, width in found if char in NARROW or char in WIDE]
    if len(told) < FEWEST or not {char for char, _ in found} & NARROW or not {char for char, _ in found} & WIDE:
        return False
    usual = median(width for _, width in found)
    return sum(abs(width - usual) < SAME for _, width in found) >= NEARLY_ALL * len(found)
