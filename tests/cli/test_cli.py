"""The command line, end to end on small files: output, exit codes, and each error's one line."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
from contextlib import suppress
from pathlib import Path

import pymupdf
import pytest
from page_files import pages_alike
from PIL import Image

from docparse_fast import __version__
from docparse_fast.cli import run
from docparse_fast.cli.arguments import Display
from docparse_fast.cli.commands import SUMMARIES, Commands
from docparse_fast.cli.interruption import INTERRUPTION
from docparse_fast.options import DraftOptions, ParseOptions, RasterOptions, SpeculationOptions, TargetOptions
from docparse_fast.system.files import NOTES

ROOT = Path(__file__).parents[2]
GOLDEN = ROOT / "tests/golden"
GROUPS = (RasterOptions, DraftOptions, TargetOptions, SpeculationOptions, ParseOptions, Display)
SHARED = tuple(f"{group.title}:" for group in GROUPS)  # panels of the help that several commands have
MOST_MODULES_FOR_HELP = 200


@pytest.fixture(autouse=True)
def here(tmp_path, monkeypatch):
    """Every test runs in its own folder."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("DOCPARSE_PASSWORD", raising=False)
    return tmp_path


def pdf(path: str, *pages: str, password: str | None = None) -> str:
    Path(path).parent.mkdir(parents=True, exist_ok=True)
    encryption = {"encryption": pymupdf.PDF_ENCRYPT_AES_256, "user_pw": password} if password else {}
    with pymupdf.open() as document:
        for words in pages:
            document.new_page().insert_text((72, 72), words)
        document.save(path, **encryption)
    return path


def convert(*arguments: str) -> int:
    return run(["convert", *arguments, "-o", "out", "--drafter", "text-layer"])


def files() -> list[str]:
    return sorted(
        str(path.relative_to("out")) for path in Path("out").rglob("*") if path.is_file() and path.name != NOTES
    )


def the_run() -> dict:
    return json.loads(Path("out/run.json").read_text("utf-8"))


# ------------------------------------------------------------------------------------------ what is written


def test_a_document_becomes_one_file_a_page(capsys):
    assert convert(pdf("in.pdf", "first page", "second page")) == 0
    assert files() == ["in/document.json", "in/document.md", "in/page-0001.md", "in/page-0002.md", "run.json"]
    assert Path("out/in/page-0002.md").read_text() == "second page\n"
    assert capsys.readouterr().out == ""


def test_the_run_accounts_for_every_input():
    convert(pdf("a.pdf", "one", "", "three"), "missing.pdf")
    inputs = the_run()["inputs"]
    assert [(i["input"], i["output"], i["status"], i["pages"]) for i in inputs] == [
        ("a.pdf", "a", "ok", 3),
        ("missing.pdf", "missing", "failed", 0),
    ]
    assert inputs[0]["page_status"] == {"ok": 2, "blank": 1, "partial": 0, "failed": 0}
    assert inputs[1]["error"]["code"] == "not_found"


def test_a_blank_page_gives_an_empty_file_and_is_no_fault():
    assert convert(pdf("a.pdf", "one", "")) == 0
    assert Path("out/a/page-0002.md").read_text() == ""
    pages = json.loads(Path("out/a/document.json").read_text())["pages"]
    assert [page["status"] for page in pages] == ["ok", "blank"]


def test_pages_keep_the_numbers_they_have_in_the_source():
    assert convert(pdf("a.pdf", "one", "two", "three"), "--pages", "r1,2") == 0
    assert files() == ["a/document.json", "a/document.md", "a/page-0002.md", "a/page-0003.md", "run.json"]


def test_a_folder_is_mirrored():
    pdf("in/a/x.pdf", "one")
    pdf("in/b/x.pdf", "two")
    pdf("in/b/x.y.pdf", "three")
    assert convert("in") == 0
    assert [i["output"] for i in the_run()["inputs"]] == ["a/x", "b/x", "b/x.y"]
    assert Path("out/b/x/page-0001.md").read_text() == "two\n"


@pytest.mark.parametrize("name", ["-dash.pdf", "naïve café – 报告 (final).pdf", "ü" * 120 + ".pdf", "a b.PDF"])
def test_every_file_name_works(name):
    assert convert(pdf("./" + name, "words")) == 0
    assert Path("out", Path(name).stem, "page-0001.md").read_text() == "words\n"


def test_two_inputs_of_one_name_both_stay(here):
    pdf("a/x.pdf", "one")
    pdf("b/x.pdf", "two")
    assert convert("a/x.pdf", "b/x.pdf") == 0
    texts = [Path("out", i["output"], "page-0001.md").read_text() for i in the_run()["inputs"]]
    assert texts == ["one\n", "two\n"]


def test_the_same_input_gives_the_same_bytes():
    pdf("a.pdf", "one", "two")
    contents = []
    for _ in range(2):
        convert("a.pdf")
        document = json.loads(Path("out/a/document.json").read_text())
        for page in document["pages"]:
            assert page.pop("seconds")
        contents.append((document, [Path("out", name).read_bytes() for name in files() if name.endswith(".md")]))
    assert contents[0] == contents[1]


def test_a_shorter_document_leaves_none_of_the_longer_ones_pages():
    convert(pdf("a.pdf", "one", "two"))
    Path("out/a/mine.txt").write_text("mine")
    convert(pdf("a.pdf", "uno"))
    assert files() == ["a/document.json", "a/document.md", "a/mine.txt", "a/page-0001.md", "run.json"]


def test_a_broken_document_removes_the_output_of_the_one_it_replaced():
    convert(pdf("a.pdf", "one"))
    Path("a.pdf").write_bytes(b"%PDF-1.4 and then nothing")
    assert convert("a.pdf") == 1
    assert files() == ["run.json"]


def test_a_missing_document_keeps_its_earlier_output():
    convert(pdf("a.pdf", "one"))
    Path("a.pdf").unlink()
    assert convert("a.pdf") == 1
    assert "a/page-0001.md" in files()


def test_markdown_goes_to_stdout_and_nowhere_else(capsys, here):
    pdf("a.pdf", "one", "two")
    assert run(["convert", "a.pdf", "-o", "-", "-q", "--drafter", "text-layer"]) == 0
    assert capsys.readouterr() == ("<!-- page 1 -->\n\none\n\n<!-- page 2 -->\n\ntwo\n", "")
    assert [path.name for path in here.iterdir()] == ["a.pdf"]


def test_a_figure_is_cut_out_and_linked():
    Image.effect_noise((300, 200), 80).save("noise.png")
    with pymupdf.open() as document:
        page = document.new_page()
        page.insert_text((72, 72), "A picture stands below this line of text.")
        page.insert_image((72, 100, 372, 300), filename="noise.png")
        document.save("a.pdf")
    assert convert("a.pdf") == 0
    assert "![](images/page-0001-figure-1.png)" in Path("out/a/page-0001.md").read_text()
    with Image.open("out/a/images/page-0001-figure-1.png") as picture:
        assert picture.width == pytest.approx(300 * 200 / 72, abs=8)


# ------------------------------------------------------------------------------------------ how it ends


def test_one_bad_input_stops_no_other():
    Path("bad.pdf").write_bytes(b"")
    Path("folder").mkdir()
    assert convert("bad.pdf", "folder", pdf("good.pdf", "words"), "missing.pdf") == 3
    assert Path("out/good/page-0001.md").read_text() == "words\n"
    assert [i["status"] for i in the_run()["inputs"]] == ["failed", "failed", "ok", "failed"]


@pytest.mark.parametrize(
    ("fail_on", "mixed", "all_bad", "good"),
    [("never", 0, 0, 0), ("failure", 3, 1, 0), ("partial", 3, 1, 0), ("unverified", 3, 1, 3)],
)
def test_the_user_says_what_counts_as_failure(fail_on, mixed, all_bad, good):
    pdf("good.pdf", "words")
    assert convert("good.pdf", "bad.pdf", "--fail-on", fail_on) == mixed
    assert convert("bad.pdf", "--fail-on", fail_on) == all_bad
    assert convert("good.pdf", "--fail-on", fail_on) == good
    assert convert("good.pdf", "--pages", "7", "--fail-on", fail_on) == 2


def test_a_page_that_fails_is_named_once(capsys):
    Image.effect_noise((40, 40), 80).save("noise.png")
    data = Path("noise.png").read_bytes()
    Path("cut.png").write_bytes(data[:60])
    assert run(["convert", "cut.png", "-o", "out", "-q", "--drafter", "embedded"]) == 1
    (line,) = error_lines(capsys)
    assert line.startswith("docparse-fast: error: render_failed: cut.png, page 1: it can't be decoded (")


def test_one_range_of_pages_serves_documents_of_any_length():
    assert (
        convert(pdf("short.pdf", "one"), pdf("long.pdf", "1", "2", "3", "4"), "--pages", "1-3", "--format", "md") == 0
    )
    assert [entry["pages"] for entry in the_run()["inputs"]] == [1, 3]


def test_a_picture_cut_off_is_partial_and_says_so(capsys):
    Image.radial_gradient("L").resize((64, 64)).save("whole.jpg")  # nothing to read
    Path("cut.jpg").write_bytes(Path("whole.jpg").read_bytes()[:-100])
    code = run(["convert", "cut.jpg", "-o", "out", "-q", "--drafter", "embedded"])
    assert code == 3
    assert capsys.readouterr().err.startswith("docparse-fast: error: truncated: cut.jpg, page 1: ")
    assert the_run()["status"] == "partial"
    assert run(["convert", "cut.jpg", "-o", "out", "-q", "--drafter", "embedded", "--fail-on", "failure"]) == 0


def error_lines(capsys) -> list[str]:
    out, err = capsys.readouterr()
    assert out == ""
    return err.splitlines()


@pytest.mark.parametrize(
    ("arguments", "code", "start"),
    [
        (["missing.pdf"], 1, "docparse-fast: error: not_found: missing.pdf "),
        (["empty.pdf"], 1, "docparse-fast: error: empty: empty.pdf "),
        (["corrupt.pdf"], 1, "docparse-fast: error: corrupt: corrupt.pdf "),
        (["notes.txt"], 1, "docparse-fast: error: unsupported: notes.txt "),
        (["locked.pdf"], 1, "docparse-fast: error: encrypted: locked.pdf "),
        (["locked.pdf", "--password", "wrong"], 1, "docparse-fast: error: encrypted: the password given "),
        (["good.pdf", "--target", "dots.ocr"], 1, "docparse-fast: error: model_missing: --target dots.ocr"),
        (
            ["good.pdf", "--pages", "7"],
            2,
            "docparse-fast: error: usage: --pages 7 is out of range: good.pdf has 1 page;",
        ),
        (["good.pdf", "--pages", "x"], 2, "docparse-fast: error: usage: "),
        (["good.pdf", "--pages", ""], 2, "docparse-fast: error: usage: --pages names no page; write it as in"),
        (["good.pdf", "--pages", " "], 2, "docparse-fast: error: usage: --pages names no page; write it as in"),
        (["good.pdf", "--dpi", "0"], 2, "docparse-fast: error: usage: --dpi 0 is out of range"),
        (["good.pdf", "--dpi", "x"], 2, "docparse-fast: error: usage: "),
        (["good.pdf", "--format", "docx"], 2, "docparse-fast: error: usage: --format 'docx' is not one of"),
        (["good.pdf", "--table", "pipe"], 2, "docparse-fast: error: usage: No such option: --table"),
        (["good.pdf", "--fail-on", "nothing"], 2, "docparse-fast: error: usage: --fail-on 'nothing' is not one of"),
        (["good.pdf", "--password", "a", "--password-file", "b"], 2, "docparse-fast: error: usage: "),
        (
            ["good.pdf", "--password-file", "nowhere"],
            2,
            "docparse-fast: error: usage: --password-file nowhere can't be read: No such",
        ),
        (
            ["good.pdf", "--max-pages", "0"],
            2,
            "docparse-fast: error: usage: --max-pages 0 is out of range; give a value from 1 to 1,000,000,000",
        ),
        (["good.pdf", "--target", "gpu-box:8000/v1"], 2, "docparse-fast: error: usage: --target 'gpu-box:8000/v1' is"),
        (["good.pdf", ""], 2, "docparse-fast: error: usage: a path is empty"),
        ([], 2, "docparse-fast: error: usage: no input is named; name files or folders, or a list of them with "),
        (["nothing/"], 1, "docparse-fast: error: empty: nothing holds no PDF and no image"),
    ],
)
def test_each_error_is_one_line_with_its_code(arguments, code, start, capsys):
    pdf("good.pdf", "words")
    pdf("locked.pdf", "words", password="geheim")
    Path("empty.pdf").write_bytes(b"")
    Path("corrupt.pdf").write_bytes(b"%PDF-1.7\n" + bytes(range(256)) * 4)
    Path("notes.txt").write_text("not a document")
    Path("nothing").mkdir()
    assert convert("-q", *arguments) == code
    (line,) = error_lines(capsys)
    assert line.startswith(start)


def test_an_option_without_its_value_names_the_help_of_its_command(capsys):
    assert run(["bench", "run", "--dpi"]) == 2
    assert error_lines(capsys)[0].endswith("see docparse-fast bench run --help")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no device that is always full")
def test_an_event_log_on_a_full_disk_gives_a_warning_and_the_run_continues(capsys):
    assert convert("-q", pdf("good.pdf", "words"), "--log-json", "/dev/full") == 3
    (line,) = error_lines(capsys)
    assert line.startswith("docparse-fast: error: write_failed: the event log ")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no device that is always full")
def test_markdown_that_does_not_fit_on_stdout_is_write_failed(capsys, monkeypatch):
    with suppress(OSError), Path("/dev/full").open("w") as full, monkeypatch.context() as patched:
        patched.setattr("sys.stdout", full)
        assert run(["convert", "-q", pdf("good.pdf", "words"), "-o", "-"]) == 1
    (line,) = error_lines(capsys)
    assert line.startswith("docparse-fast: error: write_failed: stdout ")


def test_an_unset_variable_does_not_stand_for_this_folder(capsys):
    assert run(["convert", pdf("good.pdf", "words"), "-o", ""]) == 2
    assert run(["batch", "", "-o", "out"]) == run(["batch", ".", "-o", ""]) == run(["verify", ""]) == 2
    assert [path.name for path in Path().iterdir()] == ["good.pdf"]
    assert all("usage: a path is empty" in line for line in error_lines(capsys))


def test_a_path_that_leads_nowhere_fails_alone(capsys):
    """A link to itself and a path too long were tracebacks, and the other inputs were lost."""
    Path("loop.pdf").symlink_to("loop.pdf")
    long = "/".join(["d" * 200] * 25)
    assert convert("-q", "loop.pdf", f"{long}/a.pdf", "n" * 300, pdf("good.pdf", "words")) == 3
    assert [(each["status"], (each["error"] or {}).get("code")) for each in the_run()["inputs"]] == [
        *[("failed", "not_found")] * 3,
        ("ok", None),
    ]
    assert len(error_lines(capsys)) == 3


def test_a_file_name_cannot_move_the_cursor(capsys):
    assert convert("-q", "evil\x1b[2J\nname.pdf") == 1
    (line,) = error_lines(capsys)
    assert "\x1b" not in line


def test_a_file_where_the_command_should_be_names_convert(capsys):
    pdf("a.pdf", "words")
    assert run(["a.pdf", "-o", "out"]) == 2
    (line,) = error_lines(capsys)
    assert line == "docparse-fast: error: usage: 'a.pdf' is no command; docparse-fast convert a.pdf -o OUT reads it"


def test_a_new_folder_is_not_given_a_name_meant_for_a_file(capsys):
    assert run(["convert", pdf("good.pdf", "words"), "-o", "page.md"]) == 2
    (line,) = error_lines(capsys)
    assert (
        line == "docparse-fast: error: usage: -o page.md would make a folder of that name; name a folder; -o - prints"
    )
    assert not Path("page.md").exists()


@pytest.mark.parametrize("command", ["review out", "serve --model nano"])
def test_a_port_that_no_machine_has_is_refused_in_one_line(command, capsys):
    Path("out").mkdir()
    assert run([*command.split(), "--port", "99999"]) == 2
    assert capsys.readouterr().err.startswith("docparse-fast: error: usage: --port 99999 is out of range")


@pytest.mark.parametrize("out", ["file", "file/below"])
def test_a_file_in_the_place_of_the_output_folder_is_refused(out, capsys):
    """It was 'File exists', with the advice to check the space left."""
    Path("file").write_text("words")
    assert run(["convert", pdf("a.pdf", "words"), "-o", out]) == run(["batch", ".", "-o", out]) == 2
    place = "it" if out == "file" else "file"
    refusal = f"usage: -o {out}: {place} is not a folder; name another, or move the file away"
    assert error_lines(capsys) == 2 * [f"docparse-fast: error: {refusal}"]
    assert run(["verify", "file", "--target", "nano"]) == 1
    assert "not_found: file holds no run.json" in error_lines(capsys)[0]


# ------------------------------------------------------------------------------------------ passwords


@pytest.mark.parametrize("way", ["option", "file", "environment"])
def test_a_password_opens_and_is_written_nowhere(way, monkeypatch, capfd):
    pdf("locked.pdf", "secret words", password="geheim")
    Path("password").write_text("geheim\n")
    monkeypatch.setenv("DOCPARSE_PASSWORD", "geheim" if way == "environment" else "wrong")
    given = {"option": ["--password", "geheim"], "file": ["--password-file", "password"], "environment": []}[way]
    assert convert("locked.pdf", "-vv", *given) == 0
    assert Path("out/locked/page-0001.md").read_text() == "secret words\n"
    written = b"".join(Path("out", name).read_bytes() for name in files()).decode()
    assert "geheim" not in written + "".join(capfd.readouterr())


# ------------------------------------------------------------------------------------------ what is said


def test_progress_is_a_line_a_document_where_there_is_no_terminal(capsys):
    convert(pdf("a.pdf", "one", ""))
    (line,) = error_lines(capsys)
    assert line.startswith("a.pdf: ok, 2 pages (1 blank) in ")
    assert line.endswith(" s -> out/a")


def test_progress_can_be_a_line_per_page(capsys):
    convert(pdf("a.pdf", "one", "two"), "--progress")
    lines = error_lines(capsys)
    assert lines[0].startswith("a.pdf: page 1 (1 of 2): ok, ")
    assert len(lines) == 3


def test_quiet_says_nothing_when_all_is_well(capsys):
    convert(pdf("a.pdf", "one"), "-q")
    assert error_lines(capsys) == []


def test_the_version_is_printed(capsys):
    assert run(["--version"]) == 0
    assert capsys.readouterr().out == f"docparse-fast {__version__}\n"


def test_doctor_reports_what_is_usable(capsys):
    assert run(["doctor", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["drafters"]["text-layer"] == {"usable": True, "error": None}
    assert found["packages"]["pymupdf"] == pymupdf.__version__
    assert found["auto"]["target"] == "none" or found["targets"][found["auto"]["target"]]["here"]
    assert run(["doctor"]) == 0
    assert "text-layer    usable" in capsys.readouterr().out


# ------------------------------------------------------------------------------------------ a real process


def process(*arguments: str, **options: object) -> subprocess.Popen[str]:
    command = [sys.executable, "-m", "docparse_fast", *arguments]
    environment = os.environ | {"PYTHONPATH": str(ROOT)}
    return subprocess.Popen(
        command, text=True, stderr=subprocess.PIPE, stdout=subprocess.PIPE, env=environment, **options
    )


def redirected(arguments: list[str], **streams: object) -> subprocess.Popen[str]:
    command = [sys.executable, "-m", "docparse_fast", *arguments]
    return subprocess.Popen(
        command, text=True, stderr=subprocess.PIPE, env=os.environ | {"PYTHONPATH": str(ROOT)}, **streams
    )


@pytest.mark.parametrize(
    "flags",
    [("--target", "none", "--target", "nano"), ("--pages", "1", "--pages=2"), ("--format", "md", "--format", "json")],
)
def test_a_list_that_is_given_twice_is_refused(flags, capsys):
    """Its last part was taken and the rest left out in silence."""
    assert convert(pdf("a.pdf", "words"), *flags) == 2
    said = f"docparse-fast: error: usage: {flags[0]} is given twice; put its values into one, with commas\n"
    assert (capsys.readouterr().err, files()) == (said, [])


def test_an_interrupted_run_keeps_its_results_and_exits_with_130():
    Path("a.pdf").write_bytes(pages_alike(1000, "page 0"))
    with process("convert", "a.pdf", "-o", "out", "--drafter", "text-layer", "--progress") as running:
        for _ in range(3):
            running.stderr.readline()
        running.send_signal(signal.SIGINT)
        _, said = running.communicate(timeout=60)
    assert running.returncode == 130
    assert "Traceback" not in said
    assert Path("out/a/page-0001.md").read_text() == "page 0\n"
    assert "a/document.md" not in files()
    assert the_run()["status"] == "interrupted"
    assert not any(name.endswith(".part") for name in files())


def test_an_interrupt_that_a_loading_module_swallowed_still_ends_the_run(monkeypatch):
    monkeypatch.setattr(INTERRUPTION, "heard", True)  # and no exception came of it
    assert convert(pdf("a.pdf", "one", "two"), pdf("b.pdf", "three")) == 130
    assert files() == ["a/page-0001.md", "run.json"]
    assert [entry["status"] for entry in the_run()["inputs"]] == ["interrupted", "pending"]


def test_a_closed_pipe_ends_the_run_quietly():
    Path("a.pdf").write_bytes(pages_alike(900, "words" * 20))  # more than a pipe holds
    with process("convert", "a.pdf", "-o", "-", "-q", "--no-join", "--drafter", "text-layer") as running:
        running.stdout.readline()
        running.stdout.close()
        assert running.wait(timeout=60) == -signal.SIGPIPE
        assert running.stderr.read() == ""


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no device that is always full")
@pytest.mark.parametrize("arguments", [["--version"], ["--help"], ["models", "list"], ["convert", "--help"]])
def test_a_full_disk_behind_stdout_gives_one_error_line(arguments):
    with Path("/dev/full").open("w") as full, redirected(arguments, stdout=full) as running:
        _, said = running.communicate(timeout=60)
    assert running.returncode == 1
    assert said.startswith("docparse-fast: error: write_failed: standard output: ") and said.count("\n") == 1


def test_a_list_into_a_closed_pipe_ends_quietly():
    reading, writing = os.pipe()
    os.close(reading)
    with redirected(["models", "list"], stdout=writing) as running:
        os.close(writing)
        assert running.communicate(timeout=60)[1] == ""
    assert running.returncode == 0


def test_messages_into_a_closed_pipe_stop_no_work():
    reading, writing = os.pipe()
    os.close(reading)
    names = [pdf(f"{name}.pdf", "words") for name in "ab"]
    command = [sys.executable, "-m", "docparse_fast", "convert", *names, "-o", "out", "--drafter", "text-layer"]
    assert subprocess.run(command, stderr=writing, env=os.environ | {"PYTHONPATH": str(ROOT)}).returncode == 0
    assert the_run()["status"] == "ok"


def test_markdown_is_printed_in_utf_8_whatever_the_locale():
    plain = {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0", "PYTHONPATH": str(ROOT)}
    command = [sys.executable, "-m", "docparse_fast", "convert", pdf("a.pdf", "café"), "-o", "-", "-q"]
    done = subprocess.run(command, capture_output=True, env=os.environ | plain)
    assert (done.returncode, done.stdout.decode(), done.stderr) == (0, "<!-- page 1 -->\n\ncafé\n", b"")


def test_markdown_for_a_closed_stdout_is_write_failed():
    flags = f"convert {pdf('a.pdf', 'words')} -o - -q --drafter text-layer"
    shell = f'PYTHONPATH="{ROOT}" "{sys.executable}" -m docparse_fast {flags} >&-'
    done = subprocess.run(["sh", "-c", shell], capture_output=True, text=True)
    assert (done.returncode, done.stderr.count("\n")) == (1, 1)
    assert done.stderr.startswith("docparse-fast: error: write_failed: stdout ")


@pytest.mark.parametrize("module", ["docparse_fast.errors", "typer", "typing"])
def test_an_interrupt_while_the_program_loads_leaves_no_traceback(module):
    script = f"""
import runpy, sys
class Interrupting:
    def find_spec(self, name, path=None, target=None):
        if name == {module!r}:
            raise KeyboardInterrupt
sys.meta_path.insert(0, Interrupting())
sys.argv = ["docparse-fast", "--help"]
runpy.run_module("docparse_fast", run_name="__main__")
"""
    command = [sys.executable, "-c", script]
    done = subprocess.run(command, capture_output=True, text=True, env=os.environ | {"PYTHONPATH": str(ROOT)})
    assert (done.returncode, done.stdout, done.stderr) == (130, "", "")


def test_a_command_ends_without_looking_through_what_it_loaded():
    """Python's collector goes through all objects as it ends: a fifth of a small page's time."""
    script = """
import atexit, gc, runpy, sys
atexit.register(lambda: print(gc.get_freeze_count() > 10_000))
sys.argv = ["docparse-fast", "--version"]
runpy.run_module("docparse_fast", run_name="__main__")
"""
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines()[1:] == ["True"]


def test_an_interrupt_while_an_object_is_cleared_away_leaves_no_traceback():
    script = """
import os, signal
from docparse_fast.cli.interruption import INTERRUPTION
INTERRUPTION.listen()
class Cleared:
    def __del__(self):
        os.kill(os.getpid(), signal.SIGINT)
        len("Python hears it here")
Cleared()
print(INTERRUPTION.heard)
"""
    environment = os.environ | {"PYTHONPATH": str(ROOT)}
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, env=environment)
    assert (done.returncode, done.stdout, done.stderr) == (0, "True\n", "")


def test_an_interrupt_that_a_loading_module_turned_into_its_own_error_is_an_interrupt(monkeypatch):
    def load(*ignored):
        raise ImportError("numpy: import failed")

    monkeypatch.setattr(INTERRUPTION, "heard", True)
    monkeypatch.setattr("docparse_fast.run.inputs.find_inputs", load)
    assert convert(pdf("a.pdf", "one")) == 130


@pytest.mark.parametrize("command", ["convert", "batch"])
def test_a_command_works_with_all_streams_closed(command):
    """The next opened files get the numbers 0 to 2; messages must not be written to them."""
    document = pdf("in/a.pdf", "words")
    flags = f"{command} {document if command == 'convert' else 'in'} -o out --drafter text-layer --target none"
    shell = f'PYTHONPATH="{ROOT}" "{sys.executable}" -m docparse_fast {flags} <&- >&- 2>&-'
    assert subprocess.run(["sh", "-c", shell], timeout=120).returncode == 0
    (page,) = Path("out").rglob("page-0001.md")
    assert page.read_text() == "words\n"


def test_a_folder_named_with_a_slash_is_shown_with_one(tmp_path, capsys):
    assert run(["convert", str(ROOT / "samples/slide.pdf"), "-o", f"{tmp_path}/out/", "--target", "none"]) == 0
    assert f"-> {tmp_path}/out/slide\n" in capsys.readouterr().err


def test_a_file_s_name_is_text_wherever_it_is_shown(capfd):
    names = [
        "<script>alert(1)<",
        "a\x1b[2Jb",
        "x\n\n# y",
        "--help",
        "a--><b>",
        "\u202egnp",
        "[x](javascript:1)",
        "a\udcffb",
    ]
    Path("in").mkdir()
    data = Path(pdf("one.pdf", "words")).read_bytes()
    for name in names:
        Path("in", f"{name}.pdf").write_bytes(data)
    assert run(["convert", "in", "-o", "out", "--target", "none", "--format", "md,json,html"]) == 0
    said = capfd.readouterr().err
    assert len(said.splitlines()) == len(names)
    assert run(["convert", "in", "-o", "-", "--target", "none", "-q"]) == 0
    printed = capfd.readouterr().out
    assert [char for char in said + printed if char != "\n" and not char.isprintable()] == []
    assert re.findall(r"^<!--(?:(?!-->).)*-->$", printed, re.MULTILINE) == re.findall(r"^<!--.*", printed, re.MULTILINE)
    assert len(re.findall(r"^#", printed, re.MULTILINE)) == 0


@pytest.mark.parametrize("name", SUMMARIES)
def test_the_list_of_commands_says_what_each_says_of_itself(name):
    """It is written down twice, so that --help needs none of them: loading all took twice as long."""
    command = Commands(name="docparse-fast").get_command(None, name)
    assert command.get_short_help_str(limit=100) == SUMMARIES[name]


def test_help_imports_few_modules():
    """Imports take nearly all of its time: 155 modules with Python's own, 270 with numpy."""
    listing = "import sys; from docparse_fast.cli import run; run(['--help']); print(len(sys.modules), file=sys.stderr)"
    done = subprocess.run([sys.executable, "-c", listing], capture_output=True, text=True, check=True)
    assert int(done.stderr) < MOST_MODULES_FOR_HELP


@pytest.mark.parametrize(
    "command",
    [
        [],
        ["convert"],
        ["batch"],
        ["verify"],
        ["proofread"],
        ["review"],
        ["mcp"],
        ["watch"],
        ["doctor"],
        ["completion"],
        ["bench"],
        ["bench", "run"],
        ["bench", "reproduce"],
        ["bench", "engine"],
        ["bench", "enlarge"],
        ["bench", "gpu-day"],
        ["serve"],
    ],
    ids=lambda words: "-".join(words) or "all",
)
def test_help_matches_its_golden_file(command, monkeypatch, capsys, golden):
    monkeypatch.setenv("COLUMNS", "100")
    own = [panel for panel in panels(command, capsys) if not panel.startswith(SHARED)]
    golden(GOLDEN / "help" / f"{'-'.join(command) or 'docparse-fast'}.txt", "\n\n".join(own))


@pytest.mark.parametrize("title", SHARED)
def test_help_on_shared_options_matches_its_golden_file(title, monkeypatch, capsys, golden):
    monkeypatch.setenv("COLUMNS", "100")
    (panel,) = (panel for panel in panels(["convert"], capsys) if panel.startswith(title))
    golden(GOLDEN / "help" / f"panel-{title.rstrip(':').lower().replace(' ', '-')}.txt", panel.rstrip() + "\n")


@pytest.mark.parametrize("command", [["batch"], ["verify"], ["bench", "run"]])
def test_help_on_shared_options_is_the_same_in_each_command(command, capsys):
    of_convert = panels(["convert"], capsys)
    shared = [panel for panel in panels(command, capsys) if panel.startswith("Target:")]
    assert len(shared) == 1
    assert shared[0] in of_convert


def panels(command: list[str], capsys) -> list[str]:
    """The parts of a command's help."""
    assert run([*command, "--help"]) == 0
    return capsys.readouterr().out.split("\n\n")
