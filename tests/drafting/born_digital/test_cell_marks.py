"""Emphasis, code and plain words in a table's cells."""

from docparse_fast.document import Box, Category, Draft, Region, TableCell, TextSpan
from docparse_fast.drafting.born_digital.emphasis import PLAIN
from docparse_fast.drafting.born_digital.layer_tables import with_marks
from docparse_fast.drafting.tables.table_html import table_html

TABLE = Box(0, 0, 400, 100)
CELL = Box(10, 10, 200, 20)


def html(text, *words, header=False):
    spans = [
        TextSpan(Box(10 + 40 * n, 10, 40 + 40 * n, 20), text, "Serif", 10, 20, **{style: True} if style else {})
        for n, (text, style) in enumerate(words)
    ]
    return table_html(with_marks(TABLE, [TableCell(0, 0, text, header=header, box=CELL)], spans, PLAIN))


def test_words_in_another_type_are_tagged():
    made = html("see ls -l or & now", ("see ", ""), ("ls -l", "mono"), (" or & ", ""), ("now", "italic"))
    assert made == "<table><tr><td>see <code>ls -l</code> or &amp; <i>now</i></td></tr></table>"


def test_words_that_were_joined_over_a_line_end_are_tagged():
    assert "<b>Heading of two lines</b>" in html("Heading of two lines", ("Heading of", "bold"), ("two lines", "bold"))


def test_a_word_that_was_broken_at_a_hyphen_is_tagged_whole():
    assert "<b>two markets</b>" in html("two markets", ("two mar-", "bold"), ("kets", "bold"))


def test_a_korean_word_before_its_ending_is_tagged():
    assert "<b>설정</b>에서는" in html("설정에서는", ("설정", "bold"), ("에서는", ""))


def test_a_head_is_bold_without_a_tag():
    assert html("Name", ("Name", "bold"), header=True) == "<table><tr><th>Name</th></tr></table>"


def test_a_typed_value_without_signs_of_code_is_what_somebody_filled_in():
    assert "<code>" not in html("12 May", ("12 May", "mono"))


def test_words_that_the_cell_has_otherwise_are_left_alone():
    assert html("naïve", ("other", "bold")) == "<table><tr><td>naïve</td></tr></table>"


def test_a_bold_letter_is_not_tagged_within_a_formula():
    assert (
        html(r"$\mathbf{t} - \mu$", ("t", "bold"), ("- µ", ""))
        == r"<table><tr><td>$\mathbf{t} - \mu$</td></tr></table>"
    )
    assert html("$x$ is bold", ("x", ""), ("bold", "bold")).endswith("$x$ is <b>bold</b></td></tr></table>")


def test_a_bold_letter_is_not_tagged_within_a_word():
    assert (
        html(r"$t_j$, centered", ("t", "bold"), ("j, centered", ""))
        == "<table><tr><td>$t_j$, centered</td></tr></table>"
    )
    assert "可选的<b>参数</b>表" in html("可选的参数表", ("可选的", ""), ("参数", "bold"), ("表", ""))


def test_a_row_of_hyphens_that_the_cell_has_otherwise_is_looked_for_once():
    row = "a" + 60 * "-"
    assert html(row + "c", (row + "b", "bold")) == f"<table><tr><td>{row}c</td></tr></table>"


def test_code_with_dollars_is_no_formula():
    assert "<code>df$a, df$b</code>" in html("df$a, df$b", ("df$a, df$b", "mono"))


def test_a_target_is_offered_the_table_as_it_is_printed():
    region = Region(TABLE, Category.TABLE, (Draft("<table><tr><td><b>a</b></td></tr></table>", "text-layer"),))
    assert region.printed(region.drafts[0]) == "<table><tr><td>a</td></tr></table>"
