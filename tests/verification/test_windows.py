"""Pages share passes by their numbers alone, wherever a run begins."""

from __future__ import annotations

import pytest
from scenes import Scene, region

from docparse_fast.drafted import DraftedPage
from docparse_fast.verification.windows import PAGES_TOGETHER, WORDS_TOGETHER, blocks, windows

LONG = "word " * (WORDS_TOGETHER // 2)


def page(number: int, words: str = "a few words") -> DraftedPage:
    return Scene(number, [region(0, words)] if words else []).drafted


def numbers(pages: list[DraftedPage]) -> list[list[int]]:
    return [[page.number for page in window] for window in windows(pages, lambda page: True)]


def test_neighbours_are_together():
    assert numbers([page(n) for n in range(1, 7)]) == [[1, 2, 3, 4], [5, 6]]


def test_many_words_are_enough_for_a_window_within_a_block():
    assert numbers([page(1, LONG), page(2, LONG), page(3), page(4), page(5)]) == [[1, 2], [3, 4], [5]]


def test_blank_pages_keep_their_place():
    assert numbers([page(n, "" if n in (1, 3) else "words") for n in range(1, 7)]) == [[1, 2, 3, 4], [5, 6]]


@pytest.mark.parametrize("long", [(), (1, 2), (2, 3, 6, 7), (5,)])
def test_block_by_block_they_are_those_of_the_whole_document(long):
    pages = [page(n, LONG if n in long else "words") for n in range(1, 11)]
    parts = [[pages[n - 1] for n in block] for block in blocks(range(1, 11))]
    assert [window for part in parts for window in numbers(part)] == numbers(pages)


def test_a_window_reads_no_page_beyond_its_end():
    drawn: list[int] = []

    def pages():
        for n in range(1, 20):
            drawn.append(n)
            yield page(n)

    next(windows(pages(), lambda page: True))
    assert drawn == list(range(1, PAGES_TOGETHER + 1))


def test_pages_before_the_first_that_stage_1_reads_come_alone():
    pages = [page(n) for n in range(1, 11)]
    found = windows(pages, lambda page: page.number in (3, 5))
    assert [[each.number for each in window] for window in found] == [[1], [2], [3, 4], [5, 6, 7, 8], [9], [10]]
