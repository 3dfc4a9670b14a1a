"""A worker process: opens documents and reads pages, so that native code crashes, hangs or grows only here.

Knows one open document and one task at a time; writes no file. It has its own process group, so that Ctrl-C reaches the
batch only, and it ends with the batch.
"""

from __future__ import annotations

import ctypes
import logging
import signal
import sys
from collections.abc import Callable
from dataclasses import replace
from multiprocessing.connection import Connection
from typing import TYPE_CHECKING

from docparse_fast.batch import faults
from docparse_fast.batch.messages import (
    Answer,
    Opened,
    OpenTask,
    PageDrafted,
    PageRead,
    PageSeen,
    PageTask,
    Ready,
    Refused,
    Setup,
    Task,
)
from docparse_fast.drafted import Wanted, draft_pages
from docparse_fast.drafting import open_drafter
from docparse_fast.errors import DocparseError, InputError
from docparse_fast.pages import OpenDocument
from docparse_fast.pipeline import Pipeline
from docparse_fast.run.conversion import open_input
from docparse_fast.run.outputs import PageFiles
from docparse_fast.system.child_process import end_with

if TYPE_CHECKING:
    from pathlib import Path

    from PIL import Image

PR_SET_PDEATHSIG = 1

log = logging.getLogger("docparse_fast")


def main(descriptor: int, parent: int) -> None:
    _die_with(parent)
    serve(Connection(descriptor))


def serve(connection: Connection) -> None:
    """Answers the batch until it ends."""
    reader: PageWorker | None = None
    try:
        setup: Setup = connection.recv()
        reader = _ready(setup, connection)
        while reader is not None:
            connection.send(reader.answer(connection.recv()))
    except (EOFError, BrokenPipeError, ConnectionResetError):  # the batch has ended
        if reader is not None:
            reader.close()


def _ready(setup: Setup, connection: Connection) -> PageWorker | None:
    try:
        reader = PageWorker(setup, connection.send)
    except DocparseError as error:
        connection.send(Refused(error))
        return None
    connection.send(Ready())
    return reader


class PageWorker:
    """Answers one task after another and keeps the last document open."""

    def __init__(self, setup: Setup, tell: Callable[[Answer], None]) -> None:
        options = setup.options
        self._tell = tell
        self._options = options
        self._wanted = setup.wanted
        self._drafter = open_drafter(options.drafting, setup.threads)
        self._document: OpenDocument | None = None
        self._path: Path | None = None
        self._has_read = False

    def answer(self, task: Task) -> Answer:
        try:
            return self._open(task) if isinstance(task, OpenTask) else self._read(task)
        except DocparseError as error:
            return Refused(error)

    def _open(self, task: OpenTask) -> Opened:
        faults.reach("opening", task.path.name)
        document = self._opened(task)
        return Opened(document.sha256, tuple(document.numbers), document.warnings(), document.bookmarks)

    def _read(self, task: PageTask) -> PageRead | PageDrafted:
        document = self._document if self._path == task.path and self._document else self._opened(task)
        if document.sha256 != task.sha256:
            raise InputError("corrupt", f"{task.name} changed while it was read", remedy="run the batch again")
        faults.reach("reading", f"{task.path.name}:{task.number}")
        if self._has_read:
            faults.reach("reading-on", f"{task.path.name}:{task.number}")
        self._has_read = True
        files = PageFiles(self._options)
        if self._wanted is not None:
            return self._drafted(document, task, replace(self._wanted, show=files.keep_page), files)
        options = self._options
        alone = Pipeline(self._drafter, min_confidence=options.min_confidence, min_structure=options.min_structure)
        (page,) = alone.pages(document, files.keep_figure, files.keep_page, [task.number])
        return PageRead(page, files.files)

    def _drafted(self, document: OpenDocument, task: PageTask, wanted: Wanted, files: PageFiles) -> PageDrafted:
        seen: list[Image.Image] = []

        def tell(number: int, image: Image.Image) -> None:
            seen.append(image)
            self._tell(PageSeen(image))

        wanted = replace(wanted, sight=tell if task.early else None)
        (drafted,) = draft_pages(document, [task.number], self._drafter, wanted)
        as_seen = drafted.picture is not None and any(drafted.picture is image for image in seen)
        return PageDrafted(replace(drafted, picture=None) if as_seen else drafted, files.files, as_seen)

    def close(self) -> None:
        if self._document is not None:
            self._document.close()
        self._document = self._path = None

    def _opened(self, task: Task) -> OpenDocument:
        self.close()
        self._document = open_input(task.path, task.name, self._options.raster)
        self._path = task.path
        return self._document


def _die_with(parent: int) -> None:
    """Ends this process with the batch: on Linux the kernel does it, elsewhere a thread checks."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if sys.platform == "linux":
        ctypes.CDLL(None, use_errno=True).prctl(PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)
    end_with(parent)


if __name__ == "__main__":
    main(int(sys.argv[1]), int(sys.argv[2]))
