"""Reads the HTML that stands in Markdown: tables, marks, and the words outside of tables."""

from __future__ import annotations

from collections.abc import Sequence
from html.parser import HTMLParser
from typing import Any


class HtmlReader(HTMLParser):
    """Tables as rows of (text, columns, rows), and the words outside of them."""

    def __init__(self) -> None:
        super().__init__()
        self.tables: list[list[list[list[Any]]]] = []
        self.strong: list[str] = []
        self.code: list[str] = []
        self.rest = ""
        self.inside = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = {name: int(value) for name, value in attrs if value and value.isdecimal()}
        if tag == "table":
            self.tables.append([])
        elif tag == "tr" and self.tables:
            self.tables[-1].append([])
        elif tag in ("td", "th") and self.tables and self.tables[-1]:
            self.tables[-1][-1].append(["", given.get("colspan", 1), given.get("rowspan", 1)])
        self.inside = tag

    def handle_endtag(self, tag: str) -> None:
        self.inside = ""

    def handle_data(self, data: str) -> None:
        if self.inside in ("b", "i", "strong", "em"):
            self.strong.append(data)
        elif self.inside == "code":
            self.code.append(data)
        if self.tables and self.tables[-1] and self.tables[-1][-1]:
            self.tables[-1][-1][-1][0] += data
        else:
            self.rest += data


def spread(rows: Sequence[Sequence[Sequence[Any]]]) -> list[list[str]]:
    """Cells that span, said at every place that they fill."""
    places: dict[tuple[int, int], str] = {}
    for r, row in enumerate(rows):
        column = 0
        for text, across, down in row:
            while (r, column) in places:
                column += 1
            places |= {(r + y, column + x): text for y in range(down) for x in range(across)}
            column += across
    return [
        [places.get((r, c), "") for c in range(max((x for _, x in places), default=-1) + 1)] for r in range(len(rows))
    ]
