"""Standard input as a document, standard output as its place, and what a shell asks at the Tab key."""

from __future__ import annotations

import io
import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
from pathlib import Path

import pymupdf
import pytest
from page_files import pages_alike

from docparse_fast.cli import run

TEXT_LAYER = ("--drafter", "text-layer", "--target", "none")


@pytest.fixture(autouse=True)
def here(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    kept = tmp_path / "temporary"
    kept.mkdir()
    monkeypatch.setenv("TMPDIR", str(kept))
    monkeypatch.setattr(tempfile, "tempdir", None)
    return tmp_path


def pdf(*pages: str) -> bytes:
    with pymupdf.open() as document:
        for words in pages:
            document.new_page().insert_text((72, 72), words)
        return document.tobytes()


def convert_from_stdin(data: bytes, monkeypatch, *arguments: str) -> int:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(data)))
    return run(["convert", "-", *arguments, "-q", *TEXT_LAYER])


def test_a_document_is_read_from_standard_input(monkeypatch):
    assert convert_from_stdin(pdf("one", "two"), monkeypatch, "-o", "out", "--pages", "2") == 0
    assert Path("out/stdin/page-0002.md").read_text() == "two\n"
    (entry,) = json.loads(Path("out/run.json").read_text())["inputs"]
    assert (entry["input"], entry["pages"]) == ("-", 1)
    assert list(Path("temporary").iterdir()) == []


def test_a_file_is_read_where_no_temporary_folder_can_be_made(monkeypatch):
    monkeypatch.setattr(tempfile, "mkdtemp", lambda *_: (_ for _ in ()).throw(FileNotFoundError("none")))
    Path("a.pdf").write_bytes(pdf("one"))
    assert run(["convert", "a.pdf", "-o", "out", "-q", *TEXT_LAYER]) == 0


def test_standard_input_named_twice_is_read_once(monkeypatch):
    assert convert_from_stdin(pdf("one"), monkeypatch, "-", "-o", "out") == 0
    assert len(json.loads(Path("out/run.json").read_text())["inputs"]) == 1


@pytest.mark.parametrize(
    ("data", "arguments", "code", "line"),
    [
        (b"", (), 1, "empty: - has no content"),
        (b"words", (), 1, "unsupported: - is none of PDF"),
        (pdf("one"), ("--pages", "7"), 2, "usage: --pages 7 is out of range: - has 1 page"),
    ],
)
def test_an_error_names_standard_input_and_no_temporary_file(data, arguments, code, line, monkeypatch, capsys):
    assert convert_from_stdin(data, monkeypatch, "-o", "out", *arguments) == code
    assert capsys.readouterr().err.startswith(f"docparse-fast: error: {line}")


def test_a_time_limit_holds_for_standard_input_too(monkeypatch):
    assert convert_from_stdin(pdf("one"), monkeypatch, "-o", "out", "--doc-timeout", "60") == 0
    assert Path("out/stdin/page-0001.md").read_text() == "one\n"


def test_json_is_printed_as_it_would_be_written(monkeypatch, capsys):
    Path("a.pdf").write_bytes(pdf("one", "two"))
    assert run(["convert", "a.pdf", "-o", "-", "-q", "--format", "json", *TEXT_LAYER]) == 0
    printed = json.loads(capsys.readouterr().out)
    assert run(["convert", "a.pdf", "-o", "out", "-q", "--format", "json", *TEXT_LAYER]) == 0
    written = json.loads(Path("out/a/document.json").read_text())
    for page in (*printed["pages"], *written["pages"]):
        del page["seconds"]
    assert printed == written


def test_markdown_is_printed_as_it_would_be_written(capsys):
    Path("a.pdf").write_bytes(pdf("a sentence that goes on and on without an", "end to be seen, or nearly so."))
    assert run(["convert", "a.pdf", "-o", "-", "-q", *TEXT_LAYER]) == 0
    assert run(["convert", "a.pdf", "-o", "out", "-q", *TEXT_LAYER]) == 0
    printed = capsys.readouterr().out
    assert printed == Path("out/a/document.md").read_text()
    assert "without an end to be seen" in printed


def test_blocks_are_printed_a_line_each(capsys):
    Path("a.pdf").write_bytes(pdf("one", "", "three"))
    assert run(["convert", "a.pdf", "-o", "-", "-q", "--json-lines", *TEXT_LAYER]) == 0
    lines = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [(line["page"], line["block"], line.get("text"), line["status"]) for line in lines] == [
        (1, 0, "one", "ok"),
        (2, None, None, "blank"),
        (3, 0, "three", "ok"),
    ]


@pytest.mark.parametrize(
    "arguments", [("-o", "out", "--json-lines"), ("-o", "-", "--format", "html"), ("-o", "-", "--format", "md,html")]
)
def test_what_can_not_be_printed_is_refused(arguments, capsys):
    assert run(["convert", "a.pdf", *arguments]) == 2
    assert capsys.readouterr().err.startswith("docparse-fast: error: usage: ")


def test_a_reader_that_leaves_costs_no_temporary_file():
    data = pages_alike(1500, "words" * 20)
    command = [sys.executable, "-m", "docparse_fast", "convert", "-", "-o", "-", "-q", "--no-join", *TEXT_LAYER]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as running:
        running.stdin.write(data)
        running.stdin.close()
        running.stdout.readline()
        running.stdout.close()
        assert running.wait(timeout=60) == -signal.SIGPIPE
        assert running.stderr.read() == b""
    assert list(Path("temporary").iterdir()) == []


def test_printing_leaves_a_broken_socket_an_error_that_can_be_caught(capsys):
    """SIGPIPE's default action would end the program where a server hangs up."""
    Path("a.pdf").write_bytes(pdf("one"))
    assert run(["convert", "a.pdf", "-o", "-", "-q", *TEXT_LAYER]) == 0
    ours, theirs = socket.socketpair()
    theirs.close()
    with ours, pytest.raises(BrokenPipeError):
        ours.sendall(b"x" * 1000)


# -------------------------------------------------------------------------------------------- shells


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (["conv"], ["convert"]),
        (["convert", "--keep"], ["--keep-furniture", "--keep-flattened"]),
        (["convert", "--format", "md,j"], ["md,json"]),
        (["models", "ver"], ["verify"]),
    ],
)
def test_bash_completes_commands_options_and_values(words, expected):
    bash = shutil.which("bash")
    if bash is None:
        pytest.skip("no bash here")
    program = Path("docparse-fast")
    program.write_text(f'#!/bin/sh\nexec {sys.executable} -m docparse_fast "$@"\n')
    program.chmod(0o755)
    typed = " ".join(["docparse-fast", *words])
    script = (
        f'eval "$(docparse-fast completion bash)"; COMP_WORDS=({typed}); COMP_CWORD={len(words)}; '
        '_docparse_fast_completion docparse-fast; printf "%s\\n" "${COMPREPLY[@]}"'
    )
    environment = os.environ | {"PATH": f"{Path.cwd()}:{os.environ['PATH']}"}
    done = subprocess.run([bash, "-c", script], env=environment, capture_output=True, text=True, check=True)
    assert done.stdout.split() == expected


def test_a_shell_that_is_not_known_is_refused(capsys):
    assert run(["completion", "tcsh"]) == 2
    assert "SHELL 'tcsh' is not one of bash, zsh, fish" in capsys.readouterr().err


@pytest.mark.parametrize("command", [[], ["convert"], ["batch"], ["bench", "run"], ["models"]])
def test_h_is_help(command, capsys):
    assert run([*command, "-h"]) == 0
    short = capsys.readouterr().out
    assert run([*command, "--help"]) == 0
    assert capsys.readouterr().out == short


# -------------------------------------------------------------------------------------------- addresses


def test_an_address_is_not_fetched_unless_that_is_allowed(capsys):
    assert run(["convert", "https://example.org/a.pdf?token=5", "-o", "out", "-q"]) == 2
    line = capsys.readouterr().err
    assert line == (
        "docparse-fast: error: usage: https://example.org/a.pdf would have to be fetched; allow it with --allow-net\n"
    )


@pytest.mark.parametrize("url", ["s3://box/a.pdf", "ftp://example.org/a.pdf", "FILE:///tmp/a.pdf"])
def test_other_addresses_are_refused_as_such(url, capsys):
    """ "ftp:/example.org/a.pdf does not exist", it said."""
    assert run(["convert", url, "-o", "out", "--allow-net"]) == 2
    line = f"docparse-fast: error: usage: {url}: only http and https are fetched; name a local file\n"
    assert capsys.readouterr().err == line


def test_an_address_that_is_refused_fails_alone(capsys):
    Path("a.pdf").write_bytes(pdf("one"))
    arguments = ["a.pdf", "http://127.0.0.1:9/b.pdf", "-o", "out", "-q", "--allow-net", *TEXT_LAYER]
    assert run(["convert", *arguments]) == 3
    assert "error: unsupported: http://127.0.0.1:9/b.pdf leads to a private address" in capsys.readouterr().err
    entries = json.loads(Path("out/run.json").read_text())["inputs"]
    assert [(entry["input"], entry["output"], entry["status"]) for entry in entries] == [
        ("a.pdf", "a", "ok"),
        ("http://127.0.0.1:9/b.pdf", "b", "failed"),
    ]


def test_offline_and_allow_net_exclude_each_other():
    assert run(["convert", "a.pdf", "-o", "out", "--allow-net", "--offline"]) == 2


def test_a_fetched_document_is_read_and_its_file_removed(monkeypatch):
    monkeypatch.setattr(
        "docparse_fast.run.fetching.Fetcher.fetch", lambda self, url, to: to.write_bytes(pdf("one")) and None
    )
    assert run(["convert", "https://example.org/x/a.pdf?b=1", "-o", "out", "-q", "--allow-net", *TEXT_LAYER]) == 0
    assert Path("out/a/page-0001.md").read_text() == "one\n"
    assert json.loads(Path("out/a/document.json").read_text())["source"]["name"] == "https://example.org/x/a.pdf"
    assert list(Path("temporary").iterdir()) == []
