"""Sizes of type that a file doesn't tell: bitmap fonts may call one dot of theirs the size, a tenth of a point.

White on a page is measured in sizes of type, by MuPDF too: it takes every word of such a font for a line. Here the
size is measured on the letters, and lines are put together by it. Knows MuPDF's rawdict; knows no blocks of a page.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from statistics import median
from typing import Any

HIGHEST = 3.0  # of the size of its type: no font's usual letter is higher
FEWEST = 4  # characters of a font that tell of such type
HEIGHTS = {  # of the type's size, above the baseline
    **dict.fromkeys("acemnorsuvwxz", 0.44),
    **dict.fromkeys("bdfhklßABCDEFGHIKLMNOPRSTUVWXYZ", 0.69),
    **dict.fromkeys("0123456789", 0.65),
    **dict.fromkeys("it", 0.64),
}
ANY_HEIGHT = 0.6
SAME_LINE = 0.1  # of the type's size between two baselines of one line
WIDEST = 0.8  # of the type's size: a wider gap ends a line, as MuPDF has it
WORD_GAP = 0.15  # of the type's size, from which a blank stands in it
OVERLAP = 0.5  # of the type's size: what lies farther back begins a line

_Raw = dict[str, Any]  # parts of MuPDF's rawdict
_Vector = tuple[float, float]


def with_sizes(blocks: Sequence[_Raw]) -> Sequence[_Raw]:
    """The blocks of a page; where its type has no true size, one block of lines that are made anew."""
    runs: dict[str, list[tuple[_Raw, _Raw]]] = defaultdict(list)
    for line in (line for block in blocks for line in block.get("lines", ())):
        for run in line["spans"]:
            runs[run["font"]].append((line, run))
    told_wrong = [found for found in runs.values() if _is_wrong([run for _, run in found])]
    if not told_wrong:
        return blocks
    for found in told_wrong:
        scale = _true_scale(found)
        for _, run in found:
            run["size"] *= scale
    return [{"type": 0, "lines": _lines(_pieces(blocks))}]


def _is_wrong(runs: Sequence[_Raw]) -> bool:
    """Whether a font's letters are far higher than its size."""
    heights = [_height(run) / run["size"] for run in runs if run["size"] > 0]
    return bool(heights) and median(heights) > HIGHEST and sum(len(run["chars"]) for run in runs) >= FEWEST


def _height(run: _Raw) -> float:
    """Of the ink, or its width, where a line runs up or down."""
    x0, y0, x1, y1 = run["bbox"]
    return float(min(x1 - x0, y1 - y0) if len(run["chars"]) > 1 else y1 - y0)


def _true_scale(runs: Iterable[tuple[_Raw, _Raw]]) -> float:
    """What the sizes of a font have to be multiplied by, as its letters say; letters say it better than signs."""
    letters, signs = [], []
    for line, run in runs:
        for char in run["chars"]:
            height = _rise(char, line["dir"]) / run["size"] if not char["c"].isspace() else 0.0
            if height > 0 and char["c"] in HEIGHTS:
                letters.append(height / HEIGHTS[char["c"]])
            elif height > 0:
                signs.append(height / ANY_HEIGHT)
    return median(letters or signs or [1.0])


def _rise(char: _Raw, direction: _Vector) -> float:
    """How far a character's ink rises above its baseline."""
    x, y = char["origin"]
    x0, y0, x1, y1 = char["bbox"]
    dx, dy = direction
    return float(max(dx, 0) * (y - y0) + max(-dx, 0) * (y1 - y) + max(dy, 0) * (x1 - x) + max(-dy, 0) * (x - x0))


# ------------------------------------------------------------------------------------------------ lines


def _pieces(blocks: Iterable[_Raw]) -> Iterator[_Raw]:
    """Each run of a line, without the blanks that MuPDF put into gaps of some dots."""
    for line in (line for block in blocks for line in block.get("lines", ())):
        for run in line["spans"]:
            if chars := [char for char in run["chars"] if not char.get("synthetic")]:
                yield {**line, "spans": [{**run, "chars": chars}]}


def _lines(pieces: Iterable[_Raw]) -> list[_Raw]:
    """Pieces that stand on one baseline without a wide gap between them as one line, from top to bottom."""
    by_direction: dict[_Vector, list[_Raw]] = defaultdict(list)
    for piece in pieces:
        by_direction[(round(piece["dir"][0], 2), round(piece["dir"][1], 2))].append(piece)
    return [line for found in by_direction.values() for row in _rows(found) for line in _joined(row)]


def _rows(pieces: Iterable[_Raw]) -> Iterator[list[_Raw]]:
    row: list[_Raw] = []
    for piece in sorted(pieces, key=_depth):
        if row and _depth(piece) - _depth(row[0]) > SAME_LINE * row[0]["spans"][0]["size"]:
            yield row
            row = []
        row.append(piece)
    if row:
        yield row


def _joined(row: Sequence[_Raw]) -> Iterator[_Raw]:
    line: _Raw | None = None
    for piece in sorted(row, key=lambda piece: _along(piece, piece["spans"][0]["chars"][0])):
        gap = _gap(line, piece) if line is not None else 0.0
        if line is not None and -OVERLAP < gap < WIDEST:
            line["spans"] = [*_spaced(line, gap), *piece["spans"]]
        else:
            if line is not None:
                yield _whole(line)
            line = dict(piece)
    if line is not None:
        yield _whole(line)


def _gap(line: _Raw, piece: _Raw) -> float:
    """Between a line's end and a piece, in sizes of its type."""
    run = line["spans"][-1]
    return (_along(piece, piece["spans"][0]["chars"][0]) - _end(line, run["chars"][-1])) / float(run["size"])


def _spaced(line: _Raw, gap: float) -> list[_Raw]:
    """A line's runs, the last with a blank where a gap follows; MuPDF adds it so."""
    *runs, last = line["spans"]
    if gap > WORD_GAP:
        blank = {**last["chars"][-1], "c": " ", "synthetic": True}
        last = {**last, "chars": [*last["chars"], blank]}
    return [*runs, last]


def _whole(line: _Raw) -> _Raw:
    """A line whose neighbouring runs in one font are one run, so that a word is not torn between them."""
    runs: list[_Raw] = []
    for run in line["spans"]:
        if runs and all(runs[-1][key] == run[key] for key in ("font", "size", "flags", "char_flags", "color")):
            runs[-1] = {**runs[-1], "chars": [*runs[-1]["chars"], *run["chars"]]}
        else:
            runs.append(run)
    return {**line, "spans": runs}


def _depth(line: _Raw) -> float:
    """How far down the page a line stands, as one sees it who reads along it."""
    (dx, dy), (x, y) = line["dir"], line["spans"][0]["chars"][0]["origin"]
    return float(dx * y - dy * x)


def _along(line: _Raw, char: Mapping[str, Any]) -> float:
    (dx, dy), (x, y) = line["dir"], char["origin"]
    return float(dx * x + dy * y)


def _end(line: _Raw, char: Mapping[str, Any]) -> float:
    (dx, dy), (x0, y0, x1, y1) = line["dir"], char["bbox"]
    return float(max(dx * x0 + dy * y0, dx * x1 + dy * y1))
