"""`convert` with limits of time: the page that takes too long fails alone, whatever holds it up."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pymupdf
import pytest
from page_files import raw_pdf
from PIL import Image

from docparse_fast.cli import run

ROOT = Path(__file__).parents[2]
FAULT = "DOCPARSE_FAST_FAULT"


@pytest.fixture(autouse=True)
def here(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)


@pytest.fixture
def documents():
    for name, pages in {"a.pdf": ["one", "two", "three"], "b.pdf": ["after"]}.items():
        with pymupdf.open() as document:
            for words in pages:
                document.new_page(width=300, height=200).insert_text((30, 60), words)
            document.save(name)
    return ["a.pdf", "b.pdf"]


def convert(*arguments: str) -> int:
    return run(["convert", *arguments, "-o", "out", "-q", "--target", "none"])


def pages(name: str) -> list[str]:
    return [path.read_text().strip() for path in sorted(Path("out", name).glob("page-*.md"))]


@pytest.mark.parametrize(
    ("limit", "read"),
    [("--page-timeout", ["one", "<!-- failed: timeout -->", "three"]),
     ("--doc-timeout", ["one", "<!-- failed: timeout -->", "<!-- failed: timeout -->"])],
)  # fmt: skip
def test_a_page_that_hangs_costs_no_more_than_its_limit(documents, limit, read, monkeypatch, capsys):
    monkeypatch.setenv(FAULT, "hang@reading:a.pdf:2")
    assert convert(*documents, limit, "4") == 3
    assert (pages("a"), pages("b")) == (read, ["after"])
    assert capsys.readouterr().err.startswith("docparse-fast: error: timeout: a.pdf, page 2: ")


PATTERN = b"/Resources<</Pattern<</P 5 0 R>>>>/MediaBox[0 0 99 99]/Contents 4 0 R"
PAINTED = b"<</Length 40>>stream\n/Pattern cs /P scn 9 9 30 30 re f         \nendstream"
TILE = (
    b"<</PatternType 1/PaintType 1/TilingType 1/BBox[0 0 9 9]/XStep 9/YStep 9/Resources<<>>/Length 13>>stream\n"
    b"0 0 3 3 re f \nendstream"
)


def test_a_page_that_may_be_drawn_for_ever_has_a_limit_that_nobody_asked_for(documents, monkeypatch, capsys):
    """MuPDF was busy in this process: with one pattern of tiny steps without end, and deaf to Ctrl-C."""
    Path("p.pdf").write_bytes(raw_pdf(PATTERN, 1, PAINTED, TILE))
    monkeypatch.setenv(FAULT, "hang@reading:p.pdf:1")
    monkeypatch.setattr("docparse_fast.batch.within_limits.LONGEST_PAGE", 4.0)
    assert convert("p.pdf", *documents) == 3
    assert (pages("p"), pages("b")) == (["<!-- failed: timeout -->"], ["after"])
    assert capsys.readouterr().err.startswith("docparse-fast: error: timeout: p.pdf, page 1: ")


def test_pages_that_are_drawn_at_once_need_no_other_process(documents, monkeypatch):
    monkeypatch.setenv(FAULT, "segfault@reading:a.pdf:1")
    assert convert(*documents) == 0
    assert pages("a") == ["one", "two", "three"]


def test_a_file_that_hangs_while_it_is_opened_fails_alone(documents, monkeypatch, capsys):
    monkeypatch.setenv(FAULT, "hang@opening:a.pdf")
    assert convert(*documents, "--page-timeout", "4") == 3
    assert pages("b") == ["after"]
    assert (
        capsys.readouterr().err == "docparse-fast: error: timeout: a.pdf: it took longer than 4 s; see --page-timeout\n"
    )


def test_a_page_that_crashes_within_limits_fails_alone(documents, monkeypatch):
    monkeypatch.setenv(FAULT, "segfault@reading:a.pdf:2")
    assert convert(*documents, "--page-timeout", "60") == 3
    assert (pages("a"), pages("b")) == (["one", "<!-- failed: worker_crashed -->", "three"], ["after"])


def test_limits_that_hold_change_no_output(documents):
    assert convert(*documents, str(ROOT / "samples/slide.pdf"), "--format", "md,html") == 0
    without = {path: path.read_bytes() for path in Path("out").rglob("*") if path.suffix in (".md", ".png")}
    Path("out").rename("before")
    limits = ("--page-timeout", "60", "--doc-timeout", "600")
    assert convert(*documents, str(ROOT / "samples/slide.pdf"), "--format", "md,html", *limits) == 0
    assert {path: path.read_bytes() for path in Path("out").rglob("*") if path.suffix in (".md", ".png")} == without
    assert all("data:image/webp" in path.read_text("utf-8") for path in Path("out").rglob("document.html"))


def test_a_document_verified_within_limits_is_verified_as_without(tmp_path):
    """The target reads in this process what another has drafted."""
    with Image.open(ROOT / "samples/nano/page-02.png") as whole:
        whole.crop((0, 0, whole.width, 112)).save("page.png")
    answers = []
    for limit in ([], ["--page-timeout", "100"]):
        assert run(["convert", "page.png", "-o", "out", "-q", "--target", "nano", "--tau", "1", *limit]) == 0
        (written,) = json.loads(next(Path("out").rglob("document.json")).read_text("utf-8"))["pages"]
        answers.append((written["verified"], [block["text"] for block in written["blocks"]]))
    assert answers[0] == answers[1]
    assert answers[0][0] == "page"


WITHOUT_POSIX = """
import os, signal, sys
sys.modules["fcntl"] = None
del os.killpg, signal.SIGPIPE
from docparse_fast.cli import run
sys.exit(run(sys.argv[1:]))
"""


@pytest.mark.parametrize(
    ("flags", "code", "said"),
    [
        ("convert a.pdf -o -", 0, ""),
        ("batch . -o out", 2, "docparse-fast: error: usage: batch runs on Linux and macOS only; "),
        ("convert a.pdf -o out --page-timeout 5", 2, "docparse-fast: error: usage: a time limit works on Linux and"),
    ],
)
def test_without_what_only_posix_has_convert_works_and_the_rest_is_refused(documents, flags, code, said):
    """Linux without the parts that Windows lacks: `batch` died there on importing fcntl."""
    command = [sys.executable, "-c", WITHOUT_POSIX, *flags.split(), "-q", "--target", "none"]
    done = subprocess.run(command, capture_output=True, text=True, env=os.environ | {"PYTHONPATH": str(ROOT)})
    assert (done.returncode, done.stderr.count("\n")) == (code, bool(said))
    assert done.stderr.startswith(said)


def test_an_interrupt_while_a_page_hangs_ends_the_run_at_once(documents):
    command = [sys.executable, "-m", "docparse_fast", "convert", *documents, "-o", "out", "-v", "--doc-timeout", "99"]
    environment = os.environ | {"PYTHONPATH": str(ROOT), FAULT: "hang@reading:a.pdf:2"}
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True, env=environment) as running:
        assert "page 1" in running.stderr.readline()
        running.send_signal(signal.SIGINT)
        assert running.communicate(timeout=30)[1] == ""
    assert running.returncode == 130
    assert json.loads(Path("out/run.json").read_text())["status"] == "interrupted"


IN_NATIVE_CODE = """
import collections, ctypes, itertools, signal, sys
from docparse_fast.cli.interruption import INTERRUPTION
INTERRUPTION.listen()
signals = itertools.repeat((signal.SIGTERM,), int(sys.argv[1]))
try:
    collections.deque(itertools.starmap(getattr(ctypes.PyDLL(None), "raise"), signals), maxlen=0)
except KeyboardInterrupt:
    sys.exit(130)
"""


@pytest.mark.parametrize(("signals", "code"), [(1, 130), (2, -signal.SIGTERM)])
def test_a_second_interrupt_ends_what_native_code_holds_up(signals, code):
    """A page that MuPDF drew for hours ended neither by Ctrl-C nor by SIGTERM: a handler waits for native code."""
    command = [sys.executable, "-c", IN_NATIVE_CODE, str(signals)]
    assert subprocess.run(command, env=os.environ | {"PYTHONPATH": str(ROOT)}).returncode == code


HEARD_EARLY = """
import os, signal, sys
from docparse_fast.cli import interruption, main
act_once = interruption._act_once
def interrupted(number):
    handler = signal.signal(number, signal.SIG_DFL)
    os.kill(os.getpid(), number)
    signal.signal(number, handler)
    act_once(number)
interruption._act_once = interrupted
try:
    main()
except KeyboardInterrupt:
    sys.exit(130)
"""


def test_a_signal_that_comes_while_it_begins_to_listen_is_heard():
    """For a moment the system's own way stands there, which ended the process without a word."""
    ended = subprocess.run([sys.executable, "-c", HEARD_EARLY, "--version"], capture_output=True, timeout=60)
    assert ended.returncode == 130, ended.stderr
