"""Progress of a conversion: lines, the live display, events, and the summary."""

from __future__ import annotations

import fcntl
import io
import json
import os
import pty
import re
import select
import struct
import subprocess
import sys
import termios
from collections import Counter
from pathlib import Path

import pymupdf
import pytest
from rich.console import Console

from docparse_fast.cli import run
from docparse_fast.document import Failure, ParsedPage
from docparse_fast.options import ParseOptions
from docparse_fast.progress import EventLog, LiveDisplay, PlainLines, Tally, Watchers
from docparse_fast.run.events import DocumentBegun, DocumentDone, PageBegun, PageDone, RunEnded, RunPlan, Trouble
from docparse_fast.run.inputs import Input
from docparse_fast.run.run_record import DocumentRecord, Run

ROOT = Path(__file__).parents[2]
EVIL = "evil\x1b[2J\x07\u202e\r\nname.pdf"  # clears the screen, rings, turns the line round, starts a new one

# The log's promise: every event and its keys, in order.
COMMON = ["event", "time", "elapsed"]
KEYS = {
    "run_planned": ["format", "version", "documents", "bytes", "done", "pages_done", "duplicates"],
    "document_start": ["input", "output", "sha256", "pages", "reused"],
    "page_start": ["input", "page"],
    "page_done": ["input", "page", "status", "verified", "exact", "agreement", "error", "seconds"],
    "document_done": ["input", "output", "status", "pages", "page_status", "error", "seconds"],
    "run_stopping": [],
    "trouble": ["error"],
    "run_done": ["status", "exit_code", "document_status", "page_status", "error", "seconds", "stage_seconds"],
}
KEYS |= {"page_failed": KEYS["page_done"], "document_failed": KEYS["document_done"]}


class Clock:
    """A clock that a test moves."""

    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now


def record(name: str = "a.pdf", pages: int = 2, **how) -> DocumentRecord:
    return DocumentRecord(Input(Path(name), name, name.removesuffix(".pdf")), page_count=pages, **how)


def read(watcher, of: DocumentRecord, number: int, status="ok", error: Failure | None = None) -> None:
    of.pages[status] += 1
    watcher.tell(PageBegun(of, number))
    page = ParsedPage(number, status=status, error=error, seconds={"draft": 0.5})
    watcher.tell(PageDone(of, page))


def ended(watcher, of: DocumentRecord, status="ok", seconds=1.0) -> None:
    of.status, of.seconds = status, seconds
    watcher.tell(DocumentDone(of))


def pdf(path: Path, *pages: str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    with pymupdf.open() as document:
        for words in pages:
            document.new_page().insert_text((72, 72), words)
        document.save(path)
    return path


def events(path: Path) -> list[dict]:
    return [json.loads(line) for line in path.read_text("ascii").splitlines()]


# ------------------------------------------------------------------------------------------------ counting


def test_the_time_left_goes_by_documents_and_by_the_pages_of_those_in_work():
    clock = Clock()
    tally = Tally(clock)
    tally.tell(RunPlan(documents=5, bytes=0, done=1))
    assert tally.seconds_left is None  # nothing is known yet
    first, second = record("a.pdf", 4), record("b.pdf", 2)
    tally.tell(DocumentBegun(first))
    ended(tally, first)
    tally.tell(DocumentBegun(second))
    read_one = ParsedPage(1)
    second.pages["ok"] += 1
    tally.tell(PageDone(second, read_one))
    clock.now += 30
    assert tally.share == pytest.approx(1.5 / 4)
    assert tally.seconds_left == pytest.approx(50)


def test_where_sizes_are_known_the_time_left_goes_by_those(tmp_path):
    clock = Clock()
    tally = Tally(clock)
    sizes = {"small": 100, "large": 800, "later": 100, "old": 5000}
    for name, size in sizes.items():
        (tmp_path / name).write_bytes(b"x" * size)
    tally.tell(RunPlan(documents=4, bytes=sum(sizes.values()), done=1, bytes_done=5000))
    small, large = (DocumentRecord(Input(tmp_path / name, name, name), page_count=10) for name in ("small", "large"))
    tally.tell(DocumentBegun(small))
    ended(tally, small)
    tally.tell(DocumentBegun(large))
    large.pages["ok"] += 5
    clock.now += 50
    assert tally.share == pytest.approx((100 + 400) / 1000)
    assert tally.seconds_left == pytest.approx(50)


def test_a_resumed_document_is_as_slow_as_the_pages_read_in_this_run():
    """Two seconds for the last of ten pages were 0.2 s a page."""
    tally, resumed = Tally(Clock()), record("a.pdf", 10)
    resumed.reused = 9
    ended(tally, resumed, seconds=2.0)
    assert tally.slowest == [(2.0, "a.pdf", 1)]


def test_progress_takes_the_same_memory_for_any_number_of_documents():
    tally = Tally(Clock())
    for n in range(1000):
        broken = record(f"{n}.pdf", 0, error=Failure("corrupt", "no"))
        ended(tally, broken, "failed", seconds=float(n))
    assert (tally.failures["corrupt"].count, len(tally.failures["corrupt"].places)) == (1000, 3)
    assert sorted(seconds for seconds, _, _ in tally.slowest) == [995, 996, 997, 998, 999]
    assert not tally.in_work


# --------------------------------------------------------------------------------------------------- lines


def test_a_plan_comes_first_and_a_summary_last():
    clock, stream = Clock(), io.StringIO()
    lines = PlainLines(stream, "documents", "out", sums_up=True, tally=Tally(clock))
    lines.tell(RunPlan(documents=3, bytes=2_500_000, done=1, pages_done=4, duplicates=2))
    good, bad = record("good.pdf", 3), record("bad.pdf", 0, error=Failure("encrypted", "bad.pdf needs a password"))
    lines.tell(DocumentBegun(good))
    read(lines, good, 1)
    read(lines, good, 2, "failed", Failure("render_failed", "its image is broken"))
    read(lines, good, 3, "failed", Failure("render_failed", "its image is broken"))
    old = record("old.pdf", 1, status="ok")
    old.pages["ok"] = 1
    clock.now += 75
    ended(lines, good, "partial", 74.0)
    ended(lines, bad, "failed", 0.5)
    lines.tell(RunEnded(Run(ParseOptions(), [good, bad, old]), 3))
    assert stream.getvalue().splitlines() == [
        "3 documents, 2.5 MB; 1 is done, 2 to do; of those 4 pages are done; 2 links left out",
        "docparse-fast: error: render_failed: good.pdf, page 2: its image is broken",
        "docparse-fast: error: render_failed: good.pdf, page 3: its image is broken",
        "good.pdf: partial, 3 pages (2 failed) in 74.0 s -> out/good",
        "docparse-fast: error: encrypted: bad.pdf needs a password",
        "",
        "documents  3  1 ok  1 partial  1 failed",
        "pages      4  2 ok   2 failed",
        "time       1:15, 3 pages read at 0.04 a second; 1 document done before",
        "failures",
        "  render_failed     2  good.pdf, page 2; good.pdf, page 3",
        "  encrypted         1  bad.pdf",
        "slowest",
        "     74.0 s     3 pages   24.67 s/page  good.pdf",
        "      0.5 s     0 pages                 bad.pdf",
    ]


def test_a_document_that_fails_after_its_pages_says_why_also_when_quiet():
    said = []
    for detail in ("documents", "errors"):
        stream, full = io.StringIO(), record("full.pdf", 1)
        lines = PlainLines(stream, detail, "out", tally=Tally(Clock()))
        lines.tell(RunPlan(1, 0))
        read(lines, full, 1)
        full.error = Failure("write_failed", "out/full: no space left")
        ended(lines, full, "failed")
        said.append(stream.getvalue().splitlines())
    error = "docparse-fast: error: write_failed: out/full: no space left"
    assert said == [[error, "full.pdf: failed, 1 page in 1.0 s -> out/full"], [error]]
    assert lines.tally.failures["write_failed"].places == ["full.pdf"]


@pytest.mark.parametrize(("short", "said"), [("disagreed", "--min-acceptance"), ("inexact", "--check-exact")])
def test_a_document_that_costs_the_exit_code_without_a_failed_page_says_why_also_when_quiet(short, said):
    stream = io.StringIO()
    lines = PlainLines(stream, "errors")
    done = record(status="ok", **{short: 1})
    lines.tell(RunPlan(1, 0))
    lines.tell(DocumentBegun(done))
    lines.tell(DocumentDone(done))
    assert re.fullmatch(r"docparse-fast: error: low_confidence: a\.pdf: 1 page: .+\n", stream.getvalue())
    assert said in stream.getvalue()


def test_a_document_of_which_no_page_could_be_read_does_not_say_so_twice():
    stream, bad = io.StringIO(), record("bad.pdf", 1, error=Failure("render_failed", "broken"))
    lines = PlainLines(stream, "errors", "out")
    lines.tell(RunPlan(1, 0))
    read(lines, bad, 1, "failed", bad.error)
    ended(lines, bad, "failed")
    assert stream.getvalue() == "docparse-fast: error: render_failed: bad.pdf, page 1: broken\n"


def test_a_long_document_prints_progress_now_and_then():
    clock, stream = Clock(), io.StringIO()
    lines = PlainLines(stream, "documents", tally=Tally(clock))
    lines.tell(RunPlan(1, 0))
    long = record(pages=200)
    lines.tell(DocumentBegun(long))
    for number in range(1, 6):
        clock.now += 25
        read(lines, long, number)
    assert stream.getvalue() == "0 of 1 document, 3 pages, 0.04 pages/s, about 1:22:05 left\n"


def test_quiet_lines_are_errors_only():
    stream = io.StringIO()
    lines = PlainLines(stream, "errors", "out", sums_up=True)
    lines.tell(RunPlan(2, 0))
    good = record(pages=1)
    read(lines, good, 1)
    ended(lines, good)
    lines.tell(RunEnded(Run(ParseOptions(), [good]), 0))
    assert stream.getvalue() == ""


def test_a_name_can_not_move_the_cursor():
    stream = io.StringIO()
    tally = Tally(Clock())
    lines = PlainLines(stream, "pages", "out", sums_up=True, tally=tally)
    lines.tell(RunPlan(1, 0))
    evil = record(EVIL, 1)
    lines.tell(DocumentBegun(evil))
    read(lines, evil, 1, "failed", Failure("draft_failed", EVIL))
    ended(lines, evil, "failed")
    lines.tell(RunEnded(Run(ParseOptions(), [evil]), 1))
    said = stream.getvalue()
    assert "name.pdf" in said
    assert not re.search(r"[^\n -~]", said)


# ------------------------------------------------------------------------------------------ the live display


def live(width: int = 80) -> tuple[LiveDisplay, Console, Clock]:
    clock = Clock()
    console = Console(file=io.StringIO(), width=width, force_terminal=True, color_system=None)
    return LiveDisplay(io.StringIO(), "documents", "out", tally=Tally(clock), console=console), console, clock


def screen(display: LiveDisplay, console: Console) -> list[str]:
    with console.capture() as shown:
        console.print(display.renderable())
    return shown.get().splitlines()


def test_the_display_counts_and_names_what_is_in_work():
    display, console, clock = live()
    display.tell(RunPlan(documents=10, bytes=0, done=2))
    one, two = record("one.pdf", 12), record("two.pdf", 1)
    display.tell(DocumentBegun(one))
    display.tell(DocumentBegun(two))
    for number in range(1, 7):
        read(display, one, number)
    read(display, two, 1, "failed", Failure("render_failed", "no"))
    ended(display, two, "failed")
    clock.now += 14
    bar, numbers, file = screen(display, console)
    assert bar.rstrip().endswith("19 %")  # one and a half of eight
    assert numbers.split("  ") == [
        "3 of 10 documents",
        "7 pages",
        "0.50 pages/s",
        "1 failed",
        "0:14",
        "about 1:01 left",
    ]
    assert file.split() == ["one.pdf", "6", "of", "12", "pages"]


def test_the_display_stays_within_a_narrow_terminal_and_few_lines():
    display, console, _ = live(width=30)
    display.tell(RunPlan(documents=100, bytes=0))
    for n in range(9):
        display.tell(DocumentBegun(record(f"{'very' * 20}-{n}.pdf", 3)))
    shown = screen(display, console)
    assert len(shown) == 7 and shown[-1] == "  and 5 more"
    assert all(len(line) <= 30 for line in shown)


def test_the_display_prints_no_still_working_lines():
    display, console, clock = live()
    display.tell(RunPlan(1, 0))
    long = record(pages=9)
    display.tell(DocumentBegun(long))
    with console.capture() as said:
        for number in range(1, 9):
            clock.now += 100
            read(display, long, number)
    assert said.get() == ""


def test_a_name_can_not_move_the_cursor_of_the_display():
    display, console, _ = live()
    display.tell(RunPlan(1, 0))
    display.tell(DocumentBegun(record(EVIL + "[red]", 1)))
    shown = "\n".join(screen(display, console))
    assert "name.pdf[red]" in shown and "\x1b" not in shown and "\u202e" not in shown


def terminal(*arguments: str, cwd: Path, term: str = "xterm-256color") -> tuple[int, str]:
    """A command's terminal output and exit code."""
    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 80, 0, 0))
    environment = {name: value for name, value in os.environ.items() if name not in ("COLUMNS", "LINES", "NO_COLOR")}
    environment |= {"PYTHONPATH": str(ROOT), "TERM": term}
    command = [sys.executable, "-m", "docparse_fast", *arguments]
    with subprocess.Popen(command, cwd=cwd, env=environment, stdin=theirs, stdout=theirs, stderr=theirs) as running:
        os.close(theirs)
        written = b""
        while select.select([ours], [], [], 60)[0]:
            try:
                piece = os.read(ours, 1 << 16)
            except OSError:  # the last process has let go of it
                break
            written += piece
    os.close(ours)
    return running.returncode, written.decode()


def test_on_a_terminal_the_display_comes_and_leaves_only_lines(tmp_path):
    pdf(tmp_path / "in/a.pdf", *("some words" for _ in range(60)))
    pdf(tmp_path / "in/b.pdf", "one page")
    code, written = terminal("convert", "in", "-o", "out", "--drafter", "text-layer", "--target", "none", cwd=tmp_path)
    assert code == 0
    assert "pages/s" in written and "of 2 documents" in written
    assert written.index("\x1b[?25l") < written.rindex("\x1b[?25h")  # the cursor, hidden and given back
    left = on_screen(written)
    assert [re.sub(r"[\d.]+ s", "S", line) for line in left if line] == [
        "in/a.pdf: ok, 60 pages in S -> out/a",
        "in/b.pdf: ok, 1 page in S -> out/b",
    ]


def on_screen(written: str) -> list[str]:
    """The visible text after the display's cursor movements."""
    lines = [""]
    row = 0
    for text, rows_up, what in re.findall(r"([^\x1b\r\n]+)|\x1b\[(\d*)A|(\x1b\[\??[0-9;]*[a-zA-Z]|\r|\n)", written):
        if text:
            lines[row] += text
        elif rows_up:
            row -= int(rows_up)
        elif what == "\n":
            row += 1
            lines += [""] * (row - len(lines) + 1)
        elif what == "\x1b[2K":
            lines[row] = ""
    return lines


def test_lines_replace_a_display_that_is_unwanted_or_impossible(tmp_path):
    pdf(tmp_path / "a.pdf", "words")
    command = ("convert", "a.pdf", "-o", "out", "--drafter", "text-layer", "--target", "none")
    for arguments, term in ((["--no-progress"], "xterm-256color"), ([], "dumb")):
        code, written = terminal(*command, *arguments, cwd=tmp_path, term=term)
        assert code == 0 and "a.pdf: ok" in written and "\x1b" not in written


# -------------------------------------------------------------------------------------------------- events


def converted(tmp_path, *arguments: str) -> tuple[int, list[dict]]:
    log = tmp_path / "log.jsonl"
    code = run([*arguments, "--drafter", "text-layer", "--target", "none", "-q", "--log-json", str(log)])
    return code, events(log)


def hold_to_promise(found: list[dict]) -> None:
    """Checks the keys of all events and their order: the plan first, the end last, pages within their document."""
    for event in found:
        assert list(event) == COMMON + KEYS[event["event"]]
        assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}\+00:00", event["time"])
    assert [event["elapsed"] for event in found] == sorted(event["elapsed"] for event in found)
    names = [event["event"] for event in found]
    assert names[0] == "run_planned" and names[-1] == "run_done"
    assert names.count("run_planned") == names.count("run_done") == 1
    opened: set[str] = set()
    begun: set[tuple[str, int]] = set()
    for event in found:
        kind, _, moment = event["event"].partition("_")
        if kind == "document" and moment == "start":
            opened.add(event["input"])
        elif kind == "document":
            assert event["input"] in opened or event["status"] == "failed"
            opened.discard(event["input"])
        elif kind == "page":
            assert event["input"] in opened
            place = (event["input"], event["page"])
            if moment == "start":
                begun.add(place)
            else:
                begun.remove(place)
    assert not opened and not begun


def test_convert_writes_down_everything_in_order(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    pdf(Path("in/a.pdf"), "one", "")
    Path("in/b.pdf").write_bytes(b"nothing of the kind")
    code, found = converted(tmp_path, "convert", "in", "-o", "out")
    hold_to_promise(found)
    assert code == 3
    assert [event["event"] for event in found] == [
        "run_planned",
        "document_start",
        "page_start",
        "page_done",
        "page_start",
        "page_done",
        "document_done",
        "document_failed",
        "run_done",
    ]
    assert found[0] | {"time": "", "elapsed": 0, "bytes": 0} == {
        "event": "run_planned",
        "time": "",
        "elapsed": 0,
        "format": "docparse-fast/log",
        "version": 1,
        "documents": 2,
        "bytes": 0,
        "done": 0,
        "pages_done": 0,
        "duplicates": 0,
    }
    assert (found[5]["page"], found[5]["status"], found[5]["verified"]) == (2, "blank", "none")
    assert found[7]["error"]["code"] == "unsupported"
    assert (found[8]["status"], found[8]["exit_code"]) == ("partial", 3)
    assert found[8]["document_status"] == {"failed": 1, "ok": 1}
    assert found[8]["page_status"] == {"blank": 1, "ok": 1}


def test_batch_writes_down_the_same_events_and_what_was_done_before(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    pdf(Path("in/a.pdf"), "one", "two")
    pdf(Path("in/deep/b.pdf"), "three")
    code, found = converted(tmp_path, "batch", "in", "-o", "out", "--jobs", "2")
    hold_to_promise(found)
    assert code == 0
    assert Counter(event["event"] for event in found) == {
        "run_planned": 1,
        "document_start": 2,
        "page_start": 3,
        "page_done": 3,
        "document_done": 2,
        "run_done": 1,
    }
    code, again = converted(tmp_path, "batch", "in", "-o", "out", "--jobs", "2")
    assert [event["event"] for event in again] == ["run_planned", "run_done"]
    assert (again[0]["documents"], again[0]["done"]) == (2, 2)
    assert again[1]["document_status"] == {"ok": 2}


def test_a_batch_sums_up_at_the_end(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    pdf(Path("in/a.pdf"), "one", "two")
    Path("in/b.pdf").write_bytes(b"nothing of the kind")
    assert run(["batch", "in", "-o", "out", "--drafter", "text-layer", "--target", "none", "--jobs", "1"]) == 3
    said = capsys.readouterr().err.splitlines()
    assert said[0].startswith("2 documents, ")
    assert "documents  2  1 ok  1 failed" in said and "pages      2  2 ok" in said
    assert "  unsupported     1  in/b.pdf" in said


def test_events_can_be_printed(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    pdf(Path("a.pdf"), "words")
    assert run(["convert", "a.pdf", "-o", "out", "--drafter", "text-layer", "--target", "none", "--log-json", "-"]) == 0
    out = capsys.readouterr().out
    hold_to_promise([json.loads(line) for line in out.splitlines()])


def test_events_and_markdown_can_not_both_be_printed(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    pdf(Path("a.pdf"), "words")
    assert run(["convert", "a.pdf", "-o", "-", "--target", "none", "--log-json", "-"]) == 2
    assert "name a file for one of them" in capsys.readouterr().err


def test_a_log_that_can_not_be_opened_ends_the_run_before_it_begins(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    pdf(Path("a.pdf"), "words")
    assert run(["convert", "a.pdf", "-o", "out", "--target", "none", "--log-json", "no/such/folder"]) == 1
    assert "write_failed: --log-json no/such/folder" in capsys.readouterr().err
    assert not Path("out").exists()


def test_a_link_is_no_file_for_events(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    victim, link = tmp_path / "victim", tmp_path / "events"
    victim.write_text("mine")
    link.symlink_to(victim)
    assert run(["convert", "a.pdf", "-o", "out", "--target", "none", "--log-json", "events"]) == 1
    assert "write_failed: --log-json events" in capsys.readouterr().err
    assert victim.read_text() == "mine"


def test_a_failing_log_gives_a_warning_and_loses_no_page():
    class Full(io.StringIO):
        def write(self, text: str) -> int:
            raise OSError(28, "No space left on device")

    lines = io.StringIO()
    plain = PlainLines(lines, "documents", "out")
    watchers = Watchers([EventLog(Full(), lambda failure: plain.tell(Trouble(failure))), plain])
    good = record(pages=1)
    with watchers.shown():
        watchers.tell(RunPlan(1, 0))
        watchers.tell(DocumentBegun(good))
        read(watchers, good, 1)
        ended(watchers, good)
        watchers.tell(RunEnded(Run(ParseOptions(), [good]), 0))
    complaint, done = lines.getvalue().splitlines()
    assert complaint.startswith("docparse-fast: error: write_failed: the event log can't be written any more")
    assert done.startswith("a.pdf: ok, 1 page")


def test_the_log_records_the_error_that_ended_a_run():
    stream = io.StringIO()
    log = EventLog(stream, print)
    with pytest.raises(KeyboardInterrupt), log.shown():
        log.tell(RunPlan(1, 0))
        raise KeyboardInterrupt
    last = json.loads(stream.getvalue().splitlines()[-1])
    assert (last["event"], last["exit_code"], last["error"]["code"]) == ("run_done", None, "interrupted")


def test_a_page_that_failed_is_an_event_of_its_own():
    stream = io.StringIO()
    log = EventLog(stream, print)
    read(log, record(), 1, "failed", Failure("render_failed", "its image is broken"))
    read(log, record(), 2, "partial", Failure("truncated", "a part is missing"))
    failed, partial = (json.loads(line) for line in stream.getvalue().splitlines() if "page_start" not in line)
    assert (failed["event"], failed["error"]["code"]) == ("page_failed", "render_failed")
    assert (partial["event"], partial["status"]) == ("page_done", "partial")


def test_a_log_is_ascii_whatever_a_name_holds():
    stream = io.StringIO()
    log = EventLog(stream, print)
    log.tell(DocumentBegun(record(EVIL + "\udcff é")))
    assert stream.getvalue().isascii() and stream.getvalue().count("\n") == 1
    assert "\x1b" not in stream.getvalue()
    assert json.loads(stream.getvalue())["input"] == EVIL + "\udcff é"
