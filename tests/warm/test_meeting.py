"""Where warm calls and their keeper meet: only in a folder of the user's own, and only with the same code loaded."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from docparse_fast.warm import client, meeting

pytestmark = [
    pytest.mark.skipif(sys.platform != "linux", reason="sockets with their user's name are Linux's"),
    pytest.mark.usefixtures("patience"),
]


@pytest.fixture
def runtime(tmp_path, monkeypatch) -> Path:
    folder = tmp_path / "run"
    folder.mkdir(mode=0o700)
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(folder))
    return folder


@pytest.fixture
def package(tmp_path, monkeypatch) -> Path:
    """Stands for the package's folder, whose files a test may change."""
    folder = tmp_path / "package"
    (folder / "inner").mkdir(parents=True)
    (folder / "inner" / "code.py").write_text("one = 1\n")
    monkeypatch.setattr(meeting, "PACKAGE", str(folder))
    return folder


def test_the_socket_stands_in_a_folder_that_only_its_user_can_enter(runtime):
    path = Path(str(meeting.socket_path()))
    assert path.parent == runtime / "docparse-fast"
    assert path.parent.stat().st_mode & 0o777 == 0o700


def test_without_a_folder_of_the_session_the_temporary_one_holds_one_of_the_users(tmp_path, monkeypatch):
    monkeypatch.delenv("XDG_RUNTIME_DIR", raising=False)
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    path = Path(str(meeting.socket_path()))
    assert path.parent == tmp_path / f"docparse-fast-{os.getuid()}"
    assert path.parent.stat().st_mode & 0o777 == 0o700


@pytest.mark.parametrize("mode", [0o755, 0o770, 0o701])
def test_a_folder_that_others_can_enter_is_no_meeting_place(runtime, mode):
    (runtime / "docparse-fast").mkdir()
    (runtime / "docparse-fast").chmod(mode)
    assert meeting.socket_path() is None


def test_a_link_is_no_meeting_place(runtime, tmp_path):
    (tmp_path / "theirs").mkdir(mode=0o700)
    (runtime / "docparse-fast").symlink_to(tmp_path / "theirs")
    assert meeting.socket_path() is None


def test_another_users_folder_is_no_meeting_place(tmp_path, monkeypatch):
    monkeypatch.delenv("XDG_RUNTIME_DIR", raising=False)
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    other = os.getuid() + 1
    (tmp_path / f"docparse-fast-{other}").mkdir(mode=0o700)
    monkeypatch.setattr(os, "getuid", lambda: other)
    assert meeting.socket_path() is None


def test_changed_code_is_met_elsewhere(runtime, package):
    before = meeting.socket_path()
    assert meeting.socket_path() == before
    (package / "inner" / "code.py").write_text("one = 2\n")
    os.utime(package / "inner" / "code.py", ns=(1, 1))
    assert meeting.socket_path() != before


def test_a_new_file_is_met_elsewhere_and_what_python_compiled_is_not(runtime, package):
    before = meeting.socket_path()
    (package / "__pycache__").mkdir()
    (package / "__pycache__" / "code.cpython-311.pyc").write_bytes(b"")
    assert meeting.socket_path() == before
    (package / "more.py").write_text("")
    assert meeting.socket_path() != before


def test_other_surroundings_in_which_code_is_loaded_are_met_elsewhere(runtime, package, monkeypatch):
    before = meeting.socket_path()
    monkeypatch.setenv("SOMETHING_ELSE", "1")
    assert meeting.socket_path() == before
    monkeypatch.setenv("PYTHONPATH", "/elsewhere")
    assert meeting.socket_path() != before


def test_an_installed_package_is_met_elsewhere(runtime, package, tmp_path, monkeypatch):
    installed = tmp_path / "site-packages"
    installed.mkdir()
    monkeypatch.syspath_prepend(str(installed))
    before = meeting.socket_path()
    os.utime(installed, ns=(1, 1))
    assert meeting.socket_path() != before


@pytest.mark.parametrize(
    ("arguments", "variable", "asked"),
    [
        (["convert", "a.pdf", "--warm"], "", True),
        (["convert", "a.pdf"], "1", True),
        (["convert", "a.pdf"], "", False),
        (["convert", "a.pdf"], "0", False),
        (["convert", "--", "--warm"], "", False),
        (["batch", "in", "--warm"], "1", False),
        ([], "1", False),
    ],
)
def test_a_warm_call_is_asked_for_by_a_flag_or_a_variable(monkeypatch, arguments, variable, asked):
    monkeypatch.setattr(sys, "argv", ["docparse-fast", *arguments])
    monkeypatch.setenv("DOCPARSE_FAST_WARM", variable)
    assert client.is_asked_for() is asked


def test_a_warm_call_loads_next_to_nothing():
    code = "import sys; import docparse_fast.warm.client; print(*sorted(sys.modules))"
    loaded = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.split()
    usual = subprocess.run(
        [sys.executable, "-c", "import sys; print(*sorted(sys.modules))"], capture_output=True, text=True, check=True
    ).stdout.split()
    ours = {name for name in loaded if name.startswith("docparse_fast")}
    assert ours == {"docparse_fast", "docparse_fast.version", "docparse_fast.warm"} | {
        f"docparse_fast.warm.{name}" for name in ("client", "meeting")
    }
    assert set(loaded) - set(usual) - ours <= {"__future__", "_socket", "resource", "zlib", "_signal"}


def test_a_call_without_a_locale_meets_the_keeper_that_it_starts(tmp_path):
    """As from cron: Python gives its children a locale, and then they read UTF-8 for another reason."""
    tmp_path.chmod(0o700)
    one = "from docparse_fast.warm.meeting import socket_path; print(socket_path())"
    both = f"import subprocess, sys; {one}; sys.stdout.flush(); "
    both += f"subprocess.run([sys.executable, '-c', {one!r}])"
    bare = {"PATH": os.environ["PATH"], "TMPDIR": str(tmp_path), "PYTHONPATH": str(Path(__file__).parents[2])}
    said = subprocess.run([sys.executable, "-c", both], env=bare, capture_output=True, text=True, check=True)
    here, there = said.stdout.split()
    assert here == there != "None"
