from docparse_fast.document import Box
from docparse_fast.drafting.formulas.found_symbols import levelled
from docparse_fast.drafting.formulas.type import Glyph, LetterStyle


def letter(symbol: str, x: float, y0: float, y1: float, style: LetterStyle = LetterStyle.ROMAN) -> Glyph:
    return Glyph(symbol, Box(x, y0, x + 9, y1), style=style)


def test_letters_of_a_word_have_one_baseline_and_one_size():
    word = levelled([letter("s", 0, 10, 20), letter("i", 11, 5, 21), letter("n", 22, 11, 20)])
    assert len({glyph.baseline for glyph in word}) == 1
    assert len({glyph.size for glyph in word}) == 1
    assert word[0].size is not None


def test_a_raised_letter_is_no_part_of_a_word():
    base, raised = levelled([letter("e", 0, 10, 20), letter("x", 10, 2, 9)])
    assert base.baseline is None
    assert raised.baseline is None


def test_variables_beside_each_other_are_left_as_they_are():
    pair = [letter("x", 0, 10, 20, LetterStyle.MATH), letter("z", 10, 10, 20, LetterStyle.MATH)]
    assert levelled(pair) == pair
