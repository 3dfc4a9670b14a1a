"""Words in which letters have no meaning, as fonts leave `ti` in `information`; and the same words read elsewhere.

Nothing is guessed: a word is completed where one word alone has all that is known of it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import partial

UNKNOWN = "\ufffd"
UNKNOWNS = re.compile(f"({UNKNOWN}+)")
APOSTROPHE = re.compile("['’]")
WORD = re.compile(r"\S+")


def lacks_letters(text: str) -> bool:
    """Whether a word lacks some: such a sign alone is a bullet, or a form's leader.

    >>> lacks_letters("informa\ufffdon"), lacks_letters("\ufffd Menu \ufffd\ufffd 12")
    (True, False)
    """
    return UNKNOWN in text and any(UNKNOWN in word and any(map(str.isalpha, word)) for word in text.split())


def completed(text: str, read: Iterable[str]) -> str:
    """The same text, its words completed from those that were `read` in its place.

    >>> completed("Informa\ufffdon of the \ufffdrm’s o\ufffdces", ["Information of the firm's", "offices"])
    'Information of the firm’s offices'
    >>> completed("na\ufffdon", ["nation"]), completed("n\ufffdion", ["nation notion"]), completed("a\ufffd", ["a an"])
    ('nation', 'n\\ufffdion', 'a\\ufffd')
    """
    there = {word for line in read for word in line.split()} if lacks_letters(text) else set()
    return WORD.sub(partial(_as_read, there=there), text) if there else text


def _as_read(match: re.Match[str], there: set[str]) -> str:
    word = match[0]
    pieces = UNKNOWNS.split(word)
    known = "".join(map(_pattern, pieces))
    found = {same.groups() for other in there if (same := re.fullmatch(known, other))} if lacks_letters(word) else set()
    if len(found) != 1 or "" in (told := found.pop()):
        return word
    letters = iter(told)
    return "".join(next(letters) if UNKNOWN in piece else piece for piece in pieces)


def _pattern(piece: str) -> str:
    """Any letters, or none, since such a sign may end a line. An OCR tells no curved apostrophe from a straight one."""
    return r"(\w*)" if UNKNOWN in piece else APOSTROPHE.sub("['’]", re.escape(piece))
