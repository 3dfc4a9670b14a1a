"""An HTML table as a pipe table, where nothing is lost by it. Knows tags; knows no page."""

from __future__ import annotations

from html import escape
from html.parser import HTMLParser

SPANS = ("colspan", "rowspan")


def pipe_table(html: str) -> str | None:
    """The table as a pipe table with its first row as head; None if it has spans or a nested table.

    >>> print(pipe_table("<table><tr><td>a</td><td>b|c</td></tr><tr><td>1</td><td></td></tr></table>"))
    | a | b\\|c |
    | --- | --- |
    | 1 |  |
    """
    reader = _Rows()
    reader.feed(html)
    reader.close()
    rows = [row for row in reader.rows if row]
    if not reader.plain or not rows or len({len(row) for row in rows}) > 1:
        return None
    head, *body = ["| " + " | ".join(map(_cell, row)) + " |" for row in rows]
    return "\n".join([head, "|" + " --- |" * len(rows[0]), *body])


def _cell(text: str) -> str:
    return escape(" ".join(text.split()), quote=False).replace("&lt;br&gt;", "<br>").replace("|", "\\|")


class _Rows(HTMLParser):
    """The rows as lists of cell texts; `plain` is False once something can't be said in pipes."""

    def __init__(self) -> None:
        super().__init__()
        self.rows: list[list[str]] = []
        self.plain = True
        self._tables = 0

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        match tag:
            case "table":
                self._tables += 1
                self.plain = self.plain and self._tables == 1
            case "tr":
                self.rows.append([])
            case "td" | "th":
                if any(value not in ("1", None) for name, value in attrs if name in SPANS):
                    self.plain = False
                if not self.rows:
                    self.rows.append([])
                self.rows[-1].append("")
            case "br":
                self._add("<br>")

    def handle_data(self, data: str) -> None:
        self._add(data)

    def _add(self, text: str) -> None:
        if self.rows and self.rows[-1]:
            self.rows[-1][-1] += text
