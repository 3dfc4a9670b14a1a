"""Finds blanks that a font's map calls by another sign: macOS names Word's blanks `#` or `!`. Knows MuPDF's rawdict."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from typing import Any

LARGE = frozenset('!"#$%&()*+/<=>?@[\\]^{}~')  # the ink of smaller signs isn't always known

_Character = dict[str, Any]


def name_blanks(raw: Iterable[Mapping[str, Any]]) -> None:
    """Renames signs that have a width but no ink, in place; not in a font that shows no ink at all, as under a scan."""
    fonts: dict[str, list[_Character]] = defaultdict(list)
    for run in (run for block in raw for line in block.get("lines", ()) for run in line["spans"]):
        fonts[run["font"]].extend(run["chars"])
    for characters in fonts.values():
        blanks = [char for char in characters if char["c"] in LARGE and not _has_ink(char)]
        if blanks and any(_has_ink(char) for char in characters if char["c"].isalnum()):
            for char in blanks:
                char["c"] = " "


def _has_ink(char: _Character) -> bool:
    x0, y0, x1, y1 = char["bbox"]
    return bool(y1 > y0 or x1 <= x0)
