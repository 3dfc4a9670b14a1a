"""The one target of a batch, on a thread of its own in the batch's process, fed with drafted pages by the workers.

Knows blocks of drafted pages and the target; knows no worker and writes no file. It answers through a connection, so
that the batch waits for it as it waits for its workers.
"""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from multiprocessing import Pipe
from queue import SimpleQueue
from typing import NoReturn

from docparse_fast.batch.in_work import Block
from docparse_fast.batch.messages import PageDrafted, PageRead
from docparse_fast.document import Failure, Page, PageSource, ParsedPage
from docparse_fast.errors import DocparseError
from docparse_fast.options import ParseOptions
from docparse_fast.outputs import PageFiles
from docparse_fast.pipeline import Drafted, parsed_page, verified
from docparse_fast.timing import Timer
from docparse_fast.verification.failures import Device
from docparse_fast.verification.job import Job
from docparse_fast.verification.target import DocumentTarget

log = logging.getLogger("docparse_fast")


@dataclass(frozen=True, slots=True)
class Taken:
    """The target has begun with a block: there is room for another."""

    output: str


@dataclass(frozen=True, slots=True)
class Verified:
    output: str  # whose page it is
    read: PageRead
    seconds: float


@dataclass(frozen=True, slots=True)
class Lost:
    """The target's device: whatever comes from now on is drafts."""

    failure: Failure


class Noted:
    """What workers noticed of a block's pages, and made of them, without the drafts and their images."""

    def __init__(self, drafted: Iterable[PageDrafted]) -> None:
        drafted = list(drafted)
        self.files = {page.number: page.files for page in drafted}
        self._warnings = {page.number: page.noted for page in drafted}
        self._cut_off = {page.number for page in drafted if page.cut_off}

    def warnings(self, number: int) -> tuple[str, ...]:
        return self._warnings[number]

    def is_cut_off(self, number: int) -> bool:
        return number in self._cut_off


class Verifier:
    def __init__(self, target: DocumentTarget, options: ParseOptions) -> None:
        self.connection, self._answers = Pipe(duplex=False)
        self.owed = 0  # pages it has yet to answer for
        self._target = target
        self._options = options
        self._device = Device()
        self._blocks: SimpleQueue[Block | None] = SimpleQueue()
        self._stopped = threading.Event()
        self._has_told = False  # that its device is lost
        self._thread = threading.Thread(target=self._work, name="target", daemon=True)
        self._thread.start()

    def give(self, block: Block) -> None:
        if not self.connection.closed:  # else nothing will come any more
            self.owed += len(block.numbers) - len(block.done)
            self._blocks.put(block)

    def stop(self) -> None:
        """It finishes the page in work, and owes no other."""
        self._stopped.set()
        self._blocks.put(None)

    def receive(self) -> Taken | Verified | Lost | None:
        """What has come; None where nothing will come any more."""
        try:
            said: Taken | Verified | Lost = self.connection.recv()
        except EOFError:
            self.connection.close()
            self.owed = 0
            return None
        self.owed -= isinstance(said, Verified)
        return said

    # --------------------------------------------------------------------------------------- on the thread

    def _work(self) -> None:
        try:
            while (block := self._blocks.get()) is not None and not self._stopped.is_set():
                self._answers.send(Taken(block.output))
                for answer in self._read(block):
                    self._answers.send(answer)
                    self._tell_once()
                    if self._stopped.is_set():
                        break
        except OSError:
            log.debug("nobody listens to the target any more", exc_info=True)
        finally:  # whatever ended it: the batch must not wait for more
            self._answers.close()

    def _tell_once(self) -> None:
        if self._device.lost is not None and not self._has_told:
            self._has_told = True
            self._answers.send(Lost(self._device.lost))

    def _read(self, block: Block) -> Iterator[Verified]:
        missing = [number for number in block.numbers if number not in block.done]
        start = time.perf_counter()
        try:
            for read in self._pages(block):
                missing.remove(read.page.number)
                yield Verified(block.output, read, time.perf_counter() - start)
                start = time.perf_counter()
        except Exception as error:  # a fault of ours: the other documents need not suffer
            log.debug("%s", block.output, exc_info=True)
            failure = _failure(error)
            for number in missing:
                yield Verified(block.output, PageRead(ParsedPage(number, status="failed", error=failure)), 0.0)

    def _pages(self, block: Block) -> Iterator[PageRead]:
        noted = Noted(block.drafted.values())
        stream = (_drafted(block.drafted.pop(number)) for number in block.numbers)
        for drafted, outcome in verified(stream, self._target, self._options.speculation, self._device, block.done):
            number = drafted.page.number
            if number in block.done:
                continue
            files = PageFiles(self._options)
            page = parsed_page(drafted, outcome, noted, files.keep_figure)
            yield PageRead(page, {**noted.files[number], **files.files})


def _drafted(sent: PageDrafted) -> Drafted:
    timer = Timer(seconds=dict(sent.seconds))
    page = Page(sent.number, sent.width, sent.height, sent.dpi, PageSource(_nowhere, _nowhere), sent.label)
    job = Job(sent.number, sent.image, sent.draft, timer) if sent.image is not None and sent.draft else None
    return Drafted(page, timer, sent.draft, job, sent.error)


def _nowhere() -> NoReturn:
    raise AssertionError("a page's file is open in its worker only")


def _failure(error: Exception) -> Failure:
    if isinstance(error, DocparseError):
        return Failure(error.code, str(error))
    return Failure("worker_crashed", f"the target failed ({type(error).__name__}: {error})")
