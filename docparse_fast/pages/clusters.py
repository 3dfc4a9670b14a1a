"""Puts letters back that a PDF names for several glyphs at once. Knows MuPDF's characters of one line.

Chromium does so where a letter bears a vowel sign, or is drawn in two pieces. MuPDF then writes a blank where the
glyphs are, and behind it the letters, without width and from the last to the first.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from docparse_fast.pages.directed_runs import ALEFS, LAM
from docparse_fast.pages.word_splitting import Character

THIN = 0.01  # points: a letter of no width

InRun = tuple[int, Character]  # a character and its run


@dataclass(frozen=True, slots=True)
class _Across:
    """A line's own left and right: on a page turned by 90 degrees it runs up or down."""

    axis: int  # of a box: across or down
    forwards: bool

    def is_squeezed(self, char: Character, blank: Character) -> bool:
        """Whether the letter has no width and stands where the blank begins."""
        (left, right), (start, _) = self._ends(char), self._ends(blank)
        return right - left < THIN and abs(left - start) < THIN and not char["c"].isspace()

    def up_to(self, char: Character, before: Character | None) -> Sequence[float]:
        """The box from a letter of no width to the letter before it, which stands to its right."""
        box = list(char["bbox"])
        free = self.axis + (2 if self.forwards else 0)
        if before is not None:
            reach = before["bbox"][free - 2 if self.forwards else free + 2]
            box[free] = max(box[free], reach) if self.forwards else min(box[free], reach)
        return box

    def _ends(self, char: Character) -> tuple[float, float]:
        low, high = char["bbox"][self.axis], char["bbox"][self.axis + 2]
        return (low, high) if self.forwards else (-high, -low)


def with_clusters(line: Mapping[str, Any]) -> Mapping[str, Any]:
    """The line, whichever way it runs."""
    dx, dy = line["dir"]
    across = _Across(0 if abs(dx) >= abs(dy) else 1, dx + dy > 0)
    whole = [(n, char) for n, run in enumerate(line["spans"]) for char in run["chars"]]
    spaced = any(char["c"].isspace() and not char["synthetic"] for _, char in whole)
    kept: list[InRun] = []
    at = 0
    while at < len(whole):
        letters = _named_at(whole, at, across)
        if spaced and _is_lost_alef(whole[at : at + 3], across):
            kept.append((whole[at + 1][0], {**whole[at][1], "c": whole[at + 1][1]["c"], "synthetic": False}))
        elif letters:
            kept += _set_at(whole[at][1], letters, kept)
            at += len(letters)
        elif (end := _end_of_marked(whole, at, across)) > at + 1:
            box = across.up_to(whole[at][1], kept[-1][1] if kept else None)
            kept += [(n, {**char, "bbox": box}) for n, char in whole[at:end][::-1]]
            at = end - 1
        else:
            kept.append(whole[at])
        at += 1
    if [char for _, char in kept] == [char for _, char in whole]:
        return line
    runs = [{**run, "chars": [char for m, char in kept if m == n]} for n, run in enumerate(line["spans"])]
    return {**line, "spans": [run for run in runs if run["chars"]]}


def _named_at(whole: Sequence[InRun], at: int, across: _Across) -> list[InRun]:
    """The letters without width behind a blank that MuPDF made up."""
    blank = whole[at][1]
    if not (blank["synthetic"] and blank["c"].isspace()):
        return []
    end = at + 1
    while end < len(whole) and across.is_squeezed(whole[end][1], blank):
        end += 1
    alone = end == at + 2
    return (
        []
        if alone and end < len(whole) and _is_ligature(whole[at + 1][1], whole[end][1])
        else list(whole[at + 1 : end])
    )


def _end_of_marked(whole: Sequence[InRun], at: int, across: _Across) -> int:
    """Where a letter without width ends whose marks come first: at a word's start MuPDF makes up no blank for it."""
    first, end = whole[at][1], at
    while (
        end < len(whole) and unicodedata.combining(whole[end][1]["c"][:1]) and across.is_squeezed(whole[end][1], first)
    ):
        end += 1
    return end + 1 if at < end < len(whole) and across.is_squeezed(whole[end][1], first) else at


def _is_ligature(squeezed: Character, beside: Character) -> bool:
    """Whether MuPDF has made two letters of lam-alef: the first has no width, and the blank is a blank."""
    return {squeezed["c"], beside["c"]} in [{LAM, alef} for alef in ALEFS]


def _is_lost_alef(found: Sequence[InRun], across: _Across) -> bool:
    """Whether a blank that MuPDF made up is an alef, which it took for a copy of the ligature's beside it."""
    if len(found) < 3 or not (found[0][1]["synthetic"] and found[0][1]["c"].isspace()):
        return False
    blank, squeezed, lam = (char for _, char in found)
    return squeezed["c"] in ALEFS and lam["c"] == LAM and across.is_squeezed(squeezed, blank)


def _set_at(blank: Character, letters: Sequence[InRun], before: Sequence[InRun]) -> list[InRun]:
    """The letters in the blank's place, a mark behind its letter; none for the second piece of the letter before."""
    if len(letters) == 1 and before and before[-1][1]["c"] == letters[0][1]["c"]:
        return []
    ordered = letters[::-1] if unicodedata.combining(letters[0][1]["c"]) else letters
    return [(n, {**char, "bbox": blank["bbox"]}) for n, char in ordered]
