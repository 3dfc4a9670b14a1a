"""Page ranges as users write them: `1-5,8,r3-r1`. Knows numbers only; opens no file."""

from __future__ import annotations

import re

from docparse_fast.errors import UsageError

_PART = re.compile(r"(r?)(\d{1,9})(?:-(r?)(\d{1,9}))?", re.ASCII)


def page_numbers(ranges: str | None, page_count: int, name: str = "the document") -> list[int]:
    """The pages that `ranges` names, from 1, in the order named and each only once; `name` is for errors.

    `r1` is the last page, `r2` the one before; a range may run backwards; None names them all. Of a range that
    reaches past an end of the document those pages are named that it has: one range may go for many documents.

    >>> page_numbers("1-3,8,r3-r1,2", 10)
    [1, 2, 3, 8, 9, 10]
    >>> page_numbers("r1-r3", 10)
    [10, 9, 8]
    >>> page_numbers("1-3", 2)
    [1, 2]
    """
    if ranges is None:
        return list(range(1, page_count + 1))
    numbers: dict[int, None] = {}  # a dict keeps the order and drops what comes again
    for part in ranges.split(","):
        numbers.update(dict.fromkeys(_span(part.strip(), page_count, name)))
    return list(numbers)


def check_ranges(ranges: str) -> None:
    """Raises UsageError if no document could have such pages.

    >>> check_ranges("1-5,8,r3-r1")
    >>> check_ranges("1-5,abc")
    Traceback (most recent call last):
    docparse_fast.errors.UsageError: --pages 'abc' is not a page or a range; write it as in 1-5,8,r3-r1
    """
    for part in ranges.split(","):
        _matched(part.strip())


def _matched(part: str) -> re.Match[str]:
    match = _PART.fullmatch(part)
    if match is None:
        raise UsageError(f"--pages {part!r} is not a page or a range", remedy="write it as in 1-5,8,r3-r1")
    return match


def _span(part: str, page_count: int, name: str) -> list[int]:
    from_end, first, to_end, last = _matched(part).groups()
    start = _number(from_end, first, page_count)
    stop = _number(to_end, last, page_count) if last else start
    low, high = max(1, min(start, stop)), min(page_count, max(start, stop))
    if low > high or _names_none(first) or _names_none(last):
        pages = "1 page" if page_count == 1 else f"{page_count} pages"
        raise UsageError(f"--pages {part} is out of range: {name} has {pages}", remedy="name others")
    return list(range(low, high + 1) if start <= stop else range(high, low - 1, -1))


def _number(from_end: str, digits: str, page_count: int) -> int:
    return page_count + 1 - int(digits) if from_end else int(digits)


def _names_none(digits: str | None) -> bool:
    """Pages are counted from 1, from either end."""
    return digits is not None and int(digits) == 0
