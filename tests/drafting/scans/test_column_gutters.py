"""Lines over the narrow white between two columns, drawn as bars."""

import numpy as np

from docparse_fast.drafting.scans.column_gutters import parted_at_gutters
from docparse_fast.drafting.scans.quads import Quad

HIGH = 30


def page(*rows: tuple[int, int]) -> np.ndarray:
    """Ink from 100 to 600 and from 630 to 1100 in each row of two; `rows` are blanks that are wide, and where."""
    pixels = np.full((900, 1200, 3), 255, np.uint8)
    for n in range(12):
        for x0, x1 in ((100, 600), (630, 1100)):
            for x in range(x0, x1, 8):
                pixels[40 + 40 * n : 60 + 40 * n, x : x + 4] = 0
    for n, x in rows:
        pixels[40 + 40 * n : 60 + 40 * n, x : x + 25] = 255
    return pixels


def quad(n: int, x0: int, x1: int) -> Quad:
    return Quad((x0 + x1) / 2, 50 + 40 * n, x1 - x0, HIGH, 0.0)


def widths(pixels: np.ndarray, quads: list[Quad]) -> list[tuple[float, float]]:
    return [(found.box.x0, found.box.x1) for found in parted_at_gutters(pixels, quads)]


COLUMNS = [quad(n, x0, x1) for n in range(2, 12) for x0, x1 in ((95, 605), (625, 1105))]


def test_a_line_over_the_gutter_of_two_columns_is_two():
    """LaTeX sets columns ten points apart: an abstract was read across into the conclusion beside it."""
    (left, right), *_ = [widths(page(), [quad(0, 95, 1105), *COLUMNS])[:2]]
    assert 600 <= left[1] <= 616
    assert 614 <= right[0] <= 630


def test_a_title_over_two_columns_stays_one():
    pixels = page()
    pixels[40:60, 590:640:8] = pixels[40:60, 591:640:8] = 0
    assert widths(pixels, [quad(0, 95, 1105), *COLUMNS])[0] == (95, 1105)


def test_a_wide_blank_in_a_line_of_one_column_parts_nothing():
    """Three short lines end where it is, and three begin behind it."""
    short = [quad(n, x0, x1) for n in range(9, 12) for x0, x1 in ((95, 305), (330, 605))]
    lines = [quad(n, 95, 605) for n in range(9)]
    assert len(widths(page((2, 305)), [*lines, *short])) == len(lines) + len(short)
