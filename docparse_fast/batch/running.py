"""Runs the tasks of a batch: decides which worker reads which page next, and handles workers that die.

Knows tasks and limits; `in_work` handles files and `crew` processes. It is a single thread: it waits for answers, gives
out the next task before it handles the last result, and checks all limits ten times a second.
"""

from __future__ import annotations

import logging
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from multiprocessing.connection import wait

from docparse_fast.batch.crew import Answered, Crew, Gone, Worker
from docparse_fast.batch.in_work import DocumentInWork, PageGroup
from docparse_fast.batch.interrupts import Interrupts
from docparse_fast.batch.limits import Limits, shown_bytes
from docparse_fast.batch.messages import Answer, Opened, OpenTask, PageDrafted, PageRead, PageTask, Refused
from docparse_fast.batch.planning import Work
from docparse_fast.batch.verifier import Lost, Taken, Verifier
from docparse_fast.document import Failure, PageDraft, ParsedPage
from docparse_fast.drafted import DraftedPage
from docparse_fast.errors import DocparseError, InputError, ModelError, PageError
from docparse_fast.run.events import DocumentDone, Stopping, Watcher

TICK = 0.1  # seconds between two checks of time and memory
BLOCKS_AHEAD = 2  # drafted or being drafted while the target is busy, beside one per worker

log = logging.getLogger("docparse_fast")


@dataclass(frozen=True, slots=True)
class Assignment:
    """A task for a worker: read a page, or open the document."""

    document: DocumentInWork
    number: int | None = None
    again: bool = False  # a worker that had done other tasks before died at it

    @property
    def task(self) -> OpenTask | PageTask:
        document = self.document
        if self.number is None or document.opened is None:
            return OpenTask(document.path.absolute(), document.name)
        return PageTask(document.path.absolute(), document.name, document.opened.sha256, self.number)


class Batch:
    def __init__(
        self,
        works: Sequence[Work],
        new_document: Callable[[Work], DocumentInWork],
        limits: Limits,
        crew: Crew[Assignment],
        verifier: Verifier | None,
        watcher: Watcher,
        save: Callable[[], None],
        trouble: Callable[[Failure], None],
    ) -> None:
        self._to_open = deque(work for work in works if work.done is None)
        self._new_document = new_document
        self._limits = limits
        self._crew = crew
        self._verifier = verifier
        self._watcher = watcher
        self._save = save
        self._trouble = trouble
        self._in_work: dict[str, DocumentInWork] = {}  # by output folder
        self._home: dict[Worker[Assignment], DocumentInWork] = {}  # the document that each worker has open
        self._again: deque[Assignment] = deque()
        self._blocks_ahead = 0  # begun, and not yet given to the target
        self._stopped = False

    def work(self, interrupts: Interrupts) -> None:
        """Works until all is done; after an interrupt, until the pages in work are done."""
        while True:
            if interrupts.asked and not self._stopped:
                self._stop()
            self._give_out()
            if not self._crew.busy and not (self._verifier and self._verifier.owed):
                return
            for ready in self._wait():
                self._hear(ready)
            self._look_around()
            self._save()

    def leave(self) -> None:
        """Marks the documents in work as interrupted."""
        for document in self._in_work.values():
            document.record.status = "interrupted"

    def _stop(self) -> None:
        self._stopped = True
        self._watcher.tell(Stopping())
        if self._verifier is not None:
            self._verifier.stop()

    # ------------------------------------------------------------------------------------- giving out

    def _give_out(self) -> None:
        if self._stopped:
            return
        for worker in self._crew.idle_workers():
            if (ask := self._next_ask(self._home.get(worker))) is not None:
                self._give(worker, ask)
        while self._crew.has_room and (ask := self._next_ask(None)) is not None:
            self._give(self._crew.hire(), ask)

    def _give(self, worker: Worker[Assignment], ask: Assignment) -> None:
        self._home[worker] = ask.document
        if ask.number is not None and not ask.again:
            ask.document.begin_page(ask.number)
        worker.give(ask.task, ask)

    def _next_ask(self, home: DocumentInWork | None) -> Assignment | None:
        """The next task: first a retry, then the worker's open document, a new one, or another worker's."""
        if self._again:
            return self._again.popleft()
        if home is not None and (ask := self._next_page(home)) is not None:
            return ask
        if self._to_open and len(self._in_work) < self._most_open:
            document = self._new_document(self._to_open.popleft())
            self._in_work[document.output] = document
            return Assignment(document)
        return next(filter(None, map(self._next_page, self._in_work.values())), None)

    @property
    def _most_open(self) -> int:
        jobs = self._limits.jobs
        return jobs if self._verifier is None else 2 * jobs + BLOCKS_AHEAD + self._verifier.at_once - 1

    def _next_page(self, document: DocumentInWork) -> Assignment | None:
        if not document.to_read:
            return None
        block = document.blocks.get(document.to_read[0])
        if block is not None and not block.begun:
            if self._blocks_ahead >= self._limits.jobs + BLOCKS_AHEAD:
                return None
            self._begin(block)
        return Assignment(document, document.to_read.popleft())

    def _begin(self, block: PageGroup) -> None:
        if not block.begun:
            block.begun = True
            self._blocks_ahead += 1

    # ---------------------------------------------------------------------------------------- hearing

    def _wait(self) -> list[Worker[Assignment] | Verifier]:
        speakers: dict[object, Worker[Assignment] | Verifier] = {
            worker.connection: worker for worker in self._crew.workers
        }
        if self._verifier is not None and not self._verifier.connection.closed:
            speakers[self._verifier.connection] = self._verifier
        return [speakers[ready] for ready in wait(list(speakers), TICK)]  # type: ignore[arg-type]

    def _hear(self, speaker: Worker[Assignment] | Verifier) -> None:
        if isinstance(speaker, Verifier):
            self._hear_target(speaker)
        elif not speaker.connection.closed:  # else it has been killed since
            said = speaker.receive()
            if isinstance(said, Gone):
                self._lose(speaker)
                self._died(said)
            elif said is None:
                self._crew.note_start()
            else:
                self._hear_worker(said)

    def _hear_worker(self, said: Answered[Assignment]) -> None:
        document = said.task_for.document
        document.seconds += said.seconds
        if isinstance(said.answer, PageRead | PageDrafted):
            self._give_out()  # first, so that workers need not wait for the writing
        if self._is_in_work(document):
            with self._ending_with(document):
                self._take(said.task_for, said.answer)

    def _take(self, ask: Assignment, answer: Answer) -> None:
        document = ask.document
        match answer:
            case Opened():
                if not self._stopped:
                    document.open(answer)
            case PageRead():
                document.keep(answer)
            case PageDrafted():
                self._take_drafted(document, answer)
            case Refused(ModelError() as error):  # it is missing for all documents
                raise error
            case Refused(error):
                self._fail(document, Failure(error.code, str(error)), is_unreadable=isinstance(error, InputError))
        self._finish_if_complete(document)

    def _take_drafted(self, document: DocumentInWork, drafted: PageDrafted) -> None:
        block = document.blocks.pop(drafted.page.number)
        block.take(drafted)
        if block.is_drafted and self._verifier is not None and not self._stopped:
            self._begin(block)  # not begun if its document ran out of time
            self._verifier.give(block)

    def _hear_target(self, verifier: Verifier) -> None:
        said = verifier.receive()
        if isinstance(said, Taken):
            self._blocks_ahead -= 1
        elif isinstance(said, Lost):
            self._trouble(said.failure)
        elif said is not None and (document := self._in_work.get(said.output)) is not None:
            document.seconds += said.seconds
            with self._ending_with(document):
                document.keep(said.read)
                self._finish_if_complete(document)

    # ----------------------------------------------------------------------------------------- ending

    @contextmanager
    def _ending_with(self, document: DocumentInWork) -> Iterator[None]:
        """While entered, an error fails only this document."""
        try:
            yield
        except ModelError:
            raise  # it concerns every document
        except DocparseError as error:
            self._fail(document, Failure(error.code, str(error)))
        except Exception as error:  # our bug: if it ended the batch, the next run would end at the same page
            if not self._is_in_work(document):
                raise
            log.debug("%s", document.name, exc_info=True)
            self._fail(document, Failure("worker_crashed", f"{type(error).__name__}: {error}"))

    def _finish_if_complete(self, document: DocumentInWork) -> None:
        if document.is_complete and self._is_in_work(document):
            document.finish()
            self._end(document)

    def _is_in_work(self, document: DocumentInWork) -> bool:
        return document.output in self._in_work

    def _fail(self, document: DocumentInWork, failure: Failure, *, is_unreadable: bool = False) -> None:
        document.fail(failure, is_unreadable=is_unreadable)
        self._end(document)

    def _end(self, document: DocumentInWork) -> None:
        del self._in_work[document.output]
        self._blocks_ahead -= len({id(block) for block in document.blocks.values() if block.begun})
        document.to_read.clear()
        self._watcher.tell(DocumentDone(document.record))

    # --------------------------------------------------------------------------------- what goes wrong

    def _died(self, gone: Gone[Assignment]) -> None:
        ask = gone.task_for
        if gone.at_start:
            self._crew.note_start(failed=gone.how)
            if ask is not None and self._is_in_work(ask.document):
                self._again.append(replace(ask, again=True))
            return
        self._blame(ask, gone.was_fresh, Failure("worker_crashed", f"the process that read it died ({gone.how})"))

    def _blame(self, ask: Assignment | None, was_fresh: bool, failure: Failure) -> None:
        """Fails the task if its worker was fresh or it was the second try; else tries again in a fresh worker."""
        if ask is None or not self._is_in_work(ask.document):
            return
        if was_fresh or ask.again:
            self._fail_task(ask, failure)
        else:
            self._again.append(replace(ask, again=True))

    def _fail_task(self, ask: Assignment, failure: Failure) -> None:
        document = ask.document
        if not self._is_in_work(document):  # another page ended the document while this one was read
            return
        with self._ending_with(document):
            if ask.number is None:
                self._fail(document, replace(failure, message=f"{document.name}: {failure.message}"))
            elif ask.number in document.blocks:
                error = PageError(failure.code, failure.message)
                page = DraftedPage(ask.number, PageDraft(ask.number, 0, 0), error=error)
                self._take_drafted(document, PageDrafted(page))
            else:
                failed = ParsedPage(ask.number, status="failed", error=failure)
                document.keep(PageRead(failed))
                self._finish_if_complete(document)

    def _lose(self, worker: Worker[Assignment]) -> None:
        self._home.pop(worker, None)
        self._crew.lose(worker)

    def _look_around(self) -> None:
        """Kills workers and ends documents that exceed a limit of time or memory."""
        limits = self._limits
        for waiting in self._crew.surplus():
            if waiting.task_for is not None:
                self._again.append(waiting.task_for)
            self._lose(waiting)
        self._crew.check_started()
        for worker in [worker for worker in self._crew.workers if not worker.has_answered]:
            if (ask := worker.task_for) is None:
                continue
            if limits.page_timeout is not None and worker.seconds > limits.page_timeout:
                self._put_an_end_to(worker)
                self._fail_task(
                    ask, Failure("timeout", f"it took longer than {limits.page_timeout:g} s; see --page-timeout")
                )
            elif limits.max_memory is not None and worker.resident_bytes() > limits.max_memory:
                was_fresh = self._put_an_end_to(worker)
                failure = Failure("out_of_memory", f"it took more than {shown_bytes(limits.max_memory)}")
                self._blame(ask, was_fresh, failure)
        if limits.doc_timeout is not None:
            for document in list(self._in_work.values()):
                if self._seconds(document) > limits.doc_timeout:
                    self._put_an_end_to_document(document, limits.doc_timeout)

    def _put_an_end_to(self, worker: Worker[Assignment]) -> bool:
        """Kills the worker; returns whether its task was its first."""
        if worker.task_for is not None:
            worker.task_for.document.seconds += worker.seconds
        self._lose(worker)
        return worker.tasks_begun == 1

    def _seconds(self, document: DocumentInWork) -> float:
        at_it = (worker.seconds for worker in self._crew.workers if _is_at(worker, document))
        return document.seconds + sum(at_it)

    def _put_an_end_to_document(self, document: DocumentInWork, seconds: float) -> None:
        """Fails the document's unread pages; the target still finishes those it has."""
        failure = Failure("timeout", f"the document took longer than {seconds:g} s")
        asks = [ask for ask in self._again if ask.document is document]
        for worker in [worker for worker in self._crew.workers if _is_at(worker, document)]:
            assert worker.task_for is not None
            asks.append(worker.task_for)
            self._put_an_end_to(worker)
        self._again = deque(ask for ask in self._again if ask.document is not document)
        asks += [Assignment(document, number) for number in document.to_read]
        document.to_read.clear()
        for ask in asks:
            self._fail_task(ask, failure)


def _is_at(worker: Worker[Assignment], document: DocumentInWork) -> bool:
    return worker.task_for is not None and worker.task_for.document is document
