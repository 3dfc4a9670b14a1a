"""The printed lines of a text that a page's words were put together to. Knows words and their boxes only."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence

from docparse_fast.geometry import runs
from docparse_fast.text.placed_words import PlacedWord

MOST_WORDS = 3000  # of a table: what has more is no form


class PrintedLines:
    """Gives each text the words that it was made of; none is given twice."""

    def __init__(self, words: Iterable[PlacedWord]) -> None:
        self._words = [(box, part) for box, text in words for part in text.split()]
        self._free = defaultdict[str, list[int]](list)
        for n, (_, word) in enumerate(self._words if len(self._words) <= MOST_WORDS else ()):
            self._free[word].append(n)

    def of(self, text: str) -> list[list[PlacedWord]]:
        """A line's words each; nothing where a word of the text is not known."""
        words, taken = text.split(), list[list[int]]()
        while words:
            starts = self._free.get(words[0], ())
            best = max((self._run(start, words) for start in starts), key=len, default=[])
            if not best:
                return []
            taken.append(best)
            words = words[len(best) :]
            for n in best:
                self._free[self._words[n][1]].remove(n)
        return [line for run in taken for line in runs((self._words[n] for n in run), _are_level)]

    def _run(self, start: int, words: Sequence[str]) -> list[int]:
        found = list[int]()
        for n, word in zip(range(start, len(self._words)), words, strict=False):
            if self._words[n][1] != word or n not in self._free[word]:
                break
            found.append(n)
        return found


def _are_level(line: Sequence[PlacedWord], word: PlacedWord) -> bool:
    return word[0].center[1] < line[-1][0].y1
