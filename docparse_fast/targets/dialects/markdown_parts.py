"""Headings, bullets, fences and formula delimiters of Markdown: written, and taken off again. Knows single blocks."""

from __future__ import annotations

import re

from docparse_fast.document import HEADINGS, Category, Region

Delimiters = tuple[str, str]

HEADING = re.compile(r"(#{1,6})[ \t]+")
MARKER = re.compile(r"([ \t]*)([-*+•]|\d{1,3}[.)])[ \t]+(.*)$", re.DOTALL)
_ANSWER_FENCE = re.compile(r"\s*```(?:markdown|md)[ \t]*\n")
DISPLAYS: tuple[Delimiters, ...] = (("$$", "$$"), ("\\[", "\\]"))


def heading_marks(region: Region) -> str:
    """`#` for a title; for a section header as many as its level, or two if it has none.

    >>> from docparse_fast.document import Box
    >>> heading_marks(Region(Box(0, 0, 9, 9), Category.SECTION_HEADER, level=3))
    '###'
    """
    least = 1 if region.category is Category.TITLE else 2
    return "#" * min(max(region.level, least), 6) if region.category in HEADINGS else ""


def split_heading(text: str) -> tuple[int, str]:
    """A heading's level and words; level 0 if nothing marks it.

    >>> split_heading("## 1 Introduction ##"), split_heading("# C#"), split_heading("Results")
    ((2, '1 Introduction'), (1, 'C#'), (0, 'Results'))
    """
    found = HEADING.match(text)
    if found is None:
        return 0, text
    words = text[found.end() :].strip()
    bare = words.rstrip("#")  # marks may also close a heading, after a blank
    return len(found[1]), bare.rstrip() if bare != bare.rstrip() else words


def with_bullet(text: str, bullet: str) -> str:
    """A list item with this bullet; numbers are kept.

    >>> with_bullet("• one", "-"), with_bullet("2. two", "-")
    ('- one', '2. two')
    """
    found = MARKER.match(text)
    if found is None or found[2][0].isdigit():
        return text
    return f"{bullet} {found[3]}"


def split_bullet(text: str) -> tuple[str, str]:
    """A list item's marker, if it has one, and its words.

    >>> split_bullet("2. two"), split_bullet("two")
    (('2.', 'two'), ('', 'two'))
    """
    found = MARKER.match(text)
    return (found[2], found[3]) if found else ("", text)


def list_items(text: str) -> list[tuple[str, int]]:
    """The items of a list, each with its nesting; lines without a marker belong to the item before them.

    >>> list_items("* one\\n  more\\n  * two")
    [('- one\\n  more', 0), ('- two', 1)]
    """
    items: list[tuple[str, int]] = []
    for line in text.split("\n"):
        found = MARKER.match(line)
        if found is not None:
            items.append((with_bullet(line.strip(), "-"), len(found[1].expandtabs(4)) // 2))
        elif items:
            items[-1] = (f"{items[-1][0]}\n{line}", items[-1][1])
        elif line.strip():
            items.append((line.strip(), 0))
    return [(item.rstrip(), level) for item, level in items]


def bare_formula(text: str) -> str:
    """LaTeX without its delimiters.

    >>> bare_formula("$$ x^2 $$"), bare_formula(r"\\[x\\]"), bare_formula("x")
    ('x^2', 'x', 'x')
    """
    text = text.strip()
    for opening, closing in (*DISPLAYS, ("\\(", "\\)"), ("$", "$")):
        if len(text) >= len(opening) + len(closing) and text.startswith(opening) and text.endswith(closing):
            return text[len(opening) : -len(closing)].strip()
    return text


def without_fence(text: str) -> str:
    """Code without the fence around it; other text unchanged."""
    if not text.startswith("```"):
        return text
    body = text.split("\n", 1)[1] if "\n" in text else ""
    return body.removesuffix("```").removesuffix("\n")


def unwrapped(answer: str) -> str:
    """The answer without the ```markdown fence that chat models like to add."""
    found = _ANSWER_FENCE.match(answer)
    return answer[found.end() :].rstrip().removesuffix("```") if found else answer
