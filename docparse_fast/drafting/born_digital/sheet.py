"""A page with a text layer while it is read: what finders have taken off it, and what is left.

Knows what the file says and, where the page is worth a look, how it looks and the layout model's labels; finds nothing
itself (`text_layer.py` does) but stamps over it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial
from itertools import pairwise, product
from statistics import median

import numpy as np

from docparse_fast.document import Box, Category, Draft, Page, Region, TextLayer, TextLine, TextSpan, TextTable
from docparse_fast.drafting.blocks.fragments import MARKER_GAP
from docparse_fast.drafting.blocks.panels import panels
from docparse_fast.drafting.born_digital.drawn_figures import no_grounds, placed_drawings
from docparse_fast.drafting.born_digital.text_lines import SOURCE, MadeLines, text_lines
from docparse_fast.drafting.learned import LearnedReaders
from docparse_fast.drafting.lines import LayoutBox, Line, largest_type, letters_in, printed
from docparse_fast.drafting.measures import ENOUGH, LEVEL, MOST, MOSTLY, SEVERAL
from docparse_fast.drafting.tables.candidates import TableCandidate
from docparse_fast.drafting.tables.heads import SetAndDrawn
from docparse_fast.drafting.tables.page_tables import TableChoice
from docparse_fast.drafting.tables.readers import GridReaders
from docparse_fast.drafting.words import LONGEST_MARKER
from docparse_fast.geometry import parted
from docparse_fast.system.late import Image
from docparse_fast.text.characters import runs_right
from docparse_fast.text.markup import as_text
from docparse_fast.text.placed_words import PlacedWord
from docparse_fast.work import may_cost

POINTS = 72  # to the inch
LEADERS = (".", "…", "·", "_")
MOST_LINES = 700  # about 2 ms each in the layout model: a map's labels would take many seconds


class PageSight:
    """One page, set upright, for readers that look."""

    def __init__(self, page: Page, turned: int, readers: LearnedReaders, *, always: bool = False) -> None:
        self._always = always
        self._page = page
        self._turned = turned
        self._readers = readers

    @cached_property
    def picture(self) -> Image.Image:
        image = self._page.image
        return image.rotate(-self._turned, expand=True) if self._turned else image

    def looks(self, lines: Sequence[Line], layer: TextLayer) -> bool:
        """Whether the page is worth it: what is one flow of lines needs no picture and no network."""
        boxes = [line.box for line in lines]
        return bool(lines) and (self._always or is_worth_a_look(lines, layer.rules) or bool(panels(layer.areas, boxes)))

    def grids(self, lines: Sequence[Line], numbers: Sequence[int], rules: Sequence[Box]) -> Iterator[TableCandidate]:
        """The readings of a table of these lines that see it."""
        readers = GridReaders(self._readers.tables, self._readers.grid_lines)
        return readers.read(lambda: self.picture, lines, numbers, rules)

    def labels(self, lines: Sequence[Line]) -> list[LayoutBox]:
        """The layout model's; none of a page that has too many lines, or too much to draw."""
        if len(lines) > MOST_LINES or not may_cost(self._page.drawing_steps(), "what the layout model would see"):
            return []
        as_drawn = None if self._turned else self._page.as_drawn()
        if as_drawn is not None:
            return self._readers.layout.seen(as_drawn, self._page.dpi / POINTS)
        return self._readers.layout.find(np.asarray(self.picture.convert("RGB")), lines)


def is_worth_a_look(lines: Sequence[Line], rules: Sequence[Box]) -> bool:
    """Whether the page may hold more than one flow of lines: rules across it, or rows of pieces side by side."""
    # a running head and a formula with its number are two rows of pieces
    return _rows_of_pieces(lines) >= ENOUGH or _open_rules(lines, rules) >= ENOUGH


def _open_rules(lines: Sequence[Line], rules: Sequence[Box]) -> int:
    """How many rules across may part rows: none under the page's head or over its foot, no edge of a frame.

    Manuals frame their code and notes: of 148 of their pages with three rules 137 have fewer that are open.
    """
    near = max(1.0, median(line.box.height for line in lines) / 2)
    levels = sorted(line.box.center[1] for line in lines)
    across, upright = parted(rules, lambda rule: rule.width > rule.height)
    corners = _near_ends(upright, near)
    inner = [rule for rule in across if levels[:2][-1] < rule.center[1] < levels[-2:][0]]
    return sum(not {_place(x, rule.center[1], near) for x in (rule.x0, rule.x1)} <= corners for rule in inner)


def _near_ends(upright: Iterable[Box], near: float) -> set[tuple[int, int]]:
    ends = (_place(rule.center[0], y, near) for rule in upright for y in (rule.y0, rule.y1))
    return {(x + a, y + b) for x, y in ends for a, b in product((-1, 0, 1), repeat=2)}


def _place(x: float, y: float, near: float) -> tuple[int, int]:
    return round(x / near), round(y / near)


def _rows_of_pieces(lines: Sequence[Line]) -> int:
    """How many lines have another one level with them: no code, no marker before its item, no page behind leaders."""
    ordered = sorted((line for line in lines if not line.mono), key=lambda line: (line.box.center[1], line.box.x0))
    return sum(
        abs(a.box.center[1] - b.box.center[1]) < LEVEL * min(a.box.height, b.box.height) and not _is_one_flow(a, b)
        for a, b in pairwise(ordered)
    )


def _is_one_flow(before: Line, after: Line) -> bool:
    left, right = sorted((before, after), key=lambda line: line.box.x0)
    marker = len(left.plain) <= LONGEST_MARKER and right.box.x0 - left.box.x1 < MARKER_GAP * right.box.height
    return marker or (right.plain.isalnum() and len(right.plain) <= LONGEST_MARKER and left.plain.endswith(LEADERS))


Mirror = Callable[[Box], Box]

LARGE = 2.0  # of the usual type's size, from which words aslant are stamped on the page
HUGE = 3.0  # likewise for level words, which must be pale and lie under others too


@dataclass(frozen=True, slots=True)
class PageSheet:
    """`lines`, and once they are set in order `flow`, are what no finder has taken yet."""

    layer: TextLayer  # what is drawn behind code leaves it with the code
    width: float
    height: float
    read: Sequence[Line]  # by an OCR, where the layer is silent
    lines: Sequence[TextLine]
    whole: Sequence[Line]  # all lines in order, where a model or a lattice asks for them
    made: MadeLines  # of words that may be asked for again
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
    beaten: Sequence[Region] = ()  # tables that are drafts alone
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
    pictures = no_grounds(layer.images, width, height)
    drawings = placed_drawings(layer, lines, width, height)
    lattices = [t for t in layer.tables if sum(image.covers(t.box) for image in [*pictures, *drawings]) < MOSTLY]
    made: MadeLines = {}
    whole = text_lines(lines, layer.bars, made) if sight is not None or lattices else []
    if sight is not None and not sight.looks(whole, layer):
        sight = None
    labels = sight.labels(whole) if sight is not None else []
    return PageSheet(
        layer,
        width,
        height,
        read,
        lines,
        whole,
        made,
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
    return tuple((span.box, span.text) for span in printed(spans))


def words(line: TextLine) -> str:
    return as_text(" ".join(line.text.split()))


def as_it_is(box: Box) -> Box:
    return box


def mirrored(box: Box, width: float) -> Box:
    return Box(width - box.x1, box.y0, width - box.x0, box.y1)


def parted_from_watermarks(lines: Sequence[TextLine]) -> tuple[list[TextLine], list[TextLine]]:
    """Watermarks, and all other lines."""
    unusual = [line for line in lines if line.slanted or _is_pale(line)]
    if not unusual or letters_in(unusual) > MOST * letters_in(lines):
        return [], list(lines)
    usual = median(largest_type(line.spans) for line in lines for _ in line.text)
    found = {id(line) for line in unusual if _is_stamped(line, lines, usual)}
    return parted(lines, lambda line: id(line) in found)


def _is_stamped(line: TextLine, lines: Sequence[TextLine], usual: float) -> bool:
    size = largest_type(line.spans)
    if line.slanted or size < HUGE * usual:
        return line.slanted and size >= LARGE * usual
    crossed = sum(line.box.intersection(other.box) > 0 for other in lines if other is not line and not _is_pale(other))
    return crossed >= SEVERAL


def _is_pale(line: TextLine) -> bool:
    return all(span.pale for span in printed(line.spans))
