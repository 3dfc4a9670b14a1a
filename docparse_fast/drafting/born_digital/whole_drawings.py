"""Tells a page that is one drawing: a plot or a graph with its labels. Looks at no pixels."""

from __future__ import annotations

from collections.abc import Sequence
from statistics import median

from docparse_fast.document import Box, TextLayer, TextLine
from docparse_fast.drafting.born_digital.drawn_figures import BACKGROUND

FEWEST_LABELS, FEWEST_PIECES = 8, 8
MOST_WORDS, LONGEST = 4, 40  # words and characters of a label
USUAL_WORDS = 2  # of half of the labels
LARGEST = 1.6  # of the labels' type: larger is a title
WIDE = 0.5  # of the page's width and height
MOST_LABELS = 0.9  # of the labels stand on it
MIXED = 0.3  # of its pieces lie partly on others; a table's grounds lie beside or within each other
SAMPLE = 200  # pieces


def whole_drawing(layer: TextLayer, lines: Sequence[TextLine], width: float, height: float) -> Box | None:
    """The box of the page's drawing with its labels, if there is nothing else on the page."""
    pieces = [box for box in layer.areas if box.area < BACKGROUND * width * height]
    if len(lines) < FEWEST_LABELS or len(pieces) < FEWEST_PIECES or not _are_labels(lines):
        return None
    drawn = Box.around([*pieces, *layer.rules])
    held = sum(drawn.expanded(4 * line.spans[0].size).holds(line.box) for line in lines)
    large = drawn.width > WIDE * width and drawn.height > WIDE * height
    if not large or held < MOST_LABELS * len(lines) or not _are_mixed(pieces):
        return None
    return Box.around([drawn, *(line.box for line in lines)]).clipped(width, height)


def _are_labels(lines: Sequence[TextLine]) -> bool:
    words = [len(line.text.split()) for line in lines]
    sizes = [line.spans[0].size for line in lines]
    short = max(words) <= MOST_WORDS and max(len(line.text.strip()) for line in lines) <= LONGEST
    return short and median(words) <= USUAL_WORDS and max(sizes) <= LARGEST * median(sizes)


def _are_mixed(pieces: Sequence[Box]) -> bool:
    some = pieces[:: max(1, len(pieces) // SAMPLE)]
    mixed = [any(_lies_partly_on(piece, other) for other in some) for piece in some]
    return sum(mixed) > MIXED * len(some)


def _lies_partly_on(piece: Box, other: Box) -> bool:
    shared = piece.intersection(other)
    return 0 < shared < 0.9 * min(piece.area, other.area)
