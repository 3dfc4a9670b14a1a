"""Puts the runs of one line into reading order: stretches in the line's direction, brackets the right way round."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import groupby, pairwise

from docparse_fast.document import Box, TextLine, TextSpan
from docparse_fast.pages.directed_runs import BULLETS, DirectedLine, DirectedRun, RunKind
from docparse_fast.pages.symbols import UNKNOWN

BLANK = 0.12  # of the type's size: a wider gap separates two words
BESIDE_SIGNS = 0.2  # the same in a line with vowel signs and blanks of its own
SAME_PLACE = 0.02  # of the type's size
STRETCHER = re.compile(r"(?<=[\u0620-\u06ff])\u0640+(?=[\u0620-\u06ff])")  # widens an Arabic word
BRACKETS = str.maketrans("()[]{}«»<>‹›", ")(][}{»«><›‹")
OPENING, CLOSING = (re.compile(rf"(?:^|\s){signs}\w") for signs in (r"[(\[{]", r"[)\]}]"))
Stretch = list[DirectedRun]  # neighbours from left to right that are read in one direction


def in_direction(row: DirectedLine, base_right: bool) -> TextLine:
    """Puts stretches in the line's direction, and the pieces of each in its own direction."""
    seen = _with_marks(_without_stretchers(sorted(row.pieces, key=lambda piece: piece.span.box.center[0])))
    stretches = [
        (stretch[::-1] if against != base_right else stretch, Box.around(piece.span.box for piece in stretch))
        for stretch, against in _stretches(seen, against="left" if base_right else "right")
    ]
    blanks = _blank_places(seen, row.blanks)
    wide = BESIDE_SIGNS if blanks and any(map(unicodedata.combining, row.line.text)) else BLANK
    words: list[TextSpan] = []
    last: Box | None = None
    for read, extent in reversed(stretches) if base_right else stretches:
        for n, piece in enumerate(read):
            before, box = (read[n - 1].span.box, piece.span.box) if n else (last, extent)
            _append(words, piece.span, apart=before is None or _are_apart(before, box, piece.span.size, blanks, wide))
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


def _are_apart(last: Box, box: Box, size: float, blanks: Sequence[float], wide: float) -> bool:
    """Whether two neighbours have white or a blank between them: boxes of stretched letters overlap."""
    left, right = sorted((last, box), key=lambda each: each.center[0])
    middle = _middle(left, right)
    return right.x0 - left.x1 > wide * size or any(abs(middle - x) < SAME_PLACE * size for x in blanks)


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


def are_mirrored(texts: Iterable[str]) -> bool:
    """Whether the file stores brackets by their looks and not by their meaning: `)so(`."""
    text = "\n".join(texts)
    return len(CLOSING.findall(text)) > len(OPENING.findall(text))


def with_brackets_turned(line: TextLine) -> TextLine:
    return replace(line, spans=tuple(replace(span, text=_brackets_turned(span.text)) for span in line.spans))


def _brackets_turned(word: str) -> str:
    return word if re.search(r"[A-Za-z]", word) else word.translate(BRACKETS)
