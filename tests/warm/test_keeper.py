"""Calls that a loaded process answers: they do what they do alone, and neither end of one hurts the other."""

from __future__ import annotations

import fcntl
import os
import shutil
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from importlib.util import find_spec
from pathlib import Path

import pytest
from waiting import PATIENCE, wait_until

from docparse_fast.warm.client import peer_of
from docparse_fast.warm.keeper import LOADED, keep

pytestmark = [
    pytest.mark.skipif(sys.platform != "linux", reason="forks that keep threads out are tried on Linux"),
    pytest.mark.usefixtures("patience"),
]

ROOT = Path(__file__).parents[2]
SAMPLES = ROOT / "samples"


@pytest.fixture(scope="module")
def code(tmp_path_factory) -> Path:
    """Holds a copy of the package: an edit of the package during the tests would change the socket's name."""
    folder = tmp_path_factory.mktemp("code")
    package = ROOT / "docparse_fast"
    shutil.copytree(package, folder / package.name, ignore=lambda at, _: {"data"} if at == str(package) else set())
    (folder / package.name / "data").symlink_to(package / "data")
    return folder


@pytest.fixture(scope="module")
def surroundings(code, tmp_path_factory) -> dict[str, str]:
    runtime = tmp_path_factory.mktemp("run")
    runtime.chmod(0o700)
    return {**os.environ, "PYTHONPATH": str(code), "XDG_RUNTIME_DIR": str(runtime), "OMP_NUM_THREADS": "1"}


def ended(process: subprocess.Popen[bytes]) -> bool:
    return process.poll() is not None


def socket_in(surroundings) -> Path | None:
    return next(Path(surroundings["XDG_RUNTIME_DIR"]).glob("docparse-fast/*.sock"), None)


def keeper_at(path: Path) -> int:
    """Its process."""
    with socket.socket(socket.AF_UNIX) as connection:
        connection.connect(str(path))
        return int.from_bytes(connection.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, 12)[:4], sys.byteorder)


def forks_of(pid: int) -> list[int]:
    return [int(each) for each in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]


def command(*arguments: str) -> list[str]:
    return [sys.executable, "-m", "docparse_fast", "convert", *arguments, "--target", "none"]


def warm(*arguments: str, env: dict[str, str], cwd: Path | None = None, **more) -> subprocess.CompletedProcess[str]:
    cwd = cwd or Path(env["PYTHONPATH"])  # Python looks for modules in its folder first
    arguments = command(*arguments, "--warm")
    return subprocess.run(arguments, capture_output=True, text=True, timeout=PATIENCE, env=env, cwd=cwd, **more)


@pytest.fixture(scope="module")
def alone(surroundings) -> str:
    """What a call prints that finds no keeper, does its work by itself and starts one: as a user starts it."""
    return warm(str(SAMPLES / "form.pdf"), "-o", "-", env=surroundings, check=True).stdout


@pytest.fixture(scope="module")
def keeper(alone, surroundings) -> Iterator[int]:
    """In the place of the one that the call started: a test on a stalled machine may come after that one's minute."""
    wait_until(lambda: answering(socket_in(surroundings)))  # it stands there a moment before anybody listens
    path = socket_in(surroundings)
    os.kill(keeper_at(path), signal.SIGKILL)
    wait_until(lambda: answering(path) is None)
    patient = f"import sys; from docparse_fast.warm.keeper import keep; keep(sys.argv[1], {10 * PATIENCE})"
    with started([sys.executable, "-c", patient, path], surroundings) as own:
        wait_until(lambda: ended(own) or own.pid == answering(path))
        assert not ended(own)
        yield own.pid


@contextmanager
def started(arguments: list[str], surroundings, **streams) -> Iterator[subprocess.Popen[bytes]]:
    """A process that ends with its test: one that waits for what never comes would keep the test for ever."""
    with subprocess.Popen(arguments, env=surroundings, cwd=surroundings["PYTHONPATH"], **streams) as process:
        try:
            yield process
        finally:
            process.kill()


def answering(path: Path | None) -> int | None:
    try:
        return keeper_at(path) if path else None
    except OSError:
        return None


@pytest.fixture
def forked(keeper):
    """Whether the last call was answered by the keeper: processes it has had, as the system counts them."""

    def count() -> int:
        return int(
            Path(f"/proc/{keeper}/stat").read_text().rsplit(")", 1)[1].split()[8]
        )  # page faults of its children that have ended

    return count


def test_a_warm_call_reads_writes_and_prints_as_it_does_alone(keeper, alone, surroundings, tmp_path, forked):
    before = forked()
    folder = tmp_path / "a folder"
    folder.mkdir()
    (folder / "form.pdf").write_bytes((SAMPLES / "form.pdf").read_bytes())
    call = warm("form.pdf", "-o", "out", cwd=folder, env=surroundings)
    assert (call.returncode, call.stdout) == (0, "")
    assert call.stderr.startswith("form.pdf: ok, 1 page in ")
    wait_until(lambda: forked() > before)  # the keeper counts a process that has ended when it hears of it
    assert (folder / "out/form/document.md").stat().st_uid == os.getuid()

    assert (folder / "out/form/document.md").read_text() == alone
    assert warm("form.pdf", "-o", "-", cwd=folder, env=surroundings).stdout == alone


def test_a_warm_call_fails_as_it_does_alone(keeper, surroundings):
    call = warm("nothing.pdf", "-o", "-", env=surroundings)
    assert call.returncode == 1
    assert call.stderr == "docparse-fast: error: not_found: nothing.pdf does not exist; check the path\n"


def test_a_warm_call_has_its_own_environment_and_mask(keeper, surroundings, tmp_path):
    env = {**surroundings, "DOCPARSE_FAST_FORMAT": "md"}
    call = warm(str(SAMPLES / "form.pdf"), "-o", str(tmp_path / "out"), env=env, umask=0o077)
    assert call.returncode == 0
    assert sorted(path.name for path in (tmp_path / "out/form").glob("*.*")) == [
        ".docparse-fast.sha256",
        "document.md",
        "page-0001.md",
    ]
    assert (tmp_path / "out/form/document.md").stat().st_mode & 0o777 == 0o600


@contextmanager
def waiting_call(keeper: int, surroundings) -> Iterator[tuple[subprocess.Popen[bytes], int]]:
    """A call that reads its list of files from an open pipe, and its fork."""
    arguments = command("--files-from", "-", "-o", "-", "--warm")
    streams = {"stdin": subprocess.PIPE, "stderr": subprocess.DEVNULL}
    with started(arguments, surroundings, **streams) as call:
        wait_until(lambda: ended(call) or forks_of(keeper))
        yield call, forks_of(keeper)[0]


def listens(pid: int) -> bool:
    caught = next(line for line in Path(f"/proc/{pid}/status").read_text().splitlines() if line.startswith("SigCgt"))
    return bool(int(caught.split()[1], 16) >> (signal.SIGTERM - 1) & 1)


def sleeps(pid: int) -> bool:
    """As it does in the read that a signal ends; one that comes just before it is heard only after it."""
    return Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0] == "S"


def test_signals_reach_the_command(keeper, surroundings):
    with waiting_call(keeper, surroundings) as (call, fork):
        wait_until(lambda: listens(call.pid) and listens(fork) and sleeps(fork))
        call.send_signal(signal.SIGTERM)
        assert call.wait(PATIENCE) == 130
    wait_until(lambda: not forks_of(keeper))


def test_a_command_ends_with_the_caller_that_was_killed(keeper, surroundings):
    with waiting_call(keeper, surroundings) as (call, fork):
        call.kill()
        wait_until(lambda: fork not in forks_of(keeper))


def test_a_command_that_crashes_ends_its_call_alone(keeper, surroundings):
    with waiting_call(keeper, surroundings) as (call, fork):
        wait_until(lambda: listens(call.pid))
        os.kill(fork, signal.SIGSEGV)
        assert call.wait(PATIENCE) == -signal.SIGSEGV
    assert warm("nothing.pdf", "-o", "-", env=surroundings).returncode == 1
    assert keeper_at(socket_in(surroundings)) == keeper


def test_who_says_something_else_is_left_alone(keeper, surroundings):
    with socket.socket(socket.AF_UNIX) as connection:
        connection.connect(str(socket_in(surroundings)))
        connection.sendall(b"GET / HTTP/1.1\r\n\r\n")
        with suppress(ConnectionResetError):
            assert connection.recv(1) == b""
    assert warm("nothing.pdf", "-o", "-", env=surroundings).returncode == 1
    assert keeper_at(socket_in(surroundings)) == keeper


def test_where_the_keeper_was_killed_the_next_call_runs_alone(keeper, surroundings):
    """The last test of this file: it leaves a dead socket, and another keeper that is not needed."""

    path = socket_in(surroundings)
    os.kill(keeper, signal.SIGKILL)
    wait_until(lambda: answering(path) is None)  # on a busy machine its files are closed long after its memory is gone
    call = warm("nothing.pdf", "-o", "-", env=surroundings)
    assert call.stderr.startswith("docparse-fast: error: not_found")
    wait_until(lambda: answering(path))
    assert keeper_at(path) != keeper
    os.kill(keeper_at(path), signal.SIGKILL)


# ------------------------------------------------------------------------------------------ without loading anything


def test_a_keeper_leaves_where_another_waits(tmp_path):
    path = tmp_path / "a.sock"
    with Path(f"{path}.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        keep(str(path))
    assert not path.exists()


def test_a_keeper_ends_when_nobody_calls(tmp_path):
    code = (
        "import socket, sys; from docparse_fast.warm.keeper import Keeper\n"
        "with socket.socket(socket.AF_UNIX) as listener:\n"
        "    listener.bind(sys.argv[1]); listener.listen(); Keeper(listener, idle=0.05).serve()\n"
    )
    subprocess.run([sys.executable, "-c", code, str(tmp_path / "a.sock")], check=True, timeout=PATIENCE)


def test_the_user_at_the_other_end_is_known():
    one, other = socket.socketpair(socket.AF_UNIX)
    with one, other:
        assert peer_of(one) == os.getuid()


def test_what_is_loaded_ahead_is_there():
    """A module that was moved left every call without a keeper, and nobody was told."""
    assert [name for name in LOADED if find_spec(f"docparse_fast.{name}") is None] == []
