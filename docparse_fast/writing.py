"""Which way text runs. Knows characters; does not know where they stand."""

from __future__ import annotations

import re

RIGHT_TO_LEFT = re.compile(r"[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]")
LETTERS = re.compile(r"[^\W\d_]")
MINORITY = 0.2  # of a text's letters: fewer that run the other way do not turn it


def has_right_to_left(text: str) -> bool:
    return RIGHT_TO_LEFT.search(text) is not None


def runs_right(text: str, default: bool | None = None) -> bool:
    """Whether a text begins at the right: most of its letters say so, or `default` where they are mixed.

    >>> runs_right("שלום עולם"), runs_right("peace"), runs_right("peace שלום", default=True)
    (True, False, True)
    """
    right, letters = len(RIGHT_TO_LEFT.findall(text)), len(LETTERS.findall(text))
    share = right / letters if letters else 0.0
    if default is None or not letters:
        return share > 0.5 or bool(default)
    return default if MINORITY < share < 1 - MINORITY else share > 0.5
