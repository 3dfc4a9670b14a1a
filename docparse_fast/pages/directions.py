"""Puts the words of lines that run from right to left, wholly or in part, into reading order.

Knows which way characters run and where they are. A file stores such a line in its visual order. MuPDF reverses only
each run of letters; the runs, and the numbers and signs between them, stay in visual order.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache, reduce
from itertools import groupby, pairwise
from typing import Literal

from docparse_fast.document import Box, TextLine, TextSpan
from docparse_fast.pages.symbols import UNKNOWN
from docparse_fast.pages.words import Character
from docparse_fast.writing import runs_right

RunKind = Literal["right", "left", "number", "sign", "blank"]

# the signs that a number may contain: a hyphen separates two numbers beside Arabic letters, but not beside Hebrew ones
NUMBER = re.compile(r"\d+(?:[.,:/٫٬]\d+)*")
NUMBER_BESIDE_HEBREW = re.compile(r"[$€£₪#]?\d+(?:[.,:/+\u2010-\u2013-]\d+)*[%°]?")
HEBREW = re.compile(r"[\u0590-\u05ff\ufb1d-\ufb4f]")
LAM, ALEFS = "\u0644", frozenset("\u0627\u0623\u0625\u0622\u0671")
BLANK = 0.12  # of the type's size: a wider gap separates two words
TOUCHING = 0.05  # points
SAME_PLACE = 0.02  # of the type's size
SAME_LINE = 0.25  # of the type's size: the most by which baselines of one line differ
BESIDE = 1.0  # of the type's size: a wider gap separates two columns
STRETCHER = re.compile(r"(?<=[\u0620-\u06ff])\u0640+(?=[\u0620-\u06ff])")  # widens an Arabic word
BULLETS = frozenset(UNKNOWN + "•▪■●○◦▫□◆➢✓❖–")
BRACKETS = str.maketrans("()[]{}«»<>‹›", ")(][}{»«><›‹")
OPENING, CLOSING = (re.compile(rf"(?:^|\s){signs}\w") for signs in (r"[(\[{]", r"[)\]}]"))


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


# ------------------------------------------------------------------------------------------------- lines


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


def in_reading_order(
    blocks: Sequence[Sequence[tuple[TextLine, Sequence[DirectedRun]]]],
) -> tuple[tuple[TextLine, ...], ...]:
    """The page's blocks; lines with letters from right to left are joined and ordered, all others are unchanged."""
    texts = [" ".join(line.text for line, _ in block) for block in blocks]
    page = runs_right(" ".join(texts))
    rows = _whole([_directed(n, line, parts, texts[n]) for n, block in enumerate(blocks) for line, parts in block])
    rows = [part for row in rows for part in (_parted(row) if row.right else [row])]
    whole = [_ordered(row, runs_right(row.around, default=page)) if row.right else row.line for row in rows]
    if _are_mirrored(line.text for line, row in zip(whole, rows, strict=True) if row.right):
        whole = [_with_brackets_turned(line) if row.right else line for line, row in zip(whole, rows, strict=True)]
    kept: dict[int, list[TextLine]] = {}
    for line, row in zip(whole, rows, strict=True):
        kept.setdefault(row.block, []).append(line)
    return tuple(map(tuple, kept.values()))


def _directed(block: int, line: TextLine, parts: Sequence[DirectedRun], around: str) -> DirectedLine:
    inked = tuple(part for part in parts if part.kind != "blank")
    blanks = tuple(part.span.box.center[0] for part in parts if part.kind == "blank")
    return DirectedLine(block, line, inked, around, blanks)


def _whole(rows: Sequence[DirectedLine]) -> list[DirectedLine]:
    """Joins the pieces of one line that the file separates, as files do where the direction changes."""
    found: dict[int, DirectedLine] = dict(enumerate(rows))
    for level in _levels(rows):
        for chain in _chains(rows, level):
            if len(chain) > 1 and any(rows[n].right for n in chain):
                first, *others = sorted(chain)
                found[first] = reduce(DirectedLine.joined, (rows[n] for n in others), rows[first])
                for n in others:
                    del found[n]
    return [found[n] for n in sorted(found)]


def _levels(rows: Sequence[DirectedLine]) -> list[list[int]]:
    """Groups lines of the same height."""
    levels: list[list[int]] = []
    for n in sorted((n for n, row in enumerate(rows) if not row.line.vertical), key=lambda n: _baseline(rows[n])):
        last = rows[levels[-1][-1]] if levels else None
        if last and _baseline(rows[n]) - _baseline(last) <= SAME_LINE * last.line.spans[0].size:
            levels[-1].append(n)
        else:
            levels.append([n])
    return levels


def _baseline(row: DirectedLine) -> float:
    return row.line.spans[0].baseline


def _chains(rows: Sequence[DirectedLine], level: Sequence[int]) -> list[list[int]]:
    """Splits lines of one height where a wide gap separates them."""
    chains: list[list[int]] = []
    end = 0.0
    for n in sorted(level, key=lambda n: rows[n].line.box.x0):
        line = rows[n].line
        if chains and line.box.x0 - end < BESIDE * line.spans[0].size:
            chains[-1].append(n)
        else:
            chains.append([n])
            end = line.box.x1
        end = max(end, line.box.x1)
    return chains


def _parted(row: DirectedLine) -> list[DirectedLine]:
    """The line cut at its wide gaps: a number between two cells must not join them."""
    parts: list[list[DirectedRun]] = []
    end = 0.0
    for piece in sorted(row.pieces, key=lambda piece: piece.span.box.x0):
        if parts and piece.span.box.x0 - end < BESIDE * piece.span.size:
            parts[-1].append(piece)
        else:
            parts.append([piece])
            end = piece.span.box.x1
        end = max(end, piece.span.box.x1)
    return [row] if len(parts) == 1 else [_part(row, part) for part in parts]


def _part(row: DirectedLine, part: Sequence[DirectedRun]) -> DirectedLine:
    spans = tuple(piece.span for piece in part)
    line = replace(row.line, box=Box.around(span.box for span in spans), spans=spans)
    made = replace(row, line=line, pieces=tuple(part))
    return made if made.right else replace(made, line=_ordered(made, base_right=False))


# ------------------------------------------------------------------------------------------------- order


Stretch = list[DirectedRun]  # neighbours from left to right that are read in one direction


def _ordered(row: DirectedLine, base_right: bool) -> TextLine:
    """Puts stretches in the line's direction, and the pieces of each in its own direction."""
    seen = _with_marks(_without_stretchers(sorted(row.pieces, key=lambda piece: piece.span.box.center[0])))
    stretches = [
        (stretch[::-1] if against != base_right else stretch, Box.around(piece.span.box for piece in stretch))
        for stretch, against in _stretches(seen, against="left" if base_right else "right")
    ]
    blanks = _blank_places(seen, row.blanks)
    words: list[TextSpan] = []
    last: Box | None = None
    for read, extent in reversed(stretches) if base_right else stretches:
        for n, piece in enumerate(read):
            before, box = (read[n - 1].span.box, piece.span.box) if n else (last, extent)
            _append(words, piece.span, apart=before is None or _are_apart(before, box, piece.span.size, blanks))
        last = extent
    words = [replace(word, text=STRETCHER.sub("", word.text)) for word in words]
    if len(words) > 1 and words[0].text.strip() == UNKNOWN:
        words[0] = replace(words[0], text="• ")  # a sign without a name before a line's words is a bullet
    return replace(row.line, spans=tuple(words))


def _without_stretchers(seen: Sequence[DirectedRun]) -> list[DirectedRun]:
    """Drops a sign without a name between two Arabic letters: it only widens the word."""
    found = list(seen)
    for n in range(1, len(seen) - 1):
        if seen[n].span.text.strip("\ufffd") == "" and seen[n - 1].kind == seen[n + 1].kind == "right":
            found[n] = DirectedRun(replace(seen[n].span, text=""), "right")
    return found


def _with_marks(seen: Sequence[DirectedRun]) -> list[DirectedRun]:
    """Moves a vowel sign or hamza that the file separates behind the letters below it."""
    marks = [piece for piece in seen if _is_mark(piece.span.text)]
    found = [piece for piece in seen if piece not in marks]
    for mark in marks if found else []:
        x = mark.span.box.center[0]
        n = min(range(len(found)), key=lambda n: (found[n].kind != "right", _distance(found[n].span.box, x)))
        span = found[n].span
        found[n] = replace(found[n], span=replace(span, text=span.text + mark.span.text))
    return found or list(seen)


def _is_mark(text: str) -> bool:
    return bool(text) and all(unicodedata.combining(char) for char in text)


def _distance(box: Box, x: float) -> float:
    return max(box.x0 - x, x - box.x1)


def _stretches(seen: Sequence[DirectedRun], against: RunKind) -> Iterator[tuple[Stretch, bool]]:
    """Stretches that run `against` the line's direction, with numbers and signs inside, and the stretches between."""
    opposite: RunKind = "right" if against == "left" else "left"
    start = 0
    for is_opposite, group in groupby(range(len(seen)), key=lambda n: seen[n].kind == opposite):
        members = list(group)
        strong = [n for n in members if seen[n].kind in (against, "number")]
        if is_opposite or not any(seen[n].kind == against for n in members):
            continue
        first, last = strong[0], strong[-1] + 1
        if start < first:
            yield list(seen[start:first]), False
        yield list(seen[first:last]), True
        start = last
    if start < len(seen):
        yield list(seen[start:]), False


def _blank_places(seen: Sequence[DirectedRun], blanks: Sequence[float]) -> list[float]:
    """The middles between neighbours where the file has a blank."""
    middles = [_middle(a.span.box, b.span.box) for a, b in pairwise(seen)]
    return [min(middles, key=lambda middle: abs(middle - x)) for x in blanks] if middles else []


def _middle(left: Box, right: Box) -> float:
    return (left.x1 + right.x0) / 2


def _are_apart(last: Box, box: Box, size: float, blanks: Sequence[float]) -> bool:
    """Whether two neighbours have white or a blank between them: boxes of stretched letters overlap."""
    left, right = sorted((last, box), key=lambda each: each.center[0])
    middle = _middle(left, right)
    return right.x0 - left.x1 > BLANK * size or any(abs(middle - x) < SAME_PLACE * size for x in blanks)


def _append(words: list[TextSpan], span: TextSpan, *, apart: bool) -> None:
    """Adds the span as a new word, or appends it to the last one."""
    bullet = bool(words) and words[-1].text in BULLETS
    if words and not apart and not bullet:
        whole = Box.around((words[-1].box, span.box))
        words[-1] = replace(words[-1], text=words[-1].text + span.text, box=whole)
        return
    if words:
        words[-1] = replace(words[-1], text=words[-1].text + " ")
    words.append(span)


# ---------------------------------------------------------------------------------------------- brackets


def _are_mirrored(texts: Iterable[str]) -> bool:
    """Whether the file stores brackets by their looks and not by their meaning: `)so(`."""
    text = "\n".join(texts)
    return len(CLOSING.findall(text)) > len(OPENING.findall(text))


def _with_brackets_turned(line: TextLine) -> TextLine:
    return replace(line, spans=tuple(replace(span, text=_turned(span.text)) for span in line.spans))


def _turned(word: str) -> str:
    return word if re.search(r"[A-Za-z]", word) else word.translate(BRACKETS)
