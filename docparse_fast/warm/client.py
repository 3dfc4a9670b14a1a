"""A warm call: hands its arguments, its surroundings and its streams to the keeper, and ends as the command does there.

Loaded by each warm call, before anything else: it imports only modules written in C and those that Python has anyway.
Where no keeper answers it starts one for the next calls, and the command runs without it.
"""

from __future__ import annotations

import _signal  # type: ignore[import-not-found]
import _socket
import marshal
import os
import resource
import sys

from docparse_fast.warm.meeting import PACKAGE, socket_path

COMMAND, FLAG, VARIABLE = "convert", "--warm", "DOCPARSE_FAST_WARM"
ON = frozenset({"1", "true", "t", "yes", "y", "on"})
STREAMS = (0, 1, 2)
SIZE_OF_FILE = 4  # bytes of its number
SIZE, PID, STATUS = 8, 8, 4  # bytes of what is sent before the rest
PASSED_ON = ("SIGINT", "SIGTERM", "SIGHUP", "SIGQUIT")
LIMITS = tuple(sorted(value for name, value in vars(resource).items() if name.startswith("RLIMIT_")))
FAILED = 1
LOST = "docparse-fast: error: worker_crashed: the warm process was ended; run it again, or without --warm"
START = "import sys; sys.path[:] = sys.argv[2:]; from docparse_fast.warm.keeper import keep; keep(sys.argv[1])"


def is_asked_for() -> bool:
    arguments = sys.argv[1:]
    named = FLAG in _options() or os.environ.get(VARIABLE, "").lower() in ON
    return named and arguments[:1] == [COMMAND] and sys.platform == "linux"


def _options() -> list[str]:
    """What stands before the arguments that are no options, whatever they look like."""
    return sys.argv[: sys.argv.index("--")] if "--" in sys.argv else sys.argv


def exit_code_of_keeper() -> int | None:
    """What the command returned there; None if it has to run here."""
    path = socket_path()
    if path is None:
        return None
    keeper = _socket.socket(_socket.AF_UNIX, _socket.SOCK_STREAM | _socket.SOCK_CLOEXEC)
    try:
        keeper.connect(path)
    except OSError:
        _start(path)
        return None
    try:
        pid = _hand_over(keeper) if peer_of(keeper) == os.getuid() else 0
    except OSError:
        return None
    return _end(keeper, pid) if pid else None


def peer_of(connection: _socket.socket) -> int:
    """The user at the other end."""
    found = connection.getsockopt(_socket.SOL_SOCKET, _socket.SO_PEERCRED, 12)
    return int.from_bytes(found[4:8], sys.byteorder)


def _hand_over(keeper: _socket.socket) -> int:
    """The number of the process that runs the command; 0 if there is none."""
    options = _options()
    arguments = [each for each in options if each != FLAG] + sys.argv[len(options) :]
    surroundings = {name: value for name, value in os.environb.items() if name != VARIABLE.encode()}
    limits = [(each, *resource.getrlimit(each)) for each in LIMITS]
    mask = os.umask(0)
    os.umask(mask)
    said = marshal.dumps((arguments, surroundings, mask, limits, os.nice(0)))
    here = os.open(".", os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        files = b"".join(each.to_bytes(SIZE_OF_FILE, sys.byteorder) for each in (*STREAMS, here))
        keeper.sendmsg([len(said).to_bytes(SIZE, "big")], [(_socket.SOL_SOCKET, _socket.SCM_RIGHTS, files)])
        keeper.sendall(said)
    finally:
        os.close(here)
    return int.from_bytes(received(keeper, PID), "big")


def received(connection: _socket.socket, size: int) -> bytes:
    """So many bytes; fewer if the other end has closed."""
    found = b""
    while len(found) < size and (more := connection.recv(size - len(found))):
        found += more
    return found


def _end(keeper: _socket.socket, pid: int) -> int:
    """Waits for the command's end, passes signals on to it, and returns its exit code."""

    def pass_on(number: int, frame: object) -> None:
        try:
            os.kill(pid, number)
        except OSError:
            pass

    for name in PASSED_ON:
        _signal.signal(getattr(_signal, name), pass_on)
    said = received(keeper, STATUS)
    if len(said) < STATUS:
        os.write(2, LOST.encode() + b"\n")
        return FAILED
    status = int.from_bytes(said, "big", signed=True)
    if status < 0:  # it was ended by a signal, and so is this
        _signal.signal(-status, _signal.SIG_DFL)
        os.kill(os.getpid(), -status)
    return status


def _start(path: str) -> None:
    """A keeper for the next calls; it goes on alone, and ends by itself."""
    nothing = [(os.POSIX_SPAWN_OPEN, each, os.devnull, os.O_RDWR, 0) for each in STREAMS]
    modules = [each for each in map(os.path.abspath, filter(None, sys.path)) if each != os.getcwd()]
    flags = ["-I"] if sys.flags.isolated else []
    arguments = [sys.executable, *flags, "-c", START, path, os.path.dirname(PACKAGE), *modules]
    environment = {name: value for name, value in os.environ.items() if not name.startswith("DOCPARSE_FAST_")}
    try:
        os.posix_spawn(sys.executable, arguments, environment, file_actions=nothing, setsid=True)
    except (OSError, NotImplementedError):
        return
