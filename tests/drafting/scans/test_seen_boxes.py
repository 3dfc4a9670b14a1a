"""Boxes to be ticked on pictures of pages."""

import cv2
import numpy as np

from docparse_fast.drafting.scans.ticks import boxes_seen

SIZE, SIDE = 24.0, 22


def page(*, grain: float = 0.0):
    paper = np.full((400, 600), 235.0)
    return np.clip(paper + np.random.default_rng(1).normal(0, grain, paper.shape), 0, 255).astype(np.uint8)


def square(image, x, y, *, crossed=False):
    cv2.rectangle(image, (x, y), (x + SIDE, y + SIDE), 30, 2)
    if crossed:
        cv2.line(image, (x + 4, y + 4), (x + SIDE - 4, y + SIDE - 4), 30, 2)
        cv2.line(image, (x + SIDE - 4, y + 4), (x + 4, y + SIDE - 4), 30, 2)


def ring(image, x, y, *, filled=False):
    centre = (x + SIDE // 2, y + SIDE // 2)
    cv2.circle(image, centre, SIDE // 2, 30, 2)
    if filled:
        cv2.circle(image, centre, SIDE // 4, 30, -1)


def ticked(image):
    return [each.ticked for each in sorted(boxes_seen(image, SIZE), key=lambda each: each.box.y0)]


def test_squares_and_rings_on_grain_are_empty_or_ticked():
    for draw, mark in ((square, {"crossed": True}), (ring, {"filled": True})):
        image = page(grain=6)
        for n, style in enumerate(({}, mark, {})):
            draw(image, 50, 50 + 80 * n, **style)
        assert ticked(cv2.GaussianBlur(image, (3, 3), 0.7)) == [False, True, False]


def test_what_has_no_like_is_no_box():
    image = page()
    square(image, 50, 50)
    ring(image, 50, 150)
    assert not ticked(image)


def test_letters_and_cells_for_letters_are_no_boxes():
    image = page()
    cv2.putText(image, "LOOK DOOR OO", (20, 60), cv2.FONT_HERSHEY_SIMPLEX, 1.0, 30, 2)
    for n in range(5):
        square(image, 50 + n * (SIDE + 6), 150)
    assert not ticked(image)


def test_a_tick_may_reach_over_its_square():
    image = page()
    for y in (50, 130):
        square(image, 50, y)
    cv2.polylines(image, [np.array([(55, 140), (61, 148), (76, 122)])], False, 30, 2)
    assert ticked(image) == [False, True]


def test_squares_may_stand_close_below_each_other_and_before_their_words():
    image = page()
    for n in range(4):
        square(image, 50, 50 + n * (SIDE + 8), crossed=n == 1)
        cv2.rectangle(image, (60 + SIDE, 52 + n * (SIDE + 8)), (190, 70 + n * (SIDE + 8)), 30, -1)
    assert ticked(image) == [False, True, False, False]
