"""Handles pages whose text is turned by 90 degrees or written in downward columns.

Knows a text layer's geometry only. Downward writing is laid on its side to be read, and its regions are put back.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from docparse_fast.document import Box, TextLayer, TextLine, TextSpan
from docparse_fast.drafting.lines import letters_in
from docparse_fast.drafting.measures import MOST
from docparse_fast.geometry import around, parted, runs
from docparse_fast.text.characters import CJK

FEWEST_STACKED = 20  # characters


@dataclass(frozen=True, slots=True)
class Upright:
    """A layer whose lines run left to right, and how to put its regions back on the drafted page."""

    layer: TextLayer
    width: float
    height: float
    drafted_width: int  # of the page as the draft counts it: turned, or as it was
    drafted_height: int
    turned: int = 0  # degrees clockwise by which the page's image must be turned
    place: Callable[[Box], Box] = lambda box: box


def turned_upright(layer: TextLayer, width: int, height: int) -> Upright:
    layer = _with_columns_strung(layer)
    lines = [line for line in layer.lines if any(span.visible for span in line.spans)]
    standing = [line for line in lines if line.vertical and not line.slanted]
    if not standing or letters_in(standing) < MOST * letters_in(lines):
        return Upright(layer, width, height, width, height)
    down, up = parted(standing, lambda line: line.downwards)
    if letters_in(down) <= letters_in(up):
        rising = _turned(layer, lambda box: box.turned_right(height), lambda x: x)
        return Upright(rising, height, width, height, width, 90)
    text = "".join(line.text for line in standing)
    falling = _turned(layer, lambda box: box.turned_left(width), lambda x: width - x)
    if len(CJK.findall(text)) > MOST * len(text.replace(" ", "")):
        # Columns read from the right are rows read from the top, once the page lies on its left side.
        return Upright(falling, height, width, width, height, place=lambda box: box.turned_right(width))
    return Upright(falling, height, width, height, width, 270)


def _with_columns_strung(layer: TextLayer) -> TextLayer:
    """Joins characters that a file sets one below the other into lines that run down."""
    single, others = parted(layer.lines, lambda line: CJK.fullmatch(line.text.strip()) is not None)
    if len(single) < FEWEST_STACKED or len(single) < MOST * len(layer.lines):
        return layer

    def is_below(column: Sequence[TextLine], line: TextLine) -> bool:
        last, size = column[-1], line.spans[0].size
        in_line = abs(line.box.center[0] - last.box.center[0]) < 0.5 * size
        least = 0.0 if line.vertical or last.vertical else 0.5 * size  # half a square for a mark
        return in_line and least < _top(line) - _top(last) < 2.5 * size

    ordered = sorted(single, key=lambda line: (-round(line.box.center[0]), _top(line)))
    columns = runs(ordered, is_below)
    if max(map(len, columns)) < FEWEST_STACKED / 2:
        return layer  # neighbours in rows, not in columns
    return replace(layer, blocks=(tuple(map(_strung, columns)), tuple(others)), tables=())


def _top(line: TextLine) -> float:
    span = line.spans[0]
    return span.box.y0 if line.vertical else span.baseline - 0.88 * span.size


def _strung(column: list[TextLine]) -> TextLine:
    middle = sum(line.box.center[0] for line in column) / len(column)
    spans = []
    for line in column:
        (span,) = line.spans[:1]
        half = 0.5 * span.size  # as square as its type, for the ink of some hardly fills it
        top = _top(line)
        spans.append(replace(span, box=Box(middle - half, top, middle + half, top + span.size), baseline=middle - half))
    return TextLine(around(spans), tuple(spans), vertical=True, downwards=True)


def _turned(layer: TextLayer, box: Callable[[Box], Box], baseline: Callable[[float], float]) -> TextLayer:
    def span(old: TextSpan, vertical: bool) -> TextSpan:
        return replace(old, box=box(old.box), baseline=baseline(old.baseline) if vertical else old.box.center[0])

    def line(old: TextLine) -> TextLine:
        spans = tuple(span(s, old.vertical) for s in old.spans)
        return TextLine(box(old.box), spans, not old.vertical, slanted=old.slanted)

    return TextLayer(
        blocks=tuple(tuple(line(old) for old in block) for block in layer.blocks),
        images=tuple(map(box, layer.images)),
        rules=tuple(map(box, layer.rules)),
        tables=tuple(replace(table, box=box(table.box)) for table in layer.tables),
        areas=tuple(map(box, layer.areas)),
        placed=tuple(map(box, layer.placed)),
    )
