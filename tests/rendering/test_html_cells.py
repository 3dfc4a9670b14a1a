"""Cells on a grid, as a target's HTML says how far they reach."""

from counted import calls_of

from docparse_fast.rendering.harmless import html_table
from docparse_fast.text.html_cells import grid_of, rows_of


def test_a_cell_reaches_no_farther_down_than_its_table():
    """A target's three cells of 999,999,999 rows and columns took 700 MB and 10 seconds."""
    html = 3 * '<tr><td rowspan="999999999" colspan="999999999">a</td></tr>'
    assert [(cell.row, cell.rows) for cell in grid_of(html)] == [(0, 3), (1, 2), (2, 1)]
    assert len(rows_of(html)) == 3 and len(rows_of(html)[0]) < 1000


def test_a_cell_below_one_that_reaches_down_stands_beside_it():
    html = '<tr><td>a</td><td rowspan="2">b</td></tr><tr><td>c</td><td>d</td></tr>'
    assert rows_of(html) == [["a", "b", ""], ["c", "", "d"]]


def test_a_row_of_twice_as_many_cells_is_placed_in_twice_the_steps():
    def steps(count: int) -> int:
        return calls_of(lambda: grid_of("<tr>" + count * "<td>a</td>" + "</tr>"))

    assert steps(400) < 2.2 * steps(200)


def test_markdown_has_no_span_that_a_browser_would_not_allow():
    assert html_table('<table><tr><td rowspan="999999999">a</td></tr></table>') == (
        '<table><tr><td rowspan="1000">a</td></tr></table>'
    )
