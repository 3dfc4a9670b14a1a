"""Which sums a table of texts holds, and where one breaks. Pure: it needs a grid of strings and nothing else.

A relation is taken for one only where chance hardly explains it (`relations.PROVEN`). What is printed is never changed.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache

from docparse_fast.sums.across import across
from docparse_fast.sums.balances import balances
from docparse_fast.sums.figures import Numeral, figures_of
from docparse_fast.sums.formulas import CellAt, Instance
from docparse_fast.sums.labels import totals_in
from docparse_fast.sums.misfits import Misfit, misfits
from docparse_fast.sums.relations import Each, Grid, Relation, cells_of
from docparse_fast.sums.totals import totals

EACH: tuple[Each, ...] = ("column", "row")


@dataclass(frozen=True, slots=True)
class Checked:
    """The relations of a table, and the cells at which one of them breaks."""

    relations: tuple[Relation, ...] = ()
    misfits: tuple[Misfit, ...] = ()

    @property
    def held(self) -> set[CellAt]:
        """The cells that stand in a sum that holds."""
        return cells_of(one for each in self.relations for one in each.held)


def checked(rows: Sequence[Sequence[str]], named: Collection[int] = ()) -> Checked:
    """`named`: rows that are totals by where they stand; those that say so in words are found."""
    figures = figures_of(rows)
    relations, nearly = _found(figures, totals_in(rows) | set(named))
    return Checked(tuple(relations), tuple(misfits(Grid(figures), relations, nearly)))


def checked_with_below(
    rows: Sequence[Sequence[str]], below: Sequence[tuple[str, str]]
) -> tuple[list[list[str]], Checked]:
    """The table, longer by the figures below it where one of them is a total of its column, and what is found there.

    >>> rows = [["Nails", "14.20"], ["Oak board", "223.30"], ["Hinge", "68.45"]]
    >>> whole, found = checked_with_below(rows, [("Net", "305.95"), ("VAT 20 %", "61.19"), ("Total", "367.14")])
    >>> [(each.parts, each.result) for each in found.relations]
    [((0, 1, 2), 3), ((3, 4), 5)]
    """
    width = max(map(len, rows), default=0)
    table = [[*row, *[""] * (width - len(row))] for row in rows]
    longer = (_longer(table, below, column) for column in reversed(range(width)) if below)
    whole = next((each for each in longer if each is not None), None)
    return (table, checked(table)) if whole is None else (whole, checked(whole, range(len(table), len(whole))))


def _longer(table: list[list[str]], below: Sequence[tuple[str, str]], column: int) -> list[list[str]] | None:
    """With the figures below in this column; None where none of them is a total of it."""
    width = len(table[0])
    label = 1 if width > 1 and column == 0 else 0
    rows = [["" for _ in range(width)] for _ in below]
    for row, (name, figure) in zip(rows, below, strict=True):
        if width > 1:
            row[label] = name
        row[column] = figure
    whole = [*table, *rows]
    grid = Grid([row[column]] for row in figures_of(whole))
    found = totals(grid, "column", upwards=False, named=totals_in(whole) | set(range(len(table), len(whole))))
    results = [*(each.result for each in found.relations), *(each.result[0] for each in found.nearly)]
    return whole if any(result >= len(table) for result in results) else None


def _found(figures: list[list[Numeral | None]], named: Collection[int]) -> tuple[list[Relation], list[Instance]]:
    """The relations, and lone totals that nearly are one. `named`: rows that call themselves a total."""
    found = [*across(Grid(figures)), *balances(Grid(figures))]
    nearly: list[Instance] = []
    for each in EACH:
        down = totals(Grid(figures), each, upwards=False, named=named if each == "column" else ())
        found += [*down.relations, *totals(Grid(figures), each, upwards=True).relations]
        nearly += down.nearly
    return _once(found), nearly


def _once(found: Iterable[Relation]) -> list[Relation]:
    """Without those that say again, about the same cells or more of them, what another says better."""
    kept: list[Relation] = []
    known: set[frozenset[CellAt]] = set()
    known_lines: list[tuple[Each, frozenset[int]]] = []
    for each in sorted(found, key=_plainness):
        cells = [frozenset((*one.parts, one.result)) for one in each.held]
        lines = frozenset((*each.parts, each.result))
        again = 2 * sum(one in known for one in cells) >= len(cells)
        if again or (min(each.signs) < 0 and any(way == each.each and other < lines for way, other in known_lines)):
            continue
        kept.append(each)
        known.update(cells)
        known_lines.append((each.each, lines))
    return sorted(kept, key=lambda each: (each.each, each.result, each.parts))


def _plainness(relation: Relation) -> tuple[int, bool, float]:
    return len(relation.parts) if relation.kind != "balance" else 0, min(relation.signs) < 0, -relation.digits


@lru_cache(maxsize=256)  # many readings of a table differ in its columns' edges alone
def proof(rows: tuple[tuple[str, ...], ...]) -> float:
    """How much of a table its sums prove: the share of its words with digits that stand in a sum that holds, 0 to 1.

    Readings that lay the same words into other cells have the same words, so their proofs can be compared.

    >>> proof((("Nails", "12", "0.35", "4.20"), ("Oak board", "7", "31.90", "223.30"), ("Total", "", "", "227.50")))
    0.8571428571428571
    >>> proof((("Nails", "12", "0.35", "4.20 223.30"), ("Oak board", "7", "31.90", ""), ("Total", "", "", "227.50")))
    0.0
    """
    held = cells_of(one for each in _found(figures_of(rows), totals_in(rows))[0] for one in each.held)
    proven = sum(_words_with_digits(rows[r][c]) for r, c in held)
    words = sum(_words_with_digits(text) for row in rows for text in row)
    return proven / words if words else 0.0


def _words_with_digits(text: str) -> int:
    return sum(any(map(str.isdigit, word)) for word in text.split())
