"""Finds fonts whose characters all have one width, whatever their names are. Knows characters and where they begin."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise
from statistics import median
from typing import Any

from docparse_fast.writing import SQUARE_LETTERS

NARROW, WIDE = frozenset("iljtfr.,;:'|!I1"), frozenset("mwMWOQGD@%&")  # in fonts of several widths
FEWEST = 12  # characters that tell
ENOUGH = 200
FEWEST_IN_LINE = 3
SAME = 0.035  # of a line's usual width, by which another may differ from it
NEARLY_ALL = 0.95


def typed_fonts(blocks: Iterable[Mapping[str, Any]]) -> frozenset[str]:
    """The fonts of one width among those of MuPDF's `rawdict` blocks."""
    widths: dict[str, list[tuple[str, float]]] = defaultdict(list)
    for line in (line for block in blocks for line in block.get("lines", ())):
        for font in {run["font"] for run in line["spans"]}:
            if len(widths[font]) < ENOUGH:
                widths[font] += _relative(
                    [width for run in line["spans"] if run["font"] == font for width in _widths(run)]
                )
    return frozenset(font for font, found in widths.items() if _have_one_width(found))


def square_fonts(blocks: Iterable[Mapping[str, Any]]) -> frozenset[str]:
    """Fonts with Chinese, Japanese or Korean characters, of which that they have one width says nothing."""
    runs = (run for block in blocks for line in block.get("lines", ()) for run in line["spans"])
    return frozenset(run["font"] for run in runs if any(SQUARE_LETTERS.match(char["c"]) for char in run["chars"]))


def _relative(found: Sequence[tuple[str, float]]) -> list[tuple[str, float]]:
    """Widths as parts of the line's usual one: lines are stretched, and words in a sentence are set smaller."""
    usual = median(width for _, width in found) if len(found) >= FEWEST_IN_LINE else 0.0
    return [(char, width / usual) for char, width in found] if usual else []


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
    return sum(abs(width - 1) < SAME for _, width in found) >= NEARLY_ALL * len(found)
