"""Which lines are one formula: what is said between formulas is none, nor is the next one with a number of its own."""

from __future__ import annotations

import math

import pytest

from docparse_fast.document import Box, Category
from docparse_fast.drafting.formulas.finding import apart, at_widest_gap, is_text, with_text
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


def texts(lines: list[Line], across: float) -> list[list[str]]:
    return [sorted(each.text for each in group.lines) for group in apart(lines, across)]


def test_formulas_of_two_columns_are_two_however_level_they_are():
    other = line("z = cx", 700, 110)
    assert texts([EQUATION, other], across=2 * SIZE) == [["y = ax + b"], ["z = cx"]]
    assert texts([EQUATION, other], across=math.inf) == [["y = ax + b", "z = cx"]]


def test_a_number_belongs_to_the_formula_on_its_left_however_far():
    number, other = line("(1)", 900, 100, 40), line("z = cx", 980, 110)
    assert texts([EQUATION, number, other], across=1.2 * SIZE) == [["(1)", "y = ax + b"], ["z = cx"]]


def test_a_sentence_of_which_the_detector_made_pieces_is_text():
    pieces = [line("Write this as shorthand for", 100, 100), line("x", 310, 100, 20), line("where then", 340, 100, 90)]
    assert all(is_text(piece, pieces) for piece in pieces)


def test_the_words_of_cases_stay_with_their_formula():
    cases = [EQUATION, line("when even", 520, 95, 150), line("for positive values", 680, 95, 150)]
    assert not any(is_text(piece, cases) for piece in cases)


def test_a_functions_name_run_into_its_argument_is_no_word():
    pieces = [line("detJx = sinhx", 300, 100), line("coshy logn", 520, 100)]
    assert not any(is_text(piece, pieces) for piece in pieces)


def test_what_is_not_read_whole_parts_at_the_widest_gap():
    rows = [line(text, 300, y) for text, y in (("a", 100), ("b", 145), ("c", 200))]
    (whole,) = apart(rows, across=math.inf)
    assert [[each.text for each in part.lines] for part in at_widest_gap(whole)] == [["a", "b"], ["c"]]
