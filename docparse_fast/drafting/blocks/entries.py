"""Which lines of a column begin entries: of an index, a list of references, a glossary. Knows lines alone."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise

from docparse_fast.drafting.lines import Line
from docparse_fast.drafting.measures import ACROSS, ENOUGH, INDENT, MOST, MOSTLY
from docparse_fast.text.characters import TERMINAL

TERM = re.compile(r"\*\*[^*]+\*\*[^*\w]*\*?\w")  # a term in bold, and what it means


def entry_starts(lines: Sequence[Line], leaves_room: Sequence[bool]) -> list[bool | None]:
    """For each line whether it begins a paragraph of entries; None where its place doesn't say it.

    `leaves_room`: whether the next line's first word had fitted behind it.
    """
    told: dict[int, bool] = dict.fromkeys(_terms(lines), True)
    indented, going_on = _moved(lines, 1)
    _, going_back = _moved(lines, -1)
    lefts = [lines[n].box.x0 for n in indented]
    hang = lefts and max(lefts) - min(lefts) < INDENT * lines[0].size and sum(going_back) < ACROSS * len(going_back)
    if len(indented) >= ENOUGH and sum(going_on) >= (MOST if hang else MOSTLY) * len(indented):  # names have capitals
        rest = {n for n in indented if not leaves_room[n - 1]}
        told |= dict.fromkeys((n - 1 for n in rest), True) | dict.fromkeys(rest, False)
    return list(map(told.get, range(len(lines))))


def _moved(lines: Sequence[Line], way: int) -> tuple[list[int], list[bool]]:
    """The lines that stand farther in, or out, than the one above, and whether each goes on with its sentence."""
    pairs = list(pairwise(lines))
    found = [n for n, (a, b) in enumerate(pairs, 1) if way * (b.box.x0 - a.box.x0) > INDENT * b.size]
    return found, [_goes_on(*pairs[n - 1]) for n in found]


def _terms(lines: Sequence[Line]) -> list[int]:
    """Lines that begin with a term in bold type, not with the end of one, where that stands hardly anywhere else."""
    bold = [n for n, line in enumerate(lines) if "**" in line.text and not (line.bold or _ends_bold(lines, n))]
    terms = [n for n in bold if TERM.match(lines[n].text)]
    return terms if len(terms) >= max(ENOUGH, MOSTLY * len(bold)) else []


def _ends_bold(lines: Sequence[Line], n: int) -> bool:
    return n > 0 and lines[n - 1].bold and lines[n].plain[:1].islower()


def _goes_on(above: Line, line: Line) -> bool:
    begins = line.plain[:1]
    return not TERMINAL.search(above.plain) and (begins.islower() or begins.isdigit())
