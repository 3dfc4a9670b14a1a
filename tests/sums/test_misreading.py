"""Which figures a sum allows in one of its cells."""

from docparse_fast.sums.figures import Numeral
from docparse_fast.sums.formulas import Instance
from docparse_fast.sums.misreading import needed_in
from docparse_fast.sums.relations import Grid

SUM = Instance("sum", 0, ((0, 0), (0, 1)), (1, 1), (0, 2))


def units_in(cell, *row):
    return [each.units for each in needed_in(Grid([list(row)]), SUM, cell, row[cell[1]])]


def test_a_half_may_have_been_rounded_up_or_down():
    assert units_in((0, 2), Numeral(10, 0), Numeral(205, 1), Numeral(99, 0)) == [30, 31]


def test_a_part_of_a_rounded_sum_has_room():
    assert units_in((0, 1), Numeral(10, 0), Numeral(0, 1), Numeral(31, 0)) == list(range(205, 216))
