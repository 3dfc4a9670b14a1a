"""Runs the only target of a batch on threads of the batch's process: one, or as many as a server is asked at once.

Workers supply drafted pages. Knows blocks of them and the target; knows no worker and writes no file. It answers
through a connection, so that the batch can wait for it and for its workers at once.
"""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass
from multiprocessing import Pipe
from queue import SimpleQueue

from docparse_fast.batch.in_work import PageGroup
from docparse_fast.batch.messages import PageRead
from docparse_fast.document import Failure, ParsedPage
from docparse_fast.errors import DocparseError
from docparse_fast.options import ParseOptions
from docparse_fast.pipeline import verified
from docparse_fast.run.outputs import PageFiles
from docparse_fast.verification.stages import Stages
from docparse_fast.verification.target import DocumentTarget

log = logging.getLogger("docparse_fast")


@dataclass(frozen=True, slots=True)
class Taken:
    """The target has begun a block, so there is room for another."""

    output: str


@dataclass(frozen=True, slots=True)
class VerifiedPage:
    output: str  # the document's
    read: PageRead
    seconds: float


@dataclass(frozen=True, slots=True)
class Lost:
    """The target's device is lost; all further pages are drafts."""

    failure: Failure


class Verifier:
    def __init__(self, target: DocumentTarget, options: ParseOptions) -> None:
        self.connection, self._answers = Pipe(duplex=False)
        self.owed = 0  # pages it still has to answer
        self._target = target
        self._stages = Stages(target, options.speculation)
        self._options = options
        self._blocks: SimpleQueue[PageGroup | None] = SimpleQueue()
        self._stopped = threading.Event()
        self._telling = threading.Lock()  # one thread at a time uses the connection
        self._has_told = False  # has reported a lost device
        self.at_once = target.in_flight
        self._at_work = self.at_once
        for _ in range(self.at_once):
            threading.Thread(target=self._work, name="target", daemon=True).start()

    def give(self, block: PageGroup) -> None:
        if not self.connection.closed:  # else it will send no more answers
            self.owed += len(block.numbers) - len(block.done)
            self._blocks.put(block)

    def stop(self) -> None:
        """Lets it finish the pages in work and no other."""
        self._stopped.set()
        for _ in range(self.at_once):
            self._blocks.put(None)

    def give_up(self) -> None:
        """Ends the pages in work, which a server may never answer."""
        self._target.give_up()

    def receive(self) -> Taken | VerifiedPage | Lost | None:
        """The next answer; None if there are no more."""
        try:
            said: Taken | VerifiedPage | Lost = self.connection.recv()
        except EOFError:
            self.connection.close()
            self.owed = 0
            return None
        self.owed -= isinstance(said, VerifiedPage)
        return said

    # -------------------------------------------------------------------------------------- on the threads

    def _work(self) -> None:
        try:
            while (block := self._blocks.get()) is not None and not self._stopped.is_set():
                self._tell(Taken(block.output))
                for answer in self._read(block):
                    self._tell(answer)
                    self._tell_once()
                    if self._stopped.is_set():
                        break
        except OSError:
            log.debug("the batch has closed the target's connection", exc_info=True)
        finally:  # always, because the batch must not wait for more
            self._leave()

    def _leave(self) -> None:
        """The last thread closes the connection."""
        with self._telling:
            self._at_work -= 1
            if not self._at_work:
                self._answers.close()

    def _tell(self, answer: Taken | VerifiedPage | Lost) -> None:
        with self._telling:
            self._answers.send(answer)

    def _tell_once(self) -> None:
        with self._telling:
            if self._stages.device.lost is not None and not self._has_told:
                self._has_told = True
                self._answers.send(Lost(self._stages.device.lost))

    def _read(self, block: PageGroup) -> Iterator[VerifiedPage]:
        missing = [number for number in block.numbers if number not in block.done]
        start = time.perf_counter()
        try:
            for read in self._pages(block):
                missing.remove(read.page.number)
                yield VerifiedPage(block.output, read, time.perf_counter() - start)
                start = time.perf_counter()
        except Exception as error:  # our bug must not stop other documents
            log.debug("%s", block.output, exc_info=True)
            failure = _failure(error)
            for number in missing:
                yield VerifiedPage(block.output, PageRead(ParsedPage(number, status="failed", error=failure)), 0.0)

    def _pages(self, block: PageGroup) -> Iterator[PageRead]:
        files = PageFiles(self._options)
        drafted = (block.drafted.pop(number) for number in block.numbers)
        for page in verified(drafted, self._stages, files.keep_figure, block.done):
            yield PageRead(page, {**block.files.pop(page.number), **files.taken()})


def _failure(error: Exception) -> Failure:
    if isinstance(error, DocparseError):
        return Failure(error.code, str(error))
    return Failure("worker_crashed", f"the target failed ({type(error).__name__}: {error})")
