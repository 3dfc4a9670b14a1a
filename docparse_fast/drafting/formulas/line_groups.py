"""Tells the lines of one formula from text between formulas, and from the next formula. Looks at no pixels."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from docparse_fast.document import Box
from docparse_fast.drafting.lines import Line

HELD = 0.5  # of a line that must lie in a formula's box
WORD = re.compile(r"[^\W\d_]{4,}[.,;:]?")
MOST_WORDS = 2  # that stand by themselves, in a line of a formula
FUNCTIONS = {"arcsin", "arccos", "arctan", "sinh", "cosh", "tanh", "coth", "liminf", "limsup", "rank", "diag"}
SHORT_WORD = re.compile(r"[^\W\d_a-z][a-z]{1,3}[,:]?")  # "So", "Then"
SPELT = re.compile(r"[^\W\d_]{2,}")
SPELLED = 0.5  # of the characters of a line that says something, in words
SIGN_OF_FORMULA = re.compile(r"[=<>≤≥≈≡∼∈⊂⊆→⇒∑∏∫√]")
ACROSS = 0.15  # of a line's height, by which it may reach over a cut between two formulas
BETWEEN = 0.6  # of the type's size: lines that are farther apart are two formulas
NUMBERED = re.compile(r"\(?(?P<number>[A-Z]?\.?\d{1,3}(?:\.\d{1,3}){0,2}[a-z]?)\)")
NUMBER_ALONE = re.compile(rf"{NUMBERED.pattern}|[\d\s.]+|\S")  # or one sign


@dataclass(frozen=True, slots=True)
class FormulaLines:
    """The lines of one formula, and how far up and down it may reach."""

    lines: list[Line]
    top: float = -math.inf
    bottom: float = math.inf


def apart(lines: Sequence[Line]) -> list[FormulaLines]:
    """The lines of each formula: a layout's box may hold several, one under the other."""
    groups: list[list[Line]] = []
    for line in sorted(lines, key=lambda line: line.box.y0):
        bottom = max((other.box.y1 for other in groups[-1]), default=0.0) if groups else 0.0
        if groups and line.box.y0 - bottom < BETWEEN * line.size:
            groups[-1].append(line)
        else:
            groups.append([line])
    return [part for group in groups for part in _by_numbers(group)]


def _by_numbers(group: Sequence[Line]) -> list[FormulaLines]:
    """Numbered formulas under one another, each for itself, where no line stands across the cut."""
    numbers = sorted(line.box.center[1] for line in group if NUMBERED.fullmatch(line.plain.strip()))
    boxes, cuts = [line.box for line in group], [-math.inf]
    for above, below in pairwise(numbers):
        between = [box.y1 for box in boxes if above < box.y1 < below]
        clear = [y for y in between if not any(b.y0 + ACROSS * b.height < y < b.y1 - ACROSS * b.height for b in boxes)]
        cuts += clear[-1:]
    parts = []
    for top, foot in pairwise([*cuts, math.inf]):
        if lines := [line for line in group if top < line.box.center[1] <= foot]:
            parts.append(FormulaLines(lines, top, foot))
    return parts


def is_prose(line: Line) -> bool:
    return words_of(line) > MOST_WORDS


def is_text(line: Line, around: Sequence[Line]) -> bool:
    return is_prose(line) or _is_said(line, around)


def _is_said(line: Line, around: Sequence[Line]) -> bool:
    """Whether it says something and stands alone on its row: "where", "Theorem 3.1"; not a case's "otherwise".

    It begins where the formulas around do, or before them: so does no limit of a sum.
    """
    if not _is_spelt(line.plain):
        return False
    others = [other for other in around if other is not line and not NUMBER_ALONE.fullmatch(other.plain.strip())]
    left = min((other.box.x0 for other in others), default=line.box.x0)
    return line.box.x0 < left + line.size and not any(level(line.box, other.box) for other in others)


def _is_spelt(text: str) -> bool:
    """
    >>> [_is_spelt(text) for text in ("where", "So", "Theorem 3.1:", "det B", "arcsin x", "rate = 2")]
    [True, True, True, False, False, False]
    """
    words = [word for word in text.split() if WORD.fullmatch(word) and word.lower() not in FUNCTIONS]
    letters = sum(map(len, SPELT.findall(text)))
    spelt = bool(words or SHORT_WORD.fullmatch(text)) and letters >= SPELLED * len(text.replace(" ", ""))
    return spelt and SIGN_OF_FORMULA.search(text) is None


def words_of(line: Line) -> int:
    return sum(WORD.fullmatch(word) is not None for word in line.plain.split())


def level(a: Box, b: Box, least: float = HELD) -> bool:
    return a.overlap_y(b) > least * min(a.height, b.height)
