"""The pages that `--pages` selects."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from docparse_fast.errors import UsageError
from docparse_fast.pages.ranges import page_numbers


def test_no_ranges_name_every_page():
    assert page_numbers(None, 3) == [1, 2, 3]


def test_the_order_named_is_kept():
    assert page_numbers("8,1-3", 9) == [8, 1, 2, 3]


def test_a_page_named_twice_comes_once_where_it_came_first():
    assert page_numbers("3,1-4,3", 9) == [3, 1, 2, 4]


def test_r_counts_from_the_end():
    assert page_numbers("r3-r1", 10) == [8, 9, 10]


def test_ends_of_a_range_may_be_counted_from_different_sides():
    assert page_numbers("9-r1", 10) == [9, 10]


def test_a_range_may_run_backwards():
    assert page_numbers("3-1", 5) == [3, 2, 1]


def test_spaces_around_parts_are_allowed():
    assert page_numbers(" 1 , 3-4 ", 5) == [1, 3, 4]


@pytest.mark.parametrize(
    ("ranges", "numbers"),
    [
        ("1-6", [1, 2, 3, 4, 5]),
        ("4-999999999", [4, 5]),
        ("9-4", [5, 4]),
        ("r7-r4", [1, 2]),
        ("r1-r9", [5, 4, 3, 2, 1]),
        ("9-r9", [5, 4, 3, 2, 1]),
    ],
)
def test_a_range_past_an_end_gives_the_pages_that_exist(ranges, numbers):
    assert page_numbers(ranges, 5) == numbers


@pytest.mark.parametrize("ranges", ["6-9", "9-6", "r6-r9", "1,6-9"])
def test_a_range_wholly_past_the_end_is_refused(ranges):
    with pytest.raises(UsageError, match=r"is out of range: a\.pdf has 5 pages"):
        page_numbers(ranges, 5, "a.pdf")


@pytest.mark.parametrize("ranges", ["0", "6", "r6", "r0", "0-3", "3-r0"])
def test_a_page_outside_the_document_is_refused_with_its_page_count(ranges):
    with pytest.raises(UsageError, match="has 5 pages"):
        page_numbers(ranges, 5)


@pytest.mark.parametrize("ranges", ["x", "1-", "-3", "1--3", "1,,2", "1-2-3", "r", "1.5", "٣", "R1", "9" * 30])
def test_anything_else_is_refused_with_an_example(ranges):
    with pytest.raises(UsageError, match="1-5,8,r3-r1"):
        page_numbers(ranges, 5)


@given(st.text("0123456789r-, ", max_size=12), st.integers(1, 30))
def test_whatever_is_written_gives_pages_of_the_document_or_a_usage_error(ranges, page_count):
    try:
        numbers = page_numbers(ranges, page_count)
    except UsageError:
        return
    assert len(set(numbers)) == len(numbers)
    assert all(1 <= number <= page_count for number in numbers)
