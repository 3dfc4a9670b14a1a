"""olmOCR-Bench's unit tests: what each kind asks for, and the whole of the hand-made set."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from docparse_fast.bench.datasets import (
    BaselineTest,
    MathTest,
    OrderTest,
    PresenceTest,
    TableTest,
    load,
)
from docparse_fast.bench.scores import score_page, summarise
from docparse_fast.bench.scores.unit_tests import normalised, passes

DATA = Path(__file__).parent / "bench_data"
FARES = (
    "<table><tr><th>Line</th><th>Fares</th><th>Passengers</th></tr><tr><td>North</td><td>120</td><td>48</td></tr>"
    '<tr><td>South</td><td>95</td><td>51</td></tr><tr><td colspan="2">Total</td><td>99</td></tr></table>'
)
RIGHT = {  # by PDF: each has one page
    "arxiv_math/wave_pg1": "The speed is $c=\\sqrt{gh}$ in shallow water.",
    "headers_footers/journal": "Ropes are weakest at the knot.",
    "long_tiny_text/words": "heaving line, n. A light rope to throw.\n\nhawser, n. A thick rope for towing.",
    "multi_column/ropes": "Hemp rots from the inside.\n\nNylon does not rot.",
    "old_scans/letter": "The harbour, 3rd of May\n\nI write in haste, for the boat is leaving.",
    "old_scans_math/angle": "$$\\alpha+\\beta=180^\\circ$$",
    "tables/fares": FARES,
}


def scored(answers: dict[str, str]):
    pages = load(DATA / "olmOCR-bench").pages
    return summarise("olmocr-bench", [score_page("olmocr-bench", page, answers[page.id[:-4]]) for page in pages])


def present(text: str, markdown: str, **fields) -> bool:
    return passes(PresenceTest(id="a", group="", text=text, present=True, **fields), markdown)


def absent(text: str, markdown: str, **fields) -> bool:
    return passes(PresenceTest(id="a", group="", text=text, present=False, **fields), markdown)


def order(before: str, after: str, markdown: str, **fields) -> bool:
    return passes(OrderTest(id="a", group="", before=before, after=after, **fields), markdown)


def cell(markdown: str, text: str, **fields) -> bool:
    return passes(TableTest(id="a", group="", cell=text, **fields), markdown)


def formula(latex: str, markdown: str, **fields) -> bool:
    return passes(MathTest(id="a", group="", latex=latex, **fields), markdown)


def sound(markdown: str, **fields) -> bool:
    return passes(BaselineTest(id="a", group="", **fields), markdown)


# ---------------------------------------------------------------------------------------- whole pages


def test_right_answers_pass_every_test_and_empty_ones_none():
    assert scored(RIGHT).overall == 100
    assert set(scored(RIGHT).groups) == {*load(DATA / "olmOCR-bench").groups, "Base"}
    assert scored(dict.fromkeys(RIGHT, "")).overall == 0


def test_answers_back_to_front_pass_fewer():
    assert 0 < scored({page: text[::-1] for page, text in RIGHT.items()}).overall < 50


def test_answers_to_other_pages_pass_fewer():
    pages = list(RIGHT)
    assert scored(dict(zip(pages, [*list(RIGHT.values())[1:], FARES], strict=True))).overall < 60


# ---------------------------------------------------------------------------------- present and absent


def test_a_text_may_be_off_by_so_many_letters_and_no_more():
    assert present("a thick rope for towing", "It is a thick r0pe for towing.", max_diffs=1)
    assert not present("a thick rope for towing", "It is a thick r0pe for towing.")
    assert not present("a thick rope for towing", "It is a th1ck r0pe for t0wing.", max_diffs=1)


def test_emphasis_quotes_dashes_and_line_breaks_make_no_difference():
    assert present('the "old" rope - here', "the **“old”**\nrope – *here*")
    assert normalised("a<br>b<br/>c") == "a b c"
    assert normalised("e\u0301") == "é"


def test_case_counts_unless_it_is_said_not_to():
    assert not present("ROPE", "rope")
    assert present("ROPE", "rope", case_sensitive=False)


def test_only_the_start_or_the_end_may_be_looked_at():
    text = "12 " + "word " * 20 + "34"
    assert absent("34", text, first=20)
    assert not absent("34", text, last=20)
    assert not absent("12", text, first=5, last=5)


def test_a_text_is_not_found_in_one_that_is_shorter():
    """partial_ratio looks for the shorter in the longer: "January" would be found in an answer of just "January"."""
    assert not present("January 10th 1864", "January")
    assert absent("January 10th 1864", "January")


def test_an_answer_without_letters_passes_nothing():
    assert not absent("Journal of Small Waves", "")
    assert not absent("Journal of Small Waves", " \n---\n")


# ----------------------------------------------------------------------------------------------- order


def test_order_needs_both_and_one_place_where_it_is_right():
    assert order("first", "second", "first and second")
    assert not order("first", "second", "second and first")
    assert order("first", "second", "second and first and second")
    assert not order("first", "second", "only first")


def test_order_forgives_as_many_letters_as_it_says():
    assert order("the first one", "the second one", "the f1rst one, the sec0nd one", max_diffs=1)
    assert not order("the first one", "the second one", "the f1rst one, the sec0nd one")


# ---------------------------------------------------------------------------------------------- tables


@pytest.mark.parametrize(
    ("fields", "passed"),
    [
        ({"up": "120", "left": "South", "right": "51"}, True),
        ({"up": "Fares"}, False),  # two above
        ({"top_heading": "Fares", "left_heading": "South"}, True),
        ({"top_heading": "Passengers"}, False),
        ({"down": "Total"}, True),  # it stands below both columns
    ],
)
def test_a_cell_knows_its_neighbours_and_headings(fields, passed):
    assert cell(FARES, "95", **fields) is passed


def test_without_marked_headings_the_outermost_cells_are_the_headings():
    plain = FARES.replace("th>", "td>")
    assert cell(plain, "51", top_heading="Passengers", left_heading="South")
    assert not cell(plain, "51", top_heading="48")


def test_several_headings_above_one_cell_all_count():
    table = (
        '<table><tr><th colspan="2">1931</th></tr><tr><th>May</th><th>June</th></tr>'
        "<tr><td>4</td><td>5</td></tr></table>"
    )
    assert cell(table, "5", top_heading="1931")
    assert cell(table, "5", top_heading="June")
    assert not cell(table, "5", top_heading="May")


def test_a_wide_cell_has_the_headings_of_all_its_columns():
    table = (
        '<table><tr><th>May</th><th>June</th></tr><tr><td>4</td><td>5</td></tr><tr><td colspan="2">9</td></tr></table>'
    )
    assert cell(table, "9", top_heading="May")
    assert cell(table, "9", top_heading="June")


def test_pipe_tables_count_unless_they_are_ruled_out():
    pipes = "| Line | Fares |\n|---|---|\n| South | 95 |"
    assert cell(pipes, "95", left="South", top_heading="Fares")
    assert not cell(pipes, "95", pipes=False)


def test_the_same_text_in_two_cells_is_tried_in_both():
    assert cell("<table><tr><td>7</td><td>a</td></tr><tr><td>7</td><td>b</td></tr></table>", "7", right="b")


def test_short_cells_must_be_alike_by_half_however_much_they_may_be_off():
    assert not cell(FARES, "97", max_diffs=5, left="Nowhere")
    assert cell(FARES, "Sauth", max_diffs=1)


# -------------------------------------------------------------------------------------------- formulas


@pytest.mark.parametrize("form", ["${}$", "$${}$$", "\\({}\\)", "\\[{}\\]", "$$\n\\int {} dx\n$$"])
def test_a_formula_is_found_however_it_is_set_off_and_within_another(form):
    assert formula("3x^{2}", "so " + form.format("3 x ^ 2") + " holds")


def test_a_formula_in_the_text_or_in_other_letters_is_not_found():
    assert not formula("3x^2", "so 3x^2 holds")
    assert not formula("3x^2", "so $3x^3$ holds")
    assert not formula("a", "so $\\max$ holds")
    assert not formula("3x^2", "so $3x^2$ holds", dollars=False)


# -------------------------------------------------------------------------------------------- baseline


def test_a_page_must_have_letters_and_no_loop_at_its_end():
    assert sound("A page.")
    assert not sound(" \n- | -\n")
    assert not sound("A page. " + "ha " * 31)
    assert sound("A page. " + "ha " * 20 + "and on.")
    assert sound("no" * 4, max_repeats=30)


def test_a_page_must_have_no_foreign_letters_unless_it_may():
    assert not sound("港口 harbour")
    assert not sound("harbour 😀")
    assert sound("港口 harbour", foreign_letters=True)


def test_a_page_that_should_be_blank_may_have_a_few_letters():
    assert sound("p. 3", max_length=2)
    assert not sound("page 3", max_length=2)
    assert sound("", max_length=0)
    assert sound("![a blank page](x.png)", max_length=0, max_length_without_pictures=True)
    assert not sound("![a blank page](x.png)", max_length=0)


@given(st.text(alphabet="ab |-\n$\\<>tabledr/()[]1*_", max_size=60))
def test_no_answer_is_too_strange_to_be_tested(markdown):
    for page in load(DATA / "olmOCR-bench").pages:
        score_page("olmocr-bench", page, markdown)
