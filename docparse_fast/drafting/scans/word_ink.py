"""What a read line's letters and ink tell: a font of one width, where words end, type's size, weight and tone.

In a font of one width a word's letters stand at even steps, and an m takes no more room than an i. A recogniser sees
letters only to within a few pixels, so one line alone tells little; lines that stand together tell enough.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import pairwise
from statistics import median
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from docparse_fast.document import Box
from docparse_fast.drafting.arrays import Pixels
from docparse_fast.drafting.lines import Line
from docparse_fast.drafting.measures import ENOUGH, HEAVIER, TELLING_LETTERS, WORD_GAP
from docparse_fast.drafting.strokes import cut_out, dark, for_type, grey_crop
from docparse_fast.geometry import runs
from docparse_fast.text.characters import SQUARE_LETTERS

Seen = tuple[str, float]  # a letter, and its middle as a part of the line's width

FEWEST_LETTERS = 5  # in words of two letters and more
NARROW = frozenset("iljtfrI1.,:;'|!()[]")
WIDE = frozenset("mwMWCDGHKNOQRU@%")
# Log-odds of a font of one width, fitted on 1,900 lines of pages from TeX Live and Debian at 100 to 300 dpi.
BIAS, BY_SPREAD, BY_SLOPE = 2.5, -7.8, -32.0
RIDGE = 6.0  # draws the slope to 0 where few pairs of letters tell
MOST = 4.0  # log-odds that one line may have
FAR = 0.8  # of the line's height, between the middles of two letters: farther than in any word
PITCHES = 2.5  # between usual letters, that it must be too: letters may be set apart
SQUARE = re.compile(r"[\u1100-\u11ff\u2e80-\ud7af\uff00-\uffef]")  # scripts whose letters may be set far apart


def evenness(marks: Sequence[Seen]) -> float:
    """Log-odds that the line is set in a font of one width; 0 where its letters can't tell.

    >>> even = [(letter, 0.05 + 0.1 * n) for n, letter in enumerate("fill(mmww)")]
    >>> evenness(even) > 2
    True
    """
    words = [word for word in between_blanks(marks) if len(word) > 1]
    if sum(map(len, words)) < FEWEST_LETTERS:
        return 0.0
    centred = [(_centred(np.arange(len(word))), _centred([place for _, place in word])) for word in words]
    step = sum(float(k @ x) for k, x in centred) / sum(float(k @ k) for k, _ in centred)
    if step <= 0:
        return 0.0
    missed = sum(float(((x - step * k) ** 2).sum()) for k, x in centred)
    free = sum(map(len, words)) - len(words) - 1
    spread = (missed / max(1, free)) ** 0.5 / step
    return float(np.clip(BIAS + BY_SPREAD * spread + BY_SLOPE * _slope(words, step), -MOST, MOST))


def between_blanks(marks: Sequence[Seen]) -> list[list[Seen]]:
    """The letters of each word."""
    found = runs(marks, lambda word, mark: bool(mark[0].strip() and word[-1][0].strip()))
    return [word for word in found if word[0][0].strip()]


def with_blanks(marks: Sequence[Seen], length: float) -> tuple[Seen, ...]:
    """The letters, with blanks between those far apart; `length` is the line's, in heights of it."""
    pitches = [there - place for (letter, place), (after, there) in pairwise(marks) if letter.strip() and after.strip()]
    if not pitches:
        return tuple(marks)
    return tuple(_spaced(marks, max(FAR / length, PITCHES * median(pitches))))


def _spaced(marks: Sequence[Seen], far: float) -> Iterator[Seen]:
    yield from marks[:1]
    for (letter, place), (after, there) in pairwise(marks):
        words = letter.strip() and after.strip() and not SQUARE.match(letter) and not SQUARE.match(after)
        if words and there - place > far:
            yield " ", (place + there) / 2
        yield after, there


def _centred(values: Any) -> NDArray[np.float64]:
    return np.asarray(values - np.mean(values), np.float64)


def _slope(words: Sequence[Sequence[Seen]], step: float) -> float:
    """How much more room wide letters take than narrow ones, in steps."""
    pairs = [pair for word in words for pair in pairwise(word)]
    usual = _centred([_width(a) + _width(b) for (a, _), (b, _) in pairs])
    room = _centred([(y - x) / step for (_, x), (_, y) in pairs])
    return float(usual @ room) / (float(usual @ usual) + RIDGE)


def _width(letter: str) -> int:
    return (letter in WIDE) - (letter in NARROW)


CORE = 0.2, 0.85  # of a line's height: letters, without what is drawn above or below them
RULED = 0.96  # of a row of pixels is dark
LEAST_INK = 2  # pixels of a column or a row: less is a speck
BEARING = 0.04  # of a line's height: the room that a font leaves beside a letter, as a text layer's boxes have it
STEM = 0.14  # of a line's height: 14 of 14 `l` are as narrow, and 4 of 33 `1`
LIKE_BLANK = 0.75  # of the line's usual blank: so wide before these `l`, and before 6 of 23 `1`, none of them as narrow
LITRES = re.compile(r"(?<=[^\W\d_] )\d{1,4}(?:( ?)|[.,]\d{1,2} )[1I|](?!\S)|(?<=[^\W\d_])(/)[1I|](?!\w)")
LOSES_BLANK = re.compile(
    r"(?<![^\s§])(?:(?:\d{1,3}\.?|\d{1,2}(?:\.\d{1,2})+|\(?[\da-z]{1,3}\))(?=[^\W\d_]{2})|[&·](?=\w{2})|§(?=\d))"
)
BLANK = 0.35  # of a line's height, where no other tells
BY_LITRE = re.compile(r"\b(?:[µμmnpk]?(?:mol|g|kat)|[mk]?I?U|10\^?(?:9|12))/d?[1I|](?!\w)")
MICRO, MICRO_UNIT = "µ", re.compile(r"(?<!\w)μ(?=(?:[mgslLAVFWS]|mol|Pa)\b)")  # a letter in the recogniser's words
Span = tuple[float, float]


def word_spans(line: Pixels, words: Sequence[Sequence[Seen]]) -> list[Span]:
    """Each word's begin and end, with its letters' room, as parts of the line's width."""
    if not words:
        return []
    height, width = line.shape[:2]
    inked = columns_of_ink(line)
    middles = [(word[0][1] * width, word[-1][1] * width) for word in words]
    gaps = [_widest_gap(inked, left[1], right[0]) for left, right in pairwise(middles)]
    start = _end_of_ink(-1 - inked[::-1], -middles[0][0], WORD_GAP * height)
    edges = [-start, *(x for gap in gaps for x in gap), _end_of_ink(inked, middles[-1][1], WORD_GAP * height)]
    room = BEARING * height
    spans = zip(edges[::2], edges[1::2], strict=True)
    return [(max(0.0, (x0 - room) / width), min(1.0, (x1 + room) / width)) for x0, x1 in spans]


def with_units(marks: Sequence[Seen]) -> Sequence[Seen]:
    """The letters, with the `l` of what is divided by litres alone: `mmol/l`, `10^9/l`; and with the sign of `µm`."""
    text = "".join(letter for letter, _ in marks)
    signs = {match.end() - 1: "l" for match in BY_LITRE.finditer(text)}
    signs |= {match.start(): MICRO for match in MICRO_UNIT.finditer(text)}
    return [(signs.get(n, letter), place) for n, (letter, place) in enumerate(marks)]


def with_litres(line: Pixels, marks: Sequence[Seen]) -> Sequence[Seen]:
    """The letters, with the `l` of litres where a bare stroke is read as a one: `matt 10 l`, `ol/l`."""
    text = "".join(letter for letter, _ in marks)
    if not (found := list(LITRES.finditer(text))):
        return marks
    inked, places, made = columns_of_ink(line), [x * line.shape[1] for _, x in marks], list(marks)
    blank = _usual_blank(inked, text, places)
    for match in reversed(found):
        last = match.end() - 1
        start, end = _widest_gap(inked, places[last - 1 - (text[last - 1] == " ")], places[last])
        is_apart = match[2] is not None or end - start >= LIKE_BLANK * blank
        if is_apart and _end_of_ink(inked, end, 1.0) - end <= STEM * len(line):
            made[last] = "l", marks[last][1]
            made[last:last] = [(" ", (start + end) / 2 / line.shape[1])] if match[1] == "" else []
    return made


def with_parted_counts(line: Pixels, marks: Sequence[Seen]) -> Sequence[Seen]:
    """The letters, with the blank lost behind a count or marker, `2Desks`, `3.May`, by ink as far apart as words."""
    text = "".join(letter for letter, _ in marks)
    if not (found := [match.end() for match in LOSES_BLANK.finditer(text)]):
        return marks
    inked, places, made = columns_of_ink(line), [x * line.shape[1] for _, x in marks], list(marks)
    blank = min(_usual_blank(inked, text, places), BLANK * len(line))
    for n in reversed(found):
        start, end = _widest_gap(inked, places[n - 1], places[n])
        made[n:n] = [(" ", (start + end) / 2 / line.shape[1])] if end - start >= LIKE_BLANK * blank else []
    return made


def _usual_blank(inked: NDArray[np.intp], text: str, places: Sequence[float]) -> float:
    blanks = [n for n in range(1, len(text) - 1) if text[n] == " "]
    gaps = [_widest_gap(inked, places[n - 1], places[n + 1]) for n in blanks]
    return median([end - start for start, end in gaps] or [math.inf])


def columns_of_ink(line: Pixels) -> NDArray[np.intp]:
    """The columns of pixels in which letters are: of the two shades of their core the rarer one is theirs."""
    top, foot = (round(part * len(line)) for part in CORE)
    grey = cv2.cvtColor(np.ascontiguousarray(line[top : max(foot, top + 1)]), cv2.COLOR_RGB2GRAY)
    between, _ = cv2.threshold(grey, 0, 255, cv2.THRESH_BINARY + cv2.THRESH_OTSU)
    dark = grey <= between
    ink = dark if 2 * dark.sum() <= dark.size else ~dark
    return np.flatnonzero(ink[~_ruled(ink)].sum(axis=0) >= LEAST_INK)


def _ruled(ink: NDArray[Any]) -> NDArray[np.bool_]:
    """Rows of pixels that are dark from side to side, and those next to them."""
    return np.asarray(np.convolve((ink > 0).mean(axis=1) > RULED, np.ones(3), "same") > 0)


def _widest_gap(inked: NDArray[np.intp], left: float, right: float) -> Span:
    """The widest white that lies between two letters' middles in part; the point between them if there is none."""
    first, last = np.searchsorted(inked, left) - 1, np.searchsorted(inked, right)
    near = inked[max(0, int(first)) : int(last) + 1]
    if len(near) < 2 or (steps := np.diff(near)).max() < 2:
        return float(left + right) / 2, float(left + right) / 2
    widest = int(steps.argmax())
    return float(near[widest]) + 1, float(near[widest + 1])


def _end_of_ink(inked: NDArray[np.intp], middle: float, apart: float) -> float:
    """Where a last letter's ink ends, rightwards."""
    end = float(middle)
    for x in inked[inked >= middle].tolist():
        if x - end > apart:
            break
        end = x + 1.0
    return end


# ------------------------------------------------------------------------------ size, weight and tone

MOSTLY = 0.6  # of a line's letters, which tell what its ink's height is
LONG = 15  # characters of a line that helps to tell what is usual
CAPITALS = 1.42  # heights of small letters
PAPER = 0.3  # of the way from paper to ink: what is less is none
DESCENDING = frozenset("gjpqyçQJ,;()[]{}/|$@§")  # below the baseline
SMALL, CAPITAL, SQUARES = "small", "capital", "square"


def with_letter_sizes(image: Pixels, lines: Sequence[Line], lean: float = 0.0) -> list[Line]:
    """The lines with `letter_size`, on the scale of most lines' `size`, `baseline` without the `lean`, weight, tone."""
    crops = [grey_crop(image, line.box) for line in lines]
    bands = [_band(crop, line.plain) for crop, line in zip(crops, lines, strict=True)]
    heights = {n: (kind, bands[n][1]) for n, line in enumerate(lines) if bands[n][1] and (kind := _kind(line))}
    usual, drop, made = _usual(lines, heights), math.tan(math.radians(lean)), list[Line]()
    for n, (line, weight) in enumerate(zip(lines, _weights(lines, crops), strict=True)):
        kind, height = heights.get(n, ("", 0.0))
        size = round(height * usual.get(kind, 0.0), 2)
        foot = bands[n][1] and max(0, round(line.box.y0)) + bands[n][0] - drop * line.box.center[0]
        made.append(replace(line, letter_size=size, baseline=foot, weight=round(weight, 3), bold=weight > HEAVIER))
    return _with_tones(image, made)


def _with_tones(image: Pixels, lines: Sequence[Line]) -> list[Line]:
    depths = [_depth(image, line.box) for line in lines]
    long = [depth for line, depth in zip(lines, depths, strict=True) if len(line.plain) >= LONG]
    usual = np.median(long or depths or [(1.0, 0.0)], axis=0)
    return [
        replace(line, paler=round(math.log(usual[0] / depth[0]), 3), coloured=round(float(depth[1] - usual[1]), 3))
        for line, depth in zip(lines, depths, strict=True)
    ]


def _depth(image: Pixels, box: Box) -> tuple[float, float]:
    """How far a line's ink is from its ground, in whatever light, and how far the colours of that lie apart, of 1."""
    seen = cut_out(image, box)[::2, ::2].reshape(-1, 3).astype(np.float64) / 255
    if not len(seen):
        return 1.0, 0.0
    from_dark, core = seen[np.argsort(seen.mean(axis=1))], 1 + len(seen) // 20
    ground, ends = np.median(seen, axis=0), [part.mean(axis=0) for part in (from_dark[:core], from_dark[-core:])]
    ink = max(ends, key=lambda end: float(abs(end - ground).sum()))
    off = abs(ink - ground) / max(0.01, ink.mean(), ground.mean())
    return max(0.01, float(off.mean())), float(np.ptp(off))


def _weights(lines: Sequence[Line], crops: Sequence[Pixels]) -> list[float]:
    strokes = [for_type(crop, line.size) for line, crop in zip(lines, crops, strict=True)]
    long = [stroke for line, stroke in zip(lines, strokes, strict=True) if stroke and len(line.plain) >= LONG]
    common = median(long or list(filter(None, strokes)) or [1.0])
    return [math.log(stroke / common) if stroke else 0.0 for stroke in strokes]


def _kind(line: Line) -> str:
    letters = [c for c in line.plain if c.isalpha()]
    if len(letters) < TELLING_LETTERS or line.box.height > line.box.width:
        return ""
    counts = {
        SQUARES: len(SQUARE_LETTERS.findall(line.plain)),
        SMALL: sum(map(str.islower, letters)),
        CAPITAL: sum(map(str.isupper, letters)),
    }
    kind = max(counts, key=lambda name: counts[name])
    return kind if counts[kind] >= MOSTLY * len(letters) else ""


def _band(crop: Pixels, text: str) -> tuple[float, float]:
    """Foot and height of the rows that hold most ink, from half their ink on, in the tallest of all lines that look in.

    Where no letter goes below the baseline the foot is the ink's: a 4 has most of it in its bar. Rules are no letters.
    """
    if not crop.size:
        return 0.0, 0.0
    ink = dark(crop, 2, PAPER)
    rows = np.where(_ruled(ink)[:, None] | _ruled(ink.T), 0.0, ink).sum(axis=1)
    half = 0.5 * float(np.percentile(rows, 90))
    lines = runs(np.flatnonzero(rows > PAPER * half).tolist(), lambda line, row: row - line[-1] == 1)
    own = max(lines, key=len, default=[])
    full = [row for row in own if rows[row] > half]
    if not full or half <= 0:
        return 0.0, 0.0
    first, last = int(full[0]), int(full[-1])
    above = (rows[first] - half) / (rows[first] - rows[first - 1]) if first else 0.0
    below = (rows[last] - half) / (rows[last] - rows[last + 1]) if last + 1 < len(rows) else 0.0
    foot = float(own[-1]) if DESCENDING.isdisjoint(text) else float(last + below)
    return foot, float(last - first + above + below)


def _usual(lines: Sequence[Line], heights: Mapping[int, tuple[str, float]]) -> dict[str, float]:
    """Sizes of type over heights of letters; of capitals by small letters, or by capitals where there are no others."""
    found = {}
    for kind in (SMALL, CAPITAL, SQUARES):
        long = [n for n, (own, _) in heights.items() if own == kind and len(lines[n].plain) >= LONG]
        if len(long) >= ENOUGH:
            found[kind] = median(lines[n].size / heights[n][1] for n in long)
    return found | ({CAPITAL: found[SMALL] / CAPITALS} if SMALL in found else {})
