"""Heads that run upwards over the columns of a table."""

from drafting.tables.proposed import lines_of, proposed, texts

from docparse_fast.document import Box
from docparse_fast.drafting.lines import Line
from docparse_fast.drafting.tables.turned_heads import with_turned_heads

MARKS = [["Ada", "95", "55"], ["Ben", "73", "61"], ["Cleo", "33", "58"]]


def standing(text, column, foot=-5.0):
    """A line that runs up over a column, as far left as its figures are to the right."""
    return Line(Box(100 * column - 2, foot - 40, 100 * column + 8, foot), text, 10, "text-layer")


def test_heads_that_run_upwards_are_a_row_with_a_level_one_between_them():
    """A school's list of marks had its heads below each other, as text after the table."""
    heads = [standing("Maths", 1), standing("Science", 2, foot=-2.0)]
    name = Line(Box(0, -30, 40, -20), "Name", 10, "text-layer")
    lines = [*lines_of(MARKS), name]
    headed, used = with_turned_heads(proposed(MARKS), heads, lines)
    assert texts(headed) == [["Name", "Maths", "Science"], *MARKS]
    assert (used, len(lines) - 1 in headed.lines) == (heads, True)


def test_two_standing_lines_over_one_column_head_nothing():
    table = proposed(MARKS)
    assert with_turned_heads(table, [standing("Maths", 1), standing("Oral", 1)], lines_of(MARKS)) == (table, [])


def test_what_stands_far_above_or_alone_heads_nothing():
    table, lines = proposed(MARKS), lines_of(MARKS)
    far = [standing("Maths", 1, foot=-90.0), standing("Science", 2, foot=-90.0)]
    assert with_turned_heads(table, far, lines) == (table, [])
    assert with_turned_heads(table, [standing("Maths", 1)], lines) == (table, [])
