from __future__ import annotations

import json
from dataclasses import replace
from hashlib import sha256

from docparse_fast.document import Block, Box, Category, ParsedDocument, ParsedPage
from docparse_fast.joining import flowing
from docparse_fast.rendering.chunks import MOST_TOKENS, render_chunks
from docparse_fast.rendering.markdown import render_markdown

BOX = Box(1, 2, 30, 40)


def heading(text: str, level: int) -> Block:
    return Block(Category.SECTION_HEADER, text, BOX, level)


def text(words: str) -> Block:
    return Block(Category.TEXT, words, BOX)


def chunks(*pages: list[Block], **options) -> list[dict]:
    read = tuple(ParsedPage(number, blocks=tuple(blocks)) for number, blocks in enumerate(pages, 1))
    return chunks_of_document(ParsedDocument("a.pdf", "", read), **options)


def chunks_of_document(document: ParsedDocument, **options) -> list[dict]:
    return [json.loads(line) for line in render_chunks(document, **options).splitlines()]


def test_a_chunk_begins_at_each_heading_and_knows_those_above():
    found = chunks(
        [text("before"), heading("One", 1), text("a"), heading("Two", 2), text("b")], [heading("3", 1), text("c")]
    )
    assert [(chunk["headings"], chunk["text"], chunk["pages"]) for chunk in found] == [
        ([], "before", [1]),
        (["One"], "# One\n\na", [1]),
        (["One", "Two"], "## Two\n\nb", [1]),
        (["3"], "# 3\n\nc", [2]),
    ]


def test_headings_without_text_between_them_share_a_chunk():
    (found,) = chunks([heading("One", 1), heading("Two", 2), text("a")])
    assert found["headings"] == ["One", "Two"]
    assert found["text"] == "# One\n\n## Two\n\na"


def test_a_section_over_two_pages_names_both_and_where_its_blocks_are():
    (found,) = chunks([heading("One", 1), text("a")], [text("b")])
    assert found["pages"] == [1, 2]
    place = {"page": 2, "block": 0, "category": "text", "box": [1, 2, 30, 40], "points": None, "offsets": [10, 11]}
    place["in_document"] = [44, 45]
    assert found["places"][2] == place


def test_a_long_section_is_cut_between_blocks_and_no_block_is_lost():
    paragraphs = [f"{n} " + "word " * 150 for n in range(9)]
    found = chunks([heading("One", 1), *map(text, paragraphs)])
    assert len(found) > 3
    assert all(chunk["tokens"] <= MOST_TOKENS + 20 and chunk["headings"] == ["One"] for chunk in found)
    together = " ".join(chunk["text"] for chunk in found)
    assert all(words.strip() in together for words in paragraphs)


def test_a_block_longer_than_a_chunk_stays_whole():
    found = chunks([text("a"), text("word " * 3000), text("b")])
    assert [chunk["words"] for chunk in found] == [1, 3000, 1]


def test_furniture_is_left_out_unless_it_is_asked_for():
    foot = Block(Category.PAGE_FOOTER, "page 1", BOX)
    assert chunks([text("a"), foot])[0]["text"] == "a"
    assert chunks([text("a"), foot], keep_furniture=True)[0]["text"] == "a\n\npage 1"


def test_titles_of_headings_have_no_marks():
    assert chunks([heading("The `ls` *command*", 1), text("a")])[0]["headings"] == ["The ls command"]


def test_a_chunk_says_where_it_and_its_blocks_stand_in_the_texts():
    pages = (
        ParsedPage(1, blocks=(heading("One", 1), text("some words"))),
        ParsedPage(2, blocks=(heading("Two", 1), text("others"))),
    )
    document = ParsedDocument("a.pdf", "", pages)
    markdown = render_markdown(document)
    for chunk in map(json.loads, render_chunks(document).splitlines()):
        assert markdown[slice(*chunk["offsets"])] == chunk["text"]
        assert [chunk["text"][slice(*place["offsets"])] for place in chunk["places"]] == chunk["text"].split("\n\n")


def test_a_paragraph_over_two_pages_has_a_place_on_both():
    began = replace(text("a sentence that goes on"), goes_on=True)
    (found,) = chunks_of_document(
        flowing(
            ParsedDocument(
                "a.pdf",
                "",
                (
                    ParsedPage(1, blocks=(began,)),
                    ParsedPage(2, blocks=(replace(text("and ends."), continues=True), text("After."))),
                ),
            )
        )
    )
    places = [(place["page"], found["text"][slice(*place["offsets"])]) for place in found["places"]]
    assert places == [(1, "a sentence that goes on"), (2, "and ends."), (2, "After.")]


def test_a_chunk_knows_how_large_its_pages_are_and_boxes_in_points():
    page = ParsedPage(1, 1653, 2339, 200.0, blocks=(text("a"),))
    (found,) = chunks_of_document(ParsedDocument("a.pdf", "", (page,)))
    assert found["sizes"] == [{"page": 1, "pixels": [1653, 2339], "points": [595.08, 842.04]}]
    assert found["places"][0]["points"] == [0.36, 0.72, 10.8, 14.4]


def test_the_place_of_a_figure_names_its_picture():
    page = ParsedPage(1, blocks=(Block(Category.FIGURE, "", BOX, image="images/page-0001-figure-1.png"),))
    (found,) = chunks_of_document(ParsedDocument("a.pdf", "", (page,)))
    assert found["places"][0]["image"] == "images/page-0001-figure-1.png"


def test_a_long_table_keeps_its_caption_and_knows_its_headings():
    table, caption = Block(Category.TABLE, "<td>cell</td>" * 400), Block(Category.CAPTION, "Table 1: Codes")
    before, found = chunks([heading("One", 1), text("a"), caption, table])
    assert (before["text"], found["headings"]) == ("# One\n\na", ["One"])
    assert found["text"].startswith("Table 1: Codes\n\n")
    assert [len(chunk["places"]) for chunk in chunks([table, caption, text("a")])] == [2, 1]


def test_each_block_of_a_chunk_is_found_in_the_document_over_a_page_s_mark():
    pages = (ParsedPage(1, blocks=(heading("One", 1), text("some"))), ParsedPage(2, blocks=(text("words"),)))
    document = ParsedDocument("a.pdf", "", pages)
    (found,) = chunks_of_document(document)
    markdown = render_markdown(document)
    assert "<!-- page 2 -->" in markdown[slice(*found["offsets"])]
    for place in found["places"]:
        assert markdown[slice(*place["in_document"])] == found["text"][slice(*place["offsets"])]


def test_a_chunk_is_known_by_its_text_wherever_it_stands():
    first, second = chunks([heading("One", 1), text("a"), heading("One", 1), text("a")])
    assert first["sha256"] == second["sha256"] == sha256(b"# One\n\na").hexdigest()
