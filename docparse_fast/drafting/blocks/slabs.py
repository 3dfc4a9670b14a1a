"""A slab: what stands left and right of a gutter, between two boxes that cross it. Knows boxes only.

It may be a grid, whose rows are read one by one.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from docparse_fast.drafting.arrays import Floats
from docparse_fast.drafting.blocks.column_text import LEAST_LINES
from docparse_fast.drafting.measures import EDGE, ONE_TYPE, SET_APART, SEVERAL

HEAD_LINES = 6  # of a letter's head, at most: columns of text have more
ROW_GAP = 2.0  # heights of a usual line that both columns of a grid leave free between two of its rows


@dataclass(frozen=True, slots=True)
class Slab:
    """The part between two boxes that cross the gutter: its left side, its right side, and the box that ends it."""

    left: NDArray[np.intp]
    right: NDArray[np.intp]
    crossing: int | None

    @property
    def has_both(self) -> bool:
        return len(self.left) > 0 and len(self.right) > 0


def grid_rows(edges: Floats, slab: Slab, unit: float) -> list[Slab]:
    """A slab parted where both its sides leave off and begin again, and where a line of the left one stands alone."""
    if not slab.has_both:
        return [slab]
    members = np.concatenate([slab.left, slab.right])
    members = members[np.argsort(edges[members, 1], kind="stable")]
    bottoms = np.maximum.accumulate(edges[members, 3])
    found: list[Slab] = []
    pairs = zip(edges[members[1:], 1], bottoms[:-1], strict=True)
    gaps = [(float(top), float(bottom)) for top, bottom in pairs if top > bottom]
    rest = slab
    for n, (top, bottom) in enumerate(gaps):
        white = top - bottom
        above, below = _cut_at(edges, rest, top)
        if white <= SET_APART * unit or _go_on(edges, above, below, unit):
            continue
        if _stands_apart(edges, above, below, white, unit, slab.crossing) or _begins_row(edges, below, white, unit):
            found, rest = [*found, above], below
        elif named := _name_below(edges, below, gaps[n + 1 :], white, unit):
            found, rest = [*found, above, named[0]], named[1]
    return [*found, rest]


def _go_on(edges: Floats, above: Slab, below: Slab, unit: float) -> bool:
    """Whether one side goes on beside nothing, or heads stand over what is below them."""
    return not above.has_both or (below.has_both and _are_heads(edges, above, unit))


def _stands_apart(edges: Floats, above: Slab, below: Slab, white: float, unit: float, crossing: int | None) -> bool:
    """Whether both sides end above, and what is below is of the left one alone."""
    if len(below.right):
        return False
    aside = crossing is not None and _is_aside(edges, above.right, unit)
    under = _first_of(edges, below.left) if aside else below.left
    heads = _is_heading(edges, under, unit) or _is_name(edges, below.left, white, crossing)
    heads |= _is_far_below(edges, below.left, white, unit)
    goes_on = crossing is not None or len(below.left) <= HEAD_LINES  # as a letter does below its head
    return heads or (goes_on and max(len(above.left), len(above.right)) <= HEAD_LINES)


def _is_far_below(edges: Floats, side: NDArray[np.intp], white: float, unit: float) -> bool:
    """Whether it is a line or two below both columns, with a grid's white above."""
    few = len(side) <= SEVERAL and np.diff(edges[side][:, [1, 3]]).max(initial=0) < LEAST_LINES * unit
    return bool(few and white >= ROW_GAP * unit)


def _name_below(
    edges: Floats, slab: Slab, gaps: Sequence[tuple[float, float]], white: float, unit: float
) -> tuple[Slab, Slab] | None:
    """A line or two of the left side alone, and what stands below: far, or nearer than that white, wider and level."""
    for top, bottom in gaps:
        alone, after = _cut_at(edges, slab, top)
        if len(alone.right) or len(alone.left) > SEVERAL or not after.has_both:
            return None
        far, level = top - bottom > SET_APART * unit, _off_level(edges, after)
        short = edges[alone.left, 2].max() < edges[after.left, 2].max() - unit
        if far or (short and top - bottom < white and level <= EDGE * unit):
            return alone, after
    return None


def _off_level(edges: Floats, slab: Slab) -> float:
    """How far apart both sides begin."""
    return abs(float(edges[slab.left, 1].min() - edges[slab.right, 1].min()))


def _are_heads(edges: Floats, slab: Slab, unit: float) -> bool:
    """Whether lines on one level stand on each side: they head what is below them, and are no row of a grid."""
    lines = [*slab.left, *slab.right]
    level = max(float(np.ptp(edges[side, 1])) for side in (slab.left, slab.right)) < EDGE * unit
    return level and float((edges[lines, 3] - edges[lines, 1]).max()) < LEAST_LINES * unit


def _is_aside(edges: Floats, side: NDArray[np.intp], unit: float) -> bool:
    """Whether it is one thing, a panel or a picture: it belongs to what it stands beside."""
    return len(side) == 1 and edges[side[0], 3] - edges[side[0], 1] >= LEAST_LINES * unit


def _first_of(edges: Floats, side: NDArray[np.intp]) -> NDArray[np.intp]:
    return side[[int(edges[side, 1].argmin())]] if len(side) else side


def _is_heading(edges: Floats, lines: NDArray[np.intp], unit: float) -> bool:
    return len(lines) == 1 and ONE_TYPE * unit <= edges[lines[0], 3] - edges[lines[0], 1] < LEAST_LINES * unit


def _is_name(edges: Floats, lines: NDArray[np.intp], white: float, crossing: int | None) -> bool:
    """Whether a line stands nearer to what is below both columns than to what is above it, which is so far."""
    return len(lines) == 1 and crossing is not None and edges[crossing, 1] - edges[lines[0], 3] < white


def _cut_at(edges: Floats, slab: Slab, top: float) -> tuple[Slab, Slab]:
    left, right = edges[slab.left, 1] >= top, edges[slab.right, 1] >= top
    return Slab(slab.left[~left], slab.right[~right], None), Slab(slab.left[left], slab.right[right], None)


def _begins_row(edges: Floats, slab: Slab, white: float, unit: float) -> bool:
    """Whether both sides begin level with tables or pictures, or their names, or with headings far below the rest."""
    if not slab.has_both:
        return False
    tops = [edges[side[np.argsort(edges[side, 1], kind="stable")[:2]]] for side in (slab.left, slab.right)]
    apart = float(abs(tops[0][0, 1] - tops[1][0, 1]))
    lowest, named = (min(float(top[n, 3] - top[n, 1]) for top in tops) for n in (0, -1))
    begins = named >= LEAST_LINES * unit or (white >= ROW_GAP * unit and lowest >= ONE_TYPE * unit)
    return (apart <= EDGE * unit and begins) or (apart <= unit and lowest >= LEAST_LINES * unit)
