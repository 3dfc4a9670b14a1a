"""Marks of emphasis around words: what a reader of Markdown makes of them is what stood on the page."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from docparse_fast.document import Box, TextSpan
from docparse_fast.drafting.born_digital.emphasis import (
    PLAIN,
    Style,
    StyledPiece,
    marked,
    style_of,
    usual_style,
    without_marker,
)
from docparse_fast.text.joined_text import joined
from docparse_fast.text.marks import unmarked

BOLD, ITALIC, CODE = Style(bold=True), Style(italic=True), Style(code=True)
STYLES = st.sampled_from([PLAIN, PLAIN, BOLD, ITALIC, CODE, Style(True, True), Style(True, code=True)])
WORDS = st.text(alphabet="ab1é语.,:;()*'\"-/ ", min_size=1, max_size=8)


def pieces(*parts: tuple[str, Style]) -> list[StyledPiece]:
    return [StyledPiece(text, text, style) for text, style in parts]


def read(markdown: str) -> tuple[str, list[str]]:
    """The text a reader sees, and what in it is set off."""
    text, set_off, open_at = "", [], []
    for token in MarkdownIt("commonmark").parseInline(markdown)[0].children or []:
        if token.type in ("strong_open", "em_open"):
            open_at.append(len(text))
        elif token.type in ("strong_close", "em_close"):
            set_off.append(text[open_at.pop() :])
        else:
            text += token.content
            set_off += [token.content] if token.type == "code_inline" else []
    return text, set_off


@pytest.mark.parametrize(
    ("parts", "said"),
    [
        ([("See ", PLAIN), ("the manual", ITALIC), (" first", PLAIN)], "See *the manual* first"),
        ([("two ", BOLD), ("words", BOLD), (": so", PLAIN)], "**two words**: so"),
        ([("Run ", PLAIN), ("ls -l *", CODE), (".", PLAIN)], "Run `ls -l *`."),
        ([("all ", PLAIN), ("three", Style(True, True)), (" ways", PLAIN)], "all ***three*** ways"),
        ([("command", BOLD), ("(1)", PLAIN)], "**command**(1)"),
        ([("type=", CODE), ("the_name", Style(italic=True, code=True))], "*`type=the_name`*"),
        ([("ls", CODE), (", ", PLAIN), ("cd", CODE)], "`ls`, `cd`"),
        ([("中文。", BOLD), ("后面", PLAIN)], "**中文**。后面"),
        ([("from", ITALIC), (" [", PLAIN), ("to", ITALIC), ("] ", PLAIN), ("by", PLAIN)], "*from* [*to*] by"),
        ([("from", ITALIC), (" (", PLAIN), ("to", ITALIC), (") ", PLAIN), ("by", ITALIC)], "*from (to) by*"),
        ([("[", PLAIN), ("a", ITALIC), ("]", PLAIN), (" ", PLAIN), ("b", ITALIC)], "[*a*] *b*"),
        ([("前面", PLAIN), ("中文", BOLD), ("后面的字", PLAIN)], "前面**中文**后面的字"),
        ([("前面", PLAIN), ("size_t", CODE), ("后面", PLAIN)], "前面`size_t`后面"),
        ([("설정", BOLD), ("에서는 ", PLAIN), ("끝", PLAIN)], "**설정**에서는 끝"),
        ([("half", BOLD), ("word", PLAIN)], "halfword"),
        ([("[S]", ITALIC), ("roll", PLAIN)], "[*S*]roll"),
        ([("the ", PLAIN), ('"', CODE), ("word", PLAIN), ('"', CODE)], 'the "word"'),
    ],
)
def test_words_stand_between_marks_and_their_blanks_outside(parts, said):
    assert marked(pieces(*parts)) == said


def test_a_part_of_a_word_is_not_set_off():
    assert marked(pieces(("D", BOLD), ("isk", PLAIN))) == "Disk"


def test_a_star_on_the_page_closes_no_mark():
    said = marked(pieces(("price* ", BOLD), ("and more*", PLAIN)))
    assert read(said) == ("price* and more*", ["price*"])


@given(st.lists(st.tuples(WORDS, STYLES), min_size=1, max_size=6))
def test_markdown_reads_back_as_what_stood_on_the_page(parts):
    raw = "".join(text for text, _ in parts)
    said = marked(pieces(*parts))
    if said != raw:
        seen = read(f"x {said} x")[0]
        assert " ".join(seen.split()) == " ".join(f"x {raw} x".split())


@given(st.lists(st.tuples(WORDS, STYLES), min_size=1, max_size=6))
def test_without_its_marks_it_is_plain(parts):
    said = marked(pieces(*parts))
    if said != (raw := "".join(text for text, _ in parts)):
        assert " ".join(read(f"x {unmarked(said)} x")[0].split()) == " ".join(f"x {raw} x".split())


def test_a_phrase_that_goes_on_in_the_next_line_is_one():
    assert joined(["as in **the base sys-**", "**tem and** more"]) == "as in **the base system and** more"


def test_two_phrases_in_different_styles_stay_two():
    assert joined(["as in **the base**", "*system and* more"]) == "as in **the base** *system and* more"


def test_an_items_number_is_not_set_off():
    parts = without_marker(pieces(("1. ", BOLD), ("Title", BOLD)))
    assert marked(parts) == "1. **Title**"


def span(text: str, font: str = "Serif", **style: bool) -> TextSpan:
    return TextSpan(Box(0, 0, 5 * len(text), 10), text, font, 10, **style)


def test_what_most_of_a_page_is_set_in_marks_nothing():
    usual = usual_style([span("a page that is typewritten all over", mono=True), span("noted", italic=True)])
    assert style_of(span("page", mono=True, italic=True), usual) == ITALIC


def test_a_formulas_letters_are_not_set_off_for_slanting():
    assert style_of(span("x", font="ABCDEF+CMMI10", italic=True), PLAIN) == PLAIN


def test_signs_and_words_of_code_are_one_span():
    parts = pieces(
        ("an ", PLAIN), ("[deriving", CODE), (" ", CODE), ("{", CODE), (" ", CODE), ("}]", CODE), (" a", PLAIN)
    )
    assert marked(parts) == "an `[deriving { }]` a"


def test_a_reference_s_code_is_marked_though_it_is_more_than_half_of_the_page():
    words = [TextSpan(Box(0, 0, 1, 1), "void set(boolean on)", "CMTT10", 10, 0, mono=True)]
    words.append(TextSpan(Box(0, 0, 1, 1), "Sets it on", "CMR10", 10, 0))
    assert not usual_style(words).code
    assert usual_style(words[:1]).code


def test_a_stop_in_code_stays_in_it_and_a_leader_is_none():
    code = Style(code=True)
    pieces = [StyledPiece("pdf ", "pdf ", code), StyledPiece(". ", ". ", code), StyledPiece("./pdf", "./pdf", code)]
    assert marked(pieces) == "`pdf . ./pdf`"
    assert marked([StyledPiece("Name ", "Name ", PLAIN), StyledPiece("......", "......", code)]) == "Name ......"


@pytest.mark.parametrize("text", ["", "plain words", "5 \\_ 3 \\\\ 2", "[a](https://a.org/b) <sub>1</sub> $x_1$"])
def test_text_without_a_mark_stays_as_it_is(text):
    assert unmarked(text) == text
