"""An HTML table as a pipe table, where nothing is lost by it. Knows tags; knows no page."""

from __future__ import annotations

import re
from html.parser import HTMLParser

from docparse_fast.rendering import harmless
from docparse_fast.text.markup import as_text, parted_at_formulas

STRUCK = "\ufdd0"  # stands for a mark of ours, which is no text: no file may have this character
SIGNS = {"<": "&lt;", ">": "&gt;", "&": "&amp;", STRUCK: "~~"}
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
    lines = [" ".join(line.split()) for line in text.split("\n")]
    return "<br>".join(_escaped(line) for line in lines)


def _escaped(line: str) -> str:
    """Signs of HTML as entities: cells are read by more tools than those that know Markdown's backslashes.

    >>> print(_escaped("a_b < *c* if $x < y \\\\neq 0$"))
    a_b &lt; \\*c* if $x < y \\neq 0$
    """
    parts = (harmless.formula(part) if n % 2 else _text(part) for n, part in enumerate(parted_at_formulas(line)))
    return "".join(parts).replace("|", "\\|")


def _text(words: str) -> str:
    return "".join(SIGNS.get(part) or as_text(part) for part in re.split(f"([<>&{STRUCK}])", words))


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
                self._add("\n")
            case "del":
                self._add(STRUCK)

    def handle_endtag(self, tag: str) -> None:
        if tag == "del":
            self._add(STRUCK)

    def handle_data(self, data: str) -> None:
        self._add(data.replace("\n", " "))

    def _add(self, text: str) -> None:
        if self.rows and self.rows[-1]:
            self.rows[-1][-1] += text
