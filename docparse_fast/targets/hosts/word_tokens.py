"""A tokenizer without a model: words, numbers and single marks, numbered as they first appear. Knows text only."""

from __future__ import annotations

import re
import threading
from collections.abc import Sequence

END = 0  # the token that ends an answer; it has no text
_PIECE = re.compile(r"\n+|[^\S\n]+|\w+|[^\w\s]")


class WordTokens:
    """Any text becomes tokens and the same text again. Several threads may use it.

    >>> words = WordTokens()
    >>> words.decode(words.encode("# A title\\n\\n")), len(words.encode("# A title\\n\\n"))
    ('# A title\\n\\n', 6)
    """

    def __init__(self) -> None:
        self._pieces = [""]
        self._numbers: dict[str, int] = {}
        self._growing = threading.Lock()

    def encode(self, text: str) -> tuple[int, ...]:
        return tuple(self._number(piece) for piece in _PIECE.findall(text))

    def decode(self, tokens: Sequence[int]) -> str:
        return "".join(self._pieces[token] for token in tokens)

    def _number(self, piece: str) -> int:
        if (number := self._numbers.get(piece)) is not None:
            return number
        with self._growing:
            if piece not in self._numbers:  # another thread may have added it just now
                self._pieces.append(piece)
                self._numbers[piece] = len(self._pieces) - 1
            return self._numbers[piece]
