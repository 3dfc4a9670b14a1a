import numpy as np

from docparse_fast.document import Box, Category
from docparse_fast.drafting.formulas.finding import LEAST_CONFIDENCE, FormulaReader, formula_of
from docparse_fast.drafting.formulas.found_symbols import Symbol, Symbols
from docparse_fast.drafting.lines import LayoutBox, Line
from docparse_fast.system.mupdf import pymupdf


def symbol(char: str, x: float, y: float = 100, size: float = 20, style: str = "italic") -> Symbol:
    return Symbol(char, style, Box(x, y - 0.45 * size, x + 0.5 * size, y), y, size, 0.9)


def test_symbols_are_set_by_where_they_stand():
    found = Symbols((symbol("x", 0), symbol("2", 11, 92, 14, "upright"), symbol("α", 25)), ())
    assert formula_of(found).latex == "x^{2}\\alpha"


def test_a_number_that_stands_apart_is_a_tag():
    number = [symbol(char, 300 + 10 * n, style="upright") for n, char in enumerate("(12)")]
    assert formula_of(Symbols((symbol("x", 0), *number), ())).latex.endswith("\\tag{12}")


def test_a_number_on_the_left_is_a_tag_too():
    number = [symbol(char, 10 * n, style="upright") for n, char in enumerate("(4)")]
    assert formula_of(Symbols((*number, symbol("x", 200)), ())).latex == "x \\tag{4}"


def test_what_stands_apart_and_is_no_number_stays():
    words = [symbol(char, 300 + 10 * n, style="upright") for n, char in enumerate("if")]
    assert "tag" not in formula_of(Symbols((symbol("x", 0), *words), ())).latex


def test_no_symbols_are_no_formula():
    assert formula_of(Symbols((), ())).confidence == 0.0


def test_a_ligature_is_read_as_its_letters():
    glyphs = Symbols((symbol("fi", 0, style="upright"),), ()).glyphs()
    assert [glyph.symbol for glyph in glyphs] == ["f", "i"]
    assert glyphs[0].box.x1 == glyphs[1].box.x0


def printed(*words: tuple[str, str, float, float, float]) -> np.ndarray:
    """A picture of words: text, font, size, and where they stand on a page of 300 by 60 points, at 200 dots an inch."""
    with pymupdf.open() as document:
        page = document.new_page(width=300, height=60)
        for text, font, size, x, y in words:
            page.insert_text((x, y), text, fontname=font, fontsize=size)
        pixmap = page.get_pixmap(dpi=200)
    return np.frombuffer(pixmap.samples, np.uint8).reshape(pixmap.height, pixmap.width, 3)


SQUARED = printed(
    ("x", "tiit", 12, 100, 30), ("2", "tiro", 8, 106, 25), ("+ 3 =", "tiro", 12, 116, 30), ("y", "tiit", 12, 150, 30)
)
SIZE = 12 * 200 / 72
WHOLE = Box(270, 40, 440, 110)


def test_a_printed_formula_is_read():
    found = FormulaReader().read(SQUARED, WHOLE, SIZE)
    assert found.latex == "x^{2} + 3 = y"
    assert found.confidence > LEAST_CONFIDENCE


def test_one_sign_is_no_formula():
    assert FormulaReader().read(SQUARED, WHOLE, SIZE, [Box(0, 40, 405, 110)]).latex == ""


def test_what_stands_in_other_lines_is_not_read():
    assert FormulaReader().read(SQUARED, WHOLE, SIZE, [Box(400, 40, 450, 110)]).latex == "x^{2} + 3 ="


def line(text: str, box: Box) -> Line:
    return Line(box, text, SIZE, "embedded", confidence=0.8)


def test_a_formula_is_a_region_with_the_ocr_as_its_rival():
    heard = line("x2 + 3 = y", WHOLE)
    regions, rest = FormulaReader().regions(SQUARED, [LayoutBox(WHOLE, Category.FORMULA)], [heard])
    assert [draft.text for draft in regions[0].drafts] == ["x^{2} + 3 = y", "x2 + 3 = y"]
    assert rest == []


def test_a_formula_is_read_as_far_as_it_is_seen_though_the_ocr_missed_its_end():
    heard = line("x2", Box(270, 40, 320, 110))
    (region,), rest = FormulaReader().regions(SQUARED, [LayoutBox(WHOLE, Category.FORMULA)], [heard])
    assert (region.drafts[0].text, rest) == ("x^{2} + 3 = y", [])


def test_a_line_of_words_that_was_called_a_formula_stays_a_line():
    words = line("therefore every continuous function has this property", WHOLE)
    assert FormulaReader().regions(SQUARED, [LayoutBox(WHOLE, Category.FORMULA)], [words]) == ([], [words])


def test_a_column_of_numbers_that_was_called_a_formula_stays_as_it_is():
    numbers = [line(text, WHOLE) for text in ("85%", "73", "17:02", "1,250.5")]
    assert FormulaReader().regions(SQUARED, [LayoutBox(WHOLE, Category.FORMULA)], numbers) == ([], numbers)


def test_what_lacks_the_words_of_its_lines_is_text_read_as_signs():
    heard = line("Total 35.01", WHOLE)
    assert FormulaReader().regions(SQUARED, [LayoutBox(WHOLE, Category.FORMULA)], [heard]) == ([], [heard])


def test_letters_that_the_ocr_ran_together_are_no_words():
    heard = line("ρξum − ∂n(αmnkl∂kul) + βmnkl∂luk = xmnk", WHOLE)
    regions, _ = FormulaReader().regions(SQUARED, [LayoutBox(WHOLE, Category.FORMULA)], [heard])
    assert [region.text for region in regions] == ["x^{2} + 3 = y"]


def test_an_indented_line_of_signs_on_a_page_with_formulas_is_one_too():
    height = SQUARED.shape[0]
    prose = line("words that say what stands here", Box(0, 2 * height + 20, 500, 2 * height + 60))
    heard = [line("x2 + 3 = y", WHOLE), line("x2 + 3 = y", WHOLE.shifted(0, height)), prose]
    twice = np.vstack([SQUARED, SQUARED, np.full_like(SQUARED, 255)])
    regions, rest = FormulaReader().regions(twice, [LayoutBox(WHOLE, Category.FORMULA)], heard)
    assert [region.text for region in regions] == ["x^{2} + 3 = y"] * 2
    assert rest == [prose]


def test_a_page_without_formulas_opens_no_model(monkeypatch):
    monkeypatch.setattr("docparse_fast.drafting.formulas.detection.SymbolDetector.weights", "not-there.onnx")
    heard = line("x2 + 3 = y", WHOLE)
    assert FormulaReader().regions(SQUARED, [LayoutBox(WHOLE, Category.TEXT)], [heard]) == ([], [heard])


def test_two_formulas_in_one_box_are_two_regions():
    twice = np.vstack([SQUARED, SQUARED])
    heard = [line("x2 + 3 = y", WHOLE), line("x2 + 3 = y", WHOLE.shifted(0, SQUARED.shape[0]))]
    box = Box.around(each.box for each in heard)
    regions, rest = FormulaReader().regions(twice, [LayoutBox(box, Category.FORMULA)], heard)
    assert [region.text for region in regions] == ["x^{2} + 3 = y"] * 2
    assert rest == []


def test_a_script_of_nothing_takes_confidence():
    whole = formula_of(Symbols((symbol("x", 0), symbol("2", 11, 92, 14)), ()))
    stray = formula_of(Symbols((symbol("2", 0, 92, 14), symbol("x", 11), symbol("y", 25)), ()))
    assert "{}" in stray.latex
    assert stray.confidence < whole.confidence


MORE = printed(
    ("T", "tiit", 12, 100, 30), ("=", "tiro", 12, 112, 30), ("a", "tiit", 12, 124, 30), ("+", "tiro", 12, 136, 30),
    ("b", "tiit", 12, 148, 30),
)  # fmt: skip
CODE = printed(("T = a + b", "cour", 12, 100, 30))


def on_a_page_of_prose(picture: np.ndarray, column: float = 0.0) -> list[str]:
    """The formulas of a page on which the layout named none, with running text at `column` and under the formula."""
    height = picture.shape[0]
    page = np.vstack([picture, np.full_like(picture, 255)])
    under = line("words that say what stands here", Box(0, height + 20, 500, height + 60))
    aside = line("other words that stand in another column", Box(column, 60, column + 400, 100))
    heard = [line("T = a + b", WHOLE), under, *([aside] if column else [])]
    regions, _ = FormulaReader().regions(page, [], heard)
    return [region.text for region in regions]


def test_a_formula_is_found_where_the_layout_named_none():
    assert on_a_page_of_prose(MORE) == ["T = a + b"]


def test_text_of_another_column_stands_beside_no_formula():
    assert on_a_page_of_prose(MORE, column=600) == ["T = a + b"]


def test_an_upright_line_of_code_is_no_formula():
    assert on_a_page_of_prose(CODE) == []
