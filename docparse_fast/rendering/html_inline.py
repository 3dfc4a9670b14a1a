"""Markdown within a line, and the few tags it may hold, to pieces of text that know where they stood. Knows no block.

It understands the marks that our own pages use. Everything else is text and is shown as it stands: an opening mark
without a closing one, an unknown tag, an address that is not http(s). The time is linear in the length of the text.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from html import unescape
from typing import NamedTuple

STYLES = {
    "**": "b",
    "__": "b",
    "strong": "b",
    "*": "i",
    "_": "i",
    "em": "i",
    "~~": "del",
}  # other tags stand for themselves
SAFE_ADDRESS = re.compile(r"(?:https?://|mailto:)[^\s<>\"'`\\]+", re.IGNORECASE)

TOKEN = re.compile(
    r"\\(?P<escaped>[!-/:-@\[-`{-~])"
    r"|(?P<fence>`{1,3})(?P<code>[^`]+)(?P=fence)"
    r"|\$(?P<math>[^\s$](?:[^$\n]{0,400}[^\s$\\])?)\$(?!\d)"
    r"|<(?P<close>/?)(?P<tag>sup|sub|br|u|b|i|em|strong|del)\s{0,9}/?>"
    r"|(?P<entity>&(?:\#\d{1,7}|\#x[0-9a-fA-F]{1,6}|[a-zA-Z][a-zA-Z0-9]{1,31});)"
    r"|(?P<mark>(?<=[^\s*])\*(?=\*\*(?:[^\w*]|$))|\*{1,2}|_{1,2}|~~)"  # of three that close, the inner one first
    r"|\[(?P<label>(?:\\.|[^\[\]\n\\]){1,500})\]\((?P<target>[^()\s]{1,2000})\)"
)


class HtmlPiece(NamedTuple):
    """Text in one style; or, where `at` is negative, markup of ours, and `text` is HTML."""

    text: str
    at: int  # where its first character stands in the source; the others follow
    styles: tuple[str, ...] = ()
    address: str = ""


@dataclass(slots=True)
class _Mark:
    """A mark that opens or closes a style if it has a partner; otherwise it is text."""

    text: str
    at: int
    style: str
    opens: bool
    closes: bool
    partner: int | None = None

    @property
    def kind(self) -> str:
        """What its partner must be: the same characters, or a tag of the same name."""
        return self.text if self.text in STYLES else f"<{self.style}>"


def inline(text: str, start: int = 0, *, links: bool = False) -> Iterator[HtmlPiece]:
    """The pieces of `text`, which stands at `start` of its source; what looks like a link is text without `links`.

    >>> [(piece.text, piece.at, piece.styles) for piece in inline("a **b** <c>")]
    [('a ', 0, ()), ('b', 4, ('b',)), (' <c>', 7, ())]
    """
    parts = list(_parts(text, start, links))
    _pair([part for part in parts if isinstance(part, _Mark)])
    styles: Counter[str] = Counter()
    for part in parts:
        if isinstance(part, _Mark):
            if part.partner is None:
                yield HtmlPiece(part.text, part.at, tuple(+styles))
            else:
                styles[part.style] += 1 if part.partner > part.at else -1
        else:
            yield part._replace(styles=tuple(dict.fromkeys((*+styles, *part.styles))))


def _parts(text: str, start: int, links: bool) -> Iterator[HtmlPiece | _Mark]:
    cursor = 0
    for found in TOKEN.finditer(text):
        if found.start() > cursor:
            yield HtmlPiece(text[cursor : found.start()], start + cursor)
        yield from _part(text, found, start, links)
        cursor = found.end()
    if cursor < len(text):
        yield HtmlPiece(text[cursor:], start + cursor)


def _part(text: str, found: re.Match[str], start: int, links: bool) -> Iterator[HtmlPiece | _Mark]:
    kind = found.lastgroup
    at = start + found.start()
    match kind:
        case "escaped" | "code" | "math":
            styles = () if kind == "escaped" else (("code",) if kind == "code" else ("code", "math"))
            yield HtmlPiece(found[kind], start + found.start(kind), styles)
        case "tag" if found["tag"] == "br":
            yield HtmlPiece("<br>", -1)
        case "tag":
            style = STYLES.get(found["tag"], found["tag"])
            yield _Mark(found[0], at, style, opens=not found["close"], closes=bool(found["close"]))
        case "entity":
            yield HtmlPiece(unescape(found["entity"]), at)
        case "mark":
            yield _emphasis(text, found, at)
        case _ if links and (address := safe_address(unescape(found["target"]))):
            for piece in inline(found["label"], start + found.start("label"), links=False):
                yield piece._replace(address=address)
        case _:
            yield HtmlPiece(found[0], at)


def _emphasis(text: str, found: re.Match[str], at: int) -> _Mark:
    before, after = text[max(0, found.start() - 1) : found.start()], text[found.end() : found.end() + 1]
    inside_word = found[0].startswith("_")  # where it is a letter among letters
    return _Mark(
        found[0],
        at,
        STYLES[found[0]],
        opens=bool(after.strip()) and not (inside_word and before.isalnum()),
        closes=bool(before.strip()) and not (inside_word and after.isalnum()),
    )


def _pair(marks: list[_Mark]) -> None:
    """Pair each closing mark with the last open one of its kind. Marks opened between the two are text."""
    waiting: list[_Mark] = []
    count: Counter[str] = Counter()
    for mark in marks:
        if mark.closes and count[mark.kind]:
            opening = waiting.pop()
            while opening.kind != mark.kind:
                count[opening.kind] -= 1
                opening = waiting.pop()
            count[mark.kind] -= 1
            opening.partner, mark.partner = mark.at, opening.at
        elif mark.opens:
            waiting.append(mark)
            count[mark.kind] += 1


def safe_address(text: str) -> str:
    """The address, if it is safe to link; otherwise an empty string.

    >>> safe_address("https://a.org/b"), safe_address("javascript:alert(1)"), safe_address("data:text/html,x")
    ('https://a.org/b', '', '')
    """
    return text if SAFE_ADDRESS.fullmatch(text) else ""
