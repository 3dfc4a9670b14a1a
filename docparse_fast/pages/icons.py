"""Finds icons whose code stands for a string: an envelope said `✉ office@a.example`. Knows MuPDF's rawdict."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from docparse_fast.geometry import runs

STRING = 3  # signs that take no room: of a letter with its accents, or of a ligature, fewer do

_Character = dict[str, Any]


def keep_icons(raw: Iterable[Mapping[str, Any]]) -> None:
    """Takes away, in place, all that such a code says behind the sign: it is printed nowhere."""
    for run in (run for block in raw for line in block.get("lines", ()) for run in line["spans"]):
        drawn = runs(run["chars"], lambda _, char: char["bbox"][2] <= char["bbox"][0])
        run["chars"] = [char for glyph in drawn for char in (glyph[:1] if _is_icon(glyph) else glyph)]


def _is_icon(glyph: list[_Character]) -> bool:
    return len(glyph) > STRING and not glyph[0]["c"].isalnum()
