"""The process that stays loaded: it answers each call in a fork of itself, and ends a minute after the last one.

A fork runs the command line as the call gave it, in the call's folder, on its streams, with its environment, limits
and signals; nothing that it does stays in the keeper. The keeper reads no document but one of its own.
"""

from __future__ import annotations

import atexit
import ctypes
import fcntl
import gc
import io
import marshal
import os
import resource
import selectors
import signal
import socket
import sys
import tempfile
import time
import traceback
from contextlib import suppress
from dataclasses import dataclass, field
from importlib import import_module
from pathlib import Path
from typing import Any, NoReturn

from docparse_fast.warm.client import COMMAND, PID, SIZE, SIZE_OF_FILE, STATUS, STREAMS, peer_of, received
from docparse_fast.warm.meeting import socket_path

IDLE = 60.0  # seconds
PATIENCE = 5.0  # seconds, in which a call must have said what it wants; and which a command has to end
MOST_SAID = 64 << 20  # bytes of arguments and environment
WAITING = 64  # calls
PR_SET_PDEATHSIG = 1
ONE_THREAD = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS")  # a fork has none of the others
LOADED = (
    "cli.convert",
    "cli.running",
    "cli.watching",
    "run.conversion",
    "api",
    "run.outputs",
    "progress",
    "rendering.chunks",
)


@dataclass(slots=True)
class Call:
    """A call that is answered: the process that runs it, and when it was told to end, if its caller has gone."""

    connection: socket.socket
    pid: int
    told: float | None = None


@dataclass(slots=True)
class Keeper:
    listener: socket.socket
    idle: float = IDLE
    calls: dict[int, Call] = field(default_factory=dict)  # by process

    def serve(self) -> None:
        """Until no call has come for a while, or SIGTERM comes."""
        with selectors.DefaultSelector() as selector:
            selector.register(self.listener, selectors.EVENT_READ)
            woken = self._listen_to_signals()
            selector.register(woken, selectors.EVENT_READ)
            last = time.monotonic()
            while self.calls or time.monotonic() - last < self.idle:
                for key, _ in selector.select(1.0 if self.calls else self.idle):
                    if key.fileobj is self.listener:
                        self._answer(selector)
                    elif key.fileobj == woken:
                        os.read(woken, 4096)
                    elif key.data is not None:
                        self._leave(key.data, selector)
                if self._settle(selector) or self.calls:
                    last = time.monotonic()

    def _listen_to_signals(self) -> int:
        """A file that can be read when a process of ours has ended."""
        reading, writing = os.pipe2(os.O_NONBLOCK | os.O_CLOEXEC)
        signal.signal(signal.SIGCHLD, lambda number, frame: None)
        signal.set_wakeup_fd(writing, warn_on_full_buffer=False)
        return reading

    def _answer(self, selector: selectors.BaseSelector) -> None:
        with suppress(OSError):
            connection, _ = self.listener.accept()
            if peer_of(connection) != os.getuid():
                connection.close()
                return
            connection.settimeout(PATIENCE)
            try:
                files, said = _asked(connection)
            except (OSError, ValueError, EOFError, TypeError):
                connection.close()
                return
            pid = os.fork()
            if pid == 0:
                _run(files, said, self.listener, connection)
            for each in files:
                os.close(each)
            self.calls[pid] = Call(connection, pid)
            selector.register(connection, selectors.EVENT_READ, self.calls[pid])
            connection.sendall(pid.to_bytes(PID, "big"))

    def _leave(self, call: Call, selector: selectors.BaseSelector) -> None:
        """A caller that says something, or has gone: its command is told to end as by SIGTERM."""
        selector.unregister(call.connection)
        call.told = time.monotonic()
        with suppress(OSError):
            os.kill(call.pid, signal.SIGTERM)

    def _settle(self, selector: selectors.BaseSelector) -> bool:
        """Tells callers how their commands ended; whether one did."""
        for call in self.calls.values():
            if call.told is not None and time.monotonic() - call.told > PATIENCE:
                with suppress(OSError):
                    os.kill(call.pid, signal.SIGKILL)
        ended = False
        while self.calls:
            pid, status = os.waitpid(-1, os.WNOHANG)
            if pid == 0:
                break
            ended = True
            call = self.calls.pop(pid)
            code = os.waitstatus_to_exitcode(status)
            with suppress(OSError):
                call.connection.sendall(code.to_bytes(STATUS, "big", signed=True))
            if call.told is None:
                selector.unregister(call.connection)
            call.connection.close()
        return ended


def keep(path: str, idle: float = IDLE) -> None:
    """Waits at `path` for calls; ends at once if another keeper waits there, or the code has changed."""
    lock = os.open(f"{path}.lock", os.O_CREAT | os.O_RDWR | os.O_CLOEXEC | os.O_NOFOLLOW, 0o600)
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return
    os.chdir("/")
    surroundings = dict(os.environ)
    os.environ.update(dict.fromkeys(ONE_THREAD, "1"))
    load()
    os.environ.clear()
    os.environ.update(surroundings)  # what was loaded has changed them
    if socket_path() != path or not _is_alone():  # changed meanwhile, or not to be forked
        return
    Path(path).unlink(missing_ok=True)
    os.umask(0o077)
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as listener:
        listener.bind(path)
        listener.listen(WAITING)
        try:
            Keeper(listener, idle).serve()
        finally:
            for each in (path, f"{path}.lock"):
                Path(each).unlink(missing_ok=True)


def _is_alone() -> bool:
    """Whether no other thread is left: one that was joined may take a while on a busy machine until it has gone."""
    end = time.monotonic() + PATIENCE
    while len(list(Path("/proc/self/task").iterdir())) > 1:
        if time.monotonic() > end:
            return False
        time.sleep(0.01)
    return True


def load() -> None:
    """Everything that a page with a text layer needs, tried on one; its models are opened, to be run in forks."""
    for name in LOADED:
        import_module(f"docparse_fast.{name}")
    import cv2

    from docparse_fast import DraftOptions, ParseOptions, parse
    from docparse_fast.cli.commands import loaded
    from docparse_fast.drafting.learned import LearnedReaders, kept_readers
    from docparse_fast.options import TargetOptions

    loaded(COMMAND)
    cv2.setNumThreads(1)  # a fork has none of its threads, and would wait for them
    kept_readers().append(LearnedReaders(threads=1))
    options = ParseOptions(
        drafting=DraftOptions(layout="always", provider="cpu"),
        target=TargetOptions(name="none"),
        formats=("md", "json", "chunks"),
    )
    with tempfile.TemporaryDirectory(prefix="docparse-fast-") as folder:
        parse(_page_to_try(), options, name="page.pdf").save(Path(folder) / "out")
    gc.collect()
    gc.freeze()  # so that no fork copies what it never changes


def _page_to_try() -> bytes:
    """A page with a table."""
    from docparse_fast.system.mupdf import pymupdf

    with pymupdf.open() as document:
        page = document.new_page()
        page.insert_text((72, 72), "A page with a table", fontsize=18)
        for row in range(6):
            for column in range(4):
                page.insert_text((72 + 110 * column, 120 + 18 * row), f"{row}{column}.{row + column}")
        return bytes(document.tobytes())


def _asked(connection: socket.socket) -> tuple[list[int], Any]:
    """The caller's streams and folder, and what it says."""
    count = len(STREAMS) + 1
    head, passed, _, _ = connection.recvmsg(SIZE, socket.CMSG_SPACE(count * SIZE_OF_FILE), socket.MSG_CMSG_CLOEXEC)
    files: list[int] = []
    for level, kind, data in passed:
        if level == socket.SOL_SOCKET and kind == socket.SCM_RIGHTS:
            ends = range(SIZE_OF_FILE, len(data) + 1, SIZE_OF_FILE)
            files += [int.from_bytes(data[end - SIZE_OF_FILE : end], sys.byteorder) for end in ends]
    try:
        head += received(connection, SIZE - len(head))
        size = int.from_bytes(head, "big")
        if len(files) != count or size > MOST_SAID:
            raise ValueError("no call")
        return files, marshal.loads(received(connection, size))
    except BaseException:
        for each in files:
            os.close(each)
        raise


def _run(files: list[int], said: Any, *inherited: socket.socket) -> NoReturn:
    """In the fork: becomes the process that was called, and ends with its exit code."""
    code = 1
    try:
        signal.set_wakeup_fd(-1)
        signal.signal(signal.SIGCHLD, signal.SIG_DFL)
        for each in inherited:
            each.close()
        ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGTERM, 0, 0, 0)
        _take_over(files, said)
        code = _exit_code()
    except BaseException:
        traceback.print_exc()
    finally:
        with suppress(BaseException):
            atexit._run_exitfuncs()
        for stream in (sys.stdout, sys.stderr):
            with suppress(Exception):
                stream.flush()
        os._exit(code)


def _take_over(files: list[int], said: Any) -> None:
    arguments, environment, mask, limits, niceness = said
    *streams, here = files
    for to, each in enumerate(streams):
        os.dup2(each, to)
        os.close(each)
    os.fchdir(here)
    os.close(here)
    os.umask(mask)
    for which, *limit in limits:
        with suppress(OSError, ValueError):
            resource.setrlimit(which, tuple(limit))
    os.nice(max(0, niceness - os.nice(0)))
    os.environb.clear()
    os.environb.update(environment)
    time.tzset()
    sys.argv[:] = arguments
    sys.stdin, sys.stdout, sys.stderr = (_stream(to, getattr(sys, name)) for to, name in enumerate(_NAMES))


_NAMES = ("stdin", "stdout", "stderr")


def _stream(number: int, like: io.TextIOWrapper) -> io.TextIOWrapper:
    """As Python opens it when it starts."""
    raw = os.fdopen(number, "rb" if number == 0 else "wb", closefd=False)
    lines = number == len(STREAMS) - 1 or raw.isatty()
    return io.TextIOWrapper(
        raw, encoding=like.encoding, errors=like.errors, line_buffering=lines, write_through=like.write_through
    )


def _exit_code() -> int:
    from docparse_fast.cli import main

    try:
        main()
    except SystemExit as end:
        if end.code is None or isinstance(end.code, int):
            return int(end.code or 0)
        print(end.code, file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        return 130
    return 0
