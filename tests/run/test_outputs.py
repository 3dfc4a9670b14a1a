"""The output tree: whole files, what is ours cleared away, what is the user's left alone."""

from __future__ import annotations

import io
import json

import pytest
from PIL import Image

from docparse_fast import ParseOptions
from docparse_fast.document import Block, Category, ParsedDocument, ParsedPage
from docparse_fast.errors import OutputError
from docparse_fast.run.edits import FILE as EDITS_FILE
from docparse_fast.run.edits import Edit, Edits, as_json
from docparse_fast.run.outputs import DocumentFolder
from docparse_fast.run.printed import MarkdownStream, PageStream
from docparse_fast.system.files import NOTES, write


def page(number: int, words: str = "words") -> ParsedPage:
    return ParsedPage(number, blocks=(Block(Category.TEXT, words),))


def convert(folder, pages, figures=(), **options):
    output = DocumentFolder(folder, ParseOptions(**options))
    output.begin()
    for number in figures:
        output.keep_figure(number, 1, Image.new("RGB", (4, 4)))
    for done in pages:
        output.page(done)
    output.end(ParsedDocument("a.pdf", "", tuple(pages)))


def files(folder) -> list[str]:
    return sorted(str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file() and path.name != NOTES)


def test_a_document_leaves_its_pages_its_whole_and_its_figures(tmp_path):
    convert(tmp_path / "a", [page(1), page(12345)], figures=[1])
    assert files(tmp_path) == [
        "a/document.json", "a/document.md", "a/images/page-0001-figure-1.png", "a/page-0001.md", "a/page-12345.md",
    ]  # fmt: skip


def test_a_page_is_there_as_soon_as_it_is_done(tmp_path):
    output = DocumentFolder(tmp_path, ParseOptions())
    output.begin()
    output.page(page(1))
    assert files(tmp_path) == ["page-0001.md"]


def test_only_the_formats_asked_for_are_written(tmp_path):
    convert(tmp_path / "json", [page(1)], formats=("json",))
    convert(tmp_path / "md", [page(1)], formats=("md",))
    assert files(tmp_path) == ["json/document.json", "md/document.md", "md/page-0001.md"]


def test_a_new_run_clears_away_the_old_one_and_nothing_else(tmp_path):
    convert(tmp_path, [page(1), page(2), page(10000)], figures=[2])
    left = [".page-0003.md.0a1b2c3d.part"]  # by a run that was killed
    others = ["notes.md", "page-1.md", "images/photo.png"]
    for name in left + others:
        (tmp_path / name).write_text("")
    convert(tmp_path, [page(2)], formats=("md",))
    assert files(tmp_path) == ["document.md", "images/photo.png", "notes.md", "page-0002.md", "page-1.md"]


def test_forgetting_leaves_no_empty_folder(tmp_path):
    convert(tmp_path / "a", [page(1)], figures=[1])
    DocumentFolder(tmp_path / "a", ParseOptions()).forget()
    assert not (tmp_path / "a").exists()


def test_a_file_that_cannot_be_written_leaves_the_old_one_whole(tmp_path):
    target = tmp_path / "page-0001.md"
    target.mkdir()  # nothing can be moved there
    with pytest.raises(OutputError) as caught:
        write(target, "new")
    assert caught.value.code == "write_failed"
    assert files(tmp_path) == []


def test_half_a_character_does_not_cost_the_page(tmp_path):
    convert(tmp_path, [page(1, "bad \ud800 text")])
    assert (tmp_path / "page-0001.md").read_text("utf-8") == "bad \ufffd text\n"


def test_pictures_of_any_colour_are_kept(tmp_path):
    output = DocumentFolder(tmp_path, ParseOptions())
    output.begin()
    for number, mode in enumerate(("1", "L", "P", "CMYK", "RGBA"), 1):
        link = output.keep_figure(1, number, Image.new(mode, (3, 2)))
        with Image.open(tmp_path / link) as picture:
            assert picture.size == (3, 2)


def printed(stream_type, *pages):
    stream = io.StringIO()
    output = stream_type(stream, ParseOptions(), heading="a--b.pdf")
    output.begin()
    for done in pages:
        output.page(done)
    output.end(ParsedDocument("a--b.pdf", "", pages))
    return stream.getvalue()


@pytest.mark.parametrize("stream_type", [MarkdownStream, PageStream])
def test_printed_markdown_carries_the_page_marks(stream_type):
    text = printed(stream_type, page(1, "one"), ParsedPage(2, status="blank"))
    assert text == "<!-- a- -b.pdf -->\n\n<!-- page 1 -->\n\none\n\n<!-- page 2 -->\n\n"


HEAD = "<table><tr><th>Item</th><th>Amount</th></tr><tr><td>Nails, long</td><td>12.50</td></tr></table>"
REST = "<table><tr><td>Oak</td><td>7.10</td></tr></table>"


def test_each_table_is_a_csv_file_that_the_json_names(tmp_path):
    one = ParsedPage(1, blocks=(Block(Category.TABLE, REST), Block(Category.TABLE, HEAD, goes_on=True)))
    two = ParsedPage(2, blocks=(Block(Category.TABLE, REST, continues=True), Block(Category.TABLE, REST)))
    convert(tmp_path, [one, two], formats=("json", "csv"))
    tables = ["tables/page-0001-table-1.csv", "tables/page-0001-table-2.csv", "tables/page-0002-table-1.csv"]
    assert files(tmp_path) == ["document.json", *tables]
    assert (tmp_path / tables[1]).read_bytes() == b'Item,Amount\r\n"Nails, long",12.50\r\nOak,7.10\r\n'
    pages = json.loads((tmp_path / "document.json").read_text())["pages"]
    assert [block["csv"] for page in pages for block in page["blocks"]] == [tables[0], tables[1], tables[1], tables[2]]
    assert pages[0]["blocks"][1]["table"] == {"rows": 2, "columns": 2, "header_rows": 1, "spanning": []}


def test_csv_files_of_an_earlier_run_are_cleared_away_and_those_of_others_stay(tmp_path):
    done = ParsedPage(1, blocks=(Block(Category.TABLE, REST), Block(Category.TABLE, HEAD)))
    convert(tmp_path, [done], formats=("json", "csv"))
    (tmp_path / "tables/mine.csv").write_text("mine")
    convert(tmp_path, [done], formats=("json",))
    assert files(tmp_path) == ["document.json", "tables/mine.csv"]
    assert '"csv"' not in (tmp_path / "document.json").read_text()
    (tmp_path / "tables/mine.csv").unlink()
    DocumentFolder(tmp_path, ParseOptions()).forget()
    assert not tmp_path.exists()


def test_a_table_that_a_reader_took_away_or_made_has_its_csv_taken_away_or_made(tmp_path):
    done = ParsedPage(1, blocks=(Block(Category.TABLE, REST), Block(Category.TABLE, HEAD), Block(Category.TEXT, "a b")))
    convert(tmp_path, [done], formats=("json", "csv"))
    edits = (Edit(1, 0, REST, "no table", Category.TEXT), Edit(1, 2, "a b", HEAD, Category.TABLE))
    write(tmp_path / EDITS_FILE, as_json(Edits(edits)))
    output = DocumentFolder(tmp_path, ParseOptions(formats=("csv",)))
    output.write_document(ParsedDocument("a.pdf", "", (done,)))
    assert files(tmp_path / "tables") == ["page-0001-table-2.csv", "page-0001-table-3.csv"]
