"""Finds what is drawn on a born-digital page: figures, and bullets before items. Looks at no pixels.

Figures are pictures and clusters of drawn shapes. Shading behind text, frames around text and a page's rules are none;
the text on or in them shows it. Small boxes of one size, one below the other, each right before a line, are bullets, as
web pages and slides have them.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import chain, pairwise

from docparse_fast.document import HEADINGS, Box, Category, TextLayer, TextLine, TextSpan
from docparse_fast.drafting.lines import LayoutBox, printed
from docparse_fast.drafting.measures import BACKGROUND, HELD, LEAST_FIGURE, MOST, MOST_DRAWN, SEVERAL, TEXT_IN_FIGURE
from docparse_fast.geometry import parted
from docparse_fast.lattices.frames import frames
from docparse_fast.text.characters import has_right_to_left

NEAR = 0.02  # of the page's height: drawn things no farther apart are of one figure
LEAST_DRAWN = 6  # pieces, that aren't all rules
MOST_PIECES = 3000  # boxes to cluster; of a denser drawing a sample is enough
LABEL = 12  # characters of a label that may stand beside a drawing
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
    joined = _joined(list(layer.images), 0.002 * height)
    pictures = [box for box in joined if not _is_shadow(box, layer.images, lines)]
    images = _outside(no_grounds(pictures, width, height), placed)
    drawn = _outside([*_drawings(layer, lines, tables, width, height, labels), *_seen(layer, lines, labels)], placed)
    tables_seen, heads = (
        [label.box for label in labels if label.category in kinds] for kinds in ({Category.TABLE}, HEADINGS)
    )
    free = [line for line in lines if not any(other.holds(line.box) for other in tables_seen)]
    parts = [*images, *(_with_labels(box, _without_heads(free, heads, box), layer.rules) for box in drawn)]
    found = [*placed, *_joined(parts, 0.5 * NEAR * height)]
    clipped = (box.clipped(width, height) for box in found)
    large = [box for box in clipped if _is_large(box, width, height) and not _holds_prose(box, lines)]
    return [box for box in large if not any(table.iou(box) > 0.3 or table.covers(box) > HELD for table in tables)]


def _is_shadow(box: Box, images: Sequence[Box], lines: Sequence[TextLine]) -> bool:
    """Whether these pictures only stand around text: a frame's shadow, in pieces."""
    filled = sum(image.area for image in images if box.holds(image))
    return filled < MOST * box.area and any(box.holds(line.box) for line in lines)


def no_grounds(boxes: Iterable[Box], width: float, height: float) -> list[Box]:
    """Those that are not as large as the page."""
    return [box for box in boxes if box.area < BACKGROUND * width * height]


def _is_large(box: Box, width: float, height: float) -> bool:
    wide, tall = box.width >= LEAST_FIGURE * width, box.height >= 0.6 * LEAST_FIGURE * height
    return wide and tall and box.area <= BACKGROUND * width * height


def _seen(layer: TextLayer, lines: Sequence[TextLine], labels: Sequence[LayoutBox]) -> Iterator[Box]:
    """What is labelled a figure, with the shapes painted there; a panel of text beside them is none of it."""
    for box in (label.box for label in labels if label.category is Category.FIGURE):
        there = [area for area in layer.areas if box.covers(area) > HELD]
        grounds, shapes = parted(there, lambda piece: _is_ground(piece, lines))
        beside = grounds and len(shapes) >= LEAST_DRAWN and not any(map(Box.around(shapes).intersection, grounds))
        if len(there) > 1:
            yield Box.around(shapes if beside else (box, *there))


def _may_be_drawing(box: Box, labels: Sequence[LayoutBox], *, framed: bool) -> bool:
    """Not where a table or a panel's heading is seen; of a page that was looked at, frames only if seen as a figure."""
    there = {label.category for label in labels if label.box.covers(box) > HELD or box.covers(label.box) > HELD}
    return Category.FIGURE in there or (there.isdisjoint({*HEADINGS, Category.TABLE}) and not (framed and labels))


def placed_drawings(layer: TextLayer, lines: Sequence[TextLine], width: float, height: float) -> list[Box]:
    """Where drawings from other files were put, with all that stands on them; not pages or tables from such files."""
    ink = [*layer.areas, *(layer.bars or layer.rules)]
    tables = [t.box for t in layer.tables if sum(bool(c.text.strip()) for c in t.cells) > MOST * len(t.cells)]
    drawn = [box for box in no_grounds(layer.placed, width, height) if sum(map(box.holds, ink)) >= LEAST_DRAWN]
    return [box for box in drawn if not (_holds_prose(box, lines) or _holds_tables(box, lines, tables))]


def _holds_tables(box: Box, lines: Sequence[TextLine], tables: Sequence[Box]) -> bool:
    inside = [line for line in lines if box.holds(line.box)]
    in_tables = sum(any(table.holds(line.box) for table in tables) for line in inside)
    return in_tables > MOST * len(inside)


def _outside(boxes: Sequence[Box], wholes: Sequence[Box]) -> list[Box]:
    return [box for box in boxes if not any(whole.covers(box) > HELD for whole in wholes)]


def _drawings(
    layer: TextLayer,
    lines: Sequence[TextLine],
    tables: Sequence[Box],
    width: float,
    height: float,
    labels: Sequence[LayoutBox],
) -> list[Box]:
    """Clusters of drawn shapes, without a table's rules."""
    wide = [table.expanded(1) for table in tables]
    rules = [rule for rule in layer.rules if not any(table.holds(rule) for table in wide)]
    pieces = [box for box in no_grounds(layer.areas, width, height) if max(box.width, box.height) > 0]
    plots = [box for box in frames(rules) if box.height > LEAST_FIGURE * height and _has_labels_only(box, lines)]
    shapes = _without_shading(pieces, lines)
    step = max(1, (len(shapes) + len(plots)) // MOST_PIECES)
    pieces = [*shapes, *plots][::step]
    near = NEAR * height
    found = []
    for box in _joined(pieces, near):
        count = step * sum(box.expanded(1).covers(piece.expanded(0.5)) > HELD for piece in pieces)
        axes = _lines_of(_axes([rule for rule in rules if _fits(rule, box)], box, near))
        cards = all(_is_ground(piece, lines) for piece in shapes if box.holds(piece))
        whole = Box.around((box, *axes))
        if count + len(axes) >= LEAST_DRAWN and _may_be_drawing(whole, labels, framed=cards):
            found.append(whole)
    return found


def _is_ground(piece: Box, lines: Sequence[TextLine]) -> bool:
    """Whether lines of text stand on it: a card, a panel, a node of a diagram."""
    return sum(piece.holds(line.box) for line in lines) >= SEVERAL


def _without_shading(pieces: Sequence[Box], lines: Sequence[TextLine]) -> list[Box]:
    """Leaves out bands behind lines or words of text, and neighbours of the same height: a table's stripes."""

    def level(piece: Box) -> tuple[int, int]:
        return round(piece.y0), round(piece.y1)

    def is_band(piece: Box) -> bool:
        low = (line for line in lines if piece.height < 4 * line.box.height and piece.intersection(line.box))
        return any(map(piece.holds, chain.from_iterable(map(_words, low))))

    bands = {level(piece) for piece in pieces if is_band(piece)}
    return [piece for piece in pieces if level(piece) not in bands]


def _words(line: TextLine) -> list[Box]:
    return [line.box, *(span.box for span in printed(line.spans))]


def _lines_of(rules: Sequence[Box]) -> list[Box]:
    """The dashes of one line as one."""
    lines: dict[tuple[bool, int, int], list[Box]] = defaultdict(list)
    for rule in rules:
        upright = rule.height > rule.width
        sides = (rule.x0, rule.x1) if upright else (rule.y0, rule.y1)
        lines[upright, round(sides[0]), round(sides[1])].append(rule)
    return list(map(Box.around, lines.values()))


def _axes(rules: Sequence[Box], box: Box, near: float) -> list[Box]:
    corner = _corner(rules, box)
    return [rule for rule in rules if rule in corner or rule.expanded(near).intersection(box)]


def _corner(rules: Sequence[Box], box: Box) -> tuple[Box, ...]:
    """Two axes that meet left of a drawing and below it, however far from it."""
    left = max((rule for rule in rules if rule.x1 < box.x0 and rule.overlap_y(box) > 0), key=_length, default=box)
    below = max((rule for rule in rules if rule.y0 > box.y1 and rule.overlap_x(box) > 0), key=_length, default=box)
    return (left, below) if left.expanded(2).intersection(below.expanded(2)) else ()


def _length(rule: Box) -> float:
    return max(rule.width, rule.height)


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


def _without_heads(lines: Sequence[TextLine], heads: Sequence[Box], box: Box) -> list[TextLine]:
    """What looks like a heading is none of a drawing's labels, unless in the type of the words within it."""
    own = {_type(line) for line in lines if box.holds(line.box)}
    return [line for line in lines if _type(line) in own or not any(head.holds(line.box) for head in heads)]


def _with_labels(box: Box, lines: Sequence[TextLine], rules: Sequence[Box]) -> Box:
    """The drawing's box with the short labels around it, none beyond a rule: an axis's numbers, the name of a node."""
    labels = [line.box for line in lines if len(line.text.strip()) <= LABEL]
    for _ in range(2):  # names stand beside numbers
        near = (label for label in labels if _beside(box, label) and not _are_parted(box, label, rules))
        box = Box.around((box, *near))
    return box


def _type(line: TextLine) -> tuple[str, int]:
    return line.spans[0].font, round(line.spans[0].size)


def _beside(box: Box, label: Box) -> bool:
    type_ = min(label.width, label.height)
    at_axis = box.gap_x(label) < type_ and label.overlap_y(box) > HELD * label.height
    return at_axis or box.expanded(2.5 * type_).covers(label) > HELD


def _are_parted(box: Box, label: Box, rules: Sequence[Box]) -> bool:
    """Whether a rule as wide as the drawing stands between it and what is above or below it."""
    low, high = sorted((box.center[1], label.center[1]))
    between = (rule for rule in rules if low < rule.center[1] < high)
    return any(rule.overlap_x(box) > MOST * box.width and not box.holds(rule) for rule in between)


def _has_labels_only(box: Box, lines: Sequence[TextLine]) -> bool:
    return all(len(line.text.strip()) <= 2 * LABEL for line in lines if box.intersection(line.box))


def _holds_prose(box: Box, lines: Sequence[TextLine]) -> bool:
    inside = [line for line in lines if box.covers(line.box) > 0.5]
    covered = sum(line.box.area for line in inside)
    long = sum(len(line.text) >= LONG_LINE for line in inside)
    return covered > TEXT_IN_FIGURE * box.area or long > 2


# -------------------------------------------------------------------------------------------- bullets

SMALLEST, LARGEST = 0.2, 1.3  # of the type's size
LONGEST = 1.5  # of the shorter side
BEFORE = 1.8  # of the type's size: the most between a bullet and its words
INTO = 0.2  # of the type's size, by which a picture's empty edge may reach into them
SAME = 1.5  # pixels by which bullets of one list may differ
MOST_BELOW = 1.6  # of the type's size that a lone bullet stands below the one of the item that it is in
STEP = 1.1  # of a bullet's height: tiles of a picture stand closer


def with_bullets(lines: Sequence[TextLine], painted: Sequence[Box]) -> list[TextLine]:
    """The same lines; those that begin with a drawn bullet begin with `• `."""
    told = zip(lines, _bullets(lines, painted), strict=True)
    return [_with_bullet(line, box) if box else line for line, box in told]


def without_bullets(painted: Sequence[Box], lines: Sequence[TextLine]) -> list[Box]:
    """What is painted and is no line's bullet."""
    bullets = set(_bullets(lines, painted))
    return [box for box in painted if box not in bullets]


def _bullets(lines: Sequence[TextLine], painted: Sequence[Box]) -> list[Box | None]:
    """Each line's, if it begins with one."""
    sizes = [span.size for line in lines for span in line.spans[:1]]
    largest = LARGEST * max(sizes, default=0.0)
    painted = [box for box in painted if 0 < max(box.width, box.height) <= largest]
    if not painted or len(painted) > MOST_DRAWN:
        return [None] * len(lines)
    found = [_bullet(line, painted) for line in lines]
    lists: dict[tuple[int, int, int], list[Box]] = defaultdict(list)
    for box in filter(None, found):
        lists[_look(box)].append(box)
    kept = {box for boxes in lists.values() if _stand_apart(boxes) for box in boxes}
    told = zip(found, lines, strict=True)
    return [box if box and (box in kept or _is_within_item(box, line, kept)) else None for box, line in told]


def _is_within_item(box: Box, line: TextLine, bullets: Iterable[Box]) -> bool:
    """Whether a lone bullet stands farther in, right below an item's."""
    below = (box.y0 - above.y1 for above in bullets if above.x1 < box.x0)
    return any(0 < step < MOST_BELOW * line.spans[0].size for step in below)


def _look(box: Box) -> tuple[int, int, int]:
    """Bullets of one list have one."""
    return round(box.x0 / SAME), round(box.width / SAME), round(box.height / SAME)


def _bullet(line: TextLine, painted: Sequence[Box]) -> Box | None:
    inked = printed(line.spans)
    if line.vertical or line.slanted or not inked:
        return None
    first = inked[0]  # of those from the right, which come as they are read, the rightmost
    if not has_right_to_left(line.text):
        first = min(inked, key=lambda span: span.box.x0)
    near = (box for box in painted if _is_bullet(box, first, from_right=has_right_to_left(line.text)))
    return min(near, key=lambda box: abs(box.center[0] - first.box.center[0]), default=None)


def _is_bullet(box: Box, first: TextSpan, *, from_right: bool) -> bool:
    size = first.size
    short, long = sorted((box.width, box.height))
    gap = box.x0 - first.box.x1 if from_right else first.box.x0 - box.x1
    return (
        SMALLEST * size <= short
        and long <= LARGEST * size
        and long <= LONGEST * short
        and -INTO * size <= gap <= BEFORE * size
        and first.baseline - size < box.center[1] < first.baseline + INTO * size
    )


def _stand_apart(boxes: Sequence[Box]) -> bool:
    """One below the other, and not the tiles of a picture."""
    tops = sorted(box.y0 for box in boxes)
    return len(tops) >= SEVERAL and all(b - a > STEP * boxes[0].height for a, b in pairwise(tops))


def _with_bullet(line: TextLine, box: Box) -> TextLine:
    first = printed(line.spans)[0]
    bullet = replace(
        first, box=box, text="• ", font="", bold=False, italic=False, mono=False, link=None, signs=(), superscript=False
    )
    return replace(line, box=Box.around((box, line.box)), spans=(bullet, *line.spans))
