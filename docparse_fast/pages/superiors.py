"""Signs that a font raises or lowers by glyphs of their own, in the line's size and on its baseline.

Typesetters' programs take marks of notes and indexes from a font so; only their ink tells them from what stands on the
line. Knows MuPDF's rawdict.
"""

from __future__ import annotations

import string
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from itertools import groupby, pairwise
from typing import Any

SIGNS = frozenset(string.digits + string.ascii_letters)  # whose ink stands on the baseline, or hangs below it
RAISED = 0.2  # of the type's size, from the baseline up to the ink of a raised sign
LOWERED = 0.06  # the same, down to the foot of a lowered one,
LOW = 0.5  # which is no higher: old figures and letters that hang are
SIZE = 0.65  # of the type's, of such signs
SLASH = "\u2044"  # a fraction's, whose numerator is raised

_Character = Mapping[str, Any]
_Run = dict[str, Any]


def part_superiors(blocks: Iterable[Mapping[str, Any]]) -> None:
    """Puts such signs into runs of their own, smaller and off the line; none of a font of which most stand so."""
    lines = [line for block in blocks for line in block.get("lines", ()) if line["dir"] == (1.0, 0.0)]
    off: dict[str, list[bool]] = defaultdict(list)
    for run in (run for line in lines for run in line["spans"]):
        off[run["font"]] += [bool(_rise(char, run["size"])) for char in run["chars"] if char["c"] in SIGNS]
    fonts = {font for font, told in off.items() if 0 < 2 * sum(told) < len(told)}
    for line in lines:
        line["spans"] = [part for run in line["spans"] for part in (_parts(run) if run["font"] in fonts else [run])]


def _rise(char: _Character, size: float) -> float:
    """How far the foot of a raised sign stands above the baseline, or that of a lowered one below; 0 for others."""
    if char["c"] not in SIGNS or char["bbox"][3] <= char["bbox"][1]:
        return 0.0
    rise = char["origin"][1] - char["bbox"][3]
    low = char["bbox"][3] - char["bbox"][1] < LOW * size
    return float(rise) if rise > RAISED * size or (low and rise < -LOWERED * size) else 0.0


def _parts(run: _Run) -> Iterator[_Run]:
    rises = [_rise(char, run["size"]) for char in run["chars"]]
    kept = [[*some] for _, some in groupby(zip(run["chars"], rises, strict=True), key=lambda each: bool(each[1]))]
    for part, after in pairwise([*kept, [({"c": ""}, 0.0)]]):
        chars, (rise, *_) = [char for char, _ in part], (rise for _, rise in part)
        if rise and after[0][0]["c"] != SLASH:
            moved = [{**char, "origin": (char["origin"][0], char["origin"][1] - rise)} for char in chars]
            yield {**run, "size": SIZE * run["size"], "chars": moved}
        else:
            yield {**run, "chars": chars}
