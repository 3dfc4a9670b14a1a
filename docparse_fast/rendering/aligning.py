"""Which letters of two texts are the same ones. Knows strings only.

What begins and ends alike is paired from both ends. Between, runs of letters that each text has once are paired in
order, longer ones first. So texts that are alike but for some places cost little more than to read them.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator

RUNS = (12, 6, 3)  # letters, by which two texts find each other again

StretchPair = tuple[int, int, int, int]  # of the first text and of the second: from, to


def aligned(wanted: str, given: str) -> list[int | None]:
    """For each character of `wanted`, its partner in `given`; characters that only one of them has are skipped.

    >>> aligned("tail end", "tail n end")
    [0, 1, 2, 3, 4, 7, 8, 9]
    >>> aligned("tailending", "tailnending")
    [0, 1, 2, 3, 5, 6, 7, 8, 9, 10]
    >>> aligned("a long way", "b long day")
    [None, 1, 2, 3, 4, 5, 6, None, 8, 9]
    """
    partners: list[int | None] = [None] * len(wanted)
    open_stretches = [(0, len(wanted), 0, len(given))]
    while open_stretches:
        start, end, begin, stop = open_stretches.pop()
        while start < end and begin < stop and wanted[start] == given[begin]:
            partners[start] = begin
            start, begin = start + 1, begin + 1
        while start < end and begin < stop and wanted[end - 1] == given[stop - 1]:
            end, stop = end - 1, stop - 1
            partners[end] = stop
        if start < end and begin < stop:
            open_stretches += _between_anchors(wanted, given, (start, end, begin, stop))
    return partners


def _between_anchors(wanted: str, given: str, within: StretchPair) -> Iterator[StretchPair]:
    """The stretches up to and from each letter that is known to be the same: none, where no run tells."""
    start, end, begin, stop = within
    anchors = next((found for run in RUNS if (found := _anchors(wanted, given, within, run))), [])
    for at, there in anchors:
        yield start, at, begin, there
        start, begin = at, there
    if anchors:
        yield start, end, begin, stop


def _anchors(wanted: str, given: str, within: StretchPair, run: int) -> list[tuple[int, int]]:
    """Where runs begin that both stretches have once, in one order in both."""
    start, end, begin, stop = within
    ours, theirs = _lone_runs(wanted, start, end, run), _lone_runs(given, begin, stop, run)
    return _rising([(at, theirs[text]) for text, at in ours.items() if text in theirs])


def _lone_runs(text: str, start: int, end: int, run: int) -> dict[str, int]:
    places: dict[str, int] = {}
    for at in range(start, end - run + 1):
        piece = text[at : at + run]
        places[piece] = -1 if piece in places else at
    return {piece: at for piece, at in places.items() if at >= 0}


def _rising(pairs: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """The most of them that rise on both sides.

    >>> _rising([(0, 5), (1, 1), (2, 2), (3, 9)])
    [(1, 1), (2, 2), (3, 9)]
    """
    tops: list[int] = []  # the lowest second number at which so many rise
    last_of: list[int] = []
    before: list[int | None] = []
    for number, (_, there) in enumerate(pairs):
        at = bisect_left(tops, there)
        tops[at : at + 1] = [there]
        last_of[at : at + 1] = [number]
        before.append(last_of[at - 1] if at else None)
    found = []
    current = last_of[-1] if last_of else None
    while current is not None:
        found.append(pairs[current])
        current = before[current]
    return found[::-1]
