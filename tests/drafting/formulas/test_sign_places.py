from docparse_fast.document import Box
from docparse_fast.drafting.formulas.found_symbols import with_places
from docparse_fast.drafting.formulas.glyphs import latex_of
from docparse_fast.drafting.formulas.type import Glyph

LETTER = Glyph("U", Box(0, 86, 13, 100))  # of type 20 high, on a line at 100


def test_a_small_raised_sign_is_a_superscript():
    dagger = Glyph("\\dagger", Box(14, 82, 19, 94))
    assert latex_of(with_places([LETTER, dagger])).latex == "U^{\\dagger}"


def test_a_sign_as_large_as_the_letters_stands_on_their_line():
    dagger = Glyph("\\dagger", Box(14, 86, 20, 103.2))
    assert latex_of(with_places([LETTER, dagger])).latex == "U \\dagger"


def test_a_short_low_minus_is_a_subscript():
    signs = [Glyph("-", Box(14, 99, 22.5, 100)), Glyph("1", Box(24, 95, 28, 104.7))]
    assert latex_of(with_places([LETTER, *signs])).latex == "U_{-1}"


def test_an_accent_is_as_large_as_the_letter_under_it():
    hat, square = Glyph("\\hat", Box(3, 80, 10, 84)), Glyph("2", Box(14, 82, 20, 91.6))
    accent = with_places([LETTER, square, hat])[2]
    assert accent.size is not None and accent.size > 19


def test_what_a_text_layer_tells_stays_as_it_is():
    known = Glyph("+", Box(0, 0, 8, 8), 9.0, 14.0)
    assert with_places([known]) == [known]


def test_a_dot_on_the_line_is_a_full_stop():
    assert with_places([LETTER, Glyph("\\cdot", Box(14, 98, 16, 100))])[1].symbol == "."


def test_a_dot_above_the_line_is_a_product_s():
    assert with_places([LETTER, Glyph(".", Box(14, 94, 16, 96))])[1].symbol == "\\cdot"


def test_a_dot_behind_an_index_is_told_by_the_large_letters():
    index = Glyph("2", Box(14, 94, 19, 103.7))
    assert with_places([LETTER, index, Glyph(".", Box(20, 98, 22, 100))])[2].symbol == "."
