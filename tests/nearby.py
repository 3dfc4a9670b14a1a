"""A batch's worker in a thread of this process, for tests of what a batch does with its answers."""

from __future__ import annotations

import threading
from multiprocessing import Pipe

from docparse_fast.batch.processes import LocalEngine
from docparse_fast.batch.worker import serve


class WorkerInAThread:
    """Answers as a worker's process does, without the half second that one takes to start."""

    may_vanish = False

    def __init__(self) -> None:
        self.connection, theirs = Pipe()
        threading.Thread(target=serve, args=(theirs,), daemon=True).start()

    def kill(self) -> None:
        self.connection.close()

    def ending(self) -> str:
        return "its thread has ended"

    def resident_bytes(self) -> int:
        return 0


class Nearby(LocalEngine):
    """One worker at a time, whatever `--jobs` says: MuPDF doesn't read in two threads."""

    places = 1

    def start(self, *, quiet: bool) -> WorkerInAThread:
        return WorkerInAThread()
