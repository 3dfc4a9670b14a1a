"""The tables of a page with a text layer: every reader proposes, the judge chooses, what was not chosen stays a draft.

Knows the readers and what they need; knows nothing of regions or of what becomes of the other lines.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from docparse_fast.document import Box, Category, TextTable
from docparse_fast.drafting.blocks.contents_entries import is_index
from docparse_fast.drafting.born_digital.sight import PageSight
from docparse_fast.drafting.lines import LayoutBox, Line
from docparse_fast.drafting.tables.candidates import TableCandidate
from docparse_fast.drafting.tables.choosing import ChosenTable, chosen_tables, weighed
from docparse_fast.drafting.tables.judge import judge
from docparse_fast.drafting.tables.table_foot import prose_below

ENOUGH = 0.93  # a lattice's quality, from which no other reader is asked


class TableChoice:
    """Chooses the tables of one page. `watch` sees all candidates and what they were judged: training looks there."""

    def __init__(self, sight: PageSight | None, labels: Sequence[LayoutBox], rules: Sequence[Box]) -> None:
        self._sight = sight
        self._labels = labels
        self._rules = rules

    def of_lattice(self, table: TextTable, lines: Sequence[Line]) -> ChosenTable:
        """The grid of a lattice: as its rules have it, or as another reader has it."""
        numbers = [n for n, line in enumerate(lines) if table.box.holds(line.box)]
        drawn = TableCandidate("lattice", table.box, table.cells, frozenset(numbers))
        (quality,) = self._qualities([drawn], lines)
        if quality >= ENOUGH or self._sight is None:
            return ChosenTable(drawn, quality)
        found = [drawn, *self._sight.grids([lines[n] for n in numbers], numbers, self._rules)]
        watched(found, lines, self._rules, self._labels)
        return chosen_tables(found, self._qualities(found, lines), lines, as_text=-1.0)[0]

    def of_lines(self, lines: Sequence[Line], aligned: Sequence[TableCandidate]) -> list[ChosenTable]:
        """The tables among lines: at the places that the layout model names, and those that stand in columns."""
        found = [*aligned, *(each for place in self._places(lines) for each in self._read(place, lines))]
        watched(found, lines, self._rules, self._labels)
        return chosen_tables(found, self._qualities(found, lines), lines, self._labels)

    def _qualities(self, candidates: Sequence[TableCandidate], lines: Sequence[Line]) -> list[float]:
        return weighed(candidates, lines, self._rules, self._labels, judge())

    def _places(self, lines: Sequence[Line]) -> Iterable[list[int]]:
        for label in self._labels:
            if label.category is Category.TABLE:
                yield [n for n, line in enumerate(lines) if label.box.holds(line.box)]

    def _read(self, place: Sequence[int], lines: Sequence[Line]) -> Iterable[TableCandidate]:
        inside = [lines[n] for n in place]
        if self._sight is None or is_index(inside):
            return
        below = {id(line) for line in prose_below(inside)}
        numbers = [n for n in place if id(lines[n]) not in below]
        yield from self._sight.grids([lines[n] for n in numbers], numbers, self._rules)


def watched(
    candidates: Sequence[TableCandidate], lines: Sequence[Line], rules: Sequence[Box], labels: Sequence[LayoutBox]
) -> None:
    """Training puts another function here."""
