"""Tells where entries of an index or the like begin, whose second lines stand farther in. Knows no page and no table.

In prose, a line that stands farther in begins a paragraph, after a full stop and with a capital. In such a list it goes
on with the entry above, if that fills its line.
"""

from __future__ import annotations

from collections.abc import Sequence

from docparse_fast.drafting.lines import Line
from docparse_fast.drafting.measures import INDENT
from docparse_fast.writing import TERMINAL

LEAST_INDENTED = 3  # lines that stand farther in than the one above, from which a column is known
MOST_GO_ON = 0.8  # of them begin as no sentence does


def entry_starts(lines: Sequence[Line], leaves_room: Sequence[bool]) -> list[bool | None]:
    """For each line whether it begins a paragraph of entries; None where its place doesn't say it.

    `leaves_room`: whether the next line's first word had fitted behind it.
    """
    indented = [n for n in range(1, len(lines)) if _is_farther_in(lines[n - 1], lines[n])]
    going_on = sum(_goes_on(lines[n - 1], lines[n]) for n in indented)
    if len(indented) < LEAST_INDENTED or going_on < MOST_GO_ON * len(indented):
        return [None] * len(lines)
    rest = {n for n in indented if not leaves_room[n - 1]}
    return [False if n in rest else True if n + 1 in rest else None for n in range(len(lines))]


def _is_farther_in(above: Line, line: Line) -> bool:
    return line.box.x0 > above.box.x0 + INDENT * line.size


def _goes_on(above: Line, line: Line) -> bool:
    begins = line.plain[:1]
    return not TERMINAL.search(above.plain) and (begins.islower() or begins.isdigit())
