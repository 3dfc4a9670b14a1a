"""Finds the reading order of a page's boxes. Knows boxes and which begin counted items: no text, no labels, no model.

A recursive cut, but by gutters before gaps: the widest-supported gutter is found first, whatever crosses it (a title, a
full-width figure) parts the page into slabs, and within a slab the left side is read before the right. Cutting at
horizontal gaps first, as the classic XY-cut does, reads across the columns wherever two paragraphs end at one height.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from hashlib import blake2b
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from docparse_fast.document import Box
from docparse_fast.drafting.arrays import Floats
from docparse_fast.drafting.blocks.column_text import LEAST_LINES, are_counted_down, has_terms, side_by_side
from docparse_fast.drafting.blocks.slabs import Slab, grid_rows
from docparse_fast.drafting.measures import ROW, SEVERAL
from docparse_fast.work import PageWork, current, may_cost

GUTTER = 0.4  # narrowest gutter, in heights of a usual line
SLACK = 0.25  # of a usual line, by which a box may be too wide at either end: a detector's boxes reach into the gutter
TIE = 0.01  # worth of a gutter's pixel; of gutters with as much text beside them, the one that fewer lines cross counts
BANDS_TRIED = 12  # gaps across the page at which it may fall into parts with gutters of their own
STEPS_A_SLAB = 300  # to look at one by itself
ROUNDED = 1e-9  # part of a sum of heights by which another order of summing may change it


def columns(boxes: Sequence[Box], unit: float, counts: Mapping[int, int] = {}) -> list[list[int]]:
    """Indexes of `boxes` in groups that each run down one column, in reading order; `unit` is a line's height.

    `counts` are the numbers of boxes that begin counted items.

    >>> left, right = Box(0, 30, 140, 200), Box(160, 30, 300, 200)
    >>> columns([right, Box(0, 0, 300, 10), left], unit=10)
    [[1], [2], [0]]
    """
    return [list(group) for group in _columns(tuple(boxes), unit, tuple(counts.items()), current())] if boxes else []


def columns_between(
    seams: Sequence[Box], boxes: Sequence[Box], unit: float, counts: Mapping[int, int] = {}
) -> list[list[int]]:
    """The same, where none goes on over a seam, which is drawn across everything.

    >>> rows = [Box(0, 0, 90, 40), Box(100, 0, 190, 40), Box(0, 50, 90, 90), Box(100, 45, 190, 90)]
    >>> columns_between([], rows, 10), columns_between([Box(0, 42, 190, 42)], rows, 10)
    ([[0, 2], [1, 3]], [[0], [1], [2], [3]])
    """
    groups = columns([*boxes, *seams], unit, counts)
    return [kept for group in groups if (kept := [n for n in group if n < len(boxes)])]


@lru_cache(maxsize=4)  # the searches for tables ask for the same columns again
def _columns(
    boxes: tuple[Box, ...], unit: float, counts: tuple[tuple[int, int], ...], _: PageWork | None
) -> list[list[int]]:
    edges = np.array([(box.x0, box.y0, box.x1, box.y1) for box in boxes], np.float64)
    slack = np.minimum(SLACK * unit, (edges[:, 2] - edges[:, 0]) / 4)
    edges[:, 0] += slack
    edges[:, 2] -= slack
    page = _Boxes(edges, unit, np.zeros(len(boxes), np.intp))
    for n, count in counts:
        page.counts[n] = count
    groups: list[list[int]] = []
    waiting = [np.arange(len(boxes))]
    while waiting:
        members = waiting.pop()
        parts = _parts(page, members)
        waiting += reversed(parts)
        if not parts:
            groups.append([int(i) for i in members[np.argsort(edges[members, 1], kind="stable")]])
    return groups


@dataclass(frozen=True, slots=True)
class _Cut:
    """A candidate gutter: its score (text set side by side, less text cut through) and its slabs."""

    worth: float
    slabs: list[Slab]
    clean: bool  # whatever crosses it stands alone in its row


_UNCUT = _Cut(0.0, [], True)


class _Gutter(NamedTuple):
    """Where it lies, how wide it is, and the heights of the text that it parts and of what runs across it."""

    x: float
    width: float
    parted: float
    crossed: float
    clean: bool


@dataclass
class _Boxes:
    """A page's boxes, and what is known of parts of it."""

    edges: Floats
    unit: float
    counts: NDArray[np.intp]
    cuts: dict[bytes, _Cut] = field(default_factory=dict)  # best ones, by the members of a part
    gains: dict[tuple[bytes, bytes, float], float] = field(default_factory=dict)  # of slabs, by both sides' members

    @cached_property
    def level(self) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
        """The boxes that stand in one row, in pairs, each pair twice; none if there are too many."""
        order = np.argsort(self.edges[:, 1], kind="stable")
        _, y0, _, y1 = self.edges[order].T
        until = np.maximum(np.searchsorted(y0, y1, side="left"), np.arange(len(order)) + 1)
        counts = until - np.arange(len(order)) - 1  # those that begin lower, but above its end
        if not may_cost(2 * int(counts.sum()), "the reading order"):
            return np.empty(0, np.intp), np.empty(0, np.intp)
        one = np.repeat(np.arange(len(order)), counts)
        other = one + 1 + np.arange(len(one)) - np.repeat(np.cumsum(counts) - counts, counts)
        heights = y1 - y0
        overlap = np.minimum(y1[one], y1[other]) - y0[other]
        same = overlap > ROW * np.minimum(heights[one], heights[other])
        one, other = order[one[same]], order[other[same]]
        return np.concatenate([one, other]), np.concatenate([other, one])

    def gain(self, left: NDArray[np.intp], right: NDArray[np.intp], width: float) -> float:
        key = left.tobytes(), right.tobytes(), width  # from one gutter to the next most slabs stay the same
        if key not in self.gains:
            self.gains[key] = side_by_side(self.edges, left, right, self.unit, width, self.counts)
        return self.gains[key]

    def level_within(self, members: NDArray[np.intp]) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
        """The same for some of the boxes, by their places among these."""
        one, other = self.level
        place = np.full(len(self.edges), -1)
        place[members] = np.arange(len(members))
        inside = (place[one] >= 0) & (place[other] >= 0)
        return place[one[inside]], place[other[inside]]


def _parts(page: _Boxes, members: NDArray[np.intp]) -> list[NDArray[np.intp]]:
    """What is read one after the other; nothing if the members are one column."""
    cut = _best_cut(page, members)
    if not cut.clean or not cut.slabs:
        bands = _bands(page, members, cut.worth)
        if bands:
            return bands
    found: list[NDArray[np.intp]] = []
    spanning: list[int] = []  # neighbours that cross the gutter are one column of their own
    for slab in cut.slabs:
        if alone := _ends_of_text(slab):
            spanning += [*alone, slab.crossing] if slab.crossing is not None else alone
            continue
        if len(slab.left) or len(slab.right):
            if spanning:
                found.append(np.array(spanning, np.intp))
            spanning = []
            if slab.has_both and has_terms(page.edges, slab.left, slab.right, page.unit):
                found.append(np.concatenate([slab.left, slab.right]))
            else:
                counted = are_counted_down(page.edges, slab.left, slab.right, page.counts)
                for row in [slab] if counted else grid_rows(page.edges, slab, page.unit):
                    found += [side for side in (row.left, row.right) if len(side)]
        if slab.crossing is not None:
            spanning.append(slab.crossing)
    if spanning:
        found.append(np.array(spanning, np.intp))
    return found


def _ends_of_text(slab: Slab) -> list[int]:
    """One or two lines with nothing beside them, which only by chance don't reach across: a paragraph's last."""
    sides = [side for side in (slab.left, slab.right) if len(side)]
    return [int(i) for i in sides[0]] if len(sides) == 1 and len(sides[0]) <= SEVERAL else []


def _bands(page: _Boxes, members: NDArray[np.intp], worth: float) -> list[NDArray[np.intp]]:
    """The parts above and below a gap across the whole width, if their gutters make better columns than `worth`."""
    order = members[np.argsort(page.edges[members, 1], kind="stable")]
    reach = np.maximum.accumulate(page.edges[order, 3])
    gaps = page.edges[order[1:], 1] - reach[:-1]
    best: tuple[float, list[NDArray[np.intp]]] = (worth, [])
    for at in np.argsort(-gaps, kind="stable")[:BANDS_TRIED]:
        if gaps[at] <= 0:
            break
        parts = [order[: at + 1], order[at + 1 :]]
        together = sum(_best_cut(page, part).worth for part in parts)
        if together > best[0] + page.unit:  # the widest gap, unless another makes better columns
            best = together, parts
    return best[1]


def _best_cut(page: _Boxes, members: NDArray[np.intp]) -> _Cut:
    """The gutter with the most text on the side that has less; no cut if the text is one column."""
    key = blake2b(members.tobytes(), digest_size=16).digest()  # bands of bands are looked at many times
    if key not in page.cuts:
        page.cuts[key] = _searched_cut(page, members)
    return page.cuts[key]


def _searched_cut(page: _Boxes, members: NDArray[np.intp]) -> _Cut:
    least, found = 0.0, list[_Gutter]()
    if len(members) < 2:
        return _UNCUT
    x0, y0, x1, y1 = page.edges[members].T
    heights, middles = y1 - y0, (y0 + y1) / 2
    gutters = _most_promising(_wide_enough(x0, x1, GUTTER * page.unit), x0, x1, heights)
    if not gutters or not may_cost(len(members), "the reading order"):
        return _UNCUT
    width = float(x1.max() - x0.min())
    one, other = page.level_within(members)
    for most, gutter, gap in gutters:
        if most < least:
            break
        if not may_cost(len(members) + len(one), "the reading order"):
            break
        left, right = x1 <= gutter, x0 > gutter
        crossing = ~(left | right)
        cut_through = np.zeros(len(members), np.bool_)
        cut_through[one[crossing[one] & ~crossing[other]]] = True
        cost = 2 * float(heights[cut_through].sum())
        if most - cost < least:
            continue  # not even if all the text of one side stood beside text of the other
        ends = np.sort(middles[crossing], kind="stable")
        slab_left, slab_right = (np.searchsorted(ends, middles[side]) for side in (left, right))
        filled = [
            np.bincount(slab, heights[side], len(ends) + 1) * (1 + ROUNDED)
            for slab, side in ((slab_left, left), (slab_right, right))
        ]
        fewer = np.minimum(*filled)
        enough = np.flatnonzero(fewer >= LEAST_LINES * page.unit)  # no other slab can be columns
        if not len(enough) or float(fewer[enough].sum()) - cost < least:
            continue
        if not may_cost(STEPS_A_SLAB * len(enough), "the reading order"):
            break
        sides = (_by_slab(members[side], slab, enough) for side, slab in ((left, slab_left), (right, slab_right)))
        gain = sum(page.gain(ours, theirs, width) for ours, theirs in zip(*sides, strict=True))
        if gain > cost:
            least = max(least, gain - cost - TIE * page.unit)
            crossed = float(heights[crossing].sum())
            found.append(_Gutter(gutter, gap, gain - cost, crossed, not cut_through.any()))
    near = [each for each in found if each.parted >= least]
    if not near:
        return _UNCUT
    best = min(near, key=lambda each: (each.crossed, -each.width))
    return _Cut(best.parted + TIE * best.width, _slabs(page.edges, members, best.x), best.clean)


def _wide_enough(x0: Floats, x1: Floats, least: float) -> list[tuple[float, float]]:
    """Where boxes end and the next begins no nearer than `least`, with the white between."""
    ends, begins = np.array(sorted({*x1.tolist()})), np.sort(x0)
    ends = ends[ends < begins[-1]]
    gaps = begins[np.searchsorted(begins, ends, side="right")] - ends
    return [(float(end), float(gap)) for end, gap in zip(ends, gaps, strict=True) if gap >= least]


def _most_promising(
    gutters: Sequence[tuple[float, float]], x0: Floats, x1: Floats, heights: Floats
) -> list[tuple[float, float, float]]:
    """Each gutter and its white after the height of text on the side that has less: no cut there is worth more."""
    found = []
    for gutter, gap in gutters:
        found.append((min(float(heights[x1 <= gutter].sum()), float(heights[x0 > gutter].sum())), gutter, gap))
    return sorted(found, key=lambda each: -(each[0] + TIE * each[2]))


def _slabs(edges: Floats, members: NDArray[np.intp], gutter: float) -> list[Slab]:
    """From the top; each ends with a member that crosses the gutter, but for the last."""
    x0, y0, x1, y1 = edges[members].T
    middles = (y0 + y1) / 2
    left, right = x1 <= gutter, x0 > gutter
    crossing = ~left & ~right
    order = np.argsort(middles[crossing], kind="stable")
    ends = middles[crossing][order]
    enders: list[int | None] = [*map(int, members[crossing][order]), None]
    numbers = np.arange(len(enders))
    sides = [_by_slab(members[side], np.searchsorted(ends, middles[side]), numbers) for side in (left, right)]
    return list(map(Slab, *sides, enders))


def _by_slab(side: NDArray[np.intp], slab: NDArray[np.intp], wanted: NDArray[np.intp]) -> list[NDArray[np.intp]]:
    order = np.argsort(slab, kind="stable")
    begins, ends = np.searchsorted(slab[order], [wanted, wanted + 1])
    return [side[order[begin:end]] for begin, end in zip(begins, ends, strict=True)]
