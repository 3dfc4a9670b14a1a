"""Writes a table in the forms that generalists choose from, and reads pipes. Knows tables as HTML; knows no model.

Pipes have no room for spans: beside a cell's first place its others are empty.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from html import escape

from docparse_fast.targets.dialects.otsl import grid_of, otsl, with_sections

RULE = 3  # dashes that a rule has at least
_RULE = re.compile(r"\|?[ \t]*:?-+:?[ \t]*(?:\|[ \t]*:?-+:?[ \t]*)*\|?")
_LINE = re.compile(r"<(t[dh])\b(?:(?!<t[dh]\b).)*?</\1>|</?\w[^<>]*>", re.DOTALL)
_BAR = re.compile(r"(?<!\\)\|")


def forms(html: str) -> Iterator[str]:
    """Each other form once."""
    seen = {html}
    for form in FORMS:
        table = form(html)
        if table not in seen:
            seen.add(table)
            yield table


def pipes(html: str) -> str:
    """A pipe table, its first row the head.

    >>> print(pipes("<table><tr><th>a</th><th>b</th></tr><tr><td>c</td><td></td></tr></table>"))
    | a | b |
    | --- | --- |
    | c |  |
    """
    rows = _plain_rows(html)
    return _piped(rows, [0] * len(rows[0]), "| " + " | ".join(["---"] * len(rows[0])) + " |") if rows else html


def padded_pipes(html: str) -> str:
    """The same with pipes under each other.

    >>> print(padded_pipes("<table><tr><th>a</th><th>b</th></tr><tr><td>long</td><td>1</td></tr></table>"))
    | a    | b   |
    |------|-----|
    | long | 1   |
    """
    rows = _plain_rows(html)
    if not rows:
        return html
    widths = [max(RULE, *map(len, column)) for column in zip(*rows, strict=True)]
    return _piped(rows, widths, "|" + "|".join("-" * (width + 2) for width in widths) + "|")


def indented(html: str) -> str:
    """A line for each row's tags and for each cell, in `thead` and `tbody`.

    >>> print(indented("<table><tr><th>a</th><th></th></tr><tr><td></td><td>1</td></tr></table>").split("</thead>")[1])
    <BLANKLINE>
      <tbody>
        <tr>
          <td></td>
          <td>1</td>
        </tr>
      </tbody>
    </table>
    """
    lines, depth = [], 0
    for line in (found[0] for found in _LINE.finditer(with_sections(html))):
        closes = line.startswith("</")
        depth -= closes
        lines.append("  " * depth + line)
        depth += not closes and not line.startswith(("<td", "<th>", "<th "))
    return "\n".join(lines)


def from_pipes(lines: Sequence[str]) -> str:
    """The HTML of a pipe table, empty without a rule; the rows above the rule are its head.

    >>> from_pipes(["| a | b |", "|---|:-:|", r"| 1 \\| 2 | |"])
    '<table><tr><th>a</th><th>b</th></tr><tr><td>1 | 2</td><td></td></tr></table>'
    """
    rule = next((n for n, line in enumerate(lines) if _RULE.fullmatch(line.strip())), None)
    if rule is None:
        return ""
    rows = [_row("th", line) for line in lines[:rule]] + [_row("td", line) for line in lines[rule + 1 :]]
    return f"<table>{''.join(rows)}</table>"


def _row(tag: str, line: str) -> str:
    cells = _BAR.split(line.strip().removeprefix("|").removesuffix("|"))
    texts = (escape(cell.strip().replace(r"\|", "|"), quote=False) for cell in cells)
    return f"<tr>{''.join(f'<{tag}>{text}</{tag}>' for text in texts)}</tr>"


def _piped(rows: list[list[str]], widths: list[int], rule: str) -> str:
    lines = ["| " + " | ".join(map(str.ljust, row, widths)) + " |" for row in rows]
    return "\n".join([lines[0], rule, *lines[1:]])


def _plain_rows(html: str) -> list[list[str]]:
    return [[text for _, text in row] for row in grid_of(otsl(html))]


FORMS: tuple[Callable[[str], str], ...] = (with_sections, pipes, padded_pipes, indented)
