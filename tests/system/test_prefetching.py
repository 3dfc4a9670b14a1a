"""A stream drawn ahead of its reader: how far, in what order, and how it ends."""

from __future__ import annotations

import threading
from collections.abc import Iterator

import pytest

from docparse_fast.system.prefetching import prefetched

PATIENCE = 10  # seconds after which a test has failed


def test_items_come_in_order_and_all_of_them():
    with prefetched(iter(range(100)), 3) as stream:
        assert list(stream) == list(range(100))


def test_the_next_item_is_made_while_one_is_held():
    made = [threading.Event() for _ in range(2)]

    def items() -> Iterator[int]:
        for n, event in enumerate(made):
            event.set()
            yield n

    with prefetched(items(), 1) as stream:
        next(stream)
        assert made[1].wait(PATIENCE)


def test_no_more_is_drawn_than_the_count_and_the_one_in_hand():
    drawn: list[int] = []
    third = threading.Event()

    def items() -> Iterator[int]:
        for n in range(50):
            drawn.append(n)
            if n == 3:
                third.set()
            yield n

    with prefetched(items(), 2) as stream:
        next(stream)
        assert third.wait(PATIENCE)
        assert drawn == [0, 1, 2, 3]  # one read, two waiting, one in the drawer's hand


def test_an_error_is_raised_where_its_item_would_have_come():
    def items() -> Iterator[int]:
        yield 1
        raise ValueError("the second can't be had")

    with prefetched(items(), 5) as stream:
        assert next(stream) == 1
        with pytest.raises(ValueError, match="the second"):
            next(stream)


def test_a_reader_that_leaves_ends_the_thread():
    def endless() -> Iterator[int]:
        while True:
            yield 1

    with prefetched(endless(), 2) as stream:
        next(stream)
    assert "prefetch" not in {thread.name for thread in threading.enumerate()}


def test_what_the_reader_raises_is_not_covered_up():
    with pytest.raises(KeyError), prefetched(iter(range(9)), 1):
        raise KeyError
