"""Flattening pages whose lines bend; lines are drawn here as bars."""

import numpy as np
import pytest

from docparse_fast.document import Box
from docparse_fast.drafting.scans.bending import MidLine, bend_of, flattened

WIDTH, HEIGHT, THICK = 900, 1200, 16
LEVELS = range(100, 1100, 50)


def lines(below):
    x = np.arange(60.0, 840.0)
    return [MidLine(np.stack([x, y + below(2 * x / WIDTH - 1, y)], axis=1), THICK) for y in LEVELS]


def page(drawn):
    pixels = np.full((HEIGHT, WIDTH, 3), 255, np.uint8)
    for line in drawn:
        for x, y in line.points.astype(int):
            pixels[y - THICK // 2 : y + THICK // 2, x] = 0
    return pixels


def open_book(u, y):
    return 50 * np.exp(-2 * (u + 1)) * (0.7 + 0.5 * y / HEIGHT)


def from_the_side(u, y):
    return 30 * u * (y / HEIGHT - 0.5)


def folded(u, y):
    return 60 * np.abs(u - 0.2) * (0.5 + 0.5 * y / HEIGHT)


@pytest.mark.parametrize("below", [open_book, from_the_side, folded])
def test_bent_lines_are_level_after_flattening(below):
    bent = lines(below)
    flat = flattened(page(bent), [bend_of(bent, WIDTH, HEIGHT)])
    dark = flat[:, 60:840, 0] < 128
    assert (np.abs(np.diff(dark.argmax(axis=0)))).max() <= 3
    assert np.ptp(dark[80:].argmax(axis=0)) < THICK / 2


def test_a_box_of_the_flat_page_is_found_on_the_bent_one():
    bend = bend_of(lines(open_book), WIDTH, HEIGHT)
    middle = 500 + open_book(0.0, 500)  # the page's middle stays where it is
    box = bend.bent(Box(60, middle - 8, 840, middle + 8))
    assert box.y1 == pytest.approx(500 + open_book(60 * 2 / WIDTH - 1, 500) + 8, abs=6)
    assert box.y0 == pytest.approx(500 + open_book(840 * 2 / WIDTH - 1, 500) - 8, abs=6)


@pytest.mark.parametrize("below", [lambda u, y: 0 * u, lambda u, y: 40 * u], ids=["level", "leaning"])
def test_straight_lines_that_run_alike_are_left(below):
    assert bend_of(lines(below), WIDTH, HEIGHT) is None


def test_lines_that_bend_in_no_common_way_are_left():
    assert bend_of(lines(lambda u, y: 30 * (-1) ** (y // 50) * u**2), WIDTH, HEIGHT) is None


def test_a_few_lines_tell_no_bend():
    assert bend_of(lines(open_book)[:5], WIDTH, HEIGHT) is None


def part_of(line, start, end):
    return MidLine(line.points[start:end], THICK, wide=10 if end - start > 200 else 5)


def test_short_lines_tell_how_a_page_bends_where_no_long_one_stands():
    def below(u, y):
        return 50 * np.sin(3 * u)

    cells = [part_of(line, start, start + 90) for line in lines(below)[6:] for start in (480, 600, 690)]
    bend = bend_of([*(part_of(line, 0, 460) for line in lines(below)), *cells], WIDTH, HEIGHT)
    x = np.linspace(530.0, 820.0, 20)
    assert np.ptp(bend.below(x, np.full(20, 900.0)) - below(2 * x / WIDTH - 1, 900.0)) < THICK / 2


def test_a_page_goes_on_straight_where_no_line_stands():
    drawn = [part_of(line, 0, 400) for line in lines(lambda u, y: 40 * u**2) if line.points[0, 1] > 600]
    bend = bend_of(drawn, WIDTH, HEIGHT)
    far = bend.below(np.array([450.0, 890.0]), np.full(2, 100.0))
    assert np.abs(far).max() < 4 * THICK
