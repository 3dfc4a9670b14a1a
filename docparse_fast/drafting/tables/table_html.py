"""Writes cells as an HTML table. Knows rows, columns and spans; does not know where or how a table was read.

The one form in which tables leave the drafters: no attributes but `colspan` and `rowspan`, no line breaks, every
place of the grid filled once.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from html import escape

from docparse_fast.document import TableCell


def table_html(cells: Iterable[TableCell]) -> str:
    """The table as HTML, places without a cell written as empty ones.

    >>> table_html([TableCell(0, 0, "a & b", columns=2, header=True), TableCell(1, 1, "2")])
    '<table><tr><th colspan="2">a &amp; b</th></tr><tr><td></td><td>2</td></tr></table>'
    """
    placed = _without_overlaps(cells)
    if not placed:
        return ""
    width = max(cell.column + cell.columns for cell in placed)
    height = max(cell.row + cell.rows for cell in placed)
    taken = {place for cell in placed for place in places_of(cell)}
    heads = {cell.row for cell in placed if cell.header}
    places = ((r, c) for r in range(height) for c in range(width) if (r, c) not in taken)
    empty = [TableCell(r, c, "", header=r in heads) for r, c in places]
    rows: list[list[TableCell]] = [[] for _ in range(height)]
    for cell in sorted([*placed, *empty], key=lambda cell: cell.column):
        rows[cell.row].append(cell)
    return "".join(["<table>", *(f"<tr>{''.join(map(_cell_html, row))}</tr>" for row in rows), "</table>"])


def _without_overlaps(cells: Iterable[TableCell]) -> list[TableCell]:
    """If two cells claim one place, the later shrinks to one place, or adds its text to the earlier cell."""
    owner: dict[tuple[int, int], int] = {}
    placed: list[TableCell] = []
    for cell in sorted(cells, key=lambda cell: (cell.row, cell.column)):
        home = owner.get((cell.row, cell.column))
        if home is not None:
            placed[home] = replace(placed[home], text=f"{placed[home].text} {cell.text}".strip(), html="")
            continue
        fitting = cell if all(place not in owner for place in places_of(cell)) else replace(cell, rows=1, columns=1)
        owner.update((place, len(placed)) for place in places_of(fitting))
        placed.append(fitting)
    return placed


def places_of(cell: TableCell) -> list[tuple[int, int]]:
    return [(cell.row + r, cell.column + c) for r in range(cell.rows) for c in range(cell.columns)]


def _cell_html(cell: TableCell) -> str:
    tag = "th" if cell.header else "td"
    spans = f' rowspan="{cell.rows}"' if cell.rows > 1 else ""
    spans += f' colspan="{cell.columns}"' if cell.columns > 1 else ""
    text = cell.html or escape(cell.text, quote=False)
    return f"<{tag}{spans}>{' '.join(text.split())}</{tag}>"
