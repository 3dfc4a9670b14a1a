"""Codes and numbers with a hyphen of their own, broken behind it at a line's end. Knows two lines' text, no place."""

from __future__ import annotations

import re

LONGEST_CODE = 60  # characters
ENDS_OPEN = re.compile(r"(?<![^\s(])[\w/-]*[^\W_][-‐]$")  # not `12.50-`, whose sign stands behind it


def goes_on_in(before: str, after: str) -> bool:
    """Whether a code that is broken at its hyphen goes on in the next line.

    >>> goes_on_in("item K7255-", "69"), goes_on_in("(COVID-", "19)"), goes_on_in("1990-", "2000")
    (True, True, True)
    >>> goes_on_in("12.50-", "13.40-"), goes_on_in("ein 3-", "bis 4-mal"), goes_on_in("costs -", "12")
    (False, False, False)
    """
    return after[:1].isdecimal() and ENDS_OPEN.search(before[-LONGEST_CODE:]) is not None
