"""A form's boxes, ticked or not, as signs beside their words. Knows widgets, drawn boxes and the words around them.

MuPDF gives what was filled into other fields as words, also where the file has no appearance of it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from itertools import islice

from docparse_fast.document import Box, FieldKind, FormField, TextLine, TextSpan, TickBox
from docparse_fast.system.mupdf import pymupdf, word_heights
from docparse_fast.text.placed_words import PlacedWord

KINDS: dict[int, FieldKind] = {
    pymupdf.PDF_WIDGET_TYPE_TEXT: "text",
    pymupdf.PDF_WIDGET_TYPE_COMBOBOX: "choice",
    pymupdf.PDF_WIDGET_TYPE_LISTBOX: "choice",
    pymupdf.PDF_WIDGET_TYPE_CHECKBOX: "checkbox",
    pymupdf.PDF_WIDGET_TYPE_RADIOBUTTON: "radio",
    pymupdf.PDF_WIDGET_TYPE_SIGNATURE: "signature",
}
TICKED, UNTICKED = "☒ ", "☐ "
TICKS = frozenset("xX×✕✖✗✘✓✔√vV•●■*+/")  # what people put into a box
BUTTONS = (pymupdf.PDF_WIDGET_TYPE_CHECKBOX, pymupdf.PDF_WIDGET_TYPE_RADIOBUTTON)
UNSEEN = 2 | 32  # flags of an annotation that is hidden, or not shown
PASSWORD = 1 << 13  # flag of a field
MOST_FIELDS = 300
NEAR = 2.5  # of the type's size, between a box and its words
HELD = 0.5  # of a word that lies in the box: the sign that ticks it, or what was filled in
LEAST, MOST = 0.5, 2.0  # of the type's size, by a drawn box's height
DEPTH = 0.25  # of the type's size, below its line
BEFORE, BEHIND, WORD_GAP = 12.0, 4.0, 0.8  # of a word's height: to a label before, behind; within a label
ABOVE = 1.8  # of a word's height, from a field up to the middle of a label

_Blocks = tuple[tuple[TextLine, ...], ...]
_Place = Callable[[Sequence[float]], Box]


def fields_of(page: pymupdf.Page, number: int, scale: float) -> Iterator[FormField]:
    """The fields that can be seen, with their boxes in pixels of the page. What a password field holds stays there."""
    to_pixels = page.rotation_matrix * pymupdf.Matrix(scale, scale)
    seen = _seen_fields(page)
    boxes = [Box(*map(float, field.rect)) for field in seen]
    with word_heights(corrected=True):
        words = [(Box(*map(float, word[:4])), str(word[4])) for word in page.get_text("words")]
    words = [word for word in words if not any(box.covers(word[0]) > HELD for box in boxes)]
    for field, box in zip(seen, boxes, strict=True):
        value: str | bool = "" if field.field_flags & PASSWORD else str(field.field_value or "")
        if field.field_type in BUTTONS:
            value = _is_ticked(field)
        rect = (pymupdf.Rect(field.rect) * to_pixels).normalize()
        kind = KINDS.get(field.field_type, "button")
        label = label_of(box, words, boxes, before=field.field_type not in BUTTONS)
        label = label or field.field_label or field.field_name or ""
        yield FormField(field.field_name or "", kind, value, number, Box(*map(float, rect)).rounded(), label)


def label_of(box: Box, words: Sequence[PlacedWord], fields: Sequence[Box], *, before: bool) -> str:
    """The words beside a field, up to the next field or a wide gap: those `before` it or right above, or behind it."""
    left, right = _run(box, words, fields, -1), _run(box, words, fields, 1)
    sides = [left, _run_above(box, words, fields), right] if before else [right, left]
    return next((text for side in sides if (text := side.strip(" :：*"))), "")


def _run(box: Box, words: Sequence[PlacedWord], fields: Sequence[Box], way: int) -> str:
    """Word after word from the box on, to the left or to the right."""
    level = [word for word in words if word[0].overlap_y(box) > HELD * min(word[0].height, box.height)]
    found: list[str] = []
    edge, room = (box.x0, BEFORE) if way < 0 else (box.x1, BEHIND)
    for near, text in sorted(level, key=lambda word: way * word[0].center[0]):
        gap = way * ((near.x1, near.x0)[way > 0] - edge)
        between = Box(min(edge, near.center[0]), near.y0, max(edge, near.center[0]), near.y1)
        if gap < -near.height or gap > room * near.height or any(_is_between(f, between) for f in fields if f != box):
            if way * (near.center[0] - edge) < 0:
                continue
            break
        found.append(text)
        edge, room = (near.x0, near.x1)[way > 0], WORD_GAP
    return " ".join(found[::way])


def _is_between(field: Box, gap: Box) -> bool:
    return field.overlap_y(gap) > 0 and gap.x0 <= field.center[0] <= gap.x1


def _run_above(box: Box, words: Sequence[PlacedWord], fields: Sequence[Box]) -> str:
    """The words right above that begin where the box does."""
    over = [word for word in words if 0 < box.y0 - word[0].center[1] < ABOVE * word[0].height]
    first = min(
        (word for word in over if abs(word[0].x0 - box.x0) < word[0].height), key=lambda word: word[0].x0, default=None
    )
    if first is None:
        return ""
    place = first[0]
    return f"{first[1]} {_run(place, [word for word in over if word is not first], fields, 1)}"


def with_fields(page: pymupdf.Page, blocks: _Blocks, place: _Place) -> _Blocks:
    lines = [list(block) for block in blocks]
    for field in _seen_fields(page):
        box = place(field.rect)
        if field.field_type in BUTTONS:
            lines = _with_sign(lines, box, TICKED if _is_ticked(field) else UNTICKED)
        elif field.field_flags & PASSWORD:
            lines = _without_words(lines, box)
    return tuple(tuple(block) for block in lines if block)


def with_boxes(page: pymupdf.Page, blocks: _Blocks, boxes: Sequence[TickBox], place: _Place) -> _Blocks:
    """The same for boxes that are drawn: a sign in one ticks it. Those as large as no type beside them are none.

    Nor is one that holds other words: they were filled in.

    A box drawn where a button stands is that button's look or its ground, and its sign stands there already.
    """
    buttons = [place(field.rect) for field in _seen_fields(page) if field.field_type in BUTTONS] if boxes else []
    lines = [list(block) for block in blocks]
    for drawn in boxes:
        if any(_is_one_place(drawn.box, button) for button in buttons):
            continue
        level = [span for block in lines for line in block for span in line.spans if _is_level(span, drawn.box)]
        sizes = [span.size for span in level if not drawn.box.holds(span.box)]
        inside = [span.text.strip() for span in level if drawn.box.holds(span.box)]
        if TICKS.issuperset(inside) and any(LEAST * size < drawn.box.height < MOST * size for size in sizes):
            ticked = drawn.ticked or bool(inside)
            lines = _with_sign(lines, drawn.box, TICKED if ticked else UNTICKED)
    return tuple(tuple(block) for block in lines if block)


def _seen_fields(page: pymupdf.Page) -> list[pymupdf.Widget]:
    return [field for field in islice(_fields(page), MOST_FIELDS) if _is_seen(field)]


def _fields(page: pymupdf.Page) -> Iterator[pymupdf.Widget]:
    """Also those that stand within the page's own list, without a number, by which PyMuPDF would look for them."""
    field = page.first_widget
    while field is not None:
        yield field
        field = field.next


def _is_one_place(box: Box, other: Box) -> bool:
    return box.intersection(other) > HELD * min(box.area, other.area)


def _is_seen(field: pymupdf.Widget) -> bool:
    return not int(pymupdf.mupdf.pdf_annot_flags(field._annot)) & UNSEEN


def _is_ticked(field: pymupdf.Widget) -> bool:
    state = pymupdf.mupdf.pdf_dict_gets(pymupdf.mupdf.pdf_annot_obj(field._annot), "AS")
    return bool(pymupdf.mupdf.pdf_is_name(state) and pymupdf.mupdf.pdf_to_name(state) != "Off")


def _with_sign(blocks: list[list[TextLine]], box: Box, sign: str) -> list[list[TextLine]]:
    """The sign before the words at the box's right, or behind those at its left, or by itself."""
    kept = _without_words(blocks, box)
    words = [(line, span) for block in kept for line in block for span in line.spans if _is_level(span, box)]
    right = [(span.box.x0 - box.x1, line, span) for line, span in words if span.box.center[0] > box.center[0]]
    left = [(box.x0 - span.box.x1, line, span) for line, span in words if span.box.center[0] < box.center[0]]
    for side in (right, left):
        gap, line, span = min(side, key=lambda each: each[0], default=(0.0, None, None))
        if line is not None and span is not None and gap < NEAR * span.size:
            made = _inserted(line, span, box, sign, before=side is right)
            return [[made if other is line else other for other in block] for block in kept]
    return [*kept, [_line([_word(box, sign, box.height)])]]


def _without_words(blocks: Sequence[Sequence[TextLine]], box: Box) -> list[list[TextLine]]:
    """The lines without what is drawn in the box."""
    return [[line for line in (_without(line, box) for line in block) if line is not None] for block in blocks]


def _is_level(span: TextSpan, box: Box) -> bool:
    return bool(span.text.strip()) and span.baseline - span.size < box.center[1] < span.baseline + DEPTH * span.size


def _without(line: TextLine, box: Box) -> TextLine | None:
    spans = tuple(span for span in line.spans if box.covers(span.box) < HELD)
    if len(spans) == len(line.spans):
        return line
    return _line(spans) if any(span.text.strip() for span in spans) else None


def _inserted(line: TextLine, span: TextSpan, box: Box, sign: str, *, before: bool) -> TextLine:
    word = replace(_word(box, sign, span.size), baseline=span.baseline)
    at = next(n for n, other in enumerate(line.spans) if other is span) + (not before)
    return replace(line, box=Box.around((line.box, box)), spans=(*line.spans[:at], word, *line.spans[at:]))


def _word(box: Box, text: str, size: float) -> TextSpan:
    return TextSpan(box, text, "", size, box.y1 - DEPTH * size)


def _line(spans: Sequence[TextSpan]) -> TextLine:
    return TextLine(Box.around(span.box for span in spans), tuple(spans))
