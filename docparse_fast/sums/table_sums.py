"""What the sums of a table came to, as a value that is kept with it and as JSON. Rows and columns count from 0."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

from docparse_fast.sums.checking import Checked, checked_with_below
from docparse_fast.sums.relations import Relation


@dataclass(frozen=True, slots=True)
class KeptSum:
    """One sum, in row after row or in column after column. `parts` and `result` are columns, or rows.

    A row after the table's last is a figure below it.
    """

    kind: str
    each: str  # "row" or "column": where it stands
    parts: tuple[int, ...]
    result: int
    held: tuple[int, ...]  # the rows, or the columns, in which it holds
    broken: tuple[int, ...] = ()
    signs: tuple[int, ...] = ()  # of the parts, where some are taken away


@dataclass(frozen=True, slots=True)
class BrokenCell:
    """The cell at which a sum breaks, and what would mend it; `others` may be misread in its place."""

    row: int
    column: int
    printed: str
    needed: str
    others: tuple[tuple[int, int], ...] = ()


@dataclass(frozen=True, slots=True)
class TableSums:
    relations: tuple[KeptSum, ...] = ()
    misfits: tuple[BrokenCell, ...] = ()

    def as_json(self) -> dict[str, Any]:
        """
        >>> from docparse_fast.system.typed_json import read
        >>> sums = TableSums((KeptSum("product", "row", (1, 2), 3, (1, 2)),), (BrokenCell(3, 3, "9", "8", ((3, 1),)),))
        >>> read(TableSums, sums.as_json()) == sums
        True
        """
        relations = [{key: value for key, value in asdict(each).items() if value != ()} for each in self.relations]
        return {"relations": relations, "misfits": [asdict(each) for each in self.misfits]}


def table_sums(rows: Sequence[Sequence[str]], below: Sequence[tuple[str, str]] = ()) -> TableSums | None:
    """None where nothing is proven. `below`: labels and figures that follow the table, as totals do."""
    whole, found = checked_with_below(rows, below)
    if not found.relations and not found.misfits:
        return None
    return TableSums(tuple(map(_kept, found.relations)), tuple(_broken(whole, found)))


def _kept(relation: Relation) -> KeptSum:
    return KeptSum(
        relation.kind,
        relation.each,
        relation.parts,
        relation.result,
        tuple(sorted(one.at for one in relation.held)),
        tuple(sorted(one.at for one in relation.broken)),
        relation.signs if min(relation.signs) < 0 else (),
    )


def _broken(rows: Sequence[Sequence[str]], found: Checked) -> list[BrokenCell]:
    return [
        BrokenCell(
            *misfit.cell,
            rows[misfit.cell[0]][misfit.cell[1]],
            f"{misfit.needed.value:.{misfit.needed.places}f}",
            misfit.others,
        )
        for misfit in found.misfits
    ]
