"""A table's rows and columns with our figures beside the paper's. Knows tables and sessions; measures nothing."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from docparse_fast.bench.baselines import DRAFT_MODEL
from docparse_fast.bench.datasets import Dataset
from docparse_fast.bench.paper import Column, PaperTable, Row
from docparse_fast.bench.reproduction.draft_quality import UNSPOILT, Variant
from docparse_fast.bench.reproduction.row_ways import MAIN, OURS
from docparse_fast.bench.reproduction.sessions import DRAFT, Session, same_as_plain
from docparse_fast.bench.reproduction.sources import VISPEC

AT_TAU_1 = ("hsd-exact", "page-only")  # whose answers have to be plain decoding's own
WITH_OURS = "table8"  # where our own policy stands beside the paper's


@dataclass(frozen=True, slots=True)
class OurRow:
    """A row with the paper's figures and ours; either may be missing. `why_not` says why ours are."""

    name: str
    way: str
    model: str
    paper: tuple[float | None, ...] | None
    ours: tuple[float | None, ...] | None
    why_not: str = ""
    left_out: tuple[str, ...] = ()  # of a starred row, as their output did not come to its end
    exact: tuple[int, int] | None = None  # at tau 1: pages as plain decoding writes them, of how many


def rows_of(table: PaperTable, model: str) -> list[Row]:
    """The rows that a model fills: its own; all of them where the table is of one model, for which it stands in."""
    own = [row for row in table.rows if row.model == model]
    return own or (list(table.rows) if len(table.models) == 1 else [])


def columns_of(table: PaperTable, others: Sequence[Dataset]) -> tuple[Column, ...]:
    """As printed; where the table is of several data sets, another one gets columns of its own."""
    if len(table.datasets) == 1:
        return table.columns
    first = [column for column in table.columns if column.dataset == table.datasets[0]]
    more = [
        replace(
            column,
            name=column.name if column.group else dataset.folder.name,
            group=dataset.folder.name if column.group else "",
            dataset=dataset_key(table, dataset),
        )
        for dataset in others
        for column in first
    ]
    return (*table.columns, *more)


def dataset_key(table: PaperTable, dataset: Dataset) -> str:
    """What its columns call it: nothing where the table has but one."""
    if len(table.datasets) == 1:
        return ""
    return dataset.name if dataset.name in table.datasets else dataset.folder.name


def way_of(row: Row, sessions: Sequence[Session]) -> str:
    """What a row is called among the measured ways; a draft model's has the name of its weights in it."""
    if row.way != DRAFT_MODEL:
        return row.way
    measured = (way for session in sessions for way in session.measurement.ways)
    return next((way for way in measured if way.startswith(DRAFT_MODEL)), row.way)


# ------------------------------------------------------------------------------------------- most tables


def filled(table: PaperTable, columns: Sequence[Column], sessions: Sequence[Session]) -> list[OurRow]:
    """The paper's rows, then those that it doesn't have."""
    return [*(_row(table, row, columns, sessions) for row in table.rows), *_more_rows(table, columns, sessions)]


def _row(table: PaperTable, row: Row, columns: Sequence[Column], sessions: Sequence[Session]) -> OurRow:
    paper = (*row.figures, *(None for _ in columns[len(row.figures) :]))
    if row.way == "vispec":
        return OurRow(row.name, row.way, row.model, paper, None, f"the {VISPEC} is not run here")
    mine = [session for session in sessions if row in rows_of(table, session.model)]
    if not mine:
        return OurRow(row.name, row.way, row.model, paper, None, f"--target {row.model} was not run")
    way = way_of(row, mine)
    ours = tuple(_cell(table, column, way, mine, starred=row.starred) for column in columns)
    left_out = [name for session in mine for name in session.left_out(way)] if row.starred else []
    exact = _exact(way, mine) if row.way in AT_TAU_1 else None
    return OurRow(row.name, row.way, mine[0].model, paper, ours, "", tuple(left_out), exact)


def _more_rows(table: PaperTable, columns: Sequence[Column], sessions: Sequence[Session]) -> Iterator[OurRow]:
    for model in dict.fromkeys(session.model for session in sessions):
        mine = [session for session in sessions if session.model == model]
        if not rows_of(table, model):
            ours = tuple(_cell(table, column, MAIN, mine) for column in columns)
            yield OurRow(f"{model} (not in the paper)", MAIN, model, None, ours)
        if table.key == WITH_OURS:
            ours = tuple(_cell(table, column, OURS, mine) for column in columns)
            yield OurRow(f"docparse-fast {OURS}", OURS, model, None, ours)


def _cell(
    table: PaperTable, column: Column, way: str, sessions: Sequence[Session], *, starred: bool = False
) -> float | None:
    session = next((session for session in sessions if dataset_key(table, session.dataset) == column.dataset), None)
    return None if session is None else session.figure(column.measure, way, column.part, starred=starred)


def _exact(way: str, sessions: Sequence[Session]) -> tuple[int, int]:
    each = [same_as_plain(session.pages(way), way) for session in sessions]
    return sum(same for same, _ in each), sum(of for _, of in each)


# --------------------------------------------------------------------------------------------- Figure 3


def of_variants(
    table: PaperTable, columns: Sequence[Column], sessions: Sequence[Session], variants: Sequence[Variant]
) -> list[OurRow]:
    """A row a variant of the drafts, with what these score by themselves; the paper's only one is the unspoilt."""
    (theirs,) = table.rows
    if not sessions:
        return [OurRow(theirs.name, theirs.way, theirs.model, theirs.figures, None, "nothing was run")]
    return [_variant_row(theirs, columns, session, variant) for session in sessions for variant in variants]


def _variant_row(theirs: Row, columns: Sequence[Column], session: Session, variant: Variant) -> OurRow:
    score = session.scores(DRAFT, variant.name).overall
    figures = [session.figure(column.measure, variant.name) for column in columns if column.measure != "score"]
    first = variant.name == UNSPOILT
    return OurRow(
        theirs.name if first else variant.name,
        variant.name,
        session.model,
        theirs.figures if first else None,
        (score, *figures),
        exact=_exact(variant.name_at_tau_1, [session]) if variant.exact else None,
    )
