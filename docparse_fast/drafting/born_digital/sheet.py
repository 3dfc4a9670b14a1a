"""A page with a text layer while it is read: what finders have taken off it, and what is left.

Knows what the file says and the layout model's labels; finds nothing itself (`finders.py` does) but stamps over it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from statistics import median

from docparse_fast.document import Box, Category, Draft, Region, TextLayer, TextLine, TextSpan, TextTable
from docparse_fast.drafting.born_digital.drawn_figures import placed_drawings
from docparse_fast.drafting.born_digital.sight import PageSight
from docparse_fast.drafting.born_digital.text_lines import SOURCE, text_lines
from docparse_fast.drafting.lines import LayoutBox, Line
from docparse_fast.drafting.measures import BACKGROUND, MOST
from docparse_fast.drafting.tables.heads import SetAndDrawn
from docparse_fast.drafting.tables.page_tables import TableChoice
from docparse_fast.geometry import parted
from docparse_fast.text.characters import runs_right
from docparse_fast.text.markup import as_text
from docparse_fast.text.placed_words import PlacedWord

Mirror = Callable[[Box], Box]

PICTURED = 0.8  # of a lattice lies on a picture: a map's grid
LARGE = 2.0  # of the usual type's size, from which words aslant are stamped on the page
HUGE = 3.0  # likewise for level words, which must be pale and lie under others too
FEWEST_CROSSED = 2  # lines of the text that run over it


@dataclass(frozen=True, slots=True)
class PageSheet:
    """`lines`, and once they are set in order `flow`, are what no finder has taken yet."""

    layer: TextLayer  # what is drawn behind code leaves it with the code
    width: float
    height: float
    read: Sequence[Line]  # by an OCR, where the layer is silent
    lines: Sequence[TextLine]
    whole: Sequence[Line]  # all lines in order, where a model or a lattice asks for them
    looks: SetAndDrawn  # of the whole page
    right: bool  # whether it is read from the right
    drawings: Sequence[Box]  # that are placed like pictures
    lattices: Sequence[TextTable]
    labels: Sequence[LayoutBox]
    choice: TableChoice
    flow: Sequence[Line] = ()
    grounds: Sequence[Box] = ()
    panels: Sequence[Box] = ()  # that no table goes across
    tables: Sequence[Region] = ()
    code: Sequence[Region] = ()
    figures: Sequence[Region] = ()
    formulas: Sequence[Region] = ()
    contents: Sequence[Region] = ()
    standing: Sequence[Line] = ()  # lines that run up or down in the middle of the page
    slanted: Sequence[Region] = ()
    margins: Sequence[Region] = ()  # what runs up or down beside the text, and what is stamped across it

    @property
    def mirror(self) -> Mirror:
        """A page read from right to left is put together in a mirror: there its lines begin at the left."""
        return partial(mirrored, width=self.width) if self.right else as_it_is

    @property
    def fixed(self) -> list[Region]:
        """The regions that stand before the other lines are put together."""
        return [*self.tables, *self.code, *self.figures, *self.formulas, *self.contents]


def sheet_of(
    layer: TextLayer, width: float, height: float, read: Sequence[Line] = (), sight: PageSight | None = None
) -> PageSheet:
    """The page with nothing taken off it but stamps; without sight, by the file alone."""
    stamps, lines = parted_from_watermarks(painted(layer.lines))
    pictures = [image for image in layer.images if image.area < BACKGROUND * width * height]
    drawings = placed_drawings(layer, lines, width, height)
    lattices = [t for t in layer.tables if sum(image.covers(t.box) for image in [*pictures, *drawings]) < PICTURED]
    whole = text_lines(lines, layer.bars) if sight is not None or lattices else []
    if sight is not None and not sight.looks(whole, layer.rules):
        sight = None
    labels = sight.labels(whole) if sight is not None else []
    return PageSheet(
        layer,
        width,
        height,
        read,
        lines,
        whole,
        looks=SetAndDrawn([span for line in lines for span in line.spans], layer.rules, layer.areas),
        right=runs_right(" ".join(line.text for line in lines)),
        drawings=drawings,
        lattices=lattices,
        labels=labels,
        choice=TableChoice(sight.grids if sight is not None else None, labels, layer.rules, layer.areas),
        margins=[alone(line, Category.PAGE_HEADER) for line in stamps],
    )


def painted(lines: Sequence[TextLine]) -> list[TextLine]:
    """Lines without the words that are drawn invisibly, unless all are: then the layer is a scan's."""
    if not any(span.visible for line in lines for span in line.spans):
        return list(lines)
    kept = [replace(line, spans=tuple(span for span in line.spans if span.visible)) for line in lines]
    return [line for line in kept if any(span.text.strip() for span in line.spans)]


def alone(line: TextLine, category: Category) -> Region:
    """The line as a region of its own."""
    return Region(line.box, category, (Draft(words(line), SOURCE),), words=inked(line.spans))


def inked(spans: Iterable[TextSpan]) -> tuple[PlacedWord, ...]:
    return tuple((span.box, span.text) for span in spans if span.text.strip())


def words(line: TextLine) -> str:
    return as_text(" ".join(line.text.split()))


def as_it_is(box: Box) -> Box:
    return box


def mirrored(box: Box, width: float) -> Box:
    return Box(width - box.x1, box.y0, width - box.x0, box.y1)


def parted_from_watermarks(lines: Sequence[TextLine]) -> tuple[list[TextLine], list[TextLine]]:
    """Watermarks, and all other lines."""
    unusual = [line for line in lines if line.slanted or _is_pale(line)]
    if not unusual or _letters(unusual) > MOST * _letters(lines):
        return [], list(lines)
    usual = median(_largest(line) for line in lines for _ in line.text)
    found = {id(line) for line in unusual if _is_stamped(line, lines, usual)}
    return parted(lines, lambda line: id(line) in found)


def _is_stamped(line: TextLine, lines: Sequence[TextLine], usual: float) -> bool:
    if line.slanted:
        return _largest(line) >= LARGE * usual
    if _largest(line) < HUGE * usual:
        return False
    crossed = sum(line.box.intersection(other.box) > 0 for other in lines if other is not line and not _is_pale(other))
    return crossed >= FEWEST_CROSSED


def _is_pale(line: TextLine) -> bool:
    return all(span.pale for span in line.spans if span.text.strip())


def _largest(line: TextLine) -> float:
    return max(span.size for span in line.spans)


def _letters(lines: Sequence[TextLine]) -> int:
    return sum(len(line.text) for line in lines)
