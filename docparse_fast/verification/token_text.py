"""Converts between tokens and text, and finds where tokens begin in a text. Knows no page and no answer."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import accumulate

Encode = Callable[[str], tuple[int, ...]]
Decode = Callable[[Sequence[int]], str]

BROKEN = "\ufffd"  # a part of a character
CONTEXT = 4  # tokens decoded again, so that a character of several tokens is complete


class TokenText:
    """A tokenizer with a cache."""

    def __init__(self, encode: Encode, decode: Decode) -> None:
        self._encode, self._decode = encode, decode
        self._encoded: dict[str, tuple[int, ...]] = {}
        self._decoded: dict[int, str] = {}
        self._anchor: tuple[int, str] | None = None  # a token, and its text alone

    def tokens(self, text: str) -> tuple[int, ...]:
        found = self._encoded.get(text)
        if found is None:
            found = self._encoded[text] = self._encode(text) if text else ()
        return found

    def last(self, written: Sequence[int], count: int) -> str | None:
        """The text of the last `count` tokens; None while a character in it is incomplete."""
        text = "".join(map(self.of, written[len(written) - count :]))
        if BROKEN not in text:
            return text
        before = written[max(0, len(written) - count - CONTEXT) : len(written) - count]
        known = self._decode(before) if before else ""
        text = self._decode([*before, *written[len(written) - count :]])[len(known.rstrip(BROKEN)) :]
        return None if text.endswith(BROKEN) else text

    def cuts(self, tokens: Sequence[int]) -> dict[int, int]:
        """The token that begins at each character; empty if a character has several tokens."""
        texts = list(map(self.of, tokens))
        if BROKEN in "".join(texts):
            return {}
        return dict(zip(accumulate(map(len, texts), initial=0), range(len(tokens) + 1), strict=True))

    def of(self, token: int) -> str:
        """The token's text after another token: alone, some tokenizers drop its blank."""
        found = self._decoded.get(token)
        if found is None:
            if self._anchor is None:
                self._anchor = (token, self._decode([token]))
            anchor, known = self._anchor
            found = self._decoded[token] = self._decode([anchor, token])[len(known) :]
        return found
