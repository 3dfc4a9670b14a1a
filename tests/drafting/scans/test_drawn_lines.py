"""Rules and grounds, found in pixels drawn here."""

import numpy as np

from docparse_fast.document import Box
from docparse_fast.drafting.lines import Line
from docparse_fast.drafting.scans.drawn_lines import DrawnLines, grounds


def page(*strokes, side=400):
    pixels = np.full((side, side, 3), 245, np.uint8)
    for x0, y0, x1, y1 in strokes:
        pixels[y0:y1, x0:x1] = 40
    return pixels


def line(x0, y0, x1=None):
    return Line(Box(x0, y0, x1 or x0 + 60, y0 + 24), "words", 17, "embedded")


ROW = [line(20, 100), line(120, 100), line(20, 150), line(120, 150)]


def test_a_rule_across_the_page_and_one_down_it_are_found_where_they_are_drawn():
    across, down = DrawnLines(page((10, 90, 390, 92), (200, 90, 203, 300)), ROW).drawn.rules
    assert abs(across.center[1] - 91) < 2 and across.width > 370
    assert abs(down.center[0] - 201.5) < 2 and down.height > 200


def test_a_rule_that_leans_by_a_pixel_now_and_then_is_one():
    steps = [(10 + 60 * n, 90 + n, 70 + 60 * n, 92 + n) for n in range(6)]
    (rule,) = DrawnLines(page(*steps), ROW).drawn.rules
    assert rule.width > 340


def test_a_faint_rule_is_found_whole_in_noise():
    """A sheet's grey grid came in pieces: where it was a little paler than usual there was none."""
    pixels = page().astype(np.int16)
    pixels[90:92, 10:390] -= 14
    pixels += np.random.default_rng(1).normal(0, 4, pixels.shape).round().astype(np.int16)
    (rule,) = DrawnLines(np.clip(pixels, 0, 255).astype(np.uint8), ROW).drawn.rules
    assert abs(rule.center[1] - 91) < 3 and rule.width > 350


def test_a_short_upright_from_rule_to_rule_parts_a_row():
    """Heads of a grid whose next row is a group's name were one cell over all columns."""
    level = [(10, 90, 390, 92), (10, 116, 390, 118)]
    between, alone = (200, 92, 202, 116), (300, 96, 302, 112)
    upright = [rule for rule in DrawnLines(page(*level, between, alone), ROW).drawn.rules if rule.height > rule.width]
    assert [round(rule.center[0]) for rule in upright] == [201]


def test_a_stroke_of_a_word_from_rule_to_rule_is_no_upright_rule():
    level, letter = [(10, 90, 390, 92), (10, 116, 390, 118)], (200, 92, 202, 116)
    word = Box(190, 96, 230, 112)
    lines = [*ROW, Line(word, "ill", 17, "embedded", words=((word, "ill"),))]
    assert not [rule for rule in DrawnLines(page(*level, letter), lines).drawn.rules if rule.height > rule.width]


def test_a_rule_in_pieces_between_paper_is_one():
    """Copiers in black and white leave pieces of grey rules, which were read as dashes."""
    pieces = [(at, at + 9) for at in range(10, 380, 11)]
    across, down = [(a, 90, b, 92) for a, b in pieces], [(200, a, 202, b) for a, b in pieces]
    level, upright = DrawnLines(page(*across), ROW).drawn.rules, DrawnLines(page(*down), ROW).drawn.rules
    assert [round(rule.width, -1) for rule in level] == [round(rule.height, -1) for rule in upright] == [370]


def test_the_feet_of_letters_in_a_row_are_no_rule_in_pieces():
    feet = [(x, 110, x + 9, 112) for x in range(20, 380, 11)]
    stems = [(x + 3, 98, x + 6, 112) for x in range(20, 380, 11)]
    assert not DrawnLines(page(*feet, *stems), ROW).drawn.rules


def test_letters_that_stand_on_one_line_are_no_faint_rule():
    feet = [(x, 100 if x % 3 else 92, x + 6, 120) for x in range(20, 380, 9)]
    assert not DrawnLines(page(*feet), ROW).drawn.rules


def test_an_area_is_no_rule():
    assert not DrawnLines(page((10, 90, 390, 130)), ROW).drawn.rules


def test_a_pale_ground_behind_a_row_is_found_where_it_is():
    pixels = page()
    pixels[90:132, 10:380] = 225
    (ground,) = DrawnLines(pixels, ROW).drawn.areas
    assert abs(ground.y0 - 90) < 4 and abs(ground.y1 - 132) < 4 and ground.width > 300


def test_a_ground_may_be_as_black_as_a_fax_makes_it():
    pixels = page()
    pixels[90:132, 10:380] = 0
    assert len(DrawnLines(pixels, ROW).drawn.areas) == 1


def test_letters_on_a_ground_leave_it_one():
    pixels = page()
    pixels[90:132, 10:380] = 225
    pixels[100:118, 20:360:7] = pixels[100:118, 21:361:7] = 20
    assert len(DrawnLines(pixels, ROW).drawn.areas) == 1


def test_plain_paper_has_no_ground():
    assert not DrawnLines(page((20, 100, 60, 110)), ROW).drawn.areas


def test_rules_between_which_nothing_is_drawn_keep_their_places():
    strokes = [(0, 4, 300, 6), (0, 10, 300, 12), (0, 397, 300, 399)]
    rules = sorted(DrawnLines(page(*strokes), ROW).drawn.rules, key=lambda rule: rule.y0)
    assert [rule.center[1] for rule in rules] == [5, 11, 398]


def test_an_empty_page_has_nothing_drawn():
    seen = DrawnLines(page(), [])
    assert not seen.drawn.rules and not list(seen.pieces_of_ink())


def test_the_strokes_of_letters_of_six_pixels_are_no_rules():
    small = [Line(Box(10, 20 * n, 180, 20 * n + 7), "WORDS", 5, "embedded") for n in range(1, 9)]
    strokes = [(x, box.y0 + 2 * (n % 2), x + 6, box.y0 + 1 + 2 * (n % 2)) for box in (line.box for line in small)
               for n, x in enumerate(range(12, 170, 6))]  # fmt: skip
    assert not DrawnLines(page(*strokes), small).drawn.rules


def test_a_page_narrower_than_its_lines_are_tall_has_no_ground():
    assert not grounds(np.full((400, 20), 255, np.uint8), 30.0)


def test_paper_between_two_grounds_parts_them():
    """A price list in two halves was one table: white of two lines' height was closed as if letters stood there."""
    grey = np.full((600, 900), 250, np.uint8)
    grey[100:160, 60:420] = grey[100:160, 480:840] = 200
    grey[115:140, 150:240:6] = 30  # letters part none
    assert sorted((round(box.x0, -1), round(box.x1, -1)) for box in grounds(grey, 30.0)) == [(60, 420), (480, 840)]


def test_two_grounds_a_blank_apart_are_two_and_end_where_they_are_drawn():
    """A payslip's two dark heads, 15 pixels apart, were one ground, as wide as patches are."""
    grey = np.full((600, 900), 250, np.uint8)
    grey[100:160, 67:423] = grey[100:160, 438:811] = 80
    grey[115:140, 150:240:6] = 240
    assert sorted((box.x0, box.x1) for box in grounds(grey, 30.0)) == [(67, 423), (438, 811)]


def test_a_dark_head_in_the_shade_is_a_ground_and_the_shade_is_none():
    """Beside a book's spine a head's grey changes from side to side: its table's first row was one with the head."""
    grey = np.full((1200, 900), 250.0)
    grey[500:560, 100:800] = 110
    shaded = (grey * np.linspace(0.4, 1.0, 900)).round().astype(np.uint8)
    (ground,) = grounds(shaded, 30.0)
    assert (ground.x0, ground.x1) == (100, 800) and abs(ground.y0 - 500) < 4 and abs(ground.y1 - 560) < 4


def test_the_dark_between_light_letters_on_a_dark_ground_is_no_rule():
    """A table's dark head had 19 upright rules, each between two letters, and its cells were cut there."""
    pixels = page()
    pixels[100:150] = 60
    pixels[116:134, 40:180:9] = pixels[116:134, 41:180:9] = pixels[116:134, 42:180:9] = 250
    light = [Line(Box(38, 110, 182, 140), "HEAD", 22, "embedded")]
    assert not [rule for rule in DrawnLines(pixels, light).drawn.rules if rule.height > rule.width]
