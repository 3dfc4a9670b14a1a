"""Writes a page's text as Markdown that reads back as the same text. Knows Markdown's inline marks; knows no blocks.

Drafters call `as_text` on a page's words *before* they add their own marks (a link, a raised letter), so every mark
without a backslash is theirs. The rendering escapes what begins a line (`#`, `>`, a fence).
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Sequence

_PUNCTUATION = r"[!-/:-@\[-`{-~]"  # a backslash before one of these makes it text
_LIVE = re.compile(
    r"[\\`]"
    r"|\](?=\()"  # a link or a picture
    r"|<(?=[A-Za-z/!?]|[^\s<>@]+@)"  # a tag, a comment or an address
    r"|&(?=\#?[0-9A-Za-z]{1,32};)"
    r"|(?P<run>\*+|_+|~{2})"
)
_ENTITY = re.compile(r"&(?=#?[0-9A-Za-z]{1,32};)")
_IN_LABEL = re.compile(r"\\.|[\[\]]")
_FORMULA = re.compile(r"((?<![\\$])\$(?=[^\s$])[^$\n]*?[^\s$\\]\$(?![\d$]))")
_ESCAPED = re.compile(rf"\\({_PUNCTUATION})")
_SCHEME = re.compile(r"([A-Za-z][A-Za-z0-9+.-]*):")
_HARMLESS = frozenset({"http", "https", "mailto", "ftp", "tel", "doi"})
_ADDRESS = re.compile(r"[^\s\x00-\x1f\x7f()<>\\`\"]+")


def as_text(words: str) -> str:
    """Puts a backslash wherever Markdown would read a mark in `words`.

    >>> print(as_text("![x](http://a.org) is <b>not</b> a *picture*, nor is [12] a link; a_b * c"))
    ![x\\](http://a.org) is \\<b>not\\</b> a \\*picture*, nor is [12] a link; a_b * c
    """
    return as_texts([words])[0]


def as_texts(parts: Sequence[str]) -> list[str]:
    """`as_text` of adjacent parts, for callers that put marks around some of them.

    >>> as_texts(["see [this", "](http://a.org)"])
    ['see [this', '\\\\](http://a.org)']
    """
    live = {at for found in _LIVE.finditer("".join(parts)) for at in _live(found)}
    if not live:
        return list(parts)
    texts, start = [], 0
    for part in parts:
        texts.append("".join("\\" * (start + n in live) + char for n, char in enumerate(part)))
        start += len(part)
    return texts


def as_read(markdown: str) -> str:
    """Undoes `as_text`; the Markdown must have no other marks.

    >>> as_read(as_text(r"C:\\[a](b)"))
    'C:\\\\[a](b)'
    """
    return _ESCAPED.sub(r"\1", markdown)


def parted_at_formulas(markdown: str) -> list[str]:
    """The text, with every second part a formula between dollar signs.

    >>> parted_at_formulas("let $x$ be")
    ['let ', '$x$', ' be']
    """
    return _FORMULA.split(markdown)


def leads_somewhere(address: str | None) -> bool:
    """Whether the address is one of the web, a mail address or a path, and not a script or a local file.

    >>> [leads_somewhere(uri) for uri in ("https://a.org", "www.a.org/b:c", "javascript:x=1", "file:///etc", "")]
    [True, True, False, False, False]
    """
    if not address:
        return False
    # On the way to a scheme, browsers skip blanks and control characters, and Markdown skips a backslash.
    bare = "".join(char for char in address if char.isprintable() and char not in " \\")
    scheme = _SCHEME.match(bare)
    return scheme[1].lower() in _HARMLESS if scheme else "&" not in bare.split("/", 1)[0]


def is_address(address: str) -> bool:
    """Whether the address can stand in a Markdown link unchanged, and leads somewhere."""
    return _ADDRESS.fullmatch(address) is not None and leads_somewhere(address)


def linked(label: str, address: str) -> str:
    """A Markdown link; `label` is Markdown already.

    >>> linked("see [1]", "https://a.org/?a=1&copy;=2")
    '[see \\\\[1\\\\]](https://a.org/?a=1&amp;copy;=2)'
    """
    label = _IN_LABEL.sub(lambda found: found[0] if len(found[0]) > 1 else "\\" + found[0], label)
    return f"[{label}]({_ENTITY.sub('&amp;', address)})"


def _live(found: re.Match[str]) -> Iterable[int]:
    """The positions that need backslashes. A closing mark needs none if nothing opens it."""
    words, marks = found.string, found["run"]
    if marks is None or marks[0] == "~":
        return range(*found.span())
    before, after = words[found.start() - 1 : found.start()], words[found.end() : found.end() + 1]
    opens = bool(after.strip()) and (not _is_sign(after) or not before.strip() or _is_sign(before))
    if marks[0] == "_" and before.strip() and not _is_sign(before):
        opens = False  # a mark between two letters
    return range(*found.span()) if opens else ()


def _is_sign(char: str) -> bool:
    return unicodedata.category(char)[0] in "PS"
