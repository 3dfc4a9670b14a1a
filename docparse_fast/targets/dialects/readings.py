"""Gives every reading of a region that a target may copy: its drafts, and what they may also mean. Knows no model.

Table models put two printed rows into one where no line parts them. Such a table is also read with its rows apart.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from docparse_fast.document import Category, Region

_ROW = re.compile(r"<tr>.*?</tr>", re.DOTALL)
_CELL = re.compile(r"(<t[dh][^>]*>)(.*?)(</t[dh]>)", re.DOTALL)
_MERGED = 2  # cells with equally many values that make a row two


class WordedReading(NamedTuple):
    text: str
    source: str


class ListReading(NamedTuple):
    numbers: tuple[int, ...]
    items: tuple[tuple[Region, str], ...]  # each with its text
    source: str  # of the first


def readings(region: Region, *, marked: bool = True) -> Iterator[WordedReading]:
    """Each draft as printed; a text also with its bold words `marked`, a table also with its rows apart."""
    for draft in region.drafts:
        yield WordedReading(region.printed(draft), draft.source)
    for draft in region.drafts if marked and region.category is not Category.TABLE else ():
        if region.marked(draft) != region.printed(draft):
            yield WordedReading(region.marked(draft), draft.source)
    if region.category is Category.TABLE:
        for draft in region.drafts:
            apart = rows_apart(region.printed(draft))
            if apart != region.printed(draft):
                yield WordedReading(apart, draft.source)


def list_readings(members: Sequence[tuple[int, Region]]) -> Iterator[ListReading]:
    """The list by every item's first reading, by every item's second (its last if it has fewer), and so on."""
    drafted = [(n, region) for n, region in members if region.drafts]
    for reading in range(max((len(region.drafts) for _, region in drafted), default=0)):
        drafts = [region.drafts[min(reading, len(region.drafts) - 1)] for _, region in drafted]
        items = tuple((region, region.printed(draft)) for (_, region), draft in zip(drafted, drafts, strict=True))
        yield ListReading(tuple(n for n, _ in drafted), items, drafts[0].source)


def rows_apart(table: str) -> str:
    """The table without empty rows, and with rows apart that hold two or more values in most cells.

    >>> rows_apart("<table><tr><td>a b</td><td>1 2</td><td>3 4</td></tr><tr><td></td></tr></table>")
    '<table><tr><td>a</td><td>1</td><td>3</td></tr><tr><td>b</td><td>2</td><td>4</td></tr></table>'
    """
    return _ROW.sub(lambda row: "".join(_rows(row[0])), table)


def _rows(row: str) -> list[str]:
    cells = _CELL.findall(row)
    if "span=" in row:
        return [row]
    if not any(text for _, text, _ in cells):
        return []
    count = _count([text.split() for _, text, _ in cells])
    if count == 1:
        return [row]
    parts = [_parts(text.split(), count) for _, text, _ in cells]
    return [
        "<tr>" + "".join(f"{cell[0]}{part[n]}{cell[2]}" for cell, part in zip(cells, parts, strict=True)) + "</tr>"
        for n in range(count)
    ]


def _count(cells: Sequence[Sequence[str]]) -> int:
    """How many rows these cells' words belong to: as many as most cells of numbers have."""
    numbers = Counter(len(words) for words in cells if words and all(any(map(str.isdigit, word)) for word in words))
    count, cells_with = max(numbers.items(), key=lambda item: item[1], default=(1, 0))
    return count if cells_with >= _MERGED else 1


def _parts(words: Sequence[str], count: int) -> list[str]:
    """The words of a cell, parted evenly if that is possible."""
    if len(words) % count:
        return [" ".join(words), *[""] * (count - 1)]
    each = len(words) // count
    return [" ".join(words[n * each : (n + 1) * each]) for n in range(count)]
