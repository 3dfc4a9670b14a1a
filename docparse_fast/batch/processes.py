"""Where a worker runs. A local one is a process of this machine; `on_ray` has those of a cluster. Knows no task."""

from __future__ import annotations

import os
import subprocess
import sys
from contextlib import suppress
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Protocol

from docparse_fast.system.child_process import ChildProcess

NO_END = sys.maxsize


class WorkerProcess(Protocol):
    """A started worker, which has the other end of `connection`."""

    connection: Connection
    may_vanish: bool  # may end through no fault of its task, as when its machine is switched off

    def kill(self) -> None:
        """Ends it, whatever it is doing."""

    def ending(self) -> str:
        """How it ended, in words."""

    def resident_bytes(self) -> int:
        """Memory that it holds now; 0 if unknown."""


class Engine(Protocol):
    """Starts workers."""

    @property
    def places(self) -> int:
        """The most workers that can run now."""

    def start(self, *, quiet: bool) -> WorkerProcess: ...

    def close(self) -> None: ...


class LocalEngine:
    places = NO_END

    def start(self, *, quiet: bool) -> WorkerProcess:
        return LocalProcess(quiet=quiet)

    def close(self) -> None:
        pass


class LocalProcess(ChildProcess):
    may_vanish = False

    def __init__(self, *, quiet: bool) -> None:
        super().__init__("docparse_fast.batch.worker", quiet=quiet)

    def resident_bytes(self) -> int:
        if sys.platform == "linux":
            with suppress(OSError, ValueError):
                pages = int(Path(f"/proc/{self.pid}/statm").read_text().split()[1])
                return pages * os.sysconf("SC_PAGESIZE")
            return 0
        told = subprocess.run(["ps", "-o", "rss=", "-p", str(self.pid)], capture_output=True, text=True)
        return int(told.stdout.strip() or 0) * 1024
