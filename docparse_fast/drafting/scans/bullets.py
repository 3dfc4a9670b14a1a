"""Bullets before a scan's lines, which the recogniser overlooks or misreads. Knows pieces of ink and words' places.

A bullet is the first ink of its line: small, at the height of small letters' middle, apart from words; and it has its
like on the page. A ring is read as `o` or `。`, a small square or a dash as nothing.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from operator import attrgetter

import numpy as np
from numpy.typing import NDArray

from docparse_fast.document import Box
from docparse_fast.drafting.lines import Line
from docparse_fast.drafting.measures import BULLET, BULLET_GAP, BULLET_SHAPE, ON_LEVEL, SEVERAL, TELLING_LETTERS
from docparse_fast.drafting.scans.ticks import with_signs
from docparse_fast.drafting.words import MARKER

READ = re.compile(r"[。.,·°>口囗□■▪●•○◦◆►▶➤–—-](?!\d)|[oO0](?=\s|$)")  # for a bullet
BulletForm = tuple[float, float, float]  # of a bullet: its sides, and half of what is between it and the words


def with_bullets(ink: Sequence[Box], lines: Sequence[Line], unit: float) -> list[Line]:
    """The lines; those that begin with a bullet begin with `• `. `unit` is a line's height."""
    sides = np.array(list(map(attrgetter("x0", "y0", "x1", "y1"), ink))).reshape(-1, 4)
    told = {n: seen for n, line in enumerate(lines) if (seen := _first_ink(line, lines, sides, unit))}
    forms = np.array([form for _, form in told.values()])
    alike = {n: (abs(forms - form).max(axis=1) < BULLET[2] * unit).sum() for n, (_, form) in told.items()}
    new = {n: told[n][0] for n in told if alike[n] >= SEVERAL and not MARKER.match(lines[n].plain)}
    made = list(lines)
    for n, box in new.items():
        made[n] = with_signs(lines[n], [(replace(lines[n].box, x0=box.x0, x1=box.x1), "•")])
    return made


def _first_ink(
    line: Line, lines: Sequence[Line], ink: NDArray[np.float64], unit: float
) -> tuple[Box, BulletForm] | None:
    """What may be a bullet: the last ink before the words, or the first of what was read for one."""
    if not line.words or sum(map(str.isalpha, line.plain)) < TELLING_LETTERS:
        return None
    row = ink[abs(ink[:, 1] + ink[:, 3] - 2 * line.box.center[1]) < unit]
    row = row[np.argsort(row[:, 0])]
    is_read = READ.match(line.plain) or MARKER.match(line.plain)
    at = int(np.searchsorted(row[:, 0], line.words[0][0].x0 - BULLET_GAP[1] * unit)) - (not is_read)
    if not 0 <= at < len(row) - 1:
        return None
    box, gap = Box(*row[at].tolist()), float(row[at + 1, 0] - row[at, 2])
    is_alone = box.x0 - row[:at, 2].max(initial=0.0) > BULLET_GAP[0] * unit
    is_level = abs(box.center[1] - line.box.center[1]) < ON_LEVEL * unit
    is_one = is_alone and is_level and _is_one(box, gap, unit) and not _is_figure(box, line, lines)
    return (box, (box.width, box.height, gap / 2)) if is_one else None


def _is_figure(box: Box, line: Line, lines: Sequence[Line]) -> bool:
    """Whether it is of another line, as a figure in the column beside is."""
    return any(other is not line and other.box.holds(box) and not READ.match(other.plain) for other in lines)


def _is_one(box: Box, gap: float, unit: float) -> bool:
    """Whether it is small, and as far from the words as a bullet."""
    is_small = BULLET[0] * unit <= box.width and max(box.width, box.height) <= BULLET[1] * unit
    is_apart = BULLET_GAP[1] * unit <= gap <= BULLET_GAP[2] * unit
    return is_small and is_apart and BULLET_SHAPE[0] < box.width / box.height < BULLET_SHAPE[1]
