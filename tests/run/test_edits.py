"""A reader's corrections: what they change, that they outlive a new run, and what becomes of those that fit no more."""

from __future__ import annotations

import json
import logging
from pathlib import Path

import pymupdf
import pytest

from docparse_fast.cli import run
from docparse_fast.document import Block, Category, ParsedDocument, ParsedPage
from docparse_fast.errors import InputError
from docparse_fast.joining import flowing
from docparse_fast.options import ParseOptions
from docparse_fast.rendering.markdown import render_page
from docparse_fast.run.edits import FILE, Edit, Edits, as_json, read_edits
from docparse_fast.run.outputs import DocumentFolder


def page(*texts: str, number: int = 1) -> ParsedPage:
    return ParsedPage(number, blocks=tuple(Block(Category.TEXT, text) for text in texts))


def texts(page: ParsedPage) -> list[str]:
    return [block.text for block in page.blocks]


def test_an_edit_replaces_the_words_of_its_block():
    edits = Edits((Edit(1, 1, "tow", "two"),))
    assert texts(edits.page(page("one", "tow"))) == ["one", "two"]


def test_an_edit_follows_its_block_to_another_place():
    edits = Edits((Edit(1, 1, "tow", "two"),))
    assert texts(edits.page(page("new", "one", "tow"))) == ["new", "one", "two"]


def test_an_edit_of_one_of_two_equal_blocks_takes_the_nearest():
    edits = Edits((Edit(1, 2, "x", "y"),))
    assert texts(edits.page(page("x", "a", "x"))) == ["x", "a", "y"]


def test_an_edit_of_other_words_changes_nothing_and_is_outdated():
    edits = Edits((Edit(1, 0, "tow", "two"),))
    document = ParsedDocument("a.pdf", "", (page("three"),))
    assert edits.document(document) == document
    assert edits.outdated(document) == list(edits.edits)


def test_an_empty_edit_takes_the_block_away():
    figure = Block(Category.FIGURE, "smudge", image="images/page-0001-figure-1.png")
    edited = Edits((Edit(1, 0, "smudge", ""),)).page(ParsedPage(1, blocks=(figure,)))
    assert render_page(edited) == ""


def test_an_edit_with_a_blank_line_makes_two_paragraphs():
    edits = Edits((Edit(1, 0, "one two", "one\n\ntwo"),))
    assert render_page(edits.page(page("one two"))) == "one\n\ntwo\n"


def test_an_edit_can_make_a_heading_of_a_paragraph():
    edits = Edits((Edit(1, 0, "Methods", "Methods", Category.SECTION_HEADER, 3),))
    assert render_page(edits.page(page("Methods"))) == "### Methods\n"


def test_a_reader_can_write_what_a_page_lacks():
    edits = Edits((Edit(1, None, "", "by hand"),))
    assert render_page(edits.page(ParsedPage(1, status="failed"))) == "by hand\n"


def test_an_edited_block_has_no_more_links_than_before():
    """The words of an address that an OCR read don't begin to act because a letter beside them is mended."""
    read = Block(Category.TEXT, "[x](http://evil.example) tow", sources=("embedded",))
    edits = Edits((Edit(1, 0, read.text, "[x](http://evil.example) two"),))
    assert render_page(edits.page(ParsedPage(1, blocks=(read,)))) == "[x\\](http://evil.example) two\n"


def test_an_edit_can_move_a_block():
    """To before the block at a place, counted as they were read; to the end where there is none."""
    edits = Edits((Edit(1, 0, "a", "a", to=2), Edit(1, 3, "d", "D", to=1)))
    assert texts(edits.page(page("a", "b", "c", "d"))) == ["D", "b", "a", "c"]
    assert texts(Edits((Edit(1, 0, "a", "a", to=9),)).page(page("a", "b"))) == ["b", "a"]


def test_nothing_continues_a_block_that_is_gone():
    ends = Block(Category.TEXT, "a long sen-", goes_on=True)
    goes_on, last = (
        Block(Category.TEXT, "ten- ", continues=True, goes_on=True),
        Block(Category.TEXT, "tence", continues=True),
    )
    pages = tuple(ParsedPage(n, blocks=(block,)) for n, block in enumerate((ends, goes_on, last), 1))
    edited = Edits((Edit(2, 0, goes_on.text, ""),)).document(ParsedDocument("a.pdf", "", pages))
    assert [texts(each) for each in flowing(edited).pages] == [["a long sen-"], [""], ["tence"]]


def test_a_later_edit_of_the_same_block_replaces_the_earlier_one():
    read = page("tow")
    edits = Edits().with_edit(read, Edit(1, 0, "tow", "to")).with_edit(read, Edit(1, 0, "tow", "two"))
    assert edits.edits == (Edit(1, 0, "tow", "two"),)
    assert edits.with_edit(read, Edit(1, 0, "tow", "tow")).edits == ()


def test_a_later_edit_replaces_the_earlier_one_of_a_block_that_has_moved():
    earlier, later = Edit(1, 0, "tow", "to"), Edit(1, 1, "tow", "two")
    assert Edits((earlier,)).with_edit(page("new", "tow"), later).edits == (later,)


def test_an_edit_of_a_block_keeps_the_one_whose_block_stood_there_before():
    earlier, later = Edit(1, 0, "tow", "two"), Edit(1, 0, "nwe", "new")
    assert Edits((earlier,)).with_edit(page("nwe", "tow"), later).edits == (earlier, later)


def test_a_page_is_checked_until_it_reads_otherwise():
    edits = Edits().with_check(page("one"), right=True)
    assert edits.is_checked(page("one"))
    assert not edits.is_checked(page("two"))
    assert not edits.with_check(page("one"), right=False).is_checked(page("one"))


def test_edits_come_back_from_their_file(tmp_path):
    edits = Edits(
        (Edit(1, 0, "a\ud800", "b"), Edit(2, 3, "y", "y", to=0), Edit(2, None, "", "x", Category.TITLE, 1)), {3: "ab"}
    )
    (tmp_path / FILE).write_text(as_json(edits))
    assert read_edits(tmp_path) == edits


@pytest.mark.parametrize("text", ["", "{}", "[]", '{"format": "docparse-fast/edits", "version": 2}', "\x00"])
def test_a_file_that_is_no_file_of_edits_is_corrupt(tmp_path, text):
    (tmp_path / FILE).write_text(text)
    with pytest.raises(InputError, match="mend it, or move it away"):
        read_edits(tmp_path)


# ------------------------------------------------------------------------------------------- runs keep them


@pytest.fixture
def converted(tmp_path, monkeypatch):
    """A function that converts a PDF of one line into OUT and returns its folder there."""
    monkeypatch.chdir(tmp_path)

    def convert(words: str) -> Path:
        with pymupdf.open() as file:
            file.new_page().insert_text((72, 72), words)
            file.save("a.pdf")
        assert run(["convert", "a.pdf", "-o", "out", "--target", "none", "--format", "md,json,chunks"]) == 0
        return Path("out/a")

    return convert


def test_a_new_run_keeps_the_edits_in_markdown_and_chunks(converted):
    folder = converted("Tow boats left.")
    (folder / FILE).write_text(as_json(Edits((Edit(1, 0, "Tow boats left.", "Two boats left."),))))
    converted("Tow boats left.")
    for name in ("page-0001.md", "document.md", "chunks.jsonl"):
        assert "Two boats left." in (folder / name).read_text(), name
    assert json.loads((folder / "document.json").read_text())["pages"][0]["blocks"][0]["text"] == "Tow boats left."


def test_a_run_says_that_an_edit_fits_no_more(converted, capsys):
    folder = converted("Tow boats left.")
    (folder / FILE).write_text(as_json(Edits((Edit(1, 0, "Tow boats left.", "Two boats left."),))))
    converted("Three boats left.")
    assert "1 of 1 edits fit no block any more" in capsys.readouterr().err
    assert len(read_edits(folder).edits) == 1


def test_a_broken_file_of_edits_is_said_and_kept(tmp_path, caplog):
    (tmp_path / FILE).write_text("mine")
    output = DocumentFolder(tmp_path, ParseOptions())
    with caplog.at_level(logging.INFO, "docparse_fast.notices"):
        output.begin()
        output.end(ParsedDocument("a.pdf", "", (page("one"),)))
    assert "no edit is applied" in caplog.text
    assert (tmp_path / FILE).read_text() == "mine"


def test_what_joins_a_block_to_other_pages_stays_at_the_ends_of_its_paragraphs():
    block = Block(Category.TEXT, "one two three", image="a.png", continues=True, goes_on=True)
    edits = Edits((Edit(1, 0, "one two three", "one\n\ntwo\n\nthree"),))
    made = edits.page(ParsedPage(1, blocks=(block,))).blocks
    ends = [(each.image, each.continues, each.goes_on) for each in made]
    assert ends == [("a.png", True, False), (None, False, False), (None, False, True)]


@pytest.mark.parametrize(("edit", "continues"), [(Edit(1, 0, "tow", "two"), True), (Edit(1, 1, "a", ""), False)])
def test_a_page_continues_the_one_before_until_the_end_of_that_is_taken_away(edit, continues):
    first = ParsedPage(1, blocks=(Block(Category.TEXT, "tow"), Block(Category.TEXT, "a", goes_on=True)))
    second = ParsedPage(2, blocks=(Block(Category.TEXT, "word", continues=True),))
    made = Edits((edit,)).document(ParsedDocument("a.pdf", "", (first, second)))
    assert made.pages[1].blocks[0].continues is continues
