"""Rendering blocks as Markdown, checked with an independent Markdown reader."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from docparse_fast.document import Block, Category, Failure, ParsedDocument, ParsedPage
from docparse_fast.rendering.markdown import render_markdown, render_page

READER = MarkdownIt("commonmark").enable("table")


def page(*blocks: Block, **rest: object) -> ParsedPage:
    return ParsedPage(1, blocks=blocks, **rest)


def text(words: str) -> Block:
    return Block(Category.TEXT, words)


def kinds(markdown: str) -> list[str]:
    """The outermost elements that a reader sees."""
    return [token.type for token in READER.parse(markdown) if token.level == 0 and not token.type.endswith("_close")]


def test_headings_stand_as_deep_as_their_level():
    blocks = [Block(Category.TITLE, "One", level=1), Block(Category.SECTION_HEADER, "Two\nlines", level=3)]
    assert render_page(page(*blocks)) == "# One\n\n### Two lines\n"


def test_a_heading_without_a_level_stands_below_the_title():
    assert render_page(page(Block(Category.SECTION_HEADER, "Methods"))) == "## Methods\n"


@given(st.text(st.sampled_from("#>-*_=~`<$+ 1.a/!\t|")))
def test_a_paragraph_stays_a_paragraph_whatever_it_starts_with(words):
    found = kinds(render_page(page(text(f"{words} end of it"))))
    lists = {"bullet_list_open", "ordered_list_open"}  # a marker that was printed may be shown as one
    assert set(found) <= {"paragraph_open"} | lists


def test_tags_on_the_page_are_shown_and_not_obeyed():
    shown = READER.render(render_page(page(text("press <b>here</b> or <script>alert(1)</script> 5<6"))))
    assert "<script>" not in shown
    assert "&lt;script&gt;" in shown


def test_raised_and_lowered_characters_keep_their_tags():
    assert "x<sup>2</sup>" in render_page(page(text("x<sup>2</sup>")))


def test_lists_nest_under_the_text_they_belong_to():
    items = [("1. first", 0), ("10. tenth", 0), ("- below it", 1), ("deeper", 2), ("11. last", 0)]
    markdown = render_page(page(*(Block(Category.LIST_ITEM, words, level=level) for words, level in items)))
    assert markdown == "1. first\n10. tenth\n    - below it\n      - deeper\n11. last\n"
    assert kinds(markdown) == ["ordered_list_open"]


def test_a_list_item_of_several_lines_stays_one_item():
    markdown = render_page(page(Block(Category.LIST_ITEM, "- one\ntwo"), Block(Category.LIST_ITEM, "- three")))
    assert markdown == "- one\n  two\n- three\n"


def test_a_list_ends_where_text_follows():
    assert kinds(render_page(page(Block(Category.LIST_ITEM, "- a"), text("b")))) == [
        "bullet_list_open",
        "paragraph_open",
    ]


def test_formulas_are_set_off():
    assert render_page(page(Block(Category.FORMULA, r"E = mc^{2}"))) == "$$\nE = mc^{2}\n$$\n"


def test_code_keeps_its_indents_and_its_backticks():
    code = "def f():\n    return '```'"
    assert render_page(page(Block(Category.CODE, code))) == f"````\n{code}\n````\n"


def test_a_figure_is_linked_and_the_words_in_it_stand_below():
    figure = Block(Category.FIGURE, "axis label", image="images/page-0001-figure-1.png")
    assert render_page(page(figure)) == "![](images/page-0001-figure-1.png)\n\naxis label\n"


def test_furniture_is_left_out_unless_it_is_asked_for():
    whole = page(Block(Category.PAGE_HEADER, "Journal"), text("body"), Block(Category.PAGE_NUMBER, "7"))
    assert render_page(whole) == "body\n"
    assert render_page(whole, keep_furniture=True) == "Journal\n\nbody\n\n7\n"


def test_tables_stay_html_where_pipes_would_lose_a_span():
    html = '<table><tr><td colspan="2">a</td></tr><tr><td>1</td><td>2</td></tr></table>'
    assert render_page(page(Block(Category.TABLE, html)), tables="pipe") == html + "\n"


def test_a_formula_and_a_crossed_out_word_in_pipes_are_written_as_they_are_in_text():
    html = "<table><tr><td>$a \\neq 0$, $x &lt; 1$ and a_b</td><td><del>12.50</del> 11.00</td></tr></table>"
    markdown = render_page(page(Block(Category.TABLE, html)), tables="pipe")
    assert markdown.startswith(r"| $a \neq 0$, $x < 1$ and a_b | ~~12.50~~ 11.00 |")


def test_a_plain_table_is_written_in_pipes_when_asked():
    html = "<table><tr><th>a</th><th>b &amp; c</th></tr><tr><td>1|2</td><td></td></tr></table>"
    markdown = render_page(page(Block(Category.TABLE, html)), tables="pipe")
    assert markdown == "| a | b &amp; c |\n| --- | --- |\n| 1\\|2 |  |\n"
    assert kinds(markdown) == ["table_open"]


def test_a_blank_page_is_an_empty_file():
    assert render_page(page(status="blank")) == ""


def test_a_failed_page_says_so_where_its_text_would_stand():
    failed = page(status="failed", error=Failure("render_failed", "--> nonsense <!--"))
    assert render_page(failed) == "<!-- failed: render_failed -->\n"


def test_every_page_of_a_document_has_its_mark():
    pages = (ParsedPage(3, blocks=(text("three"),)), ParsedPage(5, status="blank"))
    assert render_markdown(ParsedDocument("a", "", pages)) == "<!-- page 3 -->\n\nthree\n\n<!-- page 5 -->\n"


@pytest.mark.parametrize("text", ["1986. A year", "+ sign of a sum", "- and so on", "12) eggs", "# of items"])
def test_a_drafted_paragraph_that_begins_like_a_list_reads_back_as_text(text):
    rendered = render_page(page(Block(Category.TEXT, text, sources=("text-layer",))))
    assert READER.render(rendered) == f"<p>{text}</p>\n"


def test_lines_that_a_drafter_kept_apart_are_shown_apart():
    rendered = render_page(page(Block(Category.TEXT, "Petra Mustermann\nVor dem Berg 1", sources=("text-layer",))))
    assert READER.render(rendered) == "<p>Petra Mustermann<br />\nVor dem Berg 1</p>\n"
