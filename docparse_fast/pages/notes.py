"""Warnings of the readers that are no errors: a file was repaired, part of a page is missing."""

from __future__ import annotations

from dataclasses import dataclass, field

WHOLE_DOCUMENT = 0  # where a page's number would stand

_MOST_WARNINGS = 20  # a page; a broken font can raise thousands


@dataclass(slots=True)
class Notes:
    """Warnings by page, and the pages of which a part is missing."""

    cut_off: set[int] = field(default_factory=set)
    _by_page: dict[int, list[str]] = field(default_factory=dict)

    def warn(self, number: int, text: str) -> None:
        texts = self._by_page.setdefault(number, [])
        text = one_line(text)
        if text and text not in texts and len(texts) < _MOST_WARNINGS:
            texts.append(text)

    def warnings(self, number: int) -> tuple[str, ...]:
        return tuple(self._by_page.get(number, ()))


def one_line(text: object, most: int = 200) -> str:
    """A foreign library's message, short enough to stand in ours.

    >>> one_line("zlib error:\\n  incorrect header")
    'zlib error: incorrect header'
    """
    words = " ".join("".join(char if char.isprintable() else " " for char in str(text)).split())
    return words if len(words) <= most else words[: most - 1] + "…"
