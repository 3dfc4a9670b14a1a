import numpy as np

from docparse_fast.drafting.scans.tesseract import MARGIN, PITCH, alone, sheets

LONG, SHORT = np.full((40, 600, 3), 255, np.uint8), np.full((40, 100, 3), 255, np.uint8)


def test_each_row_shows_a_line_of_its_own():
    (sheet,) = sheets([LONG, SHORT], [(0,), (1,)])
    assert sheet.line_at(MARGIN + 300, MARGIN + 30) == (0, 0.5, 600)
    assert sheet.line_at(MARGIN + 50, MARGIN + PITCH + 30) == (1, 0.5, 100)


def test_lines_of_one_row_are_told_apart():
    (sheet,) = sheets([LONG, SHORT], [(1, 0)])
    assert [sheet.line_at(MARGIN + x, MARGIN + 30)[0] for x in (50, 300)] == [1, 0]


def test_from_the_right_the_first_line_stands_on_the_right():
    (sheet,) = sheets([LONG, SHORT], [(1, 0)], from_right=True)
    assert sheet.line_at(sheet.pixels.shape[1] - MARGIN - 50, MARGIN + 30)[0] == 1


def test_light_type_on_dark_paper_is_turned_round():
    (sheet,) = sheets([np.zeros((40, 100, 3), np.uint8)], [(0,)])
    assert sheet.pixels.min() == 255


def test_a_place_beside_all_lines_is_on_none():
    (sheet,) = sheets([SHORT], [(0,)])
    assert sheet.line_at(MARGIN + 50, 2 * MARGIN + 5 * PITCH) is None


def test_dark_letters_on_paper_in_low_light_stay_dark():
    line = np.full((40, 600, 3), 90, np.uint8)
    line[12:28, 20:580:6] = 30
    (sheet,) = sheets([line], [(0,)])
    assert np.percentile(sheet.pixels[:, MARGIN + 30 : MARGIN + 570], 30) > 250 > 120 > sheet.pixels.min()


def test_rules_around_a_cell_are_not_shown():
    line = LONG.copy()
    line[12:28, 20:580:6] = 30
    framed = line.copy()
    framed[-2:] = framed[:, :2] = 30
    (sheet,), (plain,) = sheets([framed], [(0,)]), sheets([line], [(0,)])
    assert np.array_equal(sheet.pixels, plain.pixels)


def test_the_line_that_letters_hang_from_is_shown():
    line = LONG.copy()
    line[12:15, 10:590] = 30
    (sheet,) = sheets([line], [(0,)])
    assert sheet.pixels.min() < 60


def test_what_reaches_in_from_the_lines_above_and_below_is_wiped_off():
    """Of a Hindi photograph's lines some came out as nothing, for the feet of letters stood over them."""
    line = LONG.copy()
    line[12:28, 20:580:6] = 30
    crowded = line.copy()
    crowded[:4, 50:60] = crowded[-5:, 300:309] = 30
    assert np.array_equal(alone(crowded), line)
    line[2:28, 100:104] = 30
    line[:12, 200:204] = 30
    assert np.array_equal(alone(line), line), "a tall letter that touches the edge is its own"
