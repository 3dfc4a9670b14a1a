"""Assembles lines, labelled boxes and finished regions into one page's regions, in reading order.

OCR and text layers both use it. Knows geometry and typography, no pixels, no model. Each line goes into one region.
"""

from __future__ import annotations

import math
import re
from collections import ChainMap
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain, groupby, islice
from operator import attrgetter
from statistics import median
from typing import NamedTuple

from docparse_fast.document import FURNITURE, HEADINGS, SUPPOSED, Box, Category, Draft, Region
from docparse_fast.drafting.blocks import headings
from docparse_fast.drafting.blocks.drafted_block import DraftedBlock, text_of
from docparse_fast.drafting.blocks.fragments import whole_lines
from docparse_fast.drafting.blocks.furniture import furniture, stands_last
from docparse_fast.drafting.blocks.headings import LONGEST, Around, PageOfBlocks, is_heading, measured
from docparse_fast.drafting.blocks.leading import LineStep, leadings, steps_run_on
from docparse_fast.drafting.blocks.line_ends import goes_on_in_row, right_margins, rooms, set_line_by_line
from docparse_fast.drafting.blocks.panels import (
    cards,
    head_of,
    level_panels,
    panels,
    seams_across,
    standing_on,
    standing_on_any,
)
from docparse_fast.drafting.blocks.paragraphs import item_text, paragraphs, runs_on
from docparse_fast.drafting.blocks.reading_order import columns_between
from docparse_fast.drafting.blocks.rules import ruled
from docparse_fast.drafting.blocks.stacks import level_stacks, parted_by_stacks, rows
from docparse_fast.drafting.lines import LayoutBox, Line, draft_of, extent, plain_of, words_of
from docparse_fast.drafting.measures import (
    HELD,
    MOST,
    NARROW_PROSE,
    ONE_TYPE,
    Measures,
    body_size,
    downwards,
    of_one_type,
    other_type,
)
from docparse_fast.drafting.words import BOXES, CAPTION, MARKER, NUMBERED_HEAD, PART_OF_SECTION, PLAIN_BULLETS
from docparse_fast.geometry import not_in, parted, runs
from docparse_fast.text.joined_text import hyphenated
from docparse_fast.text.marks import unmarked

BOX = attrgetter("box")
DISPLAY = 1.3  # of the usual type: larger is a title
RUNNING = frozenset({Category.TEXT, Category.LIST_ITEM, None})
ONE_PIECE = HEADINGS | {Category.CAPTION, Category.FORMULA}  # labels whose box is one region, however it is set
LABELLED = "layout"  # the layout model's label said so
JUDGED = "heading judge"  # type, place, words and label together
FORMULA_LINES = 6  # more lines than this are no formula
ONLY_WORDS = re.compile(r"(?:[^\W\d_]{2,}+[,;:.]?+\s*+){2,}+")
MAY_BE_TEXT = {Category.TEXT, Category.LIST_ITEM}  # `M. Okafor` looks like an item


def assemble(
    lines: Sequence[Line],
    width: float,
    height: float,
    *,
    layout: Sequence[LayoutBox] = (),
    fixed: Sequence[Region] = (),
    grounds: Sequence[Box] = (),
    rules: Sequence[Box] = (),
    counts: Sequence[Box] = (),
) -> tuple[Region, ...]:
    """One page's regions in reading order. `fixed` regions (tables, figures) are placed among them as they are.

    `grounds` are painted or framed, and may be panels; these and `rules` may part the page from edge to edge;
    `counts` stand beside lines, which are text.
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
        return tuple(sorted(fixed, key=_from_above))
    body = body_size(lines)
    page = _labelled(lines, layout, body, rules)
    outside, supposed = furniture(lines, page.kinds, height, body, [*(r.box for r in fixed), *counts])
    boxes, placed = list(map(BOX, lines)), list(map(BOX, fixed))
    on_panels = standing_on_any([*around, *cards(grounds, boxes, placed, MOST * height)], boxes)
    outside = {index: kind for index, kind in outside.items() if index not in on_panels}
    inside = [index for index in range(len(lines)) if index not in outside]
    seams = seams_across([*rules, *grounds], [*(lines[n].box for n in inside), *(region.box for region in fixed)])
    blocks, room = _blocks(page, inside, fixed, around, seams=seams)
    looks = PageOfBlocks(lines, body, height, grounds, looked=bool(layout))
    made = _drafted(page, _of_one_piece(page, blocks, DISPLAY * body), room, looks)
    apart = [lines[index] for index in supposed]
    regions = [_supposed(block, apart).finished for block in ruled(made, Measures(body, height))]
    framed = sorted((_furniture_region(lines[index], kind) for index, kind in outside.items()), key=_from_above)
    head, foot = parted(framed, lambda region: region.box.center[1] < height / 2)
    return (*head, *sorted(regions, key=lambda region: stands_last(region, height)), *foot)


def _from_above(region: Region) -> tuple[float, float]:
    return region.box.y0, region.box.x0


@dataclass(frozen=True, slots=True)
class _Labelled:
    """A page's lines and rules; for lines that a labelled box holds, by index, which box that is and what it says."""

    lines: Sequence[Line]
    labels: Mapping[int, int]
    kinds: Mapping[int, Category]
    rules: Sequence[Box]


Block = list[int] | Region  # what becomes one region: the indexes of its lines, or a region that was given
_Read = tuple[list[Block], dict[int, float]]  # blocks in reading order, and what each line leaves free


def _whole_lines(lines: Sequence[Line], around: Sequence[Box]) -> list[Line]:
    """Fragments of one line as one: none goes on over a panel's edge."""
    parts = [[line for line in lines if panel.holds(line.box)] for panel in around]
    free = not_in(lines, standing_on(around, list(map(BOX, lines))))
    return [line for part in (free, *parts) if part for line in whole_lines(part)]


def _labelled(lines: Sequence[Line], layout: Sequence[LayoutBox], body: float, rules: Sequence[Box]) -> _Labelled:
    """For each line, the smallest labelled box that holds it; a heading's no line in the text's type below larger."""
    found, largest = dict[int, int](), dict[int, float]()
    for index, line in enumerate(lines):
        holders = [i for i, labelled in enumerate(layout) if labelled.box.covers(line.box) > HELD]
        if holders:
            label = found[index] = min(holders, key=lambda i: layout[i].box.area)
            largest[label] = max(largest.get(label, 0.0), line.size)
    for index, label in tuple(found.items()):
        if _is_mislabelled(lines[index], layout[label].category, largest[label], body):
            del found[index]
    return _Labelled(lines, found, {index: layout[label].category for index, label in found.items()}, rules)


def _is_mislabelled(line: Line, label: Category, largest: float, body: float) -> bool:
    """Whether it is in the text's type, under a heading's label that also holds larger type; or an item, none such."""
    below = line.is_exact and line.size <= ONE_TYPE * body and not of_one_type(body, largest)
    item = line.is_exact and label is Category.FORMULA and MARKER.match(line.plain) is not None
    return item or (label in HEADINGS and (below or line.plain[:1] in BOXES))


def _blocks(
    page: _Labelled,
    inside: Sequence[int],
    fixed: Sequence[Region],
    around: Sequence[Box] = (),
    walls: Sequence[Box] = (),
    seams: Sequence[Box] = (),
) -> _Read:
    """The blocks in reading order, none over a seam, panels together; and what each line leaves free up to `walls`."""
    numbers, given = _parts(page, inside, fixed, around)
    lines = [page.lines[n] for n in numbers]
    laid = [*map(extent, lines), *map(BOX, given)]
    unit = median(box.height for box in laid[: len(lines)]) if lines else 1.0
    boxes = _with_wide_head(laid, unit)
    blocks, room = list[Block](), dict[int, float]()
    items = ((n, MARKER.match(line.plain)) for n, line in enumerate(lines))
    counts = {n: int(found["number"]) for n, found in items if found and found["number"]}
    columns = columns_between(seams, boxes, unit, counts)
    texts = [[lines[n] for n in column if n < len(lines)] for column in columns]
    steps = list(chain.from_iterable(map(steps_run_on, texts)))
    for column in columns:
        there, parts = parted(column, lambda member: member < len(lines))
        begins = min((given[n - len(lines)].begins for n in parts), default=math.inf)
        ends = rooms([lines[member] for member in there], [*boxes, *walls], begins)
        room.update(zip((numbers[member] for member in there), ends, strict=True))
        for are_lines, members in _in_runs(column, lines, boxes, page.rules):
            if are_lines:
                blocks += _paragraphs(page, [numbers[member] for member in members], steps)
                continue
            for part in (given[member - len(lines)] for member in members):
                blocks += part.blocks
                room |= part.room
    return blocks, room


class _Part(NamedTuple):
    """What is read as a whole: a region, panels side by side, or stacks of lines."""

    box: Box
    blocks: list[Block]
    room: dict[int, float]
    begins: float = math.inf  # where lines of its column begin, if it is made of lines


def _parts(
    page: _Labelled, inside: Sequence[int], fixed: Sequence[Region], around: Sequence[Box]
) -> tuple[list[int], list[_Part]]:
    """Such parts, and the lines that stand in none of them, by their numbers."""
    numbers = not_in(inside, standing_on(around, [page.lines[n].box for n in inside]))
    free = not_in(fixed, standing_on(around, [region.box for region in fixed]))
    lines = [page.lines[n] for n in numbers]
    given = [_Part(region.box, [region], {}) for region in free]
    beside = level_panels(around, [*map(extent, lines), *map(BOX, given)])
    given += [_Part(Box.around(row), *_on_panels(page, row, inside, fixed)) for row in beside]
    stacked = level_stacks(lines, list(map(BOX, given)), page.rules)
    given += [_stacks(page, [[numbers[n] for n in stack] for stack in row]) for row in stacked]
    return not_in(numbers, chain(*stacked)), given


def _stacks(page: _Labelled, row: Sequence[Sequence[int]]) -> _Part:
    """Of lines that end where somebody wanted them to."""
    blocks, room = _one_after_another(_blocks(page, stack, []) for stack in row)
    box = Box.around(page.lines[n].box for n in room)
    return _Part(box, blocks, dict.fromkeys(room, math.inf), box.x0)


def _in_runs(
    column: Sequence[int], lines: Sequence[Line], boxes: Sequence[Box], rules: Sequence[Box]
) -> Iterator[tuple[bool, list[int]]]:
    """A column's members in their order, lines and others apart; stacks side by side one after the other."""
    order = list(chain.from_iterable(rows(boxes, column, set(column).difference(range(len(lines))))))
    set_free = {member: lines[member] for member in order if member < len(lines)}
    for part in parted_by_stacks(order, set_free, boxes, rules):
        for are_lines, members in groupby(part, set_free.__contains__):
            yield are_lines, list(members)


def _on_panels(page: _Labelled, row: Sequence[Box], inside: Sequence[int], fixed: Sequence[Region]) -> _Read:
    """What stands on panels side by side, one panel after the other."""
    parts = []
    for panel in row:
        numbers = [n for n in inside if panel.holds(page.lines[n].box)]
        wall = _inner_edge(panel, [page.lines[n].box for n in numbers])
        parts.append(_blocks(page, numbers, [each for each in fixed if panel.holds(each.box)], walls=wall))
    return _one_after_another(parts)


def _one_after_another(parts: Iterable[_Read]) -> _Read:
    blocks, rooms = zip(*parts, strict=True)
    return list(chain.from_iterable(blocks)), dict(ChainMap(*rooms))


def _inner_edge(panel: Box, boxes: Sequence[Box]) -> list[Box]:
    """How far lines in a panel may go: as much white is left at their end as before them."""
    edge = panel.x1 - (min(box.x0 for box in boxes) - panel.x0) if boxes else panel.x1
    return [Box(edge, panel.y0, edge, panel.y1)]


def _with_wide_head(boxes: Sequence[Box], unit: float) -> list[Box]:
    """The page's head as wide as the page, in its order: columns begin below it."""
    page, found = Box.around(boxes), list(boxes)
    for row in rows(boxes, head_of(boxes, unit)):
        level = Box.around(boxes[n] for n in row)
        for place, n in enumerate(row):
            found[n] = replace(level, x0=page.x0, x1=page.x1).shifted(0, place / len(row))
    return found


def _of_one_piece(page: _Labelled, blocks: Sequence[Block], display: float) -> list[Block]:
    """A heading's lines, or a sentence's, back together where one crossed a gutter or was labelled apart."""
    whole: list[Block] = []
    for block in blocks:
        last = whole[-1] if whole else None
        if isinstance(last, list) and isinstance(block, list) and _one_piece(page, last, block[0], display):
            last.extend(block)
        else:
            whole.append(block)
    return whole


def _one_piece(page: _Labelled, last: Sequence[int], below: int, display: float) -> bool:
    upper, lower, kinds = page.lines[last[-1]], page.lines[below], (page.kinds.get(last[-1]), page.kinds.get(below))
    goes_on, names = lower.plain[:1].islower(), HEADINGS.intersection(kinds)
    large = kinds == (None, None) and upper.size > display  # a title, despite its label
    half = all((goes_on, len(names) == 1, upper.bold, lower.bold))  # of it is labelled
    if not (large if upper.is_exact else half):
        if RUNNING | {Category.CAPTION} >= {*kinds}:
            return upper.box.width > NARROW_PROSE * upper.size and goes_on and runs_on(upper, lower, 0.0)
        if kinds[0] not in ONE_PIECE or kinds[0] != kinds[1] or headings.are_numbered(page.lines[last[0]], lower):
            return False
        if not names or page.labels[last[-1]] == page.labels[below]:
            return page.labels[last[-1]] == page.labels[below]
    near = 0 <= lower.box.y0 - upper.box.y1 + lower.size < (2.3 if goes_on else 1.3) * lower.size  # or wide lines
    alike = not other_type(upper, lower) if goes_on else of_one_type(upper.size, lower.size)
    return near and lower.box.overlap_x(upper.box) > 0 and alike


def _paragraphs(page: _Labelled, run: Sequence[int], steps: Sequence[LineStep]) -> list[Block]:
    """Parts a column's lines where the label changes, then by type; labels that cut running text are not believed."""
    lines, labels, kinds = page.lines, page.labels, page.kinds
    there = [lines[index] for index in run]
    margins, usual = dict(zip(run, right_margins(there), strict=True)), leadings(there, steps)[0].usual

    def goes_on(part: list[int], index: int) -> bool:
        a, b = lines[part[-1]], lines[index]
        if labels.get(index) == labels.get(part[-1]):
            return True
        running = {kinds.get(part[-1]), kinds.get(index)} <= RUNNING
        return running and (goes_on_in_row(a, b) or runs_on(a, b, margins[part[-1]] - a.box.x1, usual))

    found: list[Block] = []
    for part in runs(run, goes_on):
        if kinds.get(part[0]) in ONE_PIECE:
            found += runs(part, lambda head, n: not headings.are_numbered(lines[head[0]], lines[n]))
            continue
        groups, rest = paragraphs([lines[i] for i in part], steps, [margins[i] for i in part]), iter(part)
        found += [list(islice(rest, len(group))) for group in groups]
    return found


def _drafted(
    page: _Labelled, blocks: Sequence[Block], room: Mapping[int, float], looks: PageOfBlocks
) -> list[DraftedBlock]:
    terms = hyphenated(line.text for line in page.lines)
    near = [block.box if isinstance(block, Region) else [page.lines[index] for index in block] for block in blocks]
    beside = zip([None, *near[:-1]], [*near[1:], None], range(len(near)), strict=True)
    return [_block(page, block, room, looks, Around(*each), terms) for block, each in zip(blocks, beside, strict=True)]


def _block(
    page: _Labelled, block: Block, room: Mapping[int, float], looks: PageOfBlocks, around: Around, terms: frozenset[str]
) -> DraftedBlock:
    if isinstance(block, Region):
        return DraftedBlock(block)
    members = [page.lines[index] for index in block]
    labels = [page.kinds[index] for index in block if index in page.kinds]
    category, because = _category(members, labels, around, looks)
    by_line = category in MAY_BE_TEXT and set_line_by_line(members, [room.get(index, 0.0) for index in block])
    words = text_of(members, category, terms, by_line=by_line and category is Category.TEXT)
    drafts = (draft_of(members, words, members[0].source),)
    region = Region(Box.around(map(BOX, members)), category, drafts, because=because)
    return DraftedBlock(region, members, terms, by_line)


def _category(
    members: Sequence[Line], labels: Sequence[Category], around: Around, page: PageOfBlocks
) -> tuple[Category, str]:
    """What it is by itself and beside its neighbours, and by which sign."""
    label = max(set(labels), key=labels.count) if labels else Category.TEXT
    text = plain_of(members)
    is_none = len(members) > FORMULA_LINES or (members[0].is_exact and ONLY_WORDS.fullmatch(text))
    if (label is Category.FORMULA and is_none) or label in FURNITURE or label in (Category.TABLE, Category.FIGURE):
        label = Category.TEXT  # not where furniture stands; or a table or figure that wasn't made one
    if label is Category.FORMULA:
        return label, LABELLED
    if (heading := _heading(members, labels, label, around, page)) is not None:
        return heading
    if label is Category.CAPTION or (label is Category.FOOTNOTE and text[:1] not in PLAIN_BULLETS):
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
    exact, text = members[0].is_exact, plain_of(members)
    said = page.looked if exact else bool(labels)
    if _is_no_heading(members, label, text) or (not said and (item_text(text) is not None or CAPTION.match(text))):
        return None
    larger = headings.size(members) / page.body
    if headings.leads_on(members, text, around, larger):
        return None
    typed = headings.looks_like_heading(members, page.body)
    section = NUMBERED_HEAD if headings.is_bold(members) else PART_OF_SECTION  # a bold 3 Rent, or 2.1 Usage
    large = larger > DISPLAY  # as a page's title
    said_so = label in HEADINGS and bool(large or section.match(text))
    taken = set() < set(labels) <= FURNITURE  # for furniture, which it is not, as is known by now
    agreed = typed and (said_so or (large and taken))
    if agreed or is_heading(measured(members, labels, around, page), exact=exact):
        return (label if label in HEADINGS else Category.SECTION_HEADER), JUDGED
    return (Category.SECTION_HEADER, "type") if typed and not said else None


def _is_no_heading(members: Sequence[Line], label: Category, text: str) -> bool:
    too_much = len(text) > LONGEST or (label not in HEADINGS and headings.are_too_many(members, text))
    said = headings.says_it_is_none(text) or headings.names_price(members)
    return too_much or said or bool((marker := MARKER.match(text)) and marker["bullet"])


def _supposed(block: DraftedBlock, apart: Collection[Line]) -> DraftedBlock:
    """Says of text that other pages may prove to be furniture."""
    is_so = block.category in HEADINGS | {Category.TEXT} and block.lines and all(line in apart for line in block.lines)
    return block.because(SUPPOSED) if is_so else block


def _furniture_region(line: Line, category: Category) -> Region:
    draft = Draft(unmarked(line.text, struck=False), line.source, line.confidence, line.certainty)
    return Region(line.box, category, (draft,), because="furniture", words=words_of([line]))
