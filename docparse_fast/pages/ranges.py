"""Page ranges as users write them: `1-5,8,r3-r1`. Knows numbers only; opens no file."""

from __future__ import annotations

import re

from docparse_fast.errors import UsageError

_PART = re.compile(r"(r?)(\d{1,9})(?:-(r?)(\d{1,9}))?", re.ASCII)


def page_numbers(ranges: str, page_count: int, name: str = "the document") -> list[int]:
    """The pages that `ranges` names, from 1, in the order named and each only once; `name` is for errors.

    `r1` is the last page, `r2` the one before; a range may run backwards; an empty text names them all.

    >>> page_numbers("1-3,8,r3-r1,2", 10)
    [1, 2, 3, 8, 9, 10]
    >>> page_numbers("r1-r3", 10)
    [10, 9, 8]
    """
    if not ranges.strip():
        return list(range(1, page_count + 1))
    numbers: dict[int, None] = {}  # a dict keeps the order and drops what comes again
    for part in ranges.split(","):
        numbers.update(dict.fromkeys(_span(part.strip(), page_count, name)))
    return list(numbers)


def _span(part: str, page_count: int, name: str) -> range:
    match = _PART.fullmatch(part)
    if match is None:
        raise UsageError(f"--pages {part!r} is not a page or a range", remedy="write it as in 1-5,8,r3-r1")
    from_end, first, to_end, last = match.groups()
    start = _number(from_end, first, page_count, name)
    stop = _number(to_end, last, page_count, name) if last else start
    return range(start, stop + 1) if start <= stop else range(start, stop - 1, -1)


def _number(from_end: str, digits: str, page_count: int, name: str) -> int:
    number = page_count + 1 - int(digits) if from_end else int(digits)
    if not 1 <= number <= page_count:
        pages = "1 page" if page_count == 1 else f"{page_count} pages"
        raise UsageError(f"--pages {from_end}{digits} is out of range: {name} has {pages}", remedy="name others")
    return number
