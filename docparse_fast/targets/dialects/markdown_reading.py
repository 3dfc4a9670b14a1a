"""Reads a target's Markdown as blocks: a category, a text, and what of it was cut off."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from docparse_fast.document import Category
from docparse_fast.targets.dialects.markdown_parts import (
    DISPLAYS,
    HEADING,
    MARKER,
)
from docparse_fast.targets.dialects.table_forms import from_pipes

_IMAGE = re.compile(r"!\[([^\]]*)\]\([^)]*\)[\d,. ]*$")  # some write its box behind it


def pieces(text: str) -> Iterator[tuple[Category, str, str]]:
    """Each block's category and text, and what of it was cut off."""
    lines = text.split("\n")
    at = 0
    while at < len(lines):
        line = lines[at]
        if not line.strip():
            at += 1
            continue
        read = next(reader for starts, reader in _READERS if starts(line))
        category, block, rest, at = read(lines, at)
        yield category, block, rest


_Read = tuple[Category, str, str, int]  # category, text, what was cut off, the line after


def _read_code(lines: list[str], at: int) -> _Read:
    end = next((n for n in range(at + 1, len(lines)) if lines[n].strip() == "```"), len(lines))
    return Category.CODE, "\n".join(lines[at + 1 : end]), "", end + 1


def _read_table(lines: list[str], at: int) -> _Read:
    """Reads to `</table>`; keeps the complete rows of a table that was cut off."""
    text, closed, after = _up_to("</table>", lines, at)
    if closed:
        return Category.TABLE, text.strip(), "", after
    row_end = text.rfind("</tr>") + len("</tr>")
    if row_end < len("</tr>"):
        return Category.TABLE, "", text, after
    return Category.TABLE, f"{text[:row_end]}</table>", text[row_end:], after


def _read_pipes(lines: list[str], at: int) -> _Read:
    """Reads lines up to the first without a pipe in front: a table, or without a rule a text."""
    end = next((n for n in range(at, len(lines)) if not _begins_with_pipe(lines[n])), len(lines))
    table = from_pipes(lines[at:end])
    text = "\n".join(line.strip() for line in lines[at:end])
    return (Category.TABLE, table, "", end) if table else (Category.TEXT, text, "", end)


def _begins_with_pipe(line: str) -> bool:
    return line.lstrip().startswith("|")


def _read_formula(lines: list[str], at: int) -> _Read:
    lines[at] = lines[at].lstrip()
    opening, closing = next(pair for pair in DISPLAYS if lines[at].startswith(pair[0]))
    lines[at] = lines[at][len(opening) :]
    text, closed, after = _up_to(closing, lines, at)
    if closed:
        return Category.FORMULA, text.removesuffix(closing).strip(), "", after
    return Category.FORMULA, "", opening + text, after


def _up_to(closing: str, lines: list[str], at: int) -> tuple[str, bool, int]:
    """The text up to the first `closing`, whether there is one, and the next line; drops the rest of its line."""
    for n in range(at, len(lines)):
        end = lines[n].find(closing) + len(closing)
        if end >= len(closing):
            text = "\n".join([*lines[at:n], lines[n][:end]])
            lines[n] = lines[n][end:].lstrip()
            return text, True, n
    return "\n".join(lines[at:]), False, len(lines)


def _read_heading(lines: list[str], at: int) -> _Read:
    return Category.TITLE, lines[at].strip(), "", at + 1


def _read_image(lines: list[str], at: int) -> _Read:
    found = _IMAGE.match(lines[at].strip())
    return Category.FIGURE, found[1] if found else "", "", at + 1


def _read_list_item(lines: list[str], at: int) -> _Read:
    """Reads an item's line and the indented lines that continue it."""
    end = at + 1
    while end < len(lines) and lines[end][:2] == "  " and lines[end].strip() and not _starts_block(lines[end]):
        end += 1
    return Category.LIST_ITEM, "\n".join(lines[at:end]), "", end


def _read_text(lines: list[str], at: int) -> _Read:
    end = at + 1
    while end < len(lines) and lines[end].strip() and not _starts_block(lines[end]):
        end += 1
    return Category.TEXT, "\n".join(line.strip() for line in lines[at:end]), "", end


def _starts_block(line: str) -> bool:
    return any(starts(line) for starts, _ in _READERS[:-1])


_READERS: tuple[tuple[Callable[[str], object], Callable[[list[str], int], _Read]], ...] = (
    (lambda line: line.lstrip().startswith("```"), _read_code),
    (lambda line: line.lstrip().startswith("<table"), _read_table),
    (_begins_with_pipe, _read_pipes),
    (lambda line: line.lstrip().startswith(tuple(opening for opening, _ in DISPLAYS)), _read_formula),
    (lambda line: HEADING.match(line.strip()), _read_heading),
    (lambda line: _IMAGE.match(line.strip()), _read_image),
    (lambda line: MARKER.match(line), _read_list_item),
    (lambda line: True, _read_text),
)
