"""The direction of text, where a sentence ends, and characters as wide as they are high. Knows nothing of places."""

from __future__ import annotations

import re

CJK = re.compile(r"[\u3000-\u30ff\u3400-\u9fff\uf900-\ufaff\uff00-\uffef]")
# Scripts in which a word stands against the next one, or its ending
UNSPACED = re.compile(
    r"[\u0e00-\u0eff\u1000-\u109f\u1100-\u11ff\u1780-\u17ff\u3000-\u9fff\uac00-\ud7af\uf900-\ufaff\uff00-\uffef]"
)
SQUARE_LETTERS = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]")  # kana, Han and Hangul
RIGHT_TO_LEFT = re.compile(r"[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]")
LETTERS = re.compile(r"[^\W\d_]")
COLONS = (":", "：")  # end a label
TERMINAL = re.compile(r"[.!?:;。！？：；…][\"'”’」』)\]]*$")
MINORITY = 0.2  # a smaller share of letters in the other direction does not change a text's direction


def has_right_to_left(text: str) -> bool:
    return not text.isascii() and RIGHT_TO_LEFT.search(text) is not None


def runs_right(text: str, default: bool | None = None) -> bool:
    """Whether most of the letters run from the right; `default` if they are mixed.

    >>> runs_right("שלום עולם"), runs_right("peace"), runs_right("peace שלום", default=True)
    (True, False, True)
    """
    right, letters = len(RIGHT_TO_LEFT.findall(text)), len(LETTERS.findall(text))
    share = right / letters if letters else 0.0
    if default is None or not letters:
        return share > 0.5 or bool(default)
    return default if MINORITY < share < 1 - MINORITY else share > 0.5
