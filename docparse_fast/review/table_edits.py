"""A table's HTML put right: single cells, the whole grid, another table below it. Knows tags; knows no document."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from html import escape
from typing import Any

from docparse_fast.errors import UsageError
from docparse_fast.text.html_cells import grid_of, rows_of

_CELL = re.compile(r"(<t[dh]\b[^>]*>)(.*?)(</t[dh]>)", re.DOTALL | re.IGNORECASE)
_FIRST_ROW = re.compile(r"<tr\b.*?</tr>", re.DOTALL | re.IGNORECASE)
_ROWS = re.compile(r"<tr\b.*</tr>", re.DOTALL | re.IGNORECASE)
_TAG = re.compile(r"</?t[dh]\b[^>]*>")


def with_cells(html: str, cells: Sequence[Mapping[str, Any]]) -> str:
    """The table with other texts in some cells, each named by its row and column, from 0.

    >>> with_cells("<table><tr><td><b>a</b></td><td>b</td></tr></table>", [{"row": 0, "column": 1, "text": "1 < 2"}])
    '<table><tr><td><b>a</b></td><td>1 &lt; 2</td></tr></table>'
    """
    places = {(cell.row, cell.column): n for n, cell in enumerate(grid_of(html))}
    texts = {}
    for cell in cells:
        place = (int(cell["row"]), int(cell["column"]))
        if place not in places:
            raise UsageError(f"the table has no cell that begins in row {place[0]}, column {place[1]}, from 0")
        texts[places[place]] = escape(str(cell["text"]), quote=False)
    count = iter(range(len(places)))
    return _CELL.sub(lambda found: f"{found[1]}{texts.get(next(count), found[2])}{found[3]}", html)


def of_rows(html: str, rows: Sequence[Sequence[Any]]) -> str:
    """A table of these rows, with as many heads as the one before; `{"cell": n}` is its n-th cell as it was.

    >>> of_rows("<table><tr><th>a</th></tr><tr><td><b>1</b></td></tr></table>", [["A"], [{"cell": 1}], ["2"]])
    '<table><tr><th>A</th></tr><tr><td><b>1</b></td></tr><tr><td>2</td></tr></table>'
    """
    if not rows or not rows[0] or len({len(row) for row in rows}) > 1:
        raise UsageError("rows are empty or differ in length", remedy="give each row as many cells as the first")
    before = [found[2] for found in _CELL.finditer(html)]
    heads = len({cell.row for cell in grid_of(html) if cell.header and cell.column == 0})
    written = ("".join(_cell(cell, before, "th" if n < heads else "td") for cell in row) for n, row in enumerate(rows))
    return f"<table>{''.join(f'<tr>{row}</tr>' for row in written)}</table>"


def _cell(said: Any, before: Sequence[str], tag: str) -> str:
    if isinstance(said, Mapping):
        if not 0 <= int(said["cell"]) < len(before):
            raise UsageError(f"the table has no cell {said['cell']}", remedy="cells count from 0, row by row")
        return f"<{tag}>{before[int(said['cell'])]}</{tag}>"
    return f"<{tag}>{escape('' if said is None else str(said), quote=False)}</{tag}>"


def joined(above: str, below: str) -> str:
    """One table of two; a first row of the lower one that repeats the upper one's is left out.

    >>> joined("<table><tr><th>a</th></tr></table>", "<table><tr><td>a</td></tr><tr><td>2</td></tr></table>")
    '<table><tr><th>a</th></tr><tr><td>2</td></tr></table>'
    """
    upper, lower = _ROWS.search(above), _ROWS.search(below)
    if upper is None or lower is None:
        raise UsageError("only two tables can be joined")
    more = lower[0]
    if rows_of(above)[0] == rows_of(below)[0]:
        more = _FIRST_ROW.sub("", more, count=1)
    more = _TAG.sub(lambda found: found[0].replace("<th", "<td").replace("</th", "</td"), more)
    return above[: upper.end()] + more + above[upper.end() :]
