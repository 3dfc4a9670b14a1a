"""Finds figures on a born-digital page: pictures, clusters of drawn shapes. Looks at no pixels.

Shading behind text, frames around text and a page's rules are not figures; the text on or in them shows it.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from docparse_fast.document import Box, Category, TextLayer, TextLine
from docparse_fast.drafting.lines import LayoutBox
from docparse_fast.drafting.measures import BACKGROUND, HELD, LEAST_FIGURE, MOST, SEVERAL
from docparse_fast.lattices.frames import frames

NEAR = 0.02  # of the page's height: drawn things no farther apart are of one figure
LEAST_DRAWN = 6  # pieces, that aren't all rules
MOST_PIECES = 3000  # boxes to cluster; of a denser drawing a sample is enough
TEXT_PART = 0.4  # of a figure's area under lines of text: it is a background
LABEL = 12  # characters of a label that may stand beside a drawing
TITLE = 40  # characters of an axis's title
TITLE_AWAY = 2.5  # of its type's size from the numbers
ASIDE = 0.15  # of the drawing's side, from its middle
LONG_LINE = 45  # characters: a figure's labels are shorter


def figure_boxes(
    layer: TextLayer,
    lines: Sequence[TextLine],
    tables: Sequence[Box],
    placed: Sequence[Box],
    width: float,
    height: float,
    labels: Sequence[LayoutBox] = (),
) -> list[Box]:
    """The boxes of figures. None lies within another or behind text, and none is a table.

    `labels` are the layout model's, where it looked: it tells a table on grounds, and framed words, from a plot.
    """
    images = [box for box in _joined(list(layer.images), 0.002 * height) if box.area < BACKGROUND * width * height]
    drawn = [
        box
        for box, pieces, framed in _clusters(layer, lines, width, height)
        if pieces >= LEAST_DRAWN and _may_be_drawing(box, labels, framed=framed)
    ]
    images, drawn = _outside(images, placed), _outside([*drawn, *_seen(layer, labels)], placed)
    rows = [label.box for label in labels if label.category is Category.TABLE]
    free = [line for line in lines if not any(row.holds(line.box) for row in rows)]
    found = [*placed, *_joined([*images, *(_with_labels(box, free) for box in drawn)], 0.5 * NEAR * height)]
    clipped = [box.clipped(width, height) for box in found]
    large = [box for box in clipped if _is_large(box, width, height) and not _holds_prose(box, lines)]
    return [box for box in large if not any(table.iou(box) > 0.3 or table.covers(box) > 0.5 for table in tables)]


def _is_large(box: Box, width: float, height: float) -> bool:
    wide, tall = box.width >= LEAST_FIGURE * width, box.height >= 0.6 * LEAST_FIGURE * height
    return wide and tall and box.area <= BACKGROUND * width * height


def _seen(layer: TextLayer, labels: Sequence[LayoutBox]) -> list[Box]:
    """What is labelled a figure where shapes are painted, with all of these: bars of a chart may stand far apart."""
    boxes = [label.box for label in labels if label.category is Category.FIGURE]
    painted = [[area for area in layer.areas if box.covers(area) > HELD] for box in boxes]
    return [Box.around((box, *there)) for box, there in zip(boxes, painted, strict=True) if len(there) > 1]


def _may_be_drawing(box: Box, labels: Sequence[LayoutBox], *, framed: bool) -> bool:
    """Not where a table is seen; and where the page was looked at, frames and rules alone must be seen as a figure."""
    there = {label.category for label in labels if label.box.covers(box) > HELD or box.covers(label.box) > HELD}
    return Category.FIGURE in there or not (Category.TABLE in there or (framed and labels))


def placed_drawings(layer: TextLayer, lines: Sequence[TextLine], width: float, height: float) -> list[Box]:
    """Where drawings from other files were put, with all that stands on them; not pages or tables from such files.

    `lines` are all lines of the page.
    """
    ink = [*layer.areas, *(layer.bars or layer.rules)]
    tables = [t.box for t in layer.tables if sum(bool(c.text.strip()) for c in t.cells) > MOST * len(t.cells)]
    return [
        box
        for box in layer.placed
        if box.area < BACKGROUND * width * height
        and sum(box.holds(piece) for piece in ink) >= LEAST_DRAWN
        and not _holds_prose(box, lines)
        and not _holds_tables(box, lines, tables)
    ]


def _holds_tables(box: Box, lines: Sequence[TextLine], tables: Sequence[Box]) -> bool:
    inside = [line for line in lines if box.holds(line.box)]
    in_tables = sum(any(table.holds(line.box) for table in tables) for line in inside)
    return in_tables > MOST * len(inside)


def _outside(boxes: Sequence[Box], wholes: Sequence[Box]) -> list[Box]:
    return [box for box in boxes if not any(whole.covers(box) > 0.5 for whole in wholes)]


def _clusters(layer: TextLayer, lines: Sequence[TextLine], width: float, height: float) -> list[tuple[Box, int, bool]]:
    """Each with the number of its pieces, and whether all are frames and rules, and grounds of text."""
    pieces = [box for box in layer.areas if box.area < BACKGROUND * width * height and max(box.width, box.height) > 0]
    plots = [box for box in frames(layer.rules) if box.height > LEAST_FIGURE * height and _has_labels_only(box, lines)]
    shapes = _without_shading(pieces, lines)
    step = max(1, (len(shapes) + len(plots)) // MOST_PIECES)
    pieces = [*shapes, *plots][::step]
    near = NEAR * height
    grown = []
    for box in _joined(pieces, near):
        count = step * sum(box.expanded(1).covers(piece.expanded(0.5)) > 0.5 for piece in pieces)
        axes = [rule for rule in layer.rules if rule.expanded(near).intersection(box) and _fits(rule, box)]
        framed = all(_is_ground(piece, lines) for piece in shapes if box.holds(piece))
        grown.append((Box.around((box, *axes)), count + len(axes), framed))
    return grown


def _is_ground(piece: Box, lines: Sequence[TextLine]) -> bool:
    """Whether lines of text stand on it: a card, a panel, a node of a diagram."""
    return sum(piece.holds(line.box) for line in lines) >= SEVERAL


def _without_shading(pieces: Sequence[Box], lines: Sequence[TextLine]) -> list[Box]:
    """Leaves out bands behind lines of text, and neighbouring bands of the same height: a table's stripes."""
    bands = set()
    for line in lines:
        for piece in pieces:
            if piece.holds(line.box) and piece.height < 4 * line.box.height:
                bands.add((round(piece.y0), round(piece.y1)))
    return [piece for piece in pieces if (round(piece.y0), round(piece.y1)) not in bands]


def _fits(rule: Box, box: Box) -> bool:
    """A figure's own line, not one that runs across the column."""
    return rule.width < 1.5 * box.width and rule.height < 1.5 * box.height


def _joined(boxes: list[Box], near: float) -> list[Box]:
    """Merges boxes that lie near each other, until all are apart."""
    found: list[Box] = []
    for box in sorted(boxes, key=lambda box: -box.area):
        while True:
            touching = [other for other in found if other.expanded(near).intersection(box.expanded(0.5))]
            if not touching:
                break
            found = [other for other in found if other not in touching]
            box = Box.around((box, *touching))
        found.append(box)
    return found


def _with_labels(box: Box, lines: Sequence[TextLine]) -> Box:
    """The drawing's box with the short labels around it: an axis's numbers, the name of a node."""
    labels = [line.box for line in lines if len(line.text.strip()) <= LABEL]
    for _ in range(2):  # names stand beside numbers
        box = Box.around((box, *(label for label in labels if _beside(box, label))))
    return Box.around((box, *(line.box for line in _titles_of_axes(box, lines))))


def _titles_of_axes(box: Box, lines: Sequence[TextLine]) -> list[TextLine]:
    """Lines in the labels' type that stand beside a drawing, at the middle of its side.

    In a family that is of labels and of no text on the page, they may be larger and bold, and over a part of the
    drawing.
    """
    labels = [line for line in lines if box.holds(line.box)]
    types = set(map(_type, labels))
    own = {_family(line) for line in labels} - {_family(line) for line in lines if len(line.text) >= LONG_LINE}

    def is_title(line: TextLine) -> bool:
        beside = _type(line) in types and _is_beside_middle(box, line)
        return beside or (_family(line) in own and _is_over_or_under(box, line))

    return [line for line in lines if len(line.text.strip()) <= TITLE and is_title(line)]


def _type(line: TextLine) -> tuple[str, int]:
    return line.spans[0].font, round(line.spans[0].size)


def _is_over_or_under(box: Box, line: TextLine) -> bool:
    far = TITLE_AWAY * line.spans[0].size
    within = box.x0 - line.spans[0].size < line.box.x0 and line.box.x1 < box.x1 + line.spans[0].size
    return within and box.gap_y(line.box) < far


def _family(line: TextLine) -> str:
    """The font without its weight and slant: `Helvetica` of `Helvetica-BoldOblique`."""
    return re.split(r"[-,]", line.spans[0].font)[0]


def _is_beside_middle(box: Box, line: TextLine) -> bool:
    (x, y), (middle_x, middle_y) = line.box.center, box.center
    far = TITLE_AWAY * line.spans[0].size
    if line.vertical:
        return abs(y - middle_y) < ASIDE * box.height and box.gap_x(line.box) < far
    return abs(x - middle_x) < ASIDE * box.width and box.gap_y(line.box) < far


def _beside(box: Box, label: Box) -> bool:
    near = box.expanded(2.5 * min(label.width, label.height))
    return near.covers(label) > 0.5


def _has_labels_only(box: Box, lines: Sequence[TextLine]) -> bool:
    return all(len(line.text.strip()) <= 2 * LABEL for line in lines if box.intersection(line.box))


def _holds_prose(box: Box, lines: Sequence[TextLine]) -> bool:
    inside = [line for line in lines if box.covers(line.box) > 0.5]
    covered = sum(line.box.area for line in inside)
    long = sum(len(line.text) >= LONG_LINE for line in inside)
    return covered > TEXT_PART * box.area or long > 2
