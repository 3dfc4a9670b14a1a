"""Works off the jobs: some threads, each with a worker process that opens and drafts what strangers have uploaded.

A file that crashes its worker or takes too long costs its own page. Knows jobs and pipelines; knows no HTTP.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Mapping
from contextlib import ExitStack
from dataclasses import dataclass, replace
from threading import Event, Lock, Thread
from typing import Any

from docparse_fast.batch.apart import Apart
from docparse_fast.batch.limits import Limits
from docparse_fast.document import Failure
from docparse_fast.drafted import Wanted
from docparse_fast.drafting.scans.languages import check_languages
from docparse_fast.errors import DocparseError, UsageError
from docparse_fast.opening import open_pipeline
from docparse_fast.options import ParseOptions
from docparse_fast.options.recording import options_of, recorded
from docparse_fast.pages.ranges import check_ranges
from docparse_fast.run import conversion, events
from docparse_fast.run.inputs import Input
from docparse_fast.run.outputs import DocumentFolder
from docparse_fast.run.run_record import DocumentRecord
from docparse_fast.service.jobs import DOCUMENT, OUT, Job, JobBook

ASKABLE = ("pages", "max_pages", "lang", "ocr", "layout", "tables", "keep_furniture", "no_join", "dpi")
TICK = 0.5  # seconds between two looks at whether the service ends
CLEARING = 60.0  # seconds between two looks for jobs that are old
NUMBERS = ("max_pages", "dpi")
SWITCHES = ("keep_furniture", "no_join")
SWITCHED = dict.fromkeys(("1", "true", "yes", "on"), True) | dict.fromkeys(("0", "false", "no", "off", ""), False)

log = logging.getLogger("docparse_fast")


def options_for(own: ParseOptions, asked: Mapping[str, str]) -> ParseOptions:
    """The service's options with those that a caller may choose; UsageError about others and about bad values."""
    for name in asked:
        if name not in ASKABLE:
            raise UsageError(f"{name} can't be chosen here", remedy=f"one of {', '.join(ASKABLE)}")
    try:
        values = {name: _value(name, text) for name, text in asked.items()}
        check_languages(values.get("lang", ""))
        check_ranges(values.get("pages", "1"))
        return options_of(recorded(own) | values, own.raster.password)
    except (ValueError, TypeError, KeyError) as error:
        raise UsageError(f"an option makes no sense: {error}", remedy="see /openapi.json") from error


def _value(name: str, text: str) -> Any:
    if name in NUMBERS:
        return int(text)
    return SWITCHED[text.lower()] if name in SWITCHES else text


class JobRunner:
    """Begins with `start`. `stop` breaks off what is in work; it waits again in the book."""

    def __init__(self, book: JobBook, options: ParseOptions, limits: Limits, keep: float) -> None:
        self._book = book
        self._options = options
        self._limits = limits
        self._keep = keep  # seconds for which a job that has ended is kept
        self._stopping = Event()
        self._pipeline = open_pipeline(options)
        self._turn = Lock()  # a target reads for one thread at a time
        self._threads = [Thread(target=self._work, daemon=True) for _ in range(limits.jobs)]
        self._threads.append(Thread(target=self._clear_away, daemon=True))

    def start(self) -> None:
        for thread in self._threads:
            thread.start()

    def stop(self) -> None:
        self._stopping.set()
        for thread in self._threads:
            thread.join()

    def _work(self) -> None:
        with ExitStack() as stack:
            apart = _Workers(stack, self._limits, self._stopping, for_target=self._pipeline.target is not None)
            while not self._stopping.is_set():
                job = self._book.next(TICK)
                if job is not None:
                    self._do(job, apart)

    def _do(self, job: Job, workers: _Workers) -> None:
        try:
            record = self._converted(job, options_for(self._options, job.options), workers)
        except DocparseError as error:
            return self._end(job, "failed", Failure(error.code, str(error)))
        except Exception as error:  # of ours: it must not cost the service a thread
            log.exception("job %s", job.id)
            return self._end(job, "failed", Failure("worker_crashed", f"{type(error).__name__}: {error}"))
        if record.status in ("ok", "partial", "failed"):
            return self._end(job, record.status, record.error)
        return self._book.back(job.id)

    def _end(self, job: Job, status: str, error: Failure | None) -> None:
        said = {"code": error.code, "message": error.message} if error is not None else None
        self._book.update(job.id, status=status, error=said, ended=time.time())

    def _converted(self, job: Job, options: ParseOptions, workers: _Workers) -> DocumentRecord:
        folder = self._book.folder(job)
        source = Input(folder / DOCUMENT, job.name, OUT)
        output = DocumentFolder(folder / OUT, options, source.path)
        apart = workers.apart(options)
        pipeline = replace(self._pipeline, draft_pages=apart.draft_pages)
        with self._turn if pipeline.target is not None else ExitStack():
            what = conversion.Conversion(
                [source], options, lambda _: pipeline, lambda _: output, open_source=apart.open
            )
            watcher = JobWatcher(self._book, job.id)
            run = conversion.convert(what, watcher, is_interrupted=self._stopping.is_set)
        return run.records[0]

    def _clear_away(self) -> None:
        while not self._stopping.wait(CLEARING):
            self._book.remove_older(time.time() - self._keep)


@dataclass(slots=True)
class _Workers:
    """A thread's worker process; another one for other options."""

    stack: ExitStack
    limits: Limits
    stopping: Event
    for_target: bool
    reading: object = None  # what the process knows of its options
    current: Apart | None = None

    def apart(self, options: ParseOptions) -> Apart:
        reading = (options.drafting, options.raster, options.formats)
        if self.current is None or reading != self.reading:
            self.stack.close()
            wanted = Wanted(for_target=self.for_target, for_figures=True)
            limits = replace(self.limits, jobs=1)
            self.current = self.stack.enter_context(Apart(options, limits, wanted, self.stopping.is_set))
            self.reading = reading
        return self.current


@dataclass(frozen=True, slots=True)
class JobWatcher:
    """Keeps the book up to date page by page."""

    book: JobBook
    id: str

    def tell(self, event: events.Event) -> None:
        match event:
            case events.DocumentBegun(record):
                self.book.update(self.id, pages=record.page_count)
            case events.PageDone() if job := self.book.get(self.id):
                self.book.update(self.id, pages_done=job.pages_done + 1)
            case events.Trouble(failure):
                log.warning("%s: %s", failure.code, failure.message)
