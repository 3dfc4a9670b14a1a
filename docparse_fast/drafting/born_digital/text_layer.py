"""A born-digital page from its own characters: exact. Knows what the file says; trained readers see its picture.

Tables, code, figures and displayed formulas are taken out of the page first; what is left are lines, and assembly makes
regions of them as it does of an OCR's.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from functools import partial

from docparse_fast.document import (
    Box,
    Category,
    Draft,
    Page,
    PageDraft,
    Region,
    TableCell,
    TextLayer,
    TextLine,
    TextSpan,
)
from docparse_fast.drafting.blocks.assembly import assemble
from docparse_fast.drafting.blocks.code_blocks import CodeBlock, code_blocks
from docparse_fast.drafting.blocks.contents_entries import parted_from_contents
from docparse_fast.drafting.blocks.joined_text import joined
from docparse_fast.drafting.blocks.panels import panels, parting_panels, standing_on_any
from docparse_fast.drafting.born_digital.author_blocks import one_by_one, parted_from_authors
from docparse_fast.drafting.born_digital.cell_marks import with_marks
from docparse_fast.drafting.born_digital.drawn_bullets import with_bullets
from docparse_fast.drafting.born_digital.drawn_figures import BACKGROUND, figure_boxes, placed_drawings
from docparse_fast.drafting.born_digital.emphasis import Style, usual_style
from docparse_fast.drafting.born_digital.flowing_lines import flowing_lines
from docparse_fast.drafting.born_digital.frames import frames
from docparse_fast.drafting.born_digital.lost_words import doubt_about
from docparse_fast.drafting.born_digital.sight import PageSight
from docparse_fast.drafting.born_digital.text_lines import SOURCE, text_lines
from docparse_fast.drafting.born_digital.turning import turned_upright
from docparse_fast.drafting.born_digital.watermarks import parted_from_watermarks
from docparse_fast.drafting.formulas.displayed import formulas
from docparse_fast.drafting.formulas.fragments import joined_lines, parted_lines
from docparse_fast.drafting.formulas.inline import has_formulas
from docparse_fast.drafting.learned import LearnedReaders
from docparse_fast.drafting.lines import LayoutBox, Line
from docparse_fast.drafting.tables.candidates import TableCandidate
from docparse_fast.drafting.tables.choosing import ChosenTable
from docparse_fast.drafting.tables.heads import SetAndDrawn, spanned_by_rules, with_heads
from docparse_fast.drafting.tables.page_tables import TableChoice, found_tables
from docparse_fast.drafting.tables.table_html import table_html
from docparse_fast.text.characters import runs_right
from docparse_fast.text.markup import as_text
from docparse_fast.text.placed_words import PlacedWord, in_boxes

Mirror = Callable[[Box], Box]

COVERED = 0.9  # of a painted area, from which another covers it
PADDED = 1.5  # a frame's area in those of the ground within it
FRAME = 3.0  # pixels from a ground's edge to a rule along it
PICTURED = 0.8  # of a lattice lies on a picture: a map's grid
LEVEL = 0.5  # of a formula's height: what shares as much stands beside it
MARGIN = 0.1  # of the page's width: text that runs up or down out there is no part of the page's text


class TextLayerDrafter:
    """`learned` readers see tables and headings that type and rules don't show; without them no picture is made.

    They are asked where a page may hold more than one flow of lines, or `always`.
    """

    name = SOURCE

    def __init__(self, learned: LearnedReaders | None = None, *, always: bool = False) -> None:
        self._learned = learned
        self._always = always

    def draft(self, page: Page, *, read: Sequence[Line] = ()) -> PageDraft:
        """`read` are lines that an OCR found where the layer is silent, on a page that stands upright."""
        layer = page.text_layer or TextLayer()
        upright = turned_upright(layer, page.width, page.height)
        sight = (
            PageSight(page, upright.turned, self._learned, always=self._always) if self._learned is not None else None
        )
        regions = reading_of(upright.layer, upright.width, upright.height, read=read, sight=sight)
        return PageDraft(
            page.number,
            upright.drafted_width,
            upright.drafted_height,
            tuple(region.moved(upright.place) for region in regions),
            self.name,
            turned=upright.turned,
            doubts=tuple(doubt_about(painted(upright.layer.lines), regions)),
        )


def as_it_stands(layer: TextLayer, page: Page) -> PageDraft:
    """The layer's lines from top to bottom, each a region: no rule looks at them."""
    lines = sorted(painted(layer.lines), key=lambda line: (line.box.y0, line.box.x0))
    regions = (_alone(line, Category.TEXT) for line in lines if line.text.strip())
    return PageDraft(page.number, page.width, page.height, tuple(regions), SOURCE)


def reading_of(
    layer: TextLayer, width: float, height: float, *, read: Sequence[Line] = (), sight: PageSight | None = None
) -> tuple[Region, ...]:
    """The page's regions in reading order."""
    stamps, lines = parted_from_watermarks(painted(layer.lines))
    right = runs_right(" ".join(line.text for line in lines))
    pictures = [image for image in layer.images if image.area < BACKGROUND * width * height]
    placed = placed_drawings(layer, lines, width, height)
    lattices = [t for t in layer.tables if sum(image.covers(t.box) for image in [*pictures, *placed]) < PICTURED]
    looks = SetAndDrawn([span for line in lines for span in line.spans], layer.rules, layer.areas)
    table = partial(_table, looks=looks, usual=usual_style(looks.spans), right=right)
    whole = text_lines(lines, layer.bars) if sight is not None or lattices else []
    labels, choice = _looked(sight, whole, layer)
    chosen = choice.of_lattices(lattices, whole)
    tables = [table(each) for each in chosen]
    lines = outside(lines, [made.box for made in tables])
    beside, lines = _parted(lines, lambda line: line.vertical and _in_margin(line.box, width))
    code, lines, layer = _code(layer, lines, height)
    figures, lines = _figures(layer, lines, [made.box for made in tables], placed, read, width, height, labels)
    figures = [f for f in figures if f.drafts or not any(f.box.holds(block.box) for block in code)]
    lines = with_bullets(lines, [*layer.images, *layer.areas])
    slanted, lines = _parted(lines, lambda line: line.slanted)
    standing, lines = _parted(lines, lambda line: line.vertical)
    lines = parted_lines(lines)
    displayed = formulas(lines, layer.bars or layer.rules)
    in_formulas = frozenset[int]().union(*(formula.lines for formula in displayed))
    lines = [line for n, line in enumerate(lines) if n not in in_formulas]
    set_lines = flowing_lines(text_lines(joined_lines(lines), layer.bars, variables=has_formulas(layer.lines)))
    grounds = [*layer.areas, *frames(layer.rules)]
    around, on_panels, free = _panels(grounds, set_lines, [*tables, *figures])
    authors, free = parted_from_authors(free)
    set_lines = [*free, *on_panels]
    contents, set_lines = parted_from_contents(set_lines)
    mirror = partial(mirrored, width=width) if right else as_it_is
    seen, rules = [line.moved(mirror) for line in set_lines], list(map(mirror, layer.rules))
    aligned = found_tables(seen, rules, list(map(mirror, layer.areas)))
    among = choice.of_lines(set_lines, [_seen_from(t, mirror, right=right) for t in aligned], around)
    tables += [table(each) for each in among]
    in_tables = frozenset[int]().union(*(each.candidate.lines for each in among))
    flat = [line for n, line in enumerate(set_lines) if n not in in_tables]
    flat += [*map(_as_it_stands, standing), *read]
    set_off = [Region(f.box, Category.FORMULA, (Draft(f.latex, SOURCE),)) for f in displayed]
    fixed = [*tables, *code, *figures, *set_off, *contents, *(row.whole for row in authors)]
    regions = one_by_one(_assembled(flat, width, height, fixed, mirror, labels, grounds), authors)
    aslant = (_alone(line, Category.TEXT) for line in slanted)
    return (*regions, *aslant, *(_alone(line, Category.PAGE_HEADER) for line in (*beside, *stamps)))


def _looked(
    sight: PageSight | None, lines: Sequence[Line], layer: TextLayer
) -> tuple[Sequence[LayoutBox], TableChoice]:
    """The layout model's labels, and the choice of tables with them; without sight, by the file alone."""
    labels = sight.labels(lines, layer.rules) if sight is not None else []
    return labels, TableChoice(sight.grids if sight is not None else None, labels, layer.rules, layer.areas)


def _panels(
    grounds: Sequence[Box], lines: Sequence[Line], placed: Sequence[Region]
) -> tuple[list[Box], list[Line], list[Line]]:
    """The panels that no table goes across, the lines on them, and the others."""
    boxes = [line.box for line in lines]
    around = parting_panels(panels(grounds, boxes, [each.box for each in placed]), boxes)
    held = standing_on_any(around, boxes)
    free = [line for n, line in enumerate(lines) if n not in held]
    return around, [lines[n] for n in sorted(held)], free


def _table(chosen: ChosenTable, looks: SetAndDrawn, usual: Style, *, right: bool) -> Region:
    """The table as it was chosen, and what else it may be; a page read from the right has its columns from there."""
    read = [_as_html(each, looks, usual, right=right) for each in (chosen.candidate, *chosen.rivals)]
    drafts = [Draft(text, SOURCE) for text in dict.fromkeys(read)]
    cells = sorted(chosen.candidate.cells, key=lambda cell: (cell.row, -cell.column if right else cell.column))
    words = in_boxes(_inked(looks.spans), [cell.box for cell in cells if cell.box is not None])
    quality = round(min(1.0, chosen.quality), 4)
    return Region(chosen.candidate.box, Category.TABLE, tuple(drafts), words=words, structure=quality)


def _as_html(candidate: TableCandidate, looks: SetAndDrawn, usual: Style, *, right: bool) -> str:
    cells = from_the_right(candidate.cells) if right else candidate.cells
    whole = [replace(cell, text=joined(cell.text.split("\n"))) for cell in cells]
    headed = with_heads(candidate.box, spanned_by_rules(candidate.box, whole, looks.rules), looks)
    return table_html(with_marks(candidate.box, headed, looks.spans, usual))


def _seen_from(table: TableCandidate, mirror: Mirror, *, right: bool) -> TableCandidate:
    """As it stands on the page: columns of a mirrored page are counted from its left, like those of all readers."""
    cells = [_placed(cell, mirror) for cell in table.cells]
    return replace(table, box=mirror(table.box), cells=tuple(from_the_right(cells) if right else cells))


def _placed(cell: TableCell, mirror: Mirror) -> TableCell:
    return replace(cell, box=mirror(cell.box)) if cell.box is not None else cell


def _assembled(
    lines: Sequence[Line],
    width: float,
    height: float,
    fixed: Sequence[Region],
    mirror: Mirror,
    labels: Sequence[LayoutBox],
    grounds: Sequence[Box],
) -> tuple[Region, ...]:
    """A page read from right to left is put together in a mirror: there its lines begin at the left."""
    seen = [line.moved(mirror) for line in lines]
    placed = [region.moved(mirror) for region in fixed]
    layout = [replace(label, box=mirror(label.box)) for label in labels if label.category is not Category.TABLE]
    made = assemble(seen, width, height, layout=layout, fixed=placed, grounds=list(map(mirror, grounds)))
    return tuple(region.moved(mirror) for region in made)


def as_it_is(box: Box) -> Box:
    return box


def mirrored(box: Box, width: float) -> Box:
    return Box(width - box.x1, box.y0, width - box.x0, box.y1)


def from_the_right(cells: Sequence[TableCell]) -> list[TableCell]:
    """A table's cells, its first column the one at the right."""
    width = max((cell.column + cell.columns for cell in cells), default=0)
    return [replace(cell, column=width - cell.column - cell.columns) for cell in cells]


def _code(layer: TextLayer, lines: list[TextLine], height: float) -> tuple[list[Region], list[TextLine], TextLayer]:
    """Code as finished regions, the lines that are left, and the layer without what is painted behind code."""
    framed = frames(layer.rules, labelled=True)
    blocks = code_blocks(lines, [*layer.areas, *framed], height)
    taken = frozenset[int]().union(*(block.lines for block in blocks))
    grounds = [block.ground for block in blocks if block.ground is not None]
    grounds += [box for box in framed if any(box.covers(g) > COVERED and box.area < PADDED * g.area for g in grounds)]
    areas = tuple(area for area in layer.areas if not any(ground.covers(area) > COVERED for ground in grounds))
    rules = tuple(rule for rule in layer.rules if not any(_frames(ground, rule) for ground in grounds))
    regions = [Region(b.box, Category.CODE, (Draft(b.text, SOURCE),), words=_within(b, lines)) for b in blocks]
    return regions, [line for n, line in enumerate(lines) if n not in taken], replace(layer, areas=areas, rules=rules)


def _within(block: CodeBlock, lines: Sequence[TextLine]) -> tuple[PlacedWord, ...]:
    return _inked(span for n in sorted(block.lines) for span in lines[n].spans)


def _frames(ground: Box, rule: Box) -> bool:
    """Whether the rule is a side of the frame around code, or lies in it."""
    around = ground.expanded(FRAME)
    return around.x0 <= rule.x0 and rule.x1 <= around.x1 and around.y0 <= rule.y0 and rule.y1 <= around.y1


def outside(lines: Sequence[TextLine], boxes: Sequence[Box]) -> list[TextLine]:
    """The words that stand in none of `boxes`: a line may run out of a table, or through it."""
    if not boxes:
        return list(lines)
    kept = [_with_spans(line, [s for s in line.spans if not any(box.holds(s.box) for box in boxes)]) for line in lines]
    return [line for line in kept if line.text.strip()]


def _with_spans(line: TextLine, spans: Sequence[TextSpan]) -> TextLine:
    if len(spans) == len(line.spans):
        return line
    return replace(line, box=Box.around(span.box for span in spans) if spans else line.box, spans=tuple(spans))


def painted(lines: Sequence[TextLine]) -> list[TextLine]:
    """Lines without the words that are drawn invisibly, unless all are: then the layer is a scan's."""
    if not any(span.visible for line in lines for span in line.spans):
        return list(lines)
    kept = [replace(line, spans=tuple(span for span in line.spans if span.visible)) for line in lines]
    return [line for line in kept if any(span.text.strip() for span in line.spans)]


def _figures(
    layer: TextLayer,
    lines: list[TextLine],
    tables: Sequence[Box],
    placed: Sequence[Box],
    read: Sequence[Line],
    width: float,
    height: float,
    labels: Sequence[LayoutBox],
) -> tuple[list[Region], list[TextLine]]:
    """Figures as finished regions, with the words that stand in them, and the lines that are left."""
    made = []
    for box in figure_boxes(layer, lines, tables, placed, width, height, labels):
        if any(box.holds(line.box) for line in read):
            continue  # a scanned piece of text
        inside, lines = _parted(lines, lambda line, box=box: box.holds(line.box))  # type: ignore[misc]
        made.append(_figure(box, inside))
    return made, lines


def _figure(box: Box, lines: Sequence[TextLine]) -> Region:
    lines = sorted(lines, key=lambda line: (line.box.y0, line.box.x0))
    words = " ".join(map(_words, lines))
    return Region(
        box,
        Category.FIGURE,
        (Draft(words, SOURCE),) if words else (),
        words=_inked(span for line in lines for span in line.spans),
    )


def _as_it_stands(line: TextLine) -> Line:
    """A line that runs up or down in the middle of a page: its words, in a box of its own."""
    text = " ".join(line.text.split())
    return Line(line.box, text, max(span.size for span in line.spans), SOURCE)


def _alone(line: TextLine, category: Category) -> Region:
    return Region(line.box, category, (Draft(_words(line), SOURCE),), words=_inked(line.spans))


def _inked(spans: Iterable[TextSpan]) -> tuple[PlacedWord, ...]:
    return tuple((span.box, span.text) for span in spans if span.text.strip())


def _words(line: TextLine) -> str:
    return as_text(" ".join(line.text.split()))


def _in_margin(box: Box, width: float) -> bool:
    return box.x1 < MARGIN * width or box.x0 > (1 - MARGIN) * width


def _parted(lines: Sequence[TextLine], belongs: Callable[[TextLine], bool]) -> tuple[list[TextLine], list[TextLine]]:
    return [line for line in lines if belongs(line)], [line for line in lines if not belongs(line)]
