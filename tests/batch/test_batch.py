"""`batch` end to end on small files: the same bytes as `convert`, and no work done twice."""

from __future__ import annotations

import json
import os
import shutil
from pathlib import Path

import pytest
from batch_trees import ROOT, batch, change_times, how_each_ended, pdf, the_run, tree

from docparse_fast.batch.processes import LocalEngine
from docparse_fast.cli import run

SAMPLES = ROOT / "samples"
JOURNAL = ".docparse-fast/journal.jsonl"


@pytest.fixture(autouse=True)
def here(tmp_path, monkeypatch, workers_nearby):
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("DOCPARSE_PASSWORD", raising=False)
    return tmp_path


@pytest.fixture
def processes(here, monkeypatch):
    """Workers as a user's batch has them."""
    monkeypatch.setattr("docparse_fast.batch.crew.LocalEngine", LocalEngine)


# ---------------------------------------------------------------------------------------- the same bytes


def test_every_way_to_make_a_document_gives_the_same_bytes(processes, capsys):
    """Born-digital, scanned, with figures and tables; by convert and by two workers."""
    for name in ("form.pdf", "mixed.pdf", "slide.pdf"):
        (Path("in") / name[0]).mkdir(parents=True, exist_ok=True)
        shutil.copy(SAMPLES / name, Path("in") / name[0] / name)
    options = ["--target", "none", "-q", "--format", "md,json,html", "--max-pixels", "500000"]
    assert run(["convert", "in", "-o", "converted", *options]) == 0
    assert run(["batch", "in", "-o", "two", "--jobs", "2", *options]) == 0
    converted, two = tree(Path("converted")), tree(Path("two"))
    assert "images/page-0001-figure-1.png" in " ".join(converted)
    del two[JOURNAL]
    assert two == converted
    assert capsys.readouterr() == ("", "")


def test_workers_that_share_a_document_give_the_same_output(processes):
    pdf("in/long.pdf", *(f"This is page {number}." for number in range(1, 30)))
    assert batch(jobs=3) == 0
    shared = tree(Path("out"))
    shutil.rmtree("out")
    assert batch() == 0
    assert tree(Path("out")) == shared
    assert run(["convert", "in", "-o", "converted", "--target", "none", "-q"]) == 0
    del shared[JOURNAL]
    assert shared == tree(Path("converted"))


# ---------------------------------------------------------------------------------- what is done, and what isn't


def test_finished_documents_are_skipped_and_counted(capsys):
    pdf("in/a.pdf", "one", "two")
    pdf("in/sub/b.pdf", "three")
    assert batch() == 0
    before, account = change_times(), the_run()
    assert batch() == 0
    assert change_times() == before
    assert the_run() == account


def test_only_a_new_or_changed_document_is_converted():
    pdf("in/a.pdf", "one", "two")
    batch()
    before = change_times()
    pdf("in/b.pdf", "three")
    assert batch() == 0
    assert before.items() < change_times().items()
    assert [i["status"] for i in the_run()["inputs"]] == ["ok", "ok"]
    before = change_times()
    pdf("in/a.pdf", "uno")
    assert batch() == 0
    assert Path("out/a/page-0001.md").read_text() == "uno\n"
    assert not Path("out/a/page-0002.md").exists()
    assert change_times()["b/page-0001.md"] == before["b/page-0001.md"]


def test_options_that_change_the_output_and_no_others_convert_documents_again(monkeypatch):
    pdf("in/a.pdf", "one", "two")
    batch()
    for limit in (["--page-timeout", "600"], ["--doc-timeout", "600"], ["--max-memory", "4G"]):
        before = change_times()
        assert batch(*limit) == 0
        assert change_times() == before, limit
    for option in (["--dpi", "100"], ["--pages", "1"], ["--keep-furniture"], ["--format", "md"]):
        before = change_times()
        assert batch(*option) == 0
        assert change_times()["a/page-0001.md"] != before["a/page-0001.md"], option
    before = change_times()
    assert batch(*option, "--force") == 0
    assert all(change_times()[name] != time for name, time in before.items())
    before = change_times()
    monkeypatch.setattr("docparse_fast.run.provenance.__version__", "99.0")
    assert batch(*option) == 0
    assert change_times()["a/page-0001.md"] != before["a/page-0001.md"], "another version of the program"


def test_missing_or_changed_output_is_made_again():
    names = ("page-0002.md", "document.md", "document.json")
    for name in (*names, "whole"):
        for fate in ("missing", "changed"):
            pdf(f"in/{fate}/{name}.pdf", "one", "two")
    batch()
    before, times = tree(Path("out")), change_times()
    for name in names:
        Path("out/missing", name, name).unlink()
        Path("out/changed", name, name).write_text("not what was there")
    assert batch() == 0
    for kept in Path("out/changed").rglob("*.earlier"):  # of what a user may have changed
        assert kept.read_text() == "not what was there"
        kept.unlink()
    assert tree(Path("out")) == before
    after = change_times()
    assert all(after[file] == time for file, time in times.items() if "/whole/" in file)


def test_a_failed_document_is_tried_again():
    pdf("in/good.pdf", "words")
    Path("in/bad.pdf").write_bytes(b"%PDF-1.4 and then nothing")
    assert batch() == 3
    assert how_each_ended() == {"bad.pdf": ("failed", "corrupt"), "good.pdf": ("ok", None)}
    before = change_times()
    pdf("in/bad.pdf", "better now")
    assert batch() == 0
    assert change_times()["good/page-0001.md"] == before["good/page-0001.md"]
    assert Path("out/bad/page-0001.md").read_text() == "better now\n"


def test_only_a_failed_page_is_tried_again(processes, monkeypatch):
    pdf("in/a.pdf", "one", "two", "three")
    monkeypatch.setenv("DOCPARSE_FAST_FAULT", "segfault@reading:a.pdf:2")
    assert batch() == 3
    assert Path("out/a/page-0002.md").read_text() == "<!-- failed: worker_crashed -->\n"
    before = change_times()
    monkeypatch.delenv("DOCPARSE_FAST_FAULT")
    assert batch() == 0
    after = change_times()
    assert [name for name in before if name.startswith("a/page") and after[name] != before[name]] == ["a/page-0002.md"]
    assert Path("out/a/document.md").read_text().count("<!-- page") == 3


def test_a_document_with_a_new_output_name_loses_its_old_output():
    """The output of `a.pdf` is `a` until an `a.png` is added."""
    pdf("in/a.pdf", "one")
    batch()
    Path("out/a/mine.txt").write_text("mine")
    shutil.copy(SAMPLES / "nano/page-01.png", "in/a.png")
    assert batch("--ocr", "never") == 0
    assert sorted(path.name for path in Path("out").iterdir()) == [".docparse-fast", "a", "a.pdf", "a.png", "run.json"]
    assert [path.name for path in Path("out/a").iterdir()] == ["mine.txt"]


def test_a_deleted_document_keeps_its_output():
    pdf("in/a.pdf", "one")
    pdf("in/b.pdf", "two")
    batch()
    Path("in/a.pdf").unlink()
    assert batch() == 0
    assert Path("out/a/page-0001.md").read_text() == "one\n"
    assert [i["output"] for i in the_run()["inputs"]] == ["b"]


def test_the_output_of_a_batch_can_be_verified_later(capsys):
    """`batch` writes run.json as `convert` does, so that `verify` can read it."""
    pdf("in/a.pdf", "one")
    batch()
    assert run(["verify", "out", "-q", "--target", "none"]) == 1
    assert "model_missing: nothing to verify with" in capsys.readouterr().err


# ------------------------------------------------------------------------------------------ which documents


def test_a_tree_is_mirrored_without_hidden_files():
    pdf("in/a/x.pdf", "one")
    pdf("in/b/x.pdf", "two")
    pdf("in/.hidden/y.pdf", "three")
    pdf("in/b/.z.pdf", "four")
    Path("in/notes.txt").write_text("not a document")
    assert batch() == 0
    assert [i["output"] for i in the_run()["inputs"]] == ["a/x", "b/x"]
    assert Path("out/a/x/page-0001.md").read_text() == "one\n"
    assert Path("out/b/x/page-0001.md").read_text() == "two\n"


def test_patterns_select_documents_and_keep_output_names(capsys):
    pdf("in/keep/a.pdf", "one")
    pdf("in/old/b.pdf", "two")
    shutil.copy(SAMPLES / "nano/page-01.png", "in/keep/a.png")
    assert batch("--include", "*.pdf", "--exclude", "old") == 0
    assert [i["output"] for i in the_run()["inputs"]] == ["keep/a.pdf"]
    assert batch("--include", "*.txt") == 1
    assert "error: empty: in holds no PDF and no image that --include" in capsys.readouterr().err


def test_selecting_other_documents_keeps_earlier_results():
    pdf("in/a.pdf", "one")
    pdf("in/b.pdf", "two")
    batch()
    before = change_times()
    batch("--include", "a.pdf")
    assert batch() == 0
    assert change_times() == before


def test_a_link_is_not_a_second_document_and_does_not_lead_out():
    pdf("in/z.pdf", "one")
    pdf("elsewhere/secret.pdf", "secret")
    Path("in/a-link.pdf").symlink_to("z.pdf")
    Path("in/out.pdf").symlink_to("../elsewhere/secret.pdf")
    Path("in/folder").symlink_to("../elsewhere")
    assert batch() == 0
    assert [i["output"] for i in the_run()["inputs"]] == ["z"]


NAMES = [
    "-dash",
    "naïve café – 报告 (final)",
    "ü" * 120 + "abcde",
    "a b",
    "line\nend",
    "run.json",
    "%2e%2e",
    "'quote\"",
]


def test_every_file_name_works_and_no_file_is_lost(processes):
    for n, name in enumerate(NAMES):
        pdf(f"in/{name}.pdf", f"document {n}")
    os.link("in/a b.pdf", b"in/not utf-8 \xff.pdf")
    assert batch(jobs=2) == 0
    texts = [
        Path("out", i["output"], "page-0001.md").read_text() for i in the_run()["inputs"] if "utf" not in i["input"]
    ]
    assert sorted(texts) == [f"document {n}\n" for n in range(len(NAMES))]
    assert [path.read_text() for path in Path("out").glob("not utf-8*/page-0001.md")] == ["document 3\n"]
    before = change_times()
    assert batch(jobs=2) == 0
    assert change_times() == before


# ------------------------------------------------------------------------------------------ how it ends


def test_the_user_says_what_counts_as_failure():
    ways = ("never", "failure", "partial", "unverified")
    pdf("in/good.pdf", "words")
    assert batch("--fail-on", "unverified") == 3
    assert [batch("--fail-on", way) for way in ways] == [0, 0, 0, 3]  # nor does it count less for being done already
    Path("in/bad.pdf").write_bytes(b"")
    assert [batch("--fail-on", way) for way in ways] == [0, 3, 3, 3]


def test_the_exit_code_is_1_if_nothing_can_be_read():
    Path("in").mkdir()
    Path("in/bad.pdf").write_bytes(b"")
    assert batch() == 1


@pytest.mark.parametrize(
    ("arguments", "code", "start"),
    [
        (["nowhere", "-o", "out"], 2, "usage: nowhere does not exist"),
        (["in/a.pdf", "-o", "out"], 2, "usage: in/a.pdf is not a folder"),
        (["empty", "-o", "out"], 1, "empty: empty holds no PDF and no image"),
        (["in", "-o", "in"], 2, "usage: in lies in OUT, in"),
        (["in", "-o", "."], 2, "usage: in lies in OUT, ."),
        (["in", "-o", "out", "--jobs", "0"], 2, "usage: --jobs 0 is out of range"),
        (["in", "-o", "out", "--max-memory", "much"], 2, "usage: --max-memory 'much' is not a size"),
        (["in", "-o", "out", "--max-memory", "1M"], 2, "usage: --max-memory 1.0 MB is too little"),
        (["in", "-o", "out", "--fail-on", "x"], 2, "usage: --fail-on 'x' is not one of"),
        (["in", "-o", "out", "--target", "dots.ocr"], 1, "model_missing: --target dots.ocr"),
        (["in", "-o", "file"], 2, "usage: -o file: it is not a folder"),
    ],
)
def test_each_error_is_one_line_with_its_code(arguments, code, start, capsys):
    pdf("in/a.pdf", "words")
    Path("empty").mkdir()
    Path("file").write_text("a file stands here")
    assert run(["batch", *arguments]) == code
    (line,) = capsys.readouterr().err.splitlines()
    assert line.startswith(f"docparse-fast: error: {start}")


def test_a_password_opens_and_is_written_nowhere(monkeypatch):
    pdf("in/locked.pdf", "secret words", password="geheim")
    assert batch() == 1
    monkeypatch.setenv("DOCPARSE_PASSWORD", "geheim")
    assert batch() == 0
    assert Path("out/locked/page-0001.md").read_text() == "secret words\n"
    assert not any(b"geheim" in path.read_bytes() for path in Path("out").rglob("*") if path.is_file())


def test_missing_pages_fail_their_document():
    pdf("in/long.pdf", *"abc")
    pdf("in/short.pdf", "a")
    assert batch("--pages", "3") == 3
    assert how_each_ended() == {"long.pdf": ("ok", None), "short.pdf": ("failed", "usage")}


def test_a_broken_document_removes_the_output_of_the_one_it_replaced():
    pdf("in/a.pdf", "one")
    pdf("in/b.pdf", "two")
    batch()
    Path("in/a.pdf").write_bytes(b"%PDF-1.4 and then nothing")
    assert batch() == 3
    assert not Path("out/a").exists()


def test_the_journal_says_what_run_json_says():
    pdf("in/a.pdf", "one", "")
    batch()
    header, line = map(json.loads, Path("out/.docparse-fast/journal.jsonl").read_text().splitlines())
    assert header == {"format": "docparse-fast/journal", "version": 1}
    assert line["record"] == the_run()["inputs"][0]
    assert sorted(line["files"]) == ["document.json", "document.md", "page-0001.md", "page-0002.md"]
