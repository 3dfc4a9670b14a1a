"""Formulas within lines. The words of a line are set one behind the other, in the fonts that TeX would take."""

from dataclasses import replace

from docparse_fast.document import Box, Category, Draft, Region, TextSpan
from docparse_fast.drafting.formulas.inline import harmless, with_formulas

SIZE = 10.0
TEXT, LETTERS, SIGNS = "CMR10", "CMMI10", "CMSY10"


def line(*words: tuple[str, str, float] | tuple[str, str], gap: float = 3.5) -> str:
    """The line as Markdown; each word has a font, and a script how far it is raised."""
    spans, x = [], 0.0
    for text, font, *raised in words:
        size = 7.0 if raised else SIZE
        baseline = 100.0 - (raised[0] if raised else 0.0)
        x += 0.0 if raised else gap
        boxes = [Box(x + 5 * n, baseline - 0.44 * size, x + 5 * (n + 1), baseline) for n in range(len(text))]
        spans.append(
            TextSpan(Box.around(boxes), text, font, size, baseline, signs=tuple(zip(text, boxes, strict=True)))
        )
        x = boxes[-1].x1
    spans = [
        replace(span, text=span.text + " " * (n + 1 < len(spans) and spans[n + 1].size == SIZE))
        for n, span in enumerate(spans)
    ]
    found = with_formulas(spans, SIZE, (), variables=True)
    return "".join(f"${span.latex}$ " if span.latex else span.text for span in found).strip()


def test_a_variable_in_a_sentence_is_a_formula():
    assert line(("where", TEXT), ("x", LETTERS), ("is", TEXT), ("known", TEXT)) == "where $x$ is known"


def test_a_short_word_before_a_formula_stays_a_word_in_a_tight_line():
    assert line(("a", TEXT), ("Q", "MSBM10"), ("class", TEXT), gap=2.1) == r"a $\mathbb{Q}$ class"
    assert line(("E", TEXT), ("X", LETTERS), ("is", TEXT), gap=1.7) == r"$\mathrm{E}X$ is"


def test_a_relation_holds_both_its_sides():
    assert line(("if", TEXT), ("x", LETTERS), ("=", TEXT), ("2", TEXT), ("then", TEXT)) == "if $x = 2$ then"


def test_a_script_belongs_to_its_letter():
    assert line(("the", TEXT), ("x", LETTERS), ("2", "CMR7", 4.0), ("is", TEXT)) == "the $x^{2}$ is"


def test_a_comma_behind_a_formula_is_the_sentences():
    assert line(("for", TEXT), ("x", LETTERS), (",", TEXT), ("see", TEXT)) == "for $x$ , see"


def test_marks_of_lists_and_notes_stay_text():
    assert line(("•", SIGNS), ("one", TEXT)) == "• one"
    assert line(("word", TEXT), ("†", "CMSY7", 4.0), ("goes", TEXT)) == "word† goes"


def test_a_dot_between_the_words_of_an_address_is_no_product():
    """A résumé's line of `\\cdot`s was `$\\cdot+44$ 7700 $118.$`."""
    said = line(("Ely", TEXT), ("·", SIGNS), ("+44", TEXT), ("118", TEXT), ("·", SIGNS), ("sam", TEXT))
    assert said == "Ely · +44 118 · sam"
    assert line(("as", TEXT), ("x", LETTERS), ("·", SIGNS), ("y", LETTERS)) == r"as $x \cdot y$"


def test_an_arrow_alone_stays_text():
    assert line(("from", TEXT), ("→", SIGNS), ("to", TEXT)) == "from → to"


def test_lines_without_mathematical_type_stay_as_they_are():
    assert line(("5", TEXT), ("=", TEXT), ("5", TEXT)) == "5 = 5"


def test_markdown_sees_no_tag_in_a_formula():
    assert harmless("x_{i<j}") == "x_{i< j}"


def test_a_target_is_given_a_formula_with_its_backslashes():
    draft = Draft(r"\*the set* $\{x\}$", "text-layer")
    assert Region(Box(0, 0, 9, 9), Category.TEXT, (draft,)).printed(draft) == r"*the set* $\{x\}$"


def test_an_abbreviation_before_a_formula_stays_text():
    assert line(("e.g.", TEXT), ("x", LETTERS), ("is", TEXT)) == "e.g. $x$ is"
    assert line(("i.e.", TEXT), ("x", LETTERS), ("=", TEXT), ("2", TEXT)) == "i.e. $x = 2$"


def test_a_unit_that_is_named_like_a_function_is_no_argument():
    assert line(("at", TEXT), ("t", LETTERS), ("=", TEXT), ("1", TEXT), ("sec", TEXT)) == "at $t = 1$ sec"


def test_nabla_with_an_exponent_is_a_formula():
    assert line(("apply", TEXT), ("∇", SIGNS), ("2", TEXT, 4.0), ("then", TEXT)) == "apply $\\nabla^{2}$ then"


def test_a_name_in_angle_brackets_is_text():
    assert "$" not in line(("give", TEXT), ("⟨", SIGNS), ("file", "CMTI10"), ("⟩", SIGNS), ("and", TEXT))
    assert "$" not in line(("give", TEXT), ("⟨", SIGNS), ("A", "CMTI10"), ("⟩", SIGNS), ("and", TEXT))


def test_letters_of_a_mathematical_font_in_angle_brackets_are_a_formula():
    found = line(("the", TEXT), ("⟨", SIGNS), ("x", LETTERS), (",", LETTERS), ("y", LETTERS), ("⟩", SIGNS))
    assert found == "the $\\langle x, y\\rangle$"


def test_a_chinese_word_between_formulas_is_text():
    assert line(("x", LETTERS), ("=", TEXT), ("1", TEXT), ("+", TEXT), ("则", TEXT)) == "$x = 1 +$ 则"


def test_a_number_is_no_formula_whatever_its_sign_and_point_are_set_in():
    """`0.2` became `$0. 2$`, and a table of such numbers became headings."""
    assert line(("0", TEXT), (".", LETTERS, 0.0), ("2", TEXT, 0.0), ("of", TEXT)).replace(" ", "") == "0.2of"
    assert line(("−", SIGNS), ("5", TEXT), ("of", TEXT)) == "−5 of"


def slanted(text: str, x: float) -> TextSpan:
    boxes = [Box(x + 5 * n, 95, x + 5 * (n + 1), 100) for n in range(len(text))]
    signs = tuple(zip(text, boxes, strict=True))
    return TextSpan(Box.around(boxes), f"{text} ", "Times-Italic", SIZE, 100.0, italic=True, signs=signs)


def upright(text: str, x: float) -> TextSpan:
    return replace(slanted(text, x), font="Times-Roman", italic=False)


def test_a_tilde_before_a_name_is_the_names():
    spans = [upright("4.2", 0), replace(upright("∼", 20), font=SIGNS), upright("Class", 25)]
    assert not any(span.latex for span in with_formulas(spans, SIZE, (), variables=True))


def test_the_marker_of_an_item_is_no_part_of_its_formula():
    """Answers to choose from began with `$\\mathrm{A}. \\tan x$`."""
    assert line(("A.", TEXT), ("tan", TEXT), ("x", LETTERS)) == r"A. $\tan x$"
    assert line(("(b)", TEXT), ("−", SIGNS), ("tan", TEXT), ("x", LETTERS)) == r"(b) $-\tan x$"
