"""Which lines are one formula: what is said between formulas is none, nor is the next one with a number of its own."""

from __future__ import annotations

import pytest

from docparse_fast.document import Box, Category
from docparse_fast.drafting.formulas.finding import with_text
from docparse_fast.drafting.formulas.line_groups import apart, is_text
from docparse_fast.drafting.lines import LayoutBox, Line

SIZE = 30.0


def line(text: str, x: float, y: float, width: float = 200, height: float = 40) -> Line:
    return Line(Box(x, y, x + width, y + height), text, SIZE, "embedded", confidence=0.99)


EQUATION = line("y = ax + b", 300, 100)


@pytest.mark.parametrize(
    ("text", "x", "y", "said"),
    [
        ("where", 100, 160, True),
        ("So", 100, 160, True),
        ("Theorem 3.1", 100, 160, True),
        ("otherwise", 450, 110, False),  # beside the equation
        ("edges", 360, 150, False),  # under an integral
        ("z = rate", 100, 160, False),
    ],
)
def test_a_word_alone_on_its_row_before_the_formulas_is_text(text, x, y, said):
    word = line(text, x, y, width=90)
    assert is_text(word, [EQUATION, word]) == said


def test_formulas_with_numbers_of_their_own_are_two():
    first = [EQUATION, line("(1)", 900, 100, 40)]
    second = [line("z = cx", 300, 148), line("(2)", 900, 148, 40)]
    found = apart([*first, *second])
    assert [[each.text for each in group.lines] for group in found] == [["y = ax + b", "(1)"], ["z = cx", "(2)"]]
    assert found[0].bottom == found[1].top == 140


def test_a_line_that_reaches_over_both_rows_keeps_two_numbers_together():
    bracket = line("[", 280, 100, 20, 90)
    lines = [bracket, EQUATION, line("(1)", 900, 100, 40), line("z = cx", 300, 148), line("(2)", 900, 148, 40)]
    assert len(apart(lines)) == 1


def test_a_layouts_formula_that_holds_text_is_text():
    label = LayoutBox(Box(90, 90, 1000, 200), Category.FORMULA)
    assert [each.category for each in with_text([label], [line("where", 100, 160)])] == [Category.TEXT]
    assert [each.category for each in with_text([label], [line("y x z", 300, 160)])] == [Category.FORMULA]
