"""How much text stands side by side at a gutter, if its two sides are columns. Knows boxes, and items' numbers.

Columns of prose fill their width; the labels of a form and the rows of a table don't.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from docparse_fast.drafting.arrays import Floats
from docparse_fast.drafting.measures import ACROSS, MOST, MOSTLY, ON_LEVEL, ROW, SET_APART, SEVERAL

LEAST_LINES = 2.5  # of text on either side of a gutter, in heights of a usual line
LEAST_SIDE = 0.12  # narrowest column, as a part of the width to be cut
PROSE_WIDTH = 8.0  # of a usual line, in line heights: the labels of a form are shorter
EVEN_LINES = 5  # fewer are even by chance
LABEL_WIDTH = 4.0  # of a usual line, in line heights: narrower than any column of prose

TERM_STEP = 1.6  # heights of a usual line from one term to the next
OTHER_LINE = 0.9  # of a usual line's height, between the middles of two lines

Members = NDArray[np.intp]  # indexes of boxes
Counts = NDArray[np.intp]


def side_by_side(edges: Floats, left: Members, right: Members, unit: float, width: float, counts: Counts) -> float:
    """The height of text with text beside it, on the side that has less; 0 if the two sides are not columns.

    `counts` are the numbers of boxes that begin counted items; 0 for others.
    """
    if not len(left) or not len(right):
        return 0.0
    sides = edges[left], edges[right]
    across = [float(side[:, 2].max() - side[:, 0].min()) for side in sides]
    top, bottom = max(side[:, 1].min() for side in sides), min(side[:, 3].max() for side in sides)
    if min(across) < LEAST_SIDE * width or bottom - top < LEAST_LINES * unit:
        return 0.0
    beside = [_covered(np.maximum(side[:, 1], top), np.minimum(side[:, 3], bottom)) for side in sides]
    if min(beside) < LEAST_LINES * unit:
        return 0.0
    if are_counted_down(edges, left, right, counts):
        return min(beside)
    _, y0, _, y1 = np.concatenate(sides).T
    taking_turns = sum(beside) - _covered(np.maximum(y0, top), np.minimum(y1, bottom)) < ACROSS * min(beside)
    if taking_turns or has_terms(edges, left, right, unit):  # as the parties of a case stand
        return 0.0
    ragged = any(_ragged(_widths(side, unit), broad, unit) for side, broad in zip(sides, across, strict=True))
    return 0.0 if ragged and _rows_match(*sides) and not _begin_amid(*sides, unit) else min(beside)


def are_counted_down(edges: Floats, left: Members, right: Members, counts: Counts) -> bool:
    """Whether items are counted from the left side's top to its foot, and on from the right side's top."""
    if not counts[right].any():
        return False
    ordered = [counts[side[np.argsort(edges[side, 1], kind="stable")]] for side in (left, right)]
    one, other = (side[side > 0] for side in ordered)
    return bool(len(one) >= SEVERAL and (np.diff(np.concatenate([one, other])) == 1).all())


def _covered(y0: Floats, y1: Floats) -> float:
    """The height of rows: pieces side by side count once."""
    order = np.argsort(y0, kind="stable")
    begins, ends = y0[order], np.maximum.accumulate(y1[order])
    before = np.concatenate([begins[:1], ends[:-1]])
    return float(np.clip(ends - np.maximum(begins, before), 0, None).sum())


def has_terms(edges: Floats, left: Members, right: Members, unit: float) -> bool:
    """Whether one side has terms, or dates, each beside what it belongs to on the other."""
    return _are_terms(edges[left], edges[right], unit) or _are_terms(edges[right], edges[left], unit, at_end=True)


def _are_terms(side: Floats, text: Floats, unit: float, *, at_end: bool = False) -> bool:
    """Whether single lines far apart, no prose as wide as the text's, stand level with one or between two.

    Dates `at_end` stand level.
    """
    if len(side) < SEVERAL or (side[:, 3] - side[:, 1]).max() > LEAST_LINES * unit:
        return False
    if _median(side[:, 2] - side[:, 0]) > max(PROSE_WIDTH * unit, MOSTLY * _median(text[:, 2] - text[:, 0])):
        return False
    middles, others = (((each[:, 1] + each[:, 3]) / 2) for each in (side, text))
    if _median(np.diff(np.sort(middles))) < TERM_STEP * unit:
        return False
    off = _nearest(middles, others)
    level = off < ON_LEVEL * unit
    return bool(len(text) > level.sum() and (level | (off > (math.inf if at_end else OTHER_LINE * unit))).all())


def _widths(side: Floats, unit: float) -> Floats:
    """The widths of a side's boxes or, if much of it is prose, of its rows: answers below a question are one line."""
    widths = side[:, 2] - side[:, 0]
    if widths[widths >= PROSE_WIDTH * unit].sum() < MOST * widths.sum():
        return widths
    order = side[np.argsort((side[:, 1] + side[:, 3]) / 2, kind="stable")]
    middles = (order[:, 1] + order[:, 3]) / 2
    begins = np.flatnonzero(np.concatenate([[True], np.diff(middles) > ROW * unit]))
    extents: Floats = np.maximum.reduceat(order[:, 2], begins) - np.minimum.reduceat(order[:, 0], begins)
    return extents


def _ragged(widths: Floats, across: float, unit: float) -> bool:
    """Whether lines are too short, or too uneven, for a column of prose.

    What is measured is where the ink stands, not how many boxes there are. And a side may be several columns, no line
    of which runs across the whole of it.
    """
    usual = _median(widths)
    if usual < LABEL_WIDTH * unit and widths[widths >= PROSE_WIDTH * unit].sum() < 0.5 * widths.sum():
        return True
    if usual >= PROSE_WIDTH * unit:
        return False
    if len(widths) < EVEN_LINES:
        return True
    if usual >= MOSTLY * across:
        return False
    wide = widths >= min(PROSE_WIDTH * unit, MOSTLY * float(np.percentile(widths, 90)))
    return float(widths[wide].sum()) < MOSTLY * float(widths.sum())


def _rows_match(left: Floats, right: Floats) -> bool:
    """Whether most rows of the side with fewer stand level with one of the other: of a form or a table."""
    near = 0.3 * _median(left[:, 3] - left[:, 1])
    middles = (np.sort((side[:, 1] + side[:, 3]) / 2) for side in (left, right))
    few, many = sorted((each[np.diff(each, prepend=-math.inf) > near] for each in middles), key=len)
    return int(np.count_nonzero(_nearest(few, many) < near)) / len(few) > 0.7


def _begin_amid(side: Floats, text: Floats, unit: float) -> bool:
    """Whether most of what begins at the left, below white, stands beside a line that goes on from a full one above."""
    side, text = side[np.argsort(side[:, 1], kind="stable")], text[np.argsort(text[:, 1], kind="stable")]
    begins = side[1:][side[1:, 1] - np.maximum.accumulate(side[:, 3])[:-1] > SET_APART * unit]
    full = text[:, 2] > text[:, 2].max() - ACROSS * (text[:, 2].max() - text[:, 0].min())
    goes_on = full[:-1] & (text[:-1, 2] - text[:-1, 0] >= PROSE_WIDTH * unit) & (np.diff(text[:, 1]) < SEVERAL * unit)
    off = abs((begins[:, None, 1] + begins[:, None, 3]) - (text[None, :, 1] + text[None, :, 3])) / 2
    beside = off.argmin(axis=1)[off.min(axis=1, initial=math.inf) < ROW * unit]
    amid = np.concatenate([[False], goes_on])[beside].sum()
    return bool(amid >= SEVERAL and amid > MOST * len(beside))


def _nearest(places: Floats, others: Floats) -> Floats:
    """How far each of `places` is from the nearest of the others."""
    ordered = np.sort(others)
    after = np.searchsorted(ordered, places).clip(1, max(1, len(ordered) - 1))
    found: Floats = np.minimum(abs(ordered[after - 1] - places), abs(ordered[after % len(ordered)] - places))
    return found


def _median(values: Floats) -> float:
    """As numpy's, which takes ten times as long for a few values."""
    ordered = np.sort(values)
    return float(ordered[(len(ordered) - 1) // 2] + ordered[len(ordered) // 2]) / 2
