"""Pieces of formulas level with each other, in one column or in two."""

from docparse_fast.document import Box
from docparse_fast.drafting.formulas.formula_lines import are_in_columns

SIZE = 10.0


def lines(x0: float, x1: float, *levels: float) -> list[Box]:
    return [Box(x0, y, x1, y + SIZE) for y in levels]


NUMBER, OTHER = Box(270, 100, 290, 110), Box(320, 98, 360, 112)
COLUMNS = [*lines(50, 290, 60, 72, 130, 142), *lines(310, 550, 60, 72, 130, 142)]


def test_a_number_at_a_column_s_end_is_parted_from_the_next_column_s_formula():
    """A paper's equations (4a) to (5f), in two columns, were one heap."""
    assert are_in_columns(NUMBER, OTHER, SIZE, COLUMNS)
    assert are_in_columns(OTHER, NUMBER, SIZE, COLUMNS)


def test_pieces_in_one_column_belong_together():
    assert not are_in_columns(Box(320, 98, 360, 112), Box(390, 98, 400, 112), SIZE, COLUMNS)
    assert not are_in_columns(NUMBER, OTHER, SIZE, lines(50, 550, 60, 72, 130, 142))
    assert not are_in_columns(NUMBER, OTHER, SIZE, [])
