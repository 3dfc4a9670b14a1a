"""What readers of tables see of drawn rules."""

from docparse_fast.document import Box
from docparse_fast.drafting.tables.readers import _drawn_through

CELL = Box(100, 100, 160, 120)


def test_a_rule_runs_through_a_box_along_most_of_it():
    upright = _drawn_through([Box(130, 90, 131, 130), Box(90, 110, 170, 111)], upright=True)
    level = _drawn_through([Box(130, 90, 131, 130), Box(90, 110, 170, 111)], upright=False)
    assert upright(CELL) and level(CELL)


def test_a_rule_beside_a_box_or_through_a_corner_of_it_does_not():
    rules = [Box(165, 90, 166, 130), Box(130, 118, 131, 140), Box(90, 130, 170, 131), Box(150, 110, 200, 111)]
    assert not _drawn_through(rules, upright=True)(CELL)
    assert not _drawn_through(rules, upright=False)(CELL)
