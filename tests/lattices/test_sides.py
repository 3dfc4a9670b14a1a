"""What stands on either side of an upright rule."""

from docparse_fast.document import Box
from docparse_fast.lattices.sides import beside_uprights

RULE = Box(300, 90, 301, 260)


def column(x: float, *levels: float, width: float = 200) -> list[Box]:
    return [Box(x, y, x + width, y + 12) for y in levels]


LEFT, RIGHT = column(50, 100, 140, 180, 220), column(330, 108, 130, 155, 185, 230)


def test_both_sides_of_a_rule_are_wholes():
    """A case's parties and its number were read across the rule between them."""
    assert beside_uprights([RULE], [*LEFT, *RIGHT]) == [Box.around(LEFT), Box.around(RIGHT)]


def test_a_rule_that_parts_dates_from_what_is_level_with_them_makes_no_sides():
    entries = column(330, 100, 120, 140, 160, 180, 200, 220)
    assert beside_uprights([RULE], [*LEFT, *entries]) == []


def test_a_rule_in_the_margin_or_through_a_line_makes_no_sides():
    assert beside_uprights([RULE], RIGHT) == []
    assert beside_uprights([RULE], [*LEFT, *RIGHT, Box(250, 200, 350, 212)]) == []


def test_two_rules_side_by_side_part_a_table():
    rules = [RULE, Box(560, 90, 561, 260)]
    assert beside_uprights(rules, [*LEFT, *RIGHT, *column(580, 103, 147, 199)]) == []


def test_long_columns_are_read_as_columns():
    tall = Box(300, 90, 301, 900)
    left, right = column(50, *range(100, 800, 40)), column(330, *range(115, 800, 37))
    assert beside_uprights([tall], [*left, *right]) == []


def test_a_rule_that_level_ones_meet_is_a_table_s():
    """A bulletin's labels and what they mean, in a ruled table, were read one side after the other."""
    lines = [*LEFT, *RIGHT]
    assert beside_uprights([RULE, Box(40, 150, 560, 151)], lines) == []
    assert len(beside_uprights([RULE, Box(40, 259, 300, 260)], lines)) == 2
