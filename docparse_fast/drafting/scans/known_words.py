"""The words that Tesseract's data for a language knows: how much of a reading they are. Reads no picture.

A file of data holds the language's letters and, as a graph whose edges are letters, its words. Of running text in seven
languages 57 to 81 letters of 100 stand in such words, of two Korean photographs' lines 36 and 73; of what Tesseract
answers to these in the scripts of other languages 8 at most.
"""

from __future__ import annotations

import re
import struct
from collections.abc import Sequence
from contextlib import suppress
from functools import lru_cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

LETTERS, WORDS = 21, 19  # the parts of the file
HEAD = 10  # bytes before the graph's edges
LAST, BACKWARDS, ENDS = 1, 2, 4  # what an edge says of itself, above its letter
SAYS = 3  # bits for that
SHORTEST = 4  # letters of a word that proves something
SHORTEST_PIECE = {"kor": 2}  # the same in a text whose blanks are missing or lost
FEWEST = 40  # signs in a reading that is judged
BLOCKS = (range(4), range(58, 80), range(85, 88))  # where Indic scripts, from Devanagari to Malayalam, have marks
INDIC = "".join(chr(block + n) for block in range(0x900, 0xD80, 128) for part in BLOCKS for n in part)
MARKS = f"\u0300-\u036f\u0591-\u05c7\u064b-\u0652{INDIC}\u0e31-\u0e4e\u200c"
WORD = re.compile(rf"[^\W\d_](?:[^\W\d_]|[{MARKS}])*")
UNSPACED = frozenset({"tha", "lao", "khm", "mya", "kor"})
LONGEST = 20  # letters of a word that is looked for in a text without blanks


class KnownWords:
    """The words of one language's data."""

    def __init__(self, file: Path) -> None:
        self._is_unspaced = file.stem in UNSPACED
        self._shortest_piece = SHORTEST_PIECE.get(file.stem, SHORTEST)
        self._letters: dict[str, int] = {}
        self._edges: NDArray[np.uint64] = np.empty(0, np.uint64)
        self._bits = 0
        with suppress(struct.error, ValueError, KeyError):  # data of another kind, or damaged, knows no words
            parts = _parts(file.read_bytes())
            rows = parts[LETTERS].decode().splitlines()[1:]
            letters, edges = struct.unpack_from("<ii", parts[WORDS], 2)
            self._letters = {row.split(" ")[0]: number for number, row in reversed(list(enumerate(rows)))}
            self._edges = np.frombuffer(parts[WORDS], "<u8", edges, HEAD)
            self._bits = letters.bit_length()

    def share(self, texts: Sequence[str]) -> float | None:
        """The part of the letters that stand in known words; None where too little is there to tell."""
        signs = sum(not sign.isspace() and not (sign.isascii() and sign.isalpha()) for text in texts for sign in text)
        if signs < FEWEST or not len(self._edges):
            return None
        words = [word for text in texts for word in WORD.findall(text) if not word.isascii()]
        return sum(map(self._in_pieces if self._is_unspaced else self._as_a_word, words)) / signs

    def knows(self, word: str) -> bool:
        return any(self._longest(each) == len(word) for each in dict.fromkeys((word, word.lower())))

    def _as_a_word(self, word: str) -> int:
        return len(word) if len(word) >= SHORTEST and self.knows(word) else 0

    def _in_pieces(self, text: str) -> int:
        at = known = 0
        while at < len(text):
            length = self._longest(text[at : at + LONGEST])
            known += length if length >= self._shortest_piece else 0
            at += max(1, length)
        return known

    def _longest(self, text: str) -> int:
        """How many letters the longest known word has with which a text begins."""
        node, longest = 0, 0
        for place, letter in enumerate(text, 1):
            edge = self._edge(node, self._letters.get(letter))
            if edge is None:
                break
            if edge >> self._bits & ENDS:
                longest = place
            node = edge >> (self._bits + SAYS)
            if not node:
                break
        return longest

    def _edge(self, node: int, letter: int | None) -> int | None:
        """Of a node's edges, which stand one after another, the one with this letter."""
        while letter is not None and node < len(self._edges):
            edge = int(self._edges[node])
            says = edge >> self._bits & (LAST | BACKWARDS)
            if edge & ((1 << self._bits) - 1) == letter and not says & BACKWARDS:
                return edge
            if says & LAST:
                return None
            node += 1
        return None


@lru_cache(maxsize=32)
def known_words(file: Path) -> KnownWords:
    return KnownWords(file)


def _parts(data: bytes) -> dict[int, bytes]:
    count = struct.unpack_from("<i", data)[0]
    starts = struct.unpack_from(f"<{count}q", data, 4)
    ends = sorted({*(start for start in starts if start >= 0), len(data)})
    return {number: data[start : ends[ends.index(start) + 1]] for number, start in enumerate(starts) if start >= 0}
