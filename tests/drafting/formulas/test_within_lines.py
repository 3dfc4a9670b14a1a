"""Formulas within a scan's lines. Lines are drawn, and their words said as an OCR says them: without scripts."""

from collections.abc import Sequence
from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest

from docparse_fast.document import Box
from docparse_fast.drafting.arrays import Pixels
from docparse_fast.drafting.formulas import within_lines
from docparse_fast.drafting.formulas.detection import SymbolDetector
from docparse_fast.drafting.formulas.found_symbols import Symbols
from docparse_fast.drafting.formulas.within_lines import with_formulas_read
from docparse_fast.drafting.lines import Line
from docparse_fast.system.mupdf import pymupdf

DPI, SIZE = 200, 12.0
SCALE = DPI / 72
ROMAN, SLANTED = "tiro", "tiit"
Word = tuple[tuple[str, str, float], ...]  # pieces of a word: text, font, how far it is raised


@pytest.fixture(scope="module")
def detector() -> SymbolDetector:
    return SymbolDetector()


def word(text: str, font: str = ROMAN) -> Word:
    return ((text, font, 0.0),)


def sentence(text: str, font: str = ROMAN) -> list[Word]:
    return [word(each, font) for each in text.split()]


def drawn(lines: Sequence[Sequence[Word]]) -> tuple[Pixels, list[Line]]:
    """A page's picture, and its lines as an OCR reads them."""
    with pymupdf.open() as document:
        page = document.new_page(width=500, height=30 + 24 * len(lines))
        read = [_drawn(page, words, 30 + 24 * n) for n, words in enumerate(lines)]
        pixmap = page.get_pixmap(dpi=DPI)
    return np.frombuffer(pixmap.samples, np.uint8).reshape(pixmap.height, pixmap.width, 3), read


def _drawn(page: pymupdf.Page, words: Sequence[Word], y: float) -> Line:
    x, boxes = 20.0, []
    for pieces in words:
        left = x
        for text, font, raised in pieces:
            size = 0.7 * SIZE if raised else SIZE
            page.insert_text((x, y - raised), text, fontname=font, fontsize=size)
            x += pymupdf.get_text_length(text, fontname=font, fontsize=size) + 0.8
        boxes.append((Box(left, y - 10, x, y + 4).scaled(SCALE), "".join(text for text, _, _ in pieces)))
        x += 3.5
    around = Box.around(box for box, _ in boxes)
    return Line(around, " ".join(text for _, text in boxes), SIZE * SCALE, "embedded", words=tuple(boxes))


SQUARE = (("x", SLANTED, 0.0), ("2", ROMAN, 4.0))
INDEXED = (("x", SLANTED, 0.0), ("2", ROMAN, -2.0))
EQUATION = [SQUARE, word("="), word("y", SLANTED)]
NUMBER = [*sentence("where the number"), word("n", SLANTED), *sentence("is known before")]


def texts(
    lines: Sequence[Sequence[Word]], detector: SymbolDetector, *, mathematical: bool = True
) -> tuple[list[str], list[str]]:
    """The lines' texts before and after."""
    pixels, read = drawn(lines)
    after = with_formulas_read(pixels, read, detector, mathematical=mathematical)
    return [line.text for line in read], [line.text for line in after]


def test_a_formula_in_a_sentence_is_set_as_latex(detector):
    before, after = texts([[*sentence("Suppose now that"), *EQUATION, *sentence("holds for them.")]], detector)
    assert before == ["Suppose now that x2 = y holds for them."]
    assert after == ["Suppose now that $x^{2} = y$ holds for them."]


def test_an_index_is_told_from_an_exponent(detector):
    _, after = texts([[*sentence("The second value"), INDEXED, *sentence("is the largest")]], detector)
    assert after == ["The second value $x_{2}$ is the largest"]


def test_the_sentence_keeps_its_full_stop(detector):
    ending = (*SQUARE, (".", ROMAN, 0.0))
    _, after = texts([[*sentence("This follows from the last of"), ending]], detector)
    assert after == ["This follows from the last of $x^{2}$."]


def test_prose_stays_as_it_was_read(detector):
    before, after = texts([sentence("He has 3 of them (see p. 7), and plan B - 24 * 7 = 168 hours.")], detector)
    assert after == before


def test_figures_in_prose_are_no_formula_and_lose_no_word(detector):
    before, after = texts([sentence("was also seen (OR = 1.36, 95% CI 0.90) for those (n = 12) at last")], detector)
    assert "OR = 1.36, 95% CI" in after[0]
    assert after[0].replace("$", "") == before[0]


def test_degrees_with_their_unit_are_no_formula(detector):
    """A data sheet's `0.5 °C` was LaTeX in its list of features."""
    before, after = texts([sentence("± 0.5 °C of accuracy, at 25 °C without calibration", "helv")] * 3, detector)
    assert after == before


def test_a_word_in_brackets_beside_a_formula_is_kept(detector):
    _, after = texts([[*sentence("which was also seen (OR ="), SQUARE, *sentence("of them)")]], detector)
    assert after[0].startswith("which was also seen (OR ")
    assert "x^{2}" in after[0]


def test_slanted_words_are_no_variables(detector):
    before, after = texts([sentence("Let it be so if a = b, as we said in part 2", SLANTED)], detector)
    assert "$it$" not in after[0]
    assert "$" not in after[0].replace("$a = b$", "")
    assert before[0].startswith("Let it be so")


def test_printed_latex_is_no_formula(detector):
    before, after = texts([[*sentence(r"write \frac for"), *EQUATION]], detector)
    assert after == before


def test_a_page_with_a_single_formula_stays_as_it_was_read(detector):
    before, after = texts([NUMBER, sentence("and nothing else.")], detector, mathematical=False)
    assert after == before


def test_a_page_with_several_formulas_has_them(detector):
    _, after = texts([NUMBER, NUMBER, NUMBER], detector, mathematical=False)
    assert after == ["where the number $n$ is known before"] * 3


def test_what_markdown_would_read_stays_text(detector):
    _, after = texts([[*sentence("the *first* one is"), *EQUATION]], detector)
    assert after == ["the \\*first* one is $x^{2} = y$"]


class CountingDetector(SymbolDetector):
    looks = 0

    def find(self, image: Pixels, size: float) -> Symbols:
        self.looks += 1
        return super().find(image, size)


def test_a_language_with_words_of_one_letter_is_no_mathematics():
    """Each second line of a Spanish page was looked at, for a quarter of the page's time."""
    detector = CountingDetector()
    before, after = texts([sentence("los derechos y las libertades")] * 6, detector, mathematical=False)
    assert after == before
    assert detector.looks == 3


def test_a_line_with_a_sign_is_looked_at_before_words_of_one_letter(detector):
    said = [sentence("los derechos y las libertades")] * 4
    _, after = texts(
        [*said, *[[*sentence("donde"), *EQUATION, *sentence("es cierto")]] * 3], detector, mathematical=False
    )
    assert after[-1] == "donde $x^{2} = y$ es cierto"


def test_a_bullet_is_no_sign_of_a_formula(detector):
    """A recipe's `• 250 g` was a star times 250."""
    items = [
        [(("I", "zadb", -2.0),), *sentence(text)]
        for text in ("250 g plain flour", "600 g floury potatoes", "125 g of it")
    ]
    pixels, read = drawn(items)
    items_read = [
        replace(line, text=f"•{line.text[1:]}", words=((line.words[0][0], "•"), *line.words[1:])) for line in read
    ]
    after = with_formulas_read(pixels, items_read, detector, mathematical=True)
    assert [line.text for line in after] == [line.text for line in items_read]


def test_a_run_of_words_without_a_found_sign_is_no_formula(monkeypatch):
    """Its page's reader failed, and the page was read line by line."""
    monkeypatch.setattr(within_lines, "formula_runs", lambda spans, size: [(0, 1)])
    piece = SimpleNamespace(places=(), span=SimpleNamespace(text="(OR", font="", italic=False, size=10.0))
    assert list(within_lines._formulas([piece], [], [], 10.0)) == []
