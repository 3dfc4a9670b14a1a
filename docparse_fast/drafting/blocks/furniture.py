"""Running heads, running feet and page numbers: what stands on a page without belonging to its text.

Uses position, size and distance from the text, and a layout model's labels if there are any. It sees one page only,
so that a page's draft never depends on earlier pages: what this page doesn't prove is text, until another page does.
A number proves nothing that has others like it below or beside it, as prices, seats and codes have.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import NamedTuple
from unicodedata import normalize

from docparse_fast.document import FURNITURE, SUPPOSED, Box, Category, Region
from docparse_fast.drafting.lines import Line, largest_type, letters_of, plain_of
from docparse_fast.drafting.measures import (
    EDGE,
    ENOUGH,
    FEWEST,
    ONE_READ_TYPE,
    ONE_TYPE,
    SEVERAL,
    in_one_row,
    of_one_type,
)
from docparse_fast.drafting.words import CLOSING, NOTE, NOTE_MARK, NUMBERED_END, PAGE_NUMBER, PART_OF_SECTION, STAMP

HEAD_ZONE = 0.10  # of the page's height, at its top and its foot, where furniture is looked for without a label
NUMBERED_HEAD = 0.16  # of the page's height, for a head that bears the page's number: margins may be wide
MARGIN = 1.05  # of the white at the text's left: so far from the page's edge its own margin may reach
STAMPED = 0.03  # of the page's height, at its very top and foot
LARGEST = 1.2  # type, in sizes of the text's
APART = 1.1  # distance from the text, in line heights
CLOSE = 0.3  # the same, for a page's number where numbers stand
MOST_PIECES, LONGEST = 3, 120  # pieces of a row, and characters
OF_TEXT = frozenset({Category.TITLE, Category.SECTION_HEADER, Category.TABLE})  # labels
FAR = 4.0  # the same, where nothing but a few lines stands on the page
MOST_HEADS, MOST_FEET = 2, 4  # rows: above the text more of them are a letter's head, below it an address
COUNT = re.compile(r"\d+")
NUMBERED = re.compile(r"(?P<number>\d{1,3})[.)]?\s+\S")
ITEM = re.compile(r"[•‣◦▪●■○□]\s*\w+\W+\w")  # a list's bullet and words


class Furniture(NamedTuple):
    """The indexes of lines that are furniture, with their kinds, and of those that only other pages can prove to be."""

    kinds: dict[int, Category]
    supposed: frozenset[int] = frozenset()


def stands_last(region: Region, height: float) -> int:
    """Whether the next column's words come before it: 1 for a note, 2 for what may be the page's foot, 0 for others."""
    is_foot = region.because == SUPPOSED and region.box.center[1] > height / 2
    return 2 if is_foot else int(region.category is Category.FOOTNOTE)


class _Page(NamedTuple):
    lines: Sequence[Line]
    labels: Mapping[int, Category]
    height: float
    body: float  # the size of the text's type
    others: Sequence[Box]  # tables and the like
    numbers: frozenset[int]  # lines that count pages


def furniture(
    lines: Sequence[Line],
    labels: Mapping[int, Category],
    height: float,
    body: float,
    others: Sequence[Box] = (),
) -> Furniture:
    """Of the page's `lines`. `others` are tables and the like beside them."""
    page = _Page(lines, labels, height, body, others, _counting(lines))
    found = _labelled(page) if len(lines) >= FEWEST else {}
    downwards = sorted(range(len(lines)), key=lambda n: lines[n].box.y0)
    upwards = sorted(range(len(lines)), key=lambda n: -lines[n].box.y1)
    found |= dict.fromkeys(_outer_rows(page, downwards, at_top=True), Category.PAGE_HEADER)
    found |= dict.fromkeys(_outer_rows(page, upwards, at_top=False), Category.PAGE_FOOTER)
    proven = _proven(page, found)
    kinds = {n: Category.PAGE_NUMBER if n in page.numbers else found[n] for n in sorted(proven)}
    return Furniture(kinds, frozenset(found.keys() - proven))


def _proven(page: _Page, found: Mapping[int, Category]) -> set[int]:
    """Those whose row bears a number or an address, or stands in the page's margin; and beside these, at the edge.

    A letter's head, and the words below a line for a signature, stand where text may stand; a foot in columns is the
    sender's address and bank. What is set much larger than the text is proven by other pages alone.
    """
    large = {n for n in found.keys() - page.numbers if _is_much_larger(page.lines[n], page.body)}
    margin = MARGIN * _left_of_text(page, found)
    proven = {n for n in found if _depth(page, n) <= margin or _bears_sign(page, _beside(page, found, n))}
    kinds = {found[n] for n in proven}
    at_edge = {n for n in found if found[n] in kinds and _depth(page, n) < HEAD_ZONE * page.height}
    return (proven | at_edge) - _letters_foot(page, found) - large


def _is_much_larger(line: Line, body: float) -> bool:
    return (line.letter_size or line.size) > (LARGEST if line.is_exact else ONE_READ_TYPE) * body


def _left_of_text(page: _Page, found: Mapping[int, Category]) -> float:
    """Where the page's leftmost edge is at which several lines or tables begin; centred lines have none."""
    begins = [line.box.x0 for n, line in enumerate(page.lines) if n not in found] + [box.x0 for box in page.others]
    begins.sort()
    edges = zip(begins, begins[ENOUGH - 1 :], strict=False) if len(page.lines) >= FEWEST else ()
    return next((first for first, last in edges if last - first < page.body), 0.0)


def _beside(page: _Page, found: Mapping[int, Category], n: int) -> list[int]:
    return [m for m in found if m == n or in_one_row(page.lines[m].box, page.lines[n].box)]


def _letters_foot(page: _Page, found: Mapping[int, Category]) -> set[int]:
    """What stands at the foot in several rows, two of them parted alike; not the page's number."""
    foot = [n for n in found if found[n] is Category.PAGE_FOOTER]
    rows = [_beside(page, found, n) for n in foot]
    parted = sum(len(row) > 1 for row in rows) > max(map(len, rows), default=0)
    if not parted or _row_count([page.lines[n].box for n in foot]) < ENOUGH:
        return set()
    return {n for n, row in zip(foot, rows, strict=True) if page.numbers.isdisjoint(row)}


def _depth(page: _Page, n: int) -> float:
    """How far a line reaches into the page from the edge at its side."""
    box = page.lines[n].box
    return box.y1 if box.center[1] < page.height / 2 else page.height - box.y0


def _counting(lines: Sequence[Line]) -> frozenset[int]:
    """The lines that count pages: a number, without one of the same form in its row or its column."""
    forms = {n: COUNT.sub("#", line.plain) for n, line in enumerate(lines) if PAGE_NUMBER.match(line.plain)}
    return frozenset(
        n
        for n, own in forms.items()
        if not any(n != m and own == forms[m] and _alike(lines[n], lines[m]) for m in forms)
    )


def _alike(one: Line, other: Line) -> bool:
    """Whether two numbers stand in one row, or one above the other; not what counts the page twice."""
    first, second = ((box.x0, box.x1, box.center[0]) for box in (one.box, other.box))
    above = any(abs(a - b) < one.size for a, b in zip(first, second, strict=True))
    return in_one_row(one.box, other.box) or (above and one.plain != other.plain)


def _bears_sign(page: _Page, row: Sequence[int]) -> bool:
    return not page.numbers.isdisjoint(row) or any(STAMP.search(page.lines[n].plain) for n in row)


def _labelled(page: _Page) -> dict[int, Category]:
    """Trusts a header's label above all text alone, a footer's below it; a library's stamp on the edge counts apart."""
    lines = page.lines
    plain = [line.box.center[1] for n, line in enumerate(lines) if page.labels.get(n) not in FURNITURE]
    if len(plain) < len(lines) / 2:
        return {}
    told = page.labels.items()
    found = {n: label for n, label in told if _is_beyond(lines[n].box, label, plain) and not _is_text(lines[n], lines)}
    top, foot = STAMPED * page.height, (1 - STAMPED) * page.height
    for label, most in ((Category.PAGE_HEADER, MOST_HEADS), (Category.PAGE_FOOTER, MOST_FEET)):
        boxes = [lines[index].box for index in found if found[index] is label]
        if _row_count([box for box in boxes if box.y1 > top and box.y0 < foot]) > most:
            found = {index: kind for index, kind in found.items() if kind is not label}
    return _without_text_beside(page, found)


def _without_text_beside(page: _Page, found: Mapping[int, Category]) -> dict[int, Category]:
    """Without what stands level with text or a table: no foot in columns is furniture in part."""
    text = [page.lines[n].box for n in page.labels if page.labels[n] not in FURNITURE and n not in page.numbers]
    text += page.others
    return {n: label for n, label in found.items() if not any(in_one_row(page.lines[n].box, box) for box in text)}


def _is_beyond(box: Box, label: Category, plain: Sequence[float]) -> bool:
    middle, slack = box.center[1], 0.5 * box.height
    above = label is Category.PAGE_HEADER and middle < min(plain) + slack
    return above or (label is Category.PAGE_FOOTER and middle > max(plain) - slack)


def _row_count(boxes: Sequence[Box]) -> int:
    """How many rows stand one below the other."""
    bottoms: list[float] = []
    for box in sorted(boxes, key=lambda box: box.center[1]):
        if not bottoms or box.center[1] > bottoms[-1]:
            bottoms.append(box.y1)
    return len(bottoms)


def _outer_rows(page: _Page, order: list[int], *, at_top: bool) -> list[int]:
    """The outermost row of lines, or the two outermost if one bears a number or an address, if they are furniture."""
    row = _row_of(page.lines, order)
    if found := _furniture_row(page, row, order, at_top=at_top):
        return found
    rest = [i for i in order if i not in set(row)]
    two = [*row, *_row_of(page.lines, rest)] if rest else row
    return _furniture_row(page, two, order, at_top=at_top) if _bears_sign(page, two) else []


def _row_of(lines: Sequence[Line], order: Sequence[int]) -> list[int]:
    first, edge = order[0], lines[order[0]].box  # which belongs, even where it is of no height
    return [i for i in order if i == first or in_one_row(lines[i].box, edge)]


def _furniture_row(page: _Page, row: list[int], order: list[int], *, at_top: bool) -> list[int]:
    """`row` if it is in the zone, apart from all else on the page, and no larger than the text."""
    if len(row) == len(order) and not page.others:
        return []
    edge = _Edge(page, row, order, at_top=at_top)
    return [] if any(sign(edge) for sign in AGAINST) else row


class _Edge:
    """An outer row of a page, and what lies within it."""

    def __init__(self, page: _Page, row: Sequence[int], order: Sequence[int], *, at_top: bool) -> None:
        self.page, self.row, self.at_top = page, row, at_top
        self.lines = [page.lines[i] for i in row]
        self.first = page.lines[order[0]].box
        rest = [page.lines[i].box for i in set(order).difference(row)]
        ends = [line.box.y1 if at_top else page.height - line.box.y0 for line in self.lines]
        self.depth = max(ends)  # of its inner end, from the page's edge
        self.numbered = not page.numbers.isdisjoint(row)
        self.far = self.depth >= HEAD_ZONE * page.height
        middle = self.first.center[1]
        text = [*rest, *(box for box in page.others if (box.y0 >= middle if at_top else box.y1 <= middle))]
        self.gap = min((box.y0 if at_top else page.height - box.y1 for box in text), default=0.0) - self.depth


def _beyond_zone(edge: _Edge) -> bool:
    return edge.far and edge.depth > _zone_of_numbers(edge.page, edge.row, at_top=edge.at_top) * edge.page.height


def _labelled_as_text(edge: _Edge) -> bool:
    labels = {edge.page.labels[i] for i in edge.row if i in edge.page.labels}
    return not edge.numbered and not labels.isdisjoint(OF_TEXT)


def _near_text(edge: _Edge) -> bool:
    few = len(edge.page.lines) < FEWEST and not edge.page.others
    least = FAR if few else CLOSE if edge.numbered and not edge.far else APART
    return edge.gap < least * edge.first.height or (few and len(edge.row) > 1)


def _large(edge: _Edge) -> bool:
    largest = largest_type(edge.lines)
    counts = [edge.page.lines[n].size for n in edge.page.numbers.intersection(edge.row)]
    return largest > LARGEST * edge.page.body or largest > LARGEST**2 * min(counts, default=largest)


def _begins_list(edge: _Edge) -> bool:
    return not edge.numbered and any(ITEM.match(line.plain) or _is_text(line, edge.page.lines) for line in edge.lines)


def _is_text(line: Line, lines: Sequence[Line]) -> bool:
    """Whether it closes a letter, or begins as a note does: with a mark, or with a number that a line has raised."""
    number = found["number"] if (found := NUMBERED.match(line.plain)) else None
    marks = {normalize("NFKC", mark).strip("</sup>") for one in lines if number for mark in NOTE_MARK.findall(one.text)}
    is_note = bool(NOTE.match(line.plain if line.text[:1] == "*" else line.text)) or number in marks  # or slanted type
    return is_note or CLOSING.fullmatch(line.plain.strip()) is not None


def _heads_page(edge: _Edge) -> bool:
    return not edge.numbered and edge.at_top and _is_section(edge.page, edge.row)


def _goes_on(edge: _Edge) -> bool:
    """Whether words of it begin a cell or a paragraph: their type goes on below in line, as near as its lines are."""
    rest = [line for n, line in enumerate(edge.page.lines) if n not in edge.row and line.box.y0 > edge.first.center[1]]
    return edge.at_top and any(_is_begun(line, rest) for line in edge.lines)


def _is_begun(first: Line, rest: Sequence[Line]) -> bool:
    alike = (line for line in rest if line.typeface == first.typeface and of_one_type(line.size, first.size))
    column = sorted(line.box.y0 for line in alike if abs(line.box.x0 - first.box.x0) < EDGE * first.size)[:SEVERAL]
    return len(column) == SEVERAL and column[0] - first.box.y0 < ONE_TYPE * (column[1] - column[0])


def _says_much(edge: _Edge) -> bool:
    return not edge.numbered and (len(edge.row) > MOST_PIECES or letters_of(edge.lines) > LONGEST)


AGAINST = (_beyond_zone, _labelled_as_text, _near_text, _large, _begins_list, _heads_page, _goes_on, _says_much)


def _is_section(page: _Page, row: Sequence[int]) -> bool:
    """Whether the row is bold and begins with a section's number."""
    lines = sorted((page.lines[i] for i in row), key=lambda line: line.box.x0)
    return all(line.bold for line in lines) and PART_OF_SECTION.match(plain_of(lines)) is not None


def _zone_of_numbers(page: _Page, row: Sequence[int], *, at_top: bool) -> float:
    """How far from the page's edge the row may stand for the page number that it bears."""
    lines = [page.lines[i] for i in row]
    alone = not page.numbers.isdisjoint(row)
    if not at_top:
        return 0.5 if alone and len(row) == 1 else 0.0
    heading = any(line.bold or line.size > page.body for line in lines)
    return NUMBERED_HEAD if alone or (NUMBERED_END.fullmatch(plain_of(lines)) and not heading) else 0.0
