"""Our figures beside another paper's: one kind of row, one way to show it and to write it down. Measures nothing."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from docparse_fast.bench.tables import NONE, Heading, Part, Table, figure, times
from docparse_fast.system.typed_json import written

FORMAT = "docparse-fast/other-table"
VERSION = 2  # 1: each paper's tables had a format of their own
Cell = float | str | None  # a text is shown as it is


@dataclass(frozen=True, slots=True)
class Column:
    name: str
    unit: str = "score"  # or "x", a speed-up; a "ratio" has three places

    def shown(self, cell: Cell) -> str:
        """
        >>> Column("").shown(2.4), Column("", "ratio").shown(0.063), Column("", "x").shown(1.2), Column("").shown(None)
        ('2.40', '0.063', '1.20x', '-')
        """
        if isinstance(cell, str) or cell is None:
            return cell or NONE
        if self.unit == "ratio":
            return f"{cell:.3f}"
        return times(cell) if self.unit == "x" else figure(cell, self.unit)


@dataclass(frozen=True, slots=True)
class ComparedRow:
    name: str
    ours: tuple[Cell, ...]
    theirs: tuple[Cell, ...] = ()  # nothing where they have no such row
    counted: Mapping[str, float] = field(default_factory=dict)  # what ours were worked out of


@dataclass(frozen=True, slots=True)
class ComparedTable:
    ours: tuple[Column, ...]
    theirs: tuple[str, ...]
    rows: tuple[ComparedRow, ...]
    first: str = ""  # the heading over the names
    above: str = ""
    below: str = ""
    counted: object = None

    def parts(self) -> Iterator[Part]:
        if self.above:
            yield self.above
        ours = "ours" if self.theirs else ""
        columns = [Heading(self.first), *(Heading(column.name, ours) for column in self.ours)]
        columns += [Heading(name, "theirs") for name in self.theirs]
        yield Table(tuple(columns), tuple(map(self._line, self.rows)))
        if self.below:
            yield self.below

    def _line(self, row: ComparedRow) -> tuple[str, ...]:
        ours = (column.shown(cell) for column, cell in zip(self.ours, row.ours, strict=True))
        theirs = row.theirs or (None,) * len(self.theirs)
        return (row.name, *ours, *(Column(name).shown(cell) for name, cell in zip(self.theirs, theirs, strict=True)))


@dataclass(frozen=True, slots=True)
class Compared:
    """A table of another paper, measured. `same` of `answers` were, token for token, those of the target alone."""

    table: str
    title: str
    tables: Sequence[ComparedTable]
    notes: Sequence[str]
    settings: Mapping[str, object] = field(default_factory=dict)
    same: int = 0
    answers: int = 0

    @property
    def exit_code(self) -> int:
        return 0 if self.same == self.answers else 3

    def report(self) -> Iterator[Part]:
        yield self.title
        for table in self.tables:
            yield from table.parts()
        yield from self.notes

    def to_json(self) -> str:
        return written(self, format=FORMAT, version=VERSION) + "\n"
