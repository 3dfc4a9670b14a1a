"""Reads the mathematical symbols on an image, piece of ink by piece of ink. Knows no structure and no page.

A small network of our own (scripts/formulas/train_pieces.py) names each piece: a symbol, a part of the symbol beside
it, a rule, several symbols that touch, or nothing.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from docparse_fast.document import Box
from docparse_fast.drafting.arrays import Pixels
from docparse_fast.drafting.formulas.components import SIZE, Ink, InkPiece, stacked
from docparse_fast.drafting.formulas.latex import symbol_of
from docparse_fast.drafting.formulas.levelling import levelled
from docparse_fast.drafting.formulas.printed import UNKNOWN, Glyph, LetterStyle
from docparse_fast.drafting.formulas.sign_places import with_places
from docparse_fast.drafting.onnx import open_session, packaged

WEIGHTS = "formula_symbols.onnx"
MOST_PIXELS = 6_000_000  # of the image that is cut; a larger one is made smaller
PART, TOUCHING, RULE, NOISE = "part", "touching", "rule", "noise"  # what a piece may be beside a symbol
OTHERS = (PART, TOUCHING, RULE, NOISE)
NEAR = 0.45  # of the type's size: how far a part may be from its symbol
WAYS = 4  # in which touching symbols are cut in two
DEEPEST = 3  # cuts within cuts
DOUBLE = frozenset("=≡≤≥≈≃≅≐±÷⊆⊇⪯⪰⩽⩾")
STROKES = {"=": 2, "≃": 2, "≈": 2, "≡": 3, "≅": 3}
BARRED = frozenset("≤≥⊆⊇⪯⪰⩽⩾")
STACKED, STACKED_GAP = frozenset(":;"), 0.6  # each of their points may be taken for the whole; of the type's size
FLAT = 0.25  # of its width: a bar's height
MENDED = 0.6  # with which a symbol is named that came in pieces
GAIN = 0.1  # by which it is surer than its pieces
UNSURE = 0.5  # a symbol named with less may be two
WIDE = 0.55  # of the type's size, from which it may
RESCALED = (
    0.15  # how far the type may be from the size that was asked for, as a logarithm, before it is looked at again
)
STYLES = {
    "upright": LetterStyle.ROMAN,
    "italic": LetterStyle.MATH,
    "bold": LetterStyle.BOLD,
    "calligraphic": LetterStyle.CALLIGRAPHIC,
    "blackboard": LetterStyle.BLACKBOARD,
    "fraktur": LetterStyle.FRAKTUR,
}
PRIME = "′"
PRIME_HEIGHT, PRIME_FOOT = 0.51, 0.08  # its height in type sizes; how far its baseline is below it, in its heights
FloatPixels = NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class Symbol:
    character: str  # "fi" and its like are one
    style: str
    box: Box
    baseline: float
    size: float
    confidence: float

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


@dataclass(frozen=True, slots=True)
class _Named:
    """A piece with what the network said of it."""

    piece: InkPiece
    kind: str
    confidence: float
    symbol: str  # the likeliest symbol, whatever the kind
    style: str
    place: tuple[float, float]  # baseline below the top, and size, in heights of the symbol's box

    def as_symbol(self, parts: Sequence[_Named]) -> Symbol:
        box = Box.around([self.piece.box, *(part.piece.box for part in parts)])
        base, size = self.place
        sure = self.confidence
        return Symbol(self.symbol, self.style, box, box.y0 + base * box.height, size * box.height, sure)


class SymbolDetector:
    """
    >>> SymbolDetector().find(crop, 31.0).symbols[0].character    # doctest: +SKIP
    '∑'
    """

    def __init__(self, threads: int = 1) -> None:
        self._threads = threads

    @cached_property
    def _session(self) -> Any:
        return open_session(packaged(WEIGHTS), self._threads)

    @cached_property
    def _names(self) -> list[str]:
        return str(self._session.get_modelmeta().custom_metadata_map["symbols"]).split("\n")

    @cached_property
    def _styles(self) -> list[str]:
        return str(self._session.get_modelmeta().custom_metadata_map["styles"]).split()

    def find(self, image: Pixels, size: float) -> Symbols:
        """The symbols of type that is about `size` pixels high; looked at twice where it is not."""
        found = self._find_at(image, size)
        main = _main_size(found.symbols)
        if main and abs(math.log(main / size)) > RESCALED:
            found = self._find_at(image, main)
        return found

    def _find_at(self, image: Pixels, size: float) -> Symbols:
        height, width = image.shape[:2]
        scale = min(SIZE / size, math.sqrt(MOST_PIXELS / (height * width)))
        ink = Ink(_grey(image, scale))
        named = self._whole(ink, self._mended(ink, self._named(ink.pieces)), DEEPEST)
        symbols = _symbols(named)
        rules = [one.piece.box for one in named if one.kind == RULE]
        rules = [rule for rule in rules if not any(_is_bar_of(symbol, rule) for symbol in symbols)]
        return Symbols(tuple(s.placed(1 / scale) for s in symbols), tuple(rule.scaled(1 / scale) for rule in rules))

    def _named(self, pieces: Sequence[InkPiece]) -> list[_Named]:
        if not pieces:
            return []
        looks, measures = stacked(pieces)
        symbols, styles, places = self._session.run(None, {"looks": looks, "measures": measures})
        return [self._one(*said) for said in zip(pieces, symbols, styles, places, strict=True)]

    def _one(self, piece: InkPiece, symbols: FloatPixels, styles: FloatPixels, place: FloatPixels) -> _Named:
        best = int(symbols.argmax())
        letters = len(self._names) - len(OTHERS)
        symbol = self._names[int(symbols[:letters].argmax())]
        style = self._styles[int(styles.argmax())]
        where = float(place[0]), math.exp(float(place[1]))
        return _Named(piece, self._names[best], float(symbols[best]), symbol, style, where)

    def _mended(self, ink: Ink, named: list[_Named]) -> list[_Named]:
        """The pieces, those together that are one broken symbol."""
        pairs = ink.close_pairs()
        both = self._named([ink.joined([ink.pieces[n], ink.pieces[m]]) for n, m in pairs])
        found: dict[int, _Named] = {}
        gone: set[int] = set()
        for (n, m), whole in sorted(zip(pairs, both, strict=True), key=lambda each: -each[1].confidence):
            if not {n, m} & gone and _is_broken(named[n], named[m], whole):
                found[n] = whole
                gone |= {n, m}
        return [found.get(n, one) for n, one in enumerate(named) if n in found or n not in gone]

    def _whole(self, ink: Ink, named: Sequence[_Named], depth: int) -> list[_Named]:
        """The pieces, those that are several symbols cut."""
        found: list[_Named] = []
        for one in named:
            wide = one.piece.box.width > WIDE * SIZE
            several = one.kind == TOUCHING or (one.confidence < UNSURE and one.kind not in OTHERS)
            found += self._halved(ink, one, depth) if several and wide and depth else [one]
        return found

    def _halved(self, ink: Ink, one: _Named, depth: int) -> list[_Named]:
        ways = ink.halves(one.piece, WAYS)
        named = self._named([half for way in ways for half in way])
        pairs = [named[n : n + 2] for n in range(0, len(named), 2)]
        likely = [min(half.confidence * (half.kind not in (PART, NOISE)) for half in pair) for pair in pairs]
        best = int(np.argmax(likely)) if likely else 0
        if not likely or (one.kind != TOUCHING and likely[best] <= one.confidence):
            return [one]
        return self._whole(ink, pairs[best], depth - 1)


def _is_broken(a: _Named, b: _Named, whole: _Named) -> bool:
    """Whether two pieces are surer a symbol together than each by itself."""
    if whole.kind in OTHERS or whole.confidence < MENDED:
        return False
    least = min(0.0 if one.kind in (PART, NOISE) else one.confidence for one in (a, b))
    return whole.confidence > least + GAIN


def _grey(image: Pixels, scale: float) -> Pixels:
    grey = cv2.cvtColor(np.ascontiguousarray(image), cv2.COLOR_RGB2GRAY) if image.ndim == 3 else image
    size = max(1, round(grey.shape[1] * scale)), max(1, round(grey.shape[0] * scale))
    scaled = cv2.resize(grey, size, interpolation=cv2.INTER_AREA if scale < 1 else cv2.INTER_CUBIC)
    return np.asarray(scaled, np.uint8)


def _symbols(named: Sequence[_Named]) -> list[Symbol]:
    """Symbols with their parts; a part that is near no symbol is one itself."""
    mains = [one for one in named if one.kind not in OTHERS or one.kind == TOUCHING]
    parts: dict[int, list[_Named]] = {n: [] for n in range(len(mains))}
    alone: list[_Named] = []
    for part in (one for one in named if one.kind == PART):
        distances = [_apart(part.piece.box, main.piece.box) for main in mains]
        nearest = int(np.argmin(distances)) if distances else -1
        if nearest >= 0 and distances[nearest] < NEAR * SIZE:
            parts[nearest].append(part)
        else:
            alone.append(part)
    found = [*(main.as_symbol(parts[n]) for n, main in enumerate(mains)), *(part.as_symbol(()) for part in alone)]
    return together(found)


def together(symbols: Sequence[Symbol]) -> list[Symbol]:
    """Signs of several bars or points that were taken for several signs, back together."""
    kept: list[Symbol] = []
    for symbol in sorted(symbols, key=lambda symbol: symbol.box.y0):
        again = next((n for n, other in enumerate(kept) if _is_other_half(other, symbol)), None)
        if again is None:
            kept.append(symbol)
        else:
            whole = _name_of_both(kept[again].character, symbol.character)
            kept[again] = replace(kept[again], character=whole, box=Box.around([kept[again].box, symbol.box]))
    return kept


def _is_other_half(upper: Symbol, lower: Symbol) -> bool:
    if {upper.character, lower.character} <= STACKED:
        return upper.box.overlap_x(lower.box) > 0 and lower.box.y0 - upper.box.y1 < STACKED_GAP * SIZE
    bar = lower.confidence < UNSURE and _is_bar_of(upper, lower.box)
    both = upper.character == lower.character or {upper.character, lower.character} <= STROKES.keys()
    return bar or (both and upper.character in DOUBLE and _is_beneath(upper.box, lower.box))


def _name_of_both(upper: str, lower: str) -> str:
    """Of two parts of one sign, each named as if it were the whole."""
    if {upper, lower} <= STACKED:
        return ";" if ";" in (upper, lower) else ":"
    if upper == lower or not {upper, lower} <= STROKES.keys():
        return upper
    return "≅" if "≃" in (upper, lower) else max(upper, lower, key=lambda name: STROKES[name])


def _is_bar_of(symbol: Symbol, bar: Box) -> bool:
    """Whether a rule is the lower part of a sign like ≤."""
    return symbol.character in BARRED and bar.height < FLAT * bar.width and _is_beneath(symbol.box, bar)


def _is_beneath(upper: Box, lower: Box) -> bool:
    wide = max(upper.width, lower.width)
    return upper.overlap_x(lower) > 0.7 * wide and -0.1 * wide < lower.y0 - upper.y1 < 0.6 * wide


def _apart(a: Box, b: Box) -> float:
    """How far two boxes are apart; what lies beside is farther than what lies above."""
    across = max(a.x0 - b.x1, b.x0 - a.x1, 0.0)
    down = max(a.y0 - b.y1, b.y0 - a.y1, 0.0)
    return math.hypot(2 * across, down) + 0.2 * abs(a.center[0] - b.center[0])


def _main_size(symbols: Sequence[Symbol]) -> float:
    """The size of the type that is neither raised nor lowered."""
    sizes = sorted(symbol.size for symbol in symbols if symbol.confidence > UNSURE)
    return sizes[int(0.75 * (len(sizes) - 1))] if sizes else 0.0
