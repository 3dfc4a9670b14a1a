"""Signs of boxes in lines that an OCR read."""

from dataclasses import replace

import cv2
import numpy as np
import pytest

from docparse_fast.document import Box
from docparse_fast.drafting.lines import Line
from docparse_fast.drafting.scans.ticks import with_ticks

SIZE, SIDE = 20.0, 18


def line(y, *words):
    placed = tuple((Box(x, y, x + 11 * len(word), y + 22), word) for x, word in words)
    text = " ".join(word for _, word in placed)
    return Line(Box.around(box for box, _ in placed), text, SIZE, "embedded", words=placed)


def read(lines, *places):
    image = np.full((300, 500, 3), 255, np.uint8)
    for x, y, filled in places:
        cv2.rectangle(image, (x, y), (x + SIDE, y + SIDE), (0, 0, 0), 2)
        if filled:
            cv2.rectangle(image, (x + 5, y + 5), (x + SIDE - 5, y + SIDE - 5), (0, 0, 0), -1)
    return [each.plain for each in with_ticks(image, lines)]


def test_each_box_stands_before_its_words():
    lines = [line(50, (60, "by"), (90, "post"), (190, "by"), (220, "mail"))]
    assert read(lines, (30, 52, False), (160, 52, True)) == ["☐ by post ☒ by mail"]


@pytest.mark.parametrize("misread", ["口", "□", "O"])
def test_what_was_read_for_a_box_goes(misread):
    lines = [line(50, (30, misread), (60, "yes")), line(90, (30, misread), (60, "Ohm"))]
    assert read(lines, (30, 52, True), (30, 92, False)) == ["☒ yes", "☐ Ohm"]


@pytest.mark.parametrize("misread", ["□", "V", "1"])
def test_no_word_is_left_of_what_was_read_for_a_box(misread):
    image = np.full((300, 500, 3), 255, np.uint8)
    for y in (52, 92):
        cv2.rectangle(image, (30, y), (30 + SIDE, y + SIDE), (0, 0, 0), 2)
    lines = [line(y, (34, misread), (60, "yes")) for y in (50, 90)]
    assert [[word for _, word in each.words] for each in with_ticks(image, lines)] == [["☐", "yes"]] * 2


def test_a_box_is_of_the_line_before_which_it_stands():
    lines = [line(50, (75, "bees")), line(50, (52, "a")), line(90, (52, "cats"))]
    assert read(lines, (30, 52, True), (30, 92, False)) == ["bees", "☒ a", "☐ cats"]


def test_a_box_without_words_stands_alone():
    assert read([line(50, (60, "yes"))], (30, 52, False), (300, 200, True)) == ["☐ yes", "☒"]


@pytest.mark.parametrize(
    ("radius", "left", "said"), [(9, 30, "☐ rato"), (5, 30, "o rato"), (9, 130, "viu o gato")], ids=["ring", "o", "O"]
)
def test_an_o_is_no_ring(radius, left, said):
    image = np.full((300, 500, 3), 255, np.uint8)
    for y in (50, 90):
        cv2.circle(image, (left + 10, y + 11), radius, (0, 0, 0), 2)
        if left > 100:
            cv2.rectangle(image, (80, y), (120, y + 20), (0, 0, 0), -1)
        cv2.rectangle(image, (left + 30, y), (left + 80, y + 20), (0, 0, 0), -1)
    words = [(80, "viu")] * (left > 100) + [(left, "o"), (left + 30, said.split()[-1])]
    assert [each.plain for each in with_ticks(image, [line(y, *words) for y in (50, 90)])] == [said, said]


def test_what_is_closed_and_not_round_is_no_ring():
    """A shaded scan's `13.02.2025` was `☐ 13.02.2025`: its first figures touched."""
    image = np.full((300, 500, 3), 255, np.uint8)
    for y in (61, 101):
        corners = np.array([(40, y - 11), (51, y), (40, y + 11), (29, y)], np.int32)
        cv2.polylines(image, [corners], True, (0, 0, 0), 1)
    (first, second) = (line(y, (60, "yes")) for y in (50, 90))
    assert [each.plain for each in with_ticks(image, [first, second])] == ["yes", "yes"]


def test_an_o_that_begins_a_word_is_no_square():
    """`KROWA 4 OPON` in heavy type on a scan was `4 ☐ OPON`."""
    image, turn = np.full((300, 500, 3), 255, np.uint8), np.linspace(0, 2 * np.pi, 200)
    for y in (61, 121):
        x_of, y_of = (radius * np.sign(f(turn)) * abs(f(turn)) ** 0.83 for radius, f in ((10, np.cos), (11, np.sin)))
        cv2.polylines(image, [np.stack([100 + x_of, y + y_of], 1).round().astype(np.int32)], True, (0, 0, 0), 6)
        cv2.rectangle(image, (120, y - 12), (160, y + 12), (0, 0, 0), -1)
    lines = [replace(line(y, (90, "opon")), size=24.0) for y in (50, 110)]
    assert [each.plain for each in with_ticks(cv2.GaussianBlur(image, (0, 0), 0.6), lines)] == ["opon", "opon"]
