"""TEDS, and reading tables from HTML and pipes."""

from __future__ import annotations

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from docparse_fast.bench.scores import teds as teds_module
from docparse_fast.bench.scores.tables import LARGEST_SPAN, read_table
from docparse_fast.bench.scores.teds import teds

CELL = st.sampled_from(["", "12", "1,136", "North", "per line", "x | y", "5 %"])
ROWS = st.integers(1, 4).flatmap(
    lambda width: st.lists(st.lists(CELL, min_size=width, max_size=width), min_size=2, max_size=5)
)


def html(rows, cell: str = "td") -> str:
    body = "".join("<tr>" + "".join(f"<{cell}>{text}</{cell}>" for text in row) + "</tr>" for row in rows)
    return f"<table>{body}</table>"


def pipes(rows) -> str:
    lines = ["| " + " | ".join(text.replace("|", "\\|") for text in row) + " |" for row in rows]
    return "\n".join([lines[0], "|" + "---|" * len(rows[0]), *lines[1:]])


def score(truth: str, answer: str, **options) -> float:
    return teds(read_table(truth), read_table(answer), **options)


@given(ROWS)
def test_a_table_is_itself_in_html_and_in_pipes(rows):
    assume(any(rows[0]))
    assert score(html(rows), html(rows)) == score(html(rows), pipes(rows)) == 100


def test_a_missing_table_has_0():
    assert teds(read_table("<table><tr><td>a</td></tr></table>"), None) == 0


@given(ROWS)
def test_rows_upside_down_cost_by_teds_and_not_by_teds_s(rows):
    turned = rows[::-1]
    assume(turned != rows)
    assert score(html(rows), html(turned)) < 100
    assert score(html(rows), html(turned), structure_only=True) == 100


def test_teds_of_a_known_pair():
    """One cell of six missing, one letter of four wrong: 1.25 of 9 nodes."""
    truth = html([["abcd", "b", "c"], ["d", "e", "f"]])
    answer = "<table><tr><td>abXd</td><td>b</td><td>c</td></tr><tr><td>d</td><td>e</td></tr></table>"
    assert score(truth, answer) == pytest.approx(100 * (1 - 1.25 / 9))
    assert score(truth, answer, structure_only=True) == pytest.approx(100 * (1 - 1 / 9))


def test_invented_rows_cost_as_much_as_missing_ones():
    short, long = html([["a", "b"]]), html([["a", "b"], ["c", "d"]])
    assert score(short, long) == score(long, short) == pytest.approx(100 * (1 - 3 / 7))


def test_a_cell_with_another_span_is_another_cell():
    truth = '<table><tr><td colspan="2">a</td></tr><tr><td>b</td><td>c</td></tr></table>'
    assert score(truth, truth.replace(' colspan="2"', "")) == pytest.approx(100 * (1 - 1 / 6))


def test_heads_bodies_and_headings_are_plain_rows_and_cells():
    flat = html([["a", "b"], ["c", "d"]])
    marked = "<table><thead><tr><th>a</th><th>b</th></tr></thead><tbody><tr><td>c</td><td>d</td></tr></tbody></table>"
    assert score(flat, marked) == 100


def test_marks_and_white_space_in_cells_cost_nothing():
    assert score(html([["1 136", "a–b"]]), html([["**1136**", "a - b"]])) == 100


@given(ROWS, ROWS)
def test_the_way_for_large_tables_is_never_better_than_the_exact_one(one, other):
    truth, answer = read_table(html(one)), read_table(html(other))
    exact = teds(truth, answer)
    limit, teds_module.LARGEST_EXACT = teds_module.LARGEST_EXACT, 0
    try:
        by_rows = teds(truth, answer)
    finally:
        teds_module.LARGEST_EXACT = limit
    assert by_rows <= exact + 1e-9
    if one == other:
        assert by_rows == 100


def test_spans_push_later_cells_to_their_places():
    table = read_table(
        '<table><tr><td rowspan="2">a</td><td colspan="2">b</td></tr><tr><td>c</td><td>d</td></tr></table>'
    )
    assert {cell.text: (cell.row, cell.column) for cell in table.cells} == {
        "a": (0, 0),
        "b": (0, 1),
        "c": (1, 1),
        "d": (1, 2),
    }


@pytest.mark.parametrize("span", ["0", "-3", "two", "", "999999999999"])
def test_senseless_spans_are_taken_for_what_is_possible(span):
    table = read_table(f'<table><tr><td colspan="{span}">a</td><td>b</td></tr></table>')
    assert [cell.text for cell in table.cells] == ["a", "b"]
    assert all(cell.columns <= LARGEST_SPAN for cell in table.cells)


@pytest.mark.parametrize("text", ["<table></table>", "<table><tr></tr></table>", "|", "", "<table", "|---|\n|---|"])
def test_what_has_no_cell_is_no_table(text):
    table = read_table(text)
    assert table is None or table.cells


def test_the_empty_first_line_that_pipes_need_is_not_the_tables():
    assert [cell.text for cell in read_table("| | |\n|---|---|\n| a | b |").cells] == ["a", "b"]


def test_a_table_within_a_cell_stays_within_it():
    table = read_table("<table><tr><td>a<table><tr><td>b</td></tr></table></td><td>c</td></tr></table>")
    assert [cell.text for cell in table.cells] == ["ab", "c"]
