"""Words with their boxes, many of them in little room. Knows numbers and letters; knows no page and no block."""

from __future__ import annotations

import re
from array import array
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass

from docparse_fast.geometry import Box, Filed, runs

PlacedWord = tuple[Box, str]
SIDES = 4  # numbers of a box
_FIRST_GROUP, _NEXT_GROUP = re.compile(r"\D{0,2}\d{1,3}(?:\s\d{3})*"), re.compile(r"\d{3}(?!\d)")


@dataclass(frozen=True, slots=True)
class PlacedWords:
    """What a block's text was made of, in the order in which its words were read.

    Packed: as objects, the words of a long document would take more memory than everything else that is known of it.

    >>> list(PlacedWords.of([(Box(1, 2, 30.5, 4), "two words"), (Box(5, 6, 7, 8), "one")]))
    [(Box(x0=1.0, y0=2.0, x1=30.5, y1=4.0), 'two words'), (Box(x0=5.0, y0=6.0, x1=7.0, y1=8.0), 'one')]
    """

    text: str = ""  # a line for each
    boxes: bytes = b""  # four numbers for each

    @staticmethod
    def of(words: Iterable[PlacedWord]) -> PlacedWords:
        said = [(box, " ".join(text.split())) for box, text in words]
        said = [(box, text) for box, text in said if text]
        sides = array("f", [side for box, _ in said for side in (box.x0, box.y0, box.x1, box.y1)])
        return PlacedWords("\n".join(text for _, text in said), sides.tobytes())

    @staticmethod
    def from_numbers(text: str, boxes: Iterable[float]) -> PlacedWords:
        """From the texts, a line each, and the numbers that `sides` gives."""
        return PlacedWords(text, array("f", boxes).tobytes())

    @property
    def sides(self) -> list[float]:
        """All numbers in a row, to a tenth."""
        sides = array("f")
        sides.frombytes(self.boxes)
        return [round(side, 1) for side in sides]

    def __iter__(self) -> Iterator[PlacedWord]:
        sides = self.sides
        for number, text in enumerate(self.text.split("\n") if self.text else ()):
            yield Box(*sides[SIDES * number : SIDES * (number + 1)]), text

    def __bool__(self) -> bool:
        return bool(self.text)


NO_WORDS = PlacedWords()


def moved(words: Iterable[PlacedWord], place: Callable[[Box], Box]) -> tuple[PlacedWord, ...]:
    return tuple((place(box), text) for box, text in words)


def in_boxes(words: Iterable[PlacedWord], boxes: Iterable[Box]) -> tuple[PlacedWord, ...]:
    """The words that stand in each box, box by box, in their own order within each.

    >>> in_boxes([(Box(0, 0, 2, 2), "b"), (Box(6, 0, 8, 2), "a")], [Box(5, 0, 9, 9), Box(0, 0, 4, 9)])
    ((Box(x0=6, y0=0, x1=8, y1=2), 'a'), (Box(x0=0, y0=0, x1=2, y1=2), 'b'))
    """
    level = Filed(enumerate(words), by=lambda each: each[1][0].center[1])
    held = (sorted(each for each in level.between(box.y0, box.y1) if box.holds(each[1][0])) for box in boxes)
    return tuple(word for within in held for _, word in within)


def with_whole_figures(words: Sequence[PlacedWord], near: float) -> list[PlacedWord]:
    """Words of one line, a figure whose thousands are set apart as one; `near` is the white between, in heights.

    >>> said = [(Box(0, 0, 5, 10), "1"), (Box(8, 0, 30, 10), "077,46"), (Box(40, 0, 55, 10), "200")]
    >>> [text for _, text in with_whole_figures(said, 0.4)]
    ['1 077,46', '200']
    """

    def go_on(figure: Sequence[PlacedWord], word: PlacedWord) -> bool:
        beside = word[0].x0 - figure[-1][0].x1 < near * word[0].height and _NEXT_GROUP.match(word[1]) is not None
        return beside and _FIRST_GROUP.fullmatch(" ".join(text for _, text in figure)) is not None

    if not any(_NEXT_GROUP.match(text) for _, text in words):
        return list(words)
    return [(Box.around(box for box, _ in run), " ".join(text for _, text in run)) for run in runs(words, go_on)]
