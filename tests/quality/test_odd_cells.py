"""Cells that the others of their column show to be misread or joined."""

import pytest

from docparse_fast.quality.odd_cells import odd_cells


def found(*cells):
    return [(row, column) for row, column, _ in odd_cells([["Sum"], *([cell] for cell in cells)])]


@pytest.mark.parametrize("cell", ["5 26,068.47 €", "20 20.7", "180.150 27.970"])
def test_two_figures_in_a_column_of_single_ones_are_odd(cell):
    """A scanned quotation's discount and amount, a blank apart, stood in one cell, and nothing said so."""
    assert found("1,087.84 €", "9,164.10 €", cell, "25,051.75 €") == [(4, 1)]


@pytest.mark.parametrize("cell", ["26 068,47 €", "1 234 567", "12,5 %"])
def test_thousands_parted_by_blanks_are_one_figure(cell):
    assert found("1,84", "164,10", cell, "51,75") == []


def test_figures_in_pairs_down_a_whole_column_are_what_it_holds():
    assert found("1 20.5", "2 31.7", "3 18.2", "4 20.7") == []
