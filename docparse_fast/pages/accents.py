"""Combines a letter with an accent or a ring that the file sets as a character of its own. Knows Unicode and boxes.

TeX's older fonts have no accented letters and spell a name as `J´an`, and a copyright sign is a ring round a letter.
An accent that is not over or under a letter stays a sign.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise
from typing import Any

from docparse_fast.pages.symbols import UNKNOWN
from docparse_fast.pages.word_splitting import Character
from docparse_fast.system.mupdf import pymupdf

COMBINING = {
    "´": "\u0301",
    "\u02ca": "\u0301",
    "`": "\u0300",
    "\u02cb": "\u0300",
    "¨": "\u0308",
    "ˆ": "\u0302",
    "^": "\u0302",
    "˜": "\u0303",
    "~": "\u0303",
    "ˇ": "\u030c",
    "˘": "\u0306",
    "˙": "\u0307",
    "˚": "\u030a",
    "°": "\u030a",
    "¸": "\u0327",
    "˛": "\u0328",
    "˝": "\u030b",
    "¯": "\u0304",
    "ˉ": "\u0304",
}
ACCENT = re.compile(f"[{re.escape(''.join(COMBINING))}]")
DOTLESS = str.maketrans("ıȷ", "ij")
RINGS = frozenset("◯\u20dd")
RINGED = {"c": "©", "C": "©", "r": "®", "R": "®", **{str(n): chr(0x2460 + n - 1) for n in range(1, 10)}}
STROKE = {"L": "Ł", "l": "ł"}  # the stroke has no name in those fonts
OVER = 0.55  # of the accent's width: the part that must be over a letter


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


def composed(line: Mapping[str, Any]) -> Mapping[str, Any]:
    """The line with each accent and its letter as one character, and a sign without name and ink as a blank."""
    if not any(_is_accent(char) for run in line["spans"] for char in run["chars"]):
        return line
    whole = [(n, _named(char)) for n, run in enumerate(line["spans"]) for char in run["chars"]]
    kept = _composed(whole)
    runs = [{**run, "chars": [char for m, char in kept if m == n]} for n, run in enumerate(line["spans"])]
    return {**line, "spans": [run for run in runs if run["chars"]]}


def _is_accent(char: Character) -> bool:
    return char["c"] in COMBINING or char["c"] in RINGS or char["c"] == UNKNOWN


def _named(char: Character) -> Character:
    x0, y0, x1, y1 = char["bbox"]
    return {**char, "c": " "} if char["c"] == UNKNOWN and min(x1 - x0, y1 - y0) <= 0 else char


def _composed(characters: Sequence[tuple[int, Character]]) -> list[tuple[int, Character]]:
    """Characters, each with its run. An accent joins the letter after it, as TeX sets them, or the one before it."""
    found: list[tuple[int, Character]] = []
    waiting: Character | None = None
    for run, char in characters:
        if waiting is not None and char.get("synthetic"):
            continue  # MuPDF mistakes the step back to the letter for a gap
        letter = _together(waiting, char) if waiting is not None else None
        if letter is not None:
            found[-1] = run, letter
            waiting = None
            continue
        before = _together(char, found[-1][1]) if found and _is_accent(char) else None
        if before is not None:
            found[-1] = found[-1][0], before
            waiting = None
            continue
        waiting = char if _is_accent(char) else None
        found.append((run, char))
    return found


def _together(accent: Character, letter: Character) -> Character | None:
    """The letter with its accent, if they overlap and Unicode has the combination."""
    left, right = accent["bbox"][0], accent["bbox"][2]
    shared = min(right, letter["bbox"][2]) - max(left, letter["bbox"][0])
    if not letter["c"].isalnum() or shared < OVER * min(right - left, letter["bbox"][2] - letter["bbox"][0]):
        return None
    table = RINGED if accent["c"] in RINGS else STROKE if accent["c"] == UNKNOWN else None
    if table is not None:
        return {**letter, "c": table[letter["c"]]} if letter["c"] in table else None
    whole = unicodedata.normalize("NFC", letter["c"].translate(DOTLESS) + COMBINING[accent["c"]])
    return {**letter, "c": whole} if len(whole) == 1 else None
