"""Figures read with letters: what a recogniser saw beside a letter, and the word it stands in."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from docparse_fast.document import Box
from docparse_fast.drafting.scans.read_figures import Lookalikes, in_columns, points_of, with_digits, with_points


def read(text, sure=""):
    """Each letter may be the digit that looks like it, but those in `sure`."""
    may_be = {"O": "0", "o": "0", "I": "1", "l": "1"}
    return with_digits(
        text, {n: may_be[letter] for n, letter in enumerate(text) if letter in may_be.keys() - set(sure)}
    )


def test_a_figure_with_letters_in_it_gets_its_digits():
    """A contract's first of October came out as `OI.IO.2025`, an amount as `7,303.II`."""
    assert read("due OI.IO.2025, 3I.IO.2025") == "due 01.10.2025, 31.10.2025"
    assert read("€7,303.II at II:40 (I0%)") == "€7,303.11 at 11:40 (10%)"
    assert read("on I2/O5/2026") == "on 12/05/2026"


def test_a_letter_that_was_surely_seen_stays_and_so_does_the_rest_of_its_word():
    assert read("30.II.2025 and 3I.IO.2025", sure="O") == "30.11.2025 and 3I.IO.2025"


def test_words_codes_and_volumes_keep_their_letters():
    for text in ("Oil", "I am", "mg/l", "LB7722I", "I-769", "MI5", "5l of oil", "10I", "1/l", "II.", "Io"):
        assert read(text) == text


def test_a_digit_counts_only_where_it_was_seen_beside_its_letter():
    letters = ["", "I", "1", "O", "0"]
    seen = np.array([[0, 0.9, 0.08, 0, 0], [0, 0, 0, 0.999, 0.001], [0.9, 0.1, 0, 0, 0]], np.float32)
    assert Lookalikes(letters).beside(seen, seen.argmax(axis=1), np.array([0, 1]))[0] == {0: "1"}


def test_a_point_has_the_chance_of_a_comma_beside_its_own():
    seen = np.array([[0.01, 0.8, 0.4], [0.01, 0.98, 0.0001]], np.float32)
    _, points = Lookalikes(["", ".", ","]).beside(seen, seen.argmax(axis=1), np.array([0, 1]))
    assert points == {0: pytest.approx(0.5)}


def signed(chance, figure="15"):
    """What stands there where a minus had such a chance before a figure."""
    letters = ["", "-", "1", "5", "l"]
    seen = np.zeros((4, 5), np.float32)
    seen[[0, 1, 2, 3], [0, 0, letters.index(figure[0]), letters.index(figure[1])]] = 0.9
    seen[1, 1] = chance
    best = seen.argmax(axis=1)
    return "".join(letters[best[frame]] for frame in Lookalikes(letters).with_faint_signs(seen, best, np.array([2, 3])))


def test_a_minus_that_was_hardly_seen_before_a_figure_is_its_minus():
    """In faint and faxed spreadsheets 5 of 14 amounts lost their minus, with a confidence of 0.92 to 0.99."""
    assert signed(0.02) == "-15"
    assert signed(0.0001) == "15"
    assert signed(0.02, "1l") == "1l", "no figure"


def test_a_lone_figure_of_a_page_without_decimals_has_its_thousands_sign():
    """A blurred balance sheet had `442.960` among `864,810`."""
    assert with_points("442.960", {}, [",", ""], photographed=True) == "442,960"
    for text, signs in (("442.960", [",", "."]), ("of 442.960", [",", ""])):
        assert with_points(text, {}, signs, photographed=True) == text


def test_a_minus_that_was_read_as_a_point_before_a_figure_is_its_minus():
    """A statement's blurred debits began with a point, `.6.592,53`; so does an amount behind dots, `.24,736.81`."""
    letters = ["", "-", "1", "5", "."]
    for chance, said in ((0.03, "-15"), (0.0001, ".15")):
        seen = np.zeros((3, 5), np.float32)
        seen[[0, 1, 2], [4, 2, 3]], seen[0, 1] = 0.9, chance
        best = seen.argmax(axis=1)
        kept = Lookalikes(letters).with_faint_signs(seen, best, np.arange(3))
        assert "".join(letters[best[at]] for at in kept) == said


def test_a_minus_that_was_read_as_a_point_behind_a_figure_is_its_minus():
    """On a statement photographed in the dark 17 of 40 debits ended so: `1,740.35.` for `1,740.35-`."""
    letters = ["", "-", "1", "5", "."]

    def said(chance, last):
        seen = np.zeros((4, 5), np.float32)
        seen[[0, 1, 2, 3], [2, 3, letters.index(last), 0]] = 0.9
        seen[2, 1] = chance
        best = seen.argmax(axis=1)
        kept = np.flatnonzero(best)
        return "".join(letters[best[at]] for at in Lookalikes(letters).with_faint_signs(seen, best, kept))

    assert said(0.02, ".") == "15-"
    assert said(0.02, "") == "15-", "not read at all"
    assert said(0.0001, ".") == "15."


def pointed(chance, figure="756"):
    """What stands there where a point had such a chance in the white before a figure's last two digits."""
    letters = ["", ".", "1", "2", "5", "6", "7", "x"]
    seen = np.zeros((2 * len(figure), len(letters)), np.float32)
    for n, digit in enumerate(figure):
        seen[2 * n, letters.index(digit)] = seen[2 * n + 1, 0] = 0.9
    seen[2 * len(figure) - 5, 1] = chance
    best = seen.argmax(axis=1)
    kept = np.flatnonzero(best)
    return "".join(letters[best[at]] for at in Lookalikes(letters).with_faint_signs(seen, best, kept))


def test_a_point_that_was_hardly_seen_before_two_digits_is_a_figures_point():
    """Photographed in the dark, 4 of 5 amounts without their point had a chance of 0.003 of it or more."""
    assert pointed(0.004) == "7.56"
    assert pointed(0.0005) == "756"
    assert pointed(0.004, "x756") == "x756", "no figure"
    assert pointed(0.004, "7.256") == "7.256", "thousands"


def test_two_signs_of_a_figure_differ():
    """Four amounts of a photographed order came out as `18.445.30`."""
    seen = [("18.445.30", {2: 0.5}), ("6.058.00", {}), ("53.53", {}), ("1,844.53", {1: 0.4})]
    signs = points_of(seen)
    assert [with_points(text, points, signs) for text, points in seen] == ["18,445.30", "6,058.00", "53.53", "1,844.53"]
    assert with_points("2.141.20", {}, ["", ""]) == "2.141.20", "a page that tells no sign"
    assert with_points("192.168.100.20", {}, [",", "."]) == "192.168.100.20", "an address"


@given(st.text("Il0O1.,/: aé", max_size=30))
def test_no_sign_is_lost_or_added(text):
    assert len(read(text)) == len(text)


def counted(text, chance):
    """The text as a count, where each of its letters has such a chance of being the digit that looks like it."""
    letters = ["", *"IOSE105"]
    seen = np.zeros((len(text), len(letters)), np.float32)
    for n, letter in enumerate(text):
        seen[n, letters.index(letter)] = 0.9
        for alike, digit in zip("IOS", "105", strict=True):
            seen[n, letters.index(digit)] += 0.9 * chance * (letter == alike)
    return Lookalikes(letters).count(seen, seen.argmax(axis=1), np.arange(len(text)))


def test_a_text_of_letters_may_be_a_count_where_each_was_seen_as_a_digit():
    assert [counted(text, 0.001) for text in ("IO", "SS", "I5", "IE", "10")] == ["10", "55", "15", "", ""]
    assert counted("IO", 0.00001) == ""


def column(*rows):
    return in_columns([(Box(0, 30 * n, 30, 30 * n + 20), *row) for n, row in enumerate(rows)])


def test_letters_among_counts_are_counts_from_either_side():
    assert column(("I", "1"), ("IO", "10"), ("12", "")) == ["1", "10", "12"]
    assert column(("9", ""), ("IO", "10"), ("II", "11")) == ["9", "10", "11"]


def test_letters_among_letters_words_and_amounts_stay():
    assert column(("A", ""), ("I", "1"), ("B", "")) == ["A", "I", "B"]
    assert column(("I", "1"), ("II", "11"), ("III", "111")) == ["I", "II", "III"]
    assert column(("12.50", ""), ("SO", "50"), ("Total", "")) == ["12.50", "SO", "Total"]


def test_a_stroke_in_a_column_of_times_is_a_bar():
    """A train that doesn't stop: a timetable's bars came out as ones."""
    assert column(("06:41", ""), ("I", "1"), ("1", ""), ("06:52", "")) == ["06:41", "|", "|", "06:52"]
    assert column(("Platform", ""), ("1", ""), ("2", "")) == ["Platform", "1", "2"]


def test_a_one_in_a_column_of_amounts_stays_a_one():
    """A printed figure is never taken for a bar: `5.30` may be a time and mostly is none."""
    assert column(("5.30", ""), ("1", ""), ("0.19", "")) == ["5.30", "1", "0.19"]


def test_a_firms_letters_are_no_figure():
    """`Sp. z o.o.` stands on each Polish bill, and read `0.0.`."""
    assert read("Barmere Sp. z 0.0.") == "Barmere Sp. z o.o."
    assert read("Mlin d.0.o. Zagreb") == "Mlin d.o.o. Zagreb"
    assert read("from 0.0 to 0.5; 1.0.0.1") == "from 0.0 to 0.5; 1.0.0.1"
