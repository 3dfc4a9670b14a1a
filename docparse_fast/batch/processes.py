"""Where a worker runs. A local one is a process of this machine; `on_ray` has those of a cluster. Knows no task."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
from contextlib import suppress
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Protocol

import docparse_fast

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


class LocalProcess:
    may_vanish = False

    def __init__(self, *, quiet: bool) -> None:
        ours, theirs = socket.socketpair()
        package_parent = str(Path(docparse_fast.__file__).parents[1])
        path = os.pathsep.join(filter(None, (package_parent, os.environ.get("PYTHONPATH"))))
        with theirs:
            self._process = subprocess.Popen(
                [sys.executable, "-m", "docparse_fast.batch.worker", str(theirs.fileno()), str(os.getpid())],
                pass_fds=[theirs.fileno()],
                process_group=0,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL if quiet else None,
                env=os.environ | {"PYTHONPATH": path},
            )
        self.connection = Connection(ours.detach())

    def kill(self) -> None:
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(self._process.pid, signal.SIGKILL)
        self._process.wait()
        self.connection.close()

    def ending(self) -> str:
        with suppress(subprocess.TimeoutExpired):
            self._process.wait(5.0)
        return _ending(self._process.returncode)

    def resident_bytes(self) -> int:
        if sys.platform == "linux":
            with suppress(OSError, ValueError):
                pages = int(Path(f"/proc/{self._process.pid}/statm").read_text().split()[1])
                return pages * os.sysconf("SC_PAGESIZE")
            return 0
        told = subprocess.run(["ps", "-o", "rss=", "-p", str(self._process.pid)], capture_output=True, text=True)
        return int(told.stdout.strip() or 0) * 1024


def _ending(returncode: int | None) -> str:
    """
    >>> _ending(-11), _ending(1)
    ('killed by SIGSEGV', 'exit code 1')
    """
    if returncode is None:
        return "it closed its connection"
    if returncode >= 0:
        return f"exit code {returncode}"
    try:
        return f"killed by {signal.Signals(-returncode).name}"
    except ValueError:
        return f"killed by signal {-returncode}"
