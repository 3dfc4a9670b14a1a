"""Lines that the detector took for one. Pages are drawn at 72 dots an inch, so that points are pixels."""

import math

import numpy as np

from docparse_fast.drafting.arrays import Pixels
from docparse_fast.drafting.scans.bending import MidLine
from docparse_fast.drafting.scans.quads import Quad
from docparse_fast.drafting.scans.stacked_lines import nearer_by, parted
from docparse_fast.system.mupdf import pymupdf

SIZE, LEADING = 24.0, 26.0
USUAL = [Quad(300, 500 + 40 * n, 400, 30, 0) for n in range(9)]  # the page's other lines


def drawn(*texts: str, leading: float = LEADING, font: str = "tiro") -> Pixels:
    """A page with one text under the other, the first one's baseline at 60, from x = 100 on."""
    with pymupdf.open() as document:
        page = document.new_page(width=600, height=900)
        for n, text in enumerate(texts):
            page.insert_text((100, 60 + leading * n), text, fontname=font, fontsize=SIZE)
        pixmap = page.get_pixmap()
    return np.frombuffer(pixmap.samples, np.uint8).reshape(pixmap.height, pixmap.width, 3)


def around(count: int, width: float = 40, leading: float = LEADING) -> Quad:
    """What holds the first `count` texts."""
    top, bottom = 36.0, 68 + leading * (count - 1)
    return Quad(98 + width / 2, (top + bottom) / 2, width, bottom - top, 0)


def middles(image: Pixels, *quads: Quad) -> list[int]:
    return [round(quad.y) for quad in parted(image, [*USUAL, *quads])[len(USUAL) :]]


def test_numbers_under_each_other_are_a_line_each():
    found = middles(drawn("52", "8", "73"), around(3))
    assert len(found) == 3
    assert all(abs(y - (52 + LEADING * n)) < 4 for n, y in enumerate(found))


def test_a_rule_beside_numbers_does_not_hold_them_together():
    page = drawn("52", "8", "73").copy()
    page[30:130, 99:102] = 0
    assert len(middles(page, around(3))) == 3


def test_a_pair_of_ones_is_not_taken_for_characters_written_downwards():
    assert len(middles(drawn("11", "10"), around(2))) == 2


def test_characters_written_downwards_stay_one_line():
    assert len(middles(drawn(*"城市花园", leading=25, font="china-s"), around(4, 30, 25))) == 1


def test_a_large_line_stays_one():
    with pymupdf.open() as document:
        page = document.new_page(width=600, height=900)
        page.insert_text((100, 100), "Éclair à 5 %: ij;", fontname="tiro", fontsize=70)
        pixmap = page.get_pixmap()
    image = np.frombuffer(pixmap.samples, np.uint8).reshape(pixmap.height, pixmap.width, 3)
    assert len(middles(image, Quad(330, 80, 480, 110, 0))) == 1


def test_a_line_that_was_also_found_alone_comes_once():
    alone = Quad(118, 52 + LEADING, 40, 28, 0)
    assert len(parted(drawn("52", "8"), [*USUAL, around(2), alone])) == len(USUAL) + 2


def test_a_leaning_stack_is_parted_across_its_lean():
    stack = Quad(100, 100, 40, 80, 10)
    upper, lower = stack.between(0, 40), stack.between(40, 80)
    assert upper.x > stack.x > lower.x
    assert upper.y < stack.y < lower.y
    assert (upper.height, upper.angle) == (40, 10)


def test_white_paper_is_parted_into_nothing():
    blank = np.full((900, 600, 3), 255, np.uint8)
    assert parted(blank, [*USUAL, around(3)]) == [*USUAL, around(3)]
    assert parted(blank, []) == []


def test_what_holds_two_lines_is_told_from_lines_that_bend():
    """Of a photographed page of small type the detector saw half the lines, two or three in one."""
    page = drawn("In the beginning was", "the word and the word", "was with it and so on")
    x = np.arange(100, 300, dtype=float)
    run_together = MidLine(np.stack([x, np.full(200, 66.0)], axis=1), 36.0)
    assert nearer_by(page, [], [run_together]) == math.inf
    bend = (30 * np.sin(np.arange(600) / 190)).astype(int)
    bent = np.stack([np.roll(page[:, n], bend[n], axis=0) for n in range(600)], axis=1)
    lines = [MidLine(np.stack([x, 54 + LEADING * n + bend[100:300]], axis=1), 12.0) for n in range(3)]
    assert nearer_by(bent, [], lines) == 1


def test_boxes_of_two_lines_each_are_run_together():
    page = drawn("In the beginning", "was the word", "and so on")
    alone = [Quad(200, 52 + LEADING * n, 240, 26, 0) for n in range(3)]
    assert nearer_by(page, [around(2, 240)], []) == math.inf
    assert nearer_by(page, alone, []) < math.inf


def test_a_page_of_boxes_that_reach_into_each_other_is_seen_from_nearer():
    crowded = [Quad(200, 52 + 14 * n, 240, 26, 0) for n in range(30)]
    spaced = [Quad(200, 52 + 25 * n, 240, 26, 0) for n in range(30)]
    blank = np.full((900, 600, 3), 255, np.uint8)
    assert 1 < nearer_by(blank, crowded, []) < 2
    assert nearer_by(blank, spaced, []) == 1
