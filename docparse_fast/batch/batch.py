"""Runs a whole batch: takes the lock, makes the plan, starts the workers, writes run.json. Prints nothing."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

from docparse_fast.batch import faults
from docparse_fast.batch.crew import Crew
from docparse_fast.batch.in_work import BatchSettings, DocumentInWork
from docparse_fast.batch.interrupts import interrupts
from docparse_fast.batch.journal import Journal
from docparse_fast.batch.limits import Limits, threads_per_worker
from docparse_fast.batch.lock import locked
from docparse_fast.batch.messages import Setup
from docparse_fast.batch.planning import Found, Work, find_documents, key_of, plan_batch, summed_up
from docparse_fast.batch.processes import Engine
from docparse_fast.batch.running import Assignment, Batch
from docparse_fast.batch.verifier import Verifier
from docparse_fast.document import Failure
from docparse_fast.drafted import Wanted
from docparse_fast.errors import OutputError
from docparse_fast.opening import open_target_of
from docparse_fast.options import ParseOptions
from docparse_fast.run.events import Trouble, Watcher
from docparse_fast.run.outputs import RUN, DocumentFolder, clear_unfinished, make_folder, write_run
from docparse_fast.run.provenance import models_used
from docparse_fast.run.run_record import DocumentRecord, Run, check_record, saving
from docparse_fast.system.files import write
from docparse_fast.verification.target import DocumentTarget

STATE = ".docparse-fast"  # below OUT: the lock and the journal
JOURNAL, RESERVE = "journal.jsonl", "reserve"
RESERVED, RESERVED_PER_INPUT = 16_384, 1_024  # bytes of disk kept for the last run.json, with an error for every input

log = logging.getLogger("docparse_fast")


@dataclass(frozen=True, slots=True)
class Request:
    """The input folder, the output folder, and what to choose."""

    folder: Path
    out: Path
    include: Sequence[str] = ()
    exclude: Sequence[str] = ()
    force: bool = False
    only: Sequence[Path] | None = None  # those of the folder's documents that are named in a list

    def found(self) -> Found:
        return find_documents(self.folder, self.out, self.include, self.exclude, self.only)


def plan_only(
    request: Request,
    options: ParseOptions,
    open_target: Callable[[ParseOptions], tuple[DocumentTarget | None, str]] = open_target_of,
) -> list[Work]:
    """What a batch would do; writes nothing."""
    key = key_of(options, models_used(open_target(options)[0]))
    journal = Journal.read(request.out / STATE / JOURNAL)
    return plan_batch(request.found().chosen, request.out, journal, key, force=request.force)


def run_batch(
    request: Request,
    options: ParseOptions,
    limits: Limits,
    watcher: Watcher,
    open_target: Callable[[ParseOptions], tuple[DocumentTarget | None, str]] = open_target_of,
    engine: Engine | None = None,
) -> Run:
    """Converts every document of the folder that is not done yet. A failure affects only its own document."""
    found = request.found()
    with batch_session(request.out, options, limits, open_target, engine) as session:
        return session.run(found, watcher, force=request.force)


@contextmanager
def batch_session(
    out: Path,
    options: ParseOptions,
    limits: Limits,
    open_target: Callable[[ParseOptions], tuple[DocumentTarget | None, str]] = open_target_of,
    engine: Engine | None = None,
) -> Iterator[BatchSession]:
    """Holds OUT's lock, the target and the workers while entered."""
    check_record(out)
    make_folder(out / STATE, itself=True)
    with locked(out / STATE / "lock", out):
        clear_unfinished(out, (RUN,))
        clear_unfinished(out / STATE, (JOURNAL, RESERVE))
        target, _ = open_target(options)
        models = models_used(target)
        settings = BatchSettings(out, options, models, key_of(options, models))
        wanted = Wanted(for_target=True) if target is not None else None
        setup = Setup(options, wanted, threads_per_worker(limits.jobs) if engine is None else 1)
        crew: Crew[Assignment] = Crew(setup, limits.jobs, engine, quiet=not log.isEnabledFor(logging.DEBUG))
        with crew:
            yield BatchSession(settings, limits, target, crew)


class BatchSession:
    """Runs over one OUT that share a target and workers."""

    def __init__(
        self, settings: BatchSettings, limits: Limits, target: DocumentTarget | None, crew: Crew[Assignment]
    ) -> None:
        self._settings = settings
        self._limits = limits
        self._verifier = Verifier(target, settings.options) if target is not None else None
        self._crew = crew
        self.stopped = False  # by the user, in the last run

    def run(
        self, found: Found, watcher: Watcher, *, force: bool = False, earlier: Sequence[DocumentRecord] = ()
    ) -> Run:
        """Converts the chosen documents that are not done. `earlier` are other documents for run.json to list."""
        settings = self._settings
        journal = Journal.read(settings.out / STATE / JOURNAL)
        works = plan_batch(found.chosen, settings.out, journal, settings.key, force=force)
        _tidy(journal, found, works, settings)
        watcher.tell(summed_up(works, found.duplicates))
        run = Run(settings.options, [*earlier, *(work.record for work in works)])
        self._work(works, run, journal, watcher)
        return run

    def _work(self, works: Sequence[Work], run: Run, journal: Journal, watcher: Watcher) -> None:
        settings, verifier = self._settings, self._verifier
        save = _Saving(run, settings.out, watcher)
        save.now()

        def new_document(work: Work) -> DocumentInWork:
            return DocumentInWork(work, settings, journal, watcher, for_target=verifier is not None)

        with ExitStack() as stack:
            stack.callback(journal.close)
            stack.callback(save.last)
            heard = stack.enter_context(interrupts())
            batch = Batch(works, new_document, self._limits, self._crew, verifier, watcher, save, save.trouble)
            stack.callback(batch.leave)
            try:
                batch.work(heard)
            except KeyboardInterrupt:  # a second Ctrl-C; run.json lists the rest
                if verifier is not None:
                    verifier.give_up()
            self.stopped = heard.asked
        if run.status != "interrupted":
            _compact(journal)


def _tidy(journal: Journal, found: Found, works: Sequence[Work], settings: BatchSettings) -> None:
    """Removes outdated entries from the journal, and from OUT the outputs of documents that now have another name."""
    outputs = {source.output for source in found.all}
    inputs = {source.name for source in found.all}
    for name, document in list(journal.documents.items()):
        if name not in outputs and document.record["input"] in inputs:
            del journal.documents[name]
            with suppress(OutputError):
                DocumentFolder(settings.out / name, settings.options, vouched=document.files).forget()
    for work in works:
        name = work.record.input.output
        if work.done is None:
            journal.documents.pop(name, None)
        else:
            with suppress(OutputError):  # the journal is complete anyway
                DocumentFolder(settings.out / name, settings.options).clear_aside()
        journal.pages.pop(name, None)
        if work.pages:
            journal.pages[name] = work.pages
    journal.rewrite()


def _compact(journal: Journal) -> None:
    """Rewrites the journal without the pages of finished documents; on a full disk it stays as it is."""
    with suppress(OutputError):
        Journal.read(journal.path).rewrite()


class _Saving:
    """Writes run.json from time to time; on a full disk too, in space that was reserved for it."""

    def __init__(self, run: Run, out: Path, watcher: Watcher) -> None:
        self._run = run
        self._out = out
        self._watcher = watcher
        self._saving = saving()
        self._reserve = out / STATE / RESERVE
        write(self._reserve, bytes(RESERVED + RESERVED_PER_INPUT * len(run.records)))

    def __call__(self) -> None:
        if self._saving.is_due:
            self.now()

    def now(self) -> None:
        with self._saving.doing():
            try:
                self._write()
            except OutputError as error:
                self.trouble(Failure(error.code, str(error)))
        faults.reach("run-saved")

    def trouble(self, failure: Failure) -> None:
        """Records a failure of the run itself; the first is reported and decides the exit code."""
        if self._run.trouble is None:
            self._run.trouble = failure
            self._watcher.tell(Trouble(failure))

    def last(self) -> None:
        self.now()
        self._reserve.unlink(missing_ok=True)

    def _write(self) -> None:
        try:
            write_run(self._out, self._run.as_json())
        except OutputError:
            self._reserve.unlink(missing_ok=True)
            write_run(self._out, self._run.as_json())
