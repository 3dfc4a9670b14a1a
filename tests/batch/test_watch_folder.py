"""A folder that fills: what has arrived whole, what is converted when, and how it ends."""

from __future__ import annotations

import hashlib
import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pymupdf
import pytest

from docparse_fast.batch.settling import EMPTY_PATIENCE, Settling, is_being_written
from docparse_fast.cli import run

ROOT = Path(__file__).parents[2]
PATIENCE = 90.0  # seconds, on a busy machine
linux = pytest.mark.skipif(sys.platform != "linux", reason="asks the kernel who writes a file")


@pytest.fixture(autouse=True)
def here(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("in").mkdir()


class Clock:
    now = 0.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock():
    return Clock()


def settled(settling: Settling) -> list[str]:
    return sorted(path.name for path in settling.settled(sorted(Path("in").iterdir())))


# -------------------------------------------------------------------------------------------- what has arrived


def test_a_file_has_settled_when_it_has_not_changed_for_a_while(clock):
    settling = Settling(2.0, clock)
    Path("in/a.pdf").write_text("a")
    assert settled(settling) == []
    clock.now = 1.9
    assert settled(settling) == []
    clock.now = 2.0
    assert settled(settling) == ["a.pdf"]


def test_a_file_that_grows_is_waited_for(clock):
    settling = Settling(2.0, clock)
    for now in range(5):
        clock.now = float(now)
        Path("in/a.pdf").write_text("a" * (now + 1))
        assert settled(settling) == []
    clock.now = 6.0
    assert settled(settling) == ["a.pdf"]


@linux
def test_a_file_that_is_open_for_writing_is_waited_for_however_still_it_is(clock):
    settling = Settling(0.0, clock)
    with Path("in/a.pdf").open("w") as file:
        file.write("a")
        file.flush()
        assert is_being_written(Path("in/a.pdf"))
        assert settled(settling) == []
    assert settled(settling) == ["a.pdf"]


def test_a_file_that_is_open_for_reading_is_not_waited_for():
    Path("in/a.pdf").write_text("a")
    with Path("in/a.pdf").open():
        assert not is_being_written(Path("in/a.pdf"))


@pytest.mark.parametrize("name", ["a.pdf.part", "a.pdf.crdownload", "a.TMP"])
def test_an_unfinished_download_is_waited_for(clock, name):
    settling = Settling(0.0, clock)
    Path("in", name).write_bytes(b"%PDF-1.7")
    assert settled(settling) == []
    Path("in", name).rename("in/a.pdf")
    assert settled(settling) == ["a.pdf"]


def test_an_empty_file_gets_more_time_to_fill(clock):
    settling = Settling(1.0, clock)
    Path("in/a.pdf").touch()
    settled(settling)
    clock.now = EMPTY_PATIENCE - 1
    assert settled(settling) == []
    clock.now = EMPTY_PATIENCE
    assert settled(settling) == ["a.pdf"]


# ------------------------------------------------------------------------------------------------- the command


def pdf(path: str, words: str) -> None:
    with pymupdf.open() as file:
        file.new_page().insert_text((72, 72), words)
        file.save(path)


def start(*options: str) -> subprocess.Popen[str]:
    command = [sys.executable, "-m", "docparse_fast", "watch", "in", "-o", "out", "--target", "none"]
    command += ["--settle", "0.1", "--jobs", "1", *options]
    environment = os.environ | {"PYTHONPATH": str(ROOT)}
    return subprocess.Popen(command, stderr=subprocess.PIPE, text=True, env=environment)


def wait_for(path: str, words: str) -> None:
    deadline = time.monotonic() + PATIENCE
    while not Path(path).is_file() or words not in Path(path).read_text("utf-8"):
        assert time.monotonic() < deadline, f"{path} never said {words}"
        time.sleep(0.05)


def wait_until_recorded(path: str) -> None:
    """As it is now. What a run says of all its documents is written when its round ends, after their outputs."""
    digest = hashlib.sha256(Path(path).read_bytes()).hexdigest()
    deadline = time.monotonic() + PATIENCE
    while True:
        said = json.loads(Path("out/run.json").read_text("utf-8")) if Path("out/run.json").is_file() else {}
        done = {each["input"]: each["sha256"] for each in said.get("inputs", ()) if each["status"] == "ok"}
        if said.get("status") == "ok" and done.get(path) == digest:
            return
        assert time.monotonic() < deadline, f"{path} was never recorded"
        time.sleep(0.05)


def end(process: subprocess.Popen[str]) -> tuple[int, str]:
    process.send_signal(signal.SIGINT)
    _, said = process.communicate(timeout=PATIENCE)
    return process.returncode, said


@linux
def test_documents_are_converted_as_they_arrive_and_again_when_they_change():
    pdf("in/a.pdf", "The first.")
    process = start()
    wait_for("out/a/document.json", "The first.")
    Path("in/sub").mkdir()
    pdf("in/sub/b.pdf", "The second.")
    wait_for("out/sub/b/document.json", "The second.")
    pdf("in/a.pdf", "The third.")
    wait_for("out/a/document.json", "The third.")
    wait_until_recorded("in/a.pdf")
    code, said = end(process)
    assert code == 0, said
    assert said.splitlines()[0] == "docparse-fast: watching in; Ctrl-C ends"
    recorded = {each["input"]: each["status"] for each in json.loads(Path("out/run.json").read_text())["inputs"]}
    assert recorded == {"in/a.pdf": "ok", "in/sub/b.pdf": "ok"}

    written = Path("out/a/document.json").stat().st_mtime_ns
    pdf("in/c.pdf", "After a pause.")
    process = start()
    wait_for("out/c/document.json", "After a pause.")
    end(process)
    assert Path("out/a/document.json").stat().st_mtime_ns == written


@linux
def test_a_batch_leaves_what_watching_has_converted():
    pdf("in/a.pdf", "The first.")
    process = start()
    wait_for("out/a/document.json", "The first.")
    wait_until_recorded("in/a.pdf")
    end(process)
    written = Path("out/a/document.json").stat().st_mtime_ns
    assert run(["batch", "in", "-o", "out", "--target", "none", "--jobs", "1", "-q"]) == 0
    assert Path("out/a/document.json").stat().st_mtime_ns == written


@linux
def test_ctrl_c_while_nothing_is_there_is_a_good_end():
    process = start()
    assert process.stderr is not None
    assert "watching" in process.stderr.readline()
    assert end(process) == (0, "")


def test_a_folder_that_is_not_there_is_one_line(capsys):
    assert run(["watch", "nowhere", "-o", "out"]) == 2
    assert capsys.readouterr().err == "docparse-fast: error: usage: nowhere does not exist; check the path\n"


def test_out_may_not_hold_the_folder(capsys):
    assert run(["watch", "in", "-o", "."]) == 2
    assert "lies in OUT" in capsys.readouterr().err
