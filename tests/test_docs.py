"""Tests the commands in README and docs: valid shell, existing options; runs those that can run."""

from __future__ import annotations

import ast
import doctest
import importlib
import json
import os
import re
import shlex
import subprocess
import sys
import tomllib
from functools import cache
from itertools import takewhile
from pathlib import Path

import pytest

from docparse_fast.cli import run
from docparse_fast.errors import DocparseError
from docparse_fast.system.files import NOTES

ROOT = Path(__file__).parents[1]
PAGES = (
    *("README.md", "CONTRIBUTING.md", "CHANGELOG.md", "docs/skill/SKILL.md", "docs/figures/README.md"),
    *sorted(f"docs/{path.name}" for path in (ROOT / "docs").glob("*.md")),
)
OUTPUT, KEYS = ROOT / "docs/output.md", ROOT / "docs/keys.md"
BLOCK = re.compile(r"```(\w*)\n(.*?)```", re.DOTALL)
PROGRAM = re.compile(
    r"docparse-fast ((?:convert|batch|watch|verify|proofread|review|mcp|models|doctor|serve|bench)\b[^|;&\n]*)"
)
THEIRS = "pdf_validation.py"  # a script of a data set
SCRIPT = re.compile(r"(?<![\w/])((?:scripts/)?(?:\w+/)*\w+\.py|scripts/\w+)((?: [^|;&\n]*)?)")


def blocks(language: str) -> list[tuple[str, str]]:
    found = [(page, block) for page in PAGES for block in BLOCK.findall((ROOT / page).read_text("utf-8"))]
    return [(page, text) for page, (kind, text) in found if kind == language]


def code() -> list[tuple[str, str]]:
    """All that is set as code: in fences, by indent and within lines."""
    found = []
    for page in PAGES:
        text = (ROOT / page).read_text("utf-8")
        found += [(page, block) for language, block in BLOCK.findall(text) if language in ("sh", "yaml", "")]
        text = BLOCK.sub("", text)
        found += [(page, line) for line in re.findall(r"^    (.*)$", text, re.MULTILINE)]
        found += [(page, " ".join(words.split())) for words in re.findall(r"`([^`]+)`", text)]
    files = ("docs/Dockerfile", "docs/docparse-fast-watch.service", ".ci/release.yml")
    return [*found, *((name, (ROOT / name).read_text("utf-8")) for name in files)]


def commands() -> list[str]:
    """Every call of docparse-fast in shell, YAML, cron or a sentence, up to the next command or a comment."""
    found = {re.split(r" {3,}| # ", call)[0].rstrip() for _, text in code() for call in PROGRAM.findall(text)}
    return sorted(found)


def scripts() -> list[tuple[str, str]]:
    """Every script that is named or called, with its words."""
    return sorted({call for _, text in code() for call in SCRIPT.findall(text) if call[0] != THEIRS})


@pytest.mark.parametrize("page", sorted(path.name for path in (ROOT / "docs").glob("*.md")))
def test_every_page_begins_with_what_it_is_for(page):
    assert (ROOT / "docs" / page).read_text("utf-8").split("\n\n")[1].startswith("What this page is for: ")


def test_the_index_names_every_page():
    index = (ROOT / "docs/index.md").read_text("utf-8")
    pages = {path.name for path in (ROOT / "docs").glob("*.md")} - {"index.md"}
    assert set(re.findall(r"\]\(([\w-]+\.md)\)", index)) == pages


LOG = sorted((ROOT / "docs/log").glob("*.md"))


def test_the_log_names_every_page_of_it():
    named = re.findall(r"\]\(log/([\w-]+\.md)\)", (ROOT / "docs/log.md").read_text("utf-8"))
    assert sorted(named) == [path.name for path in LOG]


@pytest.mark.parametrize("path", LOG, ids=lambda path: path.stem)
def test_a_page_of_the_log_is_read_in_minutes(path):
    """Past it older entries are told shorter; their history has them whole."""
    assert len(path.read_text("utf-8").split()) <= 1500


@pytest.mark.parametrize("path", LOG, ids=lambda path: path.stem)
def test_every_part_of_the_log_is_dated_and_the_newest_is_first(path):
    dates = [title[3:13] for title in path.read_text("utf-8").splitlines() if title.startswith("## ")]
    assert [date for date in dates if not re.fullmatch(r"20\d\d-\d\d-\d\d", date)] == []
    assert dates == sorted(dates, reverse=True)


def test_every_link_to_a_file_leads_somewhere():
    for page in (ROOT / "README.md", *(ROOT / "docs").rglob("*.md")):
        for link in re.findall(r"\]\(([^)#]+)[^)]*\)", page.read_text("utf-8")):
            assert "://" in link or "..." in link or (page.parent / link).exists(), f"{page.name}: {link}"


def test_there_are_commands_to_try():
    assert len(commands()) >= 8


def calls() -> dict[tuple[str, ...], list[list[str]]]:
    """Of each command, in words; what follows `--` is vLLM's."""
    found: dict[tuple[str, ...], list[list[str]]] = {}
    for call in commands():
        words = list(takewhile(lambda word: word != "--", shlex.split(call)))
        name = tuple(words[: 2 if words[0] in ("models", "bench") else 1])
        found.setdefault(name, []).append(words)
    return found


@pytest.mark.parametrize("name", calls(), ids=" ".join)
def test_every_option_exists(name, capsys):
    assert run([*name, "--help"]) == 0
    said = capsys.readouterr().out
    for option in {word for words in calls()[name] for word in words if re.match(r"--?[a-z]", word)}:
        assert re.search(rf"(?<![\w-]){re.escape(option)}(?![\w-])", said), f"{option} is not in the help of {name}"


@cache
def sources() -> list[Path]:
    folders = (ROOT / "scripts", ROOT / "docparse_fast", ROOT / "tests")
    return [path for folder in folders for path in folder.rglob("*")]


@pytest.mark.parametrize(("script", "words"), scripts())
def test_every_file_of_code_exists_and_every_script_has_the_options(script, words):
    found = [path for path in sources() if path.as_posix().endswith(f"/{script}")]
    assert found, script
    if script != "scripts/test":  # pytest's options
        files = [*found[0].glob("*.py")] if found[0].is_dir() else [found[0]]
        files += [
            found[0].parent / f"{name}.py"
            for path in files
            for name in re.findall(r"^from (\w+) im", path.read_text(), re.M)
        ]
        source = "".join(path.read_text("utf-8") for path in files if path.is_file())
        options = set(re.findall(r"(?<= )--[a-z][\w-]*", words)) - {"--help"}
        assert {option for option in options if f'"{option}"' not in source} == set()


def test_every_option_that_is_named_alone_is_one_of_ours():
    options = r"(?<![\w-])--[a-z][\w-]*"
    man_page = (ROOT / "docparse_fast/data/docparse-fast.1").read_text("utf-8").replace("\\-", "-")
    ours = set(re.findall(options, man_page))
    for script in (ROOT / "scripts").rglob("*.py"):
        ours |= set(re.findall(f'"({options})"', script.read_text("utf-8")))
    named = {option for _, text in code() if text.startswith("--") for option in re.findall(options, text)}
    assert named - ours == set()


FRAMEWORKS = ("langchain_core", "llama_index")  # of others, large: their pages' tests run where they are installed


@pytest.mark.parametrize(("page", "text"), blocks("python"))
def test_every_python_block_imports_what_there_is(page, text):
    for imported in (node for node in ast.walk(ast.parse(text)) if isinstance(node, ast.ImportFrom)):
        root = imported.module.partition(".")[0]
        module = (
            pytest.importorskip(imported.module) if root in FRAMEWORKS else importlib.import_module(imported.module)
        )
        assert [name.name for name in imported.names if not hasattr(module, name.name)] == []


@pytest.mark.parametrize(("page", "text"), blocks("sh"))
def test_every_shell_block_is_sound(page, text):
    done = subprocess.run(["sh", "-n"], input=text, text=True, capture_output=True)
    assert (done.returncode, done.stderr) == (0, "")


@pytest.fixture
def shell(tmp_path):
    """A newcomer's shell: it has docparse-fast, two documents and a bad one; nothing has been measured yet."""
    program = tmp_path / "bin" / "docparse-fast"
    program.parent.mkdir()
    program.write_text(f'#!/bin/sh\nexec {shlex.quote(sys.executable)} -m docparse_fast "$@"\n')
    program.chmod(0o755)
    scans = tmp_path / "scans"
    scans.mkdir()
    for name in ("slide.pdf", "-leading dash.pdf"):
        (scans / name).write_bytes((ROOT / "samples" / "slide.pdf").read_bytes())
    (scans / "broken.pdf").write_bytes(b"%PDF-1.7\n")
    environment = {"SCANS": str(scans), "OUT": str(tmp_path / "out"), "PYTHONPATH": str(ROOT)}
    environment["XDG_CACHE_HOME"] = str(tmp_path / "cache")
    environment["PATH"] = f"{program.parent}:{Path(sys.executable).parent}:{os.environ['PATH']}"

    def call(text: str) -> subprocess.CompletedProcess:
        return subprocess.run(
            ["sh", "-c", text], env=os.environ | environment, cwd=tmp_path, capture_output=True, text=True, timeout=300
        )

    return call


def test_readmes_example_is_what_comes_out(shell, tmp_path):
    """The seconds apart."""
    (tmp_path / "samples").symlink_to(ROOT / "samples")
    [command] = [text for page, text in blocks("sh") if page == "README.md" and "scanned-table.pdf" in text]
    [markdown] = [text for page, text in blocks("markdown") if page == "README.md"]
    said = [text for page, text in blocks("") if page == "README.md" and "scanned-table" in text]
    done = shell(command)
    assert done.returncode == 0, done.stderr
    assert re.sub(r"[\d.]+ s", "", done.stderr + done.stdout) == re.sub(r"[\d.]+ s", "", said[0])
    assert (tmp_path / "out/scanned-table/page-0001.md").read_text("utf-8") == markdown


def test_readmes_python_says_what_it_says(monkeypatch):
    [session] = [text for page, text in blocks("pycon") if page == "README.md"]
    monkeypatch.chdir(ROOT)
    example = doctest.DocTestParser().get_doctest(session, {}, "README.md", "README.md", 0)
    assert doctest.DocTestRunner(verbose=False).run(example) == (0, len(example.examples))


@pytest.mark.parametrize(("name", "least"), [("python.md", 20), ("retrieval.md", 8)])
def test_pages_with_python_say_what_it_says(monkeypatch, name, least):
    session = "\n".join(text for page, text in blocks("pycon") if page.endswith(name))
    monkeypatch.chdir(ROOT)
    example = doctest.DocTestParser().get_doctest(session, {}, name, name, 0)
    assert len(example.examples) > least
    assert doctest.DocTestRunner(verbose=False).run(example) == (0, len(example.examples))


def block_with(words: str) -> str:
    (text,) = [text for _, text in blocks("sh") if words in text]
    return text


def test_the_script_tells_codes_apart_and_names_what_failed(shell):
    done = shell(block_with("case $code in"))
    assert done.returncode == 0, done.stderr
    assert "read in part; see " in done.stdout
    assert done.stdout.splitlines()[-1].endswith("broken.pdf corrupt")


def test_the_loop_counts_what_failed(shell, tmp_path):
    done = shell(block_with('for file in "$SCANS"'))
    assert (done.returncode, done.stdout.splitlines()[-1]) == (0, "1 failed")
    assert (tmp_path / "out" / "-leading dash" / "document.md").is_file()


def test_the_overnight_batch_goes_on_where_it_was(shell, tmp_path):
    text = block_with('--log-json "$OUT.events"')
    assert shell(text).returncode == 3
    before = (tmp_path / "out" / "slide" / "document.json").stat().st_mtime_ns
    assert shell(text).returncode == 3
    assert (tmp_path / "out" / "slide" / "document.json").stat().st_mtime_ns == before
    assert all(json.loads(line) for line in (tmp_path / "out.events").read_text("utf-8").splitlines())


def test_the_dockerfile_copies_what_is_there_and_what_a_wheel_is_made_of():
    text = (ROOT / "docs" / "Dockerfile").read_text("utf-8")
    sources = [word for line in re.findall(r"^COPY (?!--from)(.*)$", text, re.MULTILINE) for word in line.split()[:-1]]
    assert sources
    assert [name for name in sources if not (ROOT / name).exists()] == []
    assert text.index("RUN docparse-fast models verify") < text.index("USER 10001")
    build = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["tool"]["hatch"]["build"]["targets"]["wheel"]
    needed = [*build["packages"], *build["force-include"]]
    assert [name for name in needed if not any(Path(name).is_relative_to(each) for each in sources)] == []


def test_every_key_of_what_a_run_leaves_is_in_its_documentation(tmp_path):
    text = KEYS.read_text("utf-8")
    named = " ".join(re.findall(r"`([^`]+)`", re.sub(r"```.*?```", "", text, flags=re.DOTALL)))
    sample, out = ROOT / "samples/slide.pdf", tmp_path / "out"
    assert run(["convert", str(sample), "-o", str(out), "-q", "--target", "none", "--format", "md,json,html"]) == 0
    account = json.loads((out / "run.json").read_text("utf-8"))
    document = json.loads((out / "slide/document.json").read_text("utf-8"))
    page = document["pages"][0]
    documented = {**document, **account, **account["inputs"][0], **page, **page["blocks"][0], **page["seconds"]}
    assert documented.keys() - set(re.findall(r"\w+", named)) == set()
    files = OUTPUT.read_text("utf-8")
    assert all(path.name in files for path in (out / "slide").iterdir() if path.name != NOTES)


def test_every_error_code_has_its_row_with_what_to_do():
    codes = {code for kind in DocparseError.__subclasses__() for code in kind.codes}
    rows = re.findall(r"^\| `(\w+)` \| ([^|]+) \| ([^|]+) \|$", OUTPUT.read_text("utf-8"), re.MULTILINE)
    assert codes <= {code for code, happened, remedy in rows if happened and remedy}


def test_the_tutorials_commands_print_what_it_says(shell, tmp_path):
    """The seconds apart. Each fence without a language is what the fence before it prints."""
    (tmp_path / "samples").symlink_to(ROOT / "samples")
    before = ""
    for language, text in BLOCK.findall((ROOT / "docs/tutorial.md").read_text("utf-8")):
        if language:
            call = f"python3 - <<'END'\n{text}\nEND" if language == "python" else text
            done = shell(f"exec 2>&1\n{call}")
            before = done.stdout
        else:
            assert re.sub(r"[\d.]+ s\b", "", before) == re.sub(r"[\d.]+ s\b", "", text)
