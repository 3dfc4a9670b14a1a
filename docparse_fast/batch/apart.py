"""Drafts pages one by one in a worker process, within limits of time: `convert --page-timeout`. Writes no file.

A page that takes too long fails, its worker is killed, and the next page gets a new worker.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from types import TracebackType
from typing import Self

from docparse_fast.batch.crew import Answered, Crew, Gone, Worker
from docparse_fast.batch.limits import Limits, threads_per_worker
from docparse_fast.batch.messages import Answer, Opened, OpenTask, PageDrafted, PageTask, Refused, Setup, Task
from docparse_fast.document import OutlineEntry, PageDraft
from docparse_fast.drafted import DraftedPage, Wanted
from docparse_fast.drafting import Drafter
from docparse_fast.errors import PageError
from docparse_fast.inputs import Input
from docparse_fast.options import ParseOptions
from docparse_fast.timing import Timer

TICK = 0.1  # seconds between two looks at the clock


@dataclass(frozen=True, slots=True)
class DistantDocument:
    """A document that the worker has open."""

    path: Path
    name: str
    opened: Opened
    since: float = field(default_factory=time.monotonic)

    @property
    def numbers(self) -> Sequence[int]:
        return self.opened.numbers

    @property
    def sha256(self) -> str:
        return self.opened.sha256

    @property
    def bookmarks(self) -> tuple[OutlineEntry, ...]:
        return self.opened.bookmarks

    def warnings(self) -> tuple[str, ...]:
        return self.opened.warnings


class Apart:
    """One worker, its documents and their pages. Use it from one thread at a time."""

    def __init__(
        self,
        options: ParseOptions,
        limits: Limits,
        wanted: Wanted,
        is_interrupted: Callable[[], bool],
        *,
        quiet: bool = True,
    ) -> None:
        self._limits = limits
        self._is_interrupted = is_interrupted
        self._crew: Crew[Task] = Crew(Setup(options, wanted, threads_per_worker(1)), 1, quiet=quiet)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._crew.__exit__(kind, error, trace)

    def open(self, source: Input) -> AbstractContextManager[DistantDocument]:
        return self._open(source)

    @contextmanager
    def _open(self, source: Input) -> Iterator[DistantDocument]:
        try:
            opened = self._ask(OpenTask(source.path, source.name))
        except PageError as error:
            raise PageError(error.code, f"{source.name}: {error.message}") from error
        assert isinstance(opened, Opened)
        yield DistantDocument(source.path, source.name, opened)

    def draft_pages(
        self,
        document: DistantDocument,
        numbers: Sequence[int],
        drafter: Drafter,
        wanted: Wanted,
        new_timer: Callable[[], Timer],
    ) -> Iterator[DraftedPage]:
        """As `drafted.draft_pages`, with the worker's drafter and timer. A page that fails has an error."""
        for number in numbers:
            try:
                self._check_time(time.monotonic() - document.since)
                task = PageTask(document.path, document.name, document.sha256, number)
                drafted = self._ask(task, document.since)
            except PageError as error:
                yield DraftedPage(number, PageDraft(number, 0, 0), error=error)
                continue
            assert isinstance(drafted, PageDrafted)
            for picture in drafted.files.values():
                if wanted.show is not None:
                    wanted.show(number, picture)
            yield drafted.page

    # ------------------------------------------------------------------------------------------ the worker

    def _ask(self, task: Task, since: float | None = None) -> Answer:
        """The worker's answer. A task at which a worker died that was not fresh is tried once more.

        `since` is when the document was opened; None if that is the task.
        """
        tries = 0
        while True:
            worker = next(iter(self._crew.workers), None) or self._crew.hire()
            worker.give(task, task)
            said = self._heard(worker, since)
            if isinstance(said, Answered):
                if isinstance(said.answer, Refused):
                    raise said.answer.error
                return said.answer
            self._crew.lose(worker)
            if said.at_start:
                self._crew.note_start(failed=said.how)
                continue
            tries += 1
            if said.was_fresh or tries > 1:
                raise PageError("worker_crashed", f"the process that read it died ({said.how})")

    def _heard(self, worker: Worker[Task], since: float | None) -> Answered[Task] | Gone[Task]:
        while True:
            while not worker.connection.poll(TICK):
                self._look_around(worker, since)
            said = worker.receive()
            if said is not None:
                return said
            self._crew.note_start()

    def _look_around(self, worker: Worker[Task], since: float | None) -> None:
        if self._is_interrupted():
            raise KeyboardInterrupt
        self._crew.check_started()
        try:
            self._check_time(worker.seconds if since is None else time.monotonic() - since, worker.seconds)
        except PageError:
            self._crew.lose(worker)
            raise

    def _check_time(self, of_document: float, of_page: float = 0.0) -> None:
        """Raises if so many seconds are too many."""
        page, document = self._limits.page_timeout, self._limits.doc_timeout
        if page is not None and of_page > page:
            raise PageError("timeout", f"it took longer than {page:g} s; see --page-timeout")
        if document is not None and of_document > document:
            raise PageError("timeout", f"the document took longer than {document:g} s")
