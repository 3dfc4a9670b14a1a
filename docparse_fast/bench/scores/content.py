"""A page's Markdown as the pieces that are judged each in its own way: paragraphs, tables and formulas, in order.

Knows Markdown, HTML tables and the ways a formula is set off; judges nothing.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from docparse_fast.bench.datasets import BenchPage, TruthBlock

DISPLAYED = r"equation|align|gather|multline|eqnarray|displaymath"
SET_APART = re.compile(
    # A table that is cut off is one too; "<table name>" in a text about tables is none.
    r"(?P<table>(?<!\\)<table\b[^<>]*>\s*<(?:tr|t[hd]|thead|tbody|caption|colgroup)\b(?:(?!<table\b).)*?(?:</table\s*>|\Z))"
    r"|\$\$(?P<dollars>.+?)\$\$"
    r"|\\\[(?P<brackets>.+?)\\\]"
    rf"|(?P<environment>\\begin\{{(?P<name>{DISPLAYED})(?P<star>\*?)\}}.+?\\end\{{(?P=name)(?P=star)\}})"
    r"|^[ \t]*\$(?P<line>[^$\n]+)\$[ \t.,;]*$",  # alone on its line
    re.DOTALL | re.MULTILINE | re.IGNORECASE,
)
INVISIBLE = re.compile(r"<!--.*?-->|!\[[^\]]*\]\([^)]*\)", re.DOTALL)
HEADING = re.compile(r"^[ \t]*#{1,6}[ \t]")
PIPE_RULE = re.compile(r"[ \t]*\|?[ \t]*:?-+:?[ \t]*(?:\|[ \t]*:?-+:?[ \t]*)*\|?[ \t]*")


def truth_blocks(page: BenchPage) -> tuple[TruthBlock, ...]:
    """What the data set says stands on the page, cut up as an answer is where it has no blocks."""
    if page.truth is None:
        return ()
    return page.truth.blocks or read_blocks(page.truth.markdown)


def read_blocks(markdown: str) -> tuple[TruthBlock, ...]:
    """An answer's pieces in order.

    >>> [block.kind for block in read_blocks("# One\\ntwo\\n\\n| a |\\n|---|\\n| b |\\n\\n$$x$$ three")]
    ['text', 'text', 'table', 'formula', 'text']
    """
    return tuple(block for block in _pieces(INVISIBLE.sub("", markdown.replace("\r\n", "\n"))) if block.text.strip())


def _pieces(markdown: str) -> Iterator[TruthBlock]:
    at = 0
    for found in SET_APART.finditer(markdown):
        yield from _text_and_pipes(markdown[at : found.start()])
        at = found.end()
        if found["table"]:
            yield TruthBlock("table", found["table"])
        else:
            formula = found["dollars"] or found["brackets"] or found["environment"] or found["line"]
            yield TruthBlock("formula", formula.strip())
    yield from _text_and_pipes(markdown[at:])


def _text_and_pipes(markdown: str) -> Iterator[TruthBlock]:
    """Paragraphs end at blank lines, headings with their line, pipe tables where the pipes do."""
    lines = markdown.split("\n")
    paragraph: list[str] = []
    at = 0
    while at < len(lines):
        end = _pipe_table_end(lines, at)
        if end is None and lines[at].strip() and not HEADING.match(lines[at]):
            paragraph.append(lines[at])
            at += 1
            continue
        yield TruthBlock("text", "\n".join(paragraph))
        paragraph = []
        if end is not None:
            yield TruthBlock("table", "\n".join(lines[at:end]))
        else:
            yield TruthBlock("text", lines[at])
        at = end or at + 1
    yield TruthBlock("text", "\n".join(paragraph))


def _pipe_table_end(lines: list[str], at: int) -> int | None:
    """The line after the pipe table that begins here, if one does."""
    if "|" not in lines[at] or at + 1 >= len(lines):
        return None
    if "|" not in lines[at + 1] or not PIPE_RULE.fullmatch(lines[at + 1]):
        return None
    end = at + 2
    while end < len(lines) and "|" in lines[end]:
        end += 1
    return end
