"""Python's own interface: what is read, what a document gives, what `save` leaves."""

from __future__ import annotations

import io
from pathlib import Path

import pymupdf
import pytest
from PIL import Image

from docparse_fast import InputError, ParseOptions, Parser, RasterOptions, UsageError, parse
from docparse_fast.api import Document
from docparse_fast.cli import run
from docparse_fast.document import Block, Category, ParsedPage
from docparse_fast.options import DraftOptions
from docparse_fast.system.files import NOTES

LAYER_ALONE = ParseOptions(drafting=DraftOptions(ocr="never"))  # no network is loaded for the words in a picture


@pytest.fixture(autouse=True)
def here(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return tmp_path


def pdf(path: str, *pages: str, fields: bool = False, picture: bool = False) -> str:
    with pymupdf.open() as document:
        for words in pages:
            page = document.new_page(width=300, height=400)
            page.insert_text((30, 60), words)
            if picture:
                shade = pymupdf.Pixmap(pymupdf.csRGB, pymupdf.IRect(0, 0, 80, 80), False)
                shade.set_rect(shade.irect, (200, 30, 30))
                page.insert_image(pymupdf.Rect(50, 150, 250, 350), pixmap=shade)
            if fields:
                add_fields(page)
        document.save(path)
    return path


def add_fields(page: pymupdf.Page) -> None:
    kinds = (pymupdf.PDF_WIDGET_TYPE_TEXT, pymupdf.PDF_WIDGET_TYPE_CHECKBOX, pymupdf.PDF_WIDGET_TYPE_TEXT)
    given = (("name", "Ada", 0), ("agreed", True, 0), ("secret", "hidden", 1 << 13))
    for n, (kind, (name, value, flags)) in enumerate(zip(kinds, given, strict=True)):
        field = pymupdf.Widget()
        field.field_name, field.field_type, field.field_value, field.field_flags = name, kind, value, flags
        field.rect = pymupdf.Rect(30, 100 + 30 * n, 130, 120 + 30 * n)
        page.add_widget(field)


def test_a_path_bytes_and_an_open_file_are_read_alike():
    path = pdf("a.pdf", "the same words")
    data = Path(path).read_bytes()
    with open(path, "rb") as file:  # noqa: PTH123  # as users do
        read = [parse(path), parse(Path(path)), parse(data, name="a.pdf"), parse(file), parse(io.BytesIO(data))]
    read += [parse(bytearray(data)), parse(memoryview(data))]
    assert [document.source for document in read] == ["a.pdf", "a.pdf", "a.pdf", "a.pdf", "-", "-", "-"]
    assert len({document.markdown() for document in read}) == 1
    assert len({document.sha256 for document in read}) == 1


def test_a_file_that_is_open_as_text_is_refused():
    with pytest.raises(UsageError, match="open it with"):
        parse(io.StringIO("words"))


@pytest.mark.parametrize("source", [None, 5, ["a.pdf"]])
def test_what_is_no_document_is_refused_with_words(source):
    with pytest.raises(UsageError, match="give a path, bytes or an open file"):
        parse(source)


def test_options_of_another_kind_are_refused_with_words():
    with pytest.raises(UsageError, match="ParseOptions"):
        parse("a.pdf", {"lang": "en"})


@pytest.mark.parametrize(("name", "called"), [("scan.pdf", "scan.pdf"), (None, "-")])
def test_an_error_about_bytes_names_them_and_no_temporary_file(name, called):
    with pytest.raises(InputError) as caught:
        parse(b"%PDF-1.4 rubbish", name=name)
    assert str(caught.value).startswith(f"{called} can't be read")


def test_no_box_reaches_beyond_its_page():
    """A letter may run over the page's edge."""
    with pymupdf.open() as document:
        document.new_page(width=300, height=200).insert_text((-4, 120), "Begins just beyond the edge.")
        document.save("over.pdf")
    document = parse("over.pdf")
    [block] = document.pages[0].blocks
    assert [box.x0 for box in (block.box, next(iter(block.words))[0])] == [0, 0]


def test_nothing_is_left_of_bytes_that_were_read(tmp_path, monkeypatch):
    monkeypatch.setenv("TMPDIR", str(tmp_path / "temporary"))
    (tmp_path / "temporary").mkdir()
    monkeypatch.setattr("tempfile.tempdir", None)
    document = parse(Path(pdf("a.pdf", "words", fields=True)).read_bytes())
    assert document.picture(1).width == document.pages[0].width
    assert not list((tmp_path / "temporary").iterdir())


def test_save_writes_what_convert_writes():
    pdf("a.pdf", "words", "more words", picture=True)
    assert run(["convert", "a.pdf", "-o", "out", "--ocr", "never", "-q", "--format", "md,json,html,chunks"]) == 0
    folder = parse("a.pdf", LAYER_ALONE).save("saved", ("md", "json", "html", "chunks"))
    names = sorted(str(path.relative_to("out/a")) for path in Path("out/a").rglob("*") if path.is_file())
    assert names == sorted(str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file())
    assert "images/page-0001-figure-1.png" in names
    for name in names:
        if name.endswith((".md", ".png", ".jsonl")):
            assert (folder / name).read_bytes() == Path("out/a", name).read_bytes(), name


def test_save_writes_over_no_file_of_the_user():
    document = parse(pdf("a.pdf", "words"))
    Path("saved").mkdir()
    Path("saved/document.md").write_text("mine")
    with pytest.raises(UsageError, match="no run wrote it"):
        document.save("saved")
    assert Path("saved/document.md").read_text() == "mine"
    Path("saved/document.md").unlink()
    document.save("saved")
    document.save("saved", ("md",))
    assert {path.name for path in Path("saved").iterdir()} == {NOTES, "document.md", "page-0001.md"}


def test_tables_are_rows_of_texts_and_one_over_two_pages_is_one():
    html = "<table><tr><th>a</th><th>b</th></tr><tr><td colspan='2'>c</td></tr></table>"
    more = "<table><tr><td>d</td><td>e</td></tr></table>"
    document = parse(pdf("a.pdf", "words"))
    pages = (
        ParsedPage(1, blocks=(Block(Category.TABLE, html, goes_on=True),)),
        ParsedPage(2, blocks=(Block(Category.TABLE, more, continues=True),)),
    )
    (table,) = type(document)("a.pdf", "", pages).tables
    assert (table.page, table.rows) == (1, [["a", "b"], ["c", ""], ["d", "e"]])


def test_a_figure_is_cut_out_of_its_page():
    (figure,) = parse(pdf("a.pdf", "words", picture=True), LAYER_ALONE).figures
    picture = figure.picture()
    assert abs(picture.width - figure.box.width) <= 2
    assert picture.getpixel((picture.width // 2, picture.height // 2)) == (200, 30, 30)


def test_fields_have_their_values_and_places():
    document = parse(pdf("a.pdf", "words", fields=True), ParseOptions(raster=RasterOptions(dpi=144)))
    found = {field.name: field for field in document.fields}
    assert {name: (field.kind, field.value) for name, field in found.items()} == {
        "name": ("text", "Ada"), "agreed": ("checkbox", True), "secret": ("text", ""),
    }  # fmt: skip
    box = found["name"].box
    assert (box.x0, box.y0, box.x1, box.y1) == pytest.approx((60, 200, 260, 240), abs=3)


def test_a_picture_has_no_fields():
    Image.new("L", (60, 40), 255).save("a.png")
    assert parse("a.png").fields == ()


def test_what_needs_the_file_says_so_where_it_has_changed_or_was_not_read():
    document = parse(pdf("a.pdf", "one", "two"), ParseOptions(raster=RasterOptions(pages="2")))
    assert document.picture(2).width == document.pages[0].width
    with pytest.raises(UsageError, match=r"page 1 of a\.pdf was not read"):
        document.picture(1)
    pdf("a.pdf", "three")
    with pytest.raises(InputError, match="has changed since"):
        document.picture(2)


def test_pages_come_one_by_one_and_progress_is_told():
    parser, seen = Parser(ParseOptions()), []
    first = next(parser.pages(pdf("a.pdf", "one", "two", "three")))
    assert (first.number, first.blocks[0].text) == (1, "one")
    parser.parse("a.pdf", progress=lambda now: seen.append((now.page.number, now.done, now.total)))
    assert seen == [(1, 1, 3), (2, 2, 3), (3, 3, 3)]


def test_a_document_is_the_same_whether_its_pages_were_looked_at_or_not():
    pdf("a.pdf", "words")
    assert parse("a.pdf").pages[0].blocks == parse(Path("a.pdf").read_bytes()).pages[0].blocks


def test_a_tables_sums_are_those_of_all_its_pages():
    head = "<table><tr><th>Item</th><th>Amount</th></tr>"
    lines = "<tr><td>Oars</td><td>472.15</td></tr><tr><td>Paint</td><td>1,063.80</td></tr>"
    rest = "<table><tr><td>Rope</td><td>318.45</td></tr><tr><td>Total</td><td>1,854.40</td></tr></table>"
    first = ParsedPage(1, blocks=(Block(Category.TABLE, f"{head}{lines}</table>", goes_on=True),))
    second = ParsedPage(2, blocks=(Block(Category.TABLE, rest, continues=True),))
    (table,) = Document("a.pdf", "", (first, second)).tables
    assert table.sums is not None
    assert [(each.parts, each.result) for each in table.sums.relations] == [((1, 2, 3), 4)]
