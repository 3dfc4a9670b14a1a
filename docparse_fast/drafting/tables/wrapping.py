"""Tells a line that goes on in its cell from the next row's: a word is carried over only where it found no room.

Knows pieces of text and the width of their column; knows no picture and no model.
"""

from __future__ import annotations

from docparse_fast.drafting.tables.grid import CellPiece

SLACK = 0.6  # of a line's height: how much narrower than its column a full line may be


def would_have_fitted(upper: CellPiece, lower: CellPiece, width: float) -> bool:
    """Whether the lower line's first word had room behind the upper line, in a column of this width."""
    words = lower.text.split() or [lower.text]
    first = words[0][:1] if words[0] > "\u2e80" else words[0]  # Chinese and Japanese break anywhere
    letter = lower.box.width / max(1, len(lower.text))
    return upper.box.width + (len(first) + 1) * letter < width - SLACK * lower.box.height
