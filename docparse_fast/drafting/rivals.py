"""Two readings of one page, its text layer's and an OCR's: how far they agree, and both kept region by region.

Knows characters and boxes; the caller decides which of the two is shown.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

from docparse_fast.document import NOT_MARKDOWN, Box, Category, Draft, PageDraft, Region, TextLayer
from docparse_fast.drafting.born_digital.sheet import painted
from docparse_fast.drafting.born_digital.text_lines import SOURCE
from docparse_fast.drafting.measures import HELD
from docparse_fast.text.marks import unmarked
from docparse_fast.text.markup import as_read, as_text

LETTERS = 3  # that are compared together: blanks and line ends differ between any two readings
WITHOUT_RIVALS = NOT_MARKDOWN | {Category.FIGURE}

Placed = tuple[Box, str]


def agreement(claimed: str, read: str) -> float:
    """The share of `claimed` that an OCR found too, letter by letter.

    >>> agreement("KX-22 7F3A9C", "KX-227F3A9C"), agreement("]üìÜüéê ;LEX", "What were my")
    (1.0, 0.0)
    """
    mine, theirs = _shingles(claimed), _shingles(read)
    return (mine & theirs).total() / mine.total() if mine else 0.0


def _shingles(text: str) -> Counter[str]:
    letters = "".join(re.findall(r"[^\W_]", text.casefold()))
    return Counter(letters[n : n + LETTERS] for n in range(len(letters) - LETTERS + 1))


def text_of(draft: PageDraft) -> str:
    return "\n".join(re.sub(r"<[^<>]*>", " ", as_read(unmarked(region.text))) for region in draft.regions)


def layer_pieces(layer: TextLayer) -> list[Placed]:
    return [(line.box, " ".join(line.text.split())) for line in painted(layer.lines)]


def draft_pieces(draft: PageDraft) -> list[Placed]:
    kept = (region for region in draft.regions if region.drafts and region.category not in WITHOUT_RIVALS)
    return [(region.box, as_read(unmarked(region.text))) for region in kept]


def with_rivals(draft: PageDraft, pieces: Sequence[Placed], source: str = SOURCE) -> PageDraft:
    """The draft, with the other reading of each region after its own."""
    return replace(draft, regions=tuple(_with_rival(region, pieces, source) for region in draft.regions))


def _with_rival(region: Region, pieces: Sequence[Placed], source: str) -> Region:
    if region.category in WITHOUT_RIVALS or not region.drafts:
        return region
    own = as_read(unmarked(region.text))
    text = " ".join(text for box, text in pieces if region.box.covers(box) > HELD)
    if not text or text.split() == own.split():
        return region
    return replace(region, drafts=(*region.drafts, Draft(as_text(text), source)))
