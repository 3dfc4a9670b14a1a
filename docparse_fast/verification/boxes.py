"""Predicts the boxes that a target writes before its elements: which region is next, and how its numbers differ.

    ... "}, {"bbox": [104, 495, 228, 520], "category": "Section-header", "text": "..."
    ... <|ref|>text<|/ref|><|det|>[[104, 495, 228, 520]]<|/det|>
    ... <text><loc_104><loc_495><loc_228><loc_520>

Two layouts of a page differ by a pixel or two, and in the same way all over the page. Knows text; no token, no image.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple

NUMBERS = "\0"  # stands for a box's numbers
SAME = 25  # pixels by which the edges of two boxes of the same region may differ
NEAR = 3  # pixels between edges on the same line
REGIONS = 3  # offered at once
ON_LINE, BY_OTHERS, BY_NONE = 0.8, 0.3, 0.15  # how likely a number is that is expected by so much
OFF = {1: 0.28, -1: 0.28, 2: 0.12, -2: 0.12, 3: 0.05, -3: 0.05}  # else, how likely it is off by so much
LEAST = 0.02  # the chance of any other digit
AROUND = (0, 1, -1, 2, -2, 3, -3)  # pixels tried beside the expected number
FURTHER = tuple(sorted(range(-SAME, SAME + 1), key=abs))

Numbers = tuple[int, int, int, int]


class BoxForm(NamedTuple):
    """How a dialect writes boxes."""

    whole: re.Pattern[str]  # what stands before the numbers, and the four of them
    open: re.Pattern[str]  # a box without its end
    between: str  # two numbers
    label: re.Pattern[str]  # the kind of what is in the box


def _form(begins: str, between: str, ends: str, label: str) -> BoxForm:
    numbers = between.join([r"(\d+)"] * 4)
    whole = re.compile(rf"({begins}){numbers}(?={re.escape(ends)})")
    begun = rf"(?:\d+{between}){{0,3}}\d*|(?:\d+{between}){{0,2}}\d+{_begun(between)}"
    return BoxForm(whole, re.compile(rf"(?:{begins})({begun})$"), between, re.compile(label))


def _begun(text: str) -> str:
    """A pattern of every beginning of the text but the whole.

    >>> re.fullmatch(_begun("><loc"), "><l") is not None
    True
    """
    pattern = ""
    for letter in reversed(text[:-1]):
        pattern = f"(?:{re.escape(letter)}{pattern})?"
    return pattern


IN_JSON = _form(r"\"bbox\": \[", ", ", "]", r"\"category\": \"([\w-]+)")
FORMS = (
    IN_JSON,
    _form(r"<\|det\|>[^<\[]*\[+", ", ", "]", r"<\|ref\|>([\w ]+)"),
    _form('data-bbox="', " ", '"', r"data-label=\"([\w-]+)"),
    _form(r"<(?!loc_)[a-z_]+\d?><loc_", "><loc_", ">", r"<(\w+)><loc_"),
)


class _Offset(NamedTuple):
    label: str
    ours: int  # our number
    by: int  # how much more the target's is


class BoxGuess(NamedTuple):
    draft: int
    text: str  # from here to the box's closing bracket, without it
    chances: Mapping[int, float]  # of its digits, if no likelier one is right: by character


class _Edge(NamedTuple):
    """One of a box's numbers, as expected."""

    number: int
    chance: float


class Boxes:
    """The boxes of one page's drafts, by draft number; None for a draft without a box.

    >>> boxes = Boxes(['{"bbox": [10, 20, 90, 40], "text": "a', '{"bbox": [10, 50, 90, 70], "text": "b'])
    >>> boxes.learn('{"bbox": [11, 20, 89, 40]')
    0
    >>> [guess.text for guess in boxes.guesses('"}, {"bbox": [', [1])][:2]
    ['11, 50, 89, 70', '11, 51, 89, 70']
    >>> boxes.guesses('"}, {"bbox": [11, 5', [1])[0].text
    '0, 89, 70'
    """

    def __init__(self, drafts: Sequence[str]) -> None:
        forms = (form for form in FORMS if any(form.whole.search(text) for text in drafts))
        self._form = next(forms, IN_JSON)
        self._whole, self._open = self._form.whole, self._form.open
        self._boxes = [_numbers(found) if (found := self._whole.search(text)) else None for text in drafts]
        self._labels = [found[1] if (found := self._form.label.search(text)) else "" for text in drafts]
        self._present = any(self._boxes)
        self._expected: dict[int, tuple[_Edge, ...]] = {}  # until another box is written
        self._offsets: list[list[_Offset]] = [[], [], [], []]  # of each edge

    def __bool__(self) -> bool:
        return self._present

    def is_open(self, gap: str) -> bool:
        """Whether the gap ends within a box's numbers."""
        return self._open.search(gap) is not None

    def count(self, gap: str) -> int:
        """How many whole boxes it has."""
        return sum(1 for _ in self._whole.finditer(gap))

    def end(self, gap: str) -> int:
        """The place right after the numbers of its last box; -1 without a box."""
        return max((found.end() for found in self._whole.finditer(gap)), default=-1)

    def without_numbers(self, gap: str) -> str:
        return self._whole.sub(rf"\1{NUMBERS}", gap) if self._present else gap

    def with_numbers(self, gap: str, draft: int) -> str:
        """A gap that has `NUMBERS` with those of the draft's box."""
        expected = self.expected(draft)
        return gap.replace(NUMBERS, self._form.between.join(map(str, expected or ())))

    def learn(self, gap: str) -> int | None:
        """Remembers how the last box in this gap differs from its draft's, and returns that draft."""
        found = list(self._whole.finditer(gap))
        if not found:
            return None
        written = _numbers(found[-1])
        apart = [
            (sum(abs(a - b) for a, b in zip(box, written, strict=True)), draft)
            for draft, box in enumerate(self._boxes)
            if box is not None
        ]
        if not apart or min(apart)[0] > 4 * SAME:
            return None
        draft = min(apart)[1]
        self._expected = {}
        for edge, ours, theirs in zip(self._offsets, self._boxes[draft] or written, written, strict=True):
            if abs(theirs - ours) <= SAME:
                edge.append(_Offset(self._labels[draft], ours, theirs - ours))
        return draft

    def expected(self, draft: int) -> Numbers | None:
        """The draft's box as the target would write it."""
        if self._boxes[draft] is None:
            return None
        x0, y0, x1, y1 = (edge.number for edge in self._edges(draft))
        return x0, y0, x1, y1

    def _edges(self, draft: int) -> tuple[_Edge, ...]:
        if draft not in self._expected:
            box = self._boxes[draft] or ()
            self._expected[draft] = tuple(self._edge(n, ours, self._labels[draft]) for n, ours in enumerate(box))
        return self._expected[draft]

    def _edge(self, side: int, ours: int, label: str) -> _Edge:
        """As the last edge on the same line, else off by the middle of the last few: of the same kind, if any was."""
        known = self._offsets[side]
        alike = [each for each in known if each.label == label] or known
        on_line = [each.ours + each.by for each in reversed(alike) if abs(each.ours - ours) <= NEAR]
        if on_line:
            return _Edge(on_line[0], ON_LINE)
        last = sorted(each.by for each in alike[-5:])
        return _Edge(ours + last[len(last) // 2], BY_OTHERS) if last else _Edge(ours, BY_NONE)

    def guesses(self, pending: str, drafts: Sequence[int]) -> list[BoxGuess]:
        """Continues the open box with the likeliest regions' numbers and with numbers close to them."""
        opened = self._open.search(pending)
        if opened is None:
            return []
        *whole, last = opened[1].split(self._form.between)
        number = last.rstrip(self._form.between)
        begun = last[len(number) :]  # a part of what is between two numbers
        if begun:
            whole, number = [*whole, number], ""
        rest = self._form.between[len(begun) :] if begun else ""
        alike: dict[Numbers | None, int] = {}  # a region's drafts have one box
        for draft in drafts:
            if self._fits(draft, whole):
                alike.setdefault(self._boxes[draft], draft)
        fits = [*alike.values()][:REGIONS]
        for around in (AROUND, FURTHER):  # further off only if no region's number is near
            found = [self._after(rest, guess) for n in fits for guess in self._rest(n, len(whole), number, around)]
            if found:
                return found
        return []

    def _fits(self, draft: int, whole: Sequence[str]) -> bool:
        expected = self.expected(draft)
        if expected is None:
            return False
        known = [(int(number), ours) for number, ours in zip(whole, expected, strict=False) if number]
        return len(known) < len(expected) and all(abs(number - ours) <= SAME for number, ours in known)

    def _rest(self, draft: int, at: int, partial: str, around: Sequence[int]) -> Iterator[BoxGuess]:
        """The likeliest numbers first, with variants of each later one, then variants of this one."""
        edges = self._edges(draft)[at:]
        expected = [edge.number for edge in edges]
        fitting = [number for by in around if str(number := expected[0] + by).startswith(partial)]
        for rank, number in enumerate(fitting):
            yield self._guess(draft, partial, (number, *expected[1:]), edges)
            for place, other in enumerate(expected[1:] if not rank else (), 1):
                for by in AROUND[1:5]:
                    numbers = (number, *expected[1:place], other + by, *expected[place + 1 :])
                    yield self._guess(draft, partial, numbers, edges)

    @staticmethod
    def _after(rest: str, guess: BoxGuess) -> BoxGuess:
        """The guess behind the rest of what stands between two numbers."""
        chances = {at + len(rest): chance for at, chance in guess.chances.items()}
        return guess._replace(text=rest + guess.text, chances=chances)

    def _guess(self, draft: int, partial: str, numbers: Sequence[int], edges: Sequence[_Edge]) -> BoxGuess:
        text, chances = "", {}
        for number, edge in zip(numbers, edges, strict=True):
            begun = len(partial) if not text else 0
            for place in range(begun, len(str(number))):
                chances[len(text) + place - begun] = _chance_of_digit(str(number), place, edge)
            text += str(number)[begun:] + self._form.between
        return BoxGuess(draft, text.removesuffix(self._form.between), chances)


@lru_cache(maxsize=1 << 12)
def _chance_of_digit(number: str, place: int, edge: _Edge) -> float:
    """The chance of a number's digit after those before it, if the likeliest one isn't right."""
    by_digit: dict[str, float] = {}
    for by, share in ((0, edge.chance), *((by, (1.0 - edge.chance) * share) for by, share in OFF.items())):
        text = str(edge.number + by)
        if text.startswith(number[:place]):
            by_digit[text[place : place + 1]] = by_digit.get(text[place : place + 1], 0.0) + share
    own, best = by_digit.get(number[place], LEAST), max(by_digit.values(), default=LEAST)
    return own / (LEAST + sum(by_digit.values()) - (best if own < best else 0.0))


def _numbers(found: re.Match[str]) -> Numbers:
    x0, y0, x1, y1 = map(int, found.groups()[1:])
    return x0, y0, x1, y1
