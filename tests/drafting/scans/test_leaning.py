"""How far a page leans."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from docparse_fast.drafting.scans.bending import FANNED, fan, lean_of, skew
from docparse_fast.drafting.scans.quads import Quad

PAGE = np.full((1400, 1000, 3), 250, np.uint8)


def sheet_of_figures() -> np.ndarray:
    """Short figures in rows: none is long enough to tell its own slope."""
    page = PAGE.copy()
    for row in range(20):
        for column in range(6):
            at = (80 + 150 * column, 120 + 40 * row)
            cv2.putText(page, f"{row * column + 10}", at, cv2.FONT_HERSHEY_SIMPLEX, 0.7, (20, 20, 20), 2)
    return page


@pytest.mark.parametrize("degrees", [-1.7, -0.4, 0.0, 0.9])
def test_rows_of_figures_tell_how_a_page_leans(degrees):
    turn = cv2.getRotationMatrix2D((500, 700), -degrees, 1.0)
    leaning = cv2.warpAffine(sheet_of_figures(), turn, (1000, 1400), borderMode=cv2.BORDER_REPLICATE)
    assert lean_of(leaning, []) == pytest.approx(degrees, abs=0.1)


def test_where_no_ink_stands_in_rows_the_lines_own_slopes_tell():
    lines = [Quad(500, 50 * n, 800, 20, 1.5) for n in range(4)]
    assert lean_of(PAGE, lines) == 1.5


def test_a_page_leans_only_where_its_long_lines_agree():
    lines = [Quad(500, 50 * n, 800, 20, 1.5) for n in range(4)]
    assert skew(lines) == 1.5
    assert skew(lines[:2]) == 0.0
    assert skew([Quad(500, 50 * n, 800, 20, 3.0 * n) for n in range(4)]) == 0.0


def test_many_shorter_lines_tell_how_a_page_leans_where_no_long_ones_do():
    shorter = [Quad(300 * (n % 2), 50 * n, 110, 20, angle) for n, angle in enumerate((-1.2, -1.1, -1.3, 0.0, -1.1))]
    assert skew(shorter) == -1.1
    assert skew(shorter[:4]) == 0.0


def test_slopes_that_differ_over_a_page_tell_a_camera_at_its_side_and_stray_ones_do_not():
    """A spreadsheet photographed on a white desk, whose sheet isn't seen: its cells' slopes run from 1 to 5 degrees."""
    places = [(200 + 160 * n, 100 + 60 * row) for n in range(4) for row in range(6)]
    seen = [Quad(x, y, 100, 20, 1.0 + y / 120 + 0.3 * (-1) ** (x // 40)) for x, y in places]
    level = [Quad(x, y, 100, 20, 0.4 * (-1) ** (y // 20)) for x, y in places]
    assert fan(seen) > FANNED > fan(level)
    assert fan(seen[:8]) == 0.0, "too few tell"
