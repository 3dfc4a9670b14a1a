"""Slots made of the lines that a network sees."""

import numpy as np
from drafting.tables.proposed import line

from docparse_fast.document import Box
from docparse_fast.drafting.tables.structure import GridLines, _parting, _slots


def test_places_that_a_word_runs_across_are_one():
    words = [Box(0, 0, 40, 10), Box(60, 0, 90, 10), Box(10, 20, 80, 30)]
    slots = _slots([15.0], [50.0], words, Box(0, 0, 100, 40))
    assert [(slot.row, slot.column, slot.columns) for slot in slots] == [(0, 0, 1), (0, 1, 1), (1, 0, 2)]


def test_of_lines_between_the_same_words_one_parts_them():
    assert _parting(np.array([2.0, 14.0, 16.0, 90.0]), [10.0, 20.0]) == [14.0]


def test_the_network_that_pymupdf_ships_sees_the_rows_and_columns_of_a_ruled_table():
    picture = np.full((200, 300, 3), 255, np.uint8)
    for y in range(0, 201, 50):
        picture[min(y, 198) : y + 2] = 0
    for x in (0, 100, 200, 298):
        picture[:, x : x + 2] = 0
    lines = [line(0, 0, "x").shifted(20 + 100 * column, 20 + 50 * row) for row in range(4) for column in range(3)]
    for each in lines:
        x, y = int(each.box.x0), int(each.box.y0)
        picture[y : y + 10, x : x + 30 : 3] = 0
    slots = GridLines().slots(picture, lines)
    assert {(slot.row, slot.column) for slot in slots} == {(row, column) for row in range(4) for column in range(3)}
