"""What the network finds on pictures of a few letters and rules."""

from __future__ import annotations

import numpy as np
import pytest

from docparse_fast.drafting.arrays import Pixels
from docparse_fast.drafting.formulas.detection import SymbolDetector, _are_same
from docparse_fast.system.mupdf import pymupdf

SIZE, DPI = 12, 200
PIXELS = SIZE * DPI / 72


@pytest.fixture(scope="module")
def detector() -> SymbolDetector:
    return SymbolDetector()


def picture(
    *words: tuple[str, float, float], size: float = SIZE, bar: tuple[float, float, float] | None = None
) -> Pixels:
    """Slanted words at their places, in points, and a thin bar."""
    with pymupdf.open() as document:
        page = document.new_page(width=90, height=40)
        for word, x, y in words:
            page.insert_text((x, y), word, fontname="tiit", fontsize=size)
        if bar is not None:
            page.draw_line((bar[0], bar[2]), (bar[1], bar[2]), width=0.5)
        pixmap = page.get_pixmap(dpi=DPI, colorspace=pymupdf.csGRAY)
    return np.frombuffer(pixmap.samples, np.uint8).reshape(pixmap.height, pixmap.stride)[:, : pixmap.width].copy()


def names(detector: SymbolDetector, pixels: Pixels) -> list[str]:
    return [symbol.character for symbol in sorted(detector.find(pixels, PIXELS).symbols, key=lambda s: s.box.x0)]


def test_each_symbol_is_found_once(detector):
    assert names(detector, picture(("y = M + D", 10, 25))) == ["y", "=", "M", "+", "D"]


def test_letters_broken_in_print_are_read_whole(detector):
    pixels = picture(("y = M + D", 10, 25))
    for at in (92, 156):  # through M and D
        pixels[:, at : at + 3] = 255
    assert names(detector, pixels) == ["y", "=", "M", "+", "D"]


def test_letters_that_touch_are_two(detector):
    pixels = picture(("N", 10, 25), ("N", 19, 25))
    assert names(detector, pixels) == ["N", "N"]


def test_narrow_letters_side_by_side_are_two(detector):
    assert names(detector, picture(("a", 10, 25), ("ii", 18, 25))) == ["a", "i", "i"]


def test_pale_ink_on_dark_paper_reads_as_black_on_white(detector):
    pixels = picture(("y = M + D", 10, 25))
    pale = (110 + pixels.astype(np.float32) * (170 - 110) / 255).astype(np.uint8)
    assert names(detector, pale) == names(detector, pixels)


def test_a_fractions_bar_is_a_rule_that_ends_where_its_ink_ends(detector):
    found = detector.find(picture(("M", 20, 16), ("D", 20, 32), bar=(17.0, 33.0, 20.0)), PIXELS)
    (rule,) = found.rules
    assert [rule.x0, rule.x1] == pytest.approx([17 * DPI / 72, 33 * DPI / 72], abs=3)
    assert rule.center[1] == pytest.approx(20 * DPI / 72, abs=2)
    assert sorted(symbol.character for symbol in found.symbols) == ["D", "M"]


def test_a_boxs_middle_is_its_letters(detector):
    pixels = picture(("M", 40, 25))
    rows, columns = np.nonzero(pixels < 128)
    (symbol,) = detector.find(pixels, PIXELS).symbols
    ink = [columns.min(), rows.min(), columns.max() + 1, rows.max() + 1]
    assert [symbol.box.x0, symbol.box.y0, symbol.box.x1, symbol.box.y1] == pytest.approx(ink, abs=3)


def test_an_empty_picture_has_none(detector):
    assert detector.find(np.full((40, 90), 255, np.uint8), PIXELS).symbols == ()


def test_two_finds_are_one_symbol_where_their_middles_are_near():
    dots = np.array([[100.0, 200, 102, 202], [103, 200, 105, 202], [108, 200, 110, 202], [100, 208, 102, 210]])
    assert _are_same(dots[0], dots).tolist() == [True, True, False, False]
