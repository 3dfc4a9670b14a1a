"""The journal alone: torn, foreign or outdated lines are ignored; and the plan made from it."""

from __future__ import annotations

from pathlib import Path, PurePosixPath

import pytest
from hypothesis import given
from hypothesis import strategies as st

from docparse_fast.batch.journal import DoneDocument, InputState, Journal, done_page, is_whole
from docparse_fast.batch.limits import Limits, bytes_of, shown_bytes
from docparse_fast.batch.lock import locked
from docparse_fast.batch.planning import matches
from docparse_fast.document import Block, Box, Category, ParsedPage
from docparse_fast.errors import OutputError, UsageError

ORIGIN = InputState("5d41", "key")
PAGE = ParsedPage(2, 100, 200, 72.0, blocks=(Block(Category.TEXT, "naïve\n\u2028 \ud800", Box(0, 1, 2, 3.3)),))


@pytest.fixture
def path(tmp_path) -> Path:
    return tmp_path / "journal.jsonl"


def written(path: Path) -> Journal:
    journal = Journal(path)
    journal.rewrite()
    for number in (1, 2, 3):
        page = ParsedPage(number, blocks=PAGE.blocks)
        journal.add_page("a", done_page(ORIGIN, {f"page-000{number}.md": "d" * 64}, page))
    journal.add_document("b", DoneDocument(ORIGIN, {"document.md": "e" * 64}, {"status": "ok"}))
    journal.close()
    return journal


def test_a_journal_reads_back_its_lines(path):
    written(path)
    journal = Journal.read(path)
    assert journal.documents == {"b": DoneDocument(ORIGIN, {"document.md": "e" * 64}, {"status": "ok"})}
    assert sorted(journal.pages["a"]) == [1, 2, 3]
    assert journal.pages["a"][2].page.blocks == PAGE.blocks


def test_a_document_waits_for_the_disk_and_not_each_of_its_pages_does(path, monkeypatch):
    synced = []
    monkeypatch.setattr("os.fsync", lambda file: synced.append(path.stat().st_size))
    journal = Journal(path)
    for number in range(1, 201):
        journal.add_page("a", done_page(ORIGIN, {}, ParsedPage(number)))
    assert len(synced) < 200
    journal.add_document("a", DoneDocument(ORIGIN, {}, {}))
    journal.close()
    assert synced[-1] == path.stat().st_size


def test_a_finished_document_drops_its_pages_from_the_journal(path):
    journal = written(path)
    journal.add_document("a", DoneDocument(ORIGIN, {}, {}))
    journal.close()
    assert Journal.read(path).pages == {}


def test_a_journal_cut_anywhere_keeps_its_whole_lines_and_can_be_continued(path):
    written(path)
    data = path.read_bytes()
    ends = [n for n, byte in enumerate(data) if byte == ord("\n")]
    for cut in range(0, len(data), 7):
        path.write_bytes(data[:cut])
        journal = Journal.read(path)
        whole = sum(end <= cut for end in ends)  # a line is whole without its end
        assert len(journal.pages.get("a", {})) + len(journal.documents) == max(0, whole - 1)
        journal.add_page("c", done_page(ORIGIN, {}, PAGE))
        journal.close()
        again = Journal.read(path)
        assert sorted(again.pages.get("c", {})) == [2]
        assert again.pages.get("a", {}).keys() == journal.pages.get("a", {}).keys()


def test_an_unreadable_page_line_is_ignored(path):
    written(path)
    lines = path.read_text("ascii").splitlines()
    spoilt = [line.replace('"status":"ok"', '"stat":"ok"') if '"number":2' in line else line for line in lines]
    assert spoilt != lines
    path.write_text("\n".join(spoilt), "ascii")
    assert sorted(Journal.read(path).pages["a"]) == [1, 3]


@given(st.binary(max_size=200))
def test_any_content_of_the_journal_is_read_without_an_error(tmp_path_factory, data):
    path = tmp_path_factory.mktemp("journal") / "journal.jsonl"
    path.write_bytes(
        data + b'\n[]\n{"document": 1}\n{"document": "a", "sha256": "", "key": "", "page": {"number": "x"}}\n'
    )
    assert Journal.read(path).documents == {}


def test_a_rewritten_journal_does_not_depend_on_order(path, tmp_path):
    one, two = Journal(path), Journal(tmp_path / "other.jsonl")
    document = DoneDocument(ORIGIN, {"b": "1", "a": "2"}, {})
    one.documents = {"x": document, "y": document}
    two.documents = {"y": document, "x": document}
    one.rewrite()
    two.rewrite()
    assert one.path.read_bytes() == two.path.read_bytes()


def test_a_file_is_whole_only_with_its_digest(tmp_path):
    (tmp_path / "a").write_bytes(b"hello")
    digest = "2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824"
    assert is_whole(tmp_path, {"a": digest})
    assert not is_whole(tmp_path, {"a": digest, "b": digest})
    (tmp_path / "a").write_bytes(b"hello!")
    assert not is_whole(tmp_path, {"a": digest})


def test_a_lock_is_held_once_and_released(tmp_path):
    with (
        locked(tmp_path / "lock", tmp_path),
        pytest.raises(OutputError, match="is in use by another batch"),
        locked(tmp_path / "lock", tmp_path),
    ):
        raise AssertionError("two held it")
    with locked(tmp_path / "lock", tmp_path):
        pass


@pytest.mark.parametrize(
    ("pattern", "fits"),
    [
        ("*.pdf", True),
        ("a/b/c.pdf", True),
        ("a/*.pdf", True),
        ("b", True),
        ("b/", True),
        ("c", False),
        ("*.png", False),
    ],
)
def test_a_pattern_fits_a_name_a_folder_or_a_path(pattern, fits):
    assert matches(PurePosixPath("a/b/c.pdf"), [pattern]) is fits


@given(st.integers(64 * 2**20, 2**50))
def test_shown_sizes_can_be_given_as_options(count):
    shown = shown_bytes(count)
    if not shown.endswith("TB"):
        assert bytes_of("--max-memory", shown) == pytest.approx(count, rel=0.05)


def test_limits_check_their_values():
    for wrong in ({"jobs": 0}, {"jobs": 1, "doc_timeout": -1.0}, {"jobs": 1, "max_memory": 10}):
        with pytest.raises(UsageError):
            Limits(**wrong)
