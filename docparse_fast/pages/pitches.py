"""Finds fonts whose characters all have one width, whatever their names are. Knows characters and where they begin."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from itertools import pairwise
from statistics import median
from typing import Any

from docparse_fast.text.characters import SQUARE_LETTERS

NARROW, WIDE = frozenset("iljtfr.,;:'|!I1"), frozenset("mwMWOQGD@%&")  # in fonts of several widths
FEWEST = 12  # characters that tell
ENOUGH = 200
FEWEST_IN_LINE = 3
SAME = 0.035  # of a line's usual width, by which another may differ from it
NEARLY_ALL = 0.95
FEWEST_ON_GRID = 7  # signs of a line
NEARLY, EXACTLY = 0.16, 0.05  # of a cell's width, by which a sign may stand off its place
MOST_NEARLY, MOST_EXACTLY = 0.9, 0.7  # of the signs
SEVERAL_WIDTHS = 1.4  # times the narrowest sign's width
SPACED = 1.1  # of the signs' width, from which their cells are wider than they are
LISTING = 0.5  # of a block's rows, from which all are so
ONE_CELL = 1.5  # cells from one sign to the next, from which a blank stands between them


def typed_fonts(blocks: Iterable[Mapping[str, Any]]) -> frozenset[str]:
    """The fonts of one width among those of MuPDF's `rawdict` blocks."""
    widths: dict[str, list[tuple[str, float]]] = defaultdict(list)
    for line in (line for block in blocks for line in block.get("lines", ())):
        for font in {run["font"] for run in line["spans"]}:
            if len(widths[font]) < ENOUGH:
                widths[font] += _relative(
                    [width for run in line["spans"] if run["font"] == font for width in _widths(run)]
                )
    return frozenset(font for font, found in widths.items() if _have_one_width(found))


def square_fonts(blocks: Iterable[Mapping[str, Any]]) -> frozenset[str]:
    """Fonts with Chinese, Japanese or Korean characters, of which that they have one width says nothing."""
    runs = (run for block in blocks for line in block.get("lines", ()) for run in line["spans"])
    return frozenset(run["font"] for run in runs if any(SQUARE_LETTERS.match(char["c"]) for char in run["chars"]))


def lines_on_grid(block: Mapping[str, Any], fonts: Collection[str]) -> list[Mapping[str, Any]]:
    """The lines in these fonts whose signs stand in cells of one width, as a listing's do, whatever the font is.

    Blanks that only a sign narrower than its cell leaves are taken out of them.
    """
    rows: dict[float, list[Mapping[str, Any]]] = defaultdict(list)
    for line in block["lines"]:
        if all(run["font"] in fonts and run["chars"] for run in line["spans"]):
            rows[round(line["spans"][0]["chars"][0]["origin"][1])].append(line)
    pitches = [_pitch(sorted(row, key=_beginning)) for row in rows.values()]
    usual = median(pitch for pitch in pitches if pitch) if any(pitches) else 0.0
    whole = sum(pitch > 0 for pitch in pitches) >= LISTING * len(pitches)  # rows of a few signs tell little
    found = []
    for row, pitch in zip(rows.values(), pitches, strict=True):
        if pitch or (whole and usual):
            for run in (run for line in row for run in line["spans"]):
                run["chars"] = _without_false_blanks(run["chars"], pitch or usual)
            found += row
    return found


def _beginning(line: Mapping[str, Any]) -> float:
    return float(line["spans"][0]["chars"][0]["origin"][0])


def _pitch(row: Sequence[Mapping[str, Any]]) -> float:
    """The width of a row's cells; 0 if its signs stand in none, or are all as wide as these.

    Prose in a font whose Latin letters have half the width of the others is no listing.
    """
    chars = [char for line in row for run in line["spans"] for char in run["chars"]]
    inked = [char for char in chars if not char["c"].isspace()]
    if len(inked) < FEWEST_ON_GRID or any(SQUARE_LETTERS.match(char["c"]) for char in inked):
        return 0.0
    widths = [char["bbox"][2] - char["bbox"][0] for char in inked]
    steps = [_step(char, after) for char, after in pairwise(inked)]
    pitch = median(steps)
    if max(widths) < SEVERAL_WIDTHS * min(widths) and pitch < SPACED * median(widths):
        return 0.0
    off = [abs(step / pitch - round(step / pitch)) for step in steps] if pitch > 0 else [1.0]
    nearly, exactly = sum(n < NEARLY for n in off), sum(n < EXACTLY for n in off)
    return pitch if nearly >= MOST_NEARLY * len(off) and exactly >= MOST_EXACTLY * len(off) else 0.0


def _without_false_blanks(chars: Sequence[Mapping[str, Any]], pitch: float) -> list[Mapping[str, Any]]:
    kept = []
    for n, char in enumerate(chars):
        between = 0 < n < len(chars) - 1 and char["c"].isspace()
        if not between or _step(chars[n - 1], chars[n + 1]) > ONE_CELL * pitch:
            kept.append(char)
    return kept


def _step(char: Mapping[str, Any], after: Mapping[str, Any]) -> float:
    (x, y), (right, below) = char["origin"], after["origin"]
    return float(abs(right - x) + abs(below - y))


def _relative(found: Sequence[tuple[str, float]]) -> list[tuple[str, float]]:
    """Widths as parts of the line's usual one: lines are stretched, and words in a sentence are set smaller."""
    usual = median(width for _, width in found) if len(found) >= FEWEST_IN_LINE else 0.0
    return [(char, width / usual) for char, width in found] if usual else []


def _widths(run: Mapping[str, Any]) -> Iterable[tuple[str, float]]:
    for char, after in pairwise(run["chars"]):
        if char["c"].isascii() and not (char["c"].isspace() or after["c"].isspace()):
            (x, y), (right, below) = char["origin"], after["origin"]
            yield char["c"], (abs(right - x) + abs(below - y)) / run["size"]


def _have_one_width(found: list[tuple[str, float]]) -> bool:
    """Narrow and wide letters must be among them: figures have one width in most fonts."""
    told = [width for char, width in found if char in NARROW or char in WIDE]
    if len(told) < FEWEST or not {char for char, _ in found} & NARROW or not {char for char, _ in found} & WIDE:
        return False
    return sum(abs(width - 1) < SAME for _, width in found) >= NEARLY_ALL * len(found)
