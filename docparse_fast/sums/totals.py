"""Finds totals: a line that is the sum, or the mean, of the lines before it or after it, in one column after another.

Lines are rows, or columns: then the sums stand in rows. A total found takes the place of its parts, so that totals
of totals are found as well. Every line is looked at once: what its parts may be is looked up by running sums.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice, pairwise, product

from docparse_fast.sums.figures import Numeral
from docparse_fast.sums.formulas import CellAt, Instance, SumKind, fit, spread_of, surprise
from docparse_fast.sums.misreading import is_misread, needed_in
from docparse_fast.sums.relations import MOSTLY, Each, Grid, Relation, figure_at, parts_of, relation_of

LEAST: dict[Each, float] = {
    "row": MOSTLY,
    "column": 0.3,
}  # of its sums that hold; in a row of totals, columns of rates and shares have none
FARTHEST = 3  # steps by which rounding may put a total off, where it is looked up
TRIED = 8  # ways: sums and means, both directions, along rows and columns
MOST_PLACES = 6
NEAR = 2.0  # digits of chance against a total that one misread sign would mend
SIGNED = 3  # lines at most that are added and taken away
MOST_SIGNED = 200  # lines of a table in which that, and means, are looked for
LOOKED_AT = 40  # places of a line, by which it is seen what it may be the sum or the mean of
FEW = 5  # of them, by which lines that are added and taken away are
MOST_STARTS = 4  # of runs that may come to one total
SIGNS = [signs for n in range(2, SIGNED + 1) for signs in product((1, -1), repeat=n) if -1 in signs and 1 in signs]


@dataclass(frozen=True, slots=True)
class Totals:
    """`nearly`: a lone total, by its own words, that would be one if one sign were another."""

    relations: tuple[Relation, ...]
    nearly: tuple[Instance, ...] = ()


def totals(grid: Grid, each: Each, *, upwards: bool, named: Collection[int] = ()) -> Totals:
    """Totals below their parts (right of them); `upwards`: above them. `named`: lines that say that they are one."""
    lines = [list(row) for row in grid] if each == "column" else [list(line) for line in zip(*grid, strict=True)]
    numbers = range(len(lines))
    search = _Search(grid, lines, each, named, upwards=upwards)
    for n in reversed(numbers) if upwards else numbers:
        search.look_at(n)
    return Totals(tuple(search.found), tuple(search.nearly))


class _Search:
    """The lines that no total has taken, and their running sums in each place across."""

    def __init__(
        self,
        grid: Grid,
        lines: Sequence[Sequence[Numeral | None]],
        each: Each,
        named: Collection[int],
        *,
        upwards: bool,
    ) -> None:
        self.found: list[Relation] = []
        self.nearly: list[Instance] = []
        self._named = named
        self._grid, self._lines, self._each = grid, lines, each
        self._width = len(lines[0]) if lines else 0
        figures = [figure for line in lines for figure in line if figure is not None]
        self._places = min(MOST_PLACES, max((figure.places for figure in figures), default=0))
        self._open: list[int] = []
        self._sums: list[list[int]] = [[0] for _ in range(self._width)]
        self._counts: list[list[int]] = [[0] for _ in range(self._width)]
        self._where: list[dict[int, list[int]]] = [defaultdict(list, {0: [0]}) for _ in range(self._width)]
        full = sum(any(line) for line in lines)
        self._tried = math.log10(TRIED * max(1, full))
        self._ends = _ends(lines, upwards=upwards)
        self._beginnings: set[int] = {0}  # where a table, or a part of it, begins among the open lines
        self._signed = full <= MOST_SIGNED and not upwards
        self._averaged = full <= MOST_SIGNED

    def look_at(self, n: int) -> None:
        line = self._lines[n]
        if not any(line):
            self._beginnings.add(len(self._open))
            return
        if len(self._open) > 1:
            best = max(self._candidates(n), key=lambda found: found.digits, default=None)
            if best is not None:
                self.found.append(best)
                if best.kind == "sum" and (min(best.signs) > 0 or len(best.signs) > SIGNED):
                    self._close(len(self._open) - len(best.parts))
            elif n in self._named and (nearly := self._near_total(n)) is not None:
                start, instances = nearly
                self.nearly += instances
                self._close(start)
        if len(self._open) == 0 and all(figure is None or _is_year(figure) for figure in line):
            self._beginnings.add(1)
        self._add(n)

    def _candidates(self, n: int) -> Iterator[Relation]:
        depth = len(self._open)
        for start in self._starts(n):
            parts = self._open[start:]
            tried = self._tried + math.log10(depth)
            if start in self._beginnings:  # what last lines are for, and those that say so
                tried = self._tried + math.log10(len(self._beginnings))
                likely = [TRIED * len(self._ends)] if n in self._ends else []
                likely += [2 * len(self._named)] if n in self._named else []
                tried = min([tried, *(math.log10(len(self._beginnings) * count) for count in likely)])
            yield from self._relation("sum", n, parts, (1,) * len(parts), tried)
        for start in self._means(n):
            parts = self._open[start:]
            yield from self._relation("mean", n, parts, (1,) * len(parts), self._tried + math.log10(depth))
        for start, signs in self._reduced(n):
            tried = math.log10(2 * len(self._named) * len(self._beginnings) * len(signs))
            yield from self._relation("sum", n, self._open[start:], signs, tried)
        if self._signed:
            for signs in SIGNS:
                if len(signs) <= depth and self._may_hold(n, signs):
                    more = math.log10(len(SIGNS))
                    yield from self._relation("sum", n, self._open[-len(signs) :], signs, self._tried + more)

    def _reduced(self, n: int) -> Iterator[tuple[int, tuple[int, ...]]]:
        """Runs that come to a line that calls itself a total if one of their lines, a discount, is taken away."""
        starts = [start for start in self._beginnings if len(self._open) - start > SIGNED]
        for start in starts if self._signed and n in self._named else ():
            for at in range(start + 1, len(self._open)):
                signs = tuple(-1 if m == at else 1 for m in range(start, len(self._open)))
                if self._grid.may_cost(FEW) and self._comes_to(n, start, at):
                    yield start, signs

    def _comes_to(self, n: int, start: int, less: int) -> bool:
        """Whether one of the line's first figures is the sum from `start` on with the line at `less` taken away."""
        for place, figure in self._looked_at(n)[:FEW]:
            part = self._lines[self._open[less]][place]
            if part is not None and part.places <= self._places:
                step, taken = 10 ** (self._places - figure.places), part.units * 10 ** (self._places - part.places)
                goal = self._sums[place][-1] - self._sums[place][start] - 2 * taken
                if abs(goal - figure.units * step) <= FARTHEST * step:
                    return True
        return False

    def _near_total(self, n: int) -> tuple[int, list[Instance]] | None:
        """Where a run begins that comes to a line that calls itself a total, were one sign another."""
        for start in sorted(self._beginnings, reverse=True):
            parts = self._open[start:]
            if not self._grid.may_cost(len(parts) * self._width):
                return None
            instances = list(self._instances("sum", n, parts, (1,) * len(parts)))
            near = [each for each in instances if self._is_near(each)]
            if near:
                return start, near
        return None

    def _is_near(self, instance: Instance) -> bool:
        parts, result = parts_of(self._grid, instance), figure_at(self._grid, instance.result)
        assert result is not None
        found = fit(instance.kind, parts, instance.signs, result)
        cells = (*instance.parts, instance.result)
        signs = sum(len(str(abs(each.units))) for each in (*parts, result))
        likely = surprise(found, rounded=True) - math.log10(9 * signs * len(self._beginnings))
        return (
            likely >= NEAR
            and not found.holds(rounded=True)
            and not any(fit("sum", *other, result).holds(rounded=True) for other in _otherwise(parts))
            and any(
                is_misread(printed, needed)
                for cell in cells
                if (printed := figure_at(self._grid, cell)) is not None
                for needed in needed_in(self._grid, instance, cell, printed)
            )
        )

    def _starts(self, n: int) -> list[int]:
        """Where a sum that ends just before the line may begin, by what its figures are."""
        votes: Counter[int] = Counter()
        places = self._looked_at(n)
        for place, figure in places:
            step = 10 ** (self._places - figure.places)
            goal = self._sums[place][-1] - figure.units * step
            near = [
                start
                for off in range(-FARTHEST, FARTHEST + 1)
                for start in self._where[place].get(goal + off * step, ())[-MOST_STARTS:]
            ]
            votes.update(set(near))
        return self._voted(votes, LEAST[self._each] * len(places))

    def _means(self, n: int) -> list[int]:
        """Where a run may begin of which the line's figures are the means."""
        votes: Counter[int] = Counter()
        places = self._looked_at(n) if self._averaged else []
        for place, figure in places:
            sums, counts = self._sums[place], self._counts[place]
            for start in range(len(sums) - 2 if self._each == "row" else 1):
                count = counts[-1] - counts[start]
                mean = (sums[-1] - sums[start]) / count / 10**self._places if count > 1 else math.inf
                if abs(mean - figure.value) <= figure.step:
                    votes[start] += 1
        return self._voted(votes, MOSTLY * len(places))

    def _voted(self, votes: Counter[int], least: float) -> list[int]:
        """The starts that most places want; every sum has two lines or more."""
        able = [(count, start) for start, count in votes.items() if start < len(self._open) - 1 and count >= least]
        return [start for _, start in sorted(able, reverse=True)[:MOST_STARTS]]

    def _looked_at(self, n: int) -> list[tuple[int, Numeral]]:
        """The first full places of a line, by which it is seen what the line may be."""
        full = (
            (place, figure)
            for place, figure in enumerate(self._lines[n])
            if figure is not None and figure.is_long and figure.places <= self._places
        )
        return list(islice(full, LOOKED_AT))

    def _may_hold(self, n: int, signs: Sequence[int]) -> bool:
        """Whether most of the first places agree: a cheap look before all are weighed."""
        lines = [self._lines[m] for m in self._open[-len(signs) :]]
        agree = looked = 0
        for place, figure in self._looked_at(n)[:FEW]:
            values = [sign * part.value for line, sign in zip(lines, signs, strict=True) if (part := line[place])]
            if len(values) == len(signs):
                agree += abs(sum(values) - figure.value) <= 2 * figure.step
                looked += 1
        return agree > 0 and agree >= MOSTLY * looked

    def _relation(
        self, kind: SumKind, n: int, lines: Sequence[int], signs: tuple[int, ...], tried: float
    ) -> Iterator[Relation]:
        if not self._grid.may_cost(len(lines) * self._width):
            return
        instances = list(self._instances(kind, n, lines, signs))
        spread = spread_of(self._lines[n]) if self._each == "row" else math.inf
        least = LEAST[self._each] if kind == "sum" and min(signs) > 0 else MOSTLY
        found = relation_of(
            self._grid, self._each, (tuple(lines), signs, n), instances, tried, least=least, spread=spread
        )
        if found is not None:
            yield found

    def _instances(self, kind: SumKind, n: int, lines: Sequence[int], signs: tuple[int, ...]) -> Iterator[Instance]:
        for place, figure in enumerate(self._lines[n]):
            if figure is None:
                continue
            full = [(m, sign) for m, sign in zip(lines, signs, strict=True) if self._lines[m][place] is not None]
            if len(full) > 1:
                parts = tuple(self._cell(m, place) for m, _ in full)
                yield Instance(kind, place, parts, tuple(sign for _, sign in full), self._cell(n, place))

    def _cell(self, line: int, place: int) -> CellAt:
        return (line, place) if self._each == "column" else (place, line)

    def _add(self, n: int) -> None:
        self._open.append(n)
        for place, figure in enumerate(self._lines[n]):
            added = 0
            if figure is not None and figure.places <= self._places:
                added = figure.units * 10 ** (self._places - figure.places)
            total = self._sums[place][-1] + added
            self._where[place][total].append(len(self._sums[place]))
            self._sums[place].append(total)
            self._counts[place].append(self._counts[place][-1] + (figure is not None))

    def _close(self, start: int) -> None:
        """Takes the lines from `start` on away: their total stands for them."""
        del self._open[start:]
        self._beginnings = {each for each in self._beginnings if each <= start}
        for sums, counts, where in zip(self._sums, self._counts, self._where, strict=True):
            for position in range(len(sums) - 1, start, -1):
                where[sums[position]].pop()
            del sums[start + 1 :], counts[start + 1 :]


def _ends(lines: Sequence[Sequence[Numeral | None]], *, upwards: bool) -> set[int]:
    """The lines of figures that are the last of the table, or before one without figures."""
    order = list(range(len(lines)))[:: -1 if upwards else 1]
    full = [n for n in order if any(lines[n])]
    return {a for a, b in pairwise(order) if any(lines[a]) and not any(lines[b])} | set(full[-1:])


def _otherwise(parts: Sequence[Numeral]) -> Iterator[tuple[list[Numeral], tuple[int, ...]]]:
    """The parts without each of them in turn, and with it taken away: either explains more than a misread sign."""
    for n in range(len(parts) if len(parts) > 2 else 0):
        yield [*parts[:n], *parts[n + 1 :]], (1,) * (len(parts) - 1)
        yield list(parts), tuple(-1 if m == n else 1 for m in range(len(parts)))


def _is_year(figure: Numeral) -> bool:
    """Whether it may head a column of figures."""
    return figure.places == 0 and 1900 <= figure.units < 2100
