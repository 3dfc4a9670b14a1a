"""Each stretch of the Markdown with its page, its block and the boxes of its words."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace

from docparse_fast.document import Block, Box, Category, ParsedDocument, ParsedPage
from docparse_fast.joining import flowing
from docparse_fast.rendering.json import read_json, render_json
from docparse_fast.rendering.markdown import render_markdown
from docparse_fast.rendering.text_map import render_map, spans_of
from docparse_fast.text.placed_words import PlacedWords

BOX = Box(10, 10, 500, 40)


def placed(words: Sequence[str], y: float = 10) -> PlacedWords:
    """Words in a row, each 10 pixels wide and named by where it begins."""
    return PlacedWords.of((Box(20 * n, y, 20 * n + 10, y + 10), word) for n, word in enumerate(words))


def block(text: str, words: str | Sequence[str], category: Category = Category.TEXT, **more) -> Block:
    return Block(category, text, BOX, words=placed(words.split() if isinstance(words, str) else words), **more)


def mapped(*blocks: Block, tables: str = "html") -> list[tuple[str, float]]:
    """The words as the Markdown has them, each with the left edge of its box."""
    document = ParsedDocument("a.pdf", "", (ParsedPage(1, blocks=blocks),))
    text = render_markdown(document, tables=tables)
    return [(text[w.start : w.end], w.box.x0) for span in spans_of(document, tables=tables) for w in span.words]


def test_each_word_of_a_paragraph_has_its_box():
    assert mapped(block("One word, (two).", "One word, (two).")) == [("One", 0), ("word,", 20), ("(two).", 40)]


def test_marks_escapes_tags_and_addresses_belong_to_no_word():
    text = "**Bold** and [a link](https://long.example/address/of/it) x<sub>max</sub> \\\\*"
    assert mapped(block(text, "Bold and a link x max", sources=("text-layer",))) == [
        ("Bold", 0),
        ("and", 20),
        ("a", 40),
        ("link", 60),
        ("x", 80),
        ("max", 100),
    ]


def test_a_word_that_was_broken_at_a_lines_end_has_both_boxes():
    assert mapped(block("the hierarchy of", "the hier- archy of")) == [
        ("the", 0),
        ("hier", 20),
        ("archy", 40),
        ("of", 60),
    ]


def test_a_repeated_word_gets_the_box_in_its_own_place():
    assert mapped(block("an a an an a", "an a an an a")) == [
        (w, 20 * n) for n, w in enumerate(["an", "a", "an", "an", "a"])
    ]


def test_a_formula_within_a_line_says_nothing_about_the_words_beside_it():
    found = mapped(block(r"so $\\alpha_{i} = 1$ holds", "so αi = 1 holds"))
    assert found == [("so", 0), ("holds", 80)]


def test_the_letters_of_code_are_all_printed():
    assert mapped(block("a `List<int>` b", "a List<int> b")) == [("a", 0), ("List<int>", 20), ("b", 40)]
    assert mapped(block("if a<b>c:\n  x", ["if", "a<b>c:", "x"], Category.CODE)) == [
        ("if", 0),
        ("a<b>c:", 20),
        ("x", 40),
    ]


def test_cells_have_their_own_words_in_html_and_in_pipes():
    html = "<table><tr><th>A &amp; B</th><th>12</th></tr><tr><td>2</td><td>1</td></tr></table>"
    for tables in ("html", "pipe"):
        found = mapped(block(html, "A & B 12 2 1", Category.TABLE), tables=tables)
        assert found == [("A", 0), ("B", 40), ("12", 60), ("2", 80), ("1", 100)]


def test_words_of_cells_that_were_read_in_another_order_are_found_if_nothing_else_has_their_letters():
    html = "<table><tr><td>north</td><td>41.2</td></tr><tr><td>south</td><td>7</td></tr></table>"
    found = mapped(block(html, "north south 41.2 7", Category.TABLE))
    assert sorted(found, key=lambda each: each[1]) == [("north", 0), ("south", 20), ("41.2", 40), ("7", 60)]


def test_no_word_is_put_together_of_two_cells():
    html = "<table><tr><td>4</td><td>12</td></tr></table>"
    assert mapped(block(html, "41.2", Category.TABLE)) == []


def test_no_word_is_a_part_of_another():
    assert mapped(block("chapter 12", "chapter 1")) == [("chapter", 0)]


def test_a_word_that_a_reader_corrected_has_no_box_and_the_others_keep_theirs():
    assert mapped(block("one 2nd three", "one two three")) == [("one", 0), ("three", 40)]


def test_words_in_another_form_of_their_letters_are_the_same():
    assert mapped(block("ﬁne x² ok", "fine x2 ok")) == [("ﬁne", 0), ("x²", 20), ("ok", 40)]


def test_a_word_takes_the_marks_on_its_last_letter_along():
    word = "\u0e17\u0e35\u0e48"  # a Thai letter with two marks
    assert mapped(block(f"{word} 1", [word, "1"])) == [(word, 0), ("1", 20)]


def test_items_of_a_list_are_spans_of_their_own():
    items = (block("- one", "• one", Category.LIST_ITEM), block("2. two", "2. two", Category.LIST_ITEM, level=1))
    document = ParsedDocument("a.pdf", "", (ParsedPage(1, blocks=items),))
    text = render_markdown(document)
    assert [(text[s.start : s.end], s.index) for s in spans_of(document)] == [("- one", 0), ("  2. two", 1)]
    assert mapped(*items) == [("one", 20), ("2.", 0), ("two", 20)]


def over_two_pages(first: Block, second: Block) -> ParsedDocument:
    pages = (
        ParsedPage(1, blocks=(replace(first, goes_on=True),)),
        ParsedPage(2, blocks=(Block(Category.PAGE_HEADER, "head", BOX), replace(second, continues=True))),
    )
    return flowing(ParsedDocument("a.pdf", "", pages))


def spans(document: ParsedDocument) -> list[tuple[str, int, int, list[str]]]:
    text = render_markdown(document)
    found = spans_of(document)
    return [
        (text[span.start : span.end], span.page, span.index, [text[word.start : word.end] for word in span.words])
        for span in found
    ]


def test_a_sentence_over_two_pages_is_a_span_on_each():
    document = over_two_pages(block("the long sen-", "the long sen-"), block("tence ends.", "tence ends."))
    assert spans(document) == [
        ("the long sen", 1, 0, ["the", "long", "sen"]),
        ("tence ends.", 2, 1, ["tence", "ends."]),
    ]


def test_the_head_that_a_table_repeats_on_its_second_page_stands_on_the_first():
    head = "<tr><th>Boat</th><th>Built</th></tr>"
    first = block(f"<table>{head}<tr><td>Lark</td><td>1955</td></tr></table>", "Boat Built Lark 1955", Category.TABLE)
    second = block(f"<table>{head}<tr><td>Tern</td><td>1961</td></tr></table>", "Boat Built Tern 1961", Category.TABLE)
    found = spans(over_two_pages(first, second))
    assert [(page, index, words) for _, page, index, words in found] == [
        (1, 0, ["Boat", "Built", "Lark", "1955"]),
        (2, 1, ["Tern", "1961"]),
    ]


def test_the_map_counts_characters_and_says_how_large_pages_are():
    page = ParsedPage(3, 1653, 2339, 200.0, blocks=(block("𝒜 word", "word"),))
    found = json.loads(render_map(ParsedDocument("a.pdf", "abc", (page,))))
    assert found["source"] == {"name": "a.pdf", "sha256": "abc"}
    assert found["pages"] == [{"page": 3, "pixels": [1653, 2339], "points": [595.08, 842.04]}]
    (span,) = found["spans"]
    assert (span["page"], span["block"], span["category"], span["box"]) == (3, 0, "text", [10, 10, 500, 40])
    assert span["words"] == [[span["start"] + 2, span["start"] + 6, 0.0, 10.0, 10.0, 20.0]]


def test_the_words_are_kept_in_the_json_only_where_a_map_is_wanted():
    page = ParsedPage(1, blocks=(block("one word", "one word"),))
    without = ParsedDocument("a.pdf", "", (page,), options={"format": ["md", "json"]})
    wanted = replace(without, options={"format": ["md", "json", "map"]})
    assert not read_json(render_json(without)).pages[0].blocks[0].words
    assert list(read_json(render_json(wanted)).pages[0].blocks[0].words) == list(page.blocks[0].words)
