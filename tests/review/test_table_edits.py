"""A reader's corrections of tables: cells that a table has not, rows of other lengths, two tables as one."""

from __future__ import annotations

import pytest

from docparse_fast.errors import UsageError
from docparse_fast.review.table_edits import joined, of_rows, with_cells

TABLE = "<table><tr><th>a</th></tr><tr><td>1</td></tr></table>"


def test_a_cell_that_the_table_has_not_is_refused():
    with pytest.raises(UsageError, match="no cell that begins in row 2"):
        with_cells(TABLE, [{"row": 2, "column": 0, "text": "x"}])


@pytest.mark.parametrize("cell", [-1, 2])
def test_a_cell_that_is_no_place_of_the_table_before_is_refused(cell):
    with pytest.raises(UsageError, match=f"no cell {cell}"):
        of_rows(TABLE, [[{"cell": cell}]])


@pytest.mark.parametrize("rows", [[], [[]], [["a"], ["b", "c"]]])
def test_rows_that_are_no_table_are_refused(rows):
    with pytest.raises(UsageError, match="rows are empty or differ"):
        of_rows(TABLE, rows)


def test_a_nothing_in_a_row_is_an_empty_cell():
    assert of_rows(TABLE, [["a"], [None]]) == "<table><tr><th>a</th></tr><tr><td></td></tr></table>"


def test_a_first_row_of_its_own_stays_when_two_tables_are_joined():
    below = "<table><tr><th>b</th></tr></table>"
    assert joined(TABLE, below) == "<table><tr><th>a</th></tr><tr><td>1</td></tr><tr><td>b</td></tr></table>"


@pytest.mark.parametrize(("above", "below"), [(TABLE, "words"), ("words", TABLE)])
def test_words_are_not_joined_to_a_table(above, below):
    with pytest.raises(UsageError, match="only two tables"):
        joined(above, below)
