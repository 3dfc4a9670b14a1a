"""Pages of which nothing was read although something stands on them: they are not blank. Knows pixels and counts."""

from __future__ import annotations

import numpy as np

from docparse_fast.document import Failure, PageDraft
from docparse_fast.drafting.arrays import Pixels

MANY_UNREAD = 5.0  # words
EDGE = 64  # grey levels between two neighbours: more than paper, stains or a back that shines through
MANY_EDGES = 0.03  # of the pixels; a page of text has 0.15 to 0.22, most drawings and dirty sheets below 0.01

FEW_LINES = 5  # on a printed page: a photograph, or letters too small to be seen
MANY_MORE = 4  # times as many lines, seen from closer: then they are letters


def nothing_read(draft: PageDraft, pixels: Pixels) -> Failure | None:
    """What to say of a page without regions, unless it is blank."""
    if draft.regions:
        return None
    if draft.unread_words >= MANY_UNREAD:
        told = f"about {draft.unread_words:.0f} words could not be read; have a target read the page"
    elif is_printed(pixels):
        told = "no line was found, yet much is printed on it; if its letters are very small, convert parts of the page"
    else:
        return None
    return Failure("draft_failed", told)


def may_hide_letters(pixels: Pixels, lines: int) -> bool:
    """Whether a closer look may find more than so many lines."""
    return lines < FEW_LINES and is_printed(pixels)


def is_printed(pixels: Pixels) -> bool:
    """Whether as much stands there as a fifth of a page of text, whatever it is."""
    green = pixels[..., 1].astype(np.int16)
    return green.shape[1] > 1 and float((np.abs(np.diff(green, axis=1)) > EDGE).mean()) >= MANY_EDGES
