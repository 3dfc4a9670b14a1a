"""How pieces of one sign, each taken for a sign, come together."""

import numpy as np

from docparse_fast.document import Box
from docparse_fast.drafting.formulas.detection import Symbol, SymbolDetector, together
from docparse_fast.mupdf import pymupdf


def symbol(char: str, x0: float, y0: float, x1: float, y1: float, confidence: float = 0.9) -> Symbol:
    return Symbol(char, "italic", Box(x0, y0, x1, y1), y1, 32.0, confidence)


def names(*symbols: Symbol) -> list[str]:
    return [found.character for found in together(symbols)]


def test_letters_broken_in_print_are_read_whole():
    with pymupdf.open() as document:
        page = document.new_page(width=80, height=22)
        page.insert_text((10, 15), "y = M + D", fontname="tiit", fontsize=12)
        pixmap = page.get_pixmap(dpi=200, colorspace=pymupdf.csGRAY)
    picture = np.frombuffer(pixmap.samples, np.uint8).reshape(pixmap.height, pixmap.stride)[:, : pixmap.width].copy()
    whole = [symbol.character for symbol in SymbolDetector().find(picture, 33.0).symbols]
    for at in (92, 156):  # through M and D
        picture[:, at : at + 3] = 255
    assert sorted(symbol.character for symbol in SymbolDetector().find(picture, 33.0).symbols) == sorted(whole)


def test_three_bars_are_one_sign():
    bars = [symbol("≡", 0, 0, 24, 2), symbol("=", 0, 7, 24, 9), symbol("≡", 0, 14, 24, 16)]
    assert names(*bars) == ["≡"]


def test_a_wave_over_two_bars_is_one_sign():
    assert names(symbol("≃", 0, 0, 24, 4), symbol("≡", 0, 8, 24, 10), symbol("≡", 0, 14, 24, 16)) == ["≅"]


def test_the_bar_of_a_comparison_belongs_to_it():
    assert names(symbol("≥", 0, 0, 22, 20), symbol("Ξ", 0, 24, 22, 27, confidence=0.3)) == ["≥"]


def test_the_points_of_a_semicolon_are_one_sign():
    assert names(symbol(":", 0, 0, 4, 4), symbol(";", 0, 10, 4, 18)) == [";"]


def test_signs_of_two_lines_stay_two():
    assert names(symbol("=", 0, 0, 24, 8), symbol("=", 0, 40, 24, 48)) == ["=", "="]
