"""Puts back accents that MuPDF drops from text. Knows where signs are drawn.

Some typesetters draw an accent as a sign without width before its letter. MuPDF gives such a sign to the one before it,
and drops it where it is the first of a line; the list of what is drawn still has it.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable
from itertools import pairwise
from typing import Any

from docparse_fast.mupdf import pymupdf


def put_accents_back(characters: Iterable[dict[str, Any]], page: pymupdf.Page) -> None:
    """Adds each accent that stands before none of the page's letters to the letter that is drawn next."""
    drawn = [(chr(code), origin) for run in page.get_texttrace() for code, _, origin, _ in run["chars"]]
    accented = [(a, letter, place) for (a, _), (letter, place) in pairwise(drawn) if unicodedata.combining(a)]
    if not accented:
        return
    placed = {_place(char["origin"]): (before, char) for before, char in pairwise([{"c": ""}, *characters])}
    for accent, letter, place in accented:
        before, char = placed.get(_place(place), ({"c": accent}, {"c": ""}))
        if before["c"] != accent and char["c"] == letter and letter.isalpha():
            char["c"] = letter + accent


def _place(origin: tuple[float, float]) -> tuple[float, float]:
    return round(origin[0], 1), round(origin[1], 1)
