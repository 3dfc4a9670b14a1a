"""Converts tables between HTML, which documents use, and OTSL, which some targets write. Knows no model.

OTSL is a grid of tags, one for each place: `<fcel>` is a filled cell (its text follows), `<ecel>` an empty one,
`<lcel>` is covered from the left, `<ucel>` from above, `<xcel>` from both, `<nl>` ends a row. Only DocTags has header
cells: `<ched>` of a column, `<rhed>` of a row, `<srow>` of a section.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from html.parser import HTMLParser

_ROW = re.compile(r"<tr>.*?</tr>", re.DOTALL)
_CELL = re.compile(r"(</?)t[dh]\b")
_ROWSPAN = re.compile(r'rowspan="(\d{1,3})"')
_TAG = re.compile(r"<(fcel|ecel|lcel|ucel|xcel|ched|rhed|srow|nl)>")
_HEADS = frozenset({"ched", "rhed", "srow"})
_BEGINS = _HEADS | {"fcel", "ecel"}  # tags of places where a cell begins


@dataclass(slots=True)
class _Cell:
    text: str = ""
    rows: int = 1
    columns: int = 1
    tag: str = "td"


class _Rows(HTMLParser):
    """The cells of a table, row by row; markup within a cell is kept."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.rows: list[list[_Cell]] = []
        self.inside = False

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag == "tr":
            self.rows.append([])
        elif tag in ("td", "th"):
            spans = dict(attrs)
            if not self.rows:
                self.rows.append([])
            self.rows[-1].append(_Cell("", _span(spans.get("rowspan")), _span(spans.get("colspan")), tag))
            self.inside = True
        elif self.inside:
            self.rows[-1][-1].text += f"<{tag}>"

    def handle_endtag(self, tag: str) -> None:
        if tag in ("td", "th", "tr", "table"):
            self.inside = False
        elif self.inside:
            self.rows[-1][-1].text += f"</{tag}>"

    def handle_data(self, data: str) -> None:
        if self.inside:
            self.rows[-1][-1].text += data


def with_sections(html: str) -> str:
    """A table with its header rows in `thead` as `th` and the others in `tbody` as `td`, and with plain `>`.

    Where no row has header cells, the first one counts as a header, down to the end of its longest cell.

    >>> with_sections("<table><tr><td>a</td></tr><tr><td>&gt; 1</td></tr></table>")
    '<table><thead><tr><th>a</th></tr></thead><tbody><tr><td>> 1</td></tr></tbody></table>'
    """
    rows = _ROW.findall(html)
    if not rows:
        return html
    marked = next((n for n, row in enumerate(rows) if "<th" not in row), len(rows))
    spanned = max(int(rows_of) for rows_of in ("1", *_ROWSPAN.findall(rows[0])))
    heads = marked if 0 < marked < len(rows) else min(spanned, len(rows))
    head = "".join(_CELL.sub(r"\1th", row) for row in rows[:heads])
    body = "".join(_CELL.sub(r"\1td", row) for row in rows[heads:])
    body = f"<tbody>{body}</tbody>" if body else ""
    return f"<table><thead>{head}</thead>{body}</table>".replace("&gt;", ">")


def _span(value: str | None) -> int:
    return min(int(value), 1000) if value and value.isdigit() and int(value) else 1


def cells_of(html: str) -> list[list[_Cell]]:
    """The cells of a table, row by row."""
    parser = _Rows()
    parser.feed(html)
    parser.close()
    return parser.rows


def otsl(html: str, head: str = "fcel") -> str:
    """An HTML table as OTSL; `head` is the tag of its header cells.

    >>> otsl('<table><tr><th colspan="2">a</th></tr><tr><td>b</td><td></td></tr></table>')
    '<fcel>a<lcel><nl><fcel>b<ecel><nl>'
    """
    table = cells_of(html)
    grid: dict[tuple[int, int], str] = {}
    for r, row in enumerate(table):
        c = 0
        for cell in row:
            while (r, c) in grid:
                c += 1
            _place(grid, r, c, cell, head if cell.tag == "th" else "fcel")
            c += cell.columns
    width = max((c for _, c in grid), default=-1) + 1
    rows = ("".join(grid.get((r, c), "<ecel>") for c in range(width)) for r in range(len(table)))
    return "".join(f"{row}<nl>" for row in rows)


def _place(grid: dict[tuple[int, int], str], top: int, left: int, cell: _Cell, tag: str) -> None:
    text = " ".join(cell.text.split())
    for r in range(cell.rows):
        for c in range(cell.columns):
            covered = "<xcel>" if r and c else "<ucel>" if r else "<lcel>"
            grid.setdefault((top + r, left + c), covered if r or c else f"<{tag}>{text}" if text else "<ecel>")


def html_table(otsl_text: str) -> str:
    """OTSL as an HTML table; a place marked as covered that no cell covers becomes an empty cell.

    >>> html_table("<fcel>a & b<lcel><nl><ucel><ecel><nl>")
    '<table><tr><td colspan="2">a &amp; b</td></tr><tr><td></td><td></td></tr></table>'
    """
    grid = grid_of(otsl_text)
    taken: set[tuple[int, int]] = set()
    rows = []
    for r, row in enumerate(grid):
        cells = []
        for c, (tag, text) in enumerate(row):
            if (r, c) in taken:
                continue
            rows_down, columns = _extent(grid, r, c) if tag in _BEGINS else (1, 1)
            taken |= {(r + i, c + j) for i in range(rows_down) for j in range(columns)}
            cells.append(_cell_html("th" if tag in _HEADS else "td", text, rows_down, columns))
        rows.append(f"<tr>{''.join(cells)}</tr>")
    return f"<table>{''.join(rows)}</table>" if rows else ""


def grid_of(otsl_text: str) -> list[list[tuple[str, str]]]:
    """The tag and the text of each place, row by row."""
    grid: list[list[tuple[str, str]]] = [[]]
    pieces = _TAG.split(otsl_text)
    for tag, text in zip(pieces[1::2], pieces[2::2], strict=True):
        if tag == "nl":
            grid.append([])
        else:
            grid[-1].append((tag, text.strip()))
    return [row for row in grid if row]


def _extent(grid: Sequence[Sequence[tuple[str, str]]], r: int, c: int) -> tuple[int, int]:
    """Rows and columns of the cell that starts here: the largest rectangle whose places are marked as covered."""
    columns = 1
    while c + columns < len(grid[r]) and grid[r][c + columns][0] == "lcel":
        columns += 1
    rows = 1
    covered = ["ucel", *["xcel"] * (columns - 1)]
    while r + rows < len(grid) and [tag for tag, _ in grid[r + rows][c : c + columns]] == covered:
        rows += 1
    return rows, columns


def _cell_html(tag: str, text: str, rows: int, columns: int) -> str:
    spans = (f' rowspan="{rows}"' if rows > 1 else "") + (f' colspan="{columns}"' if columns > 1 else "")
    return f"<{tag}{spans}>{escape(text, quote=False)}</{tag}>"
