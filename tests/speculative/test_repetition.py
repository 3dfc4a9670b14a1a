"""A loop is a span repeated many times, back to back, at the very end."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from docparse_fast.speculative.repetition import (
    FEWEST_REPEATS,
    LONGEST_PERIOD,
    SHORTEST_LOOP,
    Loop,
    find_loop,
)


def span(period):
    """Tokens in which no shorter span repeats."""
    return [0] + [1] * (period - 1)


def length_needed(period):
    return max(SHORTEST_LOOP, FEWEST_REPEATS * period)


@pytest.mark.parametrize("period", [1, 2, 3, 17, 64, 65, 100, LONGEST_PERIOD])
def test_a_span_repeated_long_enough_is_a_loop_and_one_token_less_is_not(period):
    long_enough = (span(period) * SHORTEST_LOOP * 2)[: length_needed(period)]
    assert find_loop([7, *long_enough]) == Loop(period, len(long_enough))
    assert find_loop([7, *long_enough[1:]]) is None


def test_a_loop_is_256_tokens_four_times_over_and_no_longer_than_256_each_time():
    assert find_loop([1] * 255) is None
    assert find_loop([1] * 256) == Loop(1, 256)
    assert find_loop([*range(100)] * 3) is None
    assert find_loop([*range(100)] * 4) == Loop(100, 400)
    assert find_loop([*range(256)] * 4) == Loop(256, 1024)
    assert find_loop([*range(257)] * 5) is None


@given(st.integers(1, 60), st.integers(0, 700), st.lists(st.integers(2, 9), max_size=80))
def test_the_loop_found_is_the_whole_run(period, more, before):
    run = (span(period) * 1000)[: length_needed(period) + more]
    loop = find_loop([*before, 5, *run])
    assert loop == Loop(period, len(run))
    assert loop.repeats == len(run) // period


def test_a_loop_that_has_ended_does_not_count():
    assert find_loop([1, 2] * 400 + [3]) is None


@given(st.lists(st.integers(0, 1), min_size=SHORTEST_LOOP, max_size=400))
def test_a_loop_is_found_exactly_where_a_tail_has_a_short_period(tokens):
    def looping(period):
        needed = length_needed(period)
        tail = tokens[len(tokens) - needed :]
        return len(tail) == needed and tail[period:] == tail[:-period]

    assert (find_loop(tokens) is not None) == any(looping(period) for period in range(1, LONGEST_PERIOD + 1))


def test_text_that_comes_back_with_something_between_is_no_loop():
    line = list(range(100, 130))
    assert find_loop([token for row in range(60) for token in (*line, row)]) is None
