"""Lines of a paragraph whose words were spread so wide that MuPDF takes each for a line of its own.

Knows the lines of one block. Where a paragraph is justified, all gaps of a line are alike and its words are not, and it
ends where the paragraph's other lines do; the cells of a table's row stand otherwise.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import pairwise

from docparse_fast.document import Box, TextLine, TextSpan

FEWEST = 4  # pieces
WIDEST = 1.5  # of the type's size, between two words
ALIKE = 0.2  # of the type's size, by which such gaps differ: they are wider behind a comma
BLANK = 0.5  # of the type's size
UNLIKE = 1.5  # ratio of the widest piece to the narrowest
LONG = 0.5  # of the spread line's width: shorter lines show no edges
SAME_EDGE = 0.5  # of the type's size
SAME_LINE = 0.1  # of the type's size between two baselines of one line

_Blocks = tuple[tuple[TextLine, ...], ...]


def with_justified(blocks: _Blocks) -> _Blocks:
    """The same blocks, with the pieces of such lines joined."""
    return tuple(tuple(_joined(block)) for block in blocks)


def _joined(block: Sequence[TextLine]) -> Iterator[TextLine]:
    for row in _rows(block):
        size = row[0].spans[0].size
        if not _is_spread(row, size):
            yield from row
            continue
        whole = Box.around(line.box for line in row)
        here = {id(line) for line in row}
        flush = any(
            abs(line.box.x0 - whole.x0) < SAME_EDGE * size and abs(line.box.x1 - whole.x1) < SAME_EDGE * size
            for line in block
            if line.box.width > LONG * whole.width and id(line) not in here
        )
        yield from [_one_line(row, whole)] if flush else row


def _rows(block: Sequence[TextLine]) -> Iterator[list[TextLine]]:
    """Neighbours in the file that stand on one baseline, each right of the one before."""
    row: list[TextLine] = []
    for line in block:
        if row and not (_level(row[-1], line) and line.box.x0 > row[-1].box.x1):
            yield row
            row = []
        row.append(line)
    if row:
        yield row


def _level(one: TextLine, other: TextLine) -> bool:
    a, b = one.spans[0], other.spans[0]
    upright = not (one.vertical or other.vertical or one.slanted or other.slanted)
    return upright and abs(a.baseline - b.baseline) < SAME_LINE * a.size


def _is_spread(row: Sequence[TextLine], size: float) -> bool:
    if len(row) < FEWEST:
        return False
    gaps = [b.box.x0 - a.box.x1 for a, b in pairwise(row)]
    widths = [line.box.width for line in row]
    alike = max(gaps) - min(gaps) < ALIKE * size and max(gaps) < WIDEST * size
    return alike and max(widths) > UNLIKE * min(widths)


def _one_line(row: Sequence[TextLine], whole: Box) -> TextLine:
    spans = [span for line in row[:-1] for span in line.spans]
    ends = {id(line.spans[-1]): below.box.x0 for line, below in pairwise(row)}
    made = [_with_blank(span, ends[id(span)]) if id(span) in ends else span for span in spans]
    return replace(row[0], box=whole, spans=(*made, *row[-1].spans))


def _with_blank(span: TextSpan, end: float) -> TextSpan:
    """The word and most of the blank that follows, so that the gap is no wider than between other words."""
    box = replace(span.box, x1=max(span.box.x1, end - BLANK * span.size))
    return replace(span, text=span.text.rstrip() + " ", box=box)
