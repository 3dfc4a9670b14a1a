"""Which figures, units and currencies a doubtful reading has: by what a letter may be, by a page's others, a column's.

Old-style figures look like letters, and in the dark points and commas look alike: what the recogniser saw beside its
answer is known, and so is how the page writes its other figures.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Mapping, Sequence
from itertools import chain

import numpy as np
from numpy.typing import NDArray

from docparse_fast.document import Box
from docparse_fast.drafting.words import UNITS
from docparse_fast.geometry import Filed
from docparse_fast.sums.figures import CURRENCIES

POSSIBLE = 0.003  # chance of a digit, sign or accent beside what was read, from which it may stand there
DIGIT_OF = {"O": "0", "o": "0", "I": "1", "i": "1", "l": "1", "|": "1"}
SIGNS = rf"[\d{''.join(DIGIT_OF)}]"
FIGURE = re.compile(
    rf"(?<![^\s(€$£+\-−]){SIGNS}++(?:[.,:'’]{SIGNS}++|/(?=[^\W\d|]*+\d){SIGNS}++)*+(?=[.,:;)%€]*+(?:\s|$))"
)
LONE_FIGURE = re.compile(r"[.·]?\d[\d., ]*[%€$£]?")  # all that a cell holds; a minus may be read as a point
MINUS, LIKELY_MINUS = "-−–", 0.01  # its chance at a figure's end: where none is printed, below 0.0001
POINTLESS = re.compile(r"(?:\d{1,3}(?:[.,]\d{3})*|\d+)(?=\d\d[%€$£]?$)")  # up to where decimals may begin
FIRM = re.compile(r"(?<=[^\W\d_][ .])[0oO]\.[0oO]\.(?!\w)")  # Polish `Sp. z o.o.`, Croatian `d.o.o.`
VOLUME = re.compile(r"\d+[Il|]$")  # `5 l`, its blank lost
ALIKE = {**DIGIT_OF, "S": "5"}  # in a text of such letters alone
HARDLY = 0.0001  # a digit's chance beside its letter's own: so little is left of an old-style 11, and nothing of a name
COUNT, TIME = re.compile(r"[+\-–]?\d{1,4}%?"), re.compile(r"\d{1,2}:\d{2}")
FAINT_TIME = re.compile(r"([01]?\d|2[0-4])[., ]([0-5]\d)")  # one of its points is lost
STROKES, BAR = frozenset("I1l|"), "|"
NEXT = 2.5  # of a line's height, to the next row of a column
Digits = Mapping[int, str]  # by its place in a text, the digit that a letter may be
PointChances = Mapping[int, float]  # by the place of a point or comma, the chance of the other beside its own
OTHER_POINT = {".": ",", ",": "."}
THOUSANDS = re.compile(r"(?<=\d)(?<!\b0)[.,](?=\d{3}(?!\d))")
DECIMALS = re.compile(r"(?<=\d)[.,](?=\d{1,2}(?!\d|[.,]\d))")
AMOUNT = re.compile(r"[+\-−–(]?\d{1,3}(?:[., ]\d{3})*(?:[.,]\d\d?)?(?: ?(?:[€$£%)]|[A-Z]{3}))?")  # all of a cell
PLAIN = math.log(10)  # how much likelier a sign is, from which it is told
USUAL = math.log(20)  # the same of what a language has
FALSE_COMMA = 0.02  # how often a point is seen as a comma
BOTH = re.compile(r"(?<![\d.,])\d{1,3}([.,])\d{3}([.,])\d\d?(?![\d.,])")  # the two signs differ
BLANKED = re.compile(r"(?<![\d.,])(?<!\d )\d{1,3}(?: \d{3})++([.,])\d\d(?![\d.,])")  # blanks before three digits


class Lookalikes:
    """For each of a recogniser's letters the digit that looks like it; for a point the comma, for a comma the point.

    An old-style one, a small capital I, has the digit's chance of 0.005 to 0.5 beside it; a letter hardly ever as much.
    """

    def __init__(self, characters: Sequence[str]) -> None:
        self._characters = characters
        of = {letter: n for n, letter in enumerate(characters)}
        self._minus = [of[sign] for sign in MINUS if sign in of]
        self._signs = [of[sign] for sign in OTHER_POINT if sign in of]
        self._points = np.array([of.get(OTHER_POINT.get(letter, ""), 0) for letter in characters], np.intp)
        self._digits = np.array([of.get(DIGIT_OF.get(letter, ""), 0) for letter in characters], np.intp)  # 0 is none
        self._alike = np.array([of.get(ALIKE.get(letter, letter * letter.isdigit()), 0) for letter in characters])

    def with_faint_signs(
        self, probabilities: NDArray[np.float32], best: NDArray[np.intp], kept: NDArray[np.intp]
    ) -> NDArray[np.intp]:
        """The letters' frames, with those of a lone figure's minus and point: faint ones have a small chance."""
        text = "".join(self._characters[best[at]] for at in kept)
        if not LONE_FIGURE.fullmatch(text):
            return kept
        behind = len(best) if text[-1] in "%€$£" else int(kept[-1]) + text[-1].isdigit()  # it may be read as a point
        ends = ((0, int(kept[int(not text[0].isdigit())])), (behind, len(best)))
        whole = POINTLESS.match(text)
        point = (int(kept[whole.end() - 1]) + 1, int(kept[whole.end()])) if whole else (0, 0)
        for (start, end), signs, least in (
            *((frames, self._minus, LIKELY_MINUS) for frames in ends),
            (point, self._signs, POSSIBLE),
        ):
            chances = probabilities[start:end, signs]
            if chances.size and chances.max() >= least:
                frame, sign = np.unravel_index(int(chances.argmax()), chances.shape)
                best[start + frame] = signs[int(sign)]
                kept = np.sort(np.append(kept[(kept < start) | (kept >= end)], start + frame))
        return kept

    def beside(
        self, probabilities: NDArray[np.float32], best: NDArray[np.intp], kept: NDArray[np.intp]
    ) -> tuple[dict[int, str], dict[int, float]]:
        """By their places in a text, the digits that letters may be, and the chances of points to be commas."""
        digits, points = self._digits[best[kept]], self._points[best[kept]]
        own = probabilities[kept, best[kept]]
        as_digit, as_other = ((alike > 0) * probabilities[kept, alike] / own for alike in (digits, points))
        return (
            {int(n): self._characters[digits[n]] for n in np.flatnonzero(as_digit >= POSSIBLE)},
            {int(n): float(as_other[n]) for n in np.flatnonzero(as_other >= POSSIBLE)},
        )

    def count(self, probabilities: NDArray[np.float32], best: NDArray[np.intp], kept: NDArray[np.intp]) -> str:
        """The text in digits alone, if there are letters in it and all may be digits."""
        digits = self._alike[best[kept]]
        may_be = digits.all() and (probabilities[kept, digits] >= HARDLY * probabilities[kept, best[kept]]).all()
        return "".join(self._characters[n] for n in digits) if may_be and (digits != best[kept]).any() else ""


def with_digits(text: str, digits: Digits) -> str:
    """Each figure with digits alone, if all its letters may be digits: `3I.IO.2025`, but not `5l`, nor `z o.o.`."""
    return FIRM.sub("o.o.", FIGURE.sub(lambda match: _as_digits(match, digits), text))


def _as_digits(match: re.Match[str], digits: Digits) -> str:
    letters = [n for n in range(*match.span()) if not match.string[n].isdigit() and match.string[n] in DIGIT_OF]
    if VOLUME.match(match[0]) or not any(map(str.isdigit, match[0])) or not all(n in digits for n in letters):
        return match[0]
    return "".join(digits.get(n, sign) for n, sign in enumerate(match[0], match.start()))


def points_of(readings: Sequence[tuple[str, PointChances]], language: str = "") -> list[str]:
    """The sign that a page's figures have before three digits, and before one or two at their end; "" if not plain.

    In a blurred picture many commas look like points, and hardly any point like a comma: a few commas tell more than
    many points. What the page's language usually has counts, too.
    >>> points_of([("66,267", {}), ("1,250", {}), ("9.117", {1: 0.3}), ("4.5", {1: 0.1})])
    [',', '']
    >>> points_of([("18.445.30", {2: 0.5}), ("53.53", {}), ("2.27", {})])
    [',', '.']
    >>> points_of([("6.635.19", {}), ("5.692,64", {}), ("3.431.36", {5: 0.1}), ("21.08", {})])
    ['.', ',']
    >>> [points_of([("2,5", {}), ("7,1", {}), *[("3.1", {})] * 13], language) for language in ("eng", "deu")]
    [['', '.'], ['', ',']]
    """
    habit = (-USUAL if language == "eng" else USUAL) if language else 0.0
    thousands, decimals = _comma(THOUSANDS, readings, -habit), _comma(DECIMALS, readings, habit)
    if any(BOTH.search(text) for text, _ in readings):
        thousands -= decimals
        decimals = -thousands
    return ["" if abs(comma) < PLAIN else "," if comma > 0 else "." for comma in (thousands, decimals)]


def _comma(kind: re.Pattern[str], readings: Sequence[tuple[str, PointChances]], habit: float = 0.0) -> float:
    """How much likelier commas in such places are than points, as a logarithm; any part of commas may be seen as such.

    >>> _comma(DECIMALS, [("2,50", {}), ("3.70", {}), ("4.20", {})]) > 0 > _comma(DECIMALS, [("2.50", {})] * 5)
    True
    """
    sites = [(match, points) for text, points in readings for match in kind.finditer(text)]
    chances = [(match[0] == ",", points.get(match.start(), 0.0)) for match, points in sites]
    seen = sum(1 / (1 + other) if is_comma else other / (1 + other) for is_comma, other in chances)
    missed = len(sites) - seen
    as_commas = math.log(2) + math.lgamma(seen + 2) + math.lgamma(missed + 1) - math.lgamma(len(sites) + 3)
    return habit + as_commas - seen * math.log(FALSE_COMMA) - missed * math.log(1 - FALSE_COMMA) if sites else 0.0


def with_points(text: str, points: PointChances, signs: Sequence[str], *, photographed: bool = False) -> str:
    """Each figure with the page's signs, where they may stand: where such a sign was seen, too, in an amount of money
    with thousands, if only by a blank, and decimals, and `photographed` for a point in a figure that stands alone.

    >>> with_points("9.117 of 4,321.5 and 2.141.20", {1: 0.3}, [",", "."])
    '9,117 of 4,321.5 and 2,141.20'
    >>> with_points("7 137.02 of 8.10", {}, ["", ","])
    '7 137,02 of 8.10'
    >>> [with_points(text, {}, [".", ","], photographed=True) for text in ("1,942.55", "942.55", "3775.52")]
    ['1.942,55', '942,55', '3775.52']
    """
    letters, sure = list(text), _amounts_signs(text, signs)
    is_alone = photographed and signs != [",", "."] and AMOUNT.fullmatch(text)  # on a flat scan: a section's number
    for kind, sign in zip((THOUSANDS, DECIMALS), signs, strict=True):
        for place in map(re.Match.start, kind.finditer(text if sign else "")):
            is_sign = place in points or place in sure or (is_alone and sign == ",")
            letters[place] = sign if is_sign else letters[place]
    return "".join(letters)


def _amounts_signs(text: str, signs: Sequence[str]) -> set[int]:
    """Where they can be no others, in amounts with both."""
    both = [match for match in BOTH.finditer(text) if all(signs) or match[1] == match[2]]
    parted = {match.start(1) for match in BLANKED.finditer(text) if signs[1]}
    return parted.union(match.start(n) for match in both for n in (1, 2)[: 1 + all(signs)])


def in_columns(read: Sequence[tuple[Box, str, str]]) -> list[str]:
    """The texts of lines; where a count or unit stands next above or below, what may be one is.

    A point is a comma where one begins the decimals next above and below; beside times it is a colon, a stroke a bar.

    >>> column = [Box(0, y, 20, y + 20) for y in (0, 30, 60)]
    >>> in_columns(list(zip(column, ("9", "IO", "II"), ("", "10", "11"))))
    ['9', '10', '11']
    >>> in_columns(list(zip(column, ("8,10", "137.02", "2.5.24"), ("", "", ""))))
    ['8,10', '137,02', '2.5.24']
    >>> in_columns(list(zip(column, ("05:38", "06 53", "07.06"), ("", "", ""))))
    ['05:38', '06:53', '07:06']
    >>> in_columns(list(zip(column, ("mmol/l", "UA", "f"), ("", "U/l", "fl"))))
    ['mmol/l', 'U/l', 'fl']
    >>> in_columns(list(zip(column, ("f", "1,888,520", "1,176"), ("£", "", ""))))
    ['£', '1,888,520', '1,176']
    """
    texts = [text for _, text, _ in read]
    told = (n for n, (_, said, cell) in enumerate(read) if cell or _may_be_other(said))
    down = sorted((read[n][0].y0, n) for n in told)
    levels = Filed(range(len(read)), by=lambda n: read[n][0].center[1])
    for _, n in (*down, *reversed(down)):
        box, _, cell = read[n]
        around = levels.between(box.center[1] - NEXT * box.height, box.center[1] + NEXT * box.height)
        near = [(texts[m], read[m][2]) for m in around if _is_next(box, read[m][0])]
        texts[n] = _as_its_column(texts[n], cell, near)
    return texts


def _may_be_other(text: str) -> bool:
    return text in STROKES or _decimals(text) == "." or FAINT_TIME.fullmatch(text) is not None


def _as_its_column(text: str, cell: str, beside: Sequence[tuple[str, str]]) -> str:
    near = [said for said, _ in beside]
    if told := _count_or_unit(cell, near, beside):
        return told
    if any(map(TIME.fullmatch, near)):
        faint = FAINT_TIME.fullmatch(text)
        return BAR if text in STROKES else ":".join(faint.groups()) if faint else text
    is_comma = _decimals(text) == "." and {sign for sign in map(_decimals, near) if sign} == {","}
    return DECIMALS.sub(",", text) if is_comma else text


def _count_or_unit(cell: str, near: Sequence[str], beside: Iterable[tuple[str, str]]) -> str:
    """What a cell may be, if its column has others, or what may be; litres as it writes them, currencies at amounts."""
    if cell in UNITS and not UNITS.isdisjoint(chain(*beside)):
        return cell[:-1] + "L" if cell[-1] == "l" and any(said.endswith("/L") for said in near) else cell
    told = COUNT if cell.isdigit() else AMOUNT
    return cell if (cell.isdigit() or cell in {*CURRENCIES}) and any(map(told.fullmatch, near)) else ""


def _decimals(text: str) -> str:
    """The sign before an amount's decimals, if that is all it holds."""
    sign = DECIMALS.search(text) if AMOUNT.fullmatch(text) else None
    return sign[0] if sign else ""


def _is_next(box: Box, other: Box) -> bool:
    """Whether another line stands in the next row of the same column."""
    in_column = 2 * box.overlap_x(other) > min(box.width, other.width)
    return in_column and 0.5 * box.height < abs(other.center[1] - box.center[1]) < NEXT * box.height
