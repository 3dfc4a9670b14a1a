"""A Python process of our own with a connection to it: killed from here, it ends with us. Knows no message."""

from __future__ import annotations

import os
import signal
import socket
import struct
import subprocess
import sys
import threading
import time
from contextlib import suppress
from multiprocessing.connection import Connection
from pathlib import Path

LOOK = 1.0  # seconds between two checks that the parent still runs


class ChildProcess:
    """Runs `python -m MODULE DESCRIPTOR PARENT` in a process group of its own, so that Ctrl-C reaches us only."""

    def __init__(self, module: str, *, quiet: bool) -> None:
        ours, theirs = socket.socketpair()
        package_parent = str(Path(__file__).parents[1])
        path = os.pathsep.join(filter(None, (package_parent, os.environ.get("PYTHONPATH"))))
        with theirs:
            self._process = subprocess.Popen(
                [sys.executable, "-m", module, str(theirs.fileno()), str(os.getpid())],
                pass_fds=[theirs.fileno()],
                process_group=0,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL if quiet else None,
                env=os.environ | {"PYTHONPATH": path},
            )
        self.connection = Connection(ours.detach())

    @property
    def pid(self) -> int:
        return self._process.pid

    def be_patient_for(self, seconds: float) -> None:
        """From now on the connection raises BlockingIOError where it has waited so long."""
        limit = struct.pack("@ll", int(seconds), int(seconds % 1 * 1e6))
        with socket.socket(fileno=os.dup(self.connection.fileno())) as same:
            same.setsockopt(socket.SOL_SOCKET, socket.SO_RCVTIMEO, limit)
            same.setsockopt(socket.SOL_SOCKET, socket.SO_SNDTIMEO, limit)

    def kill(self) -> None:
        """Ends it, whatever it is doing."""
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(self._process.pid, signal.SIGKILL)
        self._process.wait()
        self.connection.close()

    def ending(self) -> str:
        """How it ended, in words."""
        with suppress(subprocess.TimeoutExpired):
            self._process.wait(5.0)
        return _ending(self._process.returncode)


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


def end_with(parent: int) -> None:
    """In the child: ends this process when that one has ended, whatever this one is doing."""

    def look() -> None:
        while os.getppid() == parent:
            time.sleep(LOOK)
        os._exit(1)

    if os.getppid() != parent:  # it died before this check
        os._exit(1)
    threading.Thread(target=look, name="parent", daemon=True).start()
