"""Which unit stands in a column of units, told by frames made here: what a recogniser sees at each place of a line."""

import numpy as np
import pytest

from docparse_fast.document import Box
from docparse_fast.drafting.scans.known_words import LineReading
from docparse_fast.drafting.scans.read_figures import in_columns
from docparse_fast.drafting.scans.units import UnitReader

LETTERS = ("", *"mo/UAflLHMCVk%")


def frames(*seen):
    """A frame for each: the letter and its chance, beside it another; the rest of it is blank."""
    made = np.full((2 * len(seen), len(LETTERS)), 1e-9, np.float32)
    made[1::2, 0] = 1.0
    for n, chances in enumerate(seen):
        for letter, chance in chances.items():
            made[2 * n, LETTERS.index(letter)] = chance
    return made


@pytest.mark.parametrize(
    ("seen", "read", "unit"),
    [
        (({"U": 1.0}, {"A": 0.7, "/": 0.2}, {"": 0.9, "l": 0.1}), "UA", "U/l"),
        (({"f": 1.0}, {"": 0.95, "l": 0.05}), "f", "fl"),
        (({"m": 1.0}, {"m": 1.0}, {"o": 1.0}, {"l": 1.0}, {"/": 1.0}, {"": 0.9, "L": 0.1}), "mmol/", "mmol/l"),
    ],
)
def test_a_misread_unit_is_the_likeliest_by_all_frames(seen, read, unit):
    assert UnitReader(LETTERS).unit(frames(*seen), read) == unit


@pytest.mark.parametrize("read", ["MCV", "H"])
def test_an_abbreviation_is_no_unit(read):
    """Beside laboratory units stand names and flags: `mV` and `h` are far less likely there."""
    assert UnitReader(LETTERS).unit(frames(*({letter: 1.0} for letter in read)), read) == ""


def test_a_page_with_other_letters_has_none():
    assert UnitReader(("", "a", "b")).unit(np.full((4, 3), 0.3, np.float32), "ab") == ""


def column(*texts):
    return [(Box(0, 30 * n, 40, 30 * n + 20), text, may_be) for n, (text, may_be) in enumerate(texts)]


def test_two_readings_that_may_be_units_are_a_column_of_them():
    assert in_columns(column(("UA", "U/l"), ("f", "fl"))) == ["U/l", "fl"]


def test_what_may_be_a_unit_among_other_words_stays():
    assert in_columns(column(("Net", ""), ("f", "fl"), ("Gross", ""))) == ["Net", "f", "Gross"]


def test_what_may_be_a_unit_among_counts_stays():
    assert in_columns(column(("12", ""), ("mn", "mm"), ("7", ""))) == ["12", "mn", "7"]


def test_a_letter_in_a_column_of_grades_is_no_unit():
    """`A` is an ampere, too: a blurred `B` beside it must not become one."""
    assert UnitReader(LETTERS).unit(frames({"H": 0.6, "A": 0.4}), "H") == ""
    assert in_columns(column(("A", ""), ("H", "Hz"))) == ["A", "H"]


def test_litres_are_written_as_their_column_writes_them():
    assert in_columns(column(("mmol/L", ""), ("UA", "U/l"))) == ["mmol/L", "U/L"]


def test_a_reading_with_more_letters_than_were_seen_keeps_its_place():
    """Marks and sureness belong to letters: with one letter more the page could not be read."""
    read = LineReading("UA", 0.8, (("U", 0.2), ("A", 0.8)), (0.9, 0.7)).said("U/l")
    assert [letter for letter, _ in read.marks] == ["U", "/", "l"]
    assert (read.marks[0][1], read.marks[-1][1]) == (0.2, 0.8)
    assert read.sureness == (0.7, 0.7, 0.7)
