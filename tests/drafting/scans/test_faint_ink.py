"""Lines of faint ink are made black before they are read in another script."""

import numpy as np

from docparse_fast.drafting.scans.tesseract import darkened


def line(ink, paper=225):
    pixels = np.full((40, 200, 3), paper, np.uint8)
    pixels[10:30, 10:190:6] = ink
    pixels[10:30, 11:190:6] = ink
    pixels[10:30, 12:190:6] = ink
    return pixels


def test_faint_ink_becomes_black_on_white():
    for made in darkened([line(190), line(200)]):
        assert made.min() < 40
        assert made.max() == 255


def test_a_faint_line_among_black_ones_stays_as_it_is():
    lines = [line(30), line(40), line(200)]
    assert all((made == given).all() for made, given in zip(darkened(lines), lines, strict=True))


def test_no_lines_are_no_lines():
    assert darkened([]) == []
