"""Parts lines that the detector took for one across the narrow white between two columns. Knows ink and boxes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from statistics import median

import numpy as np

from docparse_fast.drafting.arrays import Pixels
from docparse_fast.drafting.measures import EDGE, ENOUGH, SET_APART, SEVERAL
from docparse_fast.drafting.scans.quads import LEVEL, Quad, level_crop
from docparse_fast.drafting.scans.word_ink import columns_of_ink


def parted_at_gutters(image: Pixels, quads: Sequence[Quad]) -> list[Quad]:
    """The lines; one that runs over a gutter, beside which many lines end and begin, is two if white is there."""
    unit = median(quad.height for quad in quads) if quads else 1.0
    gutters = list(_gutters(quads, unit))
    return [part for quad in quads for part in _parts(image, quad, gutters)]


def _gutters(quads: Sequence[Quad], unit: float) -> Iterator[float]:
    """The middles of the white between where several lines end and where others begin: few run over it."""
    ends, begins = (np.array([getattr(quad.box, side) for quad in quads]) for side in ("x1", "x0"))
    near, last = EDGE * unit, -np.inf
    for end in np.sort(ends).tolist():
        behind = begins[(begins > end - near) & (begins < end + SEVERAL * unit)]
        if end - last < unit or len(behind) < ENOUGH:
            continue
        begin = float(np.median(behind))
        over = (begins < end - SEVERAL * unit) & (ends > begin + SEVERAL * unit)
        beside = [(abs(places - place) < near).sum() for places, place in ((ends, end), (begins, begin))]
        if min(beside) >= ENOUGH and over.sum() < max(beside):
            last = end
            yield (end + begin) / 2


def _parts(image: Pixels, quad: Quad, gutters: Sequence[float]) -> Iterator[Quad]:
    box, far = quad.box, SEVERAL * quad.height
    crossed = [x for x in gutters if box.x0 + far < x < box.x1 - far and abs(quad.angle) < LEVEL]
    columns = columns_of_ink(level_crop(image, quad)) + box.x0 if crossed else np.empty(0)
    ends = [box.x0, box.x1]
    for x in crossed:
        left, right = columns[columns < x].max(initial=box.x0), columns[columns >= x].min(initial=box.x1)
        if right - left >= SET_APART * quad.height:
            ends[-1:-1] = [(left + x) / 2, (x + right) / 2]
    for x0, x1 in zip(ends[::2], ends[1::2], strict=True):
        yield replace(quad, x=(x0 + x1) / 2, width=x1 - x0) if len(ends) > SEVERAL else quad
