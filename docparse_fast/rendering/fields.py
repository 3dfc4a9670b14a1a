"""Labels and their values on a page, as fields: what is asked, what is answered. Knows blocks and a file's own form.

A line that says `label: value`, a table whose rows are labels and values, and boxes beside words are fields; an answer
of underscores, or none, is an empty one. Where the file has fields itself, it is believed.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from docparse_fast.document import Block, Box, Category, FieldKind, FormField
from docparse_fast.text.html_cells import GridCell, grid_of
from docparse_fast.text.marks import unmarked
from docparse_fast.text.markup import as_read

LONGEST_LABEL, LONGEST_VALUE = 40, 120  # characters
MOST_LABEL_WORDS = 5
SENTENCE = 4  # words; a longer answer that ends with a full stop is a sentence
TICKED, UNTICKED = "☒☑", "☐"
BOXES = TICKED + UNTICKED
LINED = re.compile(r"(?=[^:：☐☒☑]*?[^\W\d_])(?P<label>[^:：☐☒☑]++)[:：]\s*+(?P<value>\S.*)?", re.DOTALL)
TO_FILL = re.compile(r"_{3,}|\.{5,}|…{2,}")
BLANK = re.compile(r"[_.…\s]*")
BEFORE = re.compile(rf"([{BOXES}])\s*([^{BOXES}]+)")
AFTER = re.compile(rf"(?<![^{BOXES}])([^{BOXES}]++)([{BOXES}])")
TEXTS = frozenset({Category.TEXT, Category.LIST_ITEM})
MOST_ALIKE = 5  # values that are amounts and nothing else: more are a list of prices
AMOUNT = re.compile(r"\D{0,4}[\d.,' ]+\D{0,4}")
NUMBER = re.compile(r"\d")
CLOCK_OR_PLACE = re.compile(r"\d$|//$|https?$")  # before a colon that is none of a label


@dataclass(frozen=True, slots=True)
class Field:
    """`value` is whether a box is ticked, or what was answered: nothing in an empty field."""

    label: str
    value: str | bool
    kind: FieldKind
    block: int | None  # of the page's, from 0; none where a field of the file stands in no block
    group: str = ""  # what a row of boxes is about
    box: Box | None = None
    name: str | None = None  # of a field of the file


def fields_of(blocks: Sequence[Block], form: Sequence[FormField] = ()) -> Iterator[Field]:
    """`form`: the file's own fields; a label or a value of theirs is told once.

    >>> from docparse_fast.document import Category
    >>> [(field.label, field.value) for field in fields_of([Block(Category.TEXT, "**Date:** 9 May\\n☒ yes ☐ no")])]
    [('Date', '9 May'), ('yes', True), ('no', False)]
    """
    known = {n: [field for field in form if _stands_in(block, field)] for n, block in enumerate(blocks)}
    for n, block in enumerate(blocks):
        yield from (field for field in _of_block(block, n) if not any(_says(field, own) for own in known[n]))
        yield from (_of_file(field, n) for field in known[n])
    stood = [field for fields in known.values() for field in fields]
    yield from (_of_file(field, None) for field in form if field not in stood)


def _stands_in(block: Block, field: FormField) -> bool:
    return block.box is not None and field.box is not None and block.box.holds(field.box)


def _says(field: Field, own: FormField) -> bool:
    """Whether what was told from a block's text is, or has in it, what the file says."""
    said, label = f"{field.label} {field.value}".casefold(), own.label.casefold()
    if isinstance(own.value, bool):  # a cell may hold a part of a box's words
        return field.kind == "checkbox" and (field.label.casefold() in label or label in said)
    return any(text and text in said for text in (label, own.value.casefold()))


def _of_file(own: FormField, block: int | None) -> Field:
    return Field(own.label, own.value, own.kind, block, box=own.box, name=own.name)


def _of_block(block: Block, n: int) -> Iterator[Field]:
    if block.category in TEXTS:
        for line in block.text.replace("\\\n", "\n").splitlines():
            yield from _of_line(as_read(unmarked(line)).removeprefix("- ").strip(), n)
    elif block.category is Category.TABLE:
        yield from _of_table(grid_of(block.text), n)


def field_as_json(field: Field, blocks: Sequence[Block]) -> dict[str, Any]:
    box = field.box or (blocks[field.block].box if field.block is not None else None)
    place = box.rounded() if box else None
    return {
        "label": field.label,
        "value": field.value,
        "kind": field.kind,
        "block": field.block,
        "box": [place.x0, place.y0, place.x1, place.y1] if place else None,
        **({"group": field.group} if field.group else {}),
        **({"name": field.name} if field.name is not None else {}),
    }


def _of_line(line: str, block: int) -> Iterator[Field]:
    if any(sign in line for sign in BOXES):
        yield from _boxes(line, block)
    elif len(parts := TO_FILL.split(line)) > 1 and not NUMBER.search(parts[-1]):  # no line of contents
        for label in (part.strip(" :：") for part in parts[:-1]):
            yield from _of_line(label, block) if LINED.fullmatch(label) else _to_fill(label, block)
    elif (found := LINED.fullmatch(line)) and not CLOCK_OR_PLACE.search(found["label"].rstrip()):
        value = found["value"] or ""
        yield from () if value.startswith("//") else _named(found["label"], value, block)


def _to_fill(label: str, block: int) -> Iterator[Field]:
    return _named(label, "", block) if any(map(str.isalpha, label)) else iter(())


def _named(label: str, value: str, block: int) -> Iterator[Field]:
    label, value = label.strip(), "" if BLANK.fullmatch(value) else value.strip()
    if len(value.split()) > SENTENCE and value.endswith("."):
        return
    if 0 < len(label) <= LONGEST_LABEL and len(label.split()) <= MOST_LABEL_WORDS and len(value) <= LONGEST_VALUE:
        yield Field(label, value, "text", block)


def _boxes(line: str, block: int) -> Iterator[Field]:
    """Boxes before their words, or behind them where the line ends with one; what stands before all is the group."""
    first = min(line.index(sign) for sign in BOXES if sign in line)
    group, rest = line[:first].rstrip(" :："), line[first:]
    if line[-1] in BOXES:
        group, parts = "", AFTER.findall(line)
    else:
        parts = [(label, sign) for sign, label in BEFORE.findall(rest)]
    for label, sign in parts:
        yield Field(label.strip().strip(" ,;"), sign in TICKED, "checkbox", block, group)


def _of_table(cells: Sequence[GridCell], block: int) -> Iterator[Field]:
    """Of a table of labels and values: beside each other, or each label above its value."""
    width = max((cell.column + cell.columns for cell in cells), default=0)
    height = max((cell.row + cell.rows for cell in cells), default=0)
    rows = [[""] * width for _ in range(height)]
    for cell in cells:
        rows[cell.row][cell.column] = cell.text.strip()
        if any(sign in cell.text for sign in BOXES):
            yield from _boxes(cell.text.strip(), block)
    headed = sum(cell.header for cell in cells if cell.row == 0) > 1
    beside = _beside([row[width % 2 :] for row in rows], headed=headed)  # an address may stand at the left
    for label, value in max((beside, _stacked(rows)), key=_figures_in_values):
        if label and not any(sign in label + value for sign in BOXES):
            yield from _named(label.rstrip(":： "), value, block)


Pairs = list[tuple[str, str]]


def _beside(rows: Sequence[Sequence[str]], *, headed: bool) -> Pairs:
    """Labels at the left of their values, if most end with a colon, or all are words and no two alike."""
    width = len(rows[0]) if rows else 0
    pairs = [(row[n], row[n + 1]) for row in rows for n in range(0, width, 2) if row[n] or row[n + 1]]
    labels, values = [label for label, _ in pairs if label], [value for _, value in pairs if value]
    colons = sum(label.endswith((":", "：")) for label in labels)
    if 2 * colons > len(labels):
        return pairs
    alike = len(values) > MOST_ALIKE and all(map(AMOUNT.fullmatch, values))
    worded = len(set(labels)) == len(pairs) and not any(map(NUMBER.match, labels))
    told = 4 * sum(NUMBER.search(value) is not None for value in values) >= len(values) > 0
    return pairs if worded and told and not headed and not alike and _are_short(labels) else []


def _stacked(rows: Sequence[Sequence[str]]) -> Pairs:
    """Labels above their values: rows without a digit, by turns with rows of which a third have one."""
    if len(rows) < 2 or len(rows) % 2 or len(rows[0]) < 2:
        return []
    labels = [label for row in rows[::2] for label in row if label]
    values = [value for row in rows[1::2] for value in row if value]
    told = 3 * sum(NUMBER.search(value) is not None for value in values) >= len(values) > 0
    if not told or any(map(NUMBER.search, labels)) or len(set(labels)) < len(labels) or not _are_short(labels):
        return []
    pairs = [
        pair for above, below in zip(rows[::2], rows[1::2], strict=True) for pair in zip(above, below, strict=True)
    ]
    return pairs if all(label for label, value in pairs if value) else []


def _figures_in_values(pairs: Pairs) -> float:
    """How much more often values hold figures than labels do."""
    said = sum((NUMBER.search(value) is not None) - (NUMBER.search(label) is not None) for label, value in pairs)
    return said / len(pairs) if pairs else -2.0


def _are_short(labels: Sequence[str]) -> bool:
    return all(len(label) <= LONGEST_LABEL and len(label.split()) <= MOST_LABEL_WORDS for label in labels)
