"""The documents that arguments name, and the output folder of each."""

from __future__ import annotations

import logging
import os
from pathlib import Path, PurePosixPath

import pytest
from hypothesis import given
from hypothesis import strategies as st

from docparse_fast.cli import run
from docparse_fast.run.inputs import Input, find_inputs, output_folders, readable, told_documents_below


def folders(*names: str) -> list[str]:
    return output_folders([PurePosixPath(name) for name in names])


def put(*paths: Path) -> None:
    for path in paths:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(b"%PDF-1.4")


@pytest.mark.parametrize("output", ["/etc/x", "../x", "a/../../x"])
def test_an_output_outside_of_out_is_refused(output):
    """An account of a run may come from anywhere."""
    with pytest.raises(ValueError, match="lies outside OUT"):
        Input(Path("a.pdf"), "a.pdf", output)


PATH_MAX = 4096


def test_documents_that_nothing_here_reads_are_named_once(tmp_path, caplog):
    """An office's folder has letters in Word's format among its scans."""
    for name in ("a.pdf", "letter.docx", "sub/sums.xlsx", "notes.txt", "run.py"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_bytes(b"%PDF-1.7" if name == "a.pdf" else b"PK")
    with caplog.at_level("WARNING", "docparse_fast.notices"):
        found = told_documents_below(tmp_path, None)
    assert [str(below) for _, below in found] == ["a.pdf"]
    assert f"{tmp_path}/letter.docx and 1 more; convert them to PDF first" in caplog.text


def test_a_folder_carries_the_name_without_suffix():
    assert folders("in.pdf", "a/b.c.png") == ["in", "a/b.c"]


def test_the_suffix_stays_if_two_folders_would_be_equal():
    assert folders("a.pdf", "a.png", "b.pdf") == ["a.pdf", "a.png", "b"]


def test_names_are_equal_if_a_disk_ignores_case_or_composes_accents():
    assert folders("A.pdf", "a.png") == ["A.pdf", "a.png"]
    assert folders("caf\u00e9.pdf", "cafe\u0301.png") == ["caf\u00e9.pdf", "cafe\u0301.png"]


def test_a_name_that_grows_into_another_moves_that_one_too():
    assert folders("a.pdf", "a.png", "a.pdf.pdf") == ["a.pdf", "a.png", "a.pdf.pdf"]


def test_equal_names_from_different_places_are_numbered():
    assert folders("scan.pdf", "scan.pdf", "scan.pdf") == ["scan.pdf", "scan.pdf-2", "scan.pdf-3"]


@pytest.mark.parametrize("name", ["..pdf", "...pdf", ".pdf", "....pdf"])
def test_no_name_leads_out_of_the_output_folder(name):
    assert folders(name) == [name]


def test_no_document_takes_the_place_of_a_file_of_ours():
    assert folders("run.json.pdf") == ["run.json.pdf"]
    assert folders("x.pdf", "x/images.pdf", "x/document.html.pdf", "x/page-0001.md.png", "images.pdf") == [
        "x", "x/images.pdf", "x/document.html.pdf", "x/page-0001.md.png", "images",
    ]  # fmt: skip


def test_a_number_fits_behind_the_longest_name():
    name = "ü" * 127 + ".p"  # 256 bytes: longer than any, on purpose
    assert all(len(os.fsencode(folder)) <= 256 for folder in folders(name, name))


NAMES = st.lists(
    st.text(st.sampled_from("aA.é/-2"), min_size=1, max_size=6).map(lambda s: s.strip("/") or "a"), max_size=8
)


@given(NAMES)
def test_no_two_documents_ever_share_a_folder(names):
    found = folders(*names)
    assert len({folder.casefold() for folder in found}) == len(names)
    assert all(".." not in PurePosixPath(folder).parts for folder in found if not any(".." in name for name in names))


def test_a_folder_gives_its_documents_in_order_with_their_paths(tmp_path):
    put(tmp_path / "in/b.PDF", tmp_path / "in/a/x.png", tmp_path / "in/.hidden.pdf", tmp_path / "in/.git/y.pdf")
    (tmp_path / "in/notes.txt").write_text("no document")
    found = find_inputs([tmp_path / "in"], None)
    assert [(source.path, source.output) for source in found] == [
        (tmp_path / "in/b.PDF", "b"),
        (tmp_path / "in/a/x.png", "a/x"),
    ]


def test_a_document_without_a_suffix_is_known_by_its_content(tmp_path):
    put(tmp_path / "in/report")
    assert [source.output for source in find_inputs([tmp_path / "in"], None)] == ["report"]


def test_a_file_named_twice_is_converted_once(tmp_path, monkeypatch):
    put(tmp_path / "in/a.pdf")
    monkeypatch.chdir(tmp_path)
    found = find_inputs([Path("in/a.pdf"), Path("in"), tmp_path / "in/a.pdf"], None)
    assert [source.name for source in found] == ["in/a.pdf"]


def test_the_output_folder_is_not_read_as_input(tmp_path):
    put(tmp_path / "a.pdf", tmp_path / "out/a/images/page-0001-figure-1.png")
    assert [source.output for source in find_inputs([tmp_path], tmp_path / "out")] == ["a"]


def test_links_out_of_the_folder_are_not_followed_and_told_in_one_line(tmp_path, caplog):
    put(tmp_path / "elsewhere/secret.pdf", tmp_path / "in/a.pdf")
    (tmp_path / "in/link.pdf").symlink_to(tmp_path / "elsewhere/secret.pdf")
    (tmp_path / "in/folder").symlink_to(tmp_path / "elsewhere")
    (tmp_path / "in/a-loop").symlink_to(tmp_path / "in")
    (tmp_path / "in/notes.txt").symlink_to(tmp_path / "elsewhere")
    with caplog.at_level(logging.INFO, "docparse_fast.notices"):
        assert [source.output for source in find_inputs([tmp_path / "in"], None)] == ["a"]
    assert [record.getMessage().replace(str(tmp_path), "") for record in caplog.records] == [
        "links that lead out of /in are not followed: /in/folder and others; convert takes them by name"
    ]


def test_a_link_that_is_named_gives_its_own_name_to_the_output(tmp_path):
    put(tmp_path / "objects/ab12.pdf")
    (tmp_path / "report.pdf").symlink_to("objects/ab12.pdf")
    assert [source.output for source in find_inputs([tmp_path / "report.pdf"], None)] == ["report"]


def test_a_missing_file_is_left_to_fail_by_itself(tmp_path):
    assert [source.output for source in find_inputs([tmp_path / "nope.pdf"], None)] == ["nope"]


def test_a_folder_without_documents_is_left_to_fail_by_itself(tmp_path):
    assert [source.path for source in find_inputs([tmp_path], None)] == [tmp_path]


def test_a_file_that_can_not_be_looked_at_is_not_passed_over(tmp_path, monkeypatch):
    """Its path is too long to be opened; without a suffix it was left out in silence."""
    monkeypatch.chdir(tmp_path)
    folder = tmp_path / "in"
    folder.mkdir()
    os.chdir(folder)
    while len(os.fsencode(folder)) < PATH_MAX - 220:
        folder /= "d" * 200
        os.mkdir("d" * 200)  # noqa: PTH102  # its whole path is too long for pathlib
        os.chdir("d" * 200)
    (Path("x" * 230)).write_bytes(b"%PDF-1.7")
    assert [len(source.path.name) for source in find_inputs([tmp_path / "in"], None)] == [230]


def test_a_name_of_broken_bytes_can_be_shown():
    assert readable(Path(os.fsdecode(b"caf\xe9.pdf"))) == "caf\ufffd.pdf"


@pytest.mark.skipif(os.geteuid() == 0, reason="root may look into every folder")
def test_a_folder_that_can_not_be_looked_into_is_not_passed_over(tmp_path, capsys):
    put(tmp_path / "in/secret/x.pdf", tmp_path / "in/y.pdf")
    (tmp_path / "in/secret").chmod(0)
    try:
        found = find_inputs([tmp_path / "in"], None)
        code = run(["convert", str(tmp_path / "in/secret"), "-o", str(tmp_path / "out")])
    finally:
        (tmp_path / "in/secret").chmod(0o700)
    assert [source.output for source in found] == ["y", "secret"]
    assert (code, "Permission denied" in capsys.readouterr().err) == (1, True)
