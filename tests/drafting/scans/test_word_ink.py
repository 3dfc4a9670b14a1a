"""Words on their ink, and litres told from ones; letters are drawn here as bars."""

import numpy as np
import pytest

from docparse_fast.drafting.scans.word_ink import BEARING, with_litres, with_parted_counts, with_units, word_spans

HEIGHT, WIDTH = 40, 400
ROOM = BEARING * HEIGHT


def drawn(bars, ground=240, ink=20):
    """A line with a bar from each x to the next."""
    line = np.full((HEIGHT, WIDTH, 3), ground, np.uint8)
    for x0, x1 in bars:
        line[10:32, x0:x1] = ink
    return line


def marks(text, middles):
    return [(letter, x / WIDTH) for letter, x in zip(text, middles, strict=True)]


@pytest.mark.parametrize("shades", [(240, 20), (30, 250)], ids=["dark on light", "light on dark"])
def test_a_word_begins_and_ends_with_its_ink(shades):
    line = drawn([(20, 40), (44, 60), (100, 120), (124, 150)], *shades)
    words = [marks("ab", (30, 52)), marks("cd", (110, 137))]
    spans = [(round(x0 * WIDTH + ROOM), round(x1 * WIDTH - ROOM)) for x0, x1 in word_spans(line, words)]
    assert spans == [(20, 60), (100, 150)]


def test_a_rule_below_or_through_the_letters_joins_no_words():
    """On paper with ruled rows amounts began as far left as the line's box, in the column before."""
    line = drawn([(20, 60), (100, 150)])
    line[30:33] = 20
    (_, end), (start, _) = word_spans(line, [marks("a", (40,)), marks("b", (125,))])
    assert (round(end * WIDTH - ROOM), round(start * WIDTH + ROOM)) == (60, 100)


def test_a_letter_that_was_seen_late_still_ends_before_the_white():
    """A comma is seen where the white behind it has begun."""
    line = drawn([(20, 60), (100, 150)])
    (_, end), (start, _) = word_spans(line, [marks("a", (72,)), marks("b", (125,))])
    assert (round(end * WIDTH - ROOM), round(start * WIDTH + ROOM)) == (60, 100)


def test_words_without_white_between_them_meet_between_their_letters():
    line = drawn([(20, 150)])
    (_, end), (start, _) = word_spans(line, [marks("a", (40,)), marks("b", (120,))])
    assert (end + start) / 2 == pytest.approx(80 / WIDTH)


# white as wide as between words before the last stroke, which is a bar of 4 pixels
LITRES = [(20, 40), (44, 60), (72, 90), (102, 106)]


def said(text, bars, middles):
    return "".join(letter for letter, _ in with_litres(drawn(bars), marks(text, middles)))


@pytest.mark.parametrize("stroke", "1I|")
def test_a_bare_stroke_behind_a_number_is_the_l_of_litres(stroke):
    assert said(f"ab 5{stroke}", LITRES, (30, 52, 66, 81, 104)) == "ab 5 l"
    assert said(f"ab 5 {stroke}", LITRES, (30, 52, 66, 81, 96, 104)) == "ab 5 l"


def test_decimals_of_litres_have_a_blank_before_the_l():
    bars = [(20, 40), (44, 60), (72, 80), (82, 84), (86, 94), (106, 110)]
    middles = (30, 52, 66, 76, 83, 90, 100, 108)
    assert said("ab 0.5 1", bars, middles) == "ab 0.5 l"
    assert said("ab 0.51", bars, (*middles[:6], 108)) == "ab 0.51"


def test_a_one_with_a_flag_stays():
    assert said("ab 51", [*LITRES[:3], (102, 112)], (30, 52, 66, 81, 107)) == "ab 51"


def test_a_one_that_stands_close_stays():
    assert said("ab 51", [*LITRES[:3], (94, 98)], (30, 52, 66, 81, 96)) == "ab 51"


def test_a_figure_in_groups_keeps_its_last_one():
    """`6 071` became `6 07 l`: without a word before it nothing tells how wide a blank is."""
    assert said("6 071", [(20, 34), (44, 58), (60, 74), (84, 88)], (27, 39, 51, 67, 86)) == "6 071"


def test_a_bare_stroke_behind_a_units_slash_is_its_l():
    bars = [(20, 40), (44, 60), (64, 70), (74, 78)]
    assert said("ol/1", bars, (30, 52, 67, 76)) == "ol/l"
    assert said("01/1", bars, (30, 52, 67, 76)) == "01/1", "a date"


def test_a_unit_is_divided_by_litres_however_thick_the_stroke():
    units = ("mg/1", "mmol/I", "g/d1", "10^9/1", "as/1", "mg/10")
    said = ["".join(letter for letter, _ in with_units([(letter, 0.5) for letter in unit])) for unit in units]
    assert said == ["mg/l", "mmol/l", "g/dl", "10^9/l", "as/1", "mg/10"]


def test_a_units_micro_is_the_sign_that_files_have():
    units = ["5 μm", "μS/cm", "μmol/l", "μ = 0,3", "κόσμος"]
    said = ["".join(letter for letter, _ in with_units([(letter, 0.5) for letter in unit])) for unit in units]
    assert said == ["5 µm", "µS/cm", "µmol/l", "μ = 0,3", "κόσμος"]


def counted(text, start):
    """A digit, then two letters of which the first begins at `start`."""
    bars, middles = [(20, 34), (start, start + 14), (start + 18, start + 32)], (27, start + 7, start + 25)
    return "".join(letter for letter, _ in with_parted_counts(drawn(bars), marks(text, middles)))


def test_the_blank_that_is_lost_behind_a_count_is_there():
    """A receipt's `2Desk lamp`: what was bought stood in one cell with how many."""
    assert counted("2De", start=54) == "2 De"


@pytest.mark.parametrize(
    ("text", "expected"),
    [("4.1The", "4.1 The"), ("(b)the", "(b) the"), ("&Ott", "& Ott"), ("3.The", "3. The"), ("§2", "§ 2")],
)
def test_the_blank_that_is_lost_behind_a_marker_is_there(text, expected):
    """A lease's `(b)the ovens` was no item."""
    last = len(text.rstrip("Thetos")) - 1 if text[0] not in "&§" else 0
    bars, middles = [], []
    for n in range(len(text)):
        left = 20 + 18 * n + 8 * (n > last)
        bars.append((left, left + 12))
        middles.append(left + 6)
    assert "".join(letter for letter, _ in with_parted_counts(drawn(bars), marks(text, middles))) == expected


def test_a_unit_that_stands_close_to_its_figure_stays():
    assert counted("2kg", start=38) == "2kg"


def test_where_a_word_stands_is_told_in_plain_numbers():
    """A word whose last letter has no ink behind its middle ended at a number of numpy's."""
    line = drawn([(20, 40), (100, 110)])
    words = [marks("a", (np.float64(30),)), marks("b", (np.float64(112),))]
    assert {type(x) for span in word_spans(line, words) for x in span} == {float}
