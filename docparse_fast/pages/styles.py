"""Whether MuPDF has to look how a page's letters are drawn: filled and stroked, or twice beside each other, both bold.

MuPDF compares every letter with all before it for that, so it is asked only where a page shows signs of such letters,
and not on the fullest pages.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from docparse_fast.pages.weight import Weight

MOST_LETTERS = 10_000  # of a page: MuPDF takes a quarter of a second for so many, and grows with their square
NEAR = 0.08  # of the type's size: how far apart a letter's two copies stand
THINNEST = 0.01  # points: a letter of no width is a part of a ligature
LEAST_STEP = 1.0  # points: nearer than one letter stands to the next in the smallest type


def needs_styles(raw: Mapping[str, Any], weight: Weight) -> bool:
    """`raw` is MuPDF's rawdict, taken without styles."""
    runs = [run for block in raw["blocks"] for line in block.get("lines", ()) for run in line["spans"]]
    if sum(len(run["chars"]) for run in runs) > MOST_LETTERS:
        return False
    return weight.outlined > 0 or _has_copies(runs)


def _has_copies(runs: list[Mapping[str, Any]]) -> bool:
    """Whether a letter stands nearly where the same letter stands already."""
    seen: set[tuple[str, int, int]] = set()
    for count, place in enumerate(_places(runs), 1):
        seen.add(place)
        if len(seen) < count:
            return True
    return False


def _places(runs: list[Mapping[str, Any]]) -> Iterator[tuple[str, int, int]]:
    for run in runs:
        step = max(LEAST_STEP, NEAR * run["size"])
        for char in run["chars"]:
            x, y = char["origin"]
            if char["bbox"][2] - char["bbox"][0] > THINNEST and not char["c"].isspace():
                yield char["c"], int(x / step), int(y / step)
