"""`bench reproduce`: measures a table of the paper with the models and data on this machine. Prints nothing.

    asked -> data and targets on this machine -> one session each -> a figure beside every figure of the paper

Missing models and data are listed with the commands that fetch them, and all other rows are still measured.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING

from docparse_fast.bench.baselines import DRAFT_MODEL, baseline_ways
from docparse_fast.bench.datasets import Dataset
from docparse_fast.bench.measuring_pages import measure
from docparse_fast.bench.paper import DRAFTER, TAU, WINDOW, PaperColumn, PaperRow, PaperTable, paper_table
from docparse_fast.bench.record import PLAIN, Measurement, PageRecord
from docparse_fast.bench.reproduction.draft_quality import (
    LEVELS,
    Variant,
    rows_of_variants,
    variants,
    ways_of_variants,
)
from docparse_fast.bench.reproduction.rows import (
    MAIN,
    OURS,
    WITH_OURS,
    OurRow,
    columns_of,
    filled,
    options_of,
    rows_of,
    ways_of,
)
from docparse_fast.bench.reproduction.sessions import Session
from docparse_fast.bench.reproduction.sources import (
    NANO,
    Data,
    Need,
    draft_model_of,
    find_data,
    model_of,
    need_of,
    needs_of,
    wanted_models,
)
from docparse_fast.bench.reproduction.subjects import blank_page, subjects
from docparse_fast.bench.run import failures
from docparse_fast.bench.surroundings import clock_of, settings_of
from docparse_fast.bench.trial import DraftPage, by
from docparse_fast.bench.ways import DRAFTS, PageWay
from docparse_fast.drafting import Drafter, open_drafter
from docparse_fast.errors import ModelError
from docparse_fast.options import DraftOptions, ParseOptions, SpeculationOptions, TargetOptions
from docparse_fast.options.declaring import within
from docparse_fast.targets import open_target

if TYPE_CHECKING:
    from docparse_fast.targets.loading.document_model import DocumentModel

SEED = 1
FIGURE_3 = "figure3"


@dataclass(frozen=True, slots=True)
class Asked:
    """What to measure. `target` gives the device and dtype; its name is ignored in favour of `targets`."""

    table: str
    targets: tuple[str, ...] = (NANO,)
    data: tuple[Path, ...] = ()
    target: TargetOptions = field(default_factory=TargetOptions)
    drafter: str = "auto"  # the paper's, if it is installed
    repeats: int = 1
    max_pages: int | None = None  # per data set
    levels: Mapping[str, Sequence[float]] = field(default_factory=lambda: LEVELS)  # of Figure 3

    def __post_init__(self) -> None:
        paper_table(self.table)  # raises for an unknown table
        within("--repeats", self.repeats, 1, 1000)
        if self.max_pages is not None:
            within("--max-pages", self.max_pages, 1, 10**9)


@dataclass(frozen=True, slots=True)
class Reproduction:
    table: PaperTable
    columns: tuple[PaperColumn, ...]
    rows: tuple[OurRow, ...]
    sessions: tuple[Session, ...]
    needs: tuple[Need, ...]  # missing for what was asked: exit code 3
    others: tuple[Need, ...]  # missing for the rest of the table
    drafter: str = ""
    notes: tuple[str, ...] = ()

    @property
    def exit_code(self) -> int:
        if self.interrupted:
            return 130
        broken = any(session.measurement.pages and not session.pages(PLAIN) for session in self.sessions)
        failed = any(failures(session.measurement) for session in self.sessions)
        return 3 if self.needs or broken or failed or self.inexact else 0

    @property
    def interrupted(self) -> bool:
        """Whether pages, and perhaps models and data sets, were not reached."""
        return any(session.measurement.settings.interrupted for session in self.sessions)

    @property
    def inexact(self) -> list[str]:
        """Rows at tau 1 whose float32 answers differ from plain decoding's; there should be none."""
        exact = {session.model: session.measurement.settings.dtype == "float32" for session in self.sessions}
        return [row.name for row in self.rows if row.exact and row.exact[0] < row.exact[1] and exact.get(row.model)]


def reproduce(
    asked: Asked,
    done: Callable[[PageRecord], None] = lambda page: None,
    watch: Callable[[str], None] = lambda what: None,
) -> Reproduction:
    """Calls `done` with each measured page, and `watch` with the current activity."""
    table = paper_table(asked.table)
    data = find_data(table, asked.data, asked.targets)
    job = _Job(asked, table, done, watch)
    for name in wanted_models(table, asked.targets) if data.all else ():
        job.run(name, data)
        if job.interrupted:
            break
    return job.result(data)


@dataclass
class _Job:
    """Collects results over targets and data sets."""

    asked: Asked
    table: PaperTable
    done: Callable[[PageRecord], None]
    watch: Callable[[str], None]
    sessions: list[Session] = field(default_factory=list)
    variants: list[Variant] = field(default_factory=list)
    needs: list[Need] = field(default_factory=list)
    drafter: Drafter | None = None
    notes: list[str] = field(default_factory=list)

    def run(self, name: str, data: Data) -> None:
        model = model_of(name)
        options = replace(self.asked.target, name=name)
        try:
            target = open_target(
                options.name,
                device=options.device,
                dtype=options.dtype,
                offline=options.offline,
                repetition_penalty=1.0,  # the baselines have none either
            )
        except ModelError as error:
            self.needs.append(need_of(error, model))
            return
        target.decoder.recording.at = 1  # in the warm-up, not in a round that counts
        drafter = self.drafter = self.drafter or self._open_drafter()
        for dataset in data.all:
            self.sessions.append(Session(model, dataset, self._measured(target, model, dataset, drafter)))
            if self.interrupted:
                return

    @property
    def interrupted(self) -> bool:
        return bool(self.sessions) and self.sessions[-1].measurement.settings.interrupted

    def _open_drafter(self) -> Drafter:
        """The requested drafter; for `auto` the paper's if it is installed, else `embedded`."""
        if self.asked.drafter != "auto":
            return open_drafter(DraftOptions(drafter=self.asked.drafter))
        try:
            theirs = open_drafter(DraftOptions(drafter=DRAFTER))
            theirs.draft(blank_page())  # only now it looks for its weights
            return theirs
        except ModelError as error:
            self.notes.append(f"The paper drafts with PP-StructureV3, which is not installed: {error}.")
            return open_drafter(DraftOptions(drafter="embedded"))

    def _measured(self, target: DocumentModel, model: str, dataset: Dataset, drafter: Drafter) -> Measurement:
        cap = self.table.cap_of(model)
        drafts: dict[str, DraftPage] = {DRAFTS: by(drafter)}
        if self.table.key == FIGURE_3:
            self.variants = variants(drafter, self.asked.levels, SEED)
            drafts = {variant.name: variant.draft for variant in self.variants}
            ways = ways_of_variants(self.variants, cap)
        else:
            rows = rows_of(self.table, model)
            ours = [OURS] if self.table.key == WITH_OURS else []
            names = [str(row.way) for row in rows] or [MAIN]
            ways = [*ways_of([*names, *ours], cap), *self._baselines(target, rows, cap)]
        clock = clock_of(target)
        return measure(
            subjects(dataset, self.asked.max_pages, self.table.pixels_of(model)),
            target,
            ways,
            drafts=drafts,
            settings=settings_of(target, clock, self.asked.repeats, self._recorded(model, dataset, drafter)),
            options=options_of(MAIN, cap),
            clock=clock,
            together=False,
            check_generate=False,
            done=self.done,
            watch=lambda what: self.watch(f"{self.table.key}, {model}, {dataset.folder.name}: {what}"),
        )

    def _baselines(self, target: DocumentModel, rows: Sequence[PaperRow], cap: int) -> list[PageWay]:
        """VSD: a smaller model of the same family drafts."""
        options = SpeculationOptions(window=WINDOW, max_new_tokens=cap)
        parse = ParseOptions(target=self.asked.target, speculation=options)
        for row in rows:
            if row.way == DRAFT_MODEL:
                name = f"{DRAFT_MODEL}:{draft_model_of(row, self.asked.targets)}"
                try:
                    return baseline_ways([name], target, parse)
                except ModelError as error:
                    self.needs.append(need_of(error, row.draft_model))
        return []

    def _recorded(self, model: str, dataset: Dataset, drafter: Drafter) -> dict[str, object]:
        data = dataset.name if dataset.name != "folder" else dataset.folder.name
        limits = {"max_new_tokens": self.table.cap_of(model), "max_pixels": self.table.pixels_of(model)}
        settings = {"tau": TAU, "window": WINDOW, **limits, "drafter": drafter.name}
        asked = {"repeats": self.asked.repeats, "max_pages": self.asked.max_pages, "seed": SEED}
        return {"table": self.table.key, "data": data, **settings, **asked}

    def result(self, data: Data) -> Reproduction:
        columns = columns_of(self.table, data.others)
        if self.table.key == FIGURE_3:
            rows = rows_of_variants(self.table, columns, self.sessions, self.variants)
        else:
            rows = filled(self.table, columns, self.sessions)
        needs, others = needs_of(self.table, self.asked.targets, data, self.needs)
        name = self.drafter.name if self.drafter else ""
        return Reproduction(
            self.table, columns, tuple(rows), tuple(self.sessions), needs, others, name, tuple(self.notes)
        )
