"""What the columns of a proposed table hold: kinds that agree, heads, counting numbers, tables side by side; its type.

Knows cells, their words and lines; judges nothing.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Callable, Sequence
from itertools import pairwise
from statistics import fmean, median

from docparse_fast.document import TableCell
from docparse_fast.drafting.lines import Line
from docparse_fast.drafting.measures import HEAVIER, MOSTLY
from docparse_fast.drafting.tables.grid import looks_like_number, row_boxes
from docparse_fast.geometry import Filed

_NUMBERED = re.compile(r"\d{1,4}[^\W\d_]{3}")
_COUNT = re.compile(r"(\d{1,3})\.?\s+\S")
_DATE = re.compile(r"\d{1,4}[./-]\d{1,2}(?:[./-]\d{1,4})?\.?|\d{1,2}:\d{2}")


def kind(text: str) -> str:
    """
    >>> [kind(text) for text in ("1,200.50", "03.04.2026", "AB-12", "Flour")]
    ['number', 'date', 'code', 'words']
    """
    text = text.strip()
    if _DATE.fullmatch(text):
        return "date"
    if looks_like_number(text) or sum(map(str.isdigit, text)) > sum(map(str.isalpha, text)):
        return "number"
    return "code" if any(map(str.isdigit, text)) and " " not in text else "words"


def are_numbered(column: Sequence[TableCell]) -> bool:
    """Whether its cells begin with a number and go on in words: two columns, read as one."""
    numbered = sum(_NUMBERED.match("".join(cell.text.split())) is not None for cell in column)
    return len(column) > 1 and (numbered >= MOSTLY * len(column) or _count_up(column))


def _count_up(column: Sequence[TableCell]) -> bool:
    """Whether they begin with 1, 2, 3 and go on: places and articles' codes, read as one column."""
    counts = [int(found[1]) for cell in column if (found := _COUNT.match(cell.text))]
    return len(counts) == len(column) and counts == list(range(1, len(counts) + 1))


def pure(columns: Sequence[Sequence[TableCell]]) -> float:
    """The share of cells that are of their column's usual kind."""
    counts = [Counter(kind(cell.text) for cell in column) for column in columns if column]
    total = sum(sum(count.values()) for count in counts)
    return sum(max(count.values()) for count in counts) / total if total else 1.0


def numeric(column: Sequence[TableCell]) -> bool:
    return bool(column) and 2 * sum(kind(cell.text) == "number" for cell in column) > len(column)


def headed(rows: Sequence[Sequence[TableCell]], columns: Sequence[Sequence[TableCell]]) -> float:
    """The share of columns of numbers that begin with a word."""
    figures = {n for n, column in enumerate(columns) if numeric(column)}
    named = {cell.column for cell in rows[0] if kind(cell.text) == "words"} if rows else set()
    return len(figures & named) / max(1, len(figures))


def returning(rows: Sequence[Sequence[TableCell]]) -> float:
    """The share of the head's texts that a head beside it says again, or another row one of its words."""
    head = [cell.text for cell in rows[0]] if rows else []
    below = {cell.text for row in rows[1:] for cell in row if kind(cell.text) == "words"}
    counts = Counter(head)
    return sum(counts[text] > 1 or text in below for text in head) / max(1, len(head))


def twofold(columns: Sequence[Sequence[TableCell]]) -> float:
    """How much it looks like two tables side by side: labels begin anew behind figures, and what follows is alike.

    Labels name: hardly any two are the same, unlike units.
    """
    kinds = ["figures" if numeric(column) else "labels" if column else "" for column in columns]
    cuts = [n for n in range(2, len(kinds) - 1) if kinds[n - 1] == "figures" and kinds[n] == "labels"]
    return max(
        (_alike(kinds[:n], kinds[n:]) * len({cell.text for cell in columns[n]}) / len(columns[n]) for n in cuts),
        default=0.0,
    )


def _alike(left: Sequence[str], right: Sequence[str]) -> float:
    return sum(a == b for a, b in zip(left, right, strict=False)) / max(len(left), len(right))


def lines_of_cells(cells: Sequence[TableCell], held: Sequence[Line]) -> list[list[Line]]:
    """The lines that stand in each cell."""
    filed = Filed(held, by=lambda line: line.box.center[1])
    return [
        [line for line in filed.between(box.y0, box.y1) if box.holds(line.box)] if (box := cell.box) is not None else []
        for cell in cells
    ]


def in_other_type(
    cells: Sequence[TableCell], inside: Sequence[Sequence[Line]], is_first: Callable[[TableCell], bool]
) -> float:
    """How much type differs in size and weight: that of labels from that of values, of a head from its rows."""
    of_cell = list(zip(cells, inside, strict=True))
    ours, theirs = (
        [line for cell, lines in of_cell if is_first(cell) is first for line in lines] for first in (True, False)
    )
    if not ours or not theirs:
        return 0.0
    sizes = math.log(median(line.size for line in ours) / median(line.size for line in theirs))
    weights = fmean(map(_weight, ours)) - fmean(map(_weight, theirs))
    return abs(sizes) + abs(weights)


def mixed(inside: Sequence[Sequence[Line]]) -> float:
    """The share of cells with heavy and light lines: a sum above the next group's name."""
    weights = [list(map(_weight, lines)) for lines in inside]
    return sum(max(each) - min(each) > HEAVIER for each in weights if each) / max(1, len(inside))


def steps(inside: Sequence[Sequence[Line]], rows: Sequence[Sequence[TableCell]], unit: float) -> tuple[float, float]:
    """The widest step from line to line in a cell, and the least from one row to the next, in lines' heights."""
    levels = [sorted(line.box.center[1] for line in lines) for lines in inside]
    within = [below - above for each in levels for above, below in pairwise(each)]
    between = [below.y0 - above.y1 for above, below in pairwise(row_boxes(rows))]
    return max(within, default=0.0) / unit, 1 + min(between, default=0.0) / unit


def lone_near(rows: Sequence[Sequence[TableCell]]) -> float:
    """The white above rows of one cell, in that above the others: little where a cell's text goes on in them."""
    boxes = zip((len(row) for row in rows if row), row_boxes(rows), strict=True)
    white = [(count, max(0.0, box.y0 - above.y1)) for (_, above), (count, box) in pairwise(boxes)]
    lone, others = ([gap for count, gap in white if (count == 1) is single] for single in (True, False))
    return min(3.0, median(lone) / max(1.0, median(others))) if lone and others else 1.0


def _weight(line: Line) -> float:
    return line.weight or float(line.bold)
