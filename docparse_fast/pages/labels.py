"""The numbers printed on a PDF's pages (iii, A-4, ...) by its labelling rules. Knows the rules, not the file.

PyMuPDF's own `get_label` reads every rule again for every page: 18 s for 1,500 pages with a rule each.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from codecs import BOM_UTF16_BE as _UTF_16
from collections.abc import Callable, Mapping, Sequence

_ROMAN = (
    (1000, "m"), (900, "cm"), (500, "d"), (400, "cd"), (100, "c"), (90, "xc"),
    (50, "l"), (40, "xl"), (10, "x"), (9, "ix"), (5, "v"), (4, "iv"), (1, "i"),
)  # fmt: skip
_HEXADECIMAL = re.compile(r"<((?:[0-9A-Fa-f]{2})*)>")
_LONGEST = 9_999  # past it Roman numerals and repeated letters are only long


class PageLabels:
    """Labels by page index, from rules as PyMuPDF's `get_page_labels` gives them.

    >>> rules = [{"startpage": 0, "style": "r"}, {"startpage": 3, "style": "D", "prefix": "A-", "firstpagenum": 7}]
    >>> labels = PageLabels(rules)
    >>> labels[2], labels[4]
    ('iii', 'A-8')
    """

    def __init__(self, rules: Sequence[Mapping[str, object]]) -> None:
        self._rules = sorted(rules, key=_start)
        self._starts = [_start(rule) for rule in self._rules]

    def __getitem__(self, index: int) -> str:
        at = bisect_right(self._starts, index) - 1
        if at < 0:
            return ""
        rule = self._rules[at]
        first = rule.get("firstpagenum", 1)
        number = index - self._starts[at] + (first if isinstance(first, int) else 1)
        style = _STYLES.get(str(rule.get("style", "")))
        return _prefix(str(rule.get("prefix", ""))) + (style(number) if style else "")


def _prefix(written: str) -> str:
    """PyMuPDF hands on a string in hexadecimal digits as the file has it.

    >>> _prefix("<FEFF0041002D>"), _prefix("<412D>"), _prefix("A-")
    ('A-', 'A-', 'A-')
    """
    match = _HEXADECIMAL.fullmatch(written)
    if match is None:
        return written
    data = bytes.fromhex(match[1])
    return data.decode("utf-16" if data.startswith(_UTF_16) else "latin-1", "replace")


def _start(rule: Mapping[str, object]) -> int:
    start = rule.get("startpage", 0)
    return start if isinstance(start, int) else 0


def _roman(number: int) -> str:
    if not 0 < number <= _LONGEST:
        return str(number)
    digits = ""
    for value, letters in _ROMAN:
        count, number = divmod(number, value)
        digits += letters * count
    return digits


def _letters(number: int) -> str:
    """a to z, then aa to zz: PDF repeats the letter."""
    if not 0 < number <= _LONGEST:
        return str(number)
    times, letter = divmod(number - 1, 26)
    return chr(ord("a") + letter) * (times + 1)


_STYLES: Mapping[str, Callable[[int], str]] = {
    "D": str,
    "r": _roman,
    "R": lambda number: _roman(number).upper(),
    "a": _letters,
    "A": lambda number: _letters(number).upper(),
}
