"""Tall brackets on ink that a network of cells saw in parts."""

import numpy as np

from docparse_fast.document import Box
from docparse_fast.drafting.formulas.detection import with_tall_fences
from docparse_fast.drafting.formulas.found_symbols import Symbol

SIZE = 32.0
INK = np.zeros((160, 200), np.float32)
INK[20:140, 30:36] = 1.0  # a tall bracket
INK[60:90, 80:100] = 1.0  # a letter


def symbol(char: str, x: float, y: float, confidence: float = 0.9) -> Symbol:
    return Symbol(char, "upright", Box(x - 5, y - 20, x + 5, y + 20), y + 20, SIZE, confidence)


def test_a_bracket_reaches_as_far_as_its_ink():
    (found,) = with_tall_fences([symbol("[", 33, 80)], [], INK, SIZE)
    assert found.box == Box(30, 20, 36, 140)


def test_several_brackets_on_one_piece_of_ink_are_the_surest():
    (found,) = with_tall_fences([symbol("|", 33, 50, 0.6), symbol("[", 33, 110)], [], INK, SIZE)
    assert found.character == "["


def test_a_bracket_that_was_overlooked_is_the_likeliest_of_the_doubtful_ones():
    doubtful = [symbol("x", 33, 80, 0.5), symbol("]", 33, 80, 0.4), symbol("(", 150, 80, 0.9)]
    (found,) = with_tall_fences([], doubtful, INK, SIZE)
    assert found.character == "]"


def test_letters_and_signs_on_tall_ink_stay_as_they_are():
    integral = symbol("∫", 33, 80)
    letter = symbol("x", 90, 75)
    assert with_tall_fences([integral, letter], [symbol("|", 33, 60)], INK, SIZE) == [integral, letter]
