"""`batch` where things go wrong: workers that die, disks that are full, files that vanish, users who press Ctrl-C."""

from __future__ import annotations

import os
import random
import resource
import shutil
import signal
import subprocess
import sys
from contextlib import suppress
from pathlib import Path

import pytest
from batch_trees import ROOT, batch, change_times, how_each_ended, pdf, process, the_run
from PIL import Image
from waiting import PATIENCE, wait_until

from docparse_fast.batch.batch import Request, run_batch
from docparse_fast.batch.limits import Limits
from docparse_fast.options import ParseOptions, TargetOptions
from docparse_fast.progress import PlainLines
from docparse_fast.run.events import DocumentBegun, PageDone
from docparse_fast.run.run_record import exit_code

FAULT = "DOCPARSE_FAST_FAULT"

# Against a planted number of bytes in the worker, not the machine's: a worker that reads text holds about 90 MB.
MEMORY = "400M"


@pytest.fixture(autouse=True)
def here(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def three():
    """Three documents; the faults happen in the second."""
    pdf("in/a.pdf", "before")
    pdf("in/b.pdf", "one", "two", "three")
    pdf("in/c.pdf", "after")


def all_but_page_2_of_b(code: str) -> None:
    assert how_each_ended() == {"a.pdf": ("ok", None), "b.pdf": ("partial", None), "c.pdf": ("ok", None)}
    texts = [Path(f"out/b/page-000{n}.md").read_text() for n in (1, 2, 3)]
    assert texts == ["one\n", f"<!-- failed: {code} -->\n", "three\n"]
    assert Path("out/c/page-0001.md").read_text() == "after\n"


# ------------------------------------------------------------------------------------------ workers


@pytest.mark.parametrize(
    ("jobs", "action", "limit", "code", "told"),
    [
        (1, "segfault", (), "worker_crashed", "the process that read it died (killed by SIGSEGV)"),
        (2, "kill", (), "worker_crashed", "the process that read it died (killed by SIGKILL)"),
        (2, "hang", ("--page-timeout", "4"), "timeout", "it took longer than 4 s; see --page-timeout"),
        (1, "eat", ("--max-memory", MEMORY), "out_of_memory", "it took more than 400.0 MB"),
    ],
)
def test_a_page_that_crashes_a_worker_fails_alone(three, jobs, action, limit, code, told, monkeypatch, capsys):
    monkeypatch.setenv(FAULT, f"{action}@reading:b.pdf:2")
    assert batch(*limit, jobs=jobs) == 3
    all_but_page_2_of_b(code)
    assert capsys.readouterr().err == f"docparse-fast: error: {code}: in/b.pdf, page 2: {told}\n"


def test_a_page_that_hangs_ends_without_a_limit_of_the_users(three, monkeypatch):
    monkeypatch.setattr("docparse_fast.cli.batch.LONGEST_PAGE", 4.0)
    monkeypatch.setenv(FAULT, "hang@reading:b.pdf:2")
    assert batch() == 3
    all_but_page_2_of_b("timeout")


@pytest.mark.parametrize(("action", "code"), [("segfault", "worker_crashed"), ("hang", "timeout")])
def test_a_document_that_cannot_be_opened_fails_alone(three, action, code, monkeypatch, capsys):
    monkeypatch.setenv(FAULT, f"{action}@opening:b.pdf")
    assert batch("--page-timeout", "4") == 3
    assert how_each_ended() == {"a.pdf": ("ok", None), "b.pdf": ("failed", code), "c.pdf": ("ok", None)}
    assert capsys.readouterr().err.startswith(f"docparse-fast: error: {code}: in/b.pdf: ")


def test_a_document_that_takes_too_long_keeps_its_finished_pages(three, monkeypatch):
    monkeypatch.setenv(FAULT, "hang@reading:b.pdf:2")
    assert batch("--doc-timeout", "4") == 3
    assert how_each_ended()["b.pdf"] == ("partial", None)
    texts = [Path(f"out/b/page-000{n}.md").read_text() for n in (1, 2, 3)]
    assert texts == ["one\n", "<!-- failed: timeout -->\n", "<!-- failed: timeout -->\n"]
    assert how_each_ended()["c.pdf"] == ("ok", None)


def test_a_real_page_that_needs_too_much_is_stopped_by_the_limit(capsys):
    """This uses no planted fault but a picture that needs more memory than allowed."""
    Path("in").mkdir()
    Image.new("RGB", (300, 200)).save("in/small.png")
    Image.new("RGB", (9000, 9000)).save("in/large.png", compress_level=1)
    assert batch("--max-memory", "240M", "--ocr", "never", "--format", "md,html") == 3
    assert how_each_ended() == {"large.png": ("failed", "out_of_memory"), "small.png": ("ok", None)}


def test_a_page_is_retried_in_a_fresh_worker(monkeypatch, three):
    """A worker that has read other pages dies at this page; a fresh worker does not."""
    monkeypatch.setenv(FAULT, "segfault@reading-on:b.pdf:2")
    assert batch() == 0


def test_workers_that_cannot_start_give_one_error_line(three, monkeypatch, capsys):
    monkeypatch.setattr(sys, "executable", "/bin/false")
    assert batch() == 1
    assert capsys.readouterr().err.startswith("docparse-fast: error: unsupported: worker processes can't be started")


@pytest.mark.skipif(sys.platform == "win32", reason="a shell script stands for Python")
@pytest.mark.parametrize("deaths", [1, 2])
def test_a_worker_that_dies_while_it_starts_is_replaced(three, monkeypatch, deaths):
    """A machine may be out of memory for a moment; no page is the cause."""
    tries = " || ".join(f"mkdir died-{number} 2>/dev/null" for number in range(deaths))
    Path("python").write_text(f'#!/bin/sh\nif {tries}; then kill -9 $$; fi\nexec "{sys.executable}" "$@"\n')
    Path("python").chmod(0o755)
    monkeypatch.setattr(sys, "executable", str(Path("python").resolve()))
    assert batch() == 0
    assert len(list(Path().glob("died-*"))) == deaths


def test_a_missing_model_gives_one_error_line(three, capsys):
    assert batch("--drafter", "ppstructure") == 1
    (line,) = capsys.readouterr().err.splitlines()
    assert line.startswith("docparse-fast: error: model_missing: ")


@pytest.mark.skipif(sys.platform != "linux", reason="looks in /proc")
def test_workers_die_with_the_batch_even_while_they_hang(three):
    with process(fault="hang@reading:b.pdf:2") as running:
        wait_for(Path("out/b/page-0001.md"))
        (worker,) = children_of(running.pid)
        running.kill()
        running.wait()
        wait_until(lambda: not is_alive(worker))


# ------------------------------------------------------------------------------------------ the disk


def test_a_document_that_does_not_fit_on_the_disk_fails_alone(three):
    """A limit on the size of files replaces a full disk."""
    noise = random.Random(0).randbytes(700 * 700)
    Image.frombytes("L", (700, 700), noise).save("noise.png")
    import pymupdf

    with pymupdf.open() as document:
        page = document.new_page(width=300, height=300)
        page.insert_text((20, 30), "Beside these words no OCR looks at the noise.")
        page.insert_image((60, 60, 200, 200), filename="noise.png")
        document.save("in/b.pdf")

    def small_files() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (20_000, 20_000))

    with process("-q", preexec_fn=small_files) as running:
        _, said = running.communicate(timeout=PATIENCE)
    assert running.returncode == 3
    assert said.startswith("docparse-fast: error: write_failed: out/b/images/")
    assert how_each_ended() == {"a.pdf": ("ok", None), "b.pdf": ("failed", "write_failed"), "c.pdf": ("ok", None)}
    assert batch() == 0  # with room again


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can mount a small file system")
def test_a_full_disk_is_reported_and_finished_documents_stay(three, here):
    Path("out").mkdir()
    mounted = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=256k", "tmpfs", str(here / "out")])
    if mounted.returncode:
        pytest.skip("mounting is not allowed here")
    try:
        for n in range(40):
            pdf(f"in/d{n:02d}.pdf", *(f"page {number} " + "word " * 40 for number in range(6)))
        with process("-q") as running:
            _, said = running.communicate(timeout=PATIENCE)
        assert running.returncode == 3
        lines = said.splitlines()
        assert lines and all(line.startswith("docparse-fast: error: write_failed: out/") for line in lines)
        assert all("No space left on device" in line for line in lines)
        assert how_each_ended()["a.pdf"] == ("ok", None)
        assert Path("out/c/page-0001.md").read_text() == "after\n"
    finally:
        subprocess.run(["umount", str(here / "out")], check=True)


def test_an_output_folder_that_cannot_be_made_fails_only_its_document(three, capsys):
    Path("out").mkdir()
    Path("out/b").write_text("a file stands here")
    assert batch() == 3
    assert how_each_ended()["b.pdf"] == ("failed", "write_failed")
    assert Path("out/b").read_text() == "a file stands here"
    assert Path("out/c/page-0001.md").read_text() == "after\n"


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write anywhere")
def test_a_read_only_output_gives_one_error_line(three, capsys):
    Path("out").mkdir(mode=0o555)
    assert batch() == 1
    assert capsys.readouterr().err.startswith("docparse-fast: error: write_failed: out/")


# ------------------------------------------------------------------------------------------ inputs that change


class Meddler(PlainLines):
    """Does something to a file when the first document is begun."""

    def __init__(self, meddle) -> None:
        super().__init__(sys.stderr, "errors")
        self._meddle = meddle

    def tell(self, event) -> None:
        super().tell(event)
        if isinstance(event, DocumentBegun) and event.record.input.name == "in/a.pdf":
            self._meddle()


def test_an_input_that_vanishes_fails_alone(three, capsys):
    watcher = Meddler(Path("in/b.pdf").unlink)
    options = ParseOptions(target=TargetOptions("none"))
    run = run_batch(Request(Path("in"), Path("out")), options, Limits(jobs=1), watcher)
    assert exit_code(run, "partial") == 3
    assert how_each_ended() == {"a.pdf": ("ok", None), "b.pdf": ("failed", "not_found"), "c.pdf": ("ok", None)}
    assert capsys.readouterr().err.startswith("docparse-fast: error: not_found: in/b.pdf does not exist")


def test_an_input_that_changes_between_its_pages_is_not_mixed(monkeypatch, three):
    """Page 2 kills its worker; the next one finds another document there."""
    monkeypatch.setenv(FAULT, "segfault@reading:b.pdf:2")

    class Changing(Meddler):
        def tell(self, event) -> None:
            super().tell(event)
            if isinstance(event, PageDone) and (event.record.input.name, event.page.number) == ("in/b.pdf", 2):
                pdf("in/b.pdf", "uno", "due", "tre")

    run = run_batch(
        Request(Path("in"), Path("out")),
        ParseOptions(target=TargetOptions("none")),
        Limits(jobs=1),
        Changing(lambda: None),
    )
    assert exit_code(run, "partial") == 3
    assert how_each_ended()["b.pdf"] == ("failed", "corrupt")


# ------------------------------------------------------------------------------------------ one at a time


def test_a_second_batch_on_one_output_is_refused_while_the_first_lives(three, capsys):
    with process(fault="hang@reading:b.pdf:2") as first:
        wait_for(Path("out/b/page-0001.md"))
        assert batch() == 1
        (line,) = capsys.readouterr().err.splitlines()
        assert line.startswith(
            f"docparse-fast: error: write_failed: out is in use by another batch (process {first.pid})"
        )
        first.kill()
        first.wait()
        assert batch() == 0


# ------------------------------------------------------------------------------------------ Ctrl-C


def test_an_interrupted_batch_finishes_its_page_and_keeps_its_results():
    pdf("in/a.pdf", *(f"page {number}" for number in range(1, 601)))
    pdf("in/b.pdf", "after")
    with process("--progress") as running:
        for _ in range(4):
            running.stderr.readline()
        running.send_signal(signal.SIGINT)
        _, said = running.communicate(timeout=PATIENCE)
    assert running.returncode == 130
    assert "Traceback" not in said
    assert "finishing the pages in work" in said
    assert [i["status"] for i in the_run()["inputs"]] == ["interrupted", "pending"]
    done = sorted(path.name for path in Path("out/a").glob("page-*.md"))
    assert 3 < len(done) < 600
    assert all(Path("out/a", name).read_text() == f"page {n}\n" for n, name in enumerate(done, 1))


def test_work_done_before_an_interruption_is_not_repeated():
    pdf("in/a.pdf", *(f"page {number}" for number in range(1, 151)))
    with process("--progress") as running:
        for _ in range(10):
            running.stderr.readline()
        running.send_signal(signal.SIGTERM)
        running.communicate(timeout=PATIENCE)
    assert running.returncode == 130
    before = change_times()
    assert batch() == 0
    after = change_times()
    assert all(after[name] == time for name, time in before.items())
    assert len(after) == 152


def test_a_second_interrupt_stops_a_batch_at_once(three):
    with process(fault="hang@reading:b.pdf:2") as running:
        wait_for(Path("out/b/page-0001.md"))
        workers = children_of(running.pid)
        running.send_signal(signal.SIGINT)
        while "finishing the pages in work" not in running.stderr.readline():
            pass
        running.send_signal(signal.SIGINT)
        _, said = running.communicate(timeout=PATIENCE)
    assert running.returncode == 130
    assert "Traceback" not in said
    assert [i["status"] for i in the_run()["inputs"]] == ["ok", "interrupted", "pending"]
    wait_until(lambda: not any(map(is_alive, workers)))
    assert batch() == 0


# ------------------------------------------------------------------------------------------ looking at processes


def wait_for(path: Path) -> None:
    wait_until(path.is_file)


def children_of(process_id: int) -> list[int]:
    told = subprocess.run(["ps", "-o", "pid=", "--ppid", str(process_id)], capture_output=True, text=True)
    return [int(word) for word in told.stdout.split()]


def is_alive(process_id: int) -> bool:
    told = subprocess.run(["ps", "-o", "stat=", "-p", str(process_id)], capture_output=True, text=True).stdout.strip()
    return bool(told) and not told.startswith("Z")


IS_ROOT = os.geteuid() == 0
# root can be held to the rights of files; any other user is
UNPRIVILEGED = ["setpriv", "--bounding-set=-dac_override,-dac_read_search"] if IS_ROOT else []


@pytest.mark.skipif(IS_ROOT and shutil.which("setpriv") is None, reason="root may read everything")
@pytest.mark.parametrize("closed", ["in", "in/closed", "in/closed-file"])
def test_what_can_not_be_entered_or_read_is_named(three, closed):
    """A folder that can't be entered was called empty, and a file without a suffix was left out in silence."""
    Path("in/closed").mkdir()
    shutil.copy("in/a.pdf", "in/closed-file")
    Path(closed).chmod(0)
    command = [*UNPRIVILEGED, sys.executable, "-m", "docparse_fast", "batch", "in", "-o", "out", "-q"]
    done = subprocess.run(command, capture_output=True, text=True, env=os.environ | {"PYTHONPATH": str(ROOT)})
    Path(closed).chmod(0o755)
    assert done.returncode == (1 if closed == "in" else 3)
    assert done.stderr.startswith(f"docparse-fast: error: not_found: {closed} can't be opened (Permission denied); ")


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can mount a small file system")
def test_a_disk_that_is_full_from_the_start_is_named(three, here):
    """Standard output was blamed for it."""
    Path("out").mkdir()
    if subprocess.run(["mount", "-t", "tmpfs", "-o", "size=64k", "tmpfs", str(here / "out")]).returncode:
        pytest.skip("mounting is not allowed here")
    try:
        with suppress(OSError), Path("out/full").open("wb") as file:
            file.write(bytes(2**17))
        with process("-q") as running:
            _, said = running.communicate(timeout=PATIENCE)
        assert (running.returncode, said.count("\n")) == (1, 1)
        assert said.startswith("docparse-fast: error: write_failed: out/.docparse-fast")
    finally:
        subprocess.run(["umount", str(here / "out")], check=True)
