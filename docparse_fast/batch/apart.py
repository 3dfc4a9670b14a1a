"""Drafts pages in worker processes: within limits of time, or while a target decodes elsewhere. Writes no file.

A page that takes too long fails, its worker is killed, and the next page gets a new worker. Several workers draft the
next pages of a document at once, and of the documents after it; they come out in order. `within_limits` chooses when
this is needed.
"""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, field, replace
from multiprocessing.connection import wait
from pathlib import Path
from types import TracebackType
from typing import Self

from docparse_fast.batch.ahead import Ahead
from docparse_fast.batch.crew import Crew, Gone, Worker
from docparse_fast.batch.limits import (
    Limits,
    threads_per_worker,
)
from docparse_fast.batch.messages import Answer, Opened, OpenTask, PageDrafted, PageSeen, PageTask, Refused, Setup, Task
from docparse_fast.batch.pending import PendingTask
from docparse_fast.batch.processes import Engine
from docparse_fast.document import OutlineEntry, PageDraft
from docparse_fast.drafted import DraftedPage, TellImage, Wanted
from docparse_fast.drafting import Drafter
from docparse_fast.errors import PageError
from docparse_fast.options import ParseOptions
from docparse_fast.run.inputs import Input
from docparse_fast.timing import Timer

TICK = 0.1  # seconds between two looks at the clock


@dataclass(frozen=True, slots=True)
class DistantDocument:
    """A document that the worker has open."""

    path: Path
    name: str
    opened: Opened
    begun: dict[int, PendingTask] = field(default_factory=dict)  # pages that were asked for ahead
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
    """Some workers, their documents and their pages. Use it from one thread at a time."""

    def __init__(
        self,
        options: ParseOptions,
        limits: Limits,
        wanted: Wanted,
        is_interrupted: Callable[[], bool],
        *,
        coming: Iterable[Input] = (),
        engine: Engine | None = None,
        quiet: bool = True,
    ) -> None:
        """`coming`: the documents that will be opened, in this order, as far as they are known."""
        self._limits = limits
        self._ahead = Ahead(() if limits.doc_timeout else coming)  # a document's time would run while it waits
        self._early = False  # whether images are wanted before drafts
        self._in_work = 0  # pages of the open document that were asked for
        self._is_interrupted = is_interrupted
        setup = Setup(options, wanted, threads_per_worker(limits.jobs))
        self._crew: Crew[PendingTask] = Crew(setup, limits.jobs, engine, quiet=quiet)

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
        coming = self._ahead.claim(source)
        try:
            opened = self._answer(coming.opening if coming else self._asked(OpenTask(source.path, source.name), None))
        except PageError as error:
            raise PageError(error.code, f"{source.name}: {error.message}") from error
        assert isinstance(opened, Opened)
        yield DistantDocument(source.path, source.name, opened, coming.pages if coming else {})

    def draft_pages(
        self,
        document: DistantDocument,
        numbers: Sequence[int],
        drafter: Drafter,
        wanted: Wanted,
        new_timer: Callable[[], Timer],
    ) -> Iterator[DraftedPage]:
        """As `drafted.draft_pages`, with the workers' drafters and timers. A page that fails has an error."""
        begun: deque[tuple[int, PendingTask]] = deque()
        rest = deque(numbers)
        self._early = wanted.sight is not None
        while rest or begun:
            while rest and len(begun) < self._limits.jobs:
                begun.append((rest[0], self._page(document, rest.popleft(), wanted.sight)))
            self._in_work = len(begun)
            self._listen(0)
            self._read_ahead()
            yield self._drafted(*begun.popleft(), wanted)

    def _page(self, document: DistantDocument, number: int, sight: TellImage | None) -> PendingTask:
        if number in document.begun:
            pending = document.begun.pop(number)
            pending.tell(sight)
            return pending
        task = PageTask(document.path, document.name, document.sha256, number, early=sight is not None)
        return self._asked(task, document.since, sight)

    def _drafted(self, number: int, pending: PendingTask, wanted: Wanted) -> DraftedPage:
        try:
            drafted = self._answer(pending)
        except PageError as error:
            return DraftedPage(number, PageDraft(number, 0, 0), error=error)
        assert isinstance(drafted, PageDrafted)
        for picture in drafted.files.values():
            if wanted.show is not None:
                wanted.show(number, picture)
        return replace(drafted.page, picture=pending.seen) if drafted.as_seen else drafted.page

    # ----------------------------------------------------------------------------------------- the workers

    def _asked(self, task: Task, since: float | None, sight: TellImage | None = None) -> PendingTask:
        pending = PendingTask(task, since, sight=sight)
        try:
            self._check_time(time.monotonic() - since if since is not None else 0.0)
        except PageError as error:
            pending.error = error
            return pending
        self._give(pending)
        return pending

    def _answer(self, pending: PendingTask) -> Answer:
        while not pending.is_settled:
            self._listen(TICK)
            self._read_ahead()
        if pending.error is not None:
            raise pending.error
        assert pending.answer is not None
        return pending.answer

    def _give(self, pending: PendingTask) -> None:
        """To a worker that is free; waits for one if all are busy."""
        while not self._has_hands:
            self._listen(TICK)
        idle = self._crew.idle_workers()
        worker = idle[0] if idle else self._crew.hire()
        worker.give(pending.task, pending)

    @property
    def _has_hands(self) -> bool:
        return bool(self._crew.idle_workers()) or self._crew.has_room

    def _read_ahead(self) -> None:
        """Workers that would wait get what the documents to come need; never more pages are held than are in work."""
        while self._has_hands and self._in_work + self._ahead.unclaimed < self._limits.jobs:
            pending = self._ahead.next_task(early=self._early)
            if pending is None:
                return
            self._give(pending)

    def _listen(self, seconds: float) -> None:
        """What workers say within this time; if they say nothing, limits are looked at."""
        ready = wait([worker.connection for worker in self._crew.workers], seconds)
        for worker in [worker for worker in self._crew.workers if worker.connection in ready]:
            said = worker.receive()
            if said is None:
                self._crew.note_start()
            elif isinstance(said, Gone):
                self._lost(worker, said)
            elif isinstance(said.answer, PageSeen):
                said.task_for.see(said.answer.picture)
            elif isinstance(said.answer, Refused):
                said.task_for.error = said.answer.error
            else:
                said.task_for.answer = said.answer
        if not ready:
            self._look_around()

    def _lost(self, worker: Worker[PendingTask], said: Gone[PendingTask]) -> None:
        """A task at which a worker died that was not fresh is tried once more."""
        self._crew.lose(worker)
        pending = said.task_for
        if said.at_start:
            self._crew.note_start(failed=said.how)
        elif pending is not None:
            pending.tries += 1
            if said.was_fresh or pending.tries > 1:
                pending.error = PageError("worker_crashed", f"the process that read it died ({said.how})")
        if pending is not None and not pending.is_settled:
            self._give(pending)

    def _look_around(self) -> None:
        if self._is_interrupted():
            raise KeyboardInterrupt
        self._crew.check_started()
        for worker in tuple(self._crew.workers):
            pending = worker.task_for
            if pending is None:
                continue
            since = pending.since
            try:
                self._check_time(worker.seconds if since is None else time.monotonic() - since, worker.seconds)
            except PageError as error:
                self._crew.lose(worker)
                pending.error = error

    def _check_time(self, of_document: float, of_page: float = 0.0) -> None:
        """Raises if so many seconds are too many."""
        page, document = self._limits.page_timeout, self._limits.doc_timeout
        if page is not None and of_page > page:
            raise PageError("timeout", f"it took longer than {page:g} s; see --page-timeout")
        if document is not None and of_document > document:
            raise PageError("timeout", f"the document took longer than {document:g} s")
