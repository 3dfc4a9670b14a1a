from __future__ import annotations

import json

from docparse_fast.document import Block, Box, Category, ParsedDocument, ParsedPage
from docparse_fast.rendering.chunks import MOST_TOKENS, render_chunks

BOX = Box(1, 2, 30, 40)


def heading(text: str, level: int) -> Block:
    return Block(Category.SECTION_HEADER, text, BOX, level)


def text(words: str) -> Block:
    return Block(Category.TEXT, words, BOX)


def chunks(*pages: list[Block], **options) -> list[dict]:
    read = tuple(ParsedPage(number, blocks=tuple(blocks)) for number, blocks in enumerate(pages, 1))
    return [json.loads(line) for line in render_chunks(ParsedDocument("a.pdf", "", read), **options).splitlines()]


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
    assert found["places"][2] == {"page": 2, "block": 0, "category": "text", "box": [1, 2, 30, 40]}


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
