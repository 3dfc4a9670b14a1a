"""Formulas are read from the boxes of their signs alone, as a detector on a scan would give them."""

from dataclasses import replace

from docparse_fast.document import Box
from docparse_fast.drafting.formulas.glyphs import latex_of
from docparse_fast.drafting.formulas.type import Glyph

SIZE = 20.0
HEIGHTS = {
    "x": (0.44, 0),
    "n": (0.44, 0),
    "y": (0.44, 0.2),
    "=": (0.36, -0.13),
    "+": (0.58, 0.08),
    "\\sum": (0.95, 0.45),
}


def glyph(symbol: str, x: float, baseline: float, size: float = SIZE) -> Glyph:
    height, depth = HEIGHTS.get(symbol, (0.69, 0))
    return Glyph(symbol, Box(x, baseline - height * size, x + 0.5 * size, baseline + depth * size))


def latex(*glyphs: Glyph, rules: tuple[Box, ...] = ()) -> str:
    return latex_of(glyphs, rules).latex


def test_small_signs_off_the_line_are_scripts():
    assert latex(glyph("x", 0, 100), glyph("2", 11, 93, 14), glyph("i", 11, 104, 14)) == "x_{i}^{2}"


def test_a_script_may_have_a_script():
    assert latex(glyph("x", 0, 100), glyph("y", 11, 104, 14), glyph("2", 19, 100, 10)) == "x_{y^{2}}"


def test_a_bar_between_signs_is_a_fraction():
    rules = (Box(-1, 94, 12, 95),)
    assert latex(glyph("x", 0, 88), glyph("y", 0, 108), glyph("+", 16, 100), glyph("1", 32, 100), rules=rules) == (
        "\\frac{x}{y} + 1"
    )


def test_parts_of_a_fence_are_one_fence():
    fences = [Glyph("(", Box(0, y, 6, y + 10)) for y in (70, 80, 90, 100, 110)]
    closing = [Glyph(")", Box(30, y, 36, y + 10)) for y in (70, 80, 90, 100, 110)]
    assert latex(*fences, glyph("n", 14, 88), glyph("k", 14, 112), *closing) == "\\binom{n}{k}"


def test_an_unknown_sign_makes_a_reading_less_sound():
    known, unknown = (latex_of([glyph("x", 0, 100), glyph(sign, 12, 100)]) for sign in ("=", "\ufffd"))
    assert known.soundness > unknown.soundness


def test_a_comma_belongs_to_the_limit_it_stands_in():
    total = Glyph("\\sum", Box(10, 80, 36, 108), 100, SIZE)
    limit = [glyph("i", 10, 121, 14), Glyph(",", Box(18, 119, 20, 123.5), 121, 14), glyph("n", 24, 121, 14)]
    assert latex(total, *limit, glyph("x", 42, 100)) == "\\sum_{i,n}x"


def test_an_accented_letter_has_scripts():
    hat = Glyph("\\hat", Box(1, 80, 8, 84), 100, SIZE)
    assert latex(glyph("N", 0, 100), hat, glyph("2", 12, 92, 14)) == "\\hat{N}^{2}"


def test_a_root_has_a_power():
    root = Glyph("\\sqrt", Box(0, 80, 14, 104), 80, SIZE)
    rules = (Box(14, 80, 25, 81),)
    assert latex(root, glyph("3", 15, 100), glyph("k", 27, 80, 14), rules=rules) == "\\sqrt{3}^{k}"


def test_limits_that_stand_side_by_side_belong_to_the_sums_above_them():
    """Half of a wide limit went to the next sum, to which it stood nearer."""
    limits = [glyph(sign, x, 118, 10) for sign, x in zip("nx=x+yx", (-10, -5, 0, 5, 10, 15, 24), strict=True)]
    sums = [replace(glyph("\\sum", x, 100), baseline=100, size=SIZE) for x in (0, 21.5)]
    assert latex(*sums, *limits, glyph("x", 36, 100)) == "\\sum_{nx=x+y}\\sum_{x}x"


def test_lines_below_a_sum_in_larger_type_are_lines():
    total = replace(glyph("\\sum", 30, 100, 28), baseline=100, size=28)
    rows = [
        (100, "y", 0),
        (100, "=", 12),
        (100, "x", 50),
        (150, "=", 12),
        (150, "x", 30),
        (150, "+", 45),
        (150, "n", 60),
    ]
    letters = [replace(glyph(sign, x, y), baseline=y, size=SIZE) for y, sign, x in rows]
    assert latex(total, *letters) == "\\begin{aligned} y & = \\sum x \\\\ & = x + n \\end{aligned}"


def test_the_sign_of_a_sum_in_larger_type_does_not_make_scripts_letters_of_the_line():
    """Times' sums are of 1.43 times the letters' type: `a_{i}` read `ai`."""
    total = replace(glyph("\\sum", 0, 104, 1.43 * SIZE), baseline=104, size=1.43 * SIZE)
    letter = replace(glyph("x", 30, 100), baseline=100, size=SIZE)
    index = replace(glyph("i", 41, 103, 14.8), baseline=103, size=14.8)
    assert latex(total, letter, index) == "\\sum x_{i}"


def test_a_point_behind_a_script_stands_on_the_line():
    point = Glyph(".", Box(28, 98, 30, 100), size=8)
    assert latex(glyph("x", 0, 100), glyph("2", 12, 92, 13), point) == "x^{2}."


def test_a_low_prime_is_a_comma_and_no_row_ends_in_a_centred_dot():
    comma = Glyph("\\prime", Box(30, 98, 32, 104))
    assert latex(glyph("x", 0, 100), glyph("y", 14, 100), comma) == "xy,"
    assert latex(glyph("x", 0, 100), glyph("y", 14, 100), Glyph("\\cdot", Box(30, 96, 32, 98))) == "xy."


def test_a_row_that_runs_across_the_aligned_relations_is_not_parted():
    rows = [(100, "xxxxxxx", 0), (150, "=x", 42), (200, "=x", 42)]
    signs = [glyph(sign, x + 14 * n, y) for y, row, x in rows for n, sign in enumerate(row)]
    assert latex(*signs) == "\\begin{aligned} xxxxxxx & \\\\ & = x \\\\ & = x \\end{aligned}"
