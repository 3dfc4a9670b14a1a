"""Tells the lines of one formula from text between formulas, and from the next formula. Looks at no pixels."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

from docparse_fast.document import Box
from docparse_fast.drafting.formulas.numbered_rows import NUMBER_ASIDE, NUMBERED
from docparse_fast.drafting.formulas.signs import FUNCTIONS
from docparse_fast.drafting.lines import Line

HELD = 0.5  # of a line that must lie in a formula's box
LEVEL = 0.5  # of the lower line's height, by which another is level with it
WORD = re.compile(r"[^\W\d_]{4,}[.,;:]?")
MOST_WORDS = 2  # that stand by themselves, in a line of a formula
FUNCTION = re.compile(rf"(?:{'|'.join(sorted(FUNCTIONS | {'rank', 'diag'}, key=len, reverse=True))})\w{{0,2}}", re.I)
SHORT_WORD = re.compile(r"[^\W\d_a-z][a-z]{1,3}[,:]?")  # "So", "Then"
LETTERS = re.compile(r"[^\W\d_]{2,}")
IN_WORDS = 0.5  # of the characters of a line that says something
SIGN_OF_FORMULA = re.compile(r"[=<>≤≥≈≡∼∈⊂⊆→⇒∑∏∫√]")
ACROSS = 0.15  # of a line's height, by which it may reach over a cut between two formulas
BETWEEN = 0.6  # of the type's size: lines that are farther apart are two formulas
NUMBER_ALONE = re.compile(rf"{NUMBERED.pattern}|[\d\s.,:%]+|\S")  # 17:02, 85%; or one sign


@dataclass(frozen=True, slots=True)
class FormulaLines:
    """The lines of one formula, and how far up and down it may reach."""

    lines: list[Line]
    top: float = -math.inf
    bottom: float = math.inf


def apart(lines: Sequence[Line], across: float = math.inf) -> list[FormulaLines]:
    """The lines of each formula, whose parts stand at most `across` beside each other."""
    groups: list[list[Line]] = []
    numbered = {id(line): _numbered_by(line, lines) for line in lines}
    for line in sorted(lines, key=lambda line: line.box.y0):
        near = [group for group in groups if any(_belong(line, other, numbered, across) for other in group)]
        groups = [group for group in groups if group not in near]
        groups.append([*(other for group in near for other in group), line])
    return [part for group in groups for part in _by_numbers(group)]


def _belong(a: Line, b: Line, numbered: Mapping[int, Line | None], across: float) -> bool:
    if numbered[id(a)] is b or numbered[id(b)] is a:
        return True
    beside = max(a.box.x0 - b.box.x1, b.box.x0 - a.box.x1)
    above = max(a.box.y0 - b.box.y1, b.box.y0 - a.box.y1)
    return beside < across and above < BETWEEN * max(a.size, b.size)


def _numbered_by(number: Line, lines: Sequence[Line]) -> Line | None:
    """The line that a number at the right end of its row belongs to."""
    if not NUMBERED.fullmatch(number.plain.strip()):
        return None
    left = [line for line in lines if line.box.x1 < number.box.x0 and level(line.box, number.box)]
    near = max(left, key=lambda line: line.box.x1, default=None)
    return near if near and number.box.x0 - near.box.x1 < NUMBER_ASIDE * number.size else None


def at_widest_gap(group: FormulaLines) -> list[FormulaLines]:
    """The rows above and under the widest white between rows; or the group, if it is one row."""
    rows: list[list[Line]] = []
    for line in sorted(group.lines, key=lambda line: line.box.y0):
        if rows and line.box.y0 < max(other.box.y1 for other in rows[-1]):
            rows[-1].append(line)
        else:
            rows.append([line])
    if len(rows) < 2:
        return [group]
    white = [min(b.box.y0 for b in below) - max(a.box.y1 for a in above) for above, below in pairwise(rows)]
    at = white.index(max(white)) + 1
    above, below = ([line for row in part for line in row] for part in (rows[:at], rows[at:]))
    return [FormulaLines(above, group.top, group.bottom), FormulaLines(below, group.top, group.bottom)]


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
    return is_prose(line) or _is_in_sentence(line, around) or _is_said(line, around)


def _is_in_sentence(line: Line, around: Sequence[Line]) -> bool:
    """Whether its row begins with words and goes on with more; behind a formula, words are a case's."""
    row = sorted((other for other in around if level(line.box, other.box)), key=lambda other: other.box.x0)
    begins = bool(row) and words_of(row[0]) > 0 and SIGN_OF_FORMULA.search(row[0].plain) is None
    return begins and sum(map(words_of, row)) > MOST_WORDS


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
    words = [word for word in text.split() if _is_word(word)]
    letters = sum(map(len, LETTERS.findall(text)))
    spelt = bool(words or SHORT_WORD.fullmatch(text)) and letters >= IN_WORDS * len(text.replace(" ", ""))
    return spelt and SIGN_OF_FORMULA.search(text) is None


def words_of(line: Line) -> int:
    return sum(map(_is_word, line.plain.split()))


def _is_word(text: str) -> bool:
    return WORD.fullmatch(text) is not None and FUNCTION.fullmatch(text) is None


def level(a: Box, b: Box) -> bool:
    return a.overlap_y(b) > LEVEL * min(a.height, b.height)
