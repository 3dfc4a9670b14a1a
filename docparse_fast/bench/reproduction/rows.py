"""A table's rows and columns with our figures beside the paper's, and the settings of each row. Measures nothing.

Where the paper does not give a setting, this module chooses one (docs/bench.md has the reasons):

- "+ Page-level Spec. Decoding only" is at tau 1: the row below it, at tau 1, then differs by Stage 1 alone.
- Stage 1 reads every region that can be read, as in the paper, whether or not it pays.
- Answers may have as many tokens as the table's cap, plain ones and speculative ones alike.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from docparse_fast.bench.baselines import DRAFT_MODEL
from docparse_fast.bench.datasets import Dataset
from docparse_fast.bench.paper import TAU, WINDOW, PaperColumn, PaperRow, PaperTable
from docparse_fast.bench.record import PLAIN
from docparse_fast.bench.reproduction.sessions import Session, same_as_plain
from docparse_fast.bench.ways import DRAFTS, PageWay, Plain, Speculative
from docparse_fast.options import SpeculationOptions

MAIN = "hsd"  # the paper's method
OURS = "as convert runs it"  # not in the paper: Stage 1 only where it pays
WITH_OURS = "table8"  # the table that gets that row
AT_TAU_1 = ("hsd-exact", "page-only", OURS)  # their answers must equal plain decoding's
SETTINGS: dict[str, tuple[float, str]] = {  # tau and stages; other rows are not decoded
    "hsd": (TAU, "both"),
    "hsd-exact": (1.0, "both"),
    "page-only": (1.0, "2"),
    "stage-1": (TAU, "1"),
    OURS: (1.0, "auto"),
}


def options_of(way: str, cap: int) -> SpeculationOptions:
    """
    >>> options_of("page-only", 2048).stages
    '2'
    """
    tau, stages = SETTINGS[way]
    return SpeculationOptions(tau=tau, window=WINDOW, stages=stages, max_new_tokens=cap)


def plain(cap: int) -> Plain:
    return Plain(SpeculationOptions(tau=1.0, window=WINDOW, max_new_tokens=cap), PLAIN)


def speculative(way: str, cap: int, name: str = "", drafts: str = DRAFTS) -> Speculative:
    return Speculative(options_of(way, cap), name or way, drafts)


def ways_of(rows: Iterable[str], cap: int) -> list[PageWay]:
    """Plain decoding, which all ways are compared with, and the ways of the rows."""
    return [plain(cap), *(speculative(way, cap) for way in dict.fromkeys(rows) if way in SETTINGS)]


# ------------------------------------------------------------------------------------------------- cells


@dataclass(frozen=True, slots=True)
class OurRow:
    """A row with the paper's figures and ours; either may be missing. `why_not` says why ours are missing."""

    name: str
    way: str
    model: str
    paper: tuple[float | None, ...] | None
    ours: tuple[float | None, ...] | None
    why_not: str = ""
    left_out: tuple[str, ...] = ()  # pages left out of a starred row, because their output did not end
    exact: tuple[int, int] | None = None  # at tau 1: pages equal to plain decoding's, and pages compared


def rows_of(table: PaperTable, model: str) -> list[PaperRow]:
    """The rows that a model fills: its own, or all rows of a table with only one model, which it replaces."""
    own = [row for row in table.rows if row.model == model]
    return own or (list(table.rows) if len(table.models) == 1 else [])


def columns_of(table: PaperTable, others: Sequence[Dataset]) -> tuple[PaperColumn, ...]:
    """The printed columns; if the table has several data sets, other data sets get columns of their own."""
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
    """The data set's key in the columns: empty if the table has only one."""
    if len(table.datasets) == 1:
        return ""
    return dataset.name if dataset.name in table.datasets else dataset.folder.name


def filled(table: PaperTable, columns: Sequence[PaperColumn], sessions: Sequence[Session]) -> list[OurRow]:
    """The paper's rows, then our additional ones."""
    return [*(_row(table, row, columns, sessions) for row in table.rows), *_more_rows(table, columns, sessions)]


def exact_pages(way: str, sessions: Sequence[Session]) -> tuple[int, int]:
    each = [same_as_plain(session.pages(way), way) for session in sessions]
    return sum(same for same, _ in each), sum(of for _, of in each)


def _row(table: PaperTable, row: PaperRow, columns: Sequence[PaperColumn], sessions: Sequence[Session]) -> OurRow:
    paper = (*row.figures, *(None for _ in columns[len(row.figures) :]))
    if row.way == "vispec":
        return OurRow(row.name, row.way, row.model, paper, None, "ViSpec is not run here")
    mine = [session for session in sessions if row in rows_of(table, session.model)]
    if not mine:
        return OurRow(row.name, row.way, row.model, paper, None, f"--target {row.model} was not run")
    way = _way_of(row, mine)
    ours = tuple(_cell(table, column, way, mine, starred=row.starred) for column in columns)
    left_out = [name for session in mine for name in session.left_out(way)] if row.starred else []
    exact = exact_pages(way, mine) if row.way in AT_TAU_1 else None
    return OurRow(row.name, row.way, mine[0].model, paper, ours, "", tuple(left_out), exact)


def _way_of(row: PaperRow, sessions: Sequence[Session]) -> str:
    """The row's name among the measured ways; a draft model's also contains the name of its weights."""
    measured = (way for session in sessions for way in session.measurement.ways)
    is_it = (way for way in measured if row.way == DRAFT_MODEL and way.startswith(DRAFT_MODEL))
    return next(is_it, row.way)


def _more_rows(table: PaperTable, columns: Sequence[PaperColumn], sessions: Sequence[Session]) -> Iterator[OurRow]:
    for model in dict.fromkeys(session.model for session in sessions):
        mine = [session for session in sessions if session.model == model]
        if not rows_of(table, model):
            ours = tuple(_cell(table, column, MAIN, mine) for column in columns)
            yield OurRow(f"{model} (not in the paper)", MAIN, model, None, ours)
        if table.key == WITH_OURS:
            ours = tuple(_cell(table, column, OURS, mine) for column in columns)
            yield OurRow(f"docparse-fast {OURS}", OURS, model, None, ours)


def _cell(
    table: PaperTable, column: PaperColumn, way: str, sessions: Sequence[Session], *, starred: bool = False
) -> float | None:
    session = next((session for session in sessions if dataset_key(table, session.dataset) == column.dataset), None)
    return None if session is None else session.figure(column.measure, way, column.part, starred=starred)
