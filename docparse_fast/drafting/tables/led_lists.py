"""Lists with leaders, as tables of two columns without the dots: contents, prices. Knows rows of lines alone.

Leaders tell what they are: nothing is left to judge.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import chain

from docparse_fast.document import Box, TableCell
from docparse_fast.drafting.lines import Line
from docparse_fast.drafting.tables.candidates import TableCandidate
from docparse_fast.drafting.tables.places import rows_of, step_between
from docparse_fast.geometry import runs

READER = "contents"
FEWEST_ROWS = 3
CLOSE_ROWS = 3.2  # line heights from one row's middle to the next within a list
LEADER = re.compile(r"(?:[.·_]\s?){4}|…")  # quick to look for; few lines have one
LED = re.compile(r"(?:(?:[.·_]\s?+){4,}+|…{2,}+\s?+)[.…\s]*+")
PAGE = re.compile(r"[\w-]{0,8}|\D{0,8}\d[\d.,'’\s]{0,9}\D{0,5}")  # or a price
LONGEST_PAGE = 16
APART = 2.0  # of a line's height: white between two columns, each with its list
WORD = re.compile(r"\w")


def led_lists(lines: Sequence[Line]) -> Iterator[TableCandidate]:
    """Each run of rows near each other, in one column, that have a leader."""
    lists: list[list[list[int]]] = []
    level = rows_of(lines, range(len(lines)))
    for row in chain.from_iterable(_parts(row, lines) for row in level):
        if _title_and_page(_words(row, lines)) is None:
            continue
        above = next((led for led in reversed(lists) if _goes_on(led[-1], row, lines)), None)
        if above is None:
            lists.append([row])
        else:
            above.append(row)
    for led in lists:
        yield from _list_of(led, lines)


def _parts(row: Sequence[int], lines: Sequence[Line]) -> list[list[int]]:
    """What stands in each column; the row as it is where no leader of it, or not each, leads to a page."""

    def goes_on(part: Sequence[int], n: int) -> bool:
        a, b = lines[part[-1]].box, lines[n].box
        return b.x0 - a.x1 <= APART * min(a.height, b.height)

    parts = runs(row, goes_on)
    led = [entry for part in parts if (entry := _title_and_page(_words(part, lines))) is not None]
    return parts if led and all(page for _, page in led) else [list(row)]


def _goes_on(above: list[int], row: list[int], lines: Sequence[Line]) -> bool:
    one, other = (Box.around(lines[n].box for n in each) for each in (above, row))
    return one.overlap_x(other) > 0 and step_between(above, row, lines) < CLOSE_ROWS


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
    >>> _title_and_page("Cod, fried.......from € 9,50 each")
    ('Cod, fried', 'from € 9,50 each')
    """
    text = text.rstrip()
    if LEADER.search(text) is None:
        return None
    word = WORD.search(text)
    for led in LED.finditer(text, word.end()) if word else ():
        if len(text) - led.end() <= LONGEST_PAGE and PAGE.fullmatch(text, led.end()):
            return text[: led.start()].rstrip(), text[led.end() :]
    return None
