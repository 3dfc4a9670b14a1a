"""Fractions whose figures are in a font of text: a bar between them tells that they are mathematics."""

from docparse_fast.document import Box, TextLine, TextSpan
from docparse_fast.drafting.formulas.inline import with_formulas
from docparse_fast.pages.fractions import with_fractions

BAR = Box(200, 91.5, 205, 92)


def word(text: str, x: float, baseline: float, size: float = 12) -> TextSpan:
    box = Box(x, baseline - 0.7 * size, x + 0.55 * size * len(text), baseline)
    signs = [(char, Box(x + 0.55 * size * n, box.y0, x + 0.55 * size * (n + 1), box.y1)) for n, char in enumerate(text)]
    return TextSpan(box, text, "Serif", size, baseline, signs=tuple(signs))


def fonts(*spans: TextSpan, bar: Box = BAR) -> list[str]:
    (((line),),) = with_fractions(((TextLine(Box(0, 80, 400, 110), spans),),), [bar])
    return [span.font for span in line.spans]


HALF = word("1", 200.3, 91, 8), word("2", 200.3, 100, 8)


def test_small_figures_over_and_under_a_bar_are_mathematics():
    assert fonts(word("than", 165, 96), *HALF) == ["Serif", "Serif Math", "Serif Math"]


def test_a_sum_below_a_rule_is_none():
    """Its figures are as large as the words beside them."""
    figures = word("1", 200, 90), word("2", 200, 104)
    assert fonts(word("sum", 165, 96), *figures) == ["Serif"] * 3


def test_a_wide_rule_or_an_underline_is_no_bar():
    assert fonts(word("than", 165, 96), *HALF, bar=Box(100, 91.5, 300, 92)) == ["Serif"] * 3
    assert fonts(word("than", 165, 96), HALF[0]) == ["Serif"] * 2


def test_a_fraction_of_figures_in_a_sentence_is_a_formula():
    """`more than 3/4 of it` was `³₄`, and `1/2 + 1/3` lost its order."""
    (((line),),) = with_fractions(((TextLine(Box(0, 80, 400, 110), (word("than ", 165, 96), *HALF)),),), [BAR])
    found = with_formulas(line.spans, 12, [BAR], variables=False)
    assert [span.latex for span in found] == ["", "\\frac{1}{2}"]
