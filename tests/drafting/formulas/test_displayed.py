"""Formulas are set by hand, glyph by glyph, as a page shows them."""

from dataclasses import replace

from docparse_fast.document import Box, TextLine, TextSpan
from docparse_fast.drafting.formulas.displayed import formulas

SIZE = 20.0


def word(text: str, x: float, y: float, *, size: float = SIZE, italic: bool = True, font: str = "Math") -> TextSpan:
    """A word with its baseline at y."""
    return TextSpan(Box(x, y - 0.7 * size, x + 0.5 * size * len(text), y), text, font, size, y, italic=italic)


def lines(*words: TextSpan) -> list[TextLine]:
    return [TextLine(each.box, (each,)) for each in words]


def latex(*words: TextSpan, bars: tuple[Box, ...] = ()) -> str:
    (found,) = formulas(lines(*words), bars)
    return found.latex


def test_raised_and_lowered_parts_are_scripts():
    words = [word("x", 100, 100), word("2", 111, 92, size=13), word("i", 111, 105, size=13)]
    assert latex(*words, word("=", 125, 100), word("y", 140, 100)) == "x_{i}^{2} = y"


def test_a_bar_with_things_over_and_under_it_is_a_fraction():
    words = [word("y", 100, 100), word("=", 115, 100), word("a+b", 140, 88), word("c", 150, 116)]
    assert latex(*words, bars=(Box(138, 94, 172, 95),)) == "y = \\frac{a + b}{c}"


def test_a_fraction_may_stand_in_a_fraction():
    words = [word("y", 100, 100), word("=", 115, 100), word("1", 160, 88), word("a", 160, 112), word("b", 160, 136)]
    bars = (Box(152, 94, 178, 95), Box(156, 118, 174, 119))
    assert latex(*words, bars=bars) == "y = \\frac{1}{\\frac{a}{b}}"


def test_limits_stand_over_and_under_a_sum():
    words = [word("∑", 100, 100), word("n", 102, 78, size=12), word("i=1", 97, 115, size=12), word("i", 125, 100)]
    assert latex(*words, word("=", 140, 100), word("S", 155, 100)) == "\\sum_{i=1}^{n}i = S"


def test_a_root_covers_what_its_bar_covers():
    words = [word("√", 100, 100), word("x", 112, 100), word("+1", 130, 100), word("=", 156, 100), word("y", 170, 100)]
    assert latex(*words, bars=(Box(110, 83, 122, 84),)) == "\\sqrt{x} + 1 = y"


def test_greek_letters_and_signs_have_their_names():
    assert latex(word("α", 100, 100), word("≤", 115, 100), word("∞", 130, 100)) == "\\alpha \\leq \\infty"


def test_a_number_at_the_right_is_a_tag():
    words = [word("a", 100, 100), word("=", 115, 100), word("b", 130, 100)]
    tagged = TextLine(Box(130, 86, 330, 100), (words[2], word("(3.1)", 300, 100, italic=False)))
    (found,) = formulas([*lines(*words[:2]), tagged], ())
    assert found.latex == "a = b \\tag{3.1}"


def test_signs_within_a_sentence_are_left_to_it():
    words = ["where", "the", "value", "of"]
    spans = [word(text, 100 + 60 * n, 100, italic=False, font="Serif") for n, text in enumerate(words)]
    sentence = TextLine(Box(100, 86, 400, 100), tuple(spans))
    assert formulas([sentence, *lines(word("x", 405, 100), word("=", 420, 100), word("2", 435, 100))], ()) == []


def test_two_formulas_apart_are_two():
    words = [word("a", 100, 100), word("=", 115, 100), word("b", 130, 100)]
    far = [word("c", 100, 300), word("=", 115, 300), word("d", 130, 300)]
    assert [formula.latex for formula in formulas(lines(*words, *far), ())] == ["a = b", "c = d"]


def test_a_row_of_an_alphabet_with_small_letters_is_no_formula():
    row = [word(sign, 100 + 20 * n, 100, italic=False) for n, sign in enumerate("àáâãäåāăą")]
    small = [word("ᵃ", 300, 92, size=13, italic=False), word("ss01=0", 340, 100, italic=False)]
    assert formulas(lines(*[replace(each, font="Andika") for each in (*row, *small)]), ()) == []


def test_times_and_measures_are_no_formula():
    """A timesheet's rows were a formula, since a job's `90 × 120` stood beside its hours."""
    day = [
        word(text, x, 100, italic=False, font="Serif") for text, x in (("09:15", 100), ("15:00", 200), ("7.50", 300))
    ]
    assert formulas(lines(*day, word("90 × 120", 400, 100, italic=False, font="Serif")), ()) == []
    assert latex(word("f", 100, 100), word(":", 115, 100), word("A", 130, 100)) == "f : A"


def test_rules_of_one_width_are_a_tables_and_no_fractions():
    words = [
        word("x", 100, 100),
        word("=", 115, 100),
        word("1.5", 140, 100),
        word("R", 100, 130),
        word("0.4", 140, 130),
    ]
    rules = tuple(Box(90, y, 90 + 10 * SIZE, y + 1) for y in (80, 108, 140))
    assert formulas(lines(*words), rules) == []


def test_a_comparison_among_cells_is_no_formula():
    """The limits of a certificate left their table as formulas."""
    row = [("Lead", 100), ("2 mg", 300), ("≤ 10", 500), ("ISO 7", 700)]
    cells = [word(text, x, 100, italic=False, font="Noto Sans") for text, x in row]
    assert formulas([TextLine(each.box, (each,)) for each in cells], ()) == []
    alone = word("x ≤ 10", 300, 100, font="Noto Sans")
    assert len(formulas([TextLine(alone.box, (alone,))], ())) == 1


def test_a_word_and_what_it_means_are_no_formula():
    words = [word("JEL:", 100, 100, font="Times"), word("71.35", 160, 100, italic=False, font="Times")]
    assert formulas([TextLine(Box.around(each.box for each in words), tuple(words))], ()) == []


def test_lines_of_an_address_beside_a_large_letter_are_no_formula():
    texts = ("Peter Meier", "Hinter dem Tal", "Mail: a@b.org")
    plain = [word(text, 100, 100 + 25 * n, italic=False, font="Times") for n, text in enumerate(texts)]
    assert formulas(lines(*plain, word("M", 500, 140, size=120, italic=False, font="Times")), ()) == []


def test_a_journey_from_a_time_to_a_time_is_no_formula():
    """An itinerary's flights became formulas: an arrow over small words, a large figure beside them."""
    arrow, small = word("→", 130, 90, size=9, font="Lato"), word("1h 41m", 100, 104, size=8, font="Lato")
    hour = word("10:25", 200, 100, italic=False, font="Lato")
    assert formulas(lines(*(replace(each, italic=False) for each in (arrow, small)), hour), ()) == []


def test_two_fractions_of_one_width_are_fractions():
    words = [word("x", 100, 100), word("=", 115, 100), word("a+b+c+d+e+f+g", 160, 88), word("h", 200, 116)]
    lower = [word("y", 100, 300), word("=", 115, 300), word("a+b+c+d+e+f+g", 160, 288), word("h", 200, 316)]
    bars = tuple(Box(145, y, 145 + 8.5 * SIZE, y + 1) for y in (94, 294))
    assert ["frac" in found.latex for found in formulas(lines(*words, *lower), bars)] == [True, True]


def test_a_chinese_sentence_with_mathematics_is_no_formula():
    """Questions of an examination came out as displayed formulas: their words are few characters long."""
    text = {"italic": False, "font": "SimSun"}
    words = [word("设", 100, 100, **text), word("x", 120, 100), word("=", 135, 100), word("2", 150, 100)]
    words += [word("，且", 165, 100, **text), word("y", 190, 100), word("，则", 205, 100, **text), word("z", 235, 100)]
    assert formulas(lines(*words), ()) == []


def test_rows_with_numbers_of_their_own_are_formulas_of_their_own():
    rows = []
    for n, y in enumerate((100, 122)):
        rows.append(TextLine(Box(100, y - 14, 140, y), (word("a", 100, y), word("=", 115, y), word("b", 130, y))))
        rows += lines(word(f"({n + 1})", 180, y, italic=False))
    assert [found.latex for found in formulas(rows, ())] == ["a = b \\tag{1}", "a = b \\tag{2}"]


def test_a_note_over_a_short_brace_belongs_to_the_formula():
    brace = [replace(word("⏞", x, 84), signs=(("⏞", Box(x, 80, x + 8, 84)),)) for x in (100, 108)]
    words = [word("p", 102, 100), *brace, word("k", 104, 58, size=13), word("=", 125, 100), word("y", 140, 100)]
    assert latex(*words) == "\\overbrace{p}^{k} = y"


def test_a_line_of_contents_is_no_formula():
    words = [
        word("∼", 100, 100, font="CMSY10"),
        word("C()", 111, 100),
        word(" . . . . . . . . . .", 150, 100),
        word("84", 400, 100),
    ]
    assert formulas([TextLine(Box.around(w.box for w in words), tuple(words))], ()) == []


def test_an_exercise_is_a_line_of_text_with_its_marker():
    words = [
        word("a)", 60, 100, italic=False, font="Serif"),
        word("x", 86, 100),
        word("=", 100, 100),
        word("y", 115, 100),
    ]
    assert formulas(lines(*words), ()) == []
    tall = [*words[:1], word("x", 90, 88), word("z", 90, 116), word("=", 110, 100), word("y", 125, 100)]
    (found,) = formulas(lines(*tall), (Box(86, 94, 104, 95),))
    assert (found.marker, found.latex) == ("a)", "\\frac{x}{z} = y")


def test_a_line_with_much_mathematics_that_fills_its_column_is_text():
    """A physicist's lines below his equations, `where s = sin t and c = cos t`, were a formula."""
    where, rest = word("where", 0, 70, italic=False, font="Text"), word("x=y+z=u", 60, 70)
    column = Box(0, 0, rest.box.x1, 14)
    words = lines(*(word("all of these words", 0, 20.0 * n, italic=False, font="Text") for n in range(3)))
    prose = [replace(line, box=replace(column, y0=line.box.y0, y1=line.box.y1)) for line in words]
    text = TextLine(replace(column, y0=56, y1=70), (where, rest))
    assert formulas([*prose, text], ()) == []
    assert len(formulas([*prose, replace(text, spans=(word("a", 40, 70), rest))], ())) == 1


def test_letters_of_unicodes_mathematics_are_none_of_another_script():
    """`a_{ij} = b_{ik} c_{kj}` in such letters, which most of it was, was no formula."""
    assert latex(word("𝑎𝑖", 0, 0), word("=", 30, 0), word("𝑏𝑖𝑘𝑐𝑘", 50, 0)) == "ai = bikck"
