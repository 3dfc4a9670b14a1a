"""Learns sign by sign how an answer rewrites what stands between two words. Knows signs; no place, no word, no token.

A gap is taken apart: blanks, line breaks, marks, tags, commands. What became of each of them in one gap is done to the
same signs in another: where `**` was written as `__`, or a line break as two, it is so in gaps never seen before.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from difflib import SequenceMatcher
from functools import lru_cache

MEMORY = 0.8  # the share of a sign's count that is kept when it is rewritten otherwise
ITSELF = 0.5  # the count with which a sign stays as it is
ALIKE = 2.0  # ... between two others of the same sorts
BESIDE = 4.0  # the weight of what became of a sign between the same two others
_SIGN = re.compile(
    r"[ \t]*\n\s*|[ \t]+|</?[A-Za-z][^<>]*>|<\|[^<>]*\|>"
    r"|\\(?:begin|end)\{[A-Za-z]+\*?\}(?:\{[lcr|]*\})?|\\[A-Za-z]+|[*_`#~]+|[A-Za-z][A-Za-z_-]*|.",
    re.DOTALL,
)


@lru_cache(maxsize=1 << 12)
def signs_of(gap: str) -> tuple[str, ...]:
    r"""
    >>> signs_of("`**.\n\n## ")
    ('`**', '.', '\n\n', '##', ' ')
    """
    return tuple(_SIGN.findall(gap))


class RewrittenSigns:
    r"""What became of each sign.

    >>> signs = RewrittenSigns()
    >>> signs.learn("**.\n\n", "__.\n")
    True
    >>> signs.rewritten("** (\n\n")
    '__ (\n'
    """

    def __init__(self) -> None:
        self._counts: dict[tuple[str, ...], dict[str, float]] = {}  # by sign, and by sign between two others
        self._rewritten: dict[str, str] = {}

    def learn(self, gap: str, written: str) -> bool:
        """Takes in a gap and what was written for it; returns whether gaps may now be rewritten otherwise."""
        if not gap or (gap == written and not self._counts):
            return False
        before = self.rewritten(gap)
        drafted = signs_of(gap)
        for at, became in enumerate(_became(drafted, signs_of(written))):
            for key in _keys(drafted, at):
                counts = self._counts.setdefault(key, {})
                for each in counts:
                    counts[each] *= MEMORY
                counts[became] = counts.get(became, 0.0) + 1.0
        if before == written:
            return False
        self._rewritten.clear()
        return True

    def rewritten(self, gap: str) -> str:
        found = self._rewritten.get(gap)
        if found is None:
            drafted = signs_of(gap)
            found = ""
            for at in range(len(drafted)):
                became = self._likeliest(drafted, at)
                found += became.lstrip(" ") if found.endswith(" ") else became  # what stood between them went
            self._rewritten[gap] = found
        return found

    def _likeliest(self, drafted: Sequence[str], at: int) -> str:
        shares = {drafted[at]: ITSELF}
        for weight, key in zip((1.0, ALIKE, BESIDE), _keys(drafted, at), strict=True):
            for became, count in self._counts.get(key, {}).items():
                shares[became] = shares.get(became, 0.0) + weight * count
        return max(shares, key=shares.__getitem__)


def _keys(drafted: Sequence[str], at: int) -> tuple[tuple[str, ...], ...]:
    before = drafted[at - 1] if at else ""
    after = drafted[at + 1] if at + 1 < len(drafted) else ""
    return (drafted[at],), (_sort(before), drafted[at], _sort(after), ""), (before, drafted[at], after)


def _sort(sign: str) -> str:
    """Marks that end a part of a sentence are alike, and so are brackets, tags and commands."""
    return _SORTS.get(sign[:1], sign)


_SORTS = {mark: marks for marks in (".,;:!?", "([{", ")]}", "<", "\\") for mark in marks}


def _became(drafted: Sequence[str], written: Sequence[str]) -> list[str]:
    """What became of each drafted sign; what was put in belongs to the sign before it, or to the first."""
    became = [""] * len(drafted)
    put_first = ""
    for kind, low, high, start, stop in SequenceMatcher(None, drafted, written, autojunk=False).get_opcodes():
        text = "".join(written[start:stop])
        if kind == "equal":
            became[low:high] = drafted[low:high]
        elif kind == "insert" and not low:
            put_first = text
        elif kind == "insert":
            became[low - 1] += text
        else:
            became[low] += text
    became[0] = put_first + became[0]
    return became
