"""Characters that differ from their codes: separate accents, symbols, private codes."""

from __future__ import annotations

from typing import Any

import pytest

from docparse_fast.document import Box, TextSpan
from docparse_fast.pages.accents import composed
from docparse_fast.pages.symbols import meant
from docparse_fast.pages.text_layer import _with_bullet


def line_of(*placed: tuple[str, float, float]) -> dict[str, Any]:
    characters = [{"c": char, "bbox": (x0, 0.0, x1, 10.0), "origin": (x0, 10.0)} for char, x0, x1 in placed]
    return {"dir": (1.0, 0.0), "spans": [{"size": 10.0, "chars": characters}]}


def text(line: Any) -> str:
    return "".join(char["c"] for run in line["spans"] for char in run["chars"])


def test_an_accent_over_the_letter_behind_it_is_one_with_it():
    assert text(composed(line_of(("J", 0, 5), ("´", 5, 10), ("a", 5, 10), ("n", 10, 15)))) == "Ján"


def test_an_accent_under_the_letter_before_it_is_one_with_it():
    assert text(composed(line_of(("S", 0, 5), ("¸", 0.5, 4.5), ("t", 5, 8)))) == "Şt"


def test_a_dotless_i_takes_its_accent():
    assert text(composed(line_of(("´", 1, 5), ("ı", 2, 5), ("s", 5, 9)))) == "ís"


def test_a_polish_l_gets_its_nameless_stroke():
    assert text(composed(line_of(("\ufffd", 0, 3), ("L", 0, 6), ("u", 6, 11)))) == "Łu"


@pytest.mark.parametrize("said", ["x^2", "a~b", "25°C"])
def test_a_sign_beside_a_letter_stays_a_sign(said):
    assert text(composed(line_of(*((char, 5.0 * n, 5.0 * n + 5) for n, char in enumerate(said))))) == said


def test_an_accent_that_unicode_has_not_over_such_a_letter_stays_apart():
    assert text(composed(line_of(("´", 0, 5), ("b", 0, 5)))) == "´b"


@pytest.mark.parametrize(
    ("code", "font", "sign"),
    [
        ("\uf0b7", "SymbolMT", "•"),
        ("\uf0a7", "Wingdings-Regular", "▪"),
        ("\uf0a7", "SymbolMT", "♣"),
        ("\uf061", "Symbol", "α"),
        ("\uf0fe", "ABCDEF+Wingdings", "☑"),
        ("q", "Wingdings", "❑"),
        ("q", "Times-Roman", "q"),
        ("\uf0b7", "Unheard-Of", "•"),
    ],
)
def test_a_symbol_fonts_code_is_its_sign(code, font, sign):
    assert meant(code, font) == sign


def test_small_capitals_of_expert_fonts_are_letters():
    assert meant("\uf773\uf76d\uf7e9 \uf731", "MinionExp-Regular") == "smé 1"


def test_control_characters_are_what_windows_means_by_them():
    assert meant("\x93so\x94", "F1") == "“so”"


def span(text: str, x: float, font: str) -> TextSpan:
    return TextSpan(Box(x, 0, x + 5 * len(text), 10), text, font, 10)


@pytest.mark.parametrize("sign", ["\ufffd", "\uf123"])
def test_a_nameless_sign_before_a_lines_words_is_a_bullet(sign):
    spans = _with_bullet([span(sign, 0, "F46"), span("first ", 15, "CMR10"), span("item", 40, "CMR10")])
    assert [s.text for s in spans] == ["• ", "first ", "item"]


def test_a_nameless_letter_of_the_lines_own_font_is_no_bullet():
    assert [s.text for s in _with_bullet([span("\ufffd", 0, "F"), span("first", 15, "F")])] == ["\ufffd", "first"]


def test_a_nameless_letter_right_before_its_subscript_is_no_bullet():
    spans = [span("\ufffd", 0, "CMMIB"), span("i ", 5.5, "CMMI"), span("is", 20, "CMR10")]
    assert [s.text for s in _with_bullet(spans)] == ["\ufffd", "i ", "is"]


def test_the_lines_and_arcs_of_latex_s_pictures_are_no_text():
    assert [meant("H�", font) for font in ("LINE10", "ABCDEF+LCIRCLEW10", "CMR10")] == ["", "", "H�"]


def test_a_letter_in_a_ring_is_one_sign():
    """TeX sets the copyright sign so, and papers' first pages said `c⃝2013`."""
    assert text(composed(line_of(("c", 2, 6), ("\u20dd", 0, 9), ("2", 9, 14)))) == "©2"
    assert text(composed(line_of(("c", 2, 6), ("\u20dd", 9, 18)))) == "c\u20dd"
