"""Assembles lines, labelled boxes and finished regions into one page's regions, in reading order.

OCR and text layers both use it. Knows geometry and typography; reads no pixels and runs no model. Each line goes into
exactly one region.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from statistics import median

from docparse_fast.document import FURNITURE, HEADINGS, SUPPOSED, Box, Category, Draft, Region
from docparse_fast.drafting.blocks import headings
from docparse_fast.drafting.blocks.drafted_block import DraftedBlock, text_of
from docparse_fast.drafting.blocks.fragments import whole_lines
from docparse_fast.drafting.blocks.furniture import furniture
from docparse_fast.drafting.blocks.heading_evidence import Around, PageOfBlocks, is_heading, measured
from docparse_fast.drafting.blocks.joined_text import hyphenated
from docparse_fast.drafting.blocks.leading import LineStep, steps_run_on
from docparse_fast.drafting.blocks.line_ends import rooms, set_line_by_line
from docparse_fast.drafting.blocks.panels import head_of, level_panels, panels, standing_on_any
from docparse_fast.drafting.blocks.paragraphs import item_text, paragraphs, runs_on
from docparse_fast.drafting.blocks.reading_order import columns
from docparse_fast.drafting.blocks.right_margins import goes_on_in_row, right_margins
from docparse_fast.drafting.blocks.rules import ruled
from docparse_fast.drafting.blocks.stacks import parted_by_stacks, rows
from docparse_fast.drafting.lines import LayoutBox, Line, draft_of, extent, words_of
from docparse_fast.drafting.measures import Measures, body_size, of_one_type
from docparse_fast.drafting.words import CAPTION, MARKER
from docparse_fast.geometry import runs
from docparse_fast.text.characters import CJK
from docparse_fast.text.marks import unmarked

DISPLAY = 1.3  # of the usual type: larger is a title
HELD = 0.5  # part of a line that a labelled box must cover to speak for it
LONGEST_HEADING = 250  # characters; a longer "heading" is text
RUNNING = frozenset({Category.TEXT, Category.LIST_ITEM, None})
ONE_PIECE = HEADINGS | {Category.CAPTION, Category.FORMULA}  # labels whose box is one region, however it is set
LABELLED = "layout"  # the layout model's label said so
JUDGED = "heading judge"  # type, place, words and label together
FORMULA_LINES = 6  # more lines than this are no formula
DOWNWARDS = 1.5  # height over width, from which a line is written from top to bottom


def downwards(lines: Sequence[Line]) -> bool:
    """Whether a page is written in columns from top to bottom, as Chinese may be."""
    tall = [line for line in lines if len(line.plain) > 1 and line.box.height > DOWNWARDS * line.box.width]
    characters = sum(len(line.plain) for line in lines)
    return sum(len(line.plain) for line in tall if CJK.search(line.plain)) > characters / 2


def assemble(
    lines: Sequence[Line],
    width: float,
    height: float,
    *,
    layout: Sequence[LayoutBox] = (),
    fixed: Sequence[Region] = (),
    grounds: Sequence[Box] = (),
) -> tuple[Region, ...]:
    """One page's regions in reading order. `fixed` regions (tables, figures) are placed among them as they are.

    `grounds` are painted or framed, and may be panels.
    """
    if downwards(lines):  # its columns, the right one first, are lines from the top of the page turned left
        level = [line.moved(lambda box: box.turned_left(width)) for line in lines]
        labelled = [replace(label, box=label.box.turned_left(width)) for label in layout]
        laid = [region.moved(lambda box: box.turned_left(width)) for region in fixed]
        read = assemble(level, height, width, layout=labelled, fixed=laid)
        return tuple(region.moved(lambda box: box.turned_right(width)) for region in read)
    around = panels(grounds, [extent(line) for line in lines], [region.box for region in fixed])
    lines = _whole_lines(lines, around)
    if not lines:
        return tuple(sorted(fixed, key=lambda region: (region.box.y0, region.box.x0)))
    body = body_size(lines)
    labels = _labels(lines, layout)
    kinds = {index: layout[label].category for index, label in labels.items()}
    outside, supposed = furniture(lines, kinds, height, body, [region.box for region in fixed], wide=width > height)
    on_panels = standing_on_any(around, [line.box for line in lines])
    outside = {index: kind for index, kind in outside.items() if index not in on_panels}
    inside = [index for index in range(len(lines)) if index not in outside]
    blocks, room = _blocks(lines, inside, labels, kinds, fixed, around)
    blocks = _of_one_piece(lines, blocks, labels, kinds)
    page = PageOfBlocks(lines, body, height, looked=bool(layout))
    terms = hyphenated(line.text for line in lines)
    near = [_as_neighbour(block, lines) for block in blocks]
    beside_each = zip([None, *near[:-1]], [*near[1:], None], strict=True)
    made = [
        _region(block, lines, kinds, room, Around(above, below, number), page, terms)
        for number, (block, (above, below)) in enumerate(zip(blocks, beside_each, strict=True))
    ]
    apart = [lines[index] for index in supposed]
    regions = [_supposed(block, apart).finished for block in ruled(made, Measures(body, height))]
    framed = [_furniture_region(lines[index], category) for index, category in outside.items()]
    framed.sort(key=lambda region: (region.box.y0, region.box.x0))
    head = [region for region in framed if region.box.center[1] < height / 2]
    foot = [region for region in framed if region.box.center[1] >= height / 2]
    footnotes = [region for region in regions if region.category is Category.FOOTNOTE]
    text = [region for region in regions if region.category is not Category.FOOTNOTE]
    # a note at the foot of one column interrupts a sentence that the next goes on with
    return (*head, *text, *footnotes, *foot)


# A block is what becomes one region: the indexes of its lines, or a region that was given.
Block = list[int] | Region


def _whole_lines(lines: Sequence[Line], around: Sequence[Box]) -> list[Line]:
    """Fragments of one line as one: none goes on over a panel's edge."""
    parts = [[line for line in lines if panel.holds(line.box)] for panel in around]
    free = [line for line in lines if not any(panel.holds(line.box) for panel in around)]
    return [line for part in (free, *parts) if part for line in whole_lines(part)]


def _labels(lines: Sequence[Line], layout: Sequence[LayoutBox]) -> dict[int, int]:
    """For each line, the smallest labelled box that holds it."""
    found: dict[int, int] = {}
    for index, line in enumerate(lines):
        holders = [i for i, labelled in enumerate(layout) if labelled.box.covers(line.box) > HELD]
        if holders:
            found[index] = min(holders, key=lambda i: layout[i].box.area)
    return found


def _blocks(
    lines: Sequence[Line],
    inside: Sequence[int],
    labels: Mapping[int, int],
    kinds: Mapping[int, Category],
    fixed: Sequence[Region],
    around: Sequence[Box] = (),
    walls: Sequence[Box] = (),
) -> tuple[list[Block], dict[int, float]]:
    """The blocks in reading order, and what each line leaves free up to `walls`; a panel's stand together."""
    free_lines = [n for n in inside if not any(panel.holds(lines[n].box) for panel in around)]
    free = [region for region in fixed if not any(panel.holds(region.box) for panel in around)]
    boxes = [*(extent(lines[n]) for n in free_lines), *(region.box for region in free)]
    parts = [_part(row, lines, inside, fixed) for row in level_panels(around, boxes)]
    unit = median(lines[n].box.height for n in free_lines) if free_lines else 1.0
    blocks: list[Block] = []
    room: dict[int, float] = {}
    steps = steps_run_on([lines[n] for n in free_lines])
    boxes += [part.whole for part in parts]
    boxes = _with_wide_head(boxes, unit)
    for column in columns(boxes, unit) if boxes else ():
        there = [free_lines[member] for member in column if member < len(free_lines)]
        room.update(zip(there, rooms([lines[index] for index in there], [*boxes, *walls]), strict=True))
        order = [member for row in rows(boxes, column) for member in row]
        set_free = {member: lines[free_lines[member]] for member in order if member < len(free_lines)}
        for part in parted_by_stacks(order, set_free, boxes):
            run: list[int] = []
            for member in part:
                if member in set_free:
                    run.append(free_lines[member])
                    continue
                blocks += _paragraphs(lines, run, labels, kinds, steps)
                run = []
                at = member - len(free_lines)
                if at < len(free):
                    blocks.append(free[at])
                    continue
                for panel, numbers, regions in parts[at - len(free)].panels:
                    wall = _inner_edge(panel, [lines[n].box for n in numbers])
                    within, left = _blocks(lines, numbers, labels, kinds, regions, walls=wall)
                    blocks += within
                    room |= left
            blocks += _paragraphs(lines, run, labels, kinds, steps)
    return blocks, room


@dataclass(frozen=True, slots=True)
class _Part:
    """What stands on panels side by side: each one's lines and regions, from the left."""

    whole: Box
    panels: list[tuple[Box, list[int], list[Region]]]


def _part(row: Sequence[Box], lines: Sequence[Line], inside: Sequence[int], fixed: Sequence[Region]) -> _Part:
    held = [
        (panel, [n for n in inside if panel.holds(lines[n].box)], [each for each in fixed if panel.holds(each.box)])
        for panel in row
    ]
    return _Part(Box.around(row), held)


def _inner_edge(panel: Box, boxes: Sequence[Box]) -> list[Box]:
    """How far lines in a panel may go: as much white is left at their end as before them."""
    edge = panel.x1 - (min(box.x0 for box in boxes) - panel.x0) if boxes else panel.x1
    return [Box(edge, panel.y0, edge, panel.y1)]


def _with_wide_head(boxes: Sequence[Box], unit: float) -> list[Box]:
    """The page's head as wide as the page: columns begin below it."""
    page = Box.around(boxes)
    head = set(head_of(boxes, unit))
    return [replace(box, x0=page.x0, x1=page.x1) if n in head else box for n, box in enumerate(boxes)]


def _of_one_piece(
    lines: Sequence[Line], blocks: Sequence[Block], labels: Mapping[int, int], kinds: Mapping[int, Category]
) -> list[Block]:
    """A heading's lines back together where one of them crossed a gutter, or was labelled apart."""
    whole: list[Block] = []
    display = DISPLAY * body_size(lines)
    for block in blocks:
        last = whole[-1] if whole else None
        pair = (last, block) if isinstance(last, list) and isinstance(block, list) else None
        if pair and _one_piece(lines, pair[0][-1], pair[1][0], labels, kinds, display):
            pair[0].extend(pair[1])
        else:
            whole.append(block)
    return whole


def _one_piece(
    lines: Sequence[Line],
    above: int,
    below: int,
    labels: Mapping[int, int],
    kinds: Mapping[int, Category],
    display: float,
) -> bool:
    kind = kinds.get(below)
    large = lines[above].is_exact and lines[above].size > display  # and so a title, despite its label
    if kind is None and kinds.get(above) is None and large:
        kind = Category.SECTION_HEADER
    elif kind not in ONE_PIECE or kinds.get(above) != kind:
        return False
    elif labels[above] == labels[below]:
        return True
    gap = lines[below].box.y0 - lines[above].box.y1
    beneath = lines[below].box.overlap_x(lines[above].box) > 0
    return (
        kind in HEADINGS
        and beneath
        and 0 <= gap + lines[below].size < 1.3 * lines[below].size
        and of_one_type(lines[above].size, lines[below].size)
    )


def _paragraphs(
    lines: Sequence[Line],
    run: Sequence[int],
    labels: Mapping[int, int],
    kinds: Mapping[int, Category],
    steps: Sequence[LineStep],
) -> list[Block]:
    """Parts a column's run of lines wherever the label changes, then by typography unless the label is of one piece.

    Labels that cut a sentence of running text are not believed.
    """
    if not run:
        return []
    margins = dict(zip(run, right_margins([lines[index] for index in run]), strict=True))

    def goes_on(part: list[int], index: int) -> bool:
        a, b = lines[part[-1]], lines[index]
        if labels.get(index) == labels.get(part[-1]):
            return True
        running = {kinds.get(part[-1]), kinds.get(index)} <= RUNNING
        return running and (goes_on_in_row(a, b) or runs_on(a, b, margins[part[-1]] - a.box.x1))

    found: list[Block] = []
    for part in runs(run, goes_on):
        if kinds.get(part[0]) in ONE_PIECE:
            found.append(part)
            continue
        index_of = {id(lines[index]): index for index in part}
        found += [[index_of[id(line)] for line in group] for group in paragraphs([lines[i] for i in part], steps)]
    return found


# --------------------------------------------------------------------------------------------- one region


def _as_neighbour(block: Block, lines: Sequence[Line]) -> Sequence[Line] | Box:
    return block.box if isinstance(block, Region) else [lines[index] for index in block]


def _region(
    block: Block,
    lines: Sequence[Line],
    kinds: Mapping[int, Category],
    room: Mapping[int, float],
    around: Around,
    page: PageOfBlocks,
    terms: frozenset[str],
) -> DraftedBlock:
    if isinstance(block, Region):
        return DraftedBlock(block)
    members = [lines[index] for index in block]
    labels = [kinds[index] for index in block if index in kinds]
    category, because = _category(members, labels, around, page)
    box = Box.around(line.box for line in members)
    by_line = category is Category.TEXT and set_line_by_line(members, [room.get(index, 0.0) for index in block])
    draft = draft_of(members, text_of(members, category, terms, by_line=by_line), members[0].source)
    return DraftedBlock(Region(box, category, (draft,), because=because), members, terms)


def _category(
    members: Sequence[Line], labels: Sequence[Category], around: Around, page: PageOfBlocks
) -> tuple[Category, str]:
    """What it is by itself and beside its neighbours, and by which sign."""
    label = max(set(labels), key=labels.count) if labels else Category.TEXT
    text = " ".join(line.plain for line in members)
    if label in FURNITURE or label in (Category.TABLE, Category.FIGURE):
        label = Category.TEXT  # not where furniture stands; or a table or figure that wasn't made one
    if label is Category.FORMULA:
        label = Category.TEXT if len(members) > FORMULA_LINES else label
    if label is Category.FORMULA:
        return label, LABELLED
    heading = _heading(members, labels, label, around, page)
    if heading is not None:
        return heading
    if label in (Category.CAPTION, Category.FOOTNOTE):
        return label, LABELLED
    if item_text(text) is not None:
        return Category.LIST_ITEM, "marker"
    if not labels and CAPTION.match(text):
        return Category.CAPTION, "wording"
    return Category.TEXT, ""


def _heading(
    members: Sequence[Line], labels: Sequence[Category], label: Category, around: Around, page: PageOfBlocks
) -> tuple[Category, str] | None:
    """The judge says it; where the model said nothing, the type alone may."""
    text = " ".join(line.plain for line in members)
    marker = MARKER.match(text)
    if len(text) > LONGEST_HEADING or headings.says_it_is_none(text) or (marker and marker["bullet"]):
        return None
    exact = members[0].is_exact
    said = page.looked if exact else bool(labels)
    if not said and (item_text(text) is not None or CAPTION.match(text)):
        return None
    typed = headings.looks_like_heading(members, page.body)
    agreed = typed and label in HEADINGS and headings.size(members) > DISPLAY * page.body  # as for a page's title
    if agreed or is_heading(measured(members, labels, around, page), exact=exact):
        return (label if label in HEADINGS else Category.SECTION_HEADER), JUDGED
    return (Category.SECTION_HEADER, "type") if typed and not said else None


def _supposed(block: DraftedBlock, apart: Collection[Line]) -> DraftedBlock:
    """Says of text that other pages may prove to be furniture."""
    is_so = block.category is Category.TEXT and block.lines and all(line in apart for line in block.lines)
    return block.because(SUPPOSED) if is_so else block


def _furniture_region(line: Line, category: Category) -> Region:
    draft = Draft(unmarked(line.text, struck=False), line.source, line.confidence, line.certainty)
    return Region(line.box, category, (draft,), because="furniture", words=words_of([line]))
