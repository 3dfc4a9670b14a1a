"""Displayed formulas beside, under and between lines of prose. Type and places are as TeX sets them."""

from docparse_fast.document import Box, TextLine, TextSpan
from docparse_fast.drafting.formulas.displayed import formulas
from docparse_fast.drafting.formulas.fragments import joined_lines

EM = 30.0
SENTENCE = "the first of the terms is one of those that are named here"


def span(text: str, x: float, y: float, size: float = EM, font: str = "CMMI10") -> TextSpan:
    """Words with their baseline at y. Signs are half as wide as their type is high."""
    signs = [
        (char, Box(x + 0.5 * size * n, y - 0.68 * size, x + 0.5 * size * (n + 1), y))
        for n, char in enumerate(text)
        if char != " "
    ]
    return TextSpan(Box.around(box for _, box in signs), text, font, size, y, signs=tuple(signs))


def line(*spans: TextSpan) -> TextLine:
    return TextLine(Box.around(each.box for each in spans), spans)


def prose(y: float, text: str = SENTENCE, x: float = 0.0) -> TextLine:
    return line(span(text, x, y, font="CMR10"))


def sum_sign(x: float, y: float) -> TextSpan:
    """A displayed sum, which hangs from its baseline."""
    box = Box(x, y, x + 1.4 * EM, y + 1.4 * EM)
    return TextSpan(box, "∑", "CMEX10", EM, y, signs=(("∑", box),))


def found(*lines: TextLine, bars: tuple[Box, ...] = ()) -> list[str]:
    return [formula.latex for formula in formulas(lines, bars)]


def test_a_fraction_between_paragraphs_is_a_formula_without_a_relation():
    parts = [line(span("a-b", 400, 280)), line(span("a", 415, 325))]
    assert found(prose(200), *parts, prose(400), bars=(Box(398, 293, 448, 294),)) == ["\\frac{a - b}{a}"]


def test_a_line_at_the_column_s_edge_without_a_relation_is_none():
    assert found(prose(200), line(span("[b-c]", 0, 260)), prose(320)) == []


def test_a_paragraph_s_last_line_is_no_formula():
    assert found(prose(200), line(span("(x=1), y=2", 0, 237))) == []
    assert found(prose(200), line(span("(x=1), y=2", 60, 260))) == ["(x = 1), y = 2"]


def test_few_words_between_two_parts_belong_to_the_formula():
    row = [line(span("x<y", 300, 260)), prose(260, "integer", 380), line(span("k=0", 520, 260))]
    assert found(prose(200), *row, prose(320)) == ["x < y \\quad \\text{ integer } \\quad k = 0"]


def test_words_between_two_parts_are_said_once():
    left = [line(span("q=(", 200, 275)), line(span("a", 250, 258)), line(span("b", 250, 300))]
    right = [line(span("(", 420, 275)), line(span("c", 440, 258)), line(span("d", 440, 300))]
    bars = (Box(248, 268, 268, 269), Box(438, 268, 458, 269))
    latex = " ".join(found(prose(180), *left, prose(275, "most", 350), *right, prose(380), bars=bars))
    assert latex.count("most") == 1


def test_a_formula_under_a_sentence_with_a_sum_is_parted_from_it():
    in_words = [prose(200), line(span("∑w=1", 880, 200))]
    below = [line(span("x=", 200, 250)), line(sum_sign(240, 232)), line(span("w+y", 290, 250))]
    assert found(*in_words, *below) == ["x = \\sum w + y"]


def test_an_accent_stands_over_the_line_below_it():
    above, below = prose(200), line(span("M is", 300, 240))
    accent = TextSpan(Box(302, 214, 312, 216), "¯", "CMR10", EM, 220, signs=(("¯", Box(302, 214, 312, 216)),))
    texts = [each.text for each in joined_lines([above, line(accent), below])]
    assert texts[0] == SENTENCE and "¯" in texts[1]


def test_a_condition_s_signs_are_no_words():
    signs = [span(f"{sign} ", 500 + 20 * n, 260) for n, sign in enumerate("0≤k<m")]
    row = [line(span("x=a", 300, 260)), line(span("integer ", 380, 260, font="CMR10"), *signs)]
    (latex,) = found(prose(200), *row, line(span("=b", 315, 300)), prose(400))
    assert "integer" in latex
