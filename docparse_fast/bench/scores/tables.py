"""Tables to rows of cells, from HTML or pipes. Knows spans and headings; compares nothing."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

from docparse_fast.document import TableCell

LARGEST_SPAN = 200  # what a broken answer may claim


@dataclass(frozen=True, slots=True)
class Table:
    """Cells in the order they are written, row by row; each knows its place in the grid."""

    rows: tuple[tuple[TableCell, ...], ...]

    @property
    def cells(self) -> list[TableCell]:
        return [cell for row in self.rows for cell in row]

    @property
    def nodes(self) -> int:
        """How many nodes its tree has: itself, its rows and its cells."""
        return 1 + len(self.rows) + len(self.cells)


def read_table(text: str) -> Table | None:
    """A table from its HTML or from its lines of pipes; None where there is no cell in it."""
    table = _html_table(text) if text.lstrip().startswith("<") else _pipe_table(text)
    return table if table.cells else None


@dataclass(frozen=True, slots=True)
class _Written:
    """A cell as written, before its place is known."""

    text: str
    rows: int = 1
    columns: int = 1
    header: bool = False


def _placed(rows: Iterable[Iterable[_Written]]) -> Table:
    taken: set[tuple[int, int]] = set()
    table = []
    for at, row in enumerate(rows):
        column = 0
        placed = []
        for cell in row:
            while (at, column) in taken:
                column += 1
            taken.update((at + r, column + c) for r in range(cell.rows) for c in range(cell.columns))
            placed.append(TableCell(at, column, cell.text, cell.rows, cell.columns, cell.header))
        table.append(tuple(placed))
    return Table(tuple(table))


def _html_table(html: str) -> Table:
    # lxml takes 50 ms to import, and only scores need it.
    from lxml import etree
    from lxml import html as lxml_html

    try:
        found = lxml_html.fragment_fromstring(html, create_parent="div").find(".//table")
    except (etree.ParserError, ValueError):
        found = None
    if found is None:
        return Table(())
    return _placed(
        [_html_cell(cell) for cell in row.iterchildren("td", "th")]
        for row in found.iter("tr")
        if next(row.iterancestors("table"), None) is found
    )


def _html_cell(cell: object) -> _Written:
    from lxml.html import HtmlElement

    assert isinstance(cell, HtmlElement)
    for line_break in cell.iter("br"):
        line_break.tail = f" {line_break.tail or ''}"
    parent = cell.getparent()
    head = (
        cell.tag == "th" or next((parent.iterancestors("thead") if parent is not None else iter(())), None) is not None
    )
    return _Written(cell.text_content(), _span(cell.get("rowspan")), _span(cell.get("colspan")), head)


def _span(value: str | None) -> int:
    digits = re.fullmatch(r"\s*(\d{1,6})\s*", value or "")
    return min(max(1, int(digits[1])), LARGEST_SPAN) if digits else 1


def _pipe_table(lines: str) -> Table:
    """The line below the first is the rule; a first line of empty cells is there because pipes need one."""
    head, _, *body = [_pipe_cells(line) for line in [*lines.strip().split("\n"), "", ""]][:-1] or [[], []]
    heading = [_Written(text, header=True) for text in head]
    rows = [[_Written(text) for text in line] for line in body if line]
    return _placed(rows if rows and not any(head) else [heading, *rows])


def _pipe_cells(line: str) -> list[str]:
    line = line.strip()
    if not line:
        return []
    inner = line.removeprefix("|")
    if inner.endswith("|") and not inner.endswith("\\|"):
        inner = inner[:-1]
    return [cell.strip().replace("\\|", "|").replace("<br>", " ") for cell in re.split(r"(?<!\\)\|", inner)]
