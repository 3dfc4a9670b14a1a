"""Labels and their values on a page, as fields: what is asked, what is answered. Knows blocks and a file's own form.

A line that says `label: value`, a table whose rows are labels and values, and boxes beside words are fields; an answer
of underscores, or none, is an empty one. Where the file has fields itself, it is believed.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, pairwise
from statistics import median
from typing import Any

from docparse_fast.document import Block, Box, Category, FieldKind, FormField
from docparse_fast.rendering.cell_lines import PrintedLines
from docparse_fast.text.characters import COLONS
from docparse_fast.text.html_cells import GridCell, grid_of
from docparse_fast.text.marks import unmarked
from docparse_fast.text.markup import as_read
from docparse_fast.text.placed_words import PlacedWord

LONGEST_LABEL, LONGEST_VALUE = 40, 120  # characters
LONGEST_IN_BOX = 600  # of a value in a cell with its label
SEVERAL, SMALLER = 2, 0.9  # labels in cells; their type, of their values'
MOST_LABEL_WORDS = 5
SENTENCE = 4  # words; a longer answer that ends with a full stop is a sentence
TICKED, UNTICKED = "☒☑", "☐"
BOXES = TICKED + UNTICKED
LINED = re.compile(r"(?=[^:：☐☒☑]*?[^\W\d_])(?P<label>[^:：☐☒☑]++)[:：]\s*+(?P<value>\S.*)?", re.DOTALL)
TO_FILL = re.compile(r"_{3,}|\.{5,}|…{2,}")
BLANK = re.compile(r"[_.…\s]*")
A_BOX = re.compile(f"[{BOXES}]")
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


def _ends_with_colon(text: str) -> bool:
    return text.endswith(COLONS)


def _of_file(own: FormField, block: int | None) -> Field:
    return Field(own.label, own.value, own.kind, block, box=own.box, name=own.name)


def _of_block(block: Block, n: int) -> Iterator[Field]:
    if block.category in TEXTS:
        for line in block.text.replace("\\\n", "\n").splitlines():
            for part in _parted(as_read(unmarked(line)).removeprefix("- ").strip(), block.words):
                yield from _of_line(part, n)
    elif block.category is Category.TABLE:
        yield from _of_table(grid_of(block.text), n, PrintedLines(block.words))


def _parted(line: str, words: Iterable[PlacedWord]) -> list[str]:
    """A line of several labels, each with its value, where the page has most white before the next label."""
    said = line.split()
    ends = [n for n, word in enumerate(said) if _ends_with_colon(word)]
    if len(ends) < 2 or A_BOX.search(line):
        return [line]
    boxes, texts = zip(*words, strict=True) if (words := list(words)) else ((), ())
    first = next((n for n in range(len(texts)) if list(texts[n : n + len(said)]) == said), None)
    if first is None:
        return [line]
    white = [math.inf if b.center[1] > a.y1 else b.x0 - a.x1 for a, b in pairwise(boxes[first : first + len(said)])]
    cuts = [max(range(a, b), key=white.__getitem__) + 1 for a, b in pairwise(ends)]
    return [" ".join(said[a:b]) for a, b in pairwise([0, *cuts, len(said)])]


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


def _of_line(line: str, block: int, longest: int = LONGEST_VALUE) -> Iterator[Field]:
    if any(sign in line for sign in BOXES):
        yield from _boxes(line, block)
    elif len(parts := TO_FILL.split(line)) > 1 and not NUMBER.search(parts[-1]):  # no line of contents
        for label in (part.strip(" :：") for part in parts[:-1]):
            yield from _of_line(label, block) if LINED.fullmatch(label) else _to_fill(label, block)
    elif (found := LINED.fullmatch(line)) and not CLOCK_OR_PLACE.search(found["label"].rstrip()):
        value = found["value"] or ""
        yield from () if value.startswith("//") else _named(found["label"], value, block, longest)


def _to_fill(label: str, block: int) -> Iterator[Field]:
    return _named(label, "", block) if any(map(str.isalpha, label)) else iter(())


def _named(label: str, value: str, block: int, longest: int = LONGEST_VALUE) -> Iterator[Field]:
    label, value = label.strip(), "" if BLANK.fullmatch(value) else value.strip()
    if longest == LONGEST_VALUE and len(value.split()) > SENTENCE and value.endswith("."):
        return
    if 0 < len(label) <= LONGEST_LABEL and len(label.split()) <= MOST_LABEL_WORDS and len(value) <= longest:
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


def _of_table(cells: Sequence[GridCell], block: int, printed: PrintedLines) -> Iterator[Field]:
    """Of a table of labels and values: beside each other, each label above its value, or both in one cell."""
    width = max((cell.column + cell.columns for cell in cells), default=0)
    height = max((cell.row + cell.rows for cell in cells), default=0)
    rows = [[""] * width for _ in range(height)]
    lines = [printed.of(cell.text) for cell in cells]
    in_one = _in_one_cell(lines) if not any(cell.header for cell in cells) else {}
    for n, cell in enumerate(cells):
        text = cell.text.strip()
        if A_BOX.search(text):
            yield from _boxes(text, block)
        elif (found := LINED.fullmatch(text)) and found["value"]:
            for part in _parted(text, chain(*lines[n])):
                yield from _of_line(part, block, LONGEST_IN_BOX)
        elif n in in_one:
            yield from _named(*in_one[n], block, LONGEST_IN_BOX)
        else:
            rows[cell.row][cell.column] = text
    if in_one:
        return
    headed = sum(cell.header for cell in cells if cell.row == 0) > 1
    beside = _beside([row[width % 2 :] for row in rows], headed=headed)  # an address may stand at the left
    for label, value in _below(rows) or max((beside, _stacked(rows)), key=_figures_in_values):
        if label and not A_BOX.search(label + value):
            yield from _named(label.rstrip(":： "), value, block)


def _in_one_cell(cells: Sequence[Sequence[Sequence[PlacedWord]]]) -> dict[int, tuple[str, str]]:
    """Labels with what is filled in, by their cells: most are such, in two types or with figures."""
    told = {}
    for n, lines in enumerate(cells):
        label, *value = (" ".join(text for _, text in line) for line in lines) if lines else ("",)
        if value and not NUMBER.search(label) and _are_short([label]):
            told[n] = label.rstrip(":： "), " ".join(value)
    labels, values = [label for label, _ in told.values()], [value for _, value in told.values()]
    if len(told) < SEVERAL or 2 * len(told) <= sum(map(bool, cells)) or len(set(labels)) < len(labels):
        return {}
    own = [lines for n, lines in enumerate(cells) if n in told]
    small = median(lines[0][0][0].height for lines in own)
    large = median(line[0][0].height for lines in own for line in lines[1:])
    figures = 4 * sum(NUMBER.search(value) is not None for value in values) >= len(values)
    return told if figures or small < SMALLER * large else {}


def _below(rows: Sequence[Sequence[str]]) -> list[tuple[str, str]]:
    """Labels that all end with a colon, in rows of their own, with what stands below each."""
    found = []
    for above, row in pairwise(rows):
        labels, values = ([text for text in each if text] for each in (above, row))
        if len(labels) > 1 and all(map(_ends_with_colon, labels)) and not any(map(_ends_with_colon, values)):
            found += [pair for pair in zip(above, row, strict=True) if pair[0]]
    return found


Pairs = list[tuple[str, str]]


def _beside(rows: Sequence[Sequence[str]], *, headed: bool) -> Pairs:
    """Labels at the left of their values, if most end with a colon, or all are words and no two alike."""
    width = len(rows[0]) if rows else 0
    pairs = [(row[n], row[n + 1]) for row in rows for n in range(0, width, 2) if row[n] or row[n + 1]]
    labels, values = [label for label, _ in pairs if label], [value for _, value in pairs if value]
    colons = sum(map(_ends_with_colon, labels))
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
