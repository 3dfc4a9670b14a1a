"""Marks of emphasis, code and crossed-out words in Markdown that we wrote: joins lines at them and removes them.

Knows our own marks only: each stands around whole words, and every other star in such a line has a backslash.
"""

from __future__ import annotations

import re

from docparse_fast.text.markup import as_text

BETWEEN_TILDES = r"~~(?=[^\s~])(?P<struck>(?:\\.|[^\\~]|~(?!~))+?)(?<=\S)~~(?!~)"
STRUCK = re.compile(r"(?<![\\~])" + BETWEEN_TILDES)
PAIR = re.compile(r"(?<![\\*])(\*{1,3})(?=[^\s*])((?:\\.|[^\\*])+?)(?<=\S)\1(?!\*)")
CODE = re.compile(r"\\.|(?<!(?<!\\)`)(`++)( ?)(.+?)\2\1(?!`)")
STRUCK_OR_CODE = re.compile(f"{CODE.pattern}|{BETWEEN_TILDES}")
LINK = re.compile(r"(?<!\\)\[((?:\\.|[^\[\]\\])*)\]\([^()\s]*\)")
STAND_INS = [chr(code) for code in range(0x10FF00, 0x10FFFE)]  # replace spans of code while stars are searched
AT_END = re.compile(r"(?<![\\\s*`])(?:\*{1,3}|`+)$|(?<![\\\s~])~~$")
AT_START = re.compile(r"(?:\*{1,3}|`+)(?=[^\s*`])|~~(?=[^\s~])")


def seamless(before: str, after: str) -> tuple[str, str]:
    """Joins a style across two lines: drops the closing mark of the first and the opening mark of the second.

    >>> seamless("a **bold", "phrase** b"), seamless("a **hier-**", "**archy** b"), seamless("`ls`", "*x*")
    (('a **bold', 'phrase** b'), ('a **hier-', 'archy** b'), ('`ls`', '*x*'))
    """
    while (end := AT_END.search(before)) and (start := AT_START.match(after)) and end[0] == start[0]:
        before, after = before[: end.start()], after[start.end() :]
    return before, after


def unmarked(markdown: str, *, code: bool = True, struck: bool = True) -> str:
    """Removes the marks of emphasis; those of code and of crossed-out words too, unless these are False.

    >>> unmarked("**Note:** run `ls *.c` at 5 \\\\* 3"), unmarked("**Run `ls`**", code=False)
    ('Note: run ls \\\\*.c at 5 \\\\* 3', 'Run `ls`')
    """
    if not ("*" in markdown or "`" in markdown or "~" in markdown):
        return markdown
    spans = [found[0] for found in CODE.finditer(markdown) if found[1]]
    hidden = iter(spans)
    stand_in = next(letter for letter in STAND_INS if letter not in markdown)
    masked = CODE.sub(lambda found: stand_in if found[1] else found[0], markdown)
    while (plain := PAIR.sub(r"\2", STRUCK.sub(r"\1", masked) if struck else masked)) != masked:
        masked = plain
    return re.sub(stand_in, lambda _: CODE.sub(_out_of_code, next(hidden)) if code else next(hidden), masked)


def unstruck(markdown: str) -> str:
    """Removes the marks around what is crossed out.

    >>> unstruck("~~old~~ **new**, \\\\~~ and `a~~b~~`")
    'old **new**, \\\\~~ and `a~~b~~`'
    """
    return STRUCK_OR_CODE.sub(lambda found: found["struck"] or found[0], markdown)


def struck_spans(markdown: str) -> list[tuple[int, int]]:
    """From where to where words are crossed out, without the marks around them.

    >>> struck_spans("~~old~~ **~~older~~**, \\\\~~ and `a~~b~~`")
    [(2, 5), (12, 17)]
    """
    return [found.span("struck") for found in STRUCK_OR_CODE.finditer(markdown) if found["struck"]]


def unlinked(markdown: str) -> str:
    """Removes where links lead, which is not printed.

    >>> unlinked("see [**the** paper](https://a.org/b), f[i\\\\](x)")
    'see **the** paper, f[i\\\\](x)'
    """
    return LINK.sub(r"\1", markdown)


def _out_of_code(found: re.Match[str]) -> str:
    return as_text(found[3])
