from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from docparse_fast.bench.likeness import likeness

LETTERS = st.text(alphabet="abcdefgh 港口", min_size=1).filter(str.strip)


@given(LETTERS)
def test_a_text_is_like_itself_and_nothing_is_like_an_empty_answer(text):
    assert likeness(text, text) == 100
    assert likeness(text, "") == 0


@given(LETTERS, LETTERS)
def test_likeness_lies_between_0_and_100_and_is_symmetric(one, other):
    assert 0 <= likeness(one, other) == likeness(other, one) <= 100


@given(LETTERS)
def test_a_letter_more_costs_one_of_all(text):
    letters = len("".join(text.split()))
    assert likeness(text, text + "z") == 100 * (1 - 1 / (letters + 1))


def test_marks_tags_pictures_spaces_and_hyphens_cost_nothing():
    assert likeness("Two hyphenated words & 12", "**Two** hyphen-\nated ![a](b.png) <td>*words*</td> &amp; 12") == 100
