"""Lists with leaders, as tables of two columns without the dots: contents, prices. Knows rows of lines alone.

Leaders tell what they are: nothing is left to judge.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from docparse_fast.document import Box, TableCell
from docparse_fast.drafting.lines import Line
from docparse_fast.drafting.tables.candidates import TableCandidate
from docparse_fast.drafting.tables.places import rows_of, step_between

READER = "contents"
FEWEST_ROWS = 3
CLOSE_ROWS = 3.2  # line heights from one row's middle to the next within a list
LEADER = re.compile(r"(?:[.·_]\s?){4}|…")  # quick to look for; few lines have one
LED = re.compile(r"(?:(?:[.·_]\s?+){4,}+|…{2,}+\s?+)[.…\s]*+")
PAGE, LONGEST_PAGE = re.compile(r"[\w-]*"), 8
WORD = re.compile(r"\w")


def led_lists(lines: Sequence[Line]) -> Iterator[TableCandidate]:
    """Each run of rows near each other that have a leader."""
    run: list[list[int]] = []
    for row in rows_of(lines, range(len(lines))):
        if _title_and_page(_words(row, lines)) is None:
            continue
        if run and step_between(run[-1], row, lines) >= CLOSE_ROWS:
            yield from _list_of(run, lines)
            run = []
        run.append(row)
    yield from _list_of(run, lines)


def _list_of(run: Sequence[Sequence[int]], lines: Sequence[Line]) -> Iterator[TableCandidate]:
    if len(run) < FEWEST_ROWS:
        return
    said = [_title_and_page(_words(row, lines)) or ("", "") for row in run]
    cells = tuple(TableCell(row, column, words) for row, both in enumerate(said) for column, words in enumerate(both))
    members = frozenset(n for row in run for n in row)
    yield TableCandidate(READER, Box.around(lines[n].box for n in members), cells, members)


def _words(row: Sequence[int], lines: Sequence[Line]) -> str:
    return " ".join(lines[n].plain for n in row)


def _title_and_page(text: str) -> tuple[str, str] | None:
    """What stands before a row's leader, and after it.

    >>> _title_and_page("1 Nets . . . . . 12"), _title_and_page("Name ______"), _title_and_page("a . . . . b c")
    (('1 Nets', '12'), ('Name', ''), None)
    """
    text = text.rstrip()
    if LEADER.search(text) is None:
        return None
    word = WORD.search(text)
    for led in LED.finditer(text, word.end()) if word else ():
        if len(text) - led.end() <= LONGEST_PAGE and PAGE.fullmatch(text, led.end()):
            return text[: led.start()].rstrip(), text[led.end() :]
    return None
