"""What is the user's stays: files in the output folder that we didn't write, inputs, and what links lead to."""

from __future__ import annotations

import json
import os
from hashlib import sha256
from pathlib import Path

import pytest
from page_files import pdf

from docparse_fast.batch.batch import JOURNAL, STATE
from docparse_fast.cli import run
from docparse_fast.errors import OutputError
from docparse_fast.run.outputs import RUN, WRITING
from docparse_fast.system.files import NOTES, OwnFolder, opened_itself, part_of, write

MINE = "mine"


SAMPLE = Path(__file__).parents[1] / "samples" / "two-page-table.pdf"


@pytest.fixture(autouse=True)
def here(tmp_path, monkeypatch, workers_nearby):
    monkeypatch.chdir(tmp_path)
    return tmp_path


def convert(*arguments: str) -> int:
    return run(["convert", *arguments, "--target", "none", "-q"])


def batch(*arguments: str) -> int:
    return run(["batch", "in", "-o", "out", "--target", "none", "-q", "--jobs", "1", *arguments])


def put(path: str, text: str = MINE) -> Path:
    made = Path(path)
    made.parent.mkdir(parents=True, exist_ok=True)
    made.write_text(text)
    return made


def everything() -> dict[str, bytes]:
    return {str(path): path.read_bytes() for path in Path().rglob("*") if path.is_file()}


# ------------------------------------------------------------------------------------------- what isn't ours

NAMES = (
    "document.md",
    "document.pdf",
    "document.html",
    "chunks.jsonl",
    "proofread.json",
    "page-0007.md",
    "images/page-0001-figure-1.png",
    "tables/page-0001-table-1.csv",
    "document.json",
)


@pytest.mark.parametrize("name", NAMES)
def test_a_file_that_no_run_wrote_stays_and_its_document_is_refused(name, capsys):
    put(f"report/{name}")
    pdf("report.pdf", "words")
    before = everything()
    assert convert("report.pdf", "-o", ".") == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert f"usage: report/{name} " in line
    assert "name another folder" in line
    assert {name: data for name, data in everything().items() if name != RUN} == before


def test_the_other_documents_are_converted_all_the_same():
    put("report/document.md")
    assert convert(pdf("report.pdf", "words"), pdf("other.pdf", "more"), "-o", ".") == 3
    assert Path("other/page-0001.md").read_text() == "more\n"
    assert Path("report/document.md").read_text() == MINE


def test_a_file_of_the_user_that_has_none_of_our_names_is_in_nobodys_way():
    put("report/notes.md")
    assert convert(pdf("report.pdf", "words"), "-o", ".") == 0
    assert Path("report/notes.md").read_text() == MINE


def test_a_batch_writes_over_no_file_that_no_run_wrote():
    pdf("in/a.pdf", "words")
    pdf("in/b.pdf", "words")
    put("out/a/page-0001.md")
    assert batch() == 3
    assert Path("out/a/page-0001.md").read_text() == MINE
    assert Path("out/b/page-0001.md").read_text() == "words\n"


def test_a_run_json_of_somebody_else_stays():
    put("out/run.json", '{"scripts": {}}')
    assert convert(pdf("a.pdf", "words"), "-o", "out") == 2
    pdf("in/a.pdf", "words")
    assert batch() == 2
    assert Path("out/run.json").read_text() == '{"scripts": {}}'


def test_a_document_is_not_overwritten_by_a_log(capsys):
    pdf("a.pdf", "words")
    before = Path("a.pdf").read_bytes()
    assert convert("a.pdf", "-o", "out", "--log-json", "a.pdf") == 2
    assert Path("a.pdf").read_bytes() == before
    assert "--log-json a.pdf is a document" in capsys.readouterr().err


# ------------------------------------------------------------------------------------------ what was changed


def test_a_page_that_was_changed_by_hand_is_kept_under_another_name():
    pdf("a.pdf", "words")
    for turn in ("first", "second"):
        convert("a.pdf", "-o", "out")
        put("out/a/page-0001.md", turn)
    assert convert("a.pdf", "-o", "out") == 0
    assert Path("out/a/page-0001.md").read_text() == "words\n"
    assert Path("out/a/page-0001.md.earlier").read_text() == "first"
    assert Path("out/a/page-0001.md.earlier-2").read_text() == "second"


def test_a_changed_page_of_a_document_that_broke_is_in_nobodys_way_later():
    convert(pdf("a.pdf", "words", "more"), "-o", "out")
    put("out/a/page-0001.md")
    good = Path("a.pdf").read_bytes()
    Path("a.pdf").write_bytes(b"%PDF-1.4 and then nothing")
    assert convert("a.pdf", "-o", "out") == 1
    assert {path.name for path in Path("out/a").iterdir()} == {NOTES, "page-0001.md"}
    Path("a.pdf").write_bytes(good)
    assert convert("a.pdf", "-o", "out") == 0
    assert Path("out/a/page-0001.md.earlier").read_text() == MINE


def test_two_runs_into_one_folder_take_each_others_files_for_ours(tmp_path):
    one, other = (OwnFolder(tmp_path / "a") for _ in range(2))
    (tmp_path / "a").mkdir()
    one.store("page-0001.md", [b"words"])
    other.store("page-0001.md", [b"words"])
    one.store("document.md", [b"words"])
    other.store("document.md", [b"words"])
    assert {path.name for path in (tmp_path / "a").iterdir()} == {NOTES, "document.md", "page-0001.md"}


def test_what_an_earlier_version_wrote_without_notes_is_kept_under_another_name():
    """It left no digests, so nothing shows that it was not changed since."""
    convert(pdf("a.pdf", "words", "more"), "-o", "out")
    Path("out/a", NOTES).unlink()
    assert convert("a.pdf", "-o", "out", "--pages", "1") == 0
    assert {path.name for path in Path("out/a").iterdir()} == {
        NOTES, "document.json", "document.json.earlier", "document.md", "document.md.earlier",
        "page-0001.md", "page-0001.md.earlier", "page-0002.md.earlier",
    }  # fmt: skip


def test_a_batchs_journal_proves_what_an_earlier_version_wrote():
    pdf("in/a.pdf", "words", "more")
    batch()
    Path("out/a", NOTES).unlink()
    assert batch("--force") == 0
    assert batch("--pages", "1") == 0
    assert {path.name for path in Path("out/a").iterdir()} == {NOTES, "document.json", "document.md", "page-0001.md"}


def test_notes_of_other_folders_and_torn_ones_prove_nothing(here):
    convert(pdf("a.pdf", "words"), "-o", "out")
    victim = put("out/victim.md")
    put("out/a/document.md")
    Path("out/a", NOTES).write_text(f"{'0' * 64}  ../victim.md\n{'1' * 64}  document.md\n0123")
    assert convert("a.pdf", "-o", "out") == 2  # page-0001.md stands there, and no note has it
    assert victim.read_text() == MINE
    assert Path("out/a/document.md").read_text() == MINE


def test_what_a_killed_run_left_half_written_is_cleared_away():
    convert(pdf("a.pdf", "words"), "-o", "out")
    left = [put("out/a/.page-0001.md.0a1b2c3d.part"), put("out/a/images/.page-0001-figure-1.png.0a1b2c3d.part")]
    left.append(put("out/.run.json.0a1b2c3d.part"))
    os.utime(left[-1], (0, 0))
    being_written, users = put("out/.run.json.4e5f6a7b.part"), put("out/a/.film.mkv.0a1b2c3d.part")
    assert WRITING > 1
    convert("a.pdf", "-o", "out")
    assert not any(path.exists() for path in left)
    assert being_written.exists()
    assert users.exists()


# ------------------------------------------------------------------------------------------------- inputs


def test_no_input_is_removed_where_the_output_goes(capsys):
    pdf("report.pdf", "words")
    convert("report.pdf", "-o", ".", "--format", "md,json,pdf")  # document.pdf is ours, and the next run's input
    before = everything()
    assert convert("report.pdf", "report/document.pdf", "-o", ".") == 2
    assert "report/document.pdf lies where the output of report.pdf goes" in capsys.readouterr().err
    assert everything() == before


@pytest.mark.parametrize(("folder", "out"), [(".", "."), ("in", "in"), ("in", "link")])
def test_a_folder_is_not_converted_into_itself(folder, out, capsys):
    pdf(f"{folder}/report.pdf", "words")
    if out == "link":
        Path("link").symlink_to("in")
    before = everything()
    assert convert(folder, "-o", out) == 2
    assert "would lie among the inputs" in capsys.readouterr().err
    assert everything() == before


def test_a_folder_that_lies_in_the_output_folder_is_refused_where_they_would_meet():
    pdf("in/report.pdf", "words")
    assert convert("in", "-o", ".") == 0
    pdf("in/in/report.pdf", "words")
    assert convert("in", "-o", ".") == 2


def test_a_link_of_the_tree_into_the_output_folder_is_no_document():
    pdf("in/a.pdf", "words")
    pdf("in/out/b/document.pdf", "words")
    Path("in/link.pdf").symlink_to("out/b/document.pdf")
    assert run(["batch", "in", "-o", "in/out", "--target", "none", "-q"]) == 0
    assert [entry["input"] for entry in json.loads(Path("in/out/run.json").read_text())["inputs"]] == ["in/a.pdf"]


# -------------------------------------------------------------------------------------------------- links


@pytest.mark.parametrize("name", [f"{STATE}/{JOURNAL}", f"{STATE}/lock"])
def test_a_link_in_a_batchs_own_folder_is_not_followed(name, capsys):
    victim = put("victim")
    pdf("in/a.pdf", "words")
    Path("out", STATE).mkdir(parents=True)
    Path("out", name).symlink_to(victim.absolute())
    assert batch() in (0, 1)
    assert victim.read_text() == MINE


def test_a_batchs_own_folder_is_no_link(capsys):
    Path("elsewhere").mkdir()
    pdf("in/a.pdf", "words")
    Path("out").mkdir()
    Path("out", STATE).symlink_to("../elsewhere")
    assert batch() == 1
    assert "write_failed" in capsys.readouterr().err
    assert not list(Path("elsewhere").iterdir())


@pytest.mark.parametrize("name", ["page-0001.md", "document.json", "document.pdf", NOTES])
def test_a_link_in_a_documents_folder_is_not_followed(name):
    victim = put("victim")
    Path("out/a").mkdir(parents=True)
    Path("out/a", name).symlink_to(victim.absolute())
    convert(pdf("a.pdf", "words"), "-o", "out", "--format", "md,json,pdf")
    assert victim.read_text() == MINE


def test_a_link_to_a_folder_is_not_the_pictures_folder(tmp_path):
    picture = put("elsewhere/page-0001-figure-1.png")
    Path("out/a").mkdir(parents=True)
    Path("out/a/images").symlink_to("../../elsewhere")
    assert convert(pdf("a.pdf", "words"), "-o", "out") == 2
    assert picture.read_text() == MINE


def test_a_file_is_written_under_another_random_name_each_time():
    assert len({part_of(Path("page-0001.md")) for _ in range(20)}) == 20


def test_a_half_written_file_takes_nobodys_place(monkeypatch):
    monkeypatch.setattr(os, "urandom", lambda count: bytes(count))
    Path(".run.json.00000000.part").symlink_to(put("victim"))
    with pytest.raises(OutputError):
        write(Path("run.json"), "words")
    assert Path("victim").read_text() == MINE


def test_a_pipe_is_not_waited_for():
    os.mkfifo("pipe")
    with pytest.raises(OSError, match="pipe"), opened_itself(Path("pipe"), "rb"):
        pass
    write(Path("pipe"), "a file now")
    assert Path("pipe").read_text() == "a file now"


def test_the_digests_are_those_of_the_files_that_stand_there():
    """A page that is written again at the document's end had two, and `sha256sum -c` failed on a fresh folder."""
    assert convert(str(SAMPLE), "-o", "out", "--format", "md,json,html") == 0
    folder = Path("out") / SAMPLE.stem
    noted = [line.split("  ") for line in (folder / NOTES).read_text().splitlines()]
    assert {name for _, name in noted} == {path.name for path in folder.iterdir()} - {NOTES}
    assert all(sha256((folder / name).read_bytes()).hexdigest() == digest for digest, name in noted)
