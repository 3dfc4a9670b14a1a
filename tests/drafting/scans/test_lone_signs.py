"""Signs that stand alone in a row, found in pixels drawn here, and dashes read as the numeral one of Chinese."""

import cv2
import numpy as np
import pytest

from docparse_fast.document import Box
from docparse_fast.drafting.lines import Line
from docparse_fast.drafting.scans.drawn_lines import DrawnLines
from docparse_fast.drafting.scans.known_words import LineReading
from docparse_fast.drafting.scans.lone_signs import MOST_PLACES, lone_signs, with_lone_signs
from docparse_fast.drafting.scans.ocr import Ocr

ROW = [Line(Box(x, 100, x + 60, 124), "words", 17, "embedded") for x in (20, 120)]


def page(*strokes, digits=(), side=400, grey=40):
    pixels = np.full((side, side, 3), 245, np.uint8)
    for x0, y0, x1, y1 in strokes:
        pixels[y0:y1, x0:x1] = grey
    for line in ROW:  # words
        pixels[106:118, round(line.box.x0) : round(line.box.x1) : 6] = 40
    for digit, x in digits:
        cv2.putText(pixels, digit, (x, 118), cv2.FONT_HERSHEY_SIMPLEX, 0.55, (40, 40, 40), 2)
    return pixels


def signs(pixels, said=("7", 0.99)):
    seen = DrawnLines(pixels, ROW)
    return [
        (sign.plain, round(sign.box.x0))
        for sign in lone_signs(
            [*seen.pieces_of_ink(), *seen.light_pieces()],
            ROW,
            seen.unit,
            lambda _: LineReading(*said, ()),
            pale=seen.pale_pieces(),
        )
    ]


def test_a_dash_alone_in_its_row_is_read():
    assert signs(page((300, 110, 310, 113))) == [("–", 300)]


def test_a_faint_dash_of_one_pixel_is_read():
    """A timetable's thin dashes were lost, and with them the columns in which they stand."""
    assert signs(page((300, 111, 312, 112))) == [("–", 300)]


def test_a_dash_of_small_type_in_tall_rows_is_read():
    """A score sheet lost each of its dashes: lines' boxes are three times as high as digits there."""
    assert signs(page((300, 111, 304, 112))) == [("–", 300)]


def test_a_dash_within_a_line_or_beside_none_is_left_alone():
    assert signs(page((30, 110, 40, 113), (300, 300, 310, 303))) == []


def test_a_dash_within_a_frame_is_read():
    frame = [(5, 80, 395, 82), (5, 190, 395, 192), (5, 80, 7, 192), (393, 80, 395, 192)]
    assert signs(page(*frame, (240, 111, 254, 114))) == [("–", 240)]


def test_the_pieces_of_a_faint_rule_are_no_dashes():
    """A spreadsheet's hairlines had become 120 dashes, and no row of it stood."""
    assert signs(page((210, 111, 226, 113), (230, 112, 250, 113), (262, 112, 270, 113), grey=190)) == []


def test_the_grain_of_a_photograph_is_no_dash():
    """Of 60 photographs of business papers 13 had 45 dashes too many: `63.801 | 45.893 –`."""
    assert signs(page((300, 110, 310, 113), grey=195)) == []


def test_dashes_in_cells_of_their_own_are_read():
    assert signs(page((220, 110, 230, 113), (300, 110, 310, 113))) == [("–", 220), ("–", 300)]


def test_a_digit_alone_in_its_row_is_what_the_reader_reads_there():
    """The first column of a list of pupils had lost five of its nine numbers."""
    pixels, ocr = page(digits=[("7", 300)]), Ocr()
    seen = DrawnLines(pixels, ROW)
    (sign,) = lone_signs(seen.pieces_of_ink(), ROW, seen.unit, lambda box: ocr.read_in(pixels, box))
    assert sign.plain == "7" and abs(sign.box.x0 - 300) < 5


def test_two_digits_close_together_are_one_number():
    assert [text for text, _ in signs(page(digits=[("1", 300), ("2", 310)]), ("12", 0.99))] == ["12"]


@pytest.mark.parametrize("said", [("7", 0.5), ("", 0.99), ("smudge", 0.99), (".", 0.99)])
def test_what_is_not_surely_a_sign_is_left_alone(said):
    assert signs(page(digits=[("7", 300)]), said) == []


def test_specks_are_no_signs():
    specks = [Box(x, 106, x + 10, 118) for x in range(200, 200 + 40 * (MOST_PLACES + 1), 40)]
    assert lone_signs(specks, ROW, 24, lambda _: LineReading("7", 0.99, ())) == []


def texts(*said):
    lines = [Line(Box(0, 30 * n, 90, 30 * n + 20), text, 14, "embedded") for n, text in enumerate(said)]
    return [line.text for line in with_lone_signs(lines)]


def test_a_numeral_alone_among_latin_lines_is_a_dash():
    assert texts("Flow rate", "一") == ["Flow rate", "–"]


def test_a_character_like_a_box_alone_among_latin_lines_is_one():
    """Two of ten boxes in a form's table were `冈`."""
    assert texts("Morning", "冈", "口") == ["Morning", "☒", "☐"]


def test_among_chinese_lines_it_is_the_numeral():
    assert texts("第一章", "一") == ["第一章", "一"]


def test_an_old_style_digit_as_small_as_a_letter_is_read():
    """Of sixteen numbers of a list the six without ascenders were lost."""
    assert signs(page((300, 109, 304, 116)), ("1", 0.99)) == [("1", 300)]


def test_a_letter_in_a_column_of_counts_is_the_digit_that_it_may_be():
    lines = [*ROW, *(Line(Box(296, y, 312, y + 24), "12", 17, "embedded") for y in (70, 130))]
    stroke = DrawnLines(page((302, 107, 304, 117)), ROW).pieces_of_ink()
    (sign,) = lone_signs(stroke, lines, 24, lambda _: LineReading("S", 0.7, (), cell="5"))
    assert sign.plain == "5"
    assert lone_signs([Box(302, 107, 304, 117)], ROW, 24, lambda _: LineReading("S", 0.7, (), cell="5")) == []


def test_a_speck_below_a_dash_is_no_piece_of_a_rule():
    assert signs(page((300, 110, 312, 113), (301, 115, 304, 116))) == [("–", 300)]


def test_a_piece_of_a_rule_is_no_dash():
    piece, rule = Box(300, 110, 310, 113), Box(320, 111, 390, 112)
    found = [lone_signs([piece], ROW, 24, lambda _: LineReading("", 0.0, ()), rules) for rules in ((), [rule])]
    assert [[sign.plain for sign in signs] for signs in found] == [["–"], []]


def test_a_dash_that_the_box_of_the_line_below_reaches_is_read():
    below = Line(Box(280, 112, 340, 136), "words", 17, "embedded")
    seen = DrawnLines(page((300, 110, 310, 113)), ROW)
    found = lone_signs(seen.pieces_of_ink(), [*ROW, below], seen.unit, lambda _: LineReading("", 0.0, ()))
    assert [sign.plain for sign in found] == ["–"]


def test_a_unit_alone_in_its_row_is_read():
    """Heads of two scanned payslips and a balance sheet were `€`: nothing stood above their figures."""
    assert [text for text, _ in signs(page(digits=[("E", 300)]), ("€", 0.96))] == ["€"]


def test_a_light_sign_on_a_dark_ground_is_read():
    pixels = page()
    pixels[90:130, :] = 60
    for x in range(20, 180, 6):
        pixels[106:118, x : x + 1] = 240
    cv2.putText(pixels, "7", (300, 118), cv2.FONT_HERSHEY_SIMPLEX, 0.55, (240, 240, 240), 2)
    assert [text for text, _ in signs(pixels)] == ["7"]


def test_the_paper_beside_a_dark_ground_is_no_light_sign():
    pixels = np.full((400, 400), 245, np.uint8)
    pixels[90:130, 40:360] = 60
    pixels[104:118, 355:360] = 245  # its side is torn
    pieces = list(DrawnLines(cv2.cvtColor(pixels, cv2.COLOR_GRAY2RGB), ROW).light_pieces())
    assert pieces == []


def rows_of_dashes(xs, grey=205):
    """A row for each: two words, and a thin dash there."""
    pixels = np.full((60 + 30 * len(xs), 400, 3), 245, np.uint8)
    lines = []
    for n, x in enumerate(xs):
        middle = 42 + 30 * n
        lines += [Line(Box(left, middle - 12, left + 60, middle + 12), "words", 17, "embedded") for left in (20, 120)]
        for left in (20, 120):
            pixels[middle - 6 : middle + 6, left : left + 60 : 6] = 40
        pixels[middle, x : x + 10] = grey
    seen = DrawnLines(pixels, lines)
    found = lone_signs(
        seen.pieces_of_ink(), lines, seen.unit, lambda _: LineReading("", 0.0, ()), pale=seen.pale_pieces()
    )
    return [round(sign.box.x0) for sign in found]


def test_pale_dashes_of_one_width_in_one_column_are_read():
    """A score sheet set by TeX lost eight of ten: its dashes are thinner than a pixel of the scan."""
    assert rows_of_dashes((300, 300, 300)) == [300, 300, 300]


def test_pale_pieces_of_no_column_are_grain():
    assert rows_of_dashes((300, 330, 260)) == []
