"""A born-digital page from its own characters: exact. Knows what the file says; trained readers see its picture.

`FINDERS` take what is no running text off the page; what is left are lines, and assembly makes regions of them as it
does of an OCR's.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from itertools import chain

from docparse_fast.document import (
    Box,
    Category,
    Draft,
    Page,
    PageDraft,
    Region,
    TextLayer,
    TextLine,
    TextSpan,
    with_instead,
)
from docparse_fast.drafting.blocks.algorithm_steps import algorithms
from docparse_fast.drafting.blocks.assembly import assemble
from docparse_fast.drafting.blocks.code_blocks import CodeBlock, code_blocks
from docparse_fast.drafting.blocks.contents_entries import parted_from_contents
from docparse_fast.drafting.blocks.line_numbers import line_numbers
from docparse_fast.drafting.blocks.panels import panels, parting_panels
from docparse_fast.drafting.blocks.paragraphs import item_text
from docparse_fast.drafting.born_digital.drawn_figures import figure_boxes, with_bullets, without_bullets
from docparse_fast.drafting.born_digital.font_weights import with_weights
from docparse_fast.drafting.born_digital.layer_tables import seen_from, table_region
from docparse_fast.drafting.born_digital.sheet import PageSheet, PageSight, alone, inked, painted, sheet_of, words
from docparse_fast.drafting.born_digital.soundness import doubt_about
from docparse_fast.drafting.born_digital.text_lines import SOURCE, flowing_lines, text_lines
from docparse_fast.drafting.born_digital.turning import turned_upright
from docparse_fast.drafting.formulas.displayed import Formula, formulas
from docparse_fast.drafting.formulas.fragments import joined_lines
from docparse_fast.drafting.formulas.inline import has_formulas
from docparse_fast.drafting.learned import LearnedReaders
from docparse_fast.drafting.lines import Line, largest_type
from docparse_fast.drafting.measures import SAME_DRAWN, WITHIN
from docparse_fast.drafting.tables.choosing import ChosenTable
from docparse_fast.drafting.tables.fields import led_lists
from docparse_fast.drafting.tables.places import rows_of
from docparse_fast.drafting.tables.turned_heads import with_turned_heads
from docparse_fast.geometry import around, not_in, parted
from docparse_fast.lattices.frames import frames, parted_frames
from docparse_fast.lattices.sides import beside_uprights

TYPED_RULE = re.compile(r"(?:[.·_=*~—–-]\s*){8,}|\s*")  # drawn with type


class TextLayerDrafter:
    """`learned` readers see tables and headings that type and rules don't show; without them no picture is made.

    They are asked where a page may hold more than one flow of lines, or `always`.
    """

    name = SOURCE

    def __init__(self, learned: LearnedReaders | None = None, *, always: bool = False) -> None:
        self._learned = learned
        self._always = always

    def draft(self, page: Page, *, read: Sequence[Line] = (), layer: TextLayer | None = None) -> PageDraft:
        """`read` are lines that an OCR found where the page's layer is silent, on a page that stands upright."""
        layer = with_weights(layer or page.text_layer or TextLayer(), page)
        upright = turned_upright(layer, page.width, page.height)
        sight = PageSight(page, upright.turned, self._learned, always=self._always) if self._learned else None
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
    regions = (alone(line, Category.TEXT) for line in lines if line.text.strip())
    return PageDraft(page.number, page.width, page.height, tuple(regions), SOURCE)


def reading_of(
    layer: TextLayer, width: float, height: float, *, read: Sequence[Line] = (), sight: PageSight | None = None
) -> tuple[Region, ...]:
    """The page's regions in reading order."""
    sheet = sheet_of(layer, width, height, read, sight)
    for find in FINDERS:
        sheet = find(sheet)
    return (*with_instead(_assembled(sheet), sheet.beaten), *sheet.slanted, *sheet.margins)


def _assembled(sheet: PageSheet) -> list[Region]:
    """What stands already and the lines that are left, in reading order."""
    mirror = sheet.mirror
    lines = [line.moved(mirror) for line in (*sheet.flow, *sheet.standing, *sheet.read)]
    placed = [region.moved(mirror) for region in sheet.fixed]
    counts = [mirror(number.box) for number in sheet.margins if number.category is Category.PAGE_NUMBER]
    misled = {Category.TABLE, Category.LIST_ITEM} if counts else {Category.TABLE}  # lines with numbers look like items
    labels = [label for label in sheet.labels if label.category not in misled]
    layout, grounds = [replace(label, box=mirror(label.box)) for label in labels], list(map(mirror, sheet.grounds))
    rules = list(map(mirror, sheet.layer.rules))
    among = partial(assemble, layout=layout, fixed=placed, grounds=grounds, rules=rules, counts=counts)
    made = among(lines, sheet.width, sheet.height)
    return [region.moved(mirror) for region in made]


# -------------------------------------------------------------------------------------------- finders

Finder = Callable[[PageSheet], PageSheet]

PADDED = 1.5  # a frame's area in those of the ground within it
MARGIN = 0.1  # of the page's width: text that runs up or down out there is no part of the page's text


def drawn_tables(sheet: PageSheet) -> PageSheet:
    """Tables whose rules are drawn, with the words that stand in them; words of a line may go on outside."""
    taken = _with_tables(sheet, sheet.choice.of_lattices(sheet.lattices, sheet.whole))
    return replace(taken, lines=outside(sheet.lines, [table.box for table in taken.tables]))


def margin_text(sheet: PageSheet) -> PageSheet:
    left, right = MARGIN * sheet.width, (1 - MARGIN) * sheet.width
    beside, lines = parted(sheet.lines, lambda line: line.vertical and (line.box.x1 < left or line.box.x0 > right))
    margins = [*(alone(line, Category.PAGE_HEADER) for line in beside), *sheet.margins]
    return replace(sheet, lines=lines, margins=margins)


def code(sheet: PageSheet) -> PageSheet:
    """Code, and what is painted behind it."""
    layer = sheet.layer
    framed = frames(layer.rules, labelled=True)
    blocks = code_blocks(sheet.lines, [*layer.areas, *framed], sheet.height)
    blocks += algorithms(sheet.lines, chain.from_iterable(block.lines for block in blocks))
    grounds = [block.ground for block in blocks if block.ground is not None]
    grounds += [box for box in framed if any(box.covers(g) > WITHIN and box.area < PADDED * g.area for g in grounds)]
    areas = tuple(area for area in layer.areas if not any(ground.covers(area) > WITHIN for ground in grounds))
    rules = tuple(rule for rule in layer.rules if not any(_frames(ground, rule) for ground in grounds))
    return replace(
        sheet,
        layer=replace(layer, areas=areas, rules=rules),
        lines=not_in(sheet.lines, (block.lines for block in blocks)),
        code=[_code_region(block, sheet.lines) for block in blocks],
    )


def figures(sheet: PageSheet) -> PageSheet:
    """Pictures and drawings, with the words that stand in them."""
    lines, made = list(sheet.lines), []
    boxes = [table.box for table in sheet.tables]
    layer = replace(sheet.layer, areas=tuple(without_bullets(sheet.layer.areas, lines)))
    for box in figure_boxes(layer, lines, boxes, sheet.drawings, sheet.width, sheet.height, sheet.labels):
        if any(box.holds(line.box) for line in sheet.read):
            continue  # a scanned piece of text
        inside, lines = parted(lines, lambda line, box=box: box.holds(line.box))  # type: ignore[misc]
        made.append(_figure(box, inside))
    kept = [f for f in made if f.drafts or not any(f.box.holds(block.box) for block in sheet.code)]
    return replace(sheet, lines=lines, figures=kept)


def bullets(sheet: PageSheet) -> PageSheet:
    """Bullets that are drawn become their lines' first character."""
    return replace(sheet, lines=with_bullets(sheet.lines, [*sheet.layer.images, *sheet.layer.areas]))


def turned_lines(sheet: PageSheet) -> PageSheet:
    """Lines aslant, and those that run up or down."""
    slanted, lines = parted(sheet.lines, lambda line: line.slanted)
    standing, lines = parted(lines, lambda line: line.vertical)
    return replace(
        sheet,
        lines=lines,
        slanted=[alone(line, Category.TEXT) for line in slanted],
        standing=[_as_it_stands(line) for line in standing],
    )


def displayed_formulas(sheet: PageSheet) -> PageSheet:
    displayed = formulas(sheet.lines, sheet.layer.bars or sheet.layer.rules)
    return replace(
        sheet,
        lines=not_in(sheet.lines, (formula.lines for formula in displayed)),
        formulas=list(map(_formula_region, displayed)),
    )


def _formula_region(formula: Formula) -> Region:
    if item := item_text(f"{formula.marker} ${formula.latex}$"):
        return Region(formula.box, Category.LIST_ITEM, (Draft(item, SOURCE),))
    return Region(formula.box, Category.FORMULA, (Draft(formula.latex, SOURCE),))


def lines_in_order(sheet: PageSheet) -> PageSheet:
    """What is left is set in order: pieces of a line together, and emphasis, scripts and formulas written."""
    layer = sheet.layer
    whole = text_lines(joined_lines(sheet.lines), layer.bars, sheet.made, variables=has_formulas(layer.lines))
    return replace(sheet, lines=(), flow=flowing_lines(whole), grounds=[*layer.areas, *parted_frames(layer.rules)])


def numbers_of_lines(sheet: PageSheet) -> PageSheet:
    """Numbers that count lines are no part of the text."""
    counting = line_numbers(sheet.flow)
    lines = (sheet.flow[n] for n in sorted(counting))
    beside = [Region(each.box, Category.PAGE_NUMBER, (Draft(each.plain, SOURCE),), words=each.words) for each in lines]
    return replace(sheet, flow=not_in(sheet.flow, [counting]), margins=[*sheet.margins, *beside])


def grounds_of_their_own(sheet: PageSheet) -> PageSheet:
    """Panels that no table goes across."""
    boxes = [line.box for line in sheet.flow]
    placed = [each.box for each in (*sheet.tables, *sheet.figures)]
    grounds = [*sheet.grounds, *beside_uprights(sheet.layer.rules, boxes)]
    around = parting_panels(panels(grounds, boxes, placed), boxes)
    return replace(sheet, grounds=grounds, panels=around)


def contents(sheet: PageSheet) -> PageSheet:
    entries, flow = parted_from_contents(sheet.flow)
    return replace(sheet, flow=flow, contents=entries)


def tables_among_lines(sheet: PageSheet) -> PageSheet:
    """Tables without a lattice."""
    mirror = sheet.mirror
    seen = [line.moved(mirror) for line in sheet.flow]
    contents = [seen_from(table, mirror, right=sheet.right) for table in led_lists(seen)]
    among, standing = list[ChosenTable](), list(sheet.standing)
    for each in sheet.choice.of_lines(sheet.flow, contents, sheet.panels):
        headed, heads = with_turned_heads(each.candidate, standing, sheet.flow)
        among.append(replace(each, candidate=headed))
        standing = [line for line in standing if line not in heads]
    rest = not_in(sheet.flow, (each.candidate.lines for each in among))
    flow = [line for line in rest if not TYPED_RULE.fullmatch(line.plain)]
    return replace(_with_tables(sheet, among), flow=flow, standing=standing)


FINDERS: tuple[Finder, ...] = (
    drawn_tables,
    margin_text,
    code,
    figures,
    bullets,
    turned_lines,
    displayed_formulas,
    lines_in_order,
    numbers_of_lines,
    grounds_of_their_own,
    contents,
    tables_among_lines,
)


def _with_tables(sheet: PageSheet, chosen: Sequence[ChosenTable]) -> PageSheet:
    region = partial(table_region, looks=sheet.looks, right=sheet.right)
    return replace(sheet, tables=[*sheet.tables, *map(region, chosen)], beaten=[*map(region, sheet.choice.beaten)])


def outside(lines: Sequence[TextLine], boxes: Sequence[Box]) -> list[TextLine]:
    """The words that stand in none of `boxes`: a line may run out of a table, or through it."""
    if not boxes:
        return list(lines)
    kept = [_with_spans(line, [s for s in line.spans if not any(box.holds(s.box) for box in boxes)]) for line in lines]
    return [line for line in kept if line.text.strip()]


def _with_spans(line: TextLine, spans: Sequence[TextSpan]) -> TextLine:
    if len(spans) == len(line.spans):
        return line
    return replace(line, box=around(spans) if spans else line.box, spans=tuple(spans))


def _code_region(block: CodeBlock, lines: Sequence[TextLine]) -> Region:
    within = inked(span for n in sorted(block.lines) for span in lines[n].spans)
    return Region(block.box, Category.CODE, (Draft(block.text, SOURCE),), words=within)


def _frames(ground: Box, rule: Box) -> bool:
    """Whether the rule is a side of the frame around code, or lies in it."""
    around = ground.expanded(SAME_DRAWN)
    return around.x0 <= rule.x0 and rule.x1 <= around.x1 and around.y0 <= rule.y0 and rule.y1 <= around.y1


def _figure(box: Box, lines: Sequence[TextLine]) -> Region:
    ordered = [lines[n] for row in rows_of(lines, range(len(lines))) for n in row]
    text = " ".join(map(words, ordered))
    within = inked(span for line in lines for span in line.spans)
    return Region(box, Category.FIGURE, (Draft(text, SOURCE),) if text else (), words=within)


def _as_it_stands(line: TextLine) -> Line:
    """A line that runs up or down in the middle of a page: its words, in a box of its own."""
    return Line(line.box, " ".join(line.text.split()), largest_type(line.spans), SOURCE)
