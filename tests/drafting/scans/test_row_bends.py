"""Bends that no long line tells: cells and rules are drawn here as bars."""

import math

import numpy as np

from docparse_fast.drafting.scans.bending import Bend, bend_of_rows, flattened
from docparse_fast.drafting.scans.embedded import EmbeddedDrafter, UprightImage
from docparse_fast.drafting.scans.ocr import FoundLines
from docparse_fast.drafting.scans.quads import Quad

WIDTH, HEIGHT, TALL = 800, 1000, 20.0
LEVELS = range(80, 940, 26)


def page(below):
    """Rows of short cells, each moved down by `below` of its place; and a rule under every fourth."""
    pixels = np.full((HEIGHT, WIDTH, 3), 250, np.uint8)
    for n, y in enumerate(LEVELS):
        for x in range(60, 740, 4):
            at = y + round(below(2 * x / WIDTH - 1, y / HEIGHT))
            if x % 100 < 60:
                pixels[at : at + 10, x : x + 4] = 20
            if n % 4 == 0:
                pixels[at + 16 : at + 18, x : x + 4] = 60
    return pixels


def curled(u, v):
    return 18 * u * u * (0.5 + v)


def test_rows_of_short_cells_are_level_without_their_bend():
    bent = page(curled)
    bend = bend_of_rows(bent, TALL)
    assert bend is not None
    fitted = np.array([bend.below(np.array([x]), np.array([500.0]))[0] for x in (80.0, 400.0, 720.0)])
    drawn = np.array([curled(2 * x / WIDTH - 1, 0.5) for x in (80, 400, 720)])
    assert np.abs((fitted - fitted[1]) - (drawn - drawn[1])).max() < 2


def test_level_rows_are_left():
    assert bend_of_rows(page(lambda u, v: 0), TALL) is None


def test_an_empty_page_tells_nothing():
    assert bend_of_rows(np.full((HEIGHT, WIDTH, 3), 250, np.uint8), TALL) is None


def test_lines_too_small_for_a_step_are_left():
    """A newspaper's lines stood as near as a step is long: its rows were moved into each other, words 47 -> 19."""
    assert bend_of_rows(page(curled), 9.0) is None


def test_two_bends_are_taken_out_as_one_after_the_other():
    bent = page(curled)
    first = bend_of_rows(bent, TALL)
    second = Bend(np.tile(np.linspace(0, 6, first.weights.shape[1]), (len(first.weights), 1)), WIDTH, HEIGHT)
    at_once = flattened(bent, [first, second]).astype(int)
    in_turn = flattened(flattened(bent, [first]), [second]).astype(int)
    assert np.abs(at_once - in_turn).mean() < 8
    assert np.abs(at_once - flattened(bent, [first]).astype(int)).mean() > 16, "the second one counts"


class SeesCells:
    """In place of the detector: the cells of a page, at the slopes that they have."""

    def __init__(self, steep):
        rows = [(y + 5, math.degrees(math.atan(2 * steep * y / HEIGHT / WIDTH))) for y in LEVELS]
        self.quads = [Quad(x, y, 70.0, TALL, slope) for y, slope in rows for x in range(90, 740, 100)]

    def look(self, pixels):
        return FoundLines(self.quads, [])


def test_rows_are_level_on_a_photograph_whose_sheet_is_not_seen():
    """A spreadsheet on a white desk, seen from its side: 16 of its 17 rows stood in no table."""
    drafter, seen = EmbeddedDrafter(), SeesCells(30)
    drafter._ocr.detector = seen
    pixels = page(lambda u, v: 30 * u * v)
    _, (bend,) = drafter._unbent(UprightImage(pixels, seen.quads, 0))
    fitted = bend.below(np.array([80.0, 720.0]), np.array([700.0, 700.0]))
    assert abs(float(np.ptp(fitted)) - 30 * 1.6 * 0.7) < 4
    drafter._ocr.detector = level = SeesCells(0)
    assert drafter._unbent(UprightImage(page(lambda u, v: 0), level.quads, 0))[1] == []
