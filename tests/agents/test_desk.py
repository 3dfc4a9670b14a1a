"""What an agent can do through the desk, and above all what it can't."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest
from page_files import pdf, raw_pdf

from docparse_fast.agents.desk import Desk
from docparse_fast.cli import run
from docparse_fast.document import Category
from docparse_fast.errors import DocparseError, UsageError
from docparse_fast.options import DraftOptions, ParseOptions, TargetOptions
from docparse_fast.run.edits import FILE, Edit, Edits, as_json

OPTIONS = ParseOptions(drafting=DraftOptions(drafter="text-layer"), target=TargetOptions(name="none"))
ROOT = Path(__file__).parents[2]


@pytest.fixture
def desk(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    pdf("papers/a.pdf", "Seven boats left the harbour.", "Two boats came back.")
    pdf("papers/sub/b.pdf", "No boat was seen.")
    pdf("secret/c.pdf", "The password is swordfish.")
    return Desk([Path("papers")], Path("out"), OPTIONS)


def test_documents_are_listed_with_what_is_converted(desk):
    desk.convert("a.pdf")
    listed = {each["document"]: each["converted"] for each in desk.documents()["documents"]}
    assert listed == {"a.pdf": True, "sub/b.pdf": False}


def test_documents_are_listed_with_their_sizes_and_dates(desk):
    os.utime("papers/a.pdf", (0, 86_400))
    listed = desk.documents()["documents"][0]
    assert (listed["bytes"], listed["changed"]) == (Path("papers/a.pdf").stat().st_size, "1970-01-02T00:00:00+00:00")


def test_blocks_say_where_each_text_stands_in_pixels_and_in_points(desk):
    desk.convert("a.pdf")
    found = desk.blocks("a.pdf", 2)
    (block,) = found["blocks"]
    assert (found["page"], block["text"], block["category"]) == (2, "Two boats came back.", "text")
    assert block["points"] == pytest.approx(
        [side * found["points"][0] / found["pixels"][0] for side in block["box"]], abs=0.1
    )


def test_chunks_come_in_portions_with_corrections(desk):
    desk.convert("a.pdf")
    edits = Edits((Edit(1, 0, "Seven boats left the harbour.", "Eight boats left."),))
    Path("out/a.pdf", FILE).write_text(as_json(edits))
    found = desk.chunks("a.pdf", 0, 1)
    assert (found["of"], found["chunks"][0]["text"][:17]) == (1, "Eight boats left.")
    assert desk.chunks("a.pdf", 1, 1)["chunks"] == []


def test_a_page_s_picture_is_that_of_the_file_that_was_read(desk):
    desk.convert("a.pdf")
    assert desk.page_picture("a.pdf", 2)[8:12] == b"WEBP"
    pdf("papers/a.pdf", "Nine boats.", "None.")
    with pytest.raises(DocparseError, match="has changed since"):
        desk.page_picture("a.pdf", 2)


def test_a_name_that_is_not_utf_8_is_listed_and_leads_to_its_document(desk):
    """One such file, and the agent was told nothing of any."""
    Path("papers/sub/b.pdf").rename(os.fsdecode(b"papers/sub/caf\xe9.pdf"))
    listed = [each["document"] for each in desk.documents()["documents"]]
    assert listed == ["a.pdf", "sub/caf\ufffd.pdf"]
    assert desk.convert(listed[1])["document"] == listed[1]
    assert desk.read_page(listed[1], 1)["markdown"] == "No boat was seen.\n"
    assert desk.search("boat")["passages"][0]["document"] == listed[1]


def test_a_document_is_converted_and_read_page_by_page(desk):
    assert desk.convert("a.pdf")["pages"] == [1, 2]
    page = desk.read_page("a.pdf", 2)
    assert (page["markdown"], page["of"], page["status"]) == ("Two boats came back.\n", 2, "ok")


def test_a_page_that_may_be_drawn_for_ever_holds_up_no_later_call(desk, monkeypatch):
    """The lock was never freed: MuPDF was busy in this process."""
    shaded = b"/Resources<<>>/MediaBox[0 0 99 99]/Contents 4 0 R"
    Path("papers/p.pdf").write_bytes(raw_pdf(shaded, 1, b"<</Length 20>>stream\n/S sh              \nendstream"))
    monkeypatch.setenv("DOCPARSE_FAST_FAULT", "hang@reading:p.pdf:1")
    monkeypatch.setattr("docparse_fast.batch.within_limits.LONGEST_PAGE", 1.0)
    with pytest.raises(DocparseError, match="longer than 1 s"):
        desk.convert("p.pdf")
    assert desk.convert("a.pdf")["pages"] == [1, 2]


@pytest.mark.parametrize("name", ["papers/a.pdf", "./a.pdf", "sub/../a.pdf"])
def test_other_names_of_a_document_lead_to_it(desk, name):
    assert desk.convert(name)["document"] == "a.pdf"


def test_an_absolute_path_within_the_folder_is_fine(desk):
    assert desk.convert(str(Path("papers/a.pdf").resolve()))["document"] == "a.pdf"


OUTSIDE = ["../secret/c.pdf", "papers/../../secret/c.pdf", "/etc/passwd", "link.pdf", "linked/c.pdf"]
NOWHERE = ["", ".", "a\0.pdf", "~/c.pdf", "nothing.pdf", "sub"]


@pytest.mark.parametrize("verb", ["convert", "read_page", "search", "blocks", "chunks", "page_picture"])
@pytest.mark.parametrize("name", [*OUTSIDE, *NOWHERE])
def test_nothing_outside_the_folders_is_reached(desk, name, verb):
    Path("papers/link.pdf").symlink_to(Path("secret/c.pdf").resolve())
    Path("papers/linked").symlink_to(Path("secret").resolve())
    calls = {
        "convert": lambda: desk.convert(name),
        "read_page": lambda: desk.read_page(name, 1),
        "search": lambda: desk.search("swordfish", document=name),
        "blocks": lambda: desk.blocks(name, 1),
        "chunks": lambda: desk.chunks(name, 0, 1),
        "page_picture": lambda: desk.page_picture(name, 1),
    }
    if verb == "search" and not name:  # that is all documents, of which none is converted
        assert desk.search("swordfish")["found"] == 0
        return
    with pytest.raises(DocparseError) as caught:
        calls[verb]()
    assert caught.value.code == "not_found"
    assert not Path("out").exists()


def test_an_absolute_path_outside_is_refused(desk):
    with pytest.raises(DocparseError, match="in none of the folders"):
        desk.convert(str(Path("secret/c.pdf").resolve()))


def test_two_folders_of_one_name_stay_apart(desk):
    pdf("old/papers/a.pdf", "An older fleet.")
    both = Desk([Path("papers"), Path("old/papers")], Path("out"), OPTIONS)
    assert both.convert("papers-2/a.pdf")["document"] == "papers-2/a.pdf"
    assert "older" in both.read_page("papers-2/a.pdf", 1)["markdown"]


def test_a_folder_that_is_called_as_another_would_be_stays_apart(desk):
    pdf("papers-2/a.pdf", "A newer fleet.")
    pdf("old/papers/a.pdf", "An older fleet.")
    three = Desk([Path("papers-2"), Path("papers"), Path("old/papers")], Path("out"), OPTIONS)
    assert len({each["document"] for each in three.documents()["documents"] if "a.pdf" in each["document"]}) == 3


def test_what_is_done_is_not_converted_again_until_it_changes(desk):
    desk.convert("a.pdf")
    written = Path("out/a.pdf/document.json").stat().st_mtime_ns
    desk.convert("a.pdf")
    assert Path("out/a.pdf/document.json").stat().st_mtime_ns == written
    pdf("papers/a.pdf", "Nine boats.")
    assert desk.convert("a.pdf")["pages"] == [1]


def test_a_long_list_is_read_in_portions_and_by_name(desk, monkeypatch):
    monkeypatch.setattr("docparse_fast.agents.desk.MOST_LISTED", 1)
    listed = [desk.documents(), desk.documents(first=1), desk.documents(named="SUB")]
    assert [([each["document"] for each in found["documents"]], found["left_out"]) for found in listed] == [
        (["a.pdf"], 1),
        (["sub/b.pdf"], 0),
        (["sub/b.pdf"], 0),
    ]


def test_a_passage_is_found_by_its_heading_and_its_words_together(desk):
    desk.convert("a.pdf")
    retitled = Edits((Edit(1, 0, "Seven boats left the harbour.", "Landings", Category.SECTION_HEADER),))
    Path("out/a.pdf", FILE).write_text(as_json(retitled))
    assert [each["page"] for each in desk.search("landings boats")["passages"]] == [2]
    assert desk.search("landings whales")["found"] == 0


def test_a_conversion_s_answer_says_what_was_repaired(desk):
    file = Path("papers/a.pdf")
    file.write_bytes(file.read_bytes()[:-40])
    assert any("repair" in warning for warning in desk.convert("a.pdf")["warnings"])


def stale_answers(desk) -> list[str]:
    """What each verb says of a.pdf's age."""
    (passage,) = desk.search("Seven")["passages"]
    (listed,) = [each for each in desk.documents()["documents"] if each["document"] == "a.pdf"]
    read = [desk.read_page("a.pdf", 1), desk.blocks("a.pdf", 1), desk.chunks("a.pdf", 0, 1)]
    return [answer.get("stale", "") for answer in (passage, listed, *read)]


def test_what_was_read_of_a_file_that_was_replaced_or_deleted_is_called_stale(desk):
    """The old text was served as if it were the file's."""
    desk.convert("a.pdf")
    assert stale_answers(desk) == [""] * 5
    os.utime("papers/a.pdf", (0, 0))
    assert stale_answers(desk) == [""] * 5
    pdf("papers/a.pdf", "Nine boats.")
    assert {each.partition(" since")[0] for each in stale_answers(desk)} == {"its file has changed"}
    Path("papers/a.pdf").unlink()
    assert {each.partition(";")[0] for each in stale_answers(desk)} == {"its file is no longer in the folders"}


def test_search_finds_all_words_with_page_and_document(desk):
    desk.convert("a.pdf")
    desk.convert("sub/b.pdf")
    found = desk.search("BOATS back")
    assert [(each["document"], each["page"]) for each in found["passages"]] == [("a.pdf", 2)]
    assert desk.search("boat", limit=1)["found"] == 3
    assert desk.search("boat", document="sub/b.pdf")["found"] == 1
    with pytest.raises(UsageError):
        desk.search("  ")


def test_a_reader_s_corrections_are_read_and_found(desk):
    desk.convert("a.pdf")
    edits = Edits((Edit(1, 0, "Seven boats left the harbour.", "Eight boats left."),))
    Path("out/a.pdf", FILE).write_text(as_json(edits))
    pdf("papers/a.pdf", "Seven boats left the harbour.", "Two boats came back.")
    desk.convert("a.pdf")
    assert desk.read_page("a.pdf", 1)["markdown"] == "Eight boats left.\n"
    assert desk.search("eight")["found"] == 1


def test_a_document_that_can_t_be_read_says_why(desk):
    Path("papers/bad.pdf").write_bytes(b"%PDF-1.7 nothing")
    with pytest.raises(DocparseError, match=r"bad\.pdf") as caught:
        desk.convert("bad.pdf")
    assert caught.value.code == "corrupt"


def test_a_page_that_is_not_there_is_named(desk):
    desk.convert("a.pdf")
    with pytest.raises(UsageError, match="has no page 3; it has 1 to 2"):
        desk.read_page("a.pdf", 3)
    with pytest.raises(DocparseError, match="call convert first"):
        desk.read_page("sub/b.pdf", 1)


def test_a_folder_that_is_not_there_is_one_line(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    pytest.importorskip("mcp", reason="needs the extra [mcp]")
    assert run(["mcp", "nowhere", "-o", "out"]) == 2
    assert "nowhere is not a folder" in capsys.readouterr().err


def test_without_the_sdk_the_command_says_how_to_get_it(tmp_path, monkeypatch, capsys):
    monkeypatch.setitem(sys.modules, "mcp", None)
    assert run(["mcp", str(tmp_path), "-o", "out"]) == 1
    said = "docparse-fast: error: model_missing: mcp needs its SDK; pip install 'docparse-fast[mcp]'\n"
    assert capsys.readouterr().err == said
