"""What an answer has opened is closed as it was opened; drafts that have other markup cannot tell that."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from docparse_fast.verification.opened import CLOSED, OpenSigns


def closing_after(*texts, drafts=()):
    opened = OpenSigns(drafts)
    for text in texts:
        opened.hear(text)
    return opened.closing()


def test_the_last_that_was_opened_is_closed_first():
    assert closing_after("<p>Cod is <b>cheap").text == "</b>"
    assert closing_after("<p>Cod is <b>cheap</b>").text == "</p>\n"
    assert closing_after("\\begin{itemize}\n\\item Cod").text == "\\end{itemize}\n"
    assert closing_after("<p>Cod is <b>cheap</b>.</p>") is None


def test_what_is_left_of_a_sign_that_was_begun_is_told_for_sure():
    closing = closing_after("<h1>Fish</", "h")
    assert (closing.text, closing.begun) == ("1>\n", True)
    assert closing_after("<h1>Fish<b") is None


def test_a_block_ends_with_the_line_breaks_that_came_before_it():
    assert closing_after("Fish\n\n", "<p>Cod").text == "</p>\n\n"
    assert closing_after("<h1>Fish</h1><p>Cod").text == "</p>"


def test_a_tag_that_an_answer_leaves_open_is_not_closed():
    assert closing_after("<ul>\n<li>Cod\n<li>Haddock\n<li>Ling").text == "</ul>\n"
    assert closing_after("Cod<br>\nLing") is None


def test_each_line_that_ends_before_it_is_closed_makes_that_less_likely():
    assert closing_after("a <file> is").chance == CLOSED
    assert closing_after("a <file> is\nread, then\n", "\nclosed").chance < CLOSED**3
    assert closing_after("<ul>\n<li>Cod</li>\n<li>Ling</li>\n").chance == CLOSED


def test_what_drafts_close_too_is_left_to_them():
    assert closing_after("<td>Cod", drafts=["<td>Cod</td><td>4</td>"]) is None


@given(st.text("<>/pb \n\\{}", max_size=30), st.integers(0, 30))
def test_it_matters_not_in_what_pieces_a_text_is_heard(text, cut):
    text = text.replace("{", "\\begin{a}").replace("}", "\\end{a}")
    whole, parts = closing_after(text), closing_after(text[:cut], text[cut:])
    assert whole == parts
