"""Tables of two columns that need no grid: labels and their values, and lists with leaders. Knows rows of lines.

Labels stand beside their values, or over them: two rows belong together where each line of the lower begins, ends or
stands in the middle of one of the upper, and the next row is no nearer.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, pairwise
from statistics import median

from docparse_fast.document import Box, TableCell
from docparse_fast.drafting.lines import Line
from docparse_fast.drafting.measures import ENOUGH, SEVERAL, of_one_type
from docparse_fast.drafting.tables.candidates import TableCandidate
from docparse_fast.drafting.tables.grid import looks_like_number
from docparse_fast.drafting.tables.places import NEAR_ROWS, rows_of, step_between
from docparse_fast.geometry import runs
from docparse_fast.text.characters import COLONS

READER = "fields"
SAME = 0.5  # of a line's height between two edges that are in line
NEARER = 0.9  # of the step to the next pair of rows: the step within one is smaller
NEAR = 2.0  # of a line's height, from a label to its value, where no other pair tells; white between two lists
LineNumbers = Sequence[int]


def fields(rows: Sequence[LineNumbers], lines: Sequence[Line]) -> Iterator[TableCandidate]:
    """Each run of such pairs of rows among `rows`, which are from the top down; and of rows that are a pair each."""
    yield from _level_pairs(rows, lines)
    run: list[tuple[LineNumbers, LineNumbers]] = []
    n = 0
    while n < len(rows):
        pair = (rows[n], rows[n + 1]) if n + 1 < len(rows) else None
        told = pair is not None and _are_labels_and_values(*pair, lines) and not _are_larger(*pair, lines)
        if pair is not None and told and _is_near(n, rows, lines):
            run.append(pair)
            n += 2
        else:
            yield from _candidate(run, lines)
            run, n = [], n + 1
    yield from _candidate(run, lines)


def _level_pairs(rows: Sequence[LineNumbers], lines: Sequence[Line]) -> Iterator[TableCandidate]:
    for pairs in runs(rows, lambda above, row: len(above[-1]) == len(row) == 2):
        if len(pairs[0]) == 2 and _begin_and_end_in_line(pairs, lines):
            yield _fields(pairs, pairs, lines)


def _candidate(run: Sequence[tuple[LineNumbers, LineNumbers]], lines: Sequence[Line]) -> Iterator[TableCandidate]:
    named = [pair for labels, values in run for pair in _pairs(labels, values, lines)]
    may_be_row = len(run) == 1 and _may_be_beside(*run[0], lines)
    if len(named) > 1 and not may_be_row:
        yield _fields(named, [row for pair in run for row in pair], lines)


def _fields(
    named: Sequence[Sequence[int | None]], rows: Iterable[LineNumbers], lines: Sequence[Line]
) -> TableCandidate:
    cells = [
        TableCell(row, column, lines[n].plain, box=lines[n].box)
        for row, pair in enumerate(named)
        for column, n in enumerate(pair)
        if n is not None
    ]
    members = frozenset(n for row in rows for n in row)
    return TableCandidate(READER, Box.around(lines[n].box for n in members), tuple(cells), members)


def _begin_and_end_in_line(rows: Sequence[LineNumbers], lines: Sequence[Line]) -> bool:
    """Whether labels begin and values end in line, but don't begin so: no white need part all of them."""
    near = SAME * min(lines[row[0]].box.height for row in rows)
    lefts, starts, ends = (
        [getattr(lines[row[n]].box, side) for row in rows] for n, side in ((0, "x0"), (1, "x0"), (1, "x1"))
    )
    reach = [max(each) - min(each) for each in (lefts, ends, starts)]
    return len(rows) > 1 and max(reach[:2]) < near < reach[2]


def _pairs(labels: LineNumbers, values: LineNumbers, lines: Sequence[Line]) -> Iterator[tuple[int, int | None]]:
    for label in labels:
        yield label, next((n for n in values if _are_in_line(lines[label].box, lines[n].box)), None)


def _are_labels_and_values(labels: LineNumbers, values: LineNumbers, lines: Sequence[Line]) -> bool:
    """Whether each value has its label, and every label one value at most."""
    found = [[n for n in values if _are_in_line(lines[label].box, lines[n].box)] for label in labels]
    one_each = all(len(each) <= 1 for each in found) and sum(map(len, found)) == len(values)
    return len(labels) > 1 and one_each and _look_like_labels(*([lines[n] for n in row] for row in (labels, values)))


def _are_larger(labels: LineNumbers, values: LineNumbers, lines: Sequence[Line]) -> bool:
    """As headings are, and no labels."""
    size, other = (median(lines[n].size for n in row) for row in (labels, values))
    return size > other and not of_one_type(size, other)


def _look_like_labels(labels: Sequence[Line], values: Sequence[Line]) -> bool:
    """Whether they are in other type than their values, or these alone hold figures: `Date 12 March` is no label.

    Where not all end with a colon, or a value does, labels and values stand side by side, as beside a number.
    """
    colons, none = ({line.plain.endswith(COLONS) for line in each} for each in (labels, values))
    if len(colons) > 1 or True in none or any(looks_like_number(line.plain) for line in labels):
        return False
    size, other = (median(line.size for line in each) for each in (labels, values))
    bolder = all(line.bold for line in labels) and not any(line.bold for line in values)
    return bolder or not of_one_type(size, other) or (not _figures(labels) and 2 * _figures(values) >= len(values))


def _may_be_beside(labels: LineNumbers, values: LineNumbers, lines: Sequence[Line]) -> bool:
    """Whether, of two labels over two values, each value could as well be named by what stands at its left."""
    pairs = [[lines[n] for n in row] for row in zip(labels, values, strict=False)]
    return len(labels) == len(values) == len(pairs) == 2 and _look_like_labels(*pairs)


def _figures(lines: Sequence[Line]) -> int:
    return sum(any(map(str.isdigit, line.plain)) for line in lines)


def _are_in_line(label: Box, value: Box) -> bool:
    near = SAME * min(label.height, value.height)
    edges = ((label.x0, value.x0), (label.x1, value.x1), (label.center[0], value.center[0]))
    return any(abs(a - b) < near for a, b in edges)


def _is_near(n: int, rows: Sequence[LineNumbers], lines: Sequence[Line]) -> bool:
    """Whether the value stands nearer to its label than the next label to it, or a row like theirs above them."""
    first = n - 1 if n and len(rows[n - 1]) == len(rows[n]) else n
    middles = [Box.around(lines[i].box for i in row).center[1] for row in rows[first : n + 3]]
    steps = [below - above for above, below in pairwise(middles)]
    own = steps.pop(n - first)
    height = max(lines[i].box.height for row in rows[n : n + 2] for i in row)
    return own < (NEARER * min(steps) if steps else NEAR * height)


LEADERS = "contents"
LEADER = re.compile(r"(?:[.·_]\s?){4}|…")  # quick to look for; few lines have one
LED = re.compile(r"(?:(?:[.·_]\s?+){4,}+|…{2,}+\s?+)[.…\s]*+")
PAGE = re.compile(r"[\w-]{0,8}|\D{0,8}\d[\d.,'’\s]{0,9}\D{0,5}")  # or a price
LONGEST_PAGE = 16
WORD = re.compile(r"\w")


def led_lists(lines: Sequence[Line]) -> Iterator[TableCandidate]:
    """Each run of rows right below each other, in one column, that have a leader."""
    several = [led for led in _led_rows(lines) if len(led) >= SEVERAL]
    if sum(map(len, several)) >= ENOUGH:
        yield from (_list_of(led, lines) for led in several)


def _led_rows(lines: Sequence[Line]) -> list[list[list[int]]]:
    lists, open_ones = list[list[list[int]]](), list[list[list[int]]]()
    level = rows_of(lines, range(len(lines)))
    for row in chain.from_iterable(_parts(row, lines) for row in level):
        above = next((led for led in reversed(open_ones) if _goes_on(led[-1], row, lines)), None)
        if not _is_entry(row, above, lines):
            open_ones = [led for led in open_ones if led is not above]
            continue
        if above is None:
            lists.append(above := [])
            open_ones.append(above)
        above.append(row)
    return lists


def _parts(row: Sequence[int], lines: Sequence[Line]) -> list[list[int]]:
    """What stands in each column; the row as it is where no leader of it, or not each, leads to a page."""

    def goes_on(part: Sequence[int], n: int) -> bool:
        a, b = lines[part[-1]].box, lines[n].box
        is_led = lines[part[-1]].plain.endswith(("..", "…"))  # of an OCR's leader a part may be left
        return is_led or b.x0 - a.x1 <= NEAR * min(a.height, b.height)

    parts = runs(row, goes_on)
    led = [entry for part in parts if (entry := _title_and_page(_words(part, lines))) is not None]
    return parts if led and all(page for _, page in led) else [list(row)]


def _goes_on(above: list[int], row: list[int], lines: Sequence[Line]) -> bool:
    one, other = (Box.around(lines[n].box for n in each) for each in (above, row))
    return one.overlap_x(other) > 0 and step_between(above, row, lines) < NEAR_ROWS


def _is_entry(row: Sequence[int], above: Sequence[Sequence[int]] | None, lines: Sequence[Line]) -> bool:
    """Whether it has a leader; or its page ends in line with the one above, the leader lost: dots alone are no line."""
    if above is None or len(row) != 2 or _title_and_page(_words(row, lines)):
        return _title_and_page(_words(row, lines)) is not None
    page, last = lines[row[-1]], lines[above[-1][-1]]
    is_page = any(map(str.isdecimal, page.plain)) and PAGE.fullmatch(page.plain) is not None
    return is_page and abs(page.box.x1 - last.box.x1) < SAME * page.box.height


def _list_of(run: Sequence[Sequence[int]], lines: Sequence[Line]) -> TableCandidate:
    said = [_title_and_page(_words(row, lines)) or [lines[n].plain for n in row] for row in run]
    cells = tuple(TableCell(row, column, words) for row, both in enumerate(said) for column, words in enumerate(both))
    members = frozenset(n for row in run for n in row)
    return TableCandidate(LEADERS, Box.around(lines[n].box for n in members), cells, members)


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
