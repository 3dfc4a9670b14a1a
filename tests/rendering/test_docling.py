"""DoclingDocument, loaded and cut into chunks by docling-core itself, if it is installed."""

from __future__ import annotations

import importlib.util
import json

import pytest

from docparse_fast.cli import run
from docparse_fast.document import Block, Box, Category, ParsedDocument, ParsedPage
from docparse_fast.rendering.docling import render_docling
from docparse_fast.text.html_cells import MOST_SPANNED, GridCell, grid_of

BOX = Box(20, 40, 200, 60)
TABLE = '<table><tr><th colspan="2">Port &amp; sea</th></tr><tr><td>a<br>b</td><td>2</td></tr></table>'
DOCUMENT = ParsedDocument(
    "folder/a.pdf",
    "",
    (
        ParsedPage(
            1,
            400,
            800,
            144.0,
            blocks=(
                Block(Category.PAGE_HEADER, "running head", BOX),
                Block(Category.TITLE, "The *title*", BOX, 1),
                Block(Category.SECTION_HEADER, "Part one", BOX, 2),
                Block(Category.TEXT, "Some **bold** words.", BOX),
                Block(Category.LIST_ITEM, "- first", BOX),
                Block(Category.LIST_ITEM, "2. second", BOX),
                Block(Category.TABLE, TABLE, BOX),
                Block(Category.FORMULA, "a^2", BOX),
                Block(Category.CODE, "x = 1\ny = 2", None),
                Block(Category.FIGURE, "", BOX),
            ),
        ),
        ParsedPage(2, status="failed"),
    ),
)


def test_a_missing_docling_core_is_told_before_anything_is_read(monkeypatch, capsys):
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)
    assert run(["convert", "a.pdf", "-o", "out", "--format", "docling"]) == 2
    assert capsys.readouterr().err == (
        "docparse-fast: error: usage: --format docling needs docling-core; pip install 'docparse-fast[docling]'\n"
    )


def test_docling_core_loads_it_and_finds_everything_in_place():
    doc = pytest.importorskip("docling_core.types.doc")
    read = doc.DoclingDocument.model_validate(json.loads(render_docling(DOCUMENT)))
    assert [(item.label.value, item.text) for item in read.texts] == [
        ("page_header", "running head"),
        ("title", "The title"),
        ("section_header", "Part one"),
        ("text", "Some"),
        ("text", "bold"),
        ("text", "words."),
        ("list_item", "first"),
        ("list_item", "second"),
        ("formula", "a^2"),
        ("code", "x = 1\ny = 2"),
    ]
    assert [cell.text for cell in read.tables[0].data.table_cells] == ["Port & sea", "a b", "2"]
    assert (read.tables[0].data.num_rows, read.tables[0].data.num_cols) == (2, 2)
    place = read.texts[3].prov[0]
    assert (place.page_no, place.bbox.l, place.bbox.t, place.bbox.r, place.bbox.b) == (1, 10, 20, 100, 30)
    assert (read.pages[1].size.width, read.pages[1].size.height) == (200, 400)
    assert len(read.pictures) == 1
    markdown = read.export_to_markdown()
    assert "## Part one\n\nSome **bold** words." in markdown
    assert "running head" not in markdown


@pytest.mark.e2e  # loads torch where that is
def test_docling_cores_own_chunker_cuts_it_by_headings():
    doc = pytest.importorskip("docling_core.types.doc")
    chunking = pytest.importorskip("docling_core.transforms.chunker.hierarchical_chunker")
    read = doc.DoclingDocument.model_validate(json.loads(render_docling(DOCUMENT)))
    chunks = list(chunking.HierarchicalChunker().chunk(read))
    (words,) = [chunk for chunk in chunks if chunk.text == "Some **bold** words."]
    assert words.meta.headings[-1] == "Part one"
    assert any("Port & sea" in chunk.text for chunk in chunks)


def test_the_same_document_gives_the_same_bytes():
    pytest.importorskip("docling_core")
    assert render_docling(DOCUMENT) == render_docling(DOCUMENT)


def test_cells_that_span_rows_move_those_below_them():
    html = "<table><tr><td rowspan=2>a</td><td>b</td></tr><tr><td>c</td></tr></table>"
    assert grid_of(html)[2] == GridCell(1, 1, 1, 1, "c", False)


def test_a_span_beyond_reason_is_cut():
    assert grid_of('<table><tr><td colspan="999999999">a</td></tr></table>')[0].columns == MOST_SPANNED


def texts_of(markdown: str, category: Category = Category.TEXT) -> tuple[str, list[tuple[str, bool, bool]]]:
    """As docling writes it, and each text with whether it is bold and whether it leans."""
    doc = pytest.importorskip("docling_core.types.doc")
    page = ParsedPage(1, 400, 800, 144.0, blocks=(Block(category, markdown, BOX),))
    read = doc.DoclingDocument.model_validate(json.loads(render_docling(ParsedDocument("a.pdf", "", (page,)))))
    styles = [(each.text, each.formatting) for each in read.texts if each.text]
    return read.export_to_markdown(), [(text, bool(s and s.bold), bool(s and s.italic)) for text, s in styles]


def test_emphasis_is_docling_s_own():
    written, texts = texts_of("Some **bold words** and *leaning* ones.")
    assert written == "Some **bold words** and *leaning* ones."
    assert texts[1:4] == [("bold words", True, False), ("and", False, False), ("leaning", False, True)]
    assert texts_of("***both***")[1] == [("both", True, True)]
    assert texts_of("- one **two**", Category.LIST_ITEM)[0] == "- one **two**"


def test_a_word_that_is_emphasised_in_part_stays_one_word():
    """Docling sets a blank between two texts of one line."""
    assert texts_of("H<sub>2</sub>O and **c**at")[1] == [("H2O and cat", False, False)]
    assert texts_of("(**so**), he said")[0] == "**(so),** he said"


def test_an_entity_is_the_sign_that_it_stands_for():
    assert texts_of("a &lt; b &amp;amp; c \\&lt; d")[1] == [("a < b &amp; c &lt; d", False, False)]


def test_letters_beyond_ascii_stand_as_they_are():
    pytest.importorskip("docling_core")
    page = ParsedPage(1, 400, 800, 144.0, blocks=(Block(Category.TEXT, "Größe 城", BOX),))
    assert "Größe 城" in render_docling(ParsedDocument("a.pdf", "", (page,)))
