"""Formulas whose type sizes and baselines the file says, at the distances at which TeX sets them."""

from docparse_fast.document import Box, TextLine, TextSpan
from docparse_fast.drafting.formulas.displayed import formulas
from docparse_fast.drafting.formulas.glyphs import latex_of
from docparse_fast.drafting.formulas.type import Glyph, LetterStyle

EM = 30.0
WIDE = {"=": 0.7, "+": 0.7, "-": 0.7, "(": 0.36, ")": 0.36, ".": 0.25, ",": 0.25}
BOXES = {
    ",": (0.1, 0.13),
    "(": (0.75, 0.25),
    ")": (0.75, 0.25),
    ".": (0.12, 0),
    "=": (0.4, -0.1),
    "-": (0.27, -0.23),
    "x": (0.44, 0),
}


def signs(text: str, x: float, baseline: float, size: float = EM) -> list[Glyph]:
    """A row of signs."""
    made = []
    for sign in text:
        height, depth = BOXES.get(sign, (0.68, 0))
        box = Box(x, baseline - height * size, x + WIDE.get(sign, 0.5) * size, baseline + depth * size)
        made.append(Glyph(sign, box, baseline, size, whole=sign in "()"))
        x = box.x1
    return made


def latex(*rows: list[Glyph], rules: tuple[Box, ...] = ()) -> str:
    return latex_of([sign for row in rows for sign in row], rules).latex


def bar(x0: float, x1: float, y: float) -> Box:
    return Box(x0, y - 0.5, x1, y + 0.5)


def test_a_comma_behind_a_fraction_does_not_make_its_bar_a_line_over_letters():
    fraction = [signs("b", 46, 80), signs("d", 46, 120)]
    assert latex(signs("x=", 0, 100), *fraction, signs(",x", 62, 100), rules=(bar(46, 61, 92.5),)) == (
        "x = \\frac{b}{d}, x"
    )


def test_two_fractions_whose_rows_touch_share_no_line():
    upper = [signs("x=", 0, 107.5), signs("a", 65, 87), signs("(1-x)", 50, 128)]
    lower = [signs("y=", 0, 177.5), signs("(1-y)", 50, 157), signs("(1-z)", 50, 198)]
    assert latex(*upper, *lower, rules=(bar(50, 123, 100), bar(50, 123, 170))) == (
        "\\begin{aligned} x & = \\frac{a}{(1 - x)} \\\\ y & = \\frac{(1 - y)}{(1 - z)} \\end{aligned}"
    )


def test_parentheses_of_two_rows_that_touch_are_two():
    rows = latex(signs("x=(a)", 0, 100), signs("x=(b)", 0, 130.2))
    assert rows == "\\begin{aligned} x & = (a) \\\\ x & = (b) \\end{aligned}"


def test_a_root_of_a_fraction_stands_on_the_line_of_its_bar():
    root = Glyph("\\sqrt", Box(40, 55, 60, 140), 130, EM)
    inside = [signs("2", 62, 80), signs("x", 62, 120)]
    rules = (bar(60, 80, 55.5), bar(61, 78, 92.5))
    assert latex(signs("p=", 0, 100), [root], *inside, rules=rules) == "p = \\sqrt{\\frac{2}{x}}"


def test_a_root_may_be_a_numerator():
    root = Glyph("\\sqrt", Box(0, 60, 20, 88), 60, EM)
    rules = (bar(20, 66, 60.5), bar(0, 66, 92.5))
    assert latex([root], signs("nab", 20, 84), signs("c", 25, 120), rules=rules) == "\\frac{\\sqrt{nab}}{c}"


def test_the_smallest_type_s_scripts_are_told_by_their_lines():
    assert latex(signs("e", 0, 100), signs("k", 16, 88, 15), signs("i", 24, 90.5, 15)) == "e^{k_{i}}"


def test_a_function_s_name_stands_in_a_sum_s_limit():
    total = Glyph("\\sum", Box(60, 80, 100, 122), 100, EM)
    name = [Glyph(g.symbol, g.box, g.baseline, g.size, LetterStyle.ROMAN) for g in signs("max", 58, 145, 20)]
    assert latex([total], signs("k=", 34, 145, 20), name, signs("(1,i)", 88, 145, 20), signs("x", 132, 100)) == (
        "\\sum_{k=\\max(1,i)}x"
    )


def test_words_in_a_formula_keep_the_blanks_around_them():
    word = [Glyph(g.symbol, g.box, g.baseline, g.size, LetterStyle.ROMAN) for g in signs("if", 40, 100)]
    assert latex(signs("x", 0, 100), word, signs("y", 80, 100)) == "x\\text{ if }y"


def test_a_decimal_point_has_no_blank_behind_it():
    assert latex(signs("x=3.25", 0, 100)) == "x = 3.25"


# ----------------------------------------------------------------------------------------- finding them


def span(text: str, x: float, y: float, size: float = EM, font: str = "CMR10") -> TextSpan:
    letters = [
        (char, Box(x + 0.5 * size * n, y - 0.68 * size, x + 0.5 * size * (n + 1), y)) for n, char in enumerate(text)
    ]
    return TextSpan(Box.around(box for _, box in letters), text, font, size, y, signs=tuple(letters))


def line(*spans: TextSpan) -> TextLine:
    return TextLine(Box.around(each.box for each in spans), spans)


def found(*lines: TextLine, bars: tuple[Box, ...] = ()) -> list[str]:
    return [formula.latex for formula in formulas(lines, bars)]


def test_words_as_subscripts_do_not_make_a_formula_prose():
    names = [
        span("f", 0, 100, font="CMMI10"),
        span("hurdle", 15, 105, 20),
        span("=", 80, 100),
        span("f", 100, 100, font="CMMI10"),
    ]
    more = [
        span("zero", 115, 105, 20),
        span("+", 160, 100),
        span("f", 180, 100, font="CMMI10"),
        span("count", 195, 105, 20),
    ]
    assert found(line(*names, *more)) == ["f_{\\text{hurdle}} = f_{\\text{zero}} + f_{\\text{count}}"]


def test_what_stands_under_argmax_belongs_to_it():
    parts = [line(span("A", 0, 100, font="CMMI10"), span("=", 20, 100), span("argmax", 40, 100))]
    parts += [line(span("x", 78, 121, 20, "CMMI10")), line(span("c", 134, 100, font="CMMI10"))]
    assert found(*parts) == ["A = \\operatorname*{argmax}_{x}c"]


def test_a_short_numerator_over_a_long_bar_is_part_of_the_fraction():
    below = line(span("1-ab+cd+ef+gh", 100, 120, font="CMMI10"))
    parts = [
        line(span("q", 0, 100, font="CMMI10"), span("=", 20, 100)),
        line(span("x", 190, 80, font="CMMI10")),
        below,
    ]
    assert found(*parts, bars=(Box(99, 92, 296, 93),)) == ["q = \\frac{x}{1 - ab + cd + ef + gh}"]


def test_conditions_far_right_of_cases_belong_to_them():
    """No page of 87 with formulas moved without this rule, but two of the first five cases that were set are torn."""
    brace = tuple((sign, Box(96, 75 + 22 * n, 123, 97 + 22 * n)) for n, sign in enumerate("\uf8f1\uf8f2\uf8f3"))
    spans = [
        span("f", 0, 117, font="CMMI10"),
        span("=", 30, 117),
        TextSpan(Box(96, 75, 123, 141), "\uf8f1\uf8f2\uf8f3", "CMEX10", EM, 75, signs=brace),
    ]
    values = [line(span("1", 126, 95)), line(span("0", 126, 138))]
    conditions = [
        line(span("x", 330, y, font="CMMI10"), span(f"{sign}0", 350, y)) for y, sign in ((95, ">"), (138, "<"))
    ]
    assert found(*(line(each) for each in spans), *values, *conditions) == [
        "f = \\begin{cases} 1 & x > 0 \\\\ 0 & x < 0 \\end{cases}"
    ]


def test_a_row_that_begins_with_a_relation_goes_on_with_the_formula_above():
    first = line(span("x", 0, 100, font="CMMI10"), span("=", 20, 100), span("α", 40, 100, font="CMMI10"))
    assert found(first, line(span("=", 20, 140), span("cos(1)", 40, 140)))[0].count("\\\\") == 1


def test_a_bullet_before_a_formula_makes_an_item():
    assert not found(line(span("•", 0, 100), span("x", 30, 100, font="CMMI10"), span("=", 50, 100), span("1", 70, 100)))


def test_words_in_smaller_type_on_the_line_are_prose():
    command = span("keygen", 0, 100, 34, "CMTT12")
    words = [
        span(word, x, 100, 29) for word, x in (("takes", 130), ("the", 220), ("name", 280), ("=", 360), ("x", 390))
    ]
    assert not found(line(command, *words))


def test_a_script_s_script_belongs_to_the_script_that_ends_before_it():
    parts = [line(span("x", 0, 100, font="CMMI10"), span("=", 20, 100), span("π", 40, 100, font="CMMI10"))]
    parts += [
        line(span("ij", 55, 104.6, 22, "CMMI7"), span("y", 78, 87.5, 22, "CMMI7"), span("k", 89, 91, 16, "CMMI5"))
    ]
    assert found(*parts) == ["x = \\pi_{ij}^{y_{k}}"]
