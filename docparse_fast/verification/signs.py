"""Learns sign by sign how an answer rewrites what stands between two words. Knows signs; no place, no word, no token.

A gap is taken apart: blanks, line breaks, marks, tags, commands. What became of each of them in one gap is done to the
same signs in another: where `**` was written as `__`, or a line break as two, it is so in gaps never seen before.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from difflib import SequenceMatcher
from functools import lru_cache

MEMORY = 0.8  # the share of a sign's count that is kept when it is rewritten otherwise
ITSELF = 0.5  # the count with which a sign stays as it is
FORGOTTEN = 0.02  # a smaller count is not carried on
BESIDE = 4.0  # the weight of what became of a sign between the same two others
_SIGN = re.compile(
    r"(?:[ \t]*\n)+|[ \t]+|</?[A-Za-z][^<>]*>|<\|[^<>]*\|>"
    r"|\\[A-Za-z]+|[*_`#~]+|[A-Za-z][A-Za-z_-]*|.",
    re.DOTALL,
)


_NAMED = re.compile(r"(</?)([A-Za-z]+)(.*)", re.DOTALL)


@lru_cache(maxsize=1 << 12)
def signs_of(gap: str) -> tuple[str, ...]:
    r"""
    >>> signs_of("`**.\n\n## ")
    ('`**', '.', '\n\n', '##', ' ')
    """
    return tuple(_SIGN.findall(gap))


def fade(counts: Mapping[str, float], share: float) -> dict[str, float]:
    """A share of each count; what is seldom is forgotten."""
    return {key: faded for key, count in counts.items() if (faded := count * share) >= FORGOTTEN}


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
        self._names: dict[str, str] = {}  # of tags that were named otherwise: where one begins so, it ends so
        self._rewritten: dict[str, str] = {}

    def learn(self, gap: str, written: str) -> bool:
        """Takes in a gap and what was written for it; returns whether gaps may now be rewritten otherwise."""
        if not gap or (gap == written and not self._counts):
            return False
        before = self.rewritten(gap)
        surprising = set()
        for keys, became in zip(_keys(gap), _became(gap, written), strict=True):
            if before != written and became != self._likeliest(keys):
                surprising.add(keys[0][0])
            self._learn_name(keys[0][0], became)
            for key in keys:
                counts = self._counts.setdefault(key, {})
                for each in counts:
                    counts[each] *= MEMORY
                counts[became] = counts.get(became, 0.0) + 1.0
        if before == written:
            return False
        for each in [each for each in self._rewritten if not surprising.isdisjoint(signs_of(each))]:
            del self._rewritten[each]
        return True

    def _learn_name(self, sign: str, became: str) -> None:
        drafted, written = _NAMED.fullmatch(sign), _NAMED.fullmatch(became)
        if drafted and written and self._names.get(drafted[2], drafted[2]) != written[2]:
            self._names[drafted[2]] = written[2]
            self._rewritten = {}

    def faded(self, share: float) -> RewrittenSigns:
        """The same signs, each count a share of this one's."""
        found = RewrittenSigns()
        found._names = dict(self._names)
        found._counts = {key: fade(counts, share) for key, counts in self._counts.items()}
        return found

    def rewritten(self, gap: str) -> str:
        found = self._rewritten.get(gap)
        if found is None:
            found = self._rewritten[gap] = "".join(map(self._likeliest, _keys(gap)))
        return found

    def _likeliest(self, keys: _Keys) -> str:
        alone, between = map(self._counts.get, keys)
        if not alone and (tag := _NAMED.fullmatch(keys[0][0])):
            return f"{tag[1]}{self._names.get(tag[2], tag[2])}{tag[3]}"
        shares = {keys[0][0]: ITSELF}
        for weight, counts in ((1.0, alone), (BESIDE, between)):
            for became, count in counts.items() if counts else ():
                shares[became] = shares.get(became, 0.0) + weight * count
        return max(shares, key=shares.__getitem__)


_Keys = tuple[tuple[str, ...], tuple[str, ...]]  # of a sign: itself, and with the signs around it


@lru_cache(maxsize=1 << 12)
def _keys(gap: str) -> tuple[_Keys, ...]:
    signs = signs_of(gap)
    around = zip(("", *signs), signs, (*signs[1:], ""), strict=False)
    return tuple(((sign,), (before, sign, after)) for before, sign, after in around)


@lru_cache(maxsize=1 << 12)
def _became(gap: str, text: str) -> tuple[str, ...]:
    """What became of each drafted sign; what was put in belongs to the sign before it, or to the first."""
    drafted, written = signs_of(gap), signs_of(text)
    became = [""] * len(drafted)
    put_first = ""
    for kind, low, high, start, stop in SequenceMatcher(None, drafted, written, autojunk=False).get_opcodes():
        text = "".join(written[start:stop])
        if high - low == stop - start:
            became[low:high] = written[start:stop]
        elif kind == "insert" and not low:
            put_first = text
        elif kind == "insert":
            became[low - 1] += text
        else:
            became[low] += text
    became[0] = put_first + became[0]
    return tuple(became)
