from docparse_fast.document import Box, Category
from docparse_fast.drafting.blocks.drafted_block import text_of
from docparse_fast.drafting.lines import Line


def line(text: str, plain: str = "") -> Line:
    return Line(Box(0, 0, 100, 10), text, 10, "embedded", plain=plain)


def test_formulas_within_lines_are_the_formula_s_own_latex():
    lines = [line("$x^{2} = y$,", "x2 = y,"), line("a_1")]
    assert text_of(lines, Category.FORMULA) == "x^{2} = y, \\\\ a_1"


def test_formulas_within_a_paragraph_s_lines_stay_between_dollar_signs():
    assert text_of([line("let $x$", "let x"), line("be")], Category.TEXT) == "let $x$ be"
