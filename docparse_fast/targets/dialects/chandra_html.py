"""Writes a region as the HTML that Chandra writes, and reads such HTML into blocks. Knows tags; no page and no model.

Tags that are not known stay as text, so no word is lost to a broken answer.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from html import unescape

from docparse_fast.document import Block, Category, Region
from docparse_fast.targets.dialects.markdown_parts import heading_marks, split_bullet

_ATTRIBUTES = (
    "class|colspan|rowspan|display|checked|type|border|value|style|href|src|alt|title|align|data-bbox|data-label"
)
_TOKENS = re.compile(rf"(</?[a-zA-Z][a-zA-Z0-9]*(?:\s+(?:{_ATTRIBUTES})(?:=\"[^\"<>]*\")?)*\s*/?>)")
_NAME = re.compile(r"</?([a-zA-Z][a-zA-Z0-9]*)")
_DOLLARS = re.compile(r"(?<![\\$])\$(?=[^\s$])([^$\n]*?[^\s$\\])\$(?![\d$])")
_STRONG = re.compile(r"\*\*(?=\S)(.+?)(?<=\S)\*\*")
_SLANTED = re.compile(r"(?<!\*)\*(?=[^\s*])([^*\n]+?)(?<=\S)\*(?!\*)")
_MATH = re.compile(r"<math>(.*?)</math>", re.DOTALL)
_ROWS = re.compile(r"(?:(?<!\s)\s++)?</?(?:tbody|table)\b[^<>]*>\s*|(?<=</tr>)\s+")
_ALT = re.compile(r"\balt=\"([^\"]*)\"")
_MARKS = {"b": "**", "strong": "**", "i": "*", "em": "*", "del": "~~"}
_SILENT = frozenset(["div", "span", "u", "small", "big", "a", "chem", "code", "hr", "tbody", "thead", "caption"])
_DEEPEST = 5  # the prompt allows no other headings
_DEEPEST_LIST = 9  # a looping model can open lists without end
_CHECKED, _UNCHECKED = "☑", "☐"


# ------------------------------------------------------------------------------------------------- writing


def region_html(region: Region, text: str) -> str:
    match region.category:
        case Category.TITLE | Category.SECTION_HEADER:
            level = min(len(heading_marks(region)), _DEEPEST)
            return f"<h{level}>{_inline(text)}</h{level}>"
        case Category.LIST_ITEM:
            return list_html([(text, 0)])
        case Category.TABLE:
            return _table(text)
        case Category.FORMULA:
            return f'<math display="block">{_escaped(text)}</math>'
        case Category.CODE:
            return f"<pre><code>{_escaped(text)}</code></pre>"
        case _:
            return f"<p>{_inline(text)}</p>"


def list_html(items: Sequence[tuple[str, int]]) -> str:
    """Items with their markers and levels; numbered ones are a list of their own.

    >>> list_html([("1. one", 0), ("- a", 1), ("2. two", 0)])
    '<ol><li>one<ul><li>a</li></ul></li><li>two</li></ol>'
    """
    html: list[str] = []
    opened: list[str] = []  # tags of the lists that are open
    for text, level in items:
        marker, words = split_bullet(text)
        tag = "ol" if marker[:1].isdigit() else "ul"
        while len(opened) > level + 1 or (len(opened) == level + 1 and opened[-1] != tag):
            html.append(f"</li></{opened.pop()}>")
        if len(opened) == level + 1:
            html.append("</li>")
        else:
            opened.append(tag)
            html.append(f"<{tag}>")
        html.append(f"<li>{_inline(words)}")
    return "".join(html) + "".join(f"</li></{tag}>" for tag in reversed(opened))


def _inline(text: str) -> str:
    """Markdown's emphasis, formulas and line breaks as tags."""
    pieces = _DOLLARS.split(text)
    for n, piece in enumerate(pieces):
        piece = _escaped(piece)
        if n % 2:
            pieces[n] = f"<math>{piece}</math>"
        else:
            pieces[n] = _SLANTED.sub(r"<i>\1</i>", _STRONG.sub(r"<b>\1</b>", piece)).replace("\n", "<br/>")
    return "".join(pieces)


def _escaped(text: str) -> str:
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def _table(html: str) -> str:
    rows = _ROWS.sub("", html).replace("</tr>", "</tr>\n")
    rows = _DOLLARS.sub(lambda found: f"<math>{found[1]}</math>", rows)
    return f'<table border="1">\n<tbody>\n{rows}</tbody>\n</table>'


# ------------------------------------------------------------------------------------------------- reading


@dataclass(slots=True)
class _Reading:
    """The blocks found so far, and the one being read."""

    blocks: list[Block] = field(default_factory=list)
    words: list[str] = field(default_factory=list)
    category: Category = Category.TEXT
    level: int = 0
    counts: list[int] = field(default_factory=list)  # of the open lists; -1: bulleted
    lost: str = ""

    def begin(self, category: Category, level: int = 0) -> None:
        self.end()
        self.category, self.level = category, level

    def end(self) -> None:
        """Ends the block, if it has any words."""
        text = "".join(self.words)
        text = text.strip("\n") if self.category is Category.CODE else text.strip()
        if text:
            self.blocks.append(Block(self.category, self._marked(text), level=self.level))
        self.words, self.category, self.level = [], Category.TEXT, 0

    def _marked(self, text: str) -> str:
        if self.category is not Category.LIST_ITEM:
            return text
        count = self.counts[-1] if self.counts else -1
        return f"- {text}" if count < 0 else f"{count}. {text}"


def blocks_of(html: str) -> tuple[list[Block], str]:
    """The blocks, and what of a table or formula that was cut off could not be read."""
    reading = _Reading()
    tokens = _TOKENS.split(html)
    at = 0
    while at < len(tokens):
        if at % 2 == 0:
            reading.words.append(_plain(tokens[at], reading.category))
            at += 1
        else:
            at = _read_tag(reading, tokens, at)
    reading.end()
    return reading.blocks, reading.lost


def _plain(text: str, category: Category) -> str:
    text = unescape(text)
    return text if category is Category.CODE else re.sub(r"\s+", " ", text)


def _read_tag(reading: _Reading, tokens: Sequence[str], at: int) -> int:
    """Reads the tag, and everything up to its end if that is no text; returns where to go on."""
    tag = tokens[at]
    name, closes = _name(tag), tag.startswith("</")
    if name in ("table", "math") and not closes:
        return _read_whole(reading, tokens, at, name)
    if name == "img":
        reading.end()
        alt = _ALT.search(tag)
        reading.blocks.append(Block(Category.FIGURE, unescape(alt[1]) if alt else ""))
    elif name in ("ul", "ol"):
        reading.end()
        if closes:
            del reading.counts[-1:]
        else:
            reading.counts.append(0 if name == "ol" else -1)
    elif name == "li":
        _item(reading, closes)
    elif name == "p":
        if reading.category is not Category.LIST_ITEM:
            reading.end()
    elif name == "pre":
        reading.end() if closes else reading.begin(Category.CODE)
    elif name[:1] == "h" and name[1:].isdigit():
        level = int(name[1:])
        kind = Category.TITLE if level == 1 else Category.SECTION_HEADER
        reading.end() if closes else reading.begin(kind, level)
    else:
        reading.words.append(_inline_mark(tag, name))
    return at + 1


def _item(reading: _Reading, closes: bool) -> None:
    if closes:
        reading.end()
        return
    reading.begin(Category.LIST_ITEM, min(max(0, len(reading.counts) - 1), _DEEPEST_LIST))
    if reading.counts and reading.counts[-1] >= 0:
        reading.counts[-1] += 1


def _read_whole(reading: _Reading, tokens: Sequence[str], at: int, name: str) -> int:
    end = next((n for n in range(at + 2, len(tokens), 2) if tokens[n] == f"</{name}>"), None)
    text = "".join(tokens[at + 1 : end])
    shown = name == "table" or "block" in tokens[at]
    if shown:
        reading.end()
    if end is None and name == "table":
        kept = text.rfind("</tr>") + len("</tr>")
        kept = 0 if kept < len("</tr>") else kept
        text, reading.lost = text[:kept], text[kept:]
    elif end is None:
        reading.lost = tokens[at] + text
        return len(tokens)
    if name == "table" and text:
        rows = _MATH.sub(lambda found: f"${found[1].strip()}$", _ROWS.sub("", text))
        reading.blocks.append(Block(Category.TABLE, f"<table>{rows.strip()}</table>"))
    elif name == "math" and shown:
        reading.blocks.append(Block(Category.FORMULA, unescape(text).strip()))
    elif name == "math":
        reading.words.append(f"${unescape(text).strip()}$")
    return len(tokens) if end is None else end + 1


def _inline_mark(tag: str, name: str) -> str:
    if name in _MARKS:
        return _MARKS[name]
    if name == "br":
        return "\n"
    if name == "input":
        return _CHECKED if "checked" in tag.replace("checkbox", "") else _UNCHECKED
    if name in _SILENT:
        return ""
    return tag  # sup and sub are Markdown too; others are not known


def _name(tag: str) -> str:
    found = _NAME.match(tag)
    return found[1].lower() if found else ""
