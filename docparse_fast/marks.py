"""Marks of emphasis and code in Markdown that we wrote: joins lines at them and removes them.

Knows our own marks only: each stands around whole words, and every other star in such a line has a backslash.
"""

from __future__ import annotations

import re

from docparse_fast.markup import as_text

PAIR = re.compile(r"(?<![\\*])(\*{1,3})(?=[^\s*])((?:\\.|[^\\*])+?)(?<=\S)\1(?!\*)")
CODE = re.compile(r"\\.|(?<!(?<!\\)`)(`++)( ?)(.+?)\2\1(?!`)")
STAND_INS = [chr(code) for code in range(0x10FF00, 0x10FFFE)]  # replace spans of code while stars are searched
AT_END, AT_START = re.compile(r"(?<![\\\s*`])(\*{1,3}|`+)$"), re.compile(r"(\*{1,3}|`+)(?=[^\s*`])")


def seamless(before: str, after: str) -> tuple[str, str]:
    """Joins a style across two lines: drops the closing mark of the first and the opening mark of the second.

    >>> seamless("a **bold", "phrase** b"), seamless("a **hier-**", "**archy** b"), seamless("`ls`", "*x*")
    (('a **bold', 'phrase** b'), ('a **hier-', 'archy** b'), ('`ls`', '*x*'))
    """
    while (end := AT_END.search(before)) and (start := AT_START.match(after)) and end[1] == start[1]:
        before, after = before[: end.start()], after[start.end() :]
    return before, after


def unmarked(markdown: str, *, code: bool = True) -> str:
    """Removes the marks of emphasis, and those of code too unless `code` is False.

    >>> unmarked("**Note:** run `ls *.c` at 5 \\\\* 3"), unmarked("**Run `ls`**", code=False)
    ('Note: run ls \\\\*.c at 5 \\\\* 3', 'Run `ls`')
    """
    spans = [found[0] for found in CODE.finditer(markdown) if found[1]]
    hidden = iter(spans)
    stand_in = next(letter for letter in STAND_INS if letter not in markdown)
    masked = CODE.sub(lambda found: stand_in if found[1] else found[0], markdown)
    while (plain := PAIR.sub(r"\2", masked)) != masked:
        masked = plain
    return re.sub(stand_in, lambda _: CODE.sub(_out_of_code, next(hidden)) if code else next(hidden), masked)


def _out_of_code(found: re.Match[str]) -> str:
    return as_text(found[3])
