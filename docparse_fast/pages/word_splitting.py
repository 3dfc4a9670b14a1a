"""Splits a line's characters into words, at its blanks and its gaps. Knows spacing; knows no page and no order.

Many files have no blanks, they only leave gaps. MuPDF puts a blank at a gap, but only after letters of some scripts,
and it takes wide letter-spacing for gaps. Here a gap is compared with the line's usual one.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import pairwise
from statistics import median
from typing import Any

Character = Mapping[str, Any]  # as in MuPDF's rawdict
FontRun = Mapping[str, Any]
GapMeasure = Callable[[Character, Character], float]

WIDE = 0.6  # of the type's size: a gap this wide separates words in any script
OFF_LINE = 0.15  # of the type's size: what stands farther above or below is of another line
WORD_GAP = 0.15  # of the type's size, beyond the usual gap: the least gap between words
FEW_GAPS = 0.25  # of all gaps: more are none between words
SQUEEZED = 0.2  # of the type's size: blanks of a line that is set tight
NARROWEST, STEP = 0.1, 0.05  # of the type's size: least gap of tight words, and its excess over gaps within words
SPACED_OUT, SPREAD = 0.1, 0.05  # of the type's size: letter gaps of a spaced-out line, and their spread
SAME_PITCH = 0.03
WIDEST_SPACING = 0.5
FEWEST_SPACED, MOSTLY = 6, 0.8  # letters of a spaced-out line, and the share of it that is so
LONG = 16  # letters in a typical word: with more, the line has lost its gaps
FEWEST_GLUED = 24
STOPS, STOP = frozenset(".,:;"), 0.25  # of its box's height
HOLDS_NEXT, HELD = frozenset("([{<-‐/\\_"), frozenset(")]}>-‐/_.,:;")  # a narrow gap at these is none of words
ROOTS = frozenset("√∛∜")  # what stands under one has a place of its own
HANGING = re.compile(r"[\u0590-\u08ff\u0900-\u0fff\ufb1d-\ufdff\ufe70-\ufeff]")  # scripts whose signs may hang
HANGUL = re.compile(r"[\u1100-\u11ff\u3130-\u318f\uac00-\ud7af]")
WITHOUT_BLANKS = re.compile(
    r"[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3000-\u30ff\u3400-\u9fff\uf900-\ufaff\uff00-\uffef]"
)


def words(line: Mapping[str, Any]) -> Iterator[tuple[FontRun, list[Character], bool]]:
    """Yields a line's words run by run, and whether a blank must follow each that has none."""
    gap, (dx, dy) = _measure(line), line["dir"]
    runs = line["spans"]
    limit = _limit(runs, gap)
    for run in runs:
        characters = list(_without_false_blanks(run, gap, limit))
        start = 0
        for n in range(1, len(characters) + 1):
            if n == len(characters):
                yield run, characters[start:], False
            elif not characters[n]["c"].isspace():
                before, char = characters[n - 1], characters[n]
                blank = before["c"].isspace()
                space = 0.0 if blank else gap(before, char) / run["size"]
                apart = not blank and _apart(before, char, space, limit)
                parted = blank or apart or before["c"] in ROOTS or space > WIDE
                if parted or _offset(before, char, dx, dy) > OFF_LINE * run["size"]:
                    yield run, characters[start:n], apart
                    start = n


def _offset(before: Character, char: Character, dx: float, dy: float) -> float:
    """How far a sign stands off the line of the one before it, as a numerator behind a minus sign does."""
    (x, y), (right, below) = before["origin"], char["origin"]
    off = abs(dx * (below - y) - dy * (right - x))
    return 0.0 if off and HANGING.match(char["c"]) else off


def _measure(line: Mapping[str, Any]) -> GapMeasure:
    """The measure of gaps along the line; for characters at one pitch, only the excess over that pitch."""
    dx, dy = line["dir"]
    first, last = (0, 2) if abs(dx) >= abs(dy) else (1, 3)
    forwards = dx > 0 if abs(dx) >= abs(dy) else dy > 0

    def gap(before: Character, char: Character) -> float:
        a, b = (before["bbox"], char["bbox"]) if forwards else (char["bbox"], before["bbox"])
        return float(b[first] - a[last]) - _untold_width(before)

    def advance(before: Character, char: Character) -> float:
        return abs(float(char["origin"][first] - before["origin"][first]))

    pitch = _pitch(line["spans"], advance) if len({run["size"] for run in line["spans"]}) == 1 else 0.0
    return (lambda before, char: advance(before, char) - pitch) if pitch else gap


def _pitch(runs: Sequence[FontRun], advance: GapMeasure) -> float:
    """The pitch if all characters, which are of one size, stand at multiples of it; 0 in other lines."""
    steps = [advance(a, b) / run["size"] for run in runs for a, b in _neighbours(run)]
    if len(steps) < FEWEST_SPACED:
        return 0.0
    usual = median(steps)
    alike = sum(abs(step - usual) < SAME_PITCH for step in steps)
    others = (abs(step - round(step / usual) * usual) < SAME_PITCH for step in steps if usual)
    return float(usual * runs[0]["size"]) if alike >= MOSTLY * len(steps) and all(others) else 0.0


def _neighbours(run: FontRun) -> Iterator[tuple[Character, Character]]:
    """Neighbours without a blank of the file's own between them."""
    inked = [char for char in run["chars"] if not char.get("synthetic")]
    return ((a, b) for a, b in pairwise(inked) if not (a["c"].isspace() or b["c"].isspace()))


def _apart(before: Character, char: Character, gap: float, limit: float) -> bool:
    held = gap <= WORD_GAP and (before["c"] in HOLDS_NEXT or char["c"] in HELD)
    return gap > limit and not (held or WITHOUT_BLANKS.match(before["c"]) or WITHOUT_BLANKS.match(char["c"]))


def _without_false_blanks(run: FontRun, gap: GapMeasure, limit: float) -> Iterator[Character]:
    """Drops blanks that MuPDF added, unless the gap is wide enough for a word's."""
    characters = run["chars"]
    for n, char in enumerate(characters):
        inner = char.get("synthetic") and 0 < n < len(characters) - 1
        if not inner or gap(characters[n - 1], characters[n + 1]) > limit * run["size"]:
            yield char


def _untold_width(char: Character) -> float:
    """About how wide a stop is whose font says that it has no width."""
    x0, y0, x1, y1 = char["bbox"]
    return STOP * float(y1 - y0) if x1 <= x0 and char["c"] in STOPS else 0.0


# ------------------------------------------------------------------------------------------------ limits


def _limit(runs: Sequence[FontRun], gap: GapMeasure) -> float:
    """The widest gap within a word of this line, in type sizes."""
    gaps = sorted(gap(a, b) / run["size"] for run in runs for a, b in _neighbours(run))
    text = "".join(char["c"] for run in runs for char in run["chars"] if not char.get("synthetic"))
    usual = _spacing(gaps, text)
    if HANGUL.search(text) or (usual == 0 and _is_glued(runs)):
        return _jump(gaps, usual)
    limit = _jump(gaps, usual) if usual == 0 and _is_squeezed(runs, gap) else WORD_GAP
    few = sum(each > limit for each in gaps) < FEW_GAPS * len(gaps)
    return limit if few else usual + WORD_GAP


def _spacing(gaps: Sequence[float], text: str) -> float:
    """The gap between the letters of a spaced-out line; 0 in other lines."""
    inked = text.replace(" ", "")
    letters, figures = sum(map(str.isalpha, inked)), sum(map(str.isdigit, inked))
    if letters < max(FEWEST_SPACED, figures) or letters + figures < MOSTLY * len(inked) or not gaps:
        return 0.0
    usual, quarter = median(gaps), len(gaps) // 4
    alike = gaps[-quarter - 1] - gaps[quarter] < SPREAD if len(gaps) >= FEWEST_SPACED - 1 else False
    return usual if alike and SPACED_OUT < usual < WIDEST_SPACING else 0.0


def _is_glued(runs: Sequence[FontRun]) -> bool:
    """Whether a line's words are longer than any script with blanks has them."""
    text = "".join(char["c"] for run in runs for char in run["chars"])
    lengths = sorted(map(len, re.findall(r"[^\W\d_]+", text)))
    return sum(lengths) >= FEWEST_GLUED and lengths[len(lengths) // 2] > LONG and not WITHOUT_BLANKS.search(text)


def _is_squeezed(runs: Sequence[FontRun], gap: GapMeasure) -> bool:
    """Whether the line's blanks are hardly wider than a gap that is none elsewhere."""
    inner = ((run, n) for run in runs for n, char in enumerate(run["chars"][1:-1]) if char["c"].isspace())
    blanks = [gap(run["chars"][n], run["chars"][n + 2]) / run["size"] for run, n in inner]
    return bool(blanks) and median(blanks) < SQUEEZED


def _jump(gaps: Sequence[float], usual: float) -> float:
    """A limit between the gaps within words and those between words: the largest jump of the sorted gaps."""
    steps = [(b - a, (a + b) / 2) for a, b in pairwise(gaps) if b - usual >= NARROWEST and a - usual < WORD_GAP]
    step, limit = max(steps, default=(0.0, 0.0))
    return limit if step >= STEP else usual + WORD_GAP
