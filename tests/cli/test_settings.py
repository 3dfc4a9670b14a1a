"""Options from docparse-fast.toml and the environment, lists of inputs, dry runs, the summary."""

from __future__ import annotations

import io
import json
import sys
from pathlib import Path

import pytest
from page_files import pdf

from docparse_fast.cli import run
from docparse_fast.cli.settings import FILE, NAMED


@pytest.fixture(autouse=True)
def here(tmp_path, monkeypatch):
    (tmp_path / "work").mkdir()
    monkeypatch.chdir(tmp_path / "work")
    return tmp_path


def convert(*arguments: str) -> int:
    return run(["convert", *arguments, "-o", "out", "--target", "none", "-q"])


def dpi_used() -> int:
    return json.loads(Path("out/run.json").read_text())["options"]["dpi"]


def listing(*names: str) -> None:
    Path("list").write_text("\n".join(names) + "\n")


# ------------------------------------------------------------------------------------------- precedence


def test_the_command_line_wins_over_the_environment_and_that_over_the_file(monkeypatch):
    pdf("a.pdf", "words")
    seen = []
    Path(FILE).write_text("dpi = 100\n[batch]\ndpi = 300\n")
    convert("a.pdf")
    seen.append(dpi_used())
    Path(FILE).write_text("dpi = 100\n[convert]\ndpi = 110\n")
    convert("a.pdf")
    seen.append(dpi_used())
    monkeypatch.setenv("DOCPARSE_FAST_DPI", "120")
    convert("a.pdf")
    seen.append(dpi_used())
    convert("a.pdf", "--dpi", "130")
    assert [*seen, dpi_used()] == [100, 110, 120, 130]


def test_the_file_is_found_above_or_named_and_an_empty_name_means_none(here, monkeypatch):
    pdf("a.pdf", "words")
    (here / FILE).write_text("dpi = 100")
    convert("a.pdf")
    assert dpi_used() == 100
    (here / "other.toml").write_text("dpi = 101")
    monkeypatch.setenv(NAMED, str(here / "other.toml"))
    convert("a.pdf")
    assert dpi_used() == 101
    monkeypatch.setenv(NAMED, "")
    convert("a.pdf")
    assert dpi_used() == 200


@pytest.mark.usefixtures("workers_nearby")
def test_lists_switches_and_dashes_are_understood():
    pdf("in/a.pdf", "words")
    pdf("in/b.pdf", "words")
    Path(FILE).write_text('format = ["md", "chunks"]\nkeep-furniture = true\n[batch]\ninclude = ["a*"]\njobs = 1\n')
    assert run(["batch", "in", "-o", "out", "--target", "none", "-q"]) == 0
    options = json.loads(Path("out/run.json").read_text())["options"]
    assert (options["format"], options["keep_furniture"]) == (["md", "chunks"], True)
    assert [path.name for path in Path("out").iterdir() if path.is_dir() and path.name[0] != "."] == ["a"]


@pytest.mark.parametrize(
    ("said", "error"),
    [
        ("dip = 100", "sets dip, which is no option; did you mean dpi?"),
        ("[convrt]\ndpi = 100", "[convrt] in "),
        ("[convert]\njobs = 2", "sets jobs, which is no option"),
        ("dpi = 9", "--dpi 9 is out of range (set by "),
        ('dpi = "many"', "(set by "),
        ("dpi =", "is no TOML"),
        ('password = "geheim"', "holds a password"),
        ("allow-net = true", "and was only found"),
        ('[service]\nhost = "0.0.0.0"', "and was only found"),
        ('[service]\ntoken-file = "/etc/passwd"', "and was only found"),
        ('target = "https://example.org/v1"', "and was only found"),
        ('target = ["http://a:1", "http://b:1"]', "and was only found"),
    ],
)
def test_what_a_file_may_not_say_is_one_line(said, error, capsys):
    pdf("a.pdf", "words")
    Path(FILE).write_text(said)
    assert run(["convert", "a.pdf", "-o", "out"]) == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert line.startswith("docparse-fast: error: usage: ")
    assert error in line
    assert not Path("out").exists()


def test_a_variable_that_is_no_option_is_refused(monkeypatch, capsys):
    monkeypatch.setenv("DOCPARSE_FAST_DIP", "100")
    assert convert(pdf("a.pdf", "words")) == 2
    assert "DOCPARSE_FAST_DIP sets dip, which is no option; did you mean dpi?" in capsys.readouterr().err


def test_a_file_that_was_named_may_name_a_server(monkeypatch, capsys):
    Path("mine.toml").write_text('target = "http://127.0.0.1:9/v1"')
    monkeypatch.setenv(NAMED, "mine.toml")
    assert run(["convert", pdf("a.pdf", "words"), "-o", "out"]) == 1
    assert "model_missing" in capsys.readouterr().err


def test_config_shows_what_is_set_and_where(monkeypatch, capsys):
    Path(FILE).write_text('tables = "pipe"\n[batch]\njobs = 2\n')
    monkeypatch.setenv("DOCPARSE_FAST_DPI", "120")
    assert run(["config", "--set"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert sorted(lines) == ["dpi = 120  # DOCPARSE_FAST_DPI", f'tables = "pipe"  # {Path(FILE).absolute()}']
    assert run(["config", "batch"]) == 0
    shown = capsys.readouterr().out
    assert f"jobs = 2  # {Path(FILE).absolute()}" in shown
    assert 'fail_on = "partial"  # default' in shown
    assert "password =" not in shown


@pytest.mark.parametrize("command", ["service", "mcp"])
def test_what_serves_documents_takes_its_options_from_the_same_places(command, monkeypatch, capsys):
    Path(FILE).write_text(f"dpi = 100\nmax-pages = 20\n[{command}]\ndpi = 110\n")
    monkeypatch.setenv("DOCPARSE_FAST_MAX_PAGES", "30")
    assert run(["config", command, "--set"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert sorted(lines) == [f"dpi = 110  # {Path(FILE).absolute()}", "max_pages = 30  # DOCPARSE_FAST_MAX_PAGES"]


def test_a_service_obeys_its_file_and_says_where_a_wrong_value_stands(capsys):
    Path(FILE).write_text("[service]\nport = 99999\n")
    assert run(["service", "spool"]) == 2
    assert f"--port 99999 is out of range (set by {Path(FILE).absolute()})" in capsys.readouterr().err


def test_what_a_container_of_kubernetes_finds_in_its_environment_is_no_option(monkeypatch, capsys):
    """A service named docparse-fast gives each container these, and a secret its token."""
    there = {"SERVICE_HOST": "10.0.0.9", "SERVICE_PORT": "8180", "SERVICE_PORT_HTTP": "8180"}
    there |= {"PORT": "tcp://10.0.0.9:8180", "PORT_8180_TCP": "tcp://10.0.0.9:8180", "PORT_8180_TCP_PROTO": "tcp"}
    for name, value in (there | {"TOKEN": "a token of sixteen letters"}).items():
        monkeypatch.setenv(f"DOCPARSE_FAST_{name}", value)
    assert run(["config", "service", "--set"]) == 0
    assert capsys.readouterr().out == ""
    monkeypatch.setenv("DOCPARSE_FAST_PORT", "8181")
    assert run(["config", "service", "--set"]) == 0
    assert capsys.readouterr().out == "port = 8181  # DOCPARSE_FAST_PORT\n"


# ------------------------------------------------------------------------------------- lists, dry runs, summary


def test_names_come_from_a_list_and_from_standard_input(monkeypatch):
    for name in ("a", "b", "c"):
        pdf(f"{name}.pdf", "words")
    listing("a.pdf", "", "b.pdf")
    assert convert("c.pdf", "--files-from", "list") == 0
    assert {path.name for path in Path("out").iterdir()} == {"a", "b", "c", "run.json"}
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"a.pdf\0b.pdf\0")))
    assert convert("--files-from", "-") == 0
    assert len(json.loads(Path("out/run.json").read_text())["inputs"]) == 2


@pytest.mark.parametrize("said", [None, "\n"])
def test_a_list_that_names_nothing_is_a_usage_error(said, capsys):
    if said:
        Path("list").write_text(said)
    assert convert("--files-from", "list") == 2
    assert convert() == 2
    assert "no input is named" in capsys.readouterr().err


@pytest.mark.usefixtures("workers_nearby")
def test_a_batch_takes_those_of_its_folder_that_are_listed(capsys):
    for name in ("a", "b"):
        pdf(f"in/{name}.pdf", "words")
    pdf("other.pdf", "words")
    command = ["batch", "in", "-o", "out", "--target", "none", "-q", "--jobs", "1", "--files-from", "list"]
    listing("in/b.pdf")
    assert run(command) == 0
    assert [entry["input"] for entry in json.loads(Path("out/run.json").read_text())["inputs"]] == ["in/b.pdf"]
    listing("other.pdf")
    assert run(command) == 2
    assert "other.pdf is no document in in" in capsys.readouterr().err


def test_a_dry_run_says_what_would_be_read_and_writes_nothing(capsys):
    pdf("a.pdf", "one", "two")
    Path("broken.pdf").write_bytes(b"%PDF-1.4 and then nothing")
    before = sorted(Path().rglob("*"))
    assert convert("a.pdf", "broken.pdf", "--dry-run", "--pages", "1") == 3
    said = capsys.readouterr()
    assert said.out.splitlines()[0] == "a.pdf: 1 page -> out/a"
    assert said.out.splitlines()[1].startswith("2 documents with 1 page to read, ")
    assert "1 can't be opened" in said.out
    assert "corrupt: broken.pdf" in said.err
    assert sorted(Path().rglob("*")) == before


@pytest.mark.usefixtures("workers_nearby")
def test_a_batchs_dry_run_knows_what_is_done(capsys):
    pdf("in/a.pdf", "one")
    command = ["batch", "in", "-o", "out", "--target", "none", "-q", "--jobs", "1"]
    assert run(command) == 0
    pdf("in/b.pdf", "one", "two", "three")
    capsys.readouterr()
    before = {path: path.stat().st_mtime_ns for path in Path("out").rglob("*")}
    assert run([*command, "--dry-run"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[:2] == ["in/a.pdf: done -> out/a", "in/b.pdf: 3 pages -> out/b"]
    assert lines[2].startswith("1 document with 3 pages to read, ")
    assert "1 done; about " in lines[2]
    assert {path: path.stat().st_mtime_ns for path in Path("out").rglob("*")} == before


def test_the_summary_is_one_line_of_json(capsys):
    pdf("a.pdf", "words")
    Path("broken.pdf").write_bytes(b"%PDF-1.4 and then nothing")
    assert convert("a.pdf", "broken.pdf", "--summary") == 3
    (line,) = capsys.readouterr().out.splitlines()
    said = json.loads(line)
    assert (said["event"], said["status"], said["exit_code"]) == ("run_done", "partial", 3)
    assert said["document_status"] == {"failed": 1, "ok": 1}
    (page,) = json.loads(Path("out/a/document.json").read_text())["pages"]
    assert said["stage_seconds"] == pytest.approx(page["seconds"], abs=0.001)


def test_the_summary_does_not_share_stdout(capsys):
    assert run(["convert", pdf("a.pdf", "words"), "-o", "-", "--summary"]) == 2
    assert "both print to stdout" in capsys.readouterr().err


def test_a_file_of_options_cannot_ask_for_a_loaded_process_and_says_what_can(capsys):
    pdf("a.pdf", "words")
    Path(FILE).write_text("warm = true")
    assert convert("a.pdf") == 2
    assert "sets warm, which is read before it; DOCPARSE_FAST_WARM=1 sets it" in capsys.readouterr().err
