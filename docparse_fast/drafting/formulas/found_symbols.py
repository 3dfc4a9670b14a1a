"""Symbols that were found on an image, as glyphs that the setter of formulas takes.

Those of one line are level; signs whose boxes tell little get their size and baseline from what stands beside them.
Knows no network and no page.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from operator import itemgetter
from statistics import geometric_mean, median

from docparse_fast.document import Box
from docparse_fast.drafting.formulas.signs import (
    AXIS,
    BIG_KINDS,
    DISPLAYED,
    FENCE_KINDS,
    TALL,
    Kind,
    extent_of,
    kind_of,
)
from docparse_fast.drafting.formulas.type import UNKNOWN, Glyph, LetterStyle, symbol_of
from docparse_fast.drafting.measures import ON_LEVEL, ONE_READ_TYPE, RAISED
from docparse_fast.geometry import gathered

STYLES = {"upright": LetterStyle.ROMAN, "italic": LetterStyle.MATH} | {
    style.value: style
    for style in (LetterStyle.BOLD, LetterStyle.CALLIGRAPHIC, LetterStyle.BLACKBOARD, LetterStyle.FRAKTUR)
}
PRIME = "′"
PRIME_HEIGHT, PRIME_FOOT = 0.51, 0.08  # its height in type sizes; how far its baseline is below it, in its heights
WORDY = frozenset({LetterStyle.ROMAN, LetterStyle.BOLD})
GAP = 0.3  # of the type's size: letters of one word are nearer
OVERLAP = 0.25  # of the type's size, by which boxes of slanting letters may overlap
# usual height above the baseline and depth below it, in type sizes: medians of the fonts that the classifier knows
_HEIGHTS = {
    (0.38, -0.13): "= \\doteq",
    (0.58, 0.04): "+ \\odot \\otimes \\oplus \\ominus",
    (0.67, 0.0): "\\pm",
    (0.51, 0.11): "\\mp",
    (0.50, 0.0): "\\times",
    (0.53, 0.02): "\\div \\Rightarrow \\Leftrightarrow \\Leftarrow",
    (0.47, -0.03): "\\ast \\star",
    (0.44, -0.06): "\\circ \\bullet",
    (0.60, 0.02): "\\vee \\wedge \\cap \\cup \\sqcup",
    (0.70, 0.16): "\\dagger",
    (0.67, 0.01): "\\perp \\vdash",
    (0.54, 0.03): "< > \\in \\ni \\prec \\succ \\subset \\supset \\ll \\gg",
    (0.64, 0.12): "\\leq \\geq \\leqslant \\geqslant \\preceq \\succeq \\subseteq \\supseteq",
    (0.49, -0.05): "\\rightarrow \\leftarrow \\leftrightarrow \\mapsto \\infty",
    (0.47, -0.05): "\\equiv \\simeq \\approx \\asymp \\cong",
    (0.69, 0.19): "\\uparrow \\downarrow",
    (0.44, -0.02): "\\propto",
}
_WIDTHS = {"-": 0.61}  # signs too flat for their height to tell
_FLAT = {"=": 0.62}  # widths of signs whose height tells half
EXTENTS = {symbol: extent for extent, symbols in _HEIGHTS.items() for symbol in symbols.split()}


FENCE = (0.75, 0.2)  # of the type's size: a bracket's height and depth
DOTS = frozenset({".", "\\cdot"})
LARGE = 0.85  # of the largest letters: larger ones are no scripts
ACCENTED = 0.6  # of an accent's width and letter's: how far their middles may lie apart


def with_places(glyphs: Sequence[Glyph]) -> list[Glyph]:
    """The glyphs, with sizes and baselines of signs that have a usual shape.

    >>> from docparse_fast.document import Box
    >>> round(with_places([Glyph("+", Box(0, 3.8, 6.2, 10.0))])[0].size, 2)
    10.0
    """
    letters = sorted(filter(None, map(_letter_size, glyphs)))
    made = [_by_shape(glyph, letters) if glyph.size is None and glyph.baseline is None else glyph for glyph in glyphs]
    made = _with_dots_told(made)
    told = [(glyph.box, size) for glyph in made if (size := _size_of(glyph)) is not None]
    return [_by_neighbours(glyph, told) if glyph.size is None and told else glyph for glyph in made]


def _with_dots_told(glyphs: Sequence[Glyph]) -> list[Glyph]:
    """Full stops and centred dots look alike: their height above the baseline of large letters tells them apart."""
    letters = [
        (glyph.box, size, glyph.box.y1 - extent[1] * size)
        for glyph in glyphs
        if kind_of(glyph.symbol) is Kind.LETTER and (extent := extent_of(glyph.symbol)) and (size := _size_of(glyph))
    ]
    largest = max(map(itemgetter(1), letters), default=0.0)
    main = [letter for letter in letters if letter[1] > LARGE * largest]
    return [_dot(glyph, main) if glyph.symbol in DOTS and main else glyph for glyph in glyphs]


def _dot(glyph: Glyph, letters: Sequence[tuple[Box, float, float]]) -> Glyph:
    x, y = glyph.box.center
    _, size, baseline = min(letters, key=lambda letter: abs(letter[0].center[0] - x) + abs(letter[2] - y))
    return replace(glyph, symbol="\\cdot" if baseline - y > RAISED * size else ".")


def _size_of(glyph: Glyph) -> float | None:
    extent = extent_of(glyph.symbol)
    return glyph.size or (glyph.box.height / sum(extent) if extent else None)


def _letter_size(glyph: Glyph) -> float | None:
    extent = extent_of(glyph.symbol)
    return glyph.box.height / sum(extent) if extent and kind_of(glyph.symbol) is Kind.LETTER else None


def _by_shape(glyph: Glyph, letters: Sequence[float]) -> Glyph:
    """Its shape tells a sign's size roughly, so the nearest of the letters' sizes is taken."""
    extent = EXTENTS.get(glyph.symbol)
    if extent is None and glyph.symbol not in _WIDTHS:
        return glyph
    size = _nearest(_shape_size(glyph, extent), letters)
    above = (extent[0] - extent[1]) / 2 if extent else AXIS
    return replace(glyph, size=size, baseline=glyph.box.center[1] + above * size)


def _shape_size(glyph: Glyph, extent: tuple[float, float] | None) -> float:
    across = _WIDTHS.get(glyph.symbol, _FLAT.get(glyph.symbol))
    sizes = [glyph.box.width / across] if across else []
    if extent is not None:
        sizes.append(glyph.box.height / sum(extent))
    return geometric_mean(sizes)


def _nearest(size: float, sizes: Sequence[float]) -> float:
    near = min(sizes, key=lambda each: abs(math.log(each / size)), default=size)
    return near if 1 / ONE_READ_TYPE < near / size < ONE_READ_TYPE else size


def _by_neighbours(glyph: Glyph, told: Sequence[tuple[Box, float]]) -> Glyph:
    kind = kind_of(glyph.symbol)
    if kind in BIG_KINDS:
        return replace(glyph, size=_beside(glyph.box, told) or glyph.box.height / DISPLAYED)
    if kind is Kind.ACCENT:
        under = _under(glyph.box, told)
        return replace(glyph, size=under) if under else glyph
    if kind in FENCE_KINDS:
        size = glyph.box.height / sum(FENCE)
        if size < TALL * max(size for _, size in told):
            return replace(glyph, size=size, baseline=glyph.box.y1 - FENCE[1] * size)
    return glyph


def _beside(box: Box, told: Sequence[tuple[Box, float]]) -> float | None:
    """The size of the nearest sign at the middle of a box's height, left or right of it."""
    quarter = box.height / 4
    level = [(other, size) for other, size in told if box.y0 + quarter < other.center[1] < box.y1 - quarter]
    apart = [(box.gap_x(other), size) for other, size in level]
    return min((each for each in apart if each[0] > -quarter), default=(0.0, None))[1]


def _under(box: Box, told: Sequence[tuple[Box, float]]) -> float | None:
    """The size of the letter right under an accent."""
    below = [
        (other.y0 - box.y1, size)
        for other, size in told
        if other.center[1] > box.y1 and abs(other.center[0] - box.center[0]) < ACCENTED * max(box.width, other.width)
    ]
    return min(below, default=(0.0, None))[1]


@dataclass(frozen=True, slots=True)
class _Letter:
    index: int
    glyph: Glyph
    size: float
    baseline: float


def levelled(glyphs: Sequence[Glyph]) -> list[Glyph]:
    """The glyphs; upright letters beside each other have one baseline and one size."""
    letters = sorted(_letters(glyphs), key=lambda letter: letter.glyph.box.x0)
    made = list(glyphs)
    for word in gathered(letters, lambda word, letter: _continues(word[-1], letter)):
        if len(word) > 1:
            size, baseline = median(letter.size for letter in word), median(letter.baseline for letter in word)
            for letter in word:
                made[letter.index] = replace(letter.glyph, size=size, baseline=baseline)
    return made


def _letters(glyphs: Sequence[Glyph]) -> list[_Letter]:
    found = []
    for index, glyph in enumerate(glyphs):
        extent = extent_of(glyph.symbol) if glyph.style in WORDY and glyph.symbol.isalpha() else None
        if extent is not None:
            size = glyph.box.height / sum(extent)
            found.append(_Letter(index, glyph, size, glyph.box.y1 - extent[1] * size))
    return found


def _continues(last: _Letter, letter: _Letter) -> bool:
    gap = letter.glyph.box.x0 - last.glyph.box.x1
    near = -OVERLAP * last.size < gap < GAP * min(last.size, letter.size)
    level = abs(letter.baseline - last.baseline) < ON_LEVEL * max(last.size, letter.size)
    alike = 1 / ONE_READ_TYPE < letter.size / last.size < ONE_READ_TYPE
    return near and level and alike and last.glyph.style is letter.glyph.style


@dataclass(frozen=True, slots=True)
class Symbol:
    character: str  # "fi" and its like are one
    style: str
    box: Box
    baseline: float
    size: float
    confidence: float
    style_confidence: float = 1.0

    def placed(self, scale: float) -> Symbol:
        box = self.box.scaled(scale)
        return replace(self, box=box, baseline=self.baseline * scale, size=self.size * scale)

    def glyphs(self) -> list[Glyph]:
        step = self.box.width / len(self.character)
        return [self._glyph(char, n, step) for n, char in enumerate(self.character)]

    def _glyph(self, char: str, n: int, step: float) -> Glyph:
        symbol, own = symbol_of(char)
        x = self.box.x0 + n * step
        letter = char.isalpha() and (char.isascii() or self.style == "bold")
        style = own or (STYLES[self.style] if letter else LetterStyle.MATH)
        box = Box(x, self.box.y0, x + step, self.box.y1)
        if char == PRIME:
            return Glyph(symbol, box, box.y1 + PRIME_FOOT * box.height, box.height / PRIME_HEIGHT, style)
        # of other signs, boxes tell baselines and sizes better than the network does
        return Glyph(symbol or UNKNOWN, box, style=style)


@dataclass(frozen=True, slots=True)
class Symbols:
    """What stands on an image, in its pixels."""

    symbols: tuple[Symbol, ...]
    rules: tuple[Box, ...]

    def glyphs(self) -> list[Glyph]:
        return with_places(levelled([glyph for symbol in self.symbols for glyph in symbol.glyphs()]))
