"""Characters of a line as runs of one direction: right to left, left to right, numbers, signs and blanks."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import groupby
from typing import Literal

from docparse_fast.document import Box, TextLine, TextSpan
from docparse_fast.pages.symbols import UNKNOWN
from docparse_fast.pages.word_splitting import Character

RunKind = Literal["right", "left", "number", "sign", "blank"]
# the signs that a number may contain: a hyphen separates two numbers beside Arabic letters, but not beside Hebrew ones
NUMBER = re.compile(r"\d+(?:[.,:/٫٬]\d+)*")
NUMBER_BESIDE_HEBREW = re.compile(r"[$€£₪#]?\d+(?:[.,:/+\u2010-\u2013-]\d+)*[%°]?")
LAM, ALEFS = "\u0644", frozenset("\u0627\u0623\u0625\u0622\u0671")
TOUCHING = 0.05  # points
BULLETS = frozenset(UNKNOWN + "•▪■●○◦▫□◆➢✓❖–")


@dataclass(frozen=True, slots=True)
class DirectedRun:
    """Touching characters of one kind; they are moved together."""

    span: TextSpan
    kind: RunKind


def pieces(
    characters: Sequence[Character], hebrew: bool, origins: Sequence[float] = ()
) -> Iterator[tuple[RunKind, list[Character]]]:
    """Splits a run's characters by direction; each sign is a piece of its own. `origins`: of all the line's letters."""
    text = "".join(char["c"][:1] or " " for char in characters)
    number = NUMBER_BESIDE_HEBREW if hebrew else NUMBER
    numbers = {n: found.start() for found in number.finditer(text) for n in range(*found.span())}
    kinds = _kinds(text)
    keys: list[tuple[RunKind, int]] = [
        ("number", numbers[n]) if n in numbers else (kind, n if kind == "sign" else -1) for n, kind in enumerate(kinds)
    ]
    for ((kind, _), _), group in groupby(range(len(text)), key=lambda n: (keys[n], text[n].isspace())):
        members = [characters[n] for n in group]
        if not members[0]["c"].isspace():
            yield kind, _as_read(members, kind)
        elif any(_is_blank(member, origins) for member in members):
            yield "blank", members


def _is_blank(blank: Character, origins: Sequence[float]) -> bool:
    """Whether the file has a blank there, neither made up by MuPDF nor printed over a letter."""
    left, right = blank["bbox"][0] - TOUCHING, blank["bbox"][2] - TOUCHING
    return not blank["synthetic"] and not any(left < x < right for x in origins)


def _kinds(text: str) -> list[RunKind]:
    """The kind of each character; a mark has the kind of its letter."""
    found: list[RunKind] = []
    for char in text:
        kind = _kind(char)
        found.append(found[-1] if kind is None and found else kind or "sign")
    return found


@lru_cache(maxsize=4096)
def _kind(char: str) -> RunKind | None:
    match unicodedata.bidirectional(char):
        case "R" | "AL":
            return "right"
        case "L":
            return "left"
        case "EN" | "AN":
            return "number"
        case "NSM" | "BN":
            return None
        case _:
            return "sign"


def _as_read(characters: list[Character], kind: RunKind) -> list[Character]:
    """Reverses letters and figures that are stored against their reading direction."""
    if len(characters) < 2 or kind == "sign":
        return characters
    ascending = characters[-1]["origin"][0] > characters[0]["origin"][0]
    read = characters[::-1] if ascending == (kind == "right") else characters
    return _with_ligatures(read) if kind == "right" else read


def _with_ligatures(characters: Sequence[Character]) -> list[Character]:
    """Puts lam back before the alef of the same ligature, because MuPDF reverses the two like all other letters."""
    found = list(characters)
    for n in range(len(found) - 1):
        alef, lam = found[n : n + 2]
        within = lam["bbox"][0] <= alef["bbox"][0] and alef["bbox"][2] <= lam["bbox"][2]
        if within and alef["c"] in ALEFS and lam["c"] == LAM and not (n and found[n - 1]["c"] == LAM):
            found[n : n + 2] = lam, alef
    return found


@dataclass(frozen=True, slots=True)
class DirectedLine:
    """A line's pieces, not yet ordered, the text of its block, and where the file has blanks."""

    block: int
    line: TextLine
    pieces: tuple[DirectedRun, ...]
    around: str
    blanks: tuple[float, ...]

    @property
    def right(self) -> bool:
        return not self.line.vertical and any(piece.kind == "right" for piece in self.pieces)

    def joined(self, other: DirectedLine) -> DirectedLine:
        line = replace(
            self.line, box=Box.around((self.line.box, other.line.box)), spans=(*self.line.spans, *other.line.spans)
        )
        around = self.around if self.block == other.block else f"{self.around} {other.around}"
        return DirectedLine(self.block, line, (*self.pieces, *other.pieces), around, (*self.blanks, *other.blanks))
